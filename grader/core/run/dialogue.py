"""A dialogue with a running command: wait for this, send that, as a person at a terminal would.

Each stream is searched separately. When a text does not come, the command may have written it without flushing. The
remaining input is then sent, the input is closed, and the remaining texts are awaited once more.
"""

import time
from collections.abc import Sequence

from pexpect import EOF, TIMEOUT
from pexpect.spawnbase import SpawnBase

from grader.core.bounded_regex import Finder, finder
from grader.core.model.execution import FailedStep
from grader.core.model.spec import KEYS, Step
from grader.core.run.meter import asleep
from grader.core.run.process import DialogueEnd, SandboxedProcess

_FOUND, _ENDED, _TIMED_OUT = range(3)
_WINDOW_BYTES, _READ_BYTES = 16 * 2**10, 4096
"""in which a text is looked for, and which are read at a time; the windows overlap by the rest"""
_BEFORE_BYTES = 400  # bytes of the unexpected output that are stored
_GRACE_SECONDS = 1.0  # seconds in which a command that waited for input does something when there is no more
_QUIET_SECONDS = 0.2  # seconds of sleep and silence after the last step that are taken for waiting
_STILL_SECONDS = 0.1  # the same after a step for which it had all its time
_HELD_UP_SECONDS = 0.05  # seconds that we go on at a time for a command that waits for a processor


def converse(program: SandboxedProcess) -> DialogueEnd:
    """Run the dialogue up to the end of its input; the command may still run. Raises HostError as `finder` does."""
    talk, steps = Talk(program), program.launch.dialogue
    for number, step in enumerate(steps, start=1):
        began, most = program.account(), talk.seconds_for(step)
        if talk.take(step, most):
            continue
        now, before, is_over = program.account(), talk.unexpected(), talk.flag_eof
        cpu_starved = not is_over and program.is_starved(began, most)
        late, asked = (False, False) if is_over else talk.insist(steps[number - 1 :])
        stop = FailedStep(
            step=step,
            number=number,
            ended=is_over and program.limit != "time",
            waited=now.time - began.time - (now.time_credit - began.time_credit),
            before=before,
            late=late,
            cpu_starved=cpu_starved,
        )
        return DialogueEnd(stop=stop, asked=asked)
    heard = talk.leave()
    return DialogueEnd(asked=heard is not None, output_when_script_ended=heard)


def _is_over(program: SandboxedProcess, deadline: float) -> bool:
    """Whether the time until `deadline` is over; it is not for a command that still waits for a processor."""
    if time.monotonic() < deadline + program.time_credit:
        return False
    cpu, now = program.peak.cpu, program.account()
    is_late = time.monotonic() >= deadline + now.time_credit
    return is_late and (program.ended > 0 or now.cpu > cpu or asleep(*program.command.processes()))


