"""A dialogue with a running command: wait for this, send that, as a person at a terminal would.

An expected text may come on either stream, and each stream is searched separately. On a terminal, Python and bash write
their prompts to standard error, and the order of writes to two streams is unknown from outside.

When a text does not come, the command may have written it without flushing. The remaining input is then sent, the input
is closed, and the remaining texts are awaited once more.
"""

import os
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from pexpect import EOF, TIMEOUT
from pexpect.expect import searcher_string
from pexpect.spawnbase import SpawnBase

from grader.core.bounded_regex import Finder, finder
from grader.core.model.execution import FailedStep
from grader.core.model.spec import KEYS, Step
from grader.core.run.proc_stats import asleep
from grader.core.run.process import SandboxedProcess

if TYPE_CHECKING:
    Searcher = searcher_string[bytes]
    Spawn = SpawnBase[bytes]
else:
    Searcher, Spawn = searcher_string, SpawnBase
SEARCH_WINDOW = 16 * 2**10
"""bytes in which `expect` looks for something"""
_TALK_BYTES = 4096
"""bytes read at a time in a dialogue; the windows overlap by the rest"""

_ENDED, _SILENT, _FOUND = range(3)
_BEFORE_BYTES = 400
"""bytes of the unexpected output that are stored"""
_GRACE_SECONDS = 1.0
"""seconds in which a command that waited for input does something when there is no more"""
_QUIET_SECONDS = 0.2
"""seconds of sleep and silence after the last step that are taken for waiting"""
_STILL_SECONDS = 0.1
"""the same after a step for which it had all its time"""
_HELD_UP_SECONDS = 0.05
"""seconds that we go on at a time for a command that waits for a processor"""


class DialogueEnd(Struct, frozen=True, kw_only=True):
    """How a dialogue went; the fields are those of `Execution`."""

    stop: FailedStep | None = None
    asked: bool = False
    output_when_script_ended: tuple[int, int] | None = None


def converse(program: SandboxedProcess) -> DialogueEnd:
    """Run the dialogue of the program's launch, up to the end of its input. The command may still run afterwards.

    Raises HostError when a pattern cannot be searched for in reasonable time.
    """
    talk = _Talk(program)
    for number, step in enumerate(program.launch.dialogue, start=1):
        began, most = program.account(), _seconds_for(program, step)
        if talk.take(step, most):
            continue
        now, before, is_over = program.account(), talk.before(), talk.ear.flag_eof
        waited = now.time - began.time - (now.time_credit - began.time_credit)
        ended, cpu_starved = is_over and program.limit != "time", not is_over and program.is_starved(began, most)
        late, asked = (False, False) if is_over else talk.insist(program.launch.dialogue[number - 1 :])
        stop = FailedStep(
            step=step, number=number, ended=ended, waited=waited, before=before, late=late, cpu_starved=cpu_starved
        )
        return DialogueEnd(stop=stop, asked=asked)
    heard = talk.leave()
    return DialogueEnd(asked=heard is not None, output_when_script_ended=heard)


def _seconds_for(program: SandboxedProcess, step: Step) -> float:
    left = program.started + program.launch.limits.time + program.time_credit - time.monotonic()
    return max(0.0, left if step.within is None else min(step.within, left))


def _is_over(program: SandboxedProcess, deadline: float) -> bool:
    """Whether the time until `deadline`, lengthened by the credit for waiting, is over.

    It is not for a command that could run and has had no processor since the last look: the kernel says how long one
    waits when that is over.
    """
    cpu = program.peak.cpu
    now = program.account()
    if time.monotonic() < deadline + now.time_credit:
        return False
    return program.ended > 0 or now.cpu > cpu or asleep(*program.command.processes())


class _Ear(Spawn):
    """The output of a program, as pexpect reads it."""

    def __init__(self, program: SandboxedProcess) -> None:
        super().__init__(timeout=program.launch.limits.time, maxread=_TALK_BYTES, searchwindowsize=SEARCH_WINDOW)
        self.delayafterread, self.child_fd, self._program = None, program.channels.stdout, program

    def read_nonblocking(self, size: int = 1, timeout: float | None = None) -> bytes:
        """Return what comes next on standard output, at most `size` bytes; none when standard error has output."""
        seconds, program = timeout or 0.0, self._program
        deadline, aside = time.monotonic() + seconds, program.errors.tell()
        while not program.has_said_all:
            chunk = program.step(size, deadline)
            if chunk or program.errors.tell() > aside:
                return chunk
            if time.monotonic() >= deadline and not program.ended:
                raise TIMEOUT(f"nothing within {seconds:g} s")
        self.flag_eof = True
        raise EOF("standard output is at its end")


