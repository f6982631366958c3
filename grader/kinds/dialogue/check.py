"""Probable mistakes in dialogues, and mutants in them: their output is wrong, too short, late, or too long."""

import math
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import dropwhile, product
from typing import TYPE_CHECKING

from msgspec.structs import replace

from grader.core.bounded_regex import finder
from grader.core.lazy import lazy_regex
from grader.core.model.execution import Execution, FailedStep
from grader.core.model.spec import Case, Step
from grader.kinds import Flaw, flaw, lint_rule
from grader.kinds.dialogue.run import dialogue_of

if TYPE_CHECKING:
    from grader.check.expected_results import ReferenceResult, Scene
    from grader.check.mutants import Mutant, Scope
    from grader.check.subject import Subject


@lint_rule("never-passes", each="cases")
def _steps_after_the_end(subject: "Subject", case: Case) -> Iterator[Flaw]:
    """Find steps that wait for something after the end of the output."""
    steps = dropwhile(lambda placed: placed[1].do != "eof", _written_steps(case))
    if (place := next((place for place, step in steps if step.do in ("expect", "regex")), None)) is not None:
        yield flaw(f"{subject.path(case, 'dialogue')}[{place}]", "after-the-end")


@lint_rule("ignored-expectation", each="cases")
def _steps_beyond_limit(subject: "Subject", case: Case) -> Iterator[Flaw]:
    """Find steps that may wait for longer than their case may take."""
    most = case.limits.get("time", math.inf)
    for place, step in _written_steps(case):
        if step.within and step.within > most:
            yield flaw(f"{subject.path(case, 'dialogue')}[{place}].within", "patient-step", most=most)


def _written_steps(case: Case) -> Iterator[tuple[int, Step]]:
    """Iterate over the steps of a dialogue, each with its place in the spec: a rejection is two in one."""
    place = -1
    for step in dialogue_of(case):
        place += not step.again
        yield place, step


@lint_rule("half-a-screen", each="answers")
def _stderr_prompts_ignored(subject: "Subject", answered: "ReferenceResult") -> Iterator[Flaw]:
    case, execution = answered.case, answered.execution
    is_half = dialogue_of(case) and case.expect.stdout and case.expect.stdout.is_checked and not case.expect.screen
    if execution and is_half and case.expect.stderr is None and (errors := execution.stderr.strip()):
        yield flaw(subject.path(case, "expect.stdout", "expect"), line=errors.rpartition(b"\n")[2])


_Answers = tuple[bytes, ...]
"""a program's first output, and then its answer to each input"""
_SENDING = ("send", "key")


def mutants(scope: "Scope") -> "Iterator[Mutant]":
    """Yield the mutants in dialogues: one answer of the right program is changed, and its steps repeated."""
    longest = max((len(_split_answers(scene)) for scene in scope.scenes), default=0)
    for names, turns in ((("missing", "wrong"), range(longest)), (("swapped", "ends"), range(1, longest - 1))):
        for turn, name in product(turns, names):
            about, change = _CHANGES[name]
            what = f"the answer to input {turn}" if turn else "what is said first"
            fault = partial(_answer_otherwise, change, turn)
            yield scope.mutant(f"dialogue/{name}-{turn}", about.format(what=what, turn=turn, next=turn + 1), fault)
    late, endless = partial(_stop_before, ("expect", "regex"), 0), partial(_stop_before, ("eof",), -1)
    yield scope.mutant("dialogue/unflushed", "all comes when the input is closed", late, named=["unflushed"])
    yield scope.mutant("dialogue/endless", "does not end", endless)


_LAST_NUMBER = lazy_regex(rb"(?<!\d)\d{1,18}(?=\D*\Z)")


_CHANGES: Mapping[str, tuple[str, Callable[[_Answers, int], _Answers]]] = {
    "missing": ("{what} is missing", lambda turns, turn: (*turns[:turn], b"", *turns[turn + 1 :])),
    "wrong": (
        "a number of {what} is wrong",
        lambda turns, turn: (
            *turns[:turn],
            _LAST_NUMBER.sub(lambda match: b"%d" % (int(match[0]) + 1), turns[turn]),
            *turns[turn + 1 :],
        ),
    ),
    "swapped": (
        "the answers to inputs {turn} and {next} swapped",
        lambda turns, turn: (*turns[:turn], *turns[turn : turn + 2][::-1], *turns[turn + 2 :]),
    ),
    "ends": ("ends after input {turn}", lambda turns, turn: turns[: turn + 1] if any(turns[turn + 1 :]) else turns),
}


def _answer_otherwise(change: Callable[[_Answers, int], _Answers], turn: int, scene: "Scene") -> Execution | None:
    """Return the run of a program with one answer changed."""
    answers = _split_answers(scene)
    changed = change(answers, turn) if turn < len(answers) else answers
    return None if changed == answers else _run_dialogue(scene, changed)


def _stop_before(kinds: tuple[str, ...], which: int, scene: "Scene") -> Execution | None:
    """Return a run that stops at a step of one of these kinds; if `late`, the rest comes when the input is closed."""
    steps = [(step, at) for at, step in enumerate(dialogue_of(scene.case), start=1) if step.do in kinds]
    return replace(scene.right, stop=_stop_at(*steps[which], late="eof" not in kinds)) if steps else None


def _split_answers(scene: "Scene") -> _Answers:
    """Return the right program's output, split by input; nothing when it cannot be split."""
    answers = [b""]
    for turn in scene.right.transcript:
        if turn.stream != "stdin":
            answers[-1] += turn.text
        elif turn.text:  # without text it is the end of the input
            answers.append(b"")
    sent = sum(step.do in _SENDING for step in dialogue_of(scene.case))
    is_clear = scene.right.stop is None and len(answers) == sent + 1 and not scene.right.stderr
    return tuple(answers) if is_clear and b"".join(answers) == scene.right.stdout else ()


def _run_dialogue(scene: "Scene", answers: _Answers) -> Execution:
    """Return the run of a case's dialogue with a program that gives these answers, and ends after the last one."""
    heard, used, sent, stop = answers[0], 0, 0, None
    for number, step in enumerate(dialogue_of(scene.case), start=1):
        has_ended = sent >= len(answers) - 1
        if step.do in _SENDING:
            sent += 1
            heard += b"".join(answers[sent : sent + 1])
            continue
        place = (0, len(heard) - used) if has_ended else None
        if step.do != "eof":
            with finder(step) as find:
                place = find(heard[used:])
        if place is None:
            stop = _stop_at(step, number, before=heard[used:], ended=has_ended and step.do != "eof")
            break
        used += place[1]
    return replace(scene.right, stdout=heard, stop=stop, transcript=())


def _stop_at(step: Step, number: int, *, before: bytes = b"", ended: bool = False, late: bool = False) -> FailedStep:
    return FailedStep(step=step, number=number, ended=ended, waited=step.within or 1.0, before=before[-400:], late=late)
