"""One case for each call of `functions`, and the keys that do not go with them."""

from collections.abc import Sequence

from grader.core.kind import CaseParts
from grader.core.yaml.value import Value


def write_out(_value: Value, parts: CaseParts) -> Sequence[CaseParts]:
    """Return the parts of a case for each call, with what is expected of what it prints."""
    if "functions" not in parts:
        return [parts]
    return [
        {**parts, "id": f"{parts['id']}[{number}]", "path": path, "functions": call, "expect": {"stdout": out.stdout}}
        for number, (call, out, path) in enumerate(parts["functions"], start=1)
    ]
