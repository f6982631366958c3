"""A conversation of an interactor with a program, or with several starts of one, each in a sandbox of its own.

Everything goes through us: so it is bounded and recorded, a full pipe blocks nobody, and no program reaches another one
but by the interactor. The time of a single program counts while the interactor has the turn or waits. Of several, that
of each that works, or leaves unread what it was sent; and that of all while all wait. When all wait for each other, the
input of the programs is closed: what one writes only then, it had written before and not flushed.

Each of several programs has two named pipes in the interactor's folder, `NAME.in` and `NAME.out`, which it cannot see.
"""

import math
import os
import select
import time
from collections.abc import Iterator, Sequence
from io import FileIO
from typing import Literal

from grader.core.model.execution import INTERACTOR_ACCEPTS, Interaction
from grader.core.run.meter import CHUNK_BYTES, asleep, own_delay, waiting_in
from grader.core.run.process import SandboxedProcess
from grader.core.sandbox.folder import make_pipe

_LOOK_EVERY, _MAX_CHARGED = 0.05, 0.2
"""seconds between two looks; and what is charged of that, since of more it is unknown what was done"""
_CLOSING_EVERY = 0.002  # seconds between two looks whether an interactor that closed a pipe goes on
_STUCK_LOOKS = 6
"""looks one after the other at which all wait, after which those that wait at pipes are taken to wait for each other"""
_GRACE_SECONDS = 1.0  # seconds in which a command ends by itself when the other side has ended, or its input
_CLOSED_SECONDS = 0.15
"""how long one that closed its output is waited for to end, so that who ends is seen to end before the other reacts"""
_MAX_AHEAD_BYTES = 2**18  # bytes that are buffered for a side that does not read them yet
_LATE_BYTES = 400


class NamedPipes:
    """The pipes between an interactor, which opens them when it likes, and one of several programs: our ends."""

    def __init__(self, name: str, work: int, user: int | None) -> None:
        """Make the pipes of the program `name` in the interactor's working folder `work`, for its `user`."""
        self._queue = bytearray()
        self._is_opened = self._is_at_end = False

        def opened(ending: str, flags: int, mode: str) -> FileIO:
            return FileIO(os.open(name + ending, flags | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=work), mode)

        for ending in (".in", ".out"):
            make_pipe(name + ending, work, user)
        self._source = opened(".in", os.O_RDONLY, "r")
        # Writing needs a reader to begin with. It goes, so that the kernel shows an end that was never opened.
        with opened(".out", os.O_RDWR, "r"):
            self._sink = opened(".out", os.O_WRONLY, "w")

    @property
    def queued(self) -> int:
        """How many bytes the interactor has not taken yet, beyond what is in the pipe."""
        return len(self._queue)

    def events(self, *, reads: bool) -> Iterator[tuple[int, int]]:
        """Yield the descriptors to wait for, each with what to wait for; `reads` tells whether more may be read."""
        if reads and not self._source.closed:
            yield self._source.fileno(), select.POLLIN
        if self._queue and self._is_opened and not self._sink.closed:
            yield self._sink.fileno(), select.POLLOUT

    @property
    def is_hung_up(self) -> bool:
        """Whether the interactor has closed its end for writing, and everything was read."""
        return self._source.closed

    def read(self) -> bytes:
        """Return what the interactor wrote."""
        # A pipe that has no writer yet reads as if at its end; only one that is at its end has an event.
        if self._source.closed or not _has_event(self._source, select.POLLIN | select.POLLHUP):
            return b""
        chunk = self._source.read(CHUNK_BYTES)
        if chunk == b"":
            self._source.close()
        return chunk or b""

    def pass_on(self, data: bytes = b"") -> None:
        """Queue `data` for the interactor, and write what it takes now."""
        self._queue += data
        # It may have opened its end for reading long ago.
        self._is_opened = self._is_opened or not _has_event(self._sink, select.POLLERR)
        if self._sink.closed or not self._is_opened:
            return
        try:
            while self._queue and (count := self._sink.write(self._queue[:CHUNK_BYTES])):  # None where it is full
                del self._queue[:count]
        except BrokenPipeError:
            self._queue.clear()  # it reads no more
        if self._is_at_end and not self._queue:
            self._sink.close()

    def end_input(self) -> None:
        """Let the interactor read to an end of file, once it has taken everything."""
        self._is_at_end = True
        self.pass_on()

    def close(self) -> None:
        """Close our ends; may be called again."""
        self._source.close()
        self._sink.close()


