"""The types of the values of a spec, by the names that keys have for them: reader, JSON Schema and words of each.

A mapping with keys of its own is a type too. Its table is in `language`; the rules for its keys are with its reader.
"""

import math
import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from grader.core.comparators import COMPARATORS, write_expected
from grader.core.deviations.table import DEVIATION_MEANINGS
from grader.core.lazy import lazy_regex
from grader.core.model.layout import NotebookRules
from grader.core.model.spec import ExpectedExit
from grader.core.model.toolchain import LANGUAGES
from grader.core.reader.case_parts import read_environment, read_repetition, read_tolerances
from grader.core.reader.expectation import (
    read_exit,
    read_expectation,
    read_expected_files,
    stream,
    write_expected_files,
)
from grader.core.reader.files_and_build import (
    read_adjustments,
    read_build,
    read_command,
    read_commands,
    read_content,
    read_file_rules,
    read_jars,
    read_program_word,
    read_renaming,
    read_repair_list,
    read_repairs,
    read_required_file,
    read_trouble,
    read_work_files,
)
from grader.core.reader.language import HINT, KEYS_OF_KINDS, MARKING, NOTEBOOK
from grader.core.reader.limits import read_limits
from grader.core.reader.requirements import REQUIREMENT, read_requirement, read_requires
from grader.core.yaml.nodes import Node, Scalar, Table
from grader.core.yaml.types import (
    INNER_PATH,
    REFERENCE,
    JsonSchema,
    Type,
    any_of,
    any_text,
    list_of,
    mapping_of,
    one_word_of,
    read_fields,
    read_found,
    ref,
    single_or_list,
    strict_text,
    word,
)
from grader.core.yaml.value import (
    QUANTITIES,
    WORD,
    Value,
    boolean,
    choice,
    each_of,
    fields,
    in_quotes,
    inner_name,
    items,
    keyword,
    parse_count,
    parse_duration,
    parse_percent,
    parse_points,
    parse_size,
    parsed,
    text,
    unwanted,
    wrong,
)
from grader.core.yaml.writing import plain


def _quantity(parse: Callable[[str], Any], wanted: str, stand_in: Any, schema: JsonSchema) -> Type:
    return Type(schema, wanted.replace('"', "`"), parsed(parse, wanted, stand_in), stand_in)


def _or_all(parse: Callable[[str], Any], wanted: str, otherwise: float | None, schema: JsonSchema, about: str) -> Type:
    """Make the type of a quantity, or the word `all`."""
    read = parsed(parse, f"{wanted}, or all", 1)
    return Type(
        any_of(schema, one_word_of({"all": about})),
        read=lambda value: otherwise if keyword(value) == "all" else read(value),
    )


def _form(is_right: Callable[[str], object], wanted: str, schema: JsonSchema) -> Type:
    """Make the type of a text with a certain form."""

    def read(value: Value) -> str:
        written = text(value)
        if not is_right(written):
            unwanted(value, wanted)
        return written

    return Type(schema, wanted, read)


def _read_version(value: Value) -> None:
    if keyword(value) != "1":
        unwanted(value, "1, the version of the language that this grader knows")


def _read_hint(value: Value) -> Mapping[str, str]:
    """Read a hint for everything that goes wrong, or one for each way in which it does."""
    if not isinstance(value.node, Table):
        return {"default": text(value)}
    if not value.node.pairs:
        unwanted(value, "a text, or hints under the names of verdicts and deviations")
    return read_fields(value, HINT)


def _read_notebook(value: Value) -> NotebookRules:
    if not value.context.has_notebooks:
        wrong(value, "this is about notebooks, and `language` is not notebook: change that, or take this out")
    return NotebookRules(goes_on=read_fields(value, NOTEBOOK)["after_error"] == "go-on")


def _write_exit(asked: ExpectedExit) -> Node:
    return plain(asked) if isinstance(asked, str) else single_or_list(asked)


def _read_once(value: Value) -> tuple[str, ...]:
    """Read the deviations that are charged once."""
    kinds: list[str] = []
    for item in items(value):
        kind = _DEVIATION.read(item)
        if kind == "wrong":
            wrong(item, "what is wrong is wrong in every test: name deviations that leave some of the credit")
        elif kind in kinds:
            wrong(item, f"{in_quotes(kind)} is in this list more than once: keep one")
        if isinstance(item.node, Scalar) and item.node.text == kind:  # not one that stands in for an unknown name
            kinds.append(kind)
    return tuple(kinds)


def _read_markings(value: Value) -> dict[str, str]:
    marked: dict[str, str] = {}
    for item in items(value):
        found = fields(item, MARKING)
        read = read_found(found, MARKING, item.context)
        if read["mutant"] in marked and "mutant" in found:
            wrong(found["mutant"], "this mutant is marked twice: keep one reason")
        marked[read["mutant"]] = read["reason"]
    return marked


