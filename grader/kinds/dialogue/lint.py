"""Probable mistakes in dialogues."""

from collections.abc import Iterator, Mapping

from grader.core.model.spec import Case, Step
from grader.core.text import one_line
from grader.kinds.dialogue.model import dialogue_of
from grader.lint.subject import Flaw, FlawFinder, LintRule, Subject, breaks_rule, lint_rule, rules_in

_MAX_QUOTED_BYTES = 40
"""most bytes of the reference's output that a message quotes"""


def steps_after_end(subject: Subject, case: Case) -> Iterator[Flaw]:
    """Find a step of a dialogue that waits for something after the end of the output."""
    ended = False
    for place, step in _written_steps(case):
        if ended and step.do in ("expect", "regex"):
            yield f"{subject.path(case, 'dialogue')}[{place}]", "nothing can come after the end of the output: move eof"
            break
        ended = ended or step.do == "eof"


@breaks_rule("ignored-expectation")
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


def dialogue_lint_rules() -> Mapping[str, LintRule | FlawFinder]:
    """Return the rules on dialogues."""
    return rules_in(__name__)