class Speaker:
    """A program that speaks with an interactor.

    | what happens | does it work then | does the time until then count |
    |---|---|---|
    | it is given something, or the end of its input | yes | if it worked |
    | it writes something | no | if it worked; else the next look decides |
    | a look | if the time counts | see `Conversation` |
    """

    def __init__(self, program: SandboxedProcess, interactor: SandboxedProcess) -> None:
        """Begin with a program that waits, for all that we have seen."""
        self.program, self.pipes, self._interactor = program, program.pipes, interactor
        self._reader = program.pipes or interactor
        self.works = False
        self._since = time.monotonic()
        self.idle = 0.0  # seconds up to then for which all waited, and which count
        self._output_ended = self.hung_up = self.input_ended = math.inf
        """when its output was seen to be at its end, when its input was, and when it was told so"""

    @property
    def is_ahead(self) -> bool:
        """Whether it has written more than is buffered for the interactor."""
        return self._reader.queued > _MAX_AHEAD_BYTES

    def account(self, now: float, *, counts: bool, works: bool) -> float:
        """Charge the time since the last event to the program if it `counts`; return how much that was."""
        charged = min(now - self._since, _MAX_CHARGED) if counts else 0.0
        if not self.program.ended:
            self.program.exclude_time(now - self._since - charged)
        self.works, self._since = works, now
        return charged

    def hear_program(self, now: float) -> None:
        """Pass on what the program wrote, or that it writes no more."""
        if chunk := self.program.step(CHUNK_BYTES, now):
            if self.works:
                self.account(now, counts=True, works=False)
            self._reader.pass_on(chunk)
        if self.program.has_said_all:
            self._output_ended = min(self._output_ended, now)
            if self.program.ended or now - self._output_ended >= _CLOSED_SECONDS:
                self._reader.end_input()

    def hear_interactor(self, chunk: bytes, now: float) -> None:
        """Pass on what the interactor wrote, or that it writes no more; `chunk` came on its standard output."""
        is_over = self._interactor.has_said_all
        if self.pipes:
            self.pipes.pass_on()
            chunk = self.pipes.read() if self.program.queued <= _MAX_AHEAD_BYTES else b""
            is_over = self.pipes.is_hung_up or self._interactor.ended > 0
        if chunk:
            self.account(now, counts=self.works, works=True)
            self.program.pass_on(chunk)
        elif is_over:
            self.hung_up = min(self.hung_up, now)
            # The interactor's own end closes all inputs. It is to be seen before any program can react.
            goes_on = now - self.hung_up >= _CLOSED_SECONDS or (self.pipes and is_waiting(self._interactor))
            if self._interactor.ended or goes_on:
                self.end_input(now)

    def end_input(self, now: float) -> None:
        """End the program's input, unless that was done."""
        if self.input_ended > now:
            self.account(now, counts=self.works, works=True)
            self.input_ended = now
            self.program.end_input()


