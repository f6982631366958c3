"""One case for each call of `functions`, and the keys that do not go with them."""

from collections.abc import Collection, Mapping, Sequence

from grader.core.kind import CaseParts
from grader.core.yaml.value import Value, wrong

_UNFIT: Mapping[str, str] = {
    "args": "each of its calls has args of its own",
    "expect": "each of its calls has its own",
    "command": "make a test of its own for it",
    "terminal": "make a test of its own for it",
    "both": "make a test of its own for it",
    "dialogue": "make a test of its own for it",
    "interactor": "make a test of its own for it",
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
