"""A spec file -> `Spec`: the top level of the language, and the one place that raises what was noted."""

import hashlib
import re
from dataclasses import replace
from pathlib import Path

from grader.errors import SpecError
from grader.load.cases import read_command, read_commands, read_every_test, read_limits, read_parts
from grader.load.files import read_bytes
from grader.load.language import BUILD, FILE_RULES, MARKING, TOP
from grader.model import LANGUAGES, Build, FileRules, Spec
from grader.yaml.attached import inner_name
from grader.yaml.nodes import parse
from grader.yaml.value import (
    Context,
    Value,
    choice,
    each_of,
    fields,
    get,
    items,
    keyword,
    text,
    unwanted,
    wrong,
)

LANGUAGE_VERSION = "1"


def load(path: Path) -> Spec:
    """Read a spec. SpecError with all its mistakes, in their order; UsageError when there is no such file."""
    folder = path.parent.resolve()
    return read(read_bytes(path), str(path), folder.parent if folder.name == "specs" else folder)


def read(data: bytes, file: str, root: Path) -> Spec:
    """Read the bytes of a spec in the course at `root`, as `load` does; `file` is for messages."""
    top = Value(node=parse(data, file), path="", context=Context(file=file, root=root))
    spec = _read_top(top, data)
    if top.context.problems:
        raise SpecError(tuple(top.context.problems.values()))
    return spec


def _read_top(top: Value, data: bytes) -> Spec:
    found = fields(top, TOP)
    name = get(found, "id", _read_id, "")
    language = get(found, "language", choice(LANGUAGES, "language"), "shell")
    context = replace(top.context, spec=name, language=language, has_reference="reference" in found)
    found = {key: replace(value, context=context) for key, value in found.items()}
    base = read_parts({key: found[key] for key in ("limits", "tolerate") if key in found})
    if "spec" in found and keyword(found["spec"]) != LANGUAGE_VERSION:
        unwanted(found["spec"], f"{LANGUAGE_VERSION}, the version of the language that this grader knows")
    # The tests come before the digest: they attach files.
    return Spec(
        id=name,
        title=get(found, "title", text, ""),
        root=context.root,
        tests=get(found, "tests", lambda value: read_every_test(value, base), ()),
        program=get(found, "program", read_command, ()),
        reference=get(found, "reference", read_command, None),
        language=language,
        course=get(found, "course", text, ""),
        source=get(found, "source", text, ""),
        about=get(found, "about", text, ""),
        files=get(found, "files", _read_file_rules, FileRules()),
        build=get(found, "build", _read_build, None),
        equivalent=get(found, "equivalent", _read_markings, {}),
        digest=_digest_with_files(context, data),
        source_text=data,
        attached=dict(context.attached),
    )


def _read_id(value: Value) -> str:
    name = text(value)
    if not re.fullmatch("[a-z0-9-]+", name):
        unwanted(value, "an id of small letters, digits and hyphens")
    return name


def _read_file_rules(value: Value) -> FileRules:
    found = fields(value, FILE_RULES)
    return FileRules(**{key: each_of(inner_name)(entry) for key, entry in found.items()})


def _read_build(value: Value) -> Build:
    found = fields(value, BUILD)
    return Build(
        run=get(found, "run", read_commands, ()),
        produces=get(found, "produces", each_of(inner_name), ()),
        limits=get(found, "limits", read_limits, {}),
    )


def _read_markings(value: Value) -> dict[str, str]:
    marked: dict[str, str] = {}
    for item in items(value):
        found = fields(item, MARKING)
        name = get(found, "mutant", text, "")
        if "mutant" in found and (not name or not name.isprintable()):
            unwanted(found["mutant"], "the name of a mutant, on one line")
        if name in marked:
            wrong(found["mutant"], "this mutant is marked twice: keep one reason")
        marked[name] = get(found, "reason", text, "")
    return marked


def _digest_with_files(context: Context, data: bytes) -> str:
    digest = hashlib.sha256(data)
    # That a folder counts as a whole is a fact of its own: it enters under its name, as a file without content.
    named = {**context.attached, **{f"{folder}/": b"" for folder in context.folders}}
    for name in sorted(named):
        digest.update(f"\0{name}\0{len(named[name])}\0".encode())
        digest.update(named[name])
    return digest.hexdigest()
