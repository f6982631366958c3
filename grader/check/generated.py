"""Probable mistakes in generated values."""

from collections.abc import Iterator

from grader.check.subject import Subject
from grader.core import generate
from grader.core.errors import HostError
from grader.core.model.spec import SECRET_FILE, Case, CheckOptions, Spec
from grader.kinds import Flaw, flaw, lint_rule

_KEYS = ("args", "stdin", "files", "each")


@lint_rule("guessable-draw")
def _guessable_draws(subject: Subject) -> Iterator[Flaw]:
    spec = subject.spec
    if spec.seed and not spec.has_generated_inputs:
        yield flaw("seed", "idle")
    elif spec.seed:
        try:
            if not generate.find_secret(spec.root):
                yield flaw("seed", "no-secret", file=SECRET_FILE)
        except HostError as error:
            yield flaw("seed", "error", error=error)
    elif drawn := next((case for case in _cases(spec) if case.generated_numbers or case.generated_inputs), None):
        yield flaw(subject.path(drawn, *_KEYS), "no-seed", file=SECRET_FILE)


@lint_rule("fixed-answer", each="cases")
def _fixed_answers(subject: Subject, case: Case) -> Iterator[Flaw]:
    asked = case.expect.stdout
    if asked and asked.is_checked and case.is_generated and not subject.spec.has_references:
        depends_on_value = any(str(number.value) in repr(asked) for number in case.generated_numbers)
        if not depends_on_value and not any(leaf.get(CheckOptions).function for leaf in asked.leaves):
            yield flaw(subject.path(case, "expect.stdout", "expect"))


@lint_rule("unsteady-draw", once=True)
def _unsteady_draws(subject: Subject) -> Iterator[Flaw]:
    for first, second in _generate_twice(subject):
        if first != second:
            yield flaw(subject.path(first, "functions", *_KEYS))


def _generate_twice(subject: Subject) -> list[tuple[Case, Case]]:
    """Return the cases, each generated twice; none where that fails, which is reported elsewhere."""
    try:
        pairs = [(generate.generate_inputs(subject.spec), generate.generate_inputs(subject.spec))]
        if course := subject.course:
            pairs.append((course.spec, generate.generate_inputs(course.spec, course.execute)))
        return [cases for first, second in pairs for cases in zip(_cases(first), _cases(second), strict=True)]
    except HostError as error:
        subject.faults.append(error)
    return []


def _cases(spec: Spec) -> list[Case]:
    return [case for test in spec.tests for case in test.cases]
