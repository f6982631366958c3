"""A conversation between two commands, each in a sandbox of its own: what one writes, the other reads.

Everything goes through us, so that it is bounded and recorded, and so that a full pipe blocks neither of them. The
time of the interactor, the instructor's program, does not count for the student's program. The interactor has the turn
from when it receives something until it answers, or is seen to wait for more.

When both read from empty pipes, nothing more can come. Then, and when a program's time is over while it sleeps, its
input is closed. What it writes only then, it had written before and not flushed.
"""

import math
import select
import time
from collections.abc import Callable, Mapping
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from grader.core.cache import Cache
from grader.core.course_programs import build_program, build_recipe, start_command
from grader.core.model.execution import INCONCLUSIVE, INTERACTOR_ACCEPTS, Execution, Interaction, Launch, Runner
from grader.core.model.limits import Limits
from grader.core.model.spec import Interactor
from grader.core.model.stored_file import ContentsByName, LazyBytes, unread
from grader.core.run.proc_stats import asleep, waiting_in
from grader.core.run.process import SandboxedProcess
from grader.core.run.transcript import Transcript

INTERACTOR_LIMITS = Limits(time=60, cpu=60, memory=2 * 2**30, output=16 * 2**20, processes=256)
"""unless a spec says otherwise; its time counts only while it has the turn"""
FEEDBACK = "feedback"
"""the folder in which an interactor leaves files for us"""
_FOR_ANOTHER = "nextpass.in"
"""the file of an interactor that is the input of the next pass"""
_MAX_FEEDBACK_BYTES = 16 * 2**20
LOOK_EVERY = 0.05
STUCK_SECONDS = 0.3
"""seconds of silence after which two that read from empty pipes are taken to wait for each other"""
GRACE_SECONDS = 1.0
"""seconds in which a command ends by itself when the other side has ended, or its input"""
CLOSED_SECONDS = 0.15
"""how long one that closed its output is waited for to end, so that who ends is seen to end before the other reacts"""
_CHUNK_BYTES = 65536
MAX_AHEAD_BYTES = 2**18
"""bytes that are buffered for a side that does not read them yet"""
LATE_BYTES = 400
_NEVER = math.inf


def launch_interactor(interactor: Interactor) -> Launch:
    """Return what is started to speak with a student's program."""
    name = interactor.program
    limits = {**{key: getattr(INTERACTOR_LIMITS, key) for key in Limits.__struct_fields__}, **interactor.limits}
    return Launch(
        argv=(*start_command(name, interactor.files), *interactor.args),
        files=ContentsByName(
            {
                **interactor.files,
                "input": unread(interactor, "input"),
                "answer": unread(interactor, "answer"),
                f"{FEEDBACK}/judgemessage.txt": b"",  # which makes the folder
            }
        ),
        limits=Limits(**limits),
        collect=(f"{FEEDBACK}/*",),
        collect_limit=_MAX_FEEDBACK_BYTES,
    )


def launch_validator(validator: Interactor, given: LazyBytes, answer: LazyBytes) -> Launch:
    """Return what is started to judge what a program wrote that was `given` an input."""
    words = ("input", "answer", FEEDBACK, *validator.args)
    return launch_interactor(replace(validator, args=words, input=given, answer=answer))


def program_maker(cache: Cache, run: Runner) -> Callable[[Interactor], Interactor]:
    """Return what makes programs of the course ready to be started: built, once for each content of their files.

    Raises HostError when one cannot be built.
    """
    built: dict[tuple[str, int], Mapping[str, bytes]] = {}

    def ready(one: Interactor) -> Interactor:
        recipe = build_recipe(one.program, one.files)
        if recipe is None:
            return one
        key = one.program, hash(tuple(one.files.items()))  # most cases have the same one, with other arguments
        if key not in built:
            built[key] = build_program(
                f"{one.program} of the course",
                (recipe.command,),
                one.files,
                produces=(recipe.produces,),
                limits=INTERACTOR_LIMITS,
                level="",  # a compiler makes the same of it at each
                cache=cache,
                run=run,
                tools=recipe.tools,
            )
        return replace(one, files={**one.files, **built[key]})

    return ready


class InteractionEnd(Struct, frozen=True, kw_only=True):
    """Which of two commands exited first; the fields are those of `Interaction`."""

    first: Literal["program", "interactor", ""]
    waiting: bool = False
    late: bytes = b""
    culprit: int = -1
    """of several programs the one that broke off first, by its place; -1 where none did"""


def speak(program: SandboxedProcess, other: SandboxedProcess) -> InteractionEnd:
    """Pass on what the two write until one has ended, and the other has too or has had its time to.

    Both may still have to be read.
    """
    other.grant(_NEVER)
    program.grant(_NEVER)  # so that we see that its time is over before it is ended
    return _Exchange(program, other).hold()


