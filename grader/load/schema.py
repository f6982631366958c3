"""A spec file -> `Spec`: the top level of the language, and the one place that raises what was noted."""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from grader.errors import SpecError
from grader.load.cases import tests
from grader.load.command import command, commands
from grader.load.files import inner_name, read_bytes
from grader.load.nodes import parse
from grader.load.parts import limits, parts
from grader.load.value import (
    Context,
    Value,
    choice,
    each_of,
    fields,
    get,
    keyword,
    text,
    unwanted,
)
from grader.model import LANGUAGES, Build, FileRules, Spec

VERSION = "1"
_REQUIRED = ("spec", "id", "title", "program", "tests")
_TOP_KEYS = (
    "spec",
    "id",
    "title",
    "course",
    "source",
    "about",
    "language",
    "files",
    "build",
    "program",
    "reference",
    "limits",
    "tolerate",
    "tests",
)
_FILE_RULES = ("required", "discard", "forbidden", "optional")


def load(path: Path) -> Spec:
    """Read a spec. SpecError with all its mistakes, in their order; UsageError when there is no such file."""
    data = read_bytes(path)
    folder = path.parent.resolve()
    root = folder.parent if folder.name == "specs" else folder
    top = Value(node=parse(data, str(path)), path="", context=Context(file=str(path), root=root))
    spec = _spec(top, data)
    if top.context.problems:
        raise SpecError(tuple(top.context.problems.values()))
    return spec


def _spec(top: Value, data: bytes) -> Spec:
    found = fields(top, _TOP_KEYS, required=_REQUIRED)
    name = get(found, "id", _id, "")
    language = get(found, "language", choice(LANGUAGES, "language"), "shell")
    context = replace(top.context, spec=name, language=language, has_reference="reference" in found)
    found = {key: replace(value, context=context) for key, value in found.items()}
    base = parts({key: found[key] for key in ("limits", "tolerate") if key in found})
    get(found, "spec", _version, None)
    # The tests come before the digest: they attach files.
    return Spec(
        id=name,
        title=get(found, "title", text, ""),
        root=context.root,
        tests=get(found, "tests", lambda value: tests(value, base), ()),
        program=get(found, "program", command, ()),
        reference=get(found, "reference", command, None),
        language=language,
        course=get(found, "course", text, ""),
        source=get(found, "source", text, ""),
        about=get(found, "about", text, ""),
        files=get(found, "files", _file_rules, FileRules()),
        build=get(found, "build", _build, None),
        digest=_digest(data, context.attached),
        source_text=data,
        attached=dict(context.attached),
    )


def _version(value: Value) -> None:
    if keyword(value) != VERSION:
        unwanted(value, f"{VERSION}, the version of the language that this grader knows")


def _id(value: Value) -> str:
    name = text(value)
    if not re.fullmatch("[a-z0-9-]+", name):
        unwanted(value, "an id of small letters, digits and hyphens")
    return name


def _file_rules(value: Value) -> FileRules:
    found = fields(value, _FILE_RULES)
    return FileRules(**{key: each_of(inner_name)(entry) for key, entry in found.items()})


def _build(value: Value) -> Build:
    found = fields(value, ("run", "produces", "limits"), required=("run",))
    return Build(
        run=get(found, "run", commands, ()),
        produces=get(found, "produces", each_of(inner_name), ()),
        limits=get(found, "limits", limits, {}),
    )


def _digest(data: bytes, attached: Mapping[str, bytes]) -> str:
    digest = hashlib.sha256(data)
    for name in sorted(attached):
        digest.update(f"\0{name}\0{len(attached[name])}\0".encode())
        digest.update(attached[name])
    return digest.hexdigest()
