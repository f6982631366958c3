"""A comparison of two runs for programs."""

from collections import Counter
from typing import Any

import msgspec

from grader.model.comparison import Change, Comparison


def to_json(comparison: Comparison) -> bytes:
    """Render the comparison as indented JSON; CI systems find no `##[command]` in it."""
    found = msgspec.to_builtins(comparison)
    found["changes"] = [_change(change) for change in comparison.changes]
    found["counts"] = Counter(change.kind for change in comparison.changes)
    return msgspec.json.format(msgspec.json.encode(found), indent=2).replace(b"##", rb"#\u0023") + b"\n"


def _change(change: Change) -> dict[str, Any]:
    return {**msgspec.to_builtins(change), "delta": change.delta, "is_lower": change.is_lower}
