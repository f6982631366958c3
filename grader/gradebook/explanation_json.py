"""A grade with everything behind it, for programs."""

import msgspec

from grader.model.explanation import Explanation


def to_json(explanation: Explanation) -> bytes:
    """Render the explanation as indented JSON; CI systems find no `##[command]` in it."""
    text = msgspec.json.format(msgspec.json.encode(explanation), indent=2)
    return text.replace(b"##", rb"#\u0023") + b"\n"
