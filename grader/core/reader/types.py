"""The types of simple values of a spec, by the names that keys have for them: reader, JSON Schema and words of each."""

import os
import re
import shlex
import stat
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import PurePosixPath
from typing import Any

from msgspec.structs import replace

from grader.core.deviations.table import DEVIATION_MEANINGS
from grader.core.lazy import lazy_call
from grader.core.model.layout import RequiredFile, content_of
from grader.core.model.spec import LANGUAGES, Case, CreditStep, Repeat
from grader.core.reader.selection import find_weights, match_tests
from grader.core.text import count, percent, size
from grader.core.yaml import types as of
from grader.core.yaml import value as yaml
from grader.core.yaml.nodes import Listing, entries_of, plain
from grader.core.yaml.types import JsonSchema, Said, Type, node_of, read_as
from grader.core.yaml.value import Keys, Value, attach, entries, in_quotes, inner_name, parsed, text, unwanted, wrong

_MAX_FOLDER_FILES = 2_000  # as many as a submission may have
_MAX_FOLDER_BYTES = 64 * 2**20  # it is laid beside what is built
MAX_RUNS = 100  # of one case; more runs add no information and take hours for a class


def read_command(value: Value) -> tuple[str, ...]:
    """Read a command, a string or a list of words. Variables are filled after the split: a value stays one word."""
    if isinstance(value.node, Listing):
        words = yaml.each_of(read_program_word)(value)
    else:
        words, unfilled = (), replace(value, context=replace(value.context, variables=None))
        try:
            words = tuple(read_program_word(value, word) for word in shlex.split(text(unfilled)))
        except ValueError as error:
            wrong(value, f"this command cannot be split into words: {str(error).lower()}")
    if not words or not words[0]:
        unwanted(value, "a command")
    return words


def read_program_word(value: Value, part: str | None = None) -> str:
    """Read a text without the character NUL, so that a program can get it, or a part of it."""
    word = text(value) if part is None else yaml.filled(value, part)
    if "\0" in word:
        wrong(value, "no program can be given the character U+0000 here: leave it out")
    return word


def read_file_name(key: Value, wanted: str = "the name of a file") -> str:
    """Read the name of a file in the working folder; `wanted` for messages."""
    if (name := inner_name(key)).endswith("/"):
        unwanted(key, wanted)
    return name


def read_work_files(value: Value) -> dict[str, bytes]:
    """Read names of files with their contents, and of folders with the folder of the course that is copied there."""
    folders, files = dict[str, bytes](), dict[str, bytes]()
    for key, entry in entries(value).values():
        if "folder" in entries_of(entry.node):
            keys = yaml.fields(entry, "folder-content")
            target = PurePosixPath("." if text(key) == "." else inner_name(key))
            copied = attach_folder(keys["folder"], inner_name(keys["folder"]).rstrip("/"))
            folders |= {str(target / name): content for name, content in copied.items()}
        else:
            name = read_file_name(key, "the name of a file, or {folder: NAME} for a folder")
            files[name] = content_of(read_as("content")(entry))
    return folders | files


def attach_folder(value: Value, name: str) -> dict[str, bytes]:
    """Attach all files in a folder below the course root, and return them by their paths in that folder."""
    root, where = value.context.root, value.context.root / name
    is_folder = bool(name) and os.path.realpath(where) == str(where) and os.path.isdir(where)  # noqa: PTH112 - never raises
    facts = yaml.facts_inside(value.context, name) if is_folder else {}
    sizes = {path: fact.st_size for path, fact in facts.items() if stat.S_ISREG(fact.st_mode)}
    odd = [path for path in facts if path not in sizes and not stat.S_ISDIR(facts[path].st_mode)]
    mib, most, named = sum(sizes.values()) / 2**20, _MAX_FOLDER_BYTES // 2**20, f"the folder {in_quotes(name)}"
    if odd:
        wrong(value, f"{in_quotes(odd[0].relative_to(root).as_posix())} is a link or no file: put a file there")
    elif not sizes:
        no_folder = f"there is no folder {in_quotes(name)} in {root}, or it is a link"
        wrong(value, f"{named} has no file in it" if is_folder else no_folder)
    elif len(sizes) > _MAX_FOLDER_FILES or mib > most:
        content = f"{len(sizes)} files and {mib:.1f} MiB, which is too large"
        wrong(value, f"{named} has {content}: {_MAX_FOLDER_FILES} and {most} MiB may be in one")
    else:
        return {path.relative_to(where).as_posix(): attach(value, path.relative_to(root).as_posix()) for path in sizes}
    return {}


