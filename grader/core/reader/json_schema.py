"""`grader schema`: the JSON JsonSchema of the spec language, for editors.

Made of the very tables of keys that `load` reads by, so that the two cannot part.
"""

import json
from collections.abc import Mapping
from itertools import combinations
from pathlib import Path

from grader.core.comparators import COMPARATORS
from grader.core.deviations.table import DEVIATION_MEANINGS
from grader.core.model.toolchain import LANGUAGES
from grader.core.reader.language import FREE_NAMES, KEYS_OF_KINDS, TABLES
from grader.core.reader.requirements import REQUIREMENT
from grader.core.yaml.json_schema_parts import (
    INNER_PATH,
    REFERENCE,
    JsonSchema,
    any_of,
    any_text,
    list_of,
    mapping_of,
    one_word_of,
    ref,
    strict_text,
)
from grader.core.yaml.value import QUANTITIES, WORD, Key, Keys

FILE = Path(__file__).parent / "spec.schema.json"
"""the schema as it is shipped, for editors that are given a path"""

_TEXTS: Mapping[str, JsonSchema] = {
    "version": {"const": 1},
    "id": any_text(pattern="^[a-z0-9-]+$"),
    "text": any_text(),
    "name": any_text(pattern=r"^[^\n]+$"),
    "language": any_of({"enum": list(LANGUAGES)}, any_text(pattern="^[a-z][a-z0-9-]*$")),
    "python-packages": list_of("python-package", 1),
    "python-package": any_text(pattern=REQUIREMENT),
    "boolean": {"type": "boolean"},
    "yes": {"const": True},
    "points": {"type": "number", "minimum": 0},
    "count": {"type": "integer", "minimum": 1},
    "duration": strict_text(QUANTITIES["duration"]),
    "size": strict_text(QUANTITIES["size"]),
    "share": strict_text(QUANTITIES["share"]),
    "case-weights": {**mapping_of("points"), "minProperties": 1},
    "credit-steps": {**mapping_of("credit-share", "^[1-9][0-9]*$"), "minProperties": 1},
    "credit-share": {"anyOf": [ref("share"), {"const": "share"}]},
    "tolerances": {
        "type": "object",
        "additionalProperties": False,
        "properties": {
            name: {"title": name, "description": about, **ref("share")} for name, about in DEVIATION_MEANINGS.items()
        },
    },
    "deviations": {**list_of("deviation"), "uniqueItems": True},
    "deviation": one_word_of({name: about for name, about in DEVIATION_MEANINGS.items() if name != "wrong"}),
    "visibility": one_word_of(
        {
            "visible": "Students see everything.",
            "hidden": "Students see the name and the score.",
            "after-due": "Hidden until the work is due, or a report is made with --after-due.",
        }
    ),
    "patience": any_of(ref("count"), one_word_of({"all": "Every case is run."})),
    "stop": one_word_of({"first-failure": "At the first that has not all points."}),
    "budget": any_of(ref("duration"), one_word_of({"all": "Every case is run, however long it takes."})),
    "hint": any_of(ref("text"), {"minProperties": 1, **ref("hints")}),
    "test-names": list_of("text"),
    "score-groups": list_of("score-group", 1),
    "tests": list_of("test", 1),
    "cases": any_of(list_of("case", 1), ref("cases-of-files")),
    "markings": list_of("marking"),
    "variables": {**mapping_of("variable", rf"^{WORD}$"), "minProperties": 1},
    "variable": any_of(
        {"description": "A range, both ends included.", **strict_text(QUANTITIES["range"])},
        {"description": "A list of values.", **list_of("text", 1)},
        ref("random-number"),
    ),
}
"""the kinds of the top level and of tests"""