_COUNT = _quantity(parse_count, "a whole number that is 1 or more", 1, {"type": "integer", "minimum": 1})
_DURATION = _quantity(
    parse_duration, 'a time such as "10 s", "500 ms" or "2 min"', 1.0, strict_text(QUANTITIES["duration"])
)
_SIZE = 'a size such as "512 MiB", "8 MB" or "64 KiB"'
_POINTS_ON_TOP = lazy_regex(r"[+-]?\d{1,12}(?:\.\d{1,12})?")
_MEANINGS = {name: about for name, about in DEVIATION_MEANINGS.items() if name != "wrong"}
_SHARES = {name: {"title": name, "description": about, **ref("share")} for name, about in DEVIATION_MEANINGS.items()}
_DEVIATION = Type(one_word_of(_MEANINGS), read=choice([*DEVIATION_MEANINGS], "deviation"))
_LANGUAGES = ", ".join(f"`{name}`" for name in LANGUAGES)
_VALUES = {"description": "A list of values.", **list_of("text", 1)}
_RANGE = {"description": "A range, both ends included.", **strict_text(QUANTITIES["range"])}
_TROUBLES = {
    "build-failed": "The build fails.",
    "cannot-start": "It is built, and its language finds no program in it that it could start.",
}
_EXITS = {"success": "0.", "failure": "Any but 0.", "reference": "That of the reference.", "any": "Any."}
_COUNTED = {
    "worst": "The worst of them.",
    "best": "The best.",
    "most": "What came most often; the worse, where two did.",
}

_TEXTS: Mapping[str, Type] = {
    "version": Type({"const": 1}, "`1`", _read_version),
    "id": _form(
        re.compile("[a-z0-9-]+").fullmatch,
        "an id of small letters, digits and hyphens",
        any_text(pattern="^[a-z0-9-]+$"),
    ),
    "text": Type(any_text(), "text, as it is written: `08`, `no` and `1:30` are texts", text),
    "name": _form(lambda name: name and name.isprintable(), "a name on one line", any_text(pattern=r"^[^\n]+$")),
    "language": Type(
        any_of({"enum": list(LANGUAGES)}, any_text(pattern="^[a-z][a-z0-9-]*$")),
        f"{_LANGUAGES}; or one of the course's own [languages](#languages)",
    ),
    "python-packages": Type(list_of("python-package", 1), read=read_requires),
    "python-package": Type(
        any_text(pattern=REQUIREMENT), "a name with versions, such as `numpy` or `pandas>=2.2`", read_requirement
    ),
    "boolean": Type({"type": "boolean"}, "`true` or `false`", boolean),
    "yes": Type({"const": True}, "`true`"),
    "points": _quantity(parse_points, "a number of points, 0 or more", Fraction(0), {"type": "number", "minimum": 0}),
    "count": _COUNT,
    "duration": _DURATION,
    "size": _quantity(parse_size, _SIZE, 1, strict_text(QUANTITIES["size"])),
    "share": _quantity(parse_percent, "a share from 0% to 100%", Fraction(0), strict_text(QUANTITIES["share"])),
    "case-weights": Type(
        {**mapping_of("points"), "minProperties": 1}, "names or globs, each with a number: `{n=8: 3}`"
    ),
    "credit-steps": Type(
        {**mapping_of("credit-share", "^[1-9][0-9]*$"), "minProperties": 1},
        "numbers of cases, each with a share or `share`: `{5: 50%, 9: 100%}`",
    ),
    "credit-share": Type(any_of(ref("share"), {"const": "share"}), "a share, or `share`"),
    "tolerances": Type(
        {"type": "object", "additionalProperties": False, "properties": _SHARES},
        "[deviation](deviations.md): [share](#kinds), as many as wanted",
        read_tolerances,
    ),
    "deviations": Type({**list_of("deviation"), "uniqueItems": True}, read=_read_once),
    "deviation": _DEVIATION,
    "visibility": word(
        "visibility",
        {
            "visible": "Students see everything.",
            "hidden": "Students see the name and the score.",
            "after-due": "Hidden until the work is due, or a report is made with --after-due.",
        },
    ),
    "patience": _or_all(parse_count, "a number of cases such as 3", None, ref("count"), "Every case is run."),
    "stop": word("end of a test", {"first-failure": "At the first that has not all points."}),
    "budget": _or_all(
        parse_duration,
        'a time such as "5 min" or "90 s"',
        math.inf,
        ref("duration"),
        "Every case is run, however long it takes.",
    ),
    "hint": Type(any_of(ref("text"), {"minProperties": 1, **ref("hints")}), read=_read_hint),
    "test-names": Type(list_of("text"), read=each_of(text)),
    "score-groups": Type(list_of("score-group", 1), "a list of [groups](#score-group)"),
    "tests": Type(list_of("test", 1)),
    "cases": Type(any_of(list_of("case", 1), ref("cases-of-files"))),
    "markings": Type(list_of("marking"), read=_read_markings),
    "variables": Type({**mapping_of("variable", rf"^{WORD}$"), "minProperties": 1}),
    "variable": Type(
        any_of(_RANGE, _VALUES, ref("random-number")),
        "a range `1..10`, both ends included, a list of values, or [drawn numbers](#random-number)",
    ),
    "seed": word(
        "seed",
        {
            "course": "A secret of the course; all students get the same.",
            "student": "That and the student: each gets values of their own.",
        },
    ),
}
"""the types of the top level and of tests"""

