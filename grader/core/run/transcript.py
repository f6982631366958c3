"""Who said what to a command and what it said, in the order in which that was seen, with times."""

from collections import deque
from typing import Literal

from msgspec import Struct

from grader.core.model import Turn

_MAX_TURN_BYTES = 64 * 2**10
_MAX_MARKS = 1000
_MIN_SHOWN = 200
_MAX_JOINED = 4096
"""bytes of a turn to which more is joined"""


class _Mark(Struct, frozen=True, kw_only=True):
    time: float
    stream: Literal["stdin", "stdout", "stderr"]
    start: int = 0
    text: bytes = b""


class Transcript:
    """Who said what in a dialogue, and when: a list of marks, of which the turns are made when all is over.

    The streams are kept anyway, so a turn of the command's is two places in one of them. However long it goes on, the
    marks are bounded, and so is what they come to: the last ones stay. Times are seconds since the start.
    """

    def __init__(self) -> None:
        """Begin with nothing said."""
        self._marks: deque[_Mark] = deque(maxlen=_MAX_MARKS)

    def sent(self, time: float, text: bytes) -> None:
        """Note what the grader sent; nothing at all is the end of the input."""
        self._marks.append(_Mark(time=time, stream="stdin", text=text))

    def passed_on(self, time: float, text: bytes) -> None:
        """Note what somebody else said to the command, through us: as one turn, as long as nobody else speaks."""
        last = self._marks[-1] if self._marks else None
        if last and last.stream == "stdin" and len(last.text) < _MAX_JOINED:
            self._marks[-1] = _Mark(time=last.time, stream="stdin", text=last.text + text)
        else:
            self.sent(time, text)

    def heard(self, time: float, stream: Literal["stdout", "stderr"], start: int) -> None:
        """Note that the command wrote to a stream, from the byte `start` on, unless its turn lasts on."""
        if not self._marks or self._marks[-1].stream != stream:
            self._marks.append(_Mark(time=time, stream=stream, start=start))

    def turns(self, stdout: bytes, stderr: bytes) -> tuple[Turn, ...]:
        """Return the turns, given all that the command wrote."""
        most = max(_MAX_TURN_BYTES // max(len(self._marks), 1), _MIN_SHOWN)
        texts = {"stdout": stdout, "stderr": stderr}
        ends = {stream: len(text) for stream, text in texts.items()}
        found: list[Turn] = []
        for mark in reversed(self._marks):
            text = mark.text
            if mark.stream != "stdin":
                text = texts[mark.stream][mark.start : ends[mark.stream]]
                ends[mark.stream] = mark.start
            if len(text) > most:
                half = most // 2
                text = text[:half] + b"\n[%d bytes left out]\n" % (len(text) - 2 * half) + text[-half:]
            found.append(Turn(time=mark.time, stream=mark.stream, text=text))
        return tuple(reversed(found))
