"""Who said what in a dialogue, and when: a list of marks, of which the turns are made when all is over.

The streams are kept anyway, so a turn of the command's is two places in one of them. However long it goes on, the marks
are bounded, and so is what they come to.
"""

from dataclasses import dataclass
from typing import Literal

from grader.model import Turn

_MOST_BYTES = 64 * 2**10
_MOST_MARKS = 1000
_LEAST_SHOWN = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class _Mark:
    time: float
    stream: Literal["stdin", "stdout", "stderr"]
    start: int = 0
    text: bytes = b""


class Transcript:
    """Notes the turns of a dialogue; times are seconds since the start."""

    def __init__(self) -> None:
        """Begin with nothing said."""
        self._marks: list[_Mark] = []

    def sent(self, time: float, text: bytes) -> None:
        """Note what the grader sent; nothing at all is the end of the input."""
        self._marks.append(_Mark(time=time, stream="stdin", text=text))

    def heard(self, time: float, stream: Literal["stdout", "stderr"], start: int) -> None:
        """Note that the command wrote to a stream, from the byte `start` on, unless its turn lasts on."""
        if not self._marks or (self._marks[-1].stream != stream and len(self._marks) < _MOST_MARKS):
            self._marks.append(_Mark(time=time, stream=stream, start=start))

    def turns(self, stdout: bytes, stderr: bytes) -> tuple[Turn, ...]:
        """Return the turns, given all that the command wrote."""
        most = max(_MOST_BYTES // max(len(self._marks), 1), _LEAST_SHOWN)
        texts = {"stdout": stdout, "stderr": stderr}
        ends = {stream: len(text) for stream, text in texts.items()}
        found: list[Turn] = []
        for mark in reversed(self._marks):
            text = mark.text
            if mark.stream != "stdin":
                text = texts[mark.stream][mark.start : ends[mark.stream]]
                ends[mark.stream] = mark.start
            found.append(Turn(time=mark.time, stream=mark.stream, text=_cut(text, most)))
        return tuple(reversed(found))


def _cut(text: bytes, most: int) -> bytes:
    if len(text) <= most:
        return text
    half = most // 2
    return text[:half] + b"\n[%d bytes left out]\n" % (len(text) - 2 * half) + text[-half:]