_STARTS: Mapping[str, Type] = {
    "argument": Type(any_text(pattern=r"^[^\u0000]*$"), "text without a NUL character", read_program_word),
    "arguments": Type(list_of("argument"), read=each_of(read_program_word)),
    "range": Type(strict_text(QUANTITIES["range"]), "a range `4..9`, both ends included"),
    "command": Type(
        any_of(any_text(minLength=1), list_of("argument", 1)),
        "text, split as a shell splits it but never given to one; or a list of texts",
        read_command,
    ),
    "reference-program": Type(
        any_of(ref("command"), ref("reference-work")),
        "a command; or a file or folder, alone or [with more](#reference-work)",
    ),
    "reference-programs": Type({**mapping_of("reference-program", r"^[^\s/]+$"), "minProperties": 1}),
    "commands": Type(
        any_of(any_text(minLength=1), list_of("command", 1)), "a command, or a list of commands", read_commands
    ),
    "path": Type(any_text(pattern=INNER_PATH), "a path inside, without `..`", inner_name),
    "names": Type(list_of("path"), read=each_of(inner_name)),
    "jars": Type(list_of("path", 1), read=read_jars),
    "required-files": Type(
        {"type": "array", "items": any_of(ref("path"), ref("required-file"))}, read=each_of(read_required_file)
    ),
    "file-rules": Type(read=read_file_rules),
    "build": Type(read=read_build),
    "notebook": Type(read=_read_notebook),
    "limits": Type(read=read_limits),
    "repairs": Type(any_of(ref("repair-list"), ref("combined-repairs")), read=read_repairs),
    "repair-list": Type(list_of("repair"), read=read_repair_list, stand_in=()),
    "adjustments": Type(list_of("adjustment"), read=read_adjustments),
    "renaming": Type({**mapping_of("path", INNER_PATH), "minProperties": 1}, read=read_renaming),
    "left-out-cells": word("part of a notebook", {"broken-cells": "Cells that are no Python."}),
    "after-error": word(
        "behaviour", {"stop": "The cells below are not run.", "go-on": "The cells below are run all the same."}
    ),
    "trouble": Type(
        any_of(one_word_of(_TROUBLES), ref("missing-files")), read=read_trouble, stand_in={"when": "missing"}
    ),
    "points-on-top": _quantity(
        lambda written: Fraction(written) if _POINTS_ON_TOP.fullmatch(written) else None,
        "a number of points, such as +2 or -3",
        Fraction(0),
        {"type": "number"},
    ),
    "content": Type(any_of(ref("text"), ref("file-content")), read=read_content),
    "way": word(
        "way to run",
        {
            "pipe": "Standard input and output are pipes.",
            "terminal": "Standard input and output are a terminal.",
            "both": "Once through pipes and once on a terminal; it has to be right in both ways.",
        },
    ),
    "repetition": Type(any_of(ref("count"), ref("repetition-rule")), read=read_repetition),
    "counted": word("rule", _COUNTED),
    "environment": Type(mapping_of("argument", "^[^=]+$"), read=read_environment),
    "work-files": Type(mapping_of("work-file", rf"^\.$|{INNER_PATH}"), read=read_work_files),
    "work-file": Type(any_of(ref("content"), ref("folder-content"))),
    "pattern": Type(any_text(), "a regular expression of Python's"),
}
"""the types of what a case starts, and what goes into it"""

_EXPECTATIONS: Mapping[str, Type] = {
    **{name: Type(schema) for comparator in COMPARATORS.values() for name, schema in comparator.kinds.items()},
    "expectation": Type(any_of(REFERENCE, ref("expectation-of-streams")), read=read_expectation),
    "stream": Type(
        any_of(
            one_word_of({"reference": "What the reference writes.", "any": "Anything."}), ref("text"), ref("compared")
        ),
        read=stream,
        write=write_expected,
    ),
    "alternatives": Type(list_of("expected-value", 2)),
    "parts": Type(list_of("stream", 2)),
    "exit": Type(any_of(one_word_of(_EXITS), ref("status"), list_of("status", 1)), read=read_exit, write=_write_exit),
    "status": Type({"type": "integer", "minimum": 0, "maximum": 255}, "a whole number, 0 to 255"),
    "crash": word(
        "way to treat a crash",
        {
            "fails": "An uncaught exception fails the case.",
            "allowed": "An uncaught exception is an exit with its status.",
        },
    ),
    "expected-files": Type(read=read_expected_files, write=write_expected_files),
    "same-files": Type(mapping_of("same-file", INNER_PATH)),
    "same-file": Type(any_of(REFERENCE, ref("text"))),
}
"""the types of what is expected"""

TYPES: Mapping[str, Type] = {
    **_TEXTS,
    **_STARTS,
    **_EXPECTATIONS,
    **{name: one for of_kind in KEYS_OF_KINDS for name, one in of_kind.types.items()},
}
"""name -> type; the schema of a mapping is made of its table"""
