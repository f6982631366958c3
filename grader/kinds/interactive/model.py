"""A program of the course that speaks with the student's."""

from grader.core.model.spec import Case, CheckOptions, Interactor, Spec


def interactor_of(case: Case) -> Interactor | None:
    """Return the program that speaks with the student's in a case; None for a case of another kind."""
    return case.payload if isinstance(case.payload, Interactor) else None


def uses_validators(spec: Spec) -> bool:
    """Whether a program of the course judges a text in any case."""
    return any(leaf.get(CheckOptions).validator for test in spec.tests for case in test.cases for _, leaf in case.texts)
