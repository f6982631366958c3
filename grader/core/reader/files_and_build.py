"""The parts of a spec about the submitted files: the rules for them, commands, and the course's changes to them.

A repair is for every submission with a certain mistake, an adjustment for one submission. Both change the files in the
same way.
"""

import re
import shlex
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import PurePosixPath
from typing import Any, Literal, TypeVar

from grader.core.deviations.table import DEVIATION_MEANINGS
from grader.core.model.layout import DEFAULT_MAX_REPAIRS, Adjustment, Build, Change, FileRules, Repair, RequiredFile
from grader.core.model.stored_file import LazyBytes, StoredFile
from grader.core.reader.language import (
    ADJUSTMENT,
    FILE_CONTENT,
    FILE_RULES,
    FOLDER_CONTENT,
    MISSING_FILES,
    REPAIR,
    REPAIRS,
    REQUIRED_FILE,
)
from grader.core.yaml.nodes import Listing, Table
from grader.core.yaml.value import (
    Value,
    attach,
    attach_folder,
    attach_unread,
    choice,
    each_of,
    entries,
    fields,
    filled,
    get,
    in_quotes,
    inner_name,
    is_understood,
    items,
    keyword,
    parse_count,
    parse_percent,
    parse_points,
    parsed,
    suggestion,
    text,
    unwanted,
    with_variables,
    wrong,
)

FileContent = TypeVar("FileContent")

read_share = parsed(parse_percent, "a share from 0% to 100%", Fraction(0))
_COST = parsed(parse_points, "a number of points, 0 or more", Fraction(0))
_LEFT_OUT: Callable[[Value], Literal["", "broken-cells"]] = choice(("broken-cells",), "part of a notebook")
_AT_MOST = parsed(parse_count, "a number of repairs, 1 or more", DEFAULT_MAX_REPAIRS)
_POINTS_ON_TOP = parsed(
    lambda written: Fraction(written) if re.fullmatch(r"[+-]?\d{1,12}(?:\.\d{1,12})?", written) else None,
    "a number of points, such as +2 or -3",
    Fraction(0),
)

# ---------------------------------------------------------------- commands and contents


def read_command(value: Value) -> tuple[str, ...]:
    """Read a command, a string or a list of words. Variables are filled after the split: a value stays one word."""
    if isinstance(value.node, Listing):
        words = each_of(read_program_word)(value)
    else:
        written = text(with_variables(value, None))
        try:
            words = tuple(_without_null(value, filled(value, word)) for word in shlex.split(written))
        except ValueError as error:
            wrong(value, f"this command cannot be split into words: {str(error).lower()}")
            words = ()
    if not words or not words[0]:
        unwanted(value, "a command")
    return words


def read_commands(value: Value) -> tuple[tuple[str, ...], ...]:
    """Read one command as a string, or a list of commands."""
    if not isinstance(value.node, Listing):
        return (read_command(value),)
    if not value.node.items:
        unwanted(value, "at least one command")
    return tuple(read_command(item) for item in items(value))


def read_program_word(value: Value) -> str:
    """Read a text that can be handed to a program: one without the character NUL."""
    return _without_null(value, text(value))


def _without_null(value: Value, word: str) -> str:
    if "\0" in word:
        wrong(value, "no program can be given the character U+0000 here: leave it out")
    return word


def read_named_files(value: Value, read: Callable[[Value], FileContent]) -> dict[str, FileContent]:
    """Read names of files with their contents, each of which is read by `read`."""
    files = {}
    for key, entry in entries(value).values():
        name = inner_name(key)
        if name.endswith("/"):
            unwanted(key, "the name of a file")
        files[name] = read(entry)
    return files


