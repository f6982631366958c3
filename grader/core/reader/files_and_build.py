"""The parts of a spec about the submitted files: the rules for them, commands, and the course's changes to them."""

import os
import re
import shlex
import stat
from collections import Counter
from collections.abc import Callable
from pathlib import PurePosixPath
from typing import Any, TypeVar

from msgspec.structs import replace

from grader.core.deviations.table import DEVIATION_MEANINGS
from grader.core.model.layout import Change
from grader.core.model.programs import INTERACTOR_COMPILED, INTERACTOR_STARTS
from grader.core.model.stored_file import LazyBytes, content_of
from grader.core.text import joined
from grader.core.yaml import value as yaml
from grader.core.yaml.nodes import Listing, Table, entries_of
from grader.core.yaml.types import Found, Said
from grader.core.yaml.value import Value, attach, entries, in_quotes, inner_name, items, text, unwanted, wrong

FileContent = TypeVar("FileContent")
_ENDINGS = [*INTERACTOR_STARTS, *INTERACTOR_COMPILED]
_MAX_FOLDER_FILES = 2_000  # as many as a submission may have
_MAX_FOLDER_BYTES = 64 * 2**20  # it is laid beside what is built

# ---------------------------------------------------------------- commands and contents


def read_command(value: Value) -> tuple[str, ...]:
    """Read a command, a string or a list of words. Variables are filled after the split: a value stays one word."""
    if isinstance(value.node, Listing):
        words = yaml.each_of(read_program_word)(value)
    else:
        try:
            written = shlex.split(text(replace(value, context=replace(value.context, variables=None))))
        except ValueError as error:
            wrong(value, f"this command cannot be split into words: {str(error).lower()}")
            written = []
        words = tuple(read_program_word(value, word) for word in written)
    if not words or not words[0]:
        unwanted(value, "a command")
    return words


def read_commands(value: Value) -> tuple[tuple[str, ...], ...]:
    """Read one command as a string, or a list of commands."""
    several = yaml.each_of(read_command, "at least one command")
    return several(value) if isinstance(value.node, Listing) else (read_command(value),)


def read_program_word(value: Value, part: str | None = None) -> str:
    """Read a text that can be handed to a program, or fill a part of one: one without the character NUL."""
    word = text(value) if part is None else yaml.filled(value, part)
    if "\0" in word:
        wrong(value, "no program can be given the character U+0000 here: leave it out")
    return word


def read_named_files(value: Value, read: Callable[[Value], FileContent]) -> dict[str, FileContent]:
    """Read names of files with their contents, each by `read`."""
    return {_file_name(key, ""): read(entry) for key, entry in entries(value).values()}


def _file_name(key: Value, or_else: str) -> str:
    if (name := inner_name(key)).endswith("/"):
        unwanted(key, f"the name of a file{or_else}")
    return name


def read_work_files(value: Value) -> dict[str, bytes]:
    """Read names of files with their contents, and of folders with the folder of the course that is copied there."""
    folders, files = dict[str, bytes](), dict[str, bytes]()
    for key, entry in entries(value).values():
        if "folder" in entries_of(entry.node):
            found = yaml.fields(entry, "folder-content")
            target = PurePosixPath("." if text(key) == "." else inner_name(key))
            copied = attach_folder(found["folder"], inner_name(found["folder"]).rstrip("/"))
            folders |= {str(target / name): content for name, content in copied.items()}
        else:
            files[_file_name(key, ", or {folder: NAME} for a folder")] = content_of(read_content(entry))
    return folders | files


def attach_folder(value: Value, name: str) -> dict[str, bytes]:
    """Attach all files in a folder below the course root, and return them by their paths in that folder.

    Notes a problem when it is no folder, is empty, has a link or something else that is no file in it, or is too large.
    """
    root, where = value.context.root, value.context.root / name
    is_folder = bool(name) and os.path.realpath(where) == str(where) and os.path.isdir(where)  # noqa: PTH112 - never raises
    facts = yaml.facts_inside(value.context, name) if is_folder else {}
    sizes = {path: fact.st_size for path, fact in facts.items() if stat.S_ISREG(fact.st_mode)}
    odd = [path for path in facts if path not in sizes and not stat.S_ISDIR(facts[path].st_mode)]
    size, most = sum(sizes.values()) / 2**20, _MAX_FOLDER_BYTES // 2**20
    if odd:
        wrong(value, f"{in_quotes(odd[0].relative_to(root).as_posix())} is a link or no file: put a file there")
    elif not sizes:
        no_folder = f"there is no folder {in_quotes(name)} in {root}, or it is a link"
        wrong(value, f"the folder {in_quotes(name)} has no file in it" if is_folder else no_folder)
    elif len(sizes) > _MAX_FOLDER_FILES or size > most:
        told = f"{len(sizes)} files and {size:.1f} MiB, which is too large: {_MAX_FOLDER_FILES} and {most} MiB may be"
        wrong(value, f"the folder {in_quotes(name)} has {told} in one")
    else:
        return {path.relative_to(where).as_posix(): attach(value, path.relative_to(root).as_posix()) for path in sizes}
    return {}


def read_jars(value: Value) -> dict[str, bytes]:
    """Read a list of archives of Java's classes below the course root: name -> content, no two called alike."""
    jars: dict[str, bytes] = {}
    for item in items(value):
        content = attach(item, name := inner_name(item))
        if name and (":" in name or not name.endswith(".jar") or not content.startswith(b"PK")):
            unwanted(item, "an archive of classes, such as lib/stdlib.jar")
        elif PurePosixPath(name).name in {PurePosixPath(other).name for other in jars}:
            wrong(item, f"two archives are called {in_quotes(PurePosixPath(name).name)}: rename one")
        jars[name] = content
    return jars


