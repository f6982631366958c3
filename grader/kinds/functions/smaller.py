"""Smaller calls: with smaller values for the arguments of the function that a case is about."""

from collections.abc import Iterator

from msgspec.structs import replace

from grader.core.model.spec import Case
from grader.kinds.functions.model import functions_of
from grader.smallest import smaller_parts


def smaller_calls(case: Case) -> Iterator[Case]:
    """Yield the case with one of the arguments smaller."""
    function = functions_of(case)
    if function is None:
        return
    for args in smaller_parts(function.call.args):
        yield replace(case, payload=replace(function, call=replace(function.call, args=args), generated_input=None))