def read_work_files(value: Value) -> dict[str, bytes]:
    """Read names of files with their contents, and of folders with the folder of the course that is copied there."""
    folders: dict[str, bytes] = {}
    files: dict[str, bytes] = {}
    for key, entry in entries(value).values():
        if isinstance(entry.node, Table) and "folder" in entries(entry):
            found = fields(entry, FOLDER_CONTENT)
            target = PurePosixPath("." if text(key) == "." else inner_name(key))
            copied = attach_folder(found["folder"], inner_name(found["folder"]).rstrip("/"))
            folders |= {str(target / name): content for name, content in copied.items()}
            continue
        name = inner_name(key)
        if name.endswith("/"):
            unwanted(key, "the name of a file, or {folder: NAME} for a folder")
        content = read_content(entry)
        files[name] = content.read() if isinstance(content, StoredFile) else content
    return folders | files


def read_jars(value: Value) -> dict[str, bytes]:
    """Read a list of archives of Java's classes below the course root: name -> content, no two called alike."""
    jars: dict[str, bytes] = {}
    for item in items(value):
        name = inner_name(item)
        known = len(item.context.problems)
        content = attach(item, name) if name else b""
        if name and (":" in name or not name.endswith(".jar")):
            unwanted(item, "an archive of classes, such as lib/stdlib.jar")
        elif name and len(item.context.problems) == known and not content.startswith(b"PK"):
            wrong(item, f"{in_quotes(name)} is no archive of classes: it begins with other bytes than a zip file")
        elif PurePosixPath(name).name in {PurePosixPath(other).name for other in jars}:
            wrong(item, f"two archives are called {in_quotes(PurePosixPath(name).name)}: rename one")
        jars[name] = content
    return jars


def read_content(value: Value) -> LazyBytes:
    """Read what goes to a program: a text, as UTF-8, or `{file: NAME}`, as the file's bytes, a large one unread."""
    if not isinstance(value.node, Table):
        return text(value).encode()
    found = fields(value, FILE_CONTENT)
    return attach_unread(found["file"], inner_name(found["file"])) if "file" in found else b""


# ---------------------------------------------------------------- files of a submission


def read_file_rules(value: Value) -> FileRules:
    """Read `files` of a spec."""
    found = fields(value, FILE_RULES)
    others: dict[str, Any] = {key: each_of(inner_name)(entry) for key, entry in found.items() if key != "required"}
    return FileRules(required=get(found, "required", each_of(_read_required), ()), **others)


def _read_required(value: Value) -> RequiredFile:
    if not isinstance(value.node, Table):
        return RequiredFile(names=(inner_name(value),))
    found = fields(value, REQUIRED_FILE)
    if ("name" in found) == ("any" in found) and is_understood(value, found):
        wrong(value, f"wanted name or any, found {'both' if 'any' in found else 'neither'}")
    names = each_of(inner_name)(found["any"]) if "any" in found else ()
    if "name" in found:
        names = (inner_name(found["name"]),)
    if "any" in found and not names:
        unwanted(found["any"], "at least one name")
    return RequiredFile(names=names, costs=get(found, "costs", _COST, None))


# ---------------------------------------------------------------- repairs and adjustments


def read_repairs(value: Value, rules: FileRules, build: Build | None) -> dict[str, Any]:
    """Read `repairs`, as keyword arguments of `Spec`: those that are tried, and how many of them are combined."""
    if not isinstance(value.node, Table):
        return {"repairs": _read_repair_list(value, rules, build)}
    found = fields(value, REPAIRS)
    none: tuple[Repair, ...] = ()
    return {
        "repairs": get(found, "try", lambda entry: _read_repair_list(entry, rules, build), none),
        "max_repairs": get(found, "at-most", _AT_MOST, DEFAULT_MAX_REPAIRS),
    }


def _read_repair_list(value: Value, rules: FileRules, build: Build | None) -> tuple[Repair, ...]:
    repairs: list[Repair] = []
    for item in items(value):
        found = fields(item, REPAIR)
        repair = _read_repair(item, found, rules, build)
        if repair.name and repair.name in {other.name for other in repairs}:
            wrong(found["name"], f"another repair is called {in_quotes(repair.name)}: give each a name of its own")
        repairs.append(repair)
    return tuple(repairs)


