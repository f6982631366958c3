"""Probable mistakes in dialogues, and mutants in them: their output is wrong, too short, late, or too long."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import product

from msgspec.structs import replace

from grader.core.bounded_regex import finder
from grader.core.model.execution import Execution, FailedStep
from grader.core.model.spec import Case, Step
from grader.core.text import one_line
from grader.kinds.dialogue.model import dialogue_of
from grader.lint.subject import Flaw, Subject, lint_rule
from grader.verify.expected_results import Scene
from grader.verify.mutants import Mutant, Scope
from grader.verify.text_edits import change_last_number

unfit_mutants = frozenset({"texts", "denied", "streams", "answers"})  # the parts of a dialogue depend on each other
_MAX_QUOTED_BYTES = 40
"""most bytes of the reference's output that a message quotes"""


def contradictions(subject: Subject, case: Case) -> Iterator[Flaw]:
    """Find a step of a dialogue that waits for something after the end of the output."""
    ended = False
    for place, step in _written_steps(case):
        if ended and step.do in ("expect", "regex"):
            yield f"{subject.path(case, 'dialogue')}[{place}]", "nothing can come after the end of the output: move eof"
            break
        ended = ended or step.do == "eof"


@lint_rule(None, "ignored-expectation")
def steps_beyond_limit(subject: Subject) -> Iterator[Flaw]:
    """Find steps that may wait for longer than their case may take."""
    for case in (case for test in subject.spec.tests for case in test.cases):
        most = case.limits.get("time")
        for place, step in _written_steps(case):
            if most is not None and step.within is not None and step.within > most:
                path = f"{subject.path(case, 'dialogue')}[{place}].within"
                yield path, f"the case ends after {most:g} s, before this time is over: raise limits.time, or wait less"


def _written_steps(case: Case) -> Iterator[tuple[int, Step]]:
    """Iterate over the steps of a dialogue, each with its place in the spec: a rejection is two in one."""
    place = -1
    for step in dialogue_of(case):
        place += not step.again
        yield place, step


@lint_rule("warning", "half-a-screen", asks="reference")
def stderr_prompts_ignored(subject: Subject) -> Iterator[Flaw]:
    """On a terminal some languages ask on standard error, others on standard output; a person sees one screen."""
    for answered in subject.answers:
        case, execution = answered.case, answered.execution
        is_half = dialogue_of(case) and case.expect.stdout and case.expect.stdout.is_checked and not case.expect.screen
        if execution and is_half and case.expect.stderr is None and (errors := execution.stderr.strip()):
            shown = one_line(errors.rpartition(b"\n")[2], _MAX_QUOTED_BYTES)
            flaw = f"the reference writes `{shown}` to standard error, as Python's input() does on a terminal"
            remedy = "whoever writes it to standard output is wrong here: compare the screen"
            yield subject.path(case, "expect.stdout", "expect"), f"{flaw}; {remedy}"


_Answers = tuple[bytes, ...]
"""a program's first output, and then its answer to each input"""
_SENDING = ("send", "key")
_DEFAULT_WAIT_SECONDS = 1.0
"""seconds that a mutant's dialogue waited, where the spec sets no time"""


def mutants(scope: Scope) -> Iterator[Mutant]:
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


def _miscount(answers: _Answers, turn: int) -> _Answers:
    text = change_last_number(answers[turn], 1)
    return answers if text is None else (*answers[:turn], text, *answers[turn + 1 :])


_CHANGES: Mapping[str, tuple[str, Callable[[_Answers, int], _Answers]]] = {
    "missing": ("{what} is missing", lambda answers, turn: (*answers[:turn], b"", *answers[turn + 1 :])),
    "wrong": ("a number of {what} is wrong", _miscount),
    "swapped": (
        "the answers to inputs {turn} and {next} swapped",
        lambda answers, turn: (*answers[:turn], *answers[turn : turn + 2][::-1], *answers[turn + 2 :]),
    ),
    "ends": (
        "ends after input {turn}",
        lambda answers, turn: answers[: turn + 1] if any(answers[turn + 1 :]) else answers,
    ),
}


def _answer_otherwise(change: Callable[[_Answers, int], _Answers], turn: int, scene: Scene) -> Execution | None:
    """Return the run of a program with another answer in a turn."""
    answers = _split_answers(scene)
    changed = change(answers, turn) if turn < len(answers) else answers
    return None if changed == answers else _run_dialogue(scene, changed)


def _stop_before(kinds: tuple[str, ...], which: int, scene: Scene) -> Execution | None:
    """Return a run that stops at one of the steps of these kinds; late where more comes when the input is closed."""
    steps = [(step, at) for at, step in enumerate(dialogue_of(scene.case), start=1) if step.do in kinds]
    return replace(scene.right, stop=_stop_at(*steps[which], late="eof" not in kinds)) if steps else None


def _split_answers(scene: Scene) -> _Answers:
    """Return the right program's output, split by input; nothing when it cannot be split."""
    answers = [b""]
    for turn in scene.right.transcript:
        if turn.stream == "stdin":
            answers += [b""] if turn.text else []  # without text it is the end of the input
        else:
            answers[-1] += turn.text
    sent = sum(step.do in _SENDING for step in dialogue_of(scene.case))
    is_clear = scene.right.stop is None and len(answers) == sent + 1 and not scene.right.stderr
    return tuple(answers) if is_clear and b"".join(answers) == scene.right.stdout else ()


def _run_dialogue(scene: Scene, answers: _Answers) -> Execution:
    """Return the run of a case's dialogue with a program that gives these answers; after the last one it has ended."""
    heard = answers[0]
    used = sent = 0
    for number, step in enumerate(dialogue_of(scene.case), start=1):
        if step.do in _SENDING:
            sent += 1
            heard += answers[sent] if sent < len(answers) else b""
            continue
        has_ended = sent >= len(answers) - 1
        if step.do == "eof":
            found = len(heard) - used if has_ended else None
        else:
            with finder(step) as find:
                place = find(heard[used:])
            found = place and place[1]
        if found is None:
            stop = _stop_at(step, number, before=heard[used:], ended=has_ended and step.do != "eof")
            return replace(scene.right, stdout=heard, stop=stop, transcript=())
        used += found
    return replace(scene.right, stdout=heard, transcript=())


def _stop_at(step: Step, number: int, *, before: bytes = b"", ended: bool = False, late: bool = False) -> FailedStep:
    waited = step.within or _DEFAULT_WAIT_SECONDS
    return FailedStep(step=step, number=number, ended=ended, waited=waited, before=before[-400:], late=late)
