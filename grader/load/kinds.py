"""The kinds of values in the spec language, as JSON Schema sees them; those of comparators come from these."""

from collections.abc import Mapping

from grader.comparators import COMPARATORS
from grader.load.language import DEVIATIONS
from grader.model import KEYS, LANGUAGES
from grader.yaml.kinds import REFERENCE, Schema, any_of, any_text, list_of, mapping_of, one_word_of, ref, strict_text
from grader.yaml.template import WORD
from grader.yaml.units import PATTERNS

_RELATIVE = r"^(?!/)(?!(.*/)?\.\.(/|$))(?!\.?(/\.?)*$)"

_TOLERANCES: Schema = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        name: {"title": name, "description": meaning, **ref("share")} for name, meaning in DEVIATIONS.items()
    },
}

TEXTS: Mapping[str, Schema] = {
    "version": {"const": 1},
    "id": any_text(pattern="^[a-z0-9-]+$"),
    "text": any_text(),
    "name": any_text(pattern=r"^[^\n]+$"),
    "language": {"enum": list(LANGUAGES)},
    "boolean": {"type": "boolean"},
    "yes": {"const": True},
    "points": {"type": "number", "minimum": 0},
    "count": {"type": "integer", "minimum": 1},
    "duration": strict_text(PATTERNS["duration"]),
    "size": strict_text(PATTERNS["size"]),
    "share": strict_text(PATTERNS["share"]),
    "tolerances": _TOLERANCES,
    "visibility": one_word_of(
        {
            "visible": "Students see everything.",
            "hidden": "Students see the name and the score.",
            "after-due": "Hidden until a report is made with --after-due.",
        }
    ),
    "match": one_word_of({"exact": "Letter case counts.", "any-case": "Letter case does not count."}),
    "test-names": list_of("text"),
    "tests": list_of("test", 1),
    "cases": list_of("case", 1),
    "markings": list_of("marking"),
    "variables": {**mapping_of("variable", rf"^{WORD}$"), "minProperties": 1},
    "variable": any_of(
        {"description": "A range, both ends included.", **strict_text(PATTERNS["range"])},
        {"description": "A list of values.", **list_of("text", 1)},
    ),
}
"""the kinds of the top level and of tests"""

STARTS: Mapping[str, Schema] = {
    "argument": any_text(pattern=r"^[^\u0000]*$"),
    "arguments": list_of("argument"),
    "command": any_of(any_text(minLength=1), list_of("argument", 1)),
    "commands": any_of(any_text(minLength=1), list_of("command", 1)),
    "path": any_text(pattern=_RELATIVE),
    "names": list_of("path"),
    "content": any_of(ref("text"), ref("file-content")),
    "environment": mapping_of("argument", "^[^=]+$"),
    "work-files": mapping_of("content", _RELATIVE + ".*[^/]$"),
    "dialogue": list_of("step", 1),
    "awaited": any_of(any_text(minLength=1), ref("awaited-pattern")),
    "sent": any_of(ref("text"), ref("sent-key")),
    "key": any_of({"enum": list(KEYS)}, any_text(maxLength=1)),
    "pattern": any_text(),
}
"""the kinds of what a case starts, and what goes into it"""

EXPECTATIONS: Mapping[str, Schema] = {
    **{kind: schema for comparator in COMPARATORS.values() for kind, schema in comparator.kinds.items()},
    "expectation": any_of(REFERENCE, ref("expectation-of-streams")),
    "stream": any_of(
        one_word_of({"reference": "What the reference writes.", "any": "Anything."}), ref("text"), ref("compared")
    ),
    "exit": any_of(
        one_word_of({"success": "0.", "failure": "Any but 0.", "reference": "That of the reference.", "any": "Any."}),
        ref("status"),
        list_of("status", 1),
    ),
    "status": {"type": "integer", "minimum": 0, "maximum": 255},
    "same-files": mapping_of("same-file", _RELATIVE),
    "same-file": any_of(REFERENCE, ref("text")),
}
"""the kinds of what is expected"""

CALLS: Mapping[str, Schema] = {
    "heading": any_text(minLength=1),
    "calls": list_of("call", 1),
    "further-calls": {"type": "array", "items": any_of(ref("further-call"), ref("field"))},
    "value": any_of(any_text(), list_of("value"), ref("zeros")),
    "values": list_of("value"),
    "argument-given": any_of(ref("value"), ref("argument-of-call")),
    "arguments-given": list_of("argument-given"),
    "expected-value": any_of(REFERENCE, ref("value"), ref("compared")),
    "expected-arguments": mapping_of("expected-value", "^(0|[1-9][0-9]*)$"),
    "lengths": {"type": "array", "items": {"type": ["integer", "string"], "minimum": 0}},
    "position": {"type": ["integer", "string"], "minimum": 0, "maximum": 254},
}
"""the kinds of calls of functions"""
