"""How its cases are read and written."""

from collections.abc import Callable, Sequence
from functools import partial

from msgspec.structs import replace

from grader.core.errors import HostError
from grader.core.kind import CaseParts
from grader.core.model.generated_inputs import GeneratedInput
from grader.core.model.spec import Case
from grader.core.yaml.value import Value
from grader.kinds.functions.model import FunctionCase, functions_in
from grader.kinds.functions.values import fits
from grader.kinds.functions.write import freeze, write

__all__ = ["freeze", "write"]


def write_out(_value: Value, parts: CaseParts) -> Sequence[CaseParts]:
    """Return the parts of a case for each call, with what is expected of what it prints."""
    if "functions" not in parts:
        return [parts]
    return [
        {**parts, "id": f"{parts['id']}[{number}]", "path": path, "functions": call, "expect": {"stdout": out.stdout}}
        for number, (call, out, path) in enumerate(parts["functions"], start=1)
    ]


def generated(case: Case) -> tuple[GeneratedInput, Callable[[object], FunctionCase]] | None:
    """Return what generates the arguments of the call, and what puts them there."""
    function = functions_in(case)
    source = function.generated_input
    return (source, partial(_with_generated, function, source.function)) if source else None


def _with_generated(function: FunctionCase, source: str, value: object) -> FunctionCase:
    """Return the calls with generated arguments; HostError where the function cannot be given them."""
    asked = function.call.signature
    types = [parameter.type for parameter in asked.parameters]
    if not isinstance(value, tuple):
        problem = f"it draws {value!r:.80}, and no list of arguments; yield a list for each call"
        raise HostError(f"{source}: {problem}")
    if len(value) != len(types) or not all(fits(arg, kind) for arg, kind in zip(value, types, strict=True) if kind):
        raise HostError(f"{source}: it draws {value!r:.80}, which {asked.text} cannot be given")
    return replace(function, generated_input=None, call=replace(function.call, args=value))
