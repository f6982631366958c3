"""The page of the spec language: every key, in the tables that `load` reads by, and every kind of value."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from docs.generate.words import code, page, plain, table
from grader.core.reader.files import CONFIGURATION, OWN_LANGUAGE
from grader.core.reader.language import (
    BY_HAND,
    CASE,
    COMPARED,
    FREE_NAMES,
    LATE,
    RUBRIC_ITEM,
    TABLES,
    TYPES,
)
from grader.core.yaml.types import JsonSchema, any_text
from grader.core.yaml.value import Key, Keys

_TITLES: Mapping[str, str] = {
    "spec": "The top level",
    "file-rules": "`files` of a spec",
    "required-file": "A file in `required`",
    "build": "`build`",
    "reference-work": "`reference` that is built",
    "combined-repairs": "`repairs` and how many of them are combined",
    "repair": "A repair in `repairs`",
    "missing-files": "Missing files, in `when`",
    "adjustment": "An adjustment in `adjustments`",
    "limits": "`limits`",
    "defaults": "`defaults`",
    "test": "A test",
    "scoring": "`scoring` of a test",
    "score-group": "A group of cases in `scoring`",
    "hints": "`hint` by how a case fails",
    "case": "A case",
    "expectation-of-streams": "`expect`",
    "compared": "How a text is compared",
    "expected-files": "`expect: {files: ...}`",
    "cases-of-files": "`cases` of files",
    "repetition-rule": "`repeat`",
    "memory-rule": "`memory-clean`",
    "step": "A step of a `dialogue`",
    "interactor": "`interactor`",
    "unit": "`unit`",
    "validator": "A program as a `check`",
    "role": "One of several programs of an `interactor`",
    "functions": "`functions`",
    "call": "A call",
    "step-call": "A step of a call",
    "step-result": "`expect` of a step",
    "raised-exception": "An exception with its message",
    "further-call": "A call before or after",
    "field": "A field that is set before",
    "result": "`expect` of a call",
    "student-tests": "`student-tests`",
    "source-test": "`source` of a test",
    "source-rule": "A rule on the source",
    "source-bounds": "`most` of a source",
    "source-least": "`least` of a source",
    "style-test": "`style` of a test",
    "marking": "`equivalent`",
    "notebook": "`notebook`",
    "file-content": "A content from a file",
    "folder-content": "The files of a folder, in `with`",
    "random-number": "Numbers that are drawn",
    "generated": "What a function or program draws",
    "awaited-pattern": "A pattern in a dialogue",
    "sent-key": "A key in a dialogue",
    "cells-of-value": "Some cells of a value",
    "zeros": "An array of zeros",
    "map-of-values": "A map",
    "set-of-values": "A set",
    "object-made": "Another object of the class",
    "argument-of-call": "An argument of the main call",
}
"""a table -> its heading; the order of the page"""

_BOUNDS = {"minimum": ", {} or more", "exclusiveMinimum": " over {}", "exclusiveMaximum": " and under {}"}

_SHORTEST = """\
spec: 1
id: sum
title: Sum of the arguments
language: python
files: {required: [sum.py]}
program: python3 sum.py
tests:
  - name: sums
    points: 10
    args: [1, 2]
    expect: {stdout: "3\\n"}