class Conversation:
    """The programs and their interactor.

    | what happens | then |
    |---|---|
    | a program ends, or closes its output | the interactor reads to the end of that |
    | the interactor closes its output, or the pipe to a program | that program's input is at its end |
    | the interactor ends | all programs' input is at its end, and what they do is ignored |
    | a program passes a limit | all are ended |
    | the interactor passes its limits | it is ended |
    | all wait for 0.3 s, and are blocked in reading or writing a pipe | the programs' input is closed |
    | a program's time is over, it sleeps and has read all its input | its input is closed |
    | a program's time is over, and it works | it is ended |
    """

    def __init__(self, program: SandboxedProcess) -> None:
        """Begin with the programs and the interactor that run beside `program`."""
        self._interactor, *further = program.beside
        self._programs = [program, *further]
        self._speakers = [Speaker(running, self._interactor) for running in self._programs]
        self._names = [role.name for role in program.launch.roles] or [""]
        for running in self._programs:
            running.grant(math.inf)  # their time is kept here
            running.exclude_time(running.elapsed)  # which went by while the others were started
        self._delayed, self._left_out = own_delay(), 0.0
        self._looked = time.monotonic()
        self._quiet_looks = 0

    def hold(self) -> Interaction:
        """Pass on what all write, until all have ended or their time is up; some output may still have to be read."""
        while not self._interactor.ended:
            self._round()
            if any(program.ended and program.limit for program in self._programs):
                for process in (self._interactor, *self._programs):
                    process.end("partner")
            elif waiting := self._find_waiting():
                return self._close_inputs(waiting)
        for program in self._programs:
            program.end("partner", after=_GRACE_SECONDS)
        while not all(program.ended for program in self._programs):
            self._round()
        # The exit of a process that closed its output may be reported late. An interactor that did, and then accepted,
        # had done so before the program ended. Of several programs only a failure counts: each ends when it likes.
        accepts = self._interactor.outcome.status == INTERACTOR_ACCEPTS
        first = [
            (speaker.program.ended, name)
            for speaker, name in zip(self._speakers, self._names, strict=True)
            if speaker.program.ended <= self._interactor.ended
            and (speaker.program.limit or speaker.program.outcome.status != 0 or not speaker.pipes)
            and (speaker.pipes or not accepts or speaker.input_ended > speaker.program.ended)
        ]
        return Interaction(first="program", culprit=min(first)[1]) if first else Interaction(first="interactor")

    def _round(self) -> None:
        """Wait for what comes next, at most until the next look, and pass it on."""
        is_closing = any(speaker.hung_up < speaker.input_ended for speaker in self._speakers)
        ready = {event for event, _ in self._poll().poll((_CLOSING_EVERY if is_closing else _LOOK_EVERY) * 1000)}
        now = self._clock(is_late=bool(ready))  # else they worked or slept all the time
        looks = now - self._looked >= _LOOK_EVERY
        for speaker in self._speakers:
            if looks or speaker.program.events in ready:
                speaker.hear_program(now)
        chunk = self._interactor.step(CHUNK_BYTES, now) if looks or self._interactor.events in ready else b""
        for speaker in self._speakers:
            speaker.hear_interactor(chunk, now)
        if looks and not self._interactor.ended:
            self._look(now)

    def _clock(self, *, is_late: bool = True) -> float:
        """Return the time of a clock that stands still while this thread waits for a processor, and others for it."""
        before, self._delayed = self._delayed, own_delay()
        late = self._delayed - before if is_late else 0.0
        self._left_out += late
        for process in (self._interactor, *self._programs):
            if not process.ended:
                process.exclude_time(late)
        return time.monotonic() - self._left_out

    def _poll(self) -> select.poll:
        """Return what waits for anything that anybody has written or may be given."""
        poll = select.poll()
        poll.register(self._interactor.events, select.POLLIN)
        for speaker in self._speakers:
            if not speaker.is_ahead:  # else it is read at each look only
                poll.register(speaker.program.events, select.POLLIN)
            can_take = speaker.program.queued <= _MAX_AHEAD_BYTES and speaker.input_ended == math.inf
            for file, events in speaker.pipes.events(reads=can_take) if speaker.pipes else ():
                poll.register(file, events)
        return poll

    def _look(self, now: float) -> None:
        """Charge the time since the last look to those that worked, or where all wait to the programs."""
        spent, self._looked = now - self._looked, now
        alive = [speaker for speaker in self._speakers if not speaker.program.ended]
        # A program that is ahead cannot write, except what was just read of it.
        busy = [not speaker.is_ahead and not is_waiting(speaker.program) for speaker in alive]
        is_interactor_busy = not is_waiting(self._interactor)
        # Behind our back somebody may have written something and waits since then.
        all_wait = not (is_interactor_busy or any(busy) or self._poll().poll(0))
        for speaker, is_busy in zip(alive, busy, strict=True):
            counts = all_wait or (is_busy if speaker.pipes else speaker.works or not is_interactor_busy)
            charged = speaker.account(now, counts=counts, works=counts)
            speaker.idle = speaker.idle + charged if all_wait else 0.0
        self._quiet_looks = self._quiet_looks + 1 if all_wait else 0
        self._interactor.exclude_time(spent - min(spent, _MAX_CHARGED) if is_interactor_busy else spent)

    def _find_waiting(self) -> Sequence[Speaker]:
        """Return the programs whose input is to be closed, since nothing more can come; end those that are too slow."""
        alive = [speaker for speaker in self._speakers if not (speaker.program.ended or self._interactor.ended)]
        over = [speaker for speaker in alive if speaker.works and speaker.program.time_left < 0]
        waiting = [one for one in over if not one.program.unread and asleep(*one.program.command.processes())]
        # Twice, since of processes that pass something on one may be looked at before that, and the other after it.
        everybody = [self._interactor, *(speaker.program for speaker in alive)] * 2
        is_stuck = self._quiet_looks >= _STUCK_LOOKS and all(map(_is_blocked, everybody))
        if alive and (is_stuck or (waiting and self._quiet_looks)):
            waiting = alive
        for speaker in () if waiting else over:
            speaker.program.end("time")
        # Behind our back somebody may have written something and waits since then.
        return () if self._poll().poll(0) else waiting

    def _close_inputs(self, waiting: Sequence[Speaker]) -> Interaction:
        """Close the inputs of programs that seem to wait for them, and see what they then do."""
        began, programs = time.monotonic(), [speaker.program for speaker in waiting]
        starts = [speaker.program.output.tell() for speaker in waiting]
        for speaker in waiting:
            speaker.end_input(self._clock())
        while time.monotonic() < began + _GRACE_SECONDS and not all(one.ended and one.has_said_all for one in programs):
            for program in programs:
                program.step(CHUNK_BYTES, time.monotonic() + _LOOK_EVERY / len(programs))
        for program, speaker in zip(programs, waiting, strict=True):
            program.exclude_time((program.ended or time.monotonic()) - began + (speaker.idle if program.ended else 0))
            program.end("time")
        for process in (self._interactor, *self._programs):
            process.end("partner")
        texts = [program.captured()[0][start:] for program, start in zip(programs, starts, strict=True)]
        late = next(filter(None, texts), b"")
        reacted = bool(late) or any(program.ended_by_itself for program in programs)
        place = texts.index(late) if late else next((n for n, program in enumerate(programs) if not program.ended), 0)
        culprit = self._names[self._programs.index(programs[place])]
        first: Literal["program", ""] = "" if reacted else "program"
        return Interaction(first=first, waiting=reacted, late=late[:_LATE_BYTES], culprit=culprit)


def _has_event(file: FileIO, wanted: int) -> bool:
    poll = select.poll()
    poll.register(file, wanted)
    return any(event & wanted for _, event in poll.poll(0))


def _is_blocked(program: SandboxedProcess) -> bool:
    """Whether the kernel reports every thread as blocked in reading or writing a pipe, and nothing sent is unread."""
    at_pipe = (b"pipe_read", b"pipe_write", b"wait_for_partner")
    places = [place for place in waiting_in(*program.command.processes()) if place != b"do_wait"]
    return not program.unread and bool(places) and all(place.endswith(at_pipe) for place in places)


def is_waiting(program: SandboxedProcess) -> bool:
    """Whether a command sleeps, not for a time that it chose, and has read all that it was sent."""
    proc, pids = program.command.processes()
    is_asleep = not program.unread and asleep(proc, pids)
    return is_asleep and not any(b"nanosleep" in place for place in waiting_in(proc, pids))
