"""The input and output of a command as turns, in the order in which we saw them, with times."""

from collections import deque
from time import monotonic
from typing import Literal

from msgspec import Struct, field
from msgspec.structs import replace

from grader.core.model.execution import TranscriptEntry

_MAX_MARKS = 1000
_MAX_TURN_BYTES, _MIN_SHOWN, _MAX_JOINED = 64 * 2**10, 200, 4096
"""bytes: of a single turn, of each of many, and of one to which more is joined"""


class _Mark(Struct, frozen=True, kw_only=True):
    time: float
    at: float = field(default_factory=monotonic)
    stream: Literal["stdin", "stdout", "stderr"]
    start: int = 0
    text: bytes = b""


class Transcript:
    """The turns of a dialogue, with times since the start: the last marks in the streams, which are stored anyway."""

    role = ""
    """the command's name, where it is one of several; its times are then those of a clock that all have in common"""

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
            self._marks[-1] = replace(last, text=last.text + text)
        else:
            self.sent(time, text)

    def heard(self, time: float, stream: Literal["stdout", "stderr"], start: int) -> None:
        """Add a turn of the command on a stream, from the byte `start` on, unless its last turn continues."""
        if not self._marks or self._marks[-1].stream != stream:
            self._marks.append(_Mark(time=time, stream=stream, start=start))

    def turns(self, stdout: bytes, stderr: bytes) -> tuple[TranscriptEntry, ...]:
        """Return the turns, given all that the command wrote."""
        most = max(_MAX_TURN_BYTES // max(len(self._marks), 1), _MIN_SHOWN)
        texts = {"stdout": stdout, "stderr": stderr}
        ends = {stream: len(text) for stream, text in texts.items()}
        found: list[TranscriptEntry] = []
        for mark in reversed(self._marks):
            text = mark.text
            if mark.stream != "stdin":
                text = texts[mark.stream][mark.start : ends[mark.stream]]
                ends[mark.stream] = mark.start
            if len(text) > most:
                half = most // 2
                text = text[:half] + b"\n[%d bytes left out]\n" % (len(text) - 2 * half) + text[-half:]
            time = mark.at if self.role else mark.time
            found.append(TranscriptEntry(time=time, stream=mark.stream, role=self.role, text=text))
        return tuple(found[::-1])