"""


def written() -> str:
    """Return the page."""
    return page(
        "# The keys of a spec",
        "A spec is one YAML file in `specs/`. This page has each key that it may contain. Any other key is "
        "a mistake, and `grader lint` shows its place. `grader schema` prints the same for an editor. A whole spec "
        "with one test, for `submissions/ada/sum.py`; `grader new` writes a longer one:",
        f"```yaml\n{_SHORTEST}```",
        *(part for name, title in _TITLES.items() for part in _table(name, title)),
        "## `grader.yaml` {#configuration}",
        "A file of this name, at the course root or above submissions, replaces `--spec` and sets the due dates. A "
        "course inside another course is used only if the outer one lists it under `courses`, and one in a folder "
        "`submissions` or `sample_submissions` never: a student may have written it.",
        _rows(CONFIGURATION),
        "### `late` {#late}",
        _rows(LATE),
        "## `adjustments.yaml` {#by-hand}",
        "A file of this name at the course root has a list, `adjustments`: decisions by hand for students, "
        "on top of the graded points. `grader adjust` writes it. A spec's own `adjustments` are another thing: they "
        "change the work before it is built.",
        _rows(BY_HAND),
        "### `rubric` {#rubric-item}",
        "A second list in this file: reasons that are given to many students. A line with `item` has the item's "
        "points and reason, whatever they are now. `grader review` writes both.",
        _rows(RUBRIC_ITEM),
        "## `toolchains.yaml` {#languages}",
        "A file of this name at the course root has a mapping: the name of a language, and its keys. A new "
        "language needs `version` or `like`; a built-in one keeps its own values for missing keys. Patterns are "
        "regular expressions of Python's, and are searched for in the standard error of a program.",
        _rows(OWN_LANGUAGE),
        "## Kinds of values {#kinds}",
        "A text is exactly the characters in the file, also where YAML would read a number, a date or `true`.",
        table(
            ["kind", "what it is"],
            [
                [f'<span id="kind-{name}">{name}</span>', one.words or _made_of(one.schema)]
                for name, one in sorted(TYPES.items())
                if not one.keys
            ],
        ),
    )


def _table(name: str, title: str) -> Iterator[str]:
    yield f"## {title} {{#{name}}}"
    if name == "compared":
        named = [code(key) for key, about in COMPARED.items() if about.alternative]
        yield f"One of {', '.join(named)}; the other keys go with the one that they name."
    keys = TABLES[name]
    if name == "test":
        yield "And every key of [a case](#case), for all its cases."
        keys = {key: about for key, about in keys.items() if key not in CASE}
    yield _rows(keys)
    if name in FREE_NAMES:
        yield f"Beside these: {_meaning(FREE_NAMES[name])[0].lower()}{_meaning(FREE_NAMES[name])[1:]}"


def _rows(keys: Keys) -> str:
    return table(
        ["key", "value", "default", "meaning"],
        [[code(name), _link(key.kind), _default(key), _meaning(key)] for name, key in keys.items()],
    )


def _default(key: Key) -> str:
    if key.required:
        return "required"
    return code(_written(key.default)) if key.default is not None else ""


def _meaning(key: Key) -> str:
    about = re.sub(r"(?<!`)(\{\w+(?:: \w+)?\})", r"`\1`", key.about)
    beside = f" Only with {' or '.join(map(code, key.beside.split()))}." if key.beside else ""
    examples = f" Such as {' or '.join(code(_written(one)) for one in key.examples)}." if key.examples else ""
    return plain(about) + beside + examples


def _written(value: Any, *, is_inside: bool = False) -> str:
    """Return a value as YAML has it on one line, without quotation marks where none are needed."""
    if isinstance(value, dict):
        pairs = (f"{_written(name, is_inside=True)}: {_written(item, is_inside=True)}" for name, item in value.items())
        return "{" + ", ".join(pairs) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_written(item, is_inside=True) for item in value) + "]"
    if not isinstance(value, str):
        return json.dumps(value)
    is_plain = not re.match(r"[*&!|>%@`\"'#,\[\]{}]", value) and ": " not in value
    return value if is_plain and not (is_inside and re.search(r"[,\[\]{}]", value)) else json.dumps(value)


def _link(name: str) -> str:
    """Link to a kind of values; of a key in another file than a spec, the kind is in words already."""
    return f"[{name.replace('-', ' ')}](#{'' if TYPES[name].keys else 'kind-'}{name})" if name in TYPES else name


def _made_of(kind: JsonSchema) -> str:
    """Say of what a kind is made whose type has no words."""
    if "$ref" in kind:
        return _link(kind["$ref"].rpartition("/")[2])
    if "enum" in kind:
        meanings = kind.get("markdownEnumDescriptions", [""] * len(kind["enum"]))
        return ", ".join(
            code(word) + (f" ({plain(meaning.removesuffix('.'))})" if meaning else "")
            for word, meaning in zip(kind["enum"], meanings, strict=True)
        )
    if "anyOf" in kind:
        types = [one.get("type") for one in kind["anyOf"]]  # what is a number may be written as a text
        forms = [one for one, of in zip(kind["anyOf"], types, strict=True) if of != "string" or "number" not in types]
        return "; or ".join(map(_made_of, forms))
    if kind.get("type") == "number":
        return "a number" + "".join(words.format(kind[bound]) for bound, words in _BOUNDS.items() if bound in kind)
    if kind.get("type") in ("string", any_text()["type"]):
        return _link("text")
    for part, words in (("items", "a list of"), ("additionalProperties", "names, each with")):
        if part in kind:
            return f"{words}: {_made_of(kind[part])}"
    raise ValueError(f"there are no words for the kind {kind}: give its type some")
