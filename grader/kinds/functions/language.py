"""How its cases are read and written."""

from msgspec.structs import replace

from grader.core.errors import HostError
from grader.core.model.generated_inputs import GeneratedInput
from grader.core.model.spec import Case
from grader.kinds.functions.cases import write_out
from grader.kinds.functions.model import FunctionCase, functions_of
from grader.kinds.functions.read_values import fits
from grader.kinds.functions.write import freeze, without_expectations, write_case, write_test

__all__ = ["freeze", "without_expectations", "write_case", "write_out", "write_test"]


def generated_input(case: Case) -> GeneratedInput | None:
    """Return what generates the arguments of the call."""
    function = functions_of(case)
    return function.generated_input if function else None


def with_generated(case: Case, source: GeneratedInput, value: object) -> FunctionCase | None:
    """Return the calls with generated arguments; HostError where the function cannot be given them."""
    function = functions_of(case)
    if function is None:
        return None
    asked = function.call.signature
    types = [parameter.type for parameter in asked.parameters]
    if not isinstance(value, tuple):
        problem = f"it draws {value!r:.80}, and no list of arguments; yield a list for each call"
        raise HostError(f"{source.function}: {problem}")
    if len(value) != len(types) or not all(fits(arg, kind) for arg, kind in zip(value, types, strict=True) if kind):
        raise HostError(f"{source.function}: it draws {value!r:.80}, which {asked.text} cannot be given")
    return replace(function, generated_input=None, call=replace(function.call, args=value))
