"""The types of the values of a spec, by the names that keys have for them: reader, JSON Schema and words of each.

A mapping with keys of its own is a type too: it is made in `language`.
"""

import math
import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from grader.core.comparators import COMPARATORS
from grader.core.deviations.table import DEVIATION_MEANINGS
from grader.core.model.layout import RequiredFile
from grader.core.model.spec import Repeat
from grader.core.model.toolchain import LANGUAGES
from grader.core.reader import expectation
from grader.core.reader import files_and_build as files
from grader.core.reader.files_and_build import REQUIREMENT, read_requirement, read_requires
from grader.core.yaml import types as of
from grader.core.yaml import value as yaml
from grader.core.yaml.types import Found, JsonSchema, Said, Type
from grader.core.yaml.value import QUANTITIES, Value, keyword, parsed, text, unwanted, wrong
from grader.core.yaml.writing import plain

_MIN_MEMORY = 2**20  # bytes; with less not even the sandbox comes up
_MAX_RUNS = 100  # of one case; more runs add no information and take hours for a class
_MIN_TIMES: Mapping[str, int] = {"worst": 2, "best": 2, "most": 3}
_TROUBLES = {
    "build-failed": "The build fails.",
    "cannot-start": "It is built, and its language finds no program in it that it could start.",
}


def check_hints(value: Value, _found: Found, said: Said) -> None:
    """Check hints by how a case fails."""
    if not said and not yaml.entries(value):
        unwanted(value, "a text, or hints under the names of verdicts and deviations")


def check_notebook(value: Value, _found: Found, said: Said) -> None:
    """Check how a module is made of a notebook."""
    if not value.context.has_notebooks:
        wrong(value, "this is about notebooks, and `language` is not notebook: change that, or take this out")
    said["goes_on"] = said["goes_on"] == "go-on"


def check_limits(_value: Value, found: Found, said: Said) -> None:
    """Check limits."""
    if said.get("memory", _MIN_MEMORY) < _MIN_MEMORY:
        unwanted(found["memory"], 'a size of 1 MiB or more, such as "512 MiB" or "64 MB"')


def check_repetition(value: Value, found: Found, said: Said) -> None:
    """Check how often a case is run, and which run counts."""
    least, times = _MIN_TIMES[said["counts"]], said.get("times", _MAX_RUNS)
    if times > _MAX_RUNS:
        unwanted(found["times"], f"a number of runs from 1 to {_MAX_RUNS}")
    elif "counts" in found and yaml.is_understood(value, found) and times < least:
        wrong(found["counts"], f"which run counts has no meaning among so few: ask for {least} runs or more")


def _read_once(value: Value) -> tuple[str, ...]:
    for place, item in enumerate(listed := yaml.items(value)):
        if keyword(item) == "wrong":
            wrong(item, "what is wrong is wrong in every test: name deviations that leave some of the credit")
        elif keyword(item) in map(keyword, listed[:place]):
            wrong(item, f"{yaml.in_quotes(text(item))} is in this list more than once: keep one")
    return of.each("deviation")(value)


def _read_deviation(key: Value) -> str:
    if (name := text(key)) not in DEVIATION_MEANINGS:
        wrong(key, f"unknown deviation{yaml.suggestion(name, DEVIATION_MEANINGS)}")
    return name


def _read_variable_name(key: Value) -> str:
    name = files.read_program_word(key)
    if not name or "=" in name:
        unwanted(key, "the name of an environment variable")
    return name


def _quantity(parse: Callable[[str], Any], wanted: str, stand_in: Any, schema: JsonSchema | str) -> Type:
    schema = of.strict_text(QUANTITIES[schema]) if isinstance(schema, str) else schema
    return Type(schema, wanted.replace('"', "`"), parsed(parse, wanted, stand_in), stand_in)


def _or_all(parse: Callable[[str], Any], wanted: str, most: float | None, kind: str, about: str) -> Type:
    """Make the type of a quantity, or the word `all`."""
    read = parsed(parse, f"{wanted}, or all", 1)
    schema = of.any_of(kind, of.one_word_of({"all": about}))
    return Type(schema, read=lambda value: most if keyword(value) == "all" else read(value))


_BUDGET = "Every case is run, however long it takes."
_SHARES = {name: {"title": name, "description": about, **of.ref("share")} for name, about in DEVIATION_MEANINGS.items()}
_ON_TOP = re.compile(r"[+-]?\d{1,12}(?:\.\d{1,12})?")
_RANGE = of.strict_text(QUANTITIES["range"])
_LIST = {"description": "A list of values.", **of.list_of("text", 1)}
_HINT = of.any_of("text", {"minProperties": 1, **of.ref("hints")})
_TROUBLE = parsed(
    {one: {"when": one} for one in _TROUBLES}.get, "build-failed, cannot-start or {missing: [NAME]}", {"when": ""}
)
_TIMES = of.count_to(
    _MAX_RUNS, f"a number of runs from 1 to {_MAX_RUNS}, or a mapping such as {{times: 3, counts: best}}"
)
_OUTPUTS = {"reference": "What the reference writes.", "any": "Anything."}
_EXITS = {"success": "0.", "failure": "Any but 0.", "reference": "That of the reference.", "any": "Any."}
_REQUIRED = of.either("path", lambda value: RequiredFile(names=(yaml.inner_name(value),)), "required-file")