def _read_jars(value: Value) -> dict[str, bytes]:
    jars: dict[str, bytes] = {}  # of Java's classes, by their names below the course root
    for item in yaml.items(value):
        content, base = attach(item, name := inner_name(item)), PurePosixPath(name).name
        if name and (":" in name or not name.endswith(".jar") or not content.startswith(b"PK")):
            unwanted(item, "an archive of classes, such as lib/stdlib.jar")
        elif base in {PurePosixPath(jar).name for jar in jars}:
            wrong(item, f"two archives are called {in_quotes(base)}: rename one")
        jars[name] = content
    return jars


_NAME = r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?"
_ONE_VERSION = r"(?:==|!=|>=|<=|~=|>|<) ?[0-9][A-Za-z0-9.+!-]*(?:\.\*)?"
_REQUIREMENT = rf"^{_NAME}(?: ?\[{_NAME}(?:, ?{_NAME})*\])?(?: ?{_ONE_VERSION}(?: ?, ?{_ONE_VERSION})*)?$"  # of PEP 508


def _read_requires(value: Value) -> tuple[str, ...]:
    context = value.context
    if context.language and (context.languages.get(context.language, {}).get("like") or context.language) != "python":
        wrong(value, f"packages are for Python, and `language` is {in_quotes(context.language)}")
    packages: tuple[str, ...] = of.list_of("python-package", wanted="at least one package").read(value)
    names = [*map(package_name, packages)]
    if repeated := [name for name in names if names.count(name) > 1]:
        wrong(value, f"{in_quotes(repeated[0])} is in this list more than once: keep one")
    return packages


def package_name(requirement: str) -> str:
    """Return the name in a requirement, as the index spells it: PEP 503."""
    return re.sub(r"[-_.]+", "-", re.split(r"[^A-Za-z0-9._-]", requirement)[0]).lower()


def _read_weights(value: Value) -> tuple[Case, ...]:
    labels: dict[str, Case] = value.context.said["labels"]
    written = {name: read_as("points")(entry) for name, (_, entry) in entries(value).items()}
    weights = find_weights([*labels], written.items())
    if len(labels) <= 1:
        wrong(value, "a test with one case has nothing to share: take weights out")
    elif unknown := [pattern for pattern in written if not match_tests([*labels], pattern)]:
        wrong(entries(value)[unknown[0]][0], f"there is no such case{yaml.suggestion(unknown[0], labels)}")
    elif len(weights) == len(labels) and not any(weights.values()):
        wrong(value, "every case counts 0: give one a weight")
    else:
        return tuple(replace(case, weight=weights.get(label, case.weight)) for label, case in labels.items())
    return (*value.context.said["cases"],)


def _read_credit(value: Value) -> tuple[CreditStep, ...]:
    weights = sorted(case.weight for case in value.context.said["weights"] if case.weight)
    known, whole, steps = len(value.context.problems), sum(weights) or 1, [CreditStep(right=0, share=Fraction(0))]
    for written, (key, entry) in entries(value).items():
        number, before = yaml.parse_count(written) or 0, steps[-1]
        share = None if yaml.keyword(entry) == "share" else read_as("share")(entry)
        # What there is with so many right, and with one less, none of the others being partly right.
        least = sum(weights[:number]) / whole if share is None else share
        most = sum(weights[1 - number :]) / whole if before.share is None else before.share
        if not number:
            unwanted(key, "a number of right cases, such as 5")
        elif number > len(weights):
            wrong(key, f"{count(len(weights), 'case')} at most can be right, and not {number}")
        elif number <= before.right:
            wrong(key, f"the steps go up, and {before.right} is not less than {number}: put them in order")
        elif least < most:
            wrong(entry, f"with {number} right cases there may be fewer points than with {number - 1}: give more")
        steps.append(CreditStep(right=number, share=share))
    if len(steps) == 1:
        unwanted(value, "at least one step, such as {5: 50%, 9: 100%}")
    elif len(value.context.problems) == known and steps[-1].share not in (None, 1):
        reached = f"all {len(weights)} right cases have {percent(steps[-1].share or Fraction(0))} of the points"
        wrong(value, f"{reached}: add {{{len(weights)}: 100%}}")
    return tuple(steps[1:])