_STARTS: Mapping[str, JsonSchema] = {
    "argument": any_text(pattern=r"^[^\u0000]*$"),
    "arguments": list_of("argument"),
    "range": strict_text(QUANTITIES["range"]),
    "seed": one_word_of(
        {
            "course": "A secret of the course; all students get the same.",
            "student": "That and the student: each gets values of their own.",
        }
    ),
    "command": any_of(any_text(minLength=1), list_of("argument", 1)),
    "reference-program": any_of(ref("command"), ref("reference-work")),
    "reference-programs": {**mapping_of("reference-program", r"^[^\s/]+$"), "minProperties": 1},
    "commands": any_of(any_text(minLength=1), list_of("command", 1)),
    "path": any_text(pattern=INNER_PATH),
    "names": list_of("path"),
    "jars": list_of("path", 1),
    "required-files": {"type": "array", "items": any_of(ref("path"), ref("required-file"))},
    "repairs": any_of(ref("repair-list"), ref("combined-repairs")),
    "repair-list": list_of("repair"),
    "adjustments": list_of("adjustment"),
    "renaming": {**mapping_of("path", INNER_PATH), "minProperties": 1},
    "left-out-cells": one_word_of({"broken-cells": "Cells that are no Python."}),
    "after-error": one_word_of(
        {"stop": "The cells below are not run.", "go-on": "The cells below are run all the same."}
    ),
    "trouble": any_of(
        one_word_of(
            {
                "build-failed": "The build fails.",
                "cannot-start": "It is built, and its language finds no program in it that it could start.",
            }
        ),
        ref("missing-files"),
    ),
    "points-on-top": {"type": "number"},
    "content": any_of(ref("text"), ref("file-content")),
    "way": one_word_of(
        {
            "pipe": "Standard input and output are pipes.",
            "terminal": "Standard input and output are a terminal.",
            "both": "Once through pipes and once on a terminal; it has to be right in both ways.",
        }
    ),
    "repetition": any_of(ref("count"), ref("repetition-rule")),
    "counted": one_word_of(
        {"worst": "The worst of them.", "best": "The best.", "most": "What came most often; the worse, where two did."}
    ),
    "environment": mapping_of("argument", "^[^=]+$"),
    "work-files": mapping_of("work-file", rf"^\.$|{INNER_PATH}"),
    "work-file": any_of(ref("content"), ref("folder-content")),
    "pattern": any_text(),
}
"""the kinds of what a case starts, and what goes into it"""

_EXPECTATIONS: Mapping[str, JsonSchema] = {
    **{kind: schema for comparator in COMPARATORS.values() for kind, schema in comparator.kinds.items()},
    "expectation": any_of(REFERENCE, ref("expectation-of-streams")),
    "stream": any_of(
        one_word_of({"reference": "What the reference writes.", "any": "Anything."}), ref("text"), ref("compared")
    ),
    "alternatives": list_of("expected-value", 2),
    "parts": list_of("stream", 2),
    "exit": any_of(
        one_word_of({"success": "0.", "failure": "Any but 0.", "reference": "That of the reference.", "any": "Any."}),
        ref("status"),
        list_of("status", 1),
    ),
    "status": {"type": "integer", "minimum": 0, "maximum": 255},
    "crash": one_word_of(
        {
            "fails": "An uncaught exception fails the case.",
            "allowed": "An uncaught exception is an exit with its status.",
        }
    ),
    "same-files": mapping_of("same-file", INNER_PATH),
    "same-file": any_of(REFERENCE, ref("text")),
}
"""the kinds of what is expected"""


def make_schema() -> JsonSchema:
    """Return the schema of a spec: JSON Schema, draft 2020-12."""
    tables = {name: _table_schema(keys) for name, keys in TABLES.items()}
    for name, key in FREE_NAMES.items():
        tables[name] |= {"additionalProperties": {"description": key.about, **ref(key.kind)}}
    top = tables.pop("spec")
    of_kinds = {name: schema for of_kind in KEYS_OF_KINDS for name, schema in of_kind.schemas.items()}
    kinds = {**_TEXTS, **_STARTS, **_EXPECTATIONS, **of_kinds, **tables}
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
