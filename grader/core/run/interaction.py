"""A program and what runs together with it, an interactor and further starts: what is started, and what it came to."""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from grader.core.course_programs import FEEDBACK
from grader.core.model.execution import INCONCLUSIVE, INTERACTOR_ACCEPTS, Execution, Interaction, Launch, RoleEnd
from grader.core.model.spec import Role
from grader.core.run.process import Transcript

_FOR_ANOTHER = "nextpass.in"  # the file of an interactor that is the input of the next pass


def launches_of(launch: Launch) -> list[Launch]:
    """Return the starts of a command: it alone, or it and its interactor, and then its further programs."""
    if not launch.interactor or launch.is_output_validator:
        return [launch]
    around = replace(launch, closes_at_once=True, is_private=launch.is_private or bool(launch.roles))
    plain = launch.argv_untuned
    first, *further = [
        replace(around, argv=launch.argv + one.args, argv_untuned=plain and plain + one.args)
        for one in launch.roles or (Role(name=""),)
    ]
    return [first, replace(launch.interactor, closes_at_once=True, is_private=around.is_private), *further]


def with_interaction(found: Sequence[Execution], other: Execution, end: Interaction, names: Sequence[str]) -> Execution:
    """Return one execution for one program, or for several starts that have `names`, with what the interactor says.

    Of several it is that of the one that broke off first, with the most that any used. What any did later is ignored.
    """
    one = found[names.index(end.culprit) if end.culprit else 0]
    ends = tuple(
        RoleEnd(name=name, status=each.status, limit=each.limit, time=each.time, cpu=each.cpu, memory=each.memory)
        for name, each in zip(names, found, strict=False)
    )
    if names:
        turns = sorted((turn for each in found for turn in each.transcript), key=lambda turn: turn.time)
        one = replace(
            one,
            stdout=b"".join(each.stdout for each in found),
            stderr=one.stderr if end.culprit else b"".join(each.stderr for each in found),
            **_most(found),
            doubts=one.doubts.union(*(each.doubts & {"crowded"} for each in found)),
            names=tuple(sorted({name for each in found for name in each.names})),
            files={name: content for each in found for name, content in each.files.items()},
            uncollected={name: size for each in found for name, size in each.uncollected.items()},
            transcript=tuple(replace(turn, time=turn.time - turns[0].time) for turn in turns),
        )
    one = replace(one, interaction=replace(opinion_of(other, end), roles=ends))
    if end.first == "interactor" and (names or one.limit or one.signal or one.is_inconclusive):
        return replace(one, limit=None, signal=None, status=0, doubts=one.doubts - INCONCLUSIVE)
    if end.waiting:
        return replace(one, limit=one.limit if one.signal else None, doubts=one.doubts - INCONCLUSIVE)
    return one


def _most(found: Sequence[Execution]) -> dict[str, Any]:
    return {name: max(getattr(one, name) for one in found) for name in ("time", "cpu", "memory")}


def with_opinion(execution: Execution, launch: Launch, other: Execution) -> Execution:
    """Return the execution of a program with what came of the one that read what it had written."""
    transcript = Transcript()
    if launch.stdin:
        transcript.sent(0.0, launch.stdin)
    transcript.sent(0.0, b"")
    transcript.heard(execution.time, "stdout", 0)
    interaction = opinion_of(other, Interaction(first="program", is_output_validator=True))
    return replace(execution, transcript=transcript.turns(execution.stdout, b""), interaction=interaction)


def opinion_of(other: Execution, end: Interaction = Interaction()) -> Interaction:  # noqa: B008 - frozen
    """Return how a program of the course ended, and what it left for us; `end` is how the conversation did."""
    feedback = {name.removeprefix(f"{FEEDBACK}/"): content for name, content in other.files.items()}
    return replace(end, status=other.status, limit=other.limit, stderr=other.stderr, feedback=feedback)


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
    stdin = given if launch.is_output_validator else b""
    return replace(launch, passes=launch.passes - 1, interactor=again, stdin=stdin)


def join_passes(before: Execution, last: Execution) -> Execution:
    """Return the last pass with the earlier transcripts, the most that any used, and the first status other than 0."""
    done = before.interaction.passes if before.interaction else 0
    if before.interaction and before.interaction.first == "program" and before.status and last.status == 0:
        last = replace(last, status=before.status, stderr=before.stderr)
    return replace(
        last,
        **_most([before, last]),
        transcript=(*before.transcript, *last.transcript),
        interaction=replace(last.interaction, passes=done + 1) if last.interaction else None,
    )
