"""A conversation of an interactor with several starts of one program, each in a sandbox of its own.

Everything goes through us: what a program writes comes out of a pipe of its own on the interactor's side, and the other
way round. So no program can reach another one but by the interactor, and everything is bounded and recorded.

The time of a program counts while it works, and while it leaves unread what it was sent. It does not count while it
waits, for the interactor or for another program. When all wait for each other, nothing more can come. Then the input
of the programs is closed. What one writes only then, it had written before and not flushed.
"""

import math
import select
import time
from collections.abc import Sequence

from msgspec.structs import replace

from grader.core.model.execution import INCONCLUSIVE, Execution, Interaction, RoleEnd
from grader.core.run.companions import Companions, NamedPipes
from grader.core.run.interaction import (
    CLOSED_SECONDS,
    GRACE_SECONDS,
    LATE_BYTES,
    LOOK_EVERY,
    MAX_AHEAD_BYTES,
    STUCK_SECONDS,
    InteractionEnd,
    is_waiting,
    opinion_of,
)
from grader.core.run.proc_stats import waiting_in
from grader.core.run.process import SandboxedProcess
from grader.core.run.transcript import merge_turns

_CHUNK_BYTES = 65536
_CLOSING_EVERY = 0.002
"""seconds between two looks whether an interactor that closed a pipe goes on"""
_MIN_QUIET_LOOKS = 3
_NEVER = math.inf


class _Party:
    """One of the programs, with its pipes to the interactor and what was last seen of it."""

    def __init__(self, program: SandboxedProcess, pipes: NamedPipes) -> None:
        self.program, self.pipes = program, pipes
        self.works = True
        """whether its time counts: from when it is given something until it writes, and whenever it is seen to work"""
        self.since = time.monotonic()
        """since when it works, or does not"""
        self.closed_since = 0.0
        """when its output was seen to be at its end, or 0"""
        self.is_closed = False
        """whether the interactor was told so"""
        self.hung_up_since = 0.0
        """when the interactor was seen to have closed the program's input, which does not know yet; or 0"""

    def look(self, now: float) -> bool:
        """See whether it works, as far as that shows: whether it sleeps and has read all its input."""
        self.works = self.program.unread > 0 or not is_waiting(self.program)
        self._account(now)
        return self.works

    def heard(self, now: float) -> None:
        """Take note that it wrote something."""
        self.works = True
        self._account(now)
        self.works = False

    def given(self, now: float) -> None:
        """Take note that it is about to be given something."""
        self._account(now)
        self.works = True

    def _account(self, now: float) -> None:
        spent, self.since = now - self.since, now
        if not self.works and not self.program.ended:
            self.program.exclude_time(spent)


def speak_with_several(program: SandboxedProcess, companions: Companions) -> InteractionEnd:
    """Pass on what all write until the interactor has ended, and the programs too or have had their time to.

    All may still have to be read.
    """
    companions.interactor.grant(_NEVER)
    return _Conversation([program, *companions.programs], companions).hold()