def check_missing(said: Said, value: Value) -> None:
    """Check the missing files for which a repair is: without them nothing is built."""
    needed = value.context.required
    for item, name in zip(yaml.items(value), said["missing"], strict=True):
        hint = f"it is not among the required files{yaml.suggestion(name, needed)}"
        if name and name not in needed:
            wrong(item, f"nothing fails for want of {in_quotes(name)}: {hint}")


def _read_slip(value: Value) -> str:
    if yaml.keyword(value) == "wrong":
        wrong(value, "what is wrong is wrong in every test: name deviations that leave some of the credit")
    return _CHOOSE_DEVIATION(value)


def _quantity(parse: Any, wanted: str, stand_in: Any, schema: JsonSchema | str, unit: Any = None) -> Type:
    schema = {"type": "string", "pattern": yaml.QUANTITIES[schema]} if isinstance(schema, str) else schema
    write = (lambda one: plain(one if isinstance(one, str) else unit(one))) if unit else node_of  # a text has its unit
    return Type(schema, wanted.replace('"', "`"), parsed(parse, wanted, stand_in), write=write)


def _or_all(parse: Callable[[str], Any], wanted: str, most: float | None, kind: str, about: str) -> Type:
    read = parsed(parse, f"{wanted}, or all", 1)
    either = of.any_of(kind, of.one_word_of({"all": about}))
    return Type(either, read=lambda value: most if yaml.keyword(value) == "all" else read(value))


_SECONDS, _BYTES = (lambda n: f"{float(n):.12f}".rstrip("0").rstrip(".") + " s"), (lambda n: size(int(n), 10))
_SHARE = lambda share: f"{float(share * 100):.12g}%"  # noqa: E731 - as the two above
_NUMBER: JsonSchema = {"type": "number"}
_SHARES = {name: {"title": name, "description": about, **of.ref("share")} for name, about in DEVIATION_MEANINGS.items()}
_TOLERANCES = {"type": "object", "additionalProperties": False, "properties": _SHARES}
_ANY_SHARES = "[deviation](deviations.md): [share](#kinds), as many as wanted"
_CHOOSE_DEVIATION = yaml.choice([*DEVIATION_MEANINGS], "deviation")
_SLIPS = {name: about for name, about in DEVIATION_MEANINGS.items() if name != "wrong"}
_TROUBLES = {
    "build-failed": "The build fails.",
    "cannot-start": "It is built, and its language finds no program in it that it could start.",
}
_A_TROUBLE = "build-failed, cannot-start or {missing: [NAME]}"
_TROUBLE = parsed({trouble: {"when": trouble} for trouble in _TROUBLES}.get, _A_TROUBLE, {"when": ""})
_PACKAGE = "a package such as numpy or numpy>=1.26, without addresses and options of pip"
_A_PACKAGE = "a name with versions, such as `numpy` or `pandas>=2.2`"
_COMMAND = "text, split as a shell splits it but never given to one; or a list of texts"
# No other mistake follows from the value that replaces a wrong one, for any count.
_SPAN = parsed(lambda raw: yaml.parse_range(raw) or None, "a range such as 4..9, the smaller end first", range(1000))
_VERSION = "1, the version of the language that this grader knows"
_RUNS = f"a number of runs from 1 to {MAX_RUNS}, or a mapping such as {{times: 3, counts: best}}"
_COUNT_RUNS = parsed({str(n): n for n in range(1, MAX_RUNS + 1)}.get, _RUNS, 1)
_BUDGET = "Every case is run, however long it takes."
_HINT = of.any_of("text", {"minProperties": 1, **of.ref("hints")})
_RANGE = {"type": "string", "pattern": yaml.QUANTITIES["range"]}
_A_RANGE = {"description": "A range, both ends included.", **_RANGE}
_VARIABLE = "a range `1..10`, both ends included, a list of values, or [drawn numbers](#random-number)"
_LIST = {"description": "A list of values.", **of.list_of("text", 1).schema}
_COMMANDS = of.list_of("command", 1, "at least one command")
_ADJUSTED = "{} is adjusted already: say all of it in one place"
LIMITS_OF_PROGRAM: Keys = of.key("limits", about="What it may use.")
_TWICE = "{} is in this list more than once: keep one"
_REPAIRS = of.list_of("repair", once="another repair is called {}: give each a name of its own", by="name")
_READ_REFERENCE = lazy_call("grader.core.reader.spec", "read_reference")
_PROGRAM_NAME = of.form(r"[^\s/]+", "the name of a program as commands have it, such as unique or unique.py")
_VARIABLE_NAME = of.form("[^=]+", "the name of an environment variable")
_REQUIRED = of.either("path", lambda value: RequiredFile(names=(inner_name(value),)), "required-file")

