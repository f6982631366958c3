"""`grader schema`: the JSON JsonSchema of the spec language, for editors.

Made of the very tables of keys that `load` reads by, so that the two cannot part.
"""

import json
from collections.abc import Mapping
from itertools import combinations
from pathlib import Path

from grader.core.reader.language import FREE_NAMES
from grader.core.reader.types import TABLES, TYPES
from grader.core.yaml.types import (
    JsonSchema,
    any_of,
    ref,
)
from grader.core.yaml.value import Key, Keys

FILE = Path(__file__).parent / "spec.schema.json"
"""the schema as it is shipped, for editors that are given a path"""


def make_schema() -> JsonSchema:
    """Return the schema of a spec: JSON Schema, draft 2020-12."""
    tables = {name: _table_schema(keys) for name, keys in TABLES.items()}
    for name, key in FREE_NAMES.items():
        tables[name] |= {"additionalProperties": {"description": key.about, **ref(key.kind)}}
    kinds = {**{name: one.schema for name, one in TYPES.items()}, **tables}
    top = kinds.pop("spec")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:grader:spec:1",
        "title": "A spec of grader, version 1",
        "description": "The contract of one assignment. `grader lint` tells the mistakes that a schema cannot see.",
        **top,
        # Without titles of their own, editors show that of the whole at each of these.
        "$defs": {name: {"title": name.replace("-", " "), **kind} for name, kind in sorted(kinds.items())},
    }


def schema_text() -> str:
    """Return the schema as the file that is shipped."""
    return json.dumps(make_schema(), indent=2, ensure_ascii=False) + "\n"


def _table_schema(keys: Keys) -> JsonSchema:
    """Return a mapping with these keys; with one whose other keys are free, or without it."""
    free = next((name for name, key in keys.items() if key.others), None)
    if free is None:
        return _mapping_schema(keys)
    bound = _mapping_schema({name: key for name, key in keys.items() if name != free})
    alone = {"properties": {free: _property(free, keys[free])}, "additionalProperties": ref(keys[free].others)}
    # Not "anyOf": of that, editors would offer the keys of one alone.
    return {
        "type": "object",
        "properties": alone["properties"],
        "if": {"required": [free]},
        "then": alone,
        "else": bound,
    }


def _mapping_schema(keys: Keys) -> JsonSchema:
    required = [name for name, key in keys.items() if key.required]
    together = {name: key.beside.split() for name, key in keys.items() if key.beside}
    of_one = {name: owners for name, owners in together.items() if len(owners) == 1}
    of_any = {
        name: any_of(*({"required": [owner]} for owner in owners))
        for name, owners in together.items()
        if name not in of_one
    }
    return {
        "type": "object",
        "properties": {name: _property(name, key) for name, key in keys.items()},
        "additionalProperties": False,
        **({"required": required} if required else {}),
        **({"dependentRequired": of_one} if of_one else {}),
        **({"dependentSchemas": of_any} if of_any else {}),
        **_one_of([name for name, key in keys.items() if key.alternative], together),
    }


def _one_of(names: list[str], together: Mapping[str, list[str]]) -> JsonSchema:
    """Ask for one of the keys. With keys that belong to them, in words by which editors go on offering all of them."""
    if not names:
        return {}
    if not together:
        return {"oneOf": [{"required": [name]} for name in names]}
    return {"minProperties": 1, "not": {"anyOf": [{"required": list(pair)} for pair in combinations(names, 2)]}}


def _property(name: str, key: Key) -> JsonSchema:
    return {
        "title": name,
        "description": key.about,
        **ref(key.kind),
        **({"default": key.default} if key.default is not None else {}),
        **({"examples": list(key.examples)} if key.examples else {}),
    }
