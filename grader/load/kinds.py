"""The kinds of values in the spec language, as JSON Schema sees them.

The language takes the characters that were written, YAML makes numbers, booleans and nothing of some of them: so where
text is wanted, `08`, `no` and `null` are right. A schema must not call a right spec wrong; `lint` sees what it cannot.
"""

from collections.abc import Mapping
from typing import Any

from grader.load.language import DEVIATIONS
from grader.model import KEYS, LANGUAGES
from grader.yaml.template import WORD
from grader.yaml.units import PATTERNS

Schema = dict[str, Any]

_WRITTEN = ["string", "number", "boolean", "null"]
"""what YAML may make of a text that is written without quotes"""
_RELATIVE = r"^(?!/)(?!(.*/)?\.\.(/|$))(?!\.?(/\.?)*$)"


def ref(kind: str) -> Schema:
    """Return a reference to a kind."""
    return {"$ref": f"#/$defs/{kind}"}


def words(about: Mapping[str, str]) -> Schema:
    """Return a choice of words, each with what it means; editors show that beside the word."""
    return {"enum": list(about), "markdownEnumDescriptions": list(about.values())}


def listing(kind: str, least: int = 0) -> Schema:
    """Return a list of a kind."""
    return {"type": "array", "items": ref(kind), **({"minItems": least} if least else {})}


def mapping(kind: str, names: str = "") -> Schema:
    """Return a mapping with free names that match a pattern, and values of a kind."""
    named = {"propertyNames": {"pattern": names}} if names else {}
    return {"type": "object", "additionalProperties": ref(kind), **named}


def written(**more: Any) -> Schema:
    """Return a text, with further rules for those that YAML takes for one."""
    return {"type": _WRITTEN, **more}


def string(pattern: str) -> Schema:
    """Return a text with a form that YAML takes for nothing else."""
    return {"type": "string", "pattern": pattern}


def either(*schemas: Schema) -> Schema:
    """Return what is one of several."""
    return {"anyOf": list(schemas)}


_REFERENCE = words({"reference": "What the reference does."})
_TOLERANCES: Schema = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        name: {"title": name, "description": meaning, **ref("share")} for name, meaning in DEVIATIONS.items()
    },
}

TEXTS: Mapping[str, Schema] = {
    "version": {"const": 1},
    "id": written(pattern="^[a-z0-9-]+$"),
    "text": written(),
    "name": written(pattern=r"^[^\n]+$"),
    "language": {"enum": list(LANGUAGES)},
    "boolean": {"type": "boolean"},
    "yes": {"const": True},
    "points": {"type": "number", "minimum": 0},
    "count": {"type": "integer", "minimum": 1},
    "duration": string(PATTERNS["duration"]),
    "size": string(PATTERNS["size"]),
    "share": string(PATTERNS["share"]),
    "tolerances": _TOLERANCES,
    "visibility": words(
        {
            "visible": "Students see everything.",
            "hidden": "Students see the name and the score.",
            "after-due": "Hidden until a report is made with --after-due.",
        }
    ),
    "match": words({"exact": "Letter case counts.", "any-case": "Letter case does not count."}),
    "order": words({"same": "In this order.", "any": "In any order."}),
    "test-names": listing("text"),
    "tests": listing("test", 1),
    "cases": listing("case", 1),
    "markings": listing("marking"),
    "variables": {**mapping("variable", rf"^{WORD}$"), "minProperties": 1},
    "variable": either(
        {"description": "A range, both ends included.", **string(PATTERNS["range"])},
        {"description": "A list of values.", **listing("text", 1)},
    ),
}
"""the kinds of the top level and of tests"""

STARTS: Mapping[str, Schema] = {
    "argument": written(pattern=r"^[^\u0000]*$"),
    "arguments": listing("argument"),
    "command": either(written(minLength=1), listing("argument", 1)),
    "commands": either(written(minLength=1), listing("command", 1)),
    "path": written(pattern=_RELATIVE),
    "names": listing("path"),
    "content": either(ref("text"), ref("file-content")),
    "environment": mapping("argument", "^[^=]+$"),
    "work-files": mapping("content", _RELATIVE + ".*[^/]$"),
    "dialogue": listing("step", 1),
    "awaited": either(written(minLength=1), ref("awaited-pattern")),
    "sent": either(ref("text"), ref("sent-key")),
    "key": either({"enum": list(KEYS)}, written(maxLength=1)),
    "pattern": written(),
}
"""the kinds of what a case starts, and what goes into it"""

EXPECTATIONS: Mapping[str, Schema] = {
    "expectation": either(_REFERENCE, ref("expectation-of-streams")),
    "stream": either(
        words({"reference": "What the reference writes.", "any": "Anything."}), ref("text"), ref("compared")
    ),
    "contained": either(written(minLength=1), {"type": "array", "items": written(minLength=1), "minItems": 1}),
    "lines": either(_REFERENCE, {"type": "array", "items": written(pattern=r"^[^\n]*$")}),
    "tokens": either(_REFERENCE, ref("text"), {"type": "array", "items": written(pattern=r"^\S+$")}),
    "numbers": either(_REFERENCE, ref("number"), string(r"^[-+0-9.eE\s]*$"), listing("number")),
    "number": either({"type": "number"}, string(PATTERNS["number"])),
    "json-value": {"description": "Any value of JSON; the word reference without quotes is what the reference writes."},
    "tolerance": either({"type": "number", "minimum": 0}, string(r"^(?!-)" + PATTERNS["number"].removeprefix("^"))),
    "function": string(r"\.py:[^:]+$"),
    "exit": either(
        words({"success": "0.", "failure": "Any but 0.", "reference": "That of the reference.", "any": "Any."}),
        ref("status"),
        listing("status", 1),
    ),
    "status": {"type": "integer", "minimum": 0, "maximum": 255},
    "same-files": mapping("same-file", _RELATIVE),
    "same-file": either(_REFERENCE, ref("text")),
}
"""the kinds of what is expected"""

CALLS: Mapping[str, Schema] = {
    "heading": written(minLength=1),
    "calls": listing("call", 1),
    "further-calls": {"type": "array", "items": either(ref("further-call"), ref("field"))},
    "value": either(written(), listing("value"), ref("zeros")),
    "values": listing("value"),
    "argument-given": either(ref("value"), ref("argument-of-call")),
    "arguments-given": listing("argument-given"),
    "expected-value": either(_REFERENCE, ref("value"), ref("compared")),
    "expected-arguments": mapping("expected-value", "^(0|[1-9][0-9]*)$"),
    "lengths": {"type": "array", "items": {"type": ["integer", "string"], "minimum": 0}},
    "position": {"type": ["integer", "string"], "minimum": 0, "maximum": 254},
}
"""the kinds of calls of functions"""
