"""`grader schema`: the JSON Schema of specs, for editors, made of the tables of keys that `load` reads by."""

import json
from itertools import combinations
from pathlib import Path

from grader.core.reader.language import FREE_NAMES, TYPES
from grader.core.yaml.types import JsonSchema, any_of, ref
from grader.core.yaml.value import Key, Keys

FILE = Path(__file__).parent / "spec.schema.json"  # as it is shipped, for editors that are given a path
_ALWAYS = ("properties", "additionalProperties")


def make_schema() -> JsonSchema:
    """Return the schema of a spec: JSON Schema, draft 2020-12."""
    kinds = {name: _table_schema(one.keys) if one.keys else one.schema for name, one in TYPES.items()}
    for name, key in FREE_NAMES.items():
        kinds[name] |= {"additionalProperties": {"description": key.about, **ref(key.kind)}}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:grader:spec:1",
        "title": "A spec of grader, version 1",
        "description": "The contract of one assignment. `grader lint` tells the mistakes that a schema cannot see.",
        **kinds.pop("spec"),
        # Without titles of their own, editors show that of the whole at each of these.
        "$defs": {name: {"title": name.replace("-", " "), **kind} for name, kind in sorted(kinds.items())},
    }


def schema_text() -> str:
    """Return the schema as the file that is shipped."""
    return json.dumps(make_schema(), indent=2, ensure_ascii=False) + "\n"


def _table_schema(keys: Keys) -> JsonSchema:
    """Return a mapping with these keys; with one whose other keys are free, or without it."""
    bound = _mapping_schema({name: key for name, key in keys.items() if not key.others})
    for name, key in keys.items():
        if key.others:
            alone = {"properties": {name: _property(name, key)}, "additionalProperties": ref(key.others)}
            # Not "anyOf": of that, editors would offer the keys of one alone.
            conditions = {"if": {"required": [name]}, "then": alone, "else": bound}
            return {"type": "object", "properties": alone["properties"], **conditions}
    return bound


def _mapping_schema(keys: Keys) -> JsonSchema:
    owners = {name: key.beside.split() for name, key in keys.items() if key.beside}
    alternatives = [{"required": [name]} for name, key in keys.items() if key.alternative]
    pairs = [{"required": [*one["required"], *other["required"]]} for one, other in combinations(alternatives, 2)]
    rules: JsonSchema = {
        "properties": {name: _property(name, key) for name, key in keys.items()},
        "additionalProperties": False,
        "required": [name for name, key in keys.items() if key.required],
        "dependentRequired": {name: some for name, some in owners.items() if len(some) == 1},
        "dependentSchemas": {
            name: any_of(*({"required": [one]} for one in some)) for name, some in owners.items() if len(some) > 1
        },
        # In words by which editors go on offering the keys that belong to one.
        **({"minProperties": 1, "not": any_of(*pairs)} if alternatives and owners else {"oneOf": alternatives}),
    }
    return {"type": "object", **{name: rule for name, rule in rules.items() if rule or name in _ALWAYS}}


def _property(name: str, key: Key) -> JsonSchema:
    told = {"default": key.default, "examples": list(key.examples) or None}
    about = {"title": name, "description": key.about, **ref(key.kind)}
    return about | {word: one for word, one in told.items() if one is not None}
