"""A spec file -> `Spec`: the top level of the language, its tests with every case expanded."""

import hashlib
import os
import re
import shlex
from pathlib import Path, PurePosixPath

from msgspec.structs import replace

from grader.core.errors import SpecError
from grader.core.kind import CaseParts
from grader.core.model.layout import Build, FileRules, NotebookRules
from grader.core.model.programs import MADE_PROGRAM, PROGRAM_KINDS, ProgramKind, ReferenceWork, match_program
from grader.core.model.spec import Spec, Test
from grader.core.model.stored_file import ContentsByName, content_pieces, size_of
from grader.core.notebook.linear import is_notebook, module_name
from grader.core.reader.cases import MAX_CASES, read_test
from grader.core.reader.language import DEFAULTS, FOR_ALL, REFERENCE_WORK, TEST, TOP, TYPES, read_parts
from grader.core.reader.paths import read_bytes, root_of_spec
from grader.core.reader.toolchains import languages_of_course
from grader.core.reader.types import read_command
from grader.core.yaml import value as yaml
from grader.core.yaml.nodes import Listing, Table, write_without
from grader.core.yaml.parsing import parse
from grader.core.yaml.types import Found, Said, read_found
from grader.core.yaml.value import Context, Value, each_of, entries, fields, in_quotes, items, suggestion, text, wrong

_APART = "adjustments"
"""the key under which nothing counts for every submission"""
_FIRST = {name: TOP[name] for name in ("id", "language", "program", "files")}
"""keys of the top level that readers of others need"""
_OF_SPEC = {name: key for name, key in TOP.items() if name not in (*FOR_ALL, *_FIRST, _APART)}


def load(path: Path) -> Spec:
    """Read a spec. SpecError with all its mistakes, in their order; UsageError when there is no such file."""
    return read(read_bytes(path), str(path), root_of_spec(path))


def read(
    data: bytes, file: str, root: Path, listings: dict[str, tuple[str, ...]] | None = None, *, seed: str = ""
) -> Spec:
    """Read a spec in the course at `root`, called `file` in messages; `listings` gets the folders that were read.

    What is drawn depends on the `seed`, or else on the spec's id, which is no secret.
    """
    context = Context(file=file, root=root, types=TYPES, listings={} if listings is None else listings)
    top = Value(node=parse(data, file), path="", context=context)
    context.languages = languages_of_course(root, top)
    found = fields(top, TOP)
    said = {"files": FileRules(), **read_found(found, _FIRST, context), "languages": context.languages}
    context.spec, context.seed, context.program = said["id"], seed or said["id"], said["program"]
    context.has_notebooks = said["language"] == "notebook"
    context.language = said["language"] = "python" if context.has_notebooks else said["language"]
    context.has_reference = not found.keys().isdisjoint(("reference", "references"))
    context.has_build = "build" in found
    context.required = [name for one in said["files"].required if one.costs is None for name in one.names]
    said |= _read_keys(found, context, said["files"])
    # All that attaches files comes before this, but for what is decided for single submissions.
    shared_digest = _digest_with_files(context, write_without(top.node, data, _APART))
    shared = Spec(**said, root=root, drawn_from=seed, digest="", shared_digest=shared_digest, source_text=data)
    if not context.problems:
        check_references(found, shared)
    adjusted = read_found(found, {_APART: TOP[_APART]}, context)
    if context.problems:
        raise SpecError(tuple(context.problems.values()))
    digest = _digest_with_files(context, data)
    return replace(shared, **adjusted, digest=digest, attached=ContentsByName(dict(context.contents)))


def _read_keys(found: Found, context: Context, files: FileRules) -> Said:
    """Read the other keys of the top level, as keyword arguments of `Spec`."""
    defaults = read_parts({key: found[key] for key in FOR_ALL if key in found}, None)
    if "defaults" in found:
        defaults = {**defaults, **read_parts(fields(found["defaults"], DEFAULTS), {})}
    said = read_found(found, _OF_SPEC, context)
    if context.has_notebooks:
        if not any(map(is_notebook, files.required_names)):
            wrong(found["language"], "no notebook is required: name it under files, such as `required: [hw1.ipynb]`")
        said.setdefault("notebook", NotebookRules())
    tests = _read_tests(found["tests"], defaults, said["patience"]) if "tests" in found else ()
    own = {name: read for name, read in said.items() if name in Spec.__struct_fields__}
    return {**own, **said.get("repairs", {}), **read_references(found, said.get("build")), "tests": tests}