SIMPLE_TYPES: Mapping[str, Type] = {
    "version": Type({"const": 1}, "`1`", parsed({"1": 1}.get, _VERSION, 1)),
    "id": of.form("^[a-z0-9-]+$", "an id of small letters, digits and hyphens"),
    "text": Type(of.any_text(), "text, as it is written: `08`, `no` and `1:30` are texts", text),
    "name": of.form(r"^[^\n]+$", "a name on one line"),
    "language": Type(
        of.any_of({"enum": list(LANGUAGES)}, of.any_text(pattern="^[a-z][a-z0-9-]*$")),
        f"`{'`, `'.join(LANGUAGES)}`; or one of the course's own [languages](#languages)",
        lambda value: yaml.choice([*dict.fromkeys([*LANGUAGES, *value.context.languages])], "language")(value),
    ),
    "python-packages": of.list_of("python-package", 1, read=_read_requires),
    "python-package": of.form(_REQUIREMENT, _PACKAGE, _A_PACKAGE, lambda written: written.replace(" ", "")),
    "boolean": Type({"type": "boolean"}, "`true` or `false`", yaml.boolean),
    "yes": Type({"const": True}, "`true`", parsed({"true": True}.get, "true", stand_in=True)),
    "points": _quantity(yaml.parse_points, "a number of points, 0 or more", Fraction(1), {**_NUMBER, "minimum": 0}),
    "count": _quantity(yaml.parse_count, "a whole number that is 1 or more", 1, {"type": "integer", "minimum": 1}),
    "duration": _quantity(yaml.parse_duration, 'a time such as "10 s", "500 ms" or "2 min"', 1.0, "duration", _SECONDS),
    "size": _quantity(yaml.parse_size, 'a size such as "512 MiB", "8 MB" or "64 KiB"', 1, "size", _BYTES),
    "share": _quantity(yaml.parse_percent, "a share from 0% to 100%", Fraction(0), "share", _SHARE),
    "case-weights": of.mapping_of("points", least=1, read=_read_weights),
    "credit-steps": of.mapping_of("credit-share", "^[1-9][0-9]*$", least=1, read=_read_credit),
    "credit-share": Type(of.any_of("share", {"const": "share"}), "a share, or `share`"),
    "tolerances": Type(_TOLERANCES, _ANY_SHARES, of.mapping_of("share", name=_CHOOSE_DEVIATION).read),
    "deviations": of.list_of("deviation", once=_TWICE, schema={"uniqueItems": True}),
    "deviation": Type(of.one_word_of(_SLIPS), read=_read_slip),
    "visibility": of.word(
        "visibility",
        visible="Students see everything.",
        hidden="Students see the name and the score.",
        after_due="Hidden until the work is due, or a report is made with --after-due.",
    ),
    "patience": _or_all(yaml.parse_count, "a number of cases such as 3", None, "count", "Every case is run."),
    "stop": of.word("end of a test", "first-failure", first_failure="At the first that has not all points."),
    "budget": _or_all(yaml.parse_duration, 'a time such as "5 min" or "90 s"', float("inf"), "duration", _BUDGET),
    "hint": of.either("text", lambda value: {"default": text(value)}, "hints", schema=_HINT),
    "test-names": of.list_of("text"),
    "score-groups": of.list_of("score-group", 1, "at least one group"),
    "tests": of.list_of("test", 1, read=None),
    "cases": Type(of.any_of(of.list_of("case", 1), "cases-of-files")),
    "markings": of.list_of("marking", once="this mutant is marked twice: keep one reason", by="mutant", make=dict),
    "variables": of.mapping_of("variable", rf"^{yaml.WORD}$", least=1, read=None),
    "variable": Type(of.any_of(_A_RANGE, _LIST, "random-number"), _VARIABLE),
    "seed": of.word(
        "seed",
        course="A secret of the course; all students get the same.",
        student="That and the student: each gets values of their own.",
    ),
    "argument": Type(of.any_text(pattern=r"^[^\u0000]*$"), "text without a NUL character", read_program_word),
    "arguments": of.list_of("argument"),
    "range": Type(_RANGE, "a range `4..9`, both ends included", _SPAN),
    "command": Type(of.any_of(of.any_text(minLength=1), of.list_of("argument", 1)), _COMMAND, read_command),
    "reference-program": Type(of.any_of("command", "reference-work"), read=_READ_REFERENCE),
    "reference-programs": of.mapping_of("reference-program", r"^[^\s/]+$", 1, _PROGRAM_NAME.read),
    "commands": Type(
        of.any_of(of.any_text(minLength=1), _COMMANDS),
        "a command, or a list of commands",
        lambda value: _COMMANDS.read(value) if isinstance(value.node, Listing) else (read_command(value),),
    ),
    "path": Type(of.any_text(pattern=of.INNER_PATH), "a path inside, without `..`", inner_name),
    "names": of.list_of("path"),
    "jars": of.list_of("path", 1, read=_read_jars),
    "required-files": Type({"type": "array", "items": _REQUIRED.schema}, read=yaml.each_of(_REQUIRED.read)),
    "repairs": of.either("repair-list", lambda value: {"repairs": _REPAIRS.read(value)}, "combined-repairs"),
    "repair-list": _REPAIRS,
    "adjustments": of.list_of("adjustment", once=_ADJUSTED, by="submission", make=dict),
    "renaming": of.mapping_of("path", of.INNER_PATH, least=1, name=inner_name),
    "left-out-cells": of.word("part of a notebook", broken_cells="Cells that are no Python."),
    "after-error": of.word(
        "behaviour", stop="The cells below are not run.", go_on="The cells below are run all the same."
    ),
    "trouble": of.either(of.one_word_of(_TROUBLES), _TROUBLE, "missing-files"),
    "points-on-top": _quantity(yaml.parse_change, "a number of points, such as +2 or -3", Fraction(0), _NUMBER),
    "content": of.either("text", lambda value: text(value).encode(), "file-content"),
    "way": of.word(
        "way to run",
        pipe="Standard input and output are pipes.",
        terminal="Standard input and output are a terminal.",
        both="Once through pipes and once on a terminal; it has to be right in both ways.",
    ),
    "repetition": of.either("count", lambda value: Repeat(times=_COUNT_RUNS(value)), "repetition-rule"),
    "counted": of.word(
        "rule", worst="The worst of them.", best="The best.", most="What came most often; the worse, where two did."
    ),
    "environment": of.mapping_of("argument", "^[^=]+$", name=_VARIABLE_NAME.read),
    "work-files": of.mapping_of("work-file", rf"^\.$|{of.INNER_PATH}", read=read_work_files),
    "work-file": Type(of.any_of("content", "folder-content")),
}
