"""How its cases are read and written."""

from collections.abc import Collection, Mapping, Sequence

from msgspec.structs import replace

from grader.core.errors import HostError
from grader.core.kind import CaseParts
from grader.core.model.generated_inputs import GeneratedInput
from grader.core.model.spec import Case
from grader.core.yaml.value import Value, wrong
from grader.kinds.functions.model import FunctionCase, functions_of
from grader.kinds.functions.values import fits
from grader.kinds.functions.write import freeze, without_expectations, write_case, write_test

__all__ = ["freeze", "without_expectations", "write_case", "write_test"]
_UNFIT: Mapping[str, str] = {
    "args": "each of its calls has args of its own",
    "expect": "each of its calls has its own",
    **dict.fromkeys(("command", "terminal", "both", "dialogue", "interactor"), "make a test of its own for it"),
}
"""what belongs to the start of a program -> what to do about it"""


def unfit_defaults(parts: CaseParts) -> Collection[str]:
    """Return the defaults of a spec that are about the start of a program, where functions are called instead."""
    return _UNFIT if "functions" in parts else ()


def complete(value: Value, parts: CaseParts) -> CaseParts:
    """Return the parts as they are; note what belongs to the start of a program."""
    for key, remedy in _UNFIT.items() if "functions" in parts else ():
        if parts.get(key):
            wrong(value, f"{'run: both' if key == 'both' else key} has no meaning beside functions: {remedy}")
    return parts


def write_out(_value: Value, parts: CaseParts) -> Sequence[CaseParts]:
    """Return the parts of a case for each call, with what is expected of what it prints."""
    if "functions" not in parts:
        return [parts]
    return [
        {**parts, "id": f"{parts['id']}[{number}]", "path": path, "functions": call, "expect": {"stdout": out.stdout}}
        for number, (call, out, path) in enumerate(parts["functions"], start=1)
    ]


def checks(parts: CaseParts) -> bool:
    """Whether calls check something: they do wherever there are any."""
    return "functions" in parts


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