def _digest_with_files(context: Context, data: bytes) -> str:
    digest = hashlib.sha256(data)
    # A whole folder is a fact of its own: it enters under its name, as a file without content.
    named = {**context.contents, **{f"{folder}/": b"" for folder in context.folders}}
    for name, content in sorted(named.items()):
        digest.update(f"\0{name}\0{size_of(content)}\0".encode())
        for piece in content_pieces(content):
            digest.update(piece)
    return digest.hexdigest()


def _read_tests(value: Value, base: CaseParts, patience: int | None) -> tuple[Test, ...]:
    """Read `tests`; `base` and `patience` are the spec's values for all. A test can need only earlier tests."""
    listed = each_of(lambda item: (item, fields(item, TEST)), "at least one test")(value)
    names = [read_found(found, {"name": TEST["name"]}, value.context)["name"] for _, found in listed]
    ids: set[str] = set()
    tests: list[Test] = []
    for index, (item, found) in enumerate(listed):
        test = read_test(item, found, base, patience, MAX_CASES - len(ids))
        own = [case.id for case in test.cases]
        if "name" in found and test.name in names[:index]:
            wrong(found["name"], f"another test is called {in_quotes(test.name)}: give each a name of its own")
        elif "name" in found and (len(set(own)) < len(own) or not ids.isdisjoint(own)):
            same = f"two cases would be called the same, such as {in_quotes(own[0])}"
            wrong(item, f"{same}: rename the test or its values")
        ids.update(own)
        tests.append(test)
        for one in (one for key in ("needs", "unlike") if key in found for one in items(found[key])):
            if (name := text(one)) not in names:
                wrong(one, f"no test is called {in_quotes(name)}{suggestion(name, names[:index]) if index else ''}")
            elif name not in names[:index]:
                later = f"{in_quotes(name)} comes later, and a test can need only those before it: move one of them"
                wrong(one, later if name != names[index] else "a test cannot need itself")
    return tuple(tests)


_Command = tuple[str, ...]


def read_references(found: Found, build: Build | None) -> Said:
    """Read `reference` and `references`, of which one may be the former, as keyword arguments of `Spec`."""
    own = _read_reference(found["reference"], build) if "reference" in found else {}
    others: dict[str, Said] = {}
    for name, (key, item) in entries(found["references"]).items() if "references" in found else ():
        if not re.fullmatch(r"[^\s/]+", name):
            yaml.unwanted(key, "the name of a program as commands have it, such as unique or unique.py")
        others[name] = _read_reference(item, build)
        if not own and match_program(item.context.program, [name]) is not None:
            own = others[name]
    if "references" in found and not others:
        yaml.unwanted(found["references"], "at least one reference")
    return {**own, "references": others}


def _read_reference(value: Value, build: Build | None) -> Said:
    if isinstance(value.node, Table):
        found = yaml.fields(value, REFERENCE_WORK)
        said = read_found(found, REFERENCE_WORK, value.context)
        if said["files"] and not os.path.exists(value.context.root / said["files"]):  # noqa: PTH110 - never raises
            wrong(found["files"], f"there is no file or folder {in_quotes(said['files'])} in {value.context.root}")
            return {}
        return _make_work(found["files"], build, said) if said["files"] else {}
    command = read_command(value)
    name = command[0] if len(command) == 1 and not isinstance(value.node, Listing) else "/"
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts:
        return {"reference": command}
    if is_notebook(name):
        return {"reference": ("python3", module_name(name))}
    return _make_work(value, build, {"files": name}, command)