class _Talk:
    """A running dialogue: the program, and how far its standard error was searched."""

    def __init__(self, program: SandboxedProcess) -> None:
        self._program, self.ear = program, _Ear(program)
        self._searched_errors = 0

    def take(self, step: Step, seconds: float) -> bool:
        """Take one step; return whether it succeeded. Sending always succeeds: the command need not read."""
        if step.do == "type":
            self._program.wait_until_idle(_STILL_SECONDS, within=seconds)
        if step.do in ("send", "type", "key"):
            self._say(step)
            return True
        if step.do == "eof":
            return self._hear(lambda _: None, seconds) == _ENDED
        with finder(step) as find:
            return self._hear(find, seconds) == _FOUND

    def _say(self, step: Step) -> None:
        if step.do in ("send", "type"):
            self._program.send(f"{step.text}\n".encode())
        elif step.text == "ctrl-d" and not self._program.channels.terminal:
            self._program.end_input()
        else:
            self._program.send(KEYS.get(step.text, step.text.encode()))

    def _hear(self, find: Finder, seconds: float) -> int:
        listener = _Listener(find, self._find_in_errors)
        deadline = time.monotonic() + seconds - self._program.time_credit
        heard = self.ear.expect_loop(listener, seconds)
        while heard == _SILENT and not _is_over(self._program, deadline):
            left = deadline + self._program.time_credit - time.monotonic()
            heard = self.ear.expect_loop(listener, max(left, _HELD_UP_SECONDS))
        if heard == _SILENT:
            heard = self.ear.expect_loop(listener, 0)  # what came in time, when we had no processor to read it
        if heard == _ENDED:
            self._program.drain()  # what it wrote to standard error may still be on its way
            return _FOUND if self._find_in_errors(find) else _ENDED
        return heard

    def _find_in_errors(self, find: Finder) -> bool:
        """Search standard error behind the last text found there; a text that is found is not searched again."""
        text = self._unsearched_errors(SEARCH_WINDOW)
        found = find(text) if text else None
        if found:
            self._searched_errors = self._program.errors.tell() - len(text) + found[1]
        return found is not None

    def _unsearched_errors(self, most: int) -> bytes:
        errors = self._program.errors
        start = max(self._searched_errors, errors.tell() - most)
        return os.pread(errors.fileno(), most, start)

    def before(self) -> bytes:
        """Return the end of the output that followed the last text found."""
        output = (self.ear.before or b"")[-_BEFORE_BYTES:]
        return output if output.strip() else self._unsearched_errors(_BEFORE_BYTES)

    def insist(self, steps: Sequence[Step]) -> tuple[bool, bool]:
        """Send the remaining input, close it, and wait for the remaining texts.

        Return whether all texts came, and whether the command had waited for input. A busy command had not; it is ended
        unless the step may take all of its time.
        """
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
                self._say(step)
        program.end_input()
        awaited = [step for step in steps if step.do not in ("send", "key")]
        came = self.take(awaited[0], _GRACE_SECONDS)
        asked = self._went_on(heard)
        came = came and all(self.take(step, _seconds_for(program, step)) for step in awaited[1:])
        if not asked:
            program.end("script")
        return came and awaited[0].do != "eof", asked

    def leave(self) -> tuple[int, int] | None:
        """Close the input when the command has ended or waits for more; return how much it had written if it did."""
        program = self._program
        if not program.wait_until_idle(_QUIET_SECONDS):
            return None
        heard, written = program.heard, (program.output.tell(), program.errors.tell())
        program.end_input()
        deadline = time.monotonic() + _GRACE_SECONDS - program.time_credit
        while not program.ended and program.heard == heard and not _is_over(program, deadline):
            program.step(SEARCH_WINDOW, time.monotonic() + _HELD_UP_SECONDS)
        return written if self._went_on(heard) else None

    def _went_on(self, heard: int) -> bool:
        """Whether the command did something of itself since `heard` bytes had come."""
        return self._program.heard > heard or (self._program.ended_by_itself)


class _Listener(Searcher):
    """What is waited for, as pexpect's loop asks for it: it calls `search` whenever something came on either stream."""

    def __init__(self, find: Finder, find_in_errors: Callable[[Finder], bool]) -> None:
        super().__init__([EOF, TIMEOUT])  # in this order, see `_ENDED` and `_SILENT`
        self._find = find
        self._find_in_errors = find_in_errors

    def search(self, buffer: bytes, *_: int | None) -> int:
        """Look for it in the window `buffer`, and on standard error; return which of the three it is, or -1."""
        found = self._find(buffer)
        if found is None and not self._find_in_errors(self._find):
            return -1
        self.start, self.end = found or (0, 0)
        self.match = buffer[self.start : self.end]
        return _FOUND
