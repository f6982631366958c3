"""A program of the course that speaks with the student's."""

from grader.core.model.spec import Case, Interactor


def interactor_of(case: Case) -> Interactor | None:
    """Return the program that speaks with the student's in a case; None for a case of another kind."""
    return case.payload if isinstance(case.payload, Interactor) else None
