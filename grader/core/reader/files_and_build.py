"""The parts of a spec about the submitted files: the rules for them, commands, and the course's changes to them.

A repair is for every submission with a certain mistake, an adjustment for one submission. Both change the files in the
same way.
"""

import shlex
from collections.abc import Callable, Mapping
from pathlib import PurePosixPath
from typing import Any, TypeVar

from grader.core.deviations.table import DEVIATION_MEANINGS
from grader.core.model.layout import DEFAULT_MAX_REPAIRS, Adjustment, Build, Change, FileRules, Repair, RequiredFile
from grader.core.model.programs import INTERACTOR_COMPILED, INTERACTOR_STARTS
from grader.core.model.stored_file import LazyBytes, StoredFile
from grader.core.reader.language import (
    ADJUSTMENT,
    BUILD,
    CHANGE,
    FILE_CONTENT,
    FILE_RULES,
    FOLDER_CONTENT,
    MISSING_FILES,
    REPAIR,
    REPAIRS,
    REQUIRED_FILE,
)
from grader.core.text import joined
from grader.core.yaml.nodes import Listing, Table
from grader.core.yaml.types import read_fields, read_found
from grader.core.yaml.value import (
    Context,
    Value,
    attach,
    attach_folder,
    attach_unread,
    attach_with_folder,
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
    parsed,
    suggestion,
    text,
    unwanted,
    with_variables,
    wrong,
)

FileContent = TypeVar("FileContent")

_AT_MOST = parsed(parse_count, "a number of repairs, 1 or more", DEFAULT_MAX_REPAIRS)
_OF_REPAIR = {name: key for name, key in REPAIR.items() if name not in CHANGE}
"""what a repair has beside the change that it makes"""
_ENDINGS = [*INTERACTOR_STARTS, *INTERACTOR_COMPILED]

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


def read_course_program(value: Value) -> dict[str, Any]:
    """Read the name of a program of the course as keyword arguments of `Interactor`, with all files in its folder."""
    name = inner_name(value)
    if name and PurePosixPath(name).suffix not in _ENDINGS:
        unwanted(value, f"a program whose name ends in {joined(_ENDINGS, 'or')}")
        return {"program": name}
    attach_with_folder(value, name)
    folder, _, _ = name.rpartition("/")
    attached = value.context.attached
    neighbours = {other: data for other, data in attached.items() if folder and other.startswith(f"{folder}/")}
    return {"program": name, "files": {**neighbours, name: attached.get(name, b"")}}


# ---------------------------------------------------------------- files of a submission


def read_file_rules(value: Value) -> FileRules:
    """Read `files` of a spec."""
    return FileRules(**read_fields(value, FILE_RULES))


def read_required_file(value: Value) -> RequiredFile:
    """Read a name in `required`, or a mapping with names."""
    if not isinstance(value.node, Table):
        return RequiredFile(names=(inner_name(value),))
    found = fields(value, REQUIRED_FILE)
    read = read_found(found, REQUIRED_FILE, value.context)
    if ("name" in found) == ("any" in found) and is_understood(value, found):
        wrong(value, f"wanted name or any, found {'both' if 'any' in found else 'neither'}")
    if read.get("any") == ():
        unwanted(found["any"], "at least one name")
    names = (read["name"],) if "name" in read else read.get("any", ())
    return RequiredFile(names=names, costs=read.get("costs"))


def read_build(value: Value) -> Build:
    """Read `build` of a spec."""
    found = fields(value, BUILD)
    read = read_found(found, BUILD, value.context)
    jars = read.pop("jars", {})
    if jars and value.context.language != "java":
        wrong(found["jars"], "only programs in java have archives of classes: say under language that they are")
    return Build(**{**read, "files": {**read.get("files", {}), **jars}, "jars": tuple(jars)})


# ---------------------------------------------------------------- repairs and adjustments


def read_repairs(value: Value) -> dict[str, Any]:
    """Read `repairs`, as keyword arguments of `Spec`: those that are tried, and how many of them are combined."""
    if not isinstance(value.node, Table):
        return {"repairs": read_repair_list(value)}
    found = fields(value, REPAIRS)
    repairs = read_repair_list(found["try"]) if "try" in found else ()
    return {"repairs": repairs, "max_repairs": get(found, "at-most", _AT_MOST, DEFAULT_MAX_REPAIRS)}


def read_repair_list(value: Value) -> tuple[Repair, ...]:
    """Read the repairs, each with a name of its own."""
    repairs: list[Repair] = []
    for item in items(value):
        found = fields(item, REPAIR)
        repair = _read_repair(item, found)
        if repair.name and repair.name in {other.name for other in repairs}:
            wrong(found["name"], f"another repair is called {in_quotes(repair.name)}: give each a name of its own")
        repairs.append(repair)
    return tuple(repairs)


def _read_repair(value: Value, found: Mapping[str, Value]) -> Repair:
    read = read_found(found, _OF_REPAIR, value.context)
    if read["name"] in DEVIATION_MEANINGS:
        wrong(found["name"], f"{in_quotes(read['name'])} is a deviation already: give the repair another name")
    trouble = read.pop("when")
    if trouble["when"] == "build-failed" and not (value.context.has_build or value.context.has_notebooks):
        wrong(found["when"], "no build can fail: the spec has none")
    change = _read_change(found, value.context)
    if change == Change() and "when" in found and is_understood(value, found):
        wrong(value, "this repair does nothing: say under rename, with, prepare, run or leave-out what it does")
    return Repair(**read, **trouble, change=change)


def read_trouble(value: Value) -> dict[str, Any]:
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
    needed = value.context.required
    for item, name in zip(listed, names, strict=True):
        if name and name not in needed:
            hint = suggestion(name, needed) if needed else ""
            wrong(item, f"nothing fails for want of {in_quotes(name)}: it is not among the required files{hint}")
    return {"when": "missing", "missing": tuple(names)}


def _read_change(found: Mapping[str, Value], context: Context) -> Change:
    if "run" in found and not context.has_build:
        wrong(found["run"], "run stands for that of build, and the spec has none")
    if "leave-out" in found and not context.has_notebooks:
        wrong(found["leave-out"], "only notebooks have cells, and `language` is not notebook")
    return Change(**read_found(found, CHANGE, context))


def read_renaming(value: Value) -> dict[str, str]:
    """Read the names of files with those that they get."""
    renamed = {inner_name(key): inner_name(entry) for key, entry in entries(value).values()}
    if len(set(renamed.values())) < len(renamed):
        wrong(value, "two files would get one name")
    return renamed


def read_adjustments(value: Value) -> dict[str, Adjustment]:
    """Read `adjustments`: the id of a submission -> what was decided for it."""
    adjusted: dict[str, Adjustment] = {}
    for item in items(value):
        found = fields(item, ADJUSTMENT)
        read = read_found({name: one for name, one in found.items() if name not in CHANGE}, ADJUSTMENT, value.context)
        name = read.pop("submission")
        if "reason" in found and not read["reason"]:
            unwanted(found["reason"], "a reason, which the student reads")
        if name and name in adjusted:
            wrong(found["submission"], f"{in_quotes(name)} is adjusted already: say all of it in one place")
        adjusted[name] = Adjustment(**read, change=_read_change(found, value.context))
    return adjusted
