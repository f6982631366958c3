"""How its cases are read and written."""

from grader.core.kind import CaseParts
from grader.kinds.functions.cases import complete, unfit_defaults, write_out
from grader.kinds.functions.write import freeze, without_expectations, write_case, write_test

__all__ = ["complete", "freeze", "unfit_defaults", "without_expectations", "write_case", "write_out", "write_test"]


def checks(parts: CaseParts) -> bool:
    """Whether calls check something: they do wherever there are any."""
    return "functions" in parts