def _read_repair(value: Value, found: Mapping[str, Value], rules: FileRules, build: Build | None) -> Repair:
    name = get(found, "name", text, "")
    if "name" in found and not re.fullmatch("[a-z0-9-]+", name):
        unwanted(found["name"], "a name of small letters, digits and hyphens")
    elif name in DEVIATION_MEANINGS:
        wrong(found["name"], f"{in_quotes(name)} is a deviation already: give the repair another name")
    when: dict[str, Any] = get(found, "when", lambda entry: _read_trouble(entry, rules), {"when": "missing"})
    if when["when"] == "build-failed" and build is None and not value.context.has_notebooks:
        wrong(found["when"], "no build can fail: the spec has none")
    change = _read_change(found, build)
    if change == Change() and "when" in found and is_understood(value, found):
        wrong(value, "this repair does nothing: say under rename, with, prepare, run or leave-out what it does")
    return Repair(
        name=name,
        about=" ".join(get(found, "about", text, "").split()),
        change=change,
        keeps=get(found, "keeps", read_share, Fraction(1)),
        costs=get(found, "costs", _COST, Fraction(0)),
        **when,
    )


def _read_trouble(value: Value, rules: FileRules) -> dict[str, Any]:
    """Read `when`, as keyword arguments of `Repair`."""
    if not isinstance(value.node, Table):
        if (word := keyword(value)) in ("build-failed", "cannot-start"):
            return {"when": word}
        unwanted(value, "build-failed, cannot-start or {missing: [NAME]}")
        return {"when": "missing"}
    found = fields(value, MISSING_FILES)
    listed = items(found["missing"]) if "missing" in found else []
    if "missing" in found and not listed:
        unwanted(found["missing"], "at least one name")
    names = [inner_name(item) for item in listed]
    needed = [name for one in rules.required if one.costs is None for name in one.names]
    for item, name in zip(listed, names, strict=True):
        if name and name not in needed:
            hint = suggestion(name, needed) if needed else ""
            wrong(item, f"nothing fails for want of {in_quotes(name)}: it is not among the required files{hint}")
    return {"when": "missing", "missing": tuple(names)}


def _read_change(found: Mapping[str, Value], build: Build | None) -> Change:
    if "run" in found and build is None:
        wrong(found["run"], "run stands for that of build, and the spec has none")
    if "leave-out" in found and not found["leave-out"].context.has_notebooks:
        wrong(found["leave-out"], "only notebooks have cells, and `language` is not notebook")
    return Change(
        rename=get(found, "rename", _read_renaming, {}),
        files=get(found, "with", read_work_files, {}),
        prepare=get(found, "prepare", read_commands, ()),
        run=get(found, "run", read_commands, ()),
        leave_out=get(found, "leave-out", _LEFT_OUT, ""),
    )


def _read_renaming(value: Value) -> dict[str, str]:
    renamed = {inner_name(key): inner_name(entry) for key, entry in entries(value).values()}
    if len(set(renamed.values())) < len(renamed):
        wrong(value, "two files would get one name")
    return renamed


def read_adjustments(value: Value, build: Build | None) -> dict[str, Adjustment]:
    """Read `adjustments`: the id of a submission -> what was decided for it."""
    adjusted: dict[str, Adjustment] = {}
    for item in items(value):
        found = fields(item, ADJUSTMENT)
        name, reason = get(found, "submission", text, ""), " ".join(get(found, "reason", text, "").split())
        if "reason" in found and not reason:
            unwanted(found["reason"], "a reason, which the student reads")
        if name and name in adjusted:
            wrong(found["submission"], f"{in_quotes(name)} is adjusted already: say all of it in one place")
        adjusted[name] = Adjustment(
            reason=reason,
            change=_read_change(found, build),
            points=get(found, "points", _POINTS_ON_TOP, Fraction(0)),
        )
    return adjusted
