"""`grader schema`: the JSON Schema of the spec language, for editors.

Made of the very tables of keys that `load` reads by, so that the two cannot part.
"""

import json
from collections.abc import Mapping
from itertools import combinations
from pathlib import Path

from grader.load.kinds import CALLS, EXPECTATIONS, STARTS, TEXTS
from grader.load.language import TABLES
from grader.yaml.kinds import Schema, ref
from grader.yaml.value import Key, Keys

FILE = Path(__file__).parent / "spec.schema.json"
"""the schema as it is shipped, for editors that are given a path"""


def schema() -> Schema:
    """Return the schema of a spec: JSON Schema, draft 2020-12."""
    tables = {name: _table(keys) for name, keys in TABLES.items()}
    top = tables.pop("spec")
    kinds = {**TEXTS, **STARTS, **EXPECTATIONS, **CALLS, **tables}
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
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"


def _table(keys: Keys) -> Schema:
    """Return a mapping with these keys; with one whose other keys are free, or without it."""
    free = next((name for name, key in keys.items() if key.others), None)
    if free is None:
        return _mapping(keys)
    bound = _mapping({name: key for name, key in keys.items() if name != free})
    alone = {"properties": {free: _property(free, keys[free])}, "additionalProperties": ref(keys[free].others)}
    # Not "anyOf": of that, editors would offer the keys of one alone.
    return {
        "type": "object",
        "properties": alone["properties"],
        "if": {"required": [free]},
        "then": alone,
        "else": bound,
    }


def _mapping(keys: Keys) -> Schema:
    required = [name for name, key in keys.items() if key.required]
    together = {name: [key.beside] for name, key in keys.items() if key.beside}
    return {
        "type": "object",
        "properties": {name: _property(name, key) for name, key in keys.items()},
        "additionalProperties": False,
        **({"required": required} if required else {}),
        **({"dependentRequired": together} if together else {}),
        **_one_of([name for name, key in keys.items() if key.alternative], together),
    }


def _one_of(names: list[str], together: Mapping[str, list[str]]) -> Schema:
    """Ask for one of the keys. With keys that belong to them, in words by which editors go on offering all of them."""
    if not names:
        return {}
    if not together:
        return {"oneOf": [{"required": [name]} for name in names]}
    return {"minProperties": 1, "not": {"anyOf": [{"required": list(pair)} for pair in combinations(names, 2)]}}


def _property(name: str, key: Key) -> Schema:
    return {
        "title": name,
        "description": key.about,
        **ref(key.kind),
        **({"default": key.default} if key.default is not None else {}),
        **({"examples": list(key.examples)} if key.examples else {}),
    }
