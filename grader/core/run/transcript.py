"""The input and output of a command as turns, in the order in which we saw them, with times."""

from collections import deque
from collections.abc import Sequence
from time import monotonic
from typing import Literal

from msgspec import Struct, field
from msgspec.structs import replace

from grader.core.model.execution import Execution, Turn

_MAX_TURN_BYTES = 64 * 2**10
_MAX_MARKS = 1000
_MIN_SHOWN = 200
_MAX_JOINED = 4096
"""bytes of a turn to which more is joined"""


class _Mark(Struct, frozen=True, kw_only=True):
    time: float
    at: float = field(default_factory=monotonic)
    """seconds on a clock that all transcripts have in common"""
    stream: Literal["stdin", "stdout", "stderr"]
    start: int = 0
    text: bytes = b""


class Transcript:
    """The turns of a dialogue, with their times: a list of marks, from which the turns are made at the end.

    The streams are stored anyway, so a turn of the command is two places in one of them. The number of marks is
    bounded, and so is the size of the turns: the last marks stay. Times are seconds since the start.
    """

    def __init__(self) -> None:
        """Start with no turns."""
        self._marks: deque[_Mark] = deque(maxlen=_MAX_MARKS)

    def sent(self, time: float, text: bytes) -> None:
        """Add a turn of the grader; an empty text is the end of the input."""
        self._marks.append(_Mark(time=time, stream="stdin", text=text))

    def passed_on(self, time: float, text: bytes) -> None:
        """Add input from another program, which we passed on: to its turn, until another writer's turn begins."""
        last = self._marks[-1] if self._marks else None
        if last and last.stream == "stdin" and len(last.text) < _MAX_JOINED:
            self._marks[-1] = _Mark(time=last.time, at=last.at, stream="stdin", text=last.text + text)
        else:
            self.sent(time, text)

    def heard(self, time: float, stream: Literal["stdout", "stderr"], start: int) -> None:
        """Add a turn of the command on a stream, from the byte `start` on, unless its last turn continues."""
        if not self._marks or self._marks[-1].stream != stream:
            self._marks.append(_Mark(time=time, stream=stream, start=start))

    def turns(self, stdout: bytes, stderr: bytes) -> tuple[Turn, ...]:
        """Return the turns, given all that the command wrote."""
        return tuple(turn for _, turn in self.timed_turns(stdout, stderr))

    def timed_turns(self, stdout: bytes, stderr: bytes) -> list[tuple[float, Turn]]:
        """Return the turns, each with its time on the common clock."""
        most = max(_MAX_TURN_BYTES // max(len(self._marks), 1), _MIN_SHOWN)
        texts = {"stdout": stdout, "stderr": stderr}
        ends = {stream: len(text) for stream, text in texts.items()}
        found: list[tuple[float, Turn]] = []
        for mark in reversed(self._marks):
            text = mark.text
            if mark.stream != "stdin":
                text = texts[mark.stream][mark.start : ends[mark.stream]]
                ends[mark.stream] = mark.start
            if len(text) > most:
                half = most // 2
                text = text[:half] + b"\n[%d bytes left out]\n" % (len(text) - 2 * half) + text[-half:]
            found.append((mark.at, Turn(time=mark.time, stream=mark.stream, text=text)))
        return found[::-1]


def merge_turns(
    names: Sequence[str], transcripts: Sequence[Transcript], found: Sequence[Execution]
) -> tuple[Turn, ...]:
    """Merge the transcripts of several commands, which have `names` and came to what is `found`."""
    timed = [
        (at, replace(turn, role=name))
        for name, transcript, one in zip(names, transcripts, found, strict=True)
        for at, turn in transcript.timed_turns(one.stdout, one.stderr)
    ]
    timed.sort(key=lambda one: one[0])
    return tuple(replace(turn, time=at - timed[0][0]) for at, turn in timed)