class _Exchange:
    """Two commands that talk, and which of them has the turn: its time is counted, the other's is not.

    The interactor has the turn first.

    | has the turn | what happens | then |
    |---|---|---|
    | interactor | it writes, or closes its output | the program's |
    | interactor | at a look: it works, or has input that it has not read, or the program has ended | still its own |
    | interactor | at a look: it sleeps and has read all its input | the program's |
    | program | it writes, or closes its output | the interactor's |
    | program | nothing for 0.3 s, and both are blocked in reading an empty pipe | the program's input is closed |
    | program | its time is over, it sleeps and has read all its input | the program's input is closed |
    | program | its time is over, and it works | it is ended |

    The time of the interactor is taken off the program's (`exclude_time`), and has a limit of its own.
    """

    def __init__(self, program: SandboxedProcess, other: SandboxedProcess) -> None:
        self._program, self._other = program, other
        self._poll = select.poll()
        for one in (program, other):
            self._poll.register(one.events, select.POLLIN)
        self._is_others = True
        """whether the interactor has the turn"""
        self._since = self._moved = time.monotonic()
        self._taken = 0.0
        self._next_look = 0.0
        self._closed: set[int] = set()
        """`events` of the commands whose output is at its end, which the other was told"""
        self._closed_since: dict[int, float] = {}
        """`events` of the commands whose output is at its end, and since when"""

    def hold(self) -> InteractionEnd:
        program, other = self._program, self._other
        while not (program.ended or other.ended):
            self._round()
            if self._is_stuck() or self._is_late():
                if self._poll.poll(0):  # behind our back one has written something and waits since then
                    continue
                return self._close_stdin_and_wait()
            if self._is_over():
                program.end("time")
        is_first = program.ended and (not other.ended or program.ended <= other.ended)
        has_said_all = other.events in self._closed
        if not is_first:
            program.end("partner", after=GRACE_SECONDS)
        elif program.limit:
            other.end("time")
        while not (program.ended and other.ended):
            self._round()
        # The exit of a process that closed its output may be reported late. An interactor that did, and then accepted,
        # had done so before the program ended.
        if not is_first or (has_said_all and other.outcome.status == INTERACTOR_ACCEPTS):
            return InteractionEnd(first="interactor")
        return InteractionEnd(first="program")

    def _round(self) -> None:
        """Wait for what comes next, at most until the next look, and pass it on."""
        # A program that writes more than the interactor takes is read at each look only.
        is_ahead = self._other.queued > MAX_AHEAD_BYTES
        self._poll.modify(self._program.events, 0 if is_ahead else select.POLLIN)
        ready = {descriptor for descriptor, _ in self._poll.poll(LOOK_EVERY * 1000)}
        now = time.monotonic()
        looks = now >= self._next_look
        for one, peer in ((self._program, self._other), (self._other, self._program)):
            if not (looks or one.events in ready):
                continue
            if chunk := one.step(_CHUNK_BYTES, now):
                self._pass_on(peer, chunk, now)
            if one.has_said_all and one.events not in self._closed and self._has_ended_or_lives_on(one, now):
                self._closed.add(one.events)
                self._moved = now
                self._give_turn(peer, now)
                peer.end_input()
        if looks:
            self._next_look = now + LOOK_EVERY
            self._look(now)

    def _has_ended_or_lives_on(self, one: SandboxedProcess, now: float) -> bool:
        """Whether a command whose output is at its end has ended, or was seen to go on without it."""
        since = self._closed_since.setdefault(one.events, now)
        return bool(one.ended) or now - since >= CLOSED_SECONDS

    def _pass_on(self, peer: SandboxedProcess, chunk: bytes, now: float) -> None:
        self._moved = now
        self._give_turn(peer, now)
        peer.pass_on(chunk)

    def _give_turn(self, to: SandboxedProcess, now: float) -> None:
        is_others = to is self._other
        if self._is_others and not is_others:
            self._charge(now)
        if self._is_others != is_others:
            self._is_others, self._since = is_others, now

    def _charge(self, now: float) -> None:
        """Charge the time since the last charge to the interactor, and not to the program."""
        spent, self._since = now - self._since, now
        self._taken += spent
        if not self._program.ended:
            self._program.exclude_time(spent)
        if self._taken > self._other.launch.limits.time:
            self._other.end("time")

    def _look(self, now: float) -> None:
        """Take the turn from an interactor that waits for more; charge it while it works."""
        if not self._is_others or self._other.ended:
            return
        if self._program.ended or self._other.unread or not is_waiting(self._other):
            self._charge(now)
        else:
            self._is_others = False

    def _is_stuck(self) -> bool:
        """Whether each waits for the other for certain."""
        if time.monotonic() - self._moved < STUCK_SECONDS or self._is_others:
            return False
        both = (self._program, self._other)
        # Twice, since of processes that pass something on to one another one may be looked at before, one after that.
        return not any(one.ended or one.unread for one in both) and all(_reads(one) for one in both * 2)

    def _is_late(self) -> bool:
        """Whether the program's time is over while it seems to wait."""
        program = self._program
        is_open = self._is_over() and not program.ended and not program.unread
        return is_open and asleep(*program.command.processes())

    def _is_over(self) -> bool:
        """Whether the program's time is over, and it has not answered by then: we may have been kept from reading."""
        program = self._program
        return not self._is_others and program.time_left <= 0

    def _close_stdin_and_wait(self) -> InteractionEnd:
        """Close the input of a program that seems to wait for it, and see what it then does."""
        program, other = self._program, self._other
        heard, began = program.output.tell(), time.monotonic()
        until = began + GRACE_SECONDS
        was_over = program.has_said_all
        program.end_input()
        while not (program.ended and program.has_said_all) and time.monotonic() < until:
            program.step(_CHUNK_BYTES, time.monotonic() + LOOK_EVERY)
        late = program.captured()[0][heard:][:LATE_BYTES] if not was_over else b""
        has_reacted = bool(late) or (program.ended_by_itself)
        program.exclude_time(time.monotonic() - began)
        program.end("time")
        other.end("time")
        return InteractionEnd(first="", waiting=has_reacted, late=late)