class _Conversation:
    """Several programs and an interactor that talk.

    | what happens | then |
    |---|---|
    | a program ends, or closes its output | the interactor reads to the end of that |
    | the interactor closes a pipe to a program | that program's input is at its end |
    | the interactor ends | all programs' input is at its end, and what they do is ignored |
    | a program passes a limit | all are ended |
    | the interactor passes its limits, which count while it works | all are ended |
    | nothing for 0.3 s, and all are blocked in reading or writing a pipe | the programs' input is closed |
    | nothing for the time of a program, and all seem to wait | the programs' input is closed |
    """

    def __init__(self, programs: Sequence[SandboxedProcess], companions: Companions) -> None:
        self._other = companions.interactor
        self._parties = [_Party(program, pipes) for program, pipes in zip(programs, companions.pipes, strict=True)]
        now = time.monotonic()
        self._quiet_since = self._looked = now
        self._quiet_looks = 0
        """looks since then at which nothing happened: we may be kept from looking"""
        self._taken = 0.0
        """seconds for which the interactor worked"""
        self._patience = max(one.launch.limits.time for one in programs)

    def hold(self) -> InteractionEnd:
        """Pass everything on to the end, and return how that came."""
        while not self._other.ended:
            self._round()
            if any(party.program.ended and party.program.limit for party in self._parties):
                self._end_all()
            elif self._is_stuck():
                return self._close_inputs_and_wait()
        first = self._first_broken()
        now = time.monotonic()
        for party in self._parties:
            self._hear_interactor(party, now)  # its last words
            program = party.program
            program.end_input()
            program.end("partner", after=GRACE_SECONDS)
        while not all(party.program.ended for party in self._parties):
            self._round()
        return InteractionEnd(first="interactor" if first < 0 else "program", culprit=first)

    def _first_broken(self) -> int:
        """Return which program was the first that failed before the interactor ended; -1 for none."""
        broken = [
            (party.program.ended, place)
            for place, party in enumerate(self._parties)
            if party.program.ended
            and party.program.ended <= self._other.ended
            and (party.program.limit or party.program.outcome.status != 0)
        ]
        return min(broken)[1] if broken else -1

    def _end_all(self) -> None:
        self._other.end("time")
        for party in self._parties:
            party.program.end("time")

    # -- passing on

    def _round(self) -> None:
        """Wait for what comes next, at most until the next look, and pass it on."""
        poll = self._poll()
        is_closing = any(party.hung_up_since for party in self._parties)
        ready = {descriptor for descriptor, _ in poll.poll((_CLOSING_EVERY if is_closing else LOOK_EVERY) * 1000)}
        now = time.monotonic()
        looks = now - self._looked >= LOOK_EVERY
        for party in self._parties:
            if looks or party.program.events in ready:
                self._hear_program(party, now)
            self._hear_interactor(party, now)
            if party.pipes.write():
                self._stir(now)
        if looks or self._other.events in ready:
            self._other.step(_CHUNK_BYTES, now)
        if is_closing:
            self._pass_on_ends(now)
        if looks:
            self._look(now)

    def _poll(self) -> select.poll:
        """Return what waits for anything that anybody has written or may be given."""
        poll = select.poll()
        poll.register(self._other.events, select.POLLIN)
        for party in self._parties:
            if party.pipes.queued <= MAX_AHEAD_BYTES:
                poll.register(party.program.events, select.POLLIN)
            for descriptor, events in party.pipes.events(reads=party.program.queued <= MAX_AHEAD_BYTES):
                poll.register(descriptor, events)
        return poll

    def _hear_program(self, party: _Party, now: float) -> None:
        program = party.program
        if chunk := program.step(_CHUNK_BYTES, now):
            self._stir(now)
            party.heard(now)
            if not self._other.ended:
                party.pipes.write(chunk)
        if program.has_said_all and not party.is_closed:
            party.closed_since = party.closed_since or now
            # Who ends is seen to have ended before the other side can react.
            if program.ended or now - party.closed_since >= CLOSED_SECONDS:
                party.is_closed = True
                self._stir(now)
                party.pipes.end()

    def _hear_interactor(self, party: _Party, now: float) -> None:
        if party.program.queued > MAX_AHEAD_BYTES:
            return
        chunk = party.pipes.read()
        if chunk == b"":
            return
        self._stir(now)
        party.given(now)
        party.works = chunk is not None
        if chunk is None:
            party.hung_up_since = now
        else:
            party.program.pass_on(chunk)

    def _pass_on_ends(self, now: float) -> None:
        """End the inputs that the interactor closed, once it has ended, or was seen to go on.

        Its own end closes them all. Then it is to be seen first that it ended, before any program can react.
        """
        for party in self._parties:
            since = party.hung_up_since
            if since and (self._other.ended or now - since >= CLOSED_SECONDS or is_waiting(self._other)):
                party.hung_up_since = 0.0
                party.given(now)
                party.program.end_input()

    # -- accounts

    def _stir(self, now: float) -> None:
        """Take note that something happened."""
        self._quiet_since, self._quiet_looks = now, 0

    def _look(self, now: float) -> None:
        """Charge the time since the last look to those that worked, and see whether everybody waits."""
        spent, self._looked = now - self._looked, now
        work = [party.look(now) for party in self._parties if not party.program.ended]
        if self._other.ended:
            return
        if not is_waiting(self._other):
            self._taken += spent
            self._stir(now)
        if any(work):
            self._stir(now)
        self._quiet_looks += 1
        if self._taken > self._other.launch.limits.time:
            self._other.end("time")

    def _is_stuck(self) -> bool:
        """Whether nothing more can come: all wait, for certain or for as long as a program may take."""
        alive, quiet = self._alive(), time.monotonic() - self._quiet_since
        if self._other.ended or not alive or quiet < STUCK_SECONDS or self._quiet_looks < _MIN_QUIET_LOOKS:
            return False
        if quiet < self._patience and not all(map(_is_blocked, [*alive, self._other])):
            return False
        # Behind our back somebody may have written something and waits since then.
        return not any(program.unread for program in alive) and not self._poll().poll(0)

    def _alive(self) -> list[SandboxedProcess]:
        return [party.program for party in self._parties if not party.program.ended]

    def _close_inputs_and_wait(self) -> InteractionEnd:
        """Close the inputs of all programs, which seem to wait for them, and see what they then do."""
        began = time.monotonic()
        until = began + GRACE_SECONDS
        waiting = [(place, party) for place, party in enumerate(self._parties) if not party.program.ended]
        heard = {place: party.program.output.tell() for place, party in waiting}
        is_ahead = {place: party.pipes.queued > 0 for place, party in waiting}
        for _, party in waiting:
            party.program.grant(GRACE_SECONDS)
            party.program.end_input()
        while time.monotonic() < until and not all(
            party.program.ended and party.program.has_said_all for _, party in waiting
        ):
            for _, party in waiting:
                party.program.step(_CHUNK_BYTES, time.monotonic() + LOOK_EVERY / len(waiting))
        self._end_all()
        late, culprit = b"", -1
        for place, party in waiting:
            text = party.program.captured()[0][heard[place] :][:LATE_BYTES]
            if text and not is_ahead[place] and not late:
                late, culprit = text, place
        reacted = bool(late) or any(party.program.ended_by_itself for _, party in waiting)
        if culprit < 0:
            culprit = next((place for place, party in waiting if not party.program.ended), waiting[0][0])
        for _, party in waiting:
            party.program.exclude_time((party.program.ended or time.monotonic()) - began)
        return InteractionEnd(first="", waiting=reacted, late=late, culprit=culprit)


