"""A spec file -> `Spec`: the top level of the language, its tests with every case expanded."""

import hashlib
from pathlib import Path

from msgspec.structs import replace

from grader.core.comparators.lines import LineOptions
from grader.core.errors import SpecError
from grader.core.kind import CaseParts
from grader.core.model.layout import FileRules, NotebookRules
from grader.core.model.spec import Spec, Test
from grader.core.model.stored_file import ContentsByName, content_pieces, size_of
from grader.core.notebook.linear import is_notebook
from grader.core.reader.cases import MAX_CASES, write_out_cases
from grader.core.reader.language import DEFAULTS, FOR_ALL, TEST, TOP, TYPES, read_parts
from grader.core.reader.paths import read_bytes, root_of_spec
from grader.core.reader.reference import check_references, read_references
from grader.core.reader.shares import check_shares, check_steps, read_credit, read_scoring, weigh_cases
from grader.core.reader.toolchains import languages_of_course
from grader.core.yaml.parsing import parse
from grader.core.yaml.types import Found, Said, read_found
from grader.core.yaml.value import Context, Value, each_of, fields, in_quotes, items, suggestion, text, wrong
from grader.core.yaml.writing import write_without

_APART = "adjustments"
"""the key under which nothing counts for every submission"""
_FIRST = {name: TOP[name] for name in ("id", "language", "program", "files")}
"""keys of the top level that readers of others need"""
_OF_SPEC = {name: key for name, key in TOP.items() if name not in (*FOR_ALL, *_FIRST, _APART)}
_OF_TEST = {name: key for name, key in TEST.items() if key.into in Test.__struct_fields__}


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
        test = _read_test(item, found, base, patience, MAX_CASES - len(ids))
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


def _read_test(value: Value, found: Found, base: CaseParts, patience: int | None, most_cases: int) -> Test:
    said = {**read_found(found, _OF_TEST, value.context), **({} if "patience" in found else {"patience": patience})}
    name = said["name"]
    cases = weigh_cases(name, found, tuple(write_out_cases(name, value, found, base, most_cases)))
    check_shares(found, said, cases)
    if any(leaf.how == "lines" and leaf.get(LineOptions).by_line for case in cases for _, leaf in case.texts):
        check_steps(value, found, "lines", "cases of which all lines are right")
    scoring = read_scoring(found["scoring"], len(cases)) if "scoring" in found else None
    return Test(**said, credit=read_credit(found, cases), scoring=scoring, cases=cases)
