"""Probable mistakes in generated values."""

from collections.abc import Iterator

from grader.check.subject import Flaw, Subject, lint_rule
from grader.core import generate
from grader.core.errors import HostError
from grader.core.model.spec import SECRET_FILE, Case, CheckOptions, Spec

_KEYS = ("args", "stdin", "files", "each")


@lint_rule("warning", "guessable-draw")
def guessable_draws(subject: Subject) -> Iterator[Flaw]:
    """What students can draw themselves they can also answer without a program."""
    spec = subject.spec
    remedy = f"put a secret into {SECRET_FILE} beside specs/, with mode 600"
    if spec.seed and not spec.has_generated_inputs:
        yield "seed", "nothing is drawn in this spec, so that it has no seed: drop the key, or draw something"
    elif spec.seed:
        try:
            if not generate.find_secret(spec.root):
                yield "seed", f"there is no secret, so that whoever has the spec can draw the same: {remedy}"
        except HostError as error:
            yield "seed", str(error)
    elif drawn := next((case for case in _cases(spec) if case.generated_numbers or case.generated_inputs), None):
        flaw = "what is drawn comes of the spec's id alone, so that whoever has the spec can draw the same"
        yield subject.path(drawn, *_KEYS), f"{flaw}: say seed: course, or seed: student, and {remedy}"


@lint_rule("warning", "fixed-answer")
def fixed_answers(subject: Subject) -> Iterator[Flaw]:
    """Where values are drawn, an answer that is written down is right for few of them."""
    if subject.spec.has_references:
        return
    for case in filter(lambda case: case.is_generated, _cases(subject.spec)):
        asked = case.expect.stdout
        depends_on_value = any(str(number.value) in repr(asked) for number in case.generated_numbers)
        is_checked = any(leaf.get(CheckOptions).function for leaf in asked.leaves) if asked else True
        if asked and asked.is_checked and not (depends_on_value or is_checked):
            flaw = "one answer is expected for whatever is drawn"
            yield subject.path(case, "expect.stdout", "expect"), f"{flaw}: add a reference, a check, or a variable"


@lint_rule("error", "unsteady-draw", asks="functions", once=True)
def unsteady_draws(subject: Subject) -> Iterator[Flaw]:
    """What is drawn anew at each grading makes a regrade another assignment."""
    remedy = "take every random number from the generator that it is given, or seed its own with the argument"
    for first, second in _generate_twice(subject):
        if first != second:
            flaw = f"what draws here draws something else for the same seed: {remedy}"
            yield subject.path(first, "functions", *_KEYS), flaw


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