SIMPLE_TYPES: Mapping[str, Type] = {
    "version": Type(
        {"const": 1}, "`1`", parsed({"1": 1}.get, "1, the version of the language that this grader knows", 1)
    ),
    "id": of.form("^[a-z0-9-]+$", "an id of small letters, digits and hyphens"),
    "text": Type(of.any_text(), "text, as it is written: `08`, `no` and `1:30` are texts", text),
    "name": of.form(r"^[^\n]+$", "a name on one line"),
    "language": Type(
        of.any_of({"enum": list(LANGUAGES)}, of.any_text(pattern="^[a-z][a-z0-9-]*$")),
        f"`{'`, `'.join(LANGUAGES)}`; or one of the course's own [languages](#languages)",
        lambda value: yaml.choice([*dict.fromkeys([*LANGUAGES, *value.context.languages])], "language")(value),
    ),
    "python-packages": Type(of.list_of("python-package", 1), read=read_requires),
    "python-package": Type(
        of.any_text(pattern=REQUIREMENT), "a name with versions, such as `numpy` or `pandas>=2.2`", read_requirement
    ),
    "boolean": Type({"type": "boolean"}, "`true` or `false`", yaml.boolean),
    "yes": Type({"const": True}, "`true`"),
    "points": _quantity(
        yaml.parse_points, "a number of points, 0 or more", Fraction(1), {"type": "number", "minimum": 0}
    ),
    "count": _quantity(yaml.parse_count, "a whole number that is 1 or more", 1, {"type": "integer", "minimum": 1}),
    "duration": _quantity(yaml.parse_duration, 'a time such as "10 s", "500 ms" or "2 min"', 1.0, "duration"),
    "size": _quantity(yaml.parse_size, 'a size such as "512 MiB", "8 MB" or "64 KiB"', 1, "size"),
    "share": _quantity(yaml.parse_percent, "a share from 0% to 100%", Fraction(0), "share"),
    "case-weights": Type(of.mapping_of("points", least=1)),
    "credit-steps": Type(of.mapping_of("credit-share", "^[1-9][0-9]*$", least=1)),
    "credit-share": Type(of.any_of("share", {"const": "share"}), "a share, or `share`"),
    "tolerances": Type(
        {"type": "object", "additionalProperties": False, "properties": _SHARES},
        "[deviation](deviations.md): [share](#kinds), as many as wanted",
        of.each_value_of("share", _read_deviation),
    ),
    "deviations": Type({**of.list_of("deviation"), "uniqueItems": True}, read=_read_once),
    "deviation": Type(
        of.one_word_of({name: about for name, about in DEVIATION_MEANINGS.items() if name != "wrong"}),
        read=yaml.choice([*DEVIATION_MEANINGS], "deviation"),
    ),
    "visibility": of.word(
        "visibility",
        visible="Students see everything.",
        hidden="Students see the name and the score.",
        after_due="Hidden until the work is due, or a report is made with --after-due.",
    ),
    "patience": _or_all(yaml.parse_count, "a number of cases such as 3", None, "count", "Every case is run."),
    "stop": Type(
        of.one_word_of({"first-failure": "At the first that has not all points."}),
        read=lambda value: bool(yaml.choice(["first-failure"], "end of a test")(value)),
    ),
    "budget": _or_all(yaml.parse_duration, 'a time such as "5 min" or "90 s"', math.inf, "duration", _BUDGET),
    "hint": of.either("text", lambda value: {"default": text(value)}, "hints", schema=_HINT),
    "test-names": Type(of.list_of("text"), read=of.each("text"), stand_in=()),
    "score-groups": Type(of.list_of("score-group", 1)),
    "tests": Type(of.list_of("test", 1)),
    "cases": Type(of.any_of(of.list_of("case", 1), "cases-of-files")),
    "markings": of.once_each("marking", "mutant", "this mutant is marked twice: keep one reason", dict),
    "variables": Type(of.mapping_of("variable", rf"^{yaml.WORD}$", least=1)),
    "variable": Type(
        of.any_of({"description": "A range, both ends included.", **_RANGE}, _LIST, "random-number"),
        "a range `1..10`, both ends included, a list of values, or [drawn numbers](#random-number)",
    ),
    "seed": of.word(
        "seed",
        course="A secret of the course; all students get the same.",
        student="That and the student: each gets values of their own.",
    ),
    "argument": Type(of.any_text(pattern=r"^[^\u0000]*$"), "text without a NUL character", files.read_program_word),
    "arguments": Type(of.list_of("argument"), read=of.each("argument"), stand_in=()),
    "range": Type(
        _RANGE,
        "a range `4..9`, both ends included",
        # No other mistake follows from what stands in for a wrong one, whatever the count.
        parsed(lambda one: yaml.parse_range(one) or None, "a range such as 4..9, the smaller end first", range(1000)),
        range(1),
    ),
    "command": Type(
        of.any_of(of.any_text(minLength=1), of.list_of("argument", 1)),
        "text, split as a shell splits it but never given to one; or a list of texts",
        files.read_command,
        (),
    ),
    "reference-program": Type(of.any_of("command", "reference-work")),
    "reference-programs": Type(of.mapping_of("reference-program", r"^[^\s/]+$", least=1)),
    "commands": Type(
        of.any_of(of.any_text(minLength=1), of.list_of("command", 1)),
        "a command, or a list of commands",
        files.read_commands,
    ),
    "path": Type(of.any_text(pattern=of.INNER_PATH), "a path inside, without `..`", yaml.inner_name),
    "names": Type(of.list_of("path"), read=of.each("path"), stand_in=()),
    "jars": Type(of.list_of("path", 1), read=files.read_jars),
    "required-files": Type({"type": "array", "items": _REQUIRED.schema}, read=yaml.each_of(_REQUIRED.read)),
    "repairs": of.either(
        "repair-list", lambda value: {"repairs": of.read_as("repair-list")(value)}, "combined-repairs"
    ),
    "repair-list": of.once_each("repair", "name", "another repair is called {}: give each a name of its own"),
    "adjustments": of.once_each("adjustment", "submission", "{} is adjusted already: say all of it in one place", dict),
    "renaming": Type(of.mapping_of("path", of.INNER_PATH, least=1), read=files.read_renaming),
    "left-out-cells": of.word("part of a notebook", broken_cells="Cells that are no Python."),
    "after-error": of.word(
        "behaviour", stop="The cells below are not run.", go_on="The cells below are run all the same."
    ),
    "trouble": of.either(of.one_word_of(_TROUBLES), _TROUBLE, "missing-files", stand_in={"when": "missing"}),
    "points-on-top": _quantity(
        lambda written: Fraction(written) if _ON_TOP.fullmatch(written) else None,
        "a number of points, such as +2 or -3",
        Fraction(0),
        {"type": "number"},
    ),
    "content": Type(of.any_of("text", "file-content"), read=files.read_content),
    "way": of.word(
        "way to run",
        pipe="Standard input and output are pipes.",
        terminal="Standard input and output are a terminal.",
        both="Once through pipes and once on a terminal; it has to be right in both ways.",
    ),
    "repetition": of.either("count", lambda value: Repeat(times=_TIMES(value)), "repetition-rule"),
    "counted": of.word(
        "rule", worst="The worst of them.", best="The best.", most="What came most often; the worse, where two did."
    ),
    "environment": Type(of.mapping_of("argument", "^[^=]+$"), read=of.each_value_of("argument", _read_variable_name)),
    "work-files": Type(of.mapping_of("work-file", rf"^\.$|{of.INNER_PATH}"), read=files.read_work_files),
    "work-file": Type(of.any_of("content", "folder-content")),
    "pattern": Type(of.any_text(), "a regular expression of Python's"),
    **{name: Type(schema) for comparator in COMPARATORS.values() for name, schema in comparator.kinds.items()},
    "expectation": Type(of.any_of(of.REFERENCE, "expectation-of-streams"), read=expectation.read_expectation),
    "stream": Type(
        of.any_of(of.one_word_of(_OUTPUTS), "text", "compared"),
        read=expectation.stream,
        write=expectation.write_expected,
    ),
    "alternatives": Type(of.list_of("expected-value", 2)),
    "parts": Type(of.list_of("stream", 2)),
    "exit": Type(
        of.any_of(of.one_word_of(_EXITS), "status", of.list_of("status", 1)),
        read=expectation.read_exit,
        write=lambda asked: (
            plain(asked) if isinstance(asked, str) else of.node_of(asked[0] if len(asked) == 1 else asked)
        ),
    ),
    "status": Type({"type": "integer", "minimum": 0, "maximum": 255}, "a whole number, 0 to 255"),
    "crash": of.word(
        "way to treat a crash",
        fails="An uncaught exception fails the case.",
        allowed="An uncaught exception is an exit with its status.",
    ),
    "expected-files": Type(read=expectation.read_expected_files, write=expectation.write_expected_files),
    "same-files": Type(of.mapping_of("same-file", of.INNER_PATH), read=of.each_value_of("same-file", yaml.inner_name)),
    "same-file": Type(of.any_of(of.REFERENCE, "text"), read=expectation.exact),
}