class Talk(SpawnBase):  # type: ignore[type-arg]
    """pexpect over a program whose own event loop reads; `spawn` would join both streams, and its buffer grows."""

    eof_index, timeout_index = _ENDED, _TIMED_OUT  # what a search returns at the end

    def __init__(self, program: SandboxedProcess) -> None:
        """Begin with what the program writes from now on."""
        super().__init__(maxread=_READ_BYTES, searchwindowsize=_WINDOW_BYTES)
        self.delayafterread = None
        self._program, self._searched_errors = program, 0
        self._deadline, self._is_over = 0.0, False

    def read_nonblocking(self, size: int = 1, timeout: float | None = None) -> bytes:  # noqa: ARG002 - see `_hear`
        """Return what comes next on standard output; nothing when standard error has output. Raises as pexpect does."""
        program, aside = self._program, self._program.errors.tell()
        while not program.has_said_all:
            if self._is_over and not program.ended:
                raise TIMEOUT("nothing in time")
            self._is_over = _is_over(program, self._deadline)  # then a last look: we may have had no processor to read
            chunk = program.step(size, time.monotonic() + (0 if self._is_over else _HELD_UP_SECONDS))
            if chunk or program.errors.tell() > aside:
                return chunk
        self.flag_eof = True
        raise EOF("standard output is at its end")

    def seconds_for(self, step: Step) -> float:
        """Return the seconds that a step may take."""
        program = self._program
        rest = program.started + program.launch.limits.time + program.time_credit - time.monotonic()
        return max(0.0, min(rest, rest if step.within is None else step.within))

    def take(self, step: Step, seconds: float) -> bool:
        """Take one step; return whether it succeeded. Sending always succeeds: the command need not read."""
        if step.do == "type":
            self._program.wait_until_idle(_STILL_SECONDS, within=seconds)
        if step.do == "eof":
            return self._hear(lambda _: None, seconds) == _ENDED
        if step.do not in ("send", "type", "key"):
            with finder(step) as find:
                return self._hear(find, seconds) == _FOUND
        if step.do == "key" and step.text == "ctrl-d" and not self._program.channels.terminal:
            self._program.end_input()
        else:
            typed = KEYS.get(step.text, step.text.encode()) if step.do == "key" else f"{step.text}\n".encode()
            self._program.send(typed)
        return True

    def search(self, window: bytes, _fresh: int, _size: int | None = None) -> int:
        """Search the last output and the errors, as pexpect's own searchers do; but bounded, and `find` says where."""
        place = self._find(window) or ((0, 0) if self._find_in_errors(self._find) else None)
        self.start, self.end = place or (0, 0)
        return _FOUND if place else -1

    def _hear(self, find: Finder, seconds: float) -> int:
        self._deadline, self._is_over = time.monotonic() + seconds - self._program.time_credit, False
        self._find = find
        # `read_nonblocking` knows when time is over; the types are of pexpect's own searchers.
        heard = self.expect_loop(self, timeout=None)  # type: ignore[arg-type]
        if heard != _ENDED:
            return heard
        self._program.drain()  # what it wrote to standard error may still be on its way
        return _FOUND if self._find_in_errors(find) else _ENDED

    def _find_in_errors(self, find: Finder) -> bool:
        """Search standard error behind the last text found there; a text that is found is not searched again."""
        text = self._unsearched_errors(_WINDOW_BYTES)
        place = find(text) if text else None
        if place:
            self._searched_errors = self._program.errors.tell() - len(text) + place[1]
        return place is not None

    def _unsearched_errors(self, most: int) -> bytes:
        errors = self._program.errors
        return bytes(errors.getbuffer()[max(self._searched_errors, errors.tell() - most) :])

    def unexpected(self) -> bytes:
        """Return the end of the output behind the last text that was found."""
        output = (self.before or b"")[-_BEFORE_BYTES:]
        return output if output.strip() else self._unsearched_errors(_BEFORE_BYTES)

    def insist(self, steps: Sequence[Step]) -> tuple[bool, bool]:
        """Send the remaining input and close it; return whether the other texts come, and whether it had waited."""
        program = self._program
        program.grant(_GRACE_SECONDS)
        if not program.wait_until_idle(_STILL_SECONDS, within=3 * _STILL_SECONDS):
            if steps[0].within is not None:
                program.end("script")
            return False, False
        program.grant(_GRACE_SECONDS)
        heard = program.heard
        for step in steps:
            if step.do in ("send", "key"):
                self.take(step, 0)
        program.end_input()
        first, *rest = [step for step in steps if step.do not in ("send", "key")]
        came = self.take(first, _GRACE_SECONDS)
        asked = self._went_on(heard)
        came = came and all(self.take(step, self.seconds_for(step)) for step in rest)
        if not asked:
            program.end("script")
        return came and first.do != "eof", asked

    def leave(self) -> tuple[int, int] | None:
        """Close the input once the command has ended or waits; return how much it had written if it continued then."""
        program = self._program
        if not program.wait_until_idle(_QUIET_SECONDS):
            return None
        heard, written = program.heard, (program.output.tell(), program.errors.tell())
        program.end_input()
        self._hear(lambda _: (0, 0) if program.heard > heard else None, _GRACE_SECONDS)
        return written if self._went_on(heard) else None

    def _went_on(self, heard: int) -> bool:
        """Whether the command continued by itself since `heard` bytes had come."""
        return self._program.heard > heard or self._program.ended_by_itself