def _is_blocked(program: SandboxedProcess) -> bool:
    """Whether the kernel reports every thread of a command as blocked in reading or writing a pipe."""
    places = waiting_in(*program.command.processes())
    return any(map(_is_at_pipe, places)) and all(_is_at_pipe(place) or place == b"do_wait" for place in places)


def _is_at_pipe(place: bytes) -> bool:
    return place.endswith((b"pipe_read", b"pipe_write", b"wait_for_partner"))


# ---------------------------------------------------------------- what it came to


def join_programs(
    programs: Sequence[SandboxedProcess],
    found: Sequence[Execution],
    other: Execution,
    end: InteractionEnd,
    names: Sequence[str],
) -> Execution:
    """Return one execution for several starts: of the one that broke off first, with the most that any used.

    What the others did after that counts for nothing, and neither does what any did after the interactor had ended.
    """
    chosen = found[max(end.culprit, 0)]
    joined = replace(
        chosen,
        stdout=b"".join(one.stdout for one in found),
        stderr=chosen.stderr if end.culprit >= 0 else b"".join(one.stderr for one in found),
        time=max(one.time for one in found),
        cpu=max(one.cpu for one in found),
        memory=max(one.memory for one in found),
        doubts=chosen.doubts | frozenset(doubt for one in found for doubt in one.doubts if doubt == "crowded"),
        names=tuple(sorted({name for one in found for name in one.names})),
        files={name: content for one in found for name, content in one.files.items()},
        uncollected={name: size for one in found for name, size in one.uncollected.items()},
        transcript=merge_turns(
            (name, program.transcript, one.stdout, one.stderr)
            for name, program, one in zip(names, programs, found, strict=True)
        ),
        interaction=_interaction_of(found, other, end, names),
    )
    if end.first == "interactor":
        return replace(joined, limit=None, signal=None, status=0, doubts=joined.doubts - INCONCLUSIVE)
    if end.waiting:
        return replace(joined, limit=None, doubts=joined.doubts - INCONCLUSIVE)
    return joined


def _interaction_of(
    found: Sequence[Execution], other: Execution, end: InteractionEnd, names: Sequence[str]
) -> Interaction:
    ends = tuple(
        RoleEnd(name=name, status=one.status, limit=one.limit, time=one.time, cpu=one.cpu, memory=one.memory)
        for name, one in zip(names, found, strict=True)
    )
    culprit = names[end.culprit] if end.culprit >= 0 else ""
    return replace(opinion_of(other), first=end.first, waiting=end.waiting, late=end.late, roles=ends, culprit=culprit)
