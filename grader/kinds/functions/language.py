"""How its cases are read and written."""

from collections.abc import Sequence

from msgspec.structs import replace

from grader.core.errors import HostError
from grader.core.kind import CaseParts
from grader.core.model.generated_inputs import GeneratedInput
from grader.core.model.spec import Case
from grader.core.yaml.value import Value
from grader.kinds.functions.model import FunctionCase, functions_in
from grader.kinds.functions.values import fits
from grader.kinds.functions.write import freeze, without_expectations, write_case, write_test

__all__ = ["freeze", "without_expectations", "write_case", "write_test"]


def write_out(_value: Value, parts: CaseParts) -> Sequence[CaseParts]:
    """Return the parts of a case for each call, with what is expected of what it prints."""
    if "functions" not in parts:
        return [parts]
    return [
        {**parts, "id": f"{parts['id']}[{number}]", "path": path, "functions": call, "expect": {"stdout": out.stdout}}
        for number, (call, out, path) in enumerate(parts["functions"], start=1)
    ]


def generated_input(case: Case) -> GeneratedInput | None:
    """Return what generates the arguments of the call."""
    return functions_in(case).generated_input


def with_generated(case: Case, source: GeneratedInput, value: object) -> FunctionCase:
    """Return the calls with generated arguments; HostError where the function cannot be given them."""
    function = functions_in(case)
    asked = function.call.signature
    types = [parameter.type for parameter in asked.parameters]
    if not isinstance(value, tuple):
        problem = f"it draws {value!r:.80}, and no list of arguments; yield a list for each call"
        raise HostError(f"{source.function}: {problem}")
    if len(value) != len(types) or not all(fits(arg, kind) for arg, kind in zip(value, types, strict=True) if kind):
        raise HostError(f"{source.function}: it draws {value!r:.80}, which {asked.text} cannot be given")
    return replace(function, generated_input=None, call=replace(function.call, args=value))