def check_references(found: Found, spec: Spec) -> None:
    """Note cases that ask a reference where none answers for what they start, and references that nobody asks."""
    named = {} if "references" not in found else {name: key for name, (key, _) in entries(found["references"]).items()}
    own = match_program(spec.program, named)
    if own is not None and "reference" in found:
        wrong(named[own], "reference says what answers for the program already: keep one of the two")
    cases = [case for test in spec.tests for case in test.cases]
    asked = {own, *map(spec.reference_name, cases)}
    for name in named.keys() - asked:
        programs = sorted({PurePosixPath(case.command[-1]).stem for case in cases if case.command})
        hint = suggestion(name, programs) if programs else ": the tests start others by their command"
        wrong(named[name], f"no test starts a program of this name{hint}")
    for item, test in zip(items(found["tests"]), spec.tests, strict=True):
        case = next((one for one in test.cases if one.asks_reference and spec.reference_name(one) is None), None)
        keys = entries(item)
        if case and case.command is None:
            where = keys.get("expect", (item, item))[1]
            wrong(where, "no reference answers for the program: name its own under reference")
        elif case and case.command:
            number = re.search(r"\.cases\[(\d+)\]$", case.path)
            keys |= entries(items(keys["cases"][1])[int(number[1])]) if number else {}
            write = f"write `references: {{{name_reference(case.command)}: ...}}` with what is right for this one"
            told = f"no reference is for {in_quotes(shlex.join(case.command))}: {write}"
            wrong(keys.get("command", (item, item))[1], f"{told}, or let it be a folder with all programs")


def name_reference(command: _Command) -> str:
    """Return a name for what a command starts, as `references` has it: `unique` for `python3 unique.py -c`."""
    words = [word for place, word in enumerate(command) if not word.startswith("-") and (place or len(command) == 1)]
    last = (words or [command[0]])[-1].split()
    return PurePosixPath(last[-1]).stem if last else "name"


def _make_work(value: Value, build: Build | None, said: Said, command: _Command = ()) -> Said:
    """Make a reference of a file or folder; else it may be a `command`. `build` is that of submissions."""
    context, path = value.context, PurePosixPath(said["files"])
    name, commands, program = path.as_posix(), said.get("commands", ()), said.get("program", ())
    listing = context.listings[name] = yaml.names_inside(context.root, name)
    is_folder, ending, kind, beside = bool(listing), "", PROGRAM_KINDS.get(path.suffix), dict[str, bytes]()
    language = said.get("language") or (context.language if is_folder else kind.language if kind else "")
    language = "python" if language == "notebook" else language
    if not language and command:
        return {"reference": command}
    if not language:
        wrong(value, f"{in_quotes(name)} is no folder, and its ending tells no language: name that under language")
        return {}
    if is_folder or kind is None or kind.language != language:
        # Of a language that nobody knows, the keys say it all.
        others = (one for one in PROGRAM_KINDS.items() if one[1].language == language)
        ending, kind = next(others, ("", ProgramKind(language=language, start=())))
    own, is_made = context.program if language == context.language else (), MADE_PROGRAM in " ".join(kind.start)
    if is_folder:
        started = own or (kind.start if is_made else ())
        if own and build and not commands:
            commands, beside = build.run, dict(build.files)
        elif not own and kind.build and not commands:
            commands = (("sh", "-c", shlex.join(kind.build).replace(shlex.quote("{file}"), f"*{ending}")),)
    elif not (commands or program or kind.build) and kind.start:
        is_script = yaml.attach(value, name).startswith(b"#!")
        return {"reference": (name if "/" in name else f"./{name}",) if is_script else _filled(kind.start, name)}
    else:  # its own build determines the name of what it makes
        started = own if commands and is_made else _filled(kind.start, path.name)
        commands = commands or ((_filled(kind.build, path.name),) if kind.build else ())
    if not (program or started):
        wrong(value, f"nothing says how {in_quotes(name)} in {language} is started: name that under program")
    place = {"folder": name} if is_folder else {"folder": name.rpartition("/")[0], "files": (name,)}
    is_like = is_folder and bool(own) and not program
    work = ReferenceWork(language=language, build=commands, beside=beside, is_like_submissions=is_like, **place)
    return {"reference": program or started, "reference_work": work}


def _filled(command: _Command, name: str) -> _Command:
    return tuple(word.format(file=name, name=PurePosixPath(name).stem) for word in command)
