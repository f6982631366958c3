"""Kinds of values in JSON Schema: the parts of a schema for YAML.

Specs use the characters as written, while YAML converts some of them to numbers, booleans and null. So where text is
wanted, `08`, `no` and `null` are right. A schema must not reject a right spec; `lint` finds the mistakes that it
cannot.
"""

from collections.abc import Mapping
from typing import Any

JsonSchema = dict[str, Any]

_SCALARS = ["string", "number", "boolean", "null"]
"""what YAML may make of a text that is written without quotes"""


def ref(kind: str) -> JsonSchema:
    """Return a reference to a kind."""
    return {"$ref": f"#/$defs/{kind}"}


def one_word_of(about: Mapping[str, str]) -> JsonSchema:
    """Return a choice of words, each with its meaning, which editors show next to the word."""
    return {"enum": list(about), "markdownEnumDescriptions": list(about.values())}


def list_of(kind: str, least: int = 0) -> JsonSchema:
    """Return a list of a kind."""
    return {"type": "array", "items": ref(kind), **({"minItems": least} if least else {})}


def mapping_of(kind: str, names: str = "") -> JsonSchema:
    """Return a mapping with free names that match a pattern, and values of a kind."""
    named = {"propertyNames": {"pattern": names}} if names else {}
    return {"type": "object", "additionalProperties": ref(kind), **named}


def any_text(**more: Any) -> JsonSchema:
    """Return a text, with further rules for those that YAML takes for one."""
    return {"type": _SCALARS, **more}


def strict_text(pattern: str) -> JsonSchema:
    """Return a text with a form that YAML takes for nothing else."""
    return {"type": "string", "pattern": pattern}


def any_of(*schemas: JsonSchema) -> JsonSchema:
    """Return what is one of several."""
    return {"anyOf": list(schemas)}


REFERENCE: JsonSchema = one_word_of({"reference": "What the reference does."})
INNER_PATH = r"^(?!/)(?!(.*/)?\.\.(/|$))(?!\.?(/\.?)*$)"
"""the pattern of a path that stays inside its folder"""
