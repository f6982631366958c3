"""Interactors in a handout: the program's partner. Their input is not shown to students."""

import shlex

from grader.core.model.spec import Case, Interactor, Spec
from grader.core.report.document import code
from grader.core.text import joined


def describe_case(case: Case, _spec: Spec) -> str:
    """Describe the partner that gives the program its input."""
    interactor, what = Interactor.required(case), "and another program speaks with it: what one writes, the other reads"
    if interactor.is_output_validator:
        what = f"and started again, {interactor.passes} times at most, with an input made of what it wrote before"
    elif interactor.roles:
        programs = joined([code(shlex.join(role.args)) if role.args else "nothing more" for role in interactor.roles])
        what = f"at the same time with {programs}: another program speaks with each, and they share no files"
    return f", {what}"