def _reads(program: SandboxedProcess) -> bool:
    """Whether the kernel reports every thread of a command as blocked in reading a pipe."""
    places = waiting_in(*program.command.processes())
    return any(map(_is_read, places)) and all(_is_read(place) or place == b"do_wait" for place in places)


def _is_read(place: bytes) -> bool:
    return place.endswith(b"pipe_read")


def is_waiting(program: SandboxedProcess) -> bool:
    """Whether a command sleeps, and not for a time that it chose."""
    proc, pids = program.command.processes()
    return asleep(proc, pids) and not any(b"nanosleep" in place for place in waiting_in(proc, pids))


# ---------------------------------------------------------------- what it came to


def with_interaction(execution: Execution, other: Execution, parting: InteractionEnd) -> Execution:
    """Return the execution of a program with what the other side came to.

    What a program does when the other side has ended counts for nothing, and so does how long that takes.
    """
    interaction = replace(opinion_of(other), first=parting.first, waiting=parting.waiting, late=parting.late)
    found = replace(execution, interaction=interaction)
    if parting.first == "interactor" and (found.limit or found.signal or found.is_inconclusive):
        return replace(found, limit=None, signal=None, status=0, doubts=found.doubts - INCONCLUSIVE)
    if parting.waiting:
        return replace(found, limit=found.limit if found.signal else None, doubts=found.doubts - INCONCLUSIVE)
    return found


def with_opinion(execution: Execution, launch: Launch, other: Execution) -> Execution:
    """Return the execution of a program with what came of the one that read what it had written."""
    transcript = Transcript()
    if launch.stdin:
        transcript.sent(0.0, launch.stdin)
    transcript.sent(0.0, b"")
    transcript.heard(execution.time, "stdout", 0)
    interaction = replace(opinion_of(other), first="program", is_output_validator=True)
    return replace(execution, transcript=transcript.turns(execution.stdout, b""), interaction=interaction)


def opinion_of(other: Execution) -> Interaction:
    """Return how a program of the course ended, and what it left for us."""
    feedback = {name.removeprefix(f"{FEEDBACK}/"): content for name, content in other.files.items()}
    return Interaction(status=other.status, limit=other.limit, stderr=other.stderr, feedback=feedback)


def next_pass(launch: Launch, execution: Execution) -> Launch | None:
    """Return the launch of the next pass, with the interactor's files for it; None when there is no further pass."""
    found, interactor = execution.interaction, launch.interactor
    if not found or not interactor or launch.passes < 2 or _FOR_ANOTHER not in found.feedback:  # noqa: PLR2004
        return None
    # A later pass does not make up for a program that crashed or was stopped.
    if found.status != INTERACTOR_ACCEPTS or (found.first == "program" and (execution.limit or execution.signal)):
        return None
    feedback = {f"{FEEDBACK}/{name}": content for name, content in found.feedback.items() if name != _FOR_ANOTHER}
    given = found.feedback[_FOR_ANOTHER]
    again = replace(interactor, files={**interactor.files, **feedback, "input": given})
    return replace(
        launch, passes=launch.passes - 1, interactor=again, stdin=given if launch.is_output_validator else b""
    )


def join_passes(before: Execution, last: Execution) -> Execution:
    """Return the last pass with the transcripts of the earlier passes, and the most that any pass used.

    A status other than 0 with which the program ended a pass by itself is its status.
    """
    done = before.interaction.passes if before.interaction else 0
    if before.interaction and before.interaction.first == "program" and before.status and last.status == 0:
        last = replace(last, status=before.status, stderr=before.stderr)
    return replace(
        last,
        time=max(before.time, last.time),
        cpu=max(before.cpu, last.cpu),
        memory=max(before.memory, last.memory),
        transcript=(*before.transcript, *last.transcript),
        interaction=replace(last.interaction, passes=done + 1) if last.interaction else None,
    )