def read_renaming(value: Value) -> dict[str, str]:
    """Read the names of files with those that they get."""
    renamed = {inner_name(key): inner_name(entry) for key, entry in entries(value).values()}
    if len(set(renamed.values())) < len(renamed):
        wrong(value, "two files would get one name")
    return renamed


def read_content(value: Value) -> LazyBytes:
    """Read what goes to a program: a text, as UTF-8, or `{file: NAME}`, as the file's bytes, a large one unread."""
    if not isinstance(value.node, Table):
        return text(value).encode()
    found = yaml.fields(value, "file-content")
    return yaml.attach_unread(found["file"], inner_name(found["file"])) if "file" in found else b""


def read_course_program(value: Value) -> dict[str, Any]:
    """Read the name of a program of the course as keyword arguments of `Interactor`, with all files in its folder."""
    name = inner_name(value)
    if name and PurePosixPath(name).suffix not in _ENDINGS:
        unwanted(value, f"a program whose name ends in {joined(_ENDINGS, 'or')}")
        return {"program": name}
    yaml.attach_with_folder(value, name)
    folder, slash, _ = name.rpartition("/")
    attached = value.context.attached
    neighbours = {other: attached[other] for other in attached if slash and other.startswith(folder + slash)}
    return {"program": name, "files": {**neighbours, name: attached.get(name, b"")}}


# ---------------------------------------------------------------- rules


def check_required(_value: Value, found: Found, said: Said) -> None:
    """Check a file of `required`, which has one name or several."""
    if said.get("names") == ():
        unwanted(found["any"], "at least one name")
    said["names"] = (said.pop("name"),) if "name" in said else said.get("names", ())


def check_build(value: Value, found: Found, said: Said) -> None:
    """Check `build`; its archives of classes are files, too."""
    jars = said.get("jars", {})
    if jars and value.context.language != "java":
        wrong(found["jars"], "only programs in java have archives of classes: say under language that they are")
    said |= {"files": {**said.get("files", {}), **jars}, "jars": tuple(jars)}


def check_change(value: Value, found: Found, said: Said) -> None:
    """Check what is changed in the work of a student, and make one of it."""
    if "run" in found and not value.context.has_build:
        wrong(found["run"], "run stands for that of build, and the spec has none")
    if "leave-out" in found and not value.context.has_notebooks:
        wrong(found["leave-out"], "only notebooks have cells, and `language` is not notebook")
    said["change"] = Change(**{name: said.pop(name) for name in Change.__struct_fields__ if name in said})


def check_repair(value: Value, found: Found, said: Said) -> None:
    """Check a repair: its name, its trouble and its change."""
    check_change(value, found, said)
    if said["name"] in DEVIATION_MEANINGS:
        wrong(found["name"], f"{in_quotes(said['name'])} is a deviation already: give the repair another name")
    said |= said.pop("trouble")
    if said["when"] == "build-failed" and not (value.context.has_build or value.context.has_notebooks):
        wrong(found["when"], "no build can fail: the spec has none")
    if said["change"] == Change() and "when" in found and yaml.is_understood(value, found):
        wrong(value, "this repair does nothing: say under rename, with, prepare, run or leave-out what it does")


def check_missing(value: Value, found: Found, said: Said) -> None:
    """Check the missing files for which a repair is: without them nothing is built."""
    needed = value.context.required
    for item, name in zip(items(found["missing"]), said["missing"], strict=True) if "missing" in found else ():
        if name and name not in needed:
            hint = yaml.suggestion(name, needed) if needed else ""
            wrong(item, f"nothing fails for want of {in_quotes(name)}: it is not among the required files{hint}")
    if "missing" in found and not said["missing"]:
        unwanted(found["missing"], "at least one name")
    said["when"] = "missing"


def check_adjustment(value: Value, found: Found, said: Said) -> None:
    """Check what was decided for one submission."""
    check_change(value, found, said)
    if "reason" in found and not said["reason"]:
        unwanted(found["reason"], "a reason, which the student reads")


# ---------------------------------------------------------------- packages for Python

_NAME = r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?"
_ONE_VERSION = r"(?:==|!=|>=|<=|~=|>|<) ?[0-9][A-Za-z0-9.+!-]*(?:\.\*)?"
REQUIREMENT = rf"^{_NAME}(?: ?\[{_NAME}(?:, ?{_NAME})*\])?(?: ?{_ONE_VERSION}(?: ?, ?{_ONE_VERSION})*)?$"
"""PEP 508 without addresses and markers: a name, parts of it in brackets, versions"""


def read_requires(value: Value) -> tuple[str, ...]:
    """Read the packages that an assignment requires, each as pip reads it: without spaces."""
    context = value.context
    if context.language and (context.languages.get(context.language, {}).get("like") or context.language) != "python":
        wrong(value, f"packages are for Python, and `language` is {in_quotes(context.language)}")
    found = yaml.each_of(read_requirement, "at least one package")(value)
    if repeated := [name for name, times in Counter(map(package_name, found)).items() if times > 1]:
        wrong(value, f"{in_quotes(repeated[0])} is in this list more than once: keep one")
    return found


def package_name(requirement: str) -> str:
    """Return the name in a requirement, as the index spells it: PEP 503."""
    return re.sub(r"[-_.]+", "-", re.split(r"[^A-Za-z0-9._-]", requirement)[0]).lower()


def read_requirement(value: Value) -> str:
    """Read a package with its versions, and nothing else that pip would take."""
    if not re.fullmatch(REQUIREMENT, written := text(value), re.ASCII):
        unwanted(value, "a package such as numpy or numpy>=1.26, without addresses and options of pip")
    return written.replace(" ", "")
