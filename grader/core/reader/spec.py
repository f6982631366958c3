"""A spec file -> `Spec`: the top level of the language, its tests with every case expanded.

Texts for students, `about` and `hint`, belong to the test, and variables in them are not replaced.
"""

import hashlib
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from grader.core.comparators.lines import LineOptions
from grader.core.errors import SpecError
from grader.core.model.layout import Build, FileRules, NotebookRules
from grader.core.model.programs import match_program
from grader.core.model.spec import Spec, Test
from grader.core.model.stored_file import ContentsByName, content_pieces, size_of
from grader.core.model.toolchain import LANGUAGES
from grader.core.notebook.linear import is_notebook
from grader.core.reader.case_parts import FOR_ALL, read_parts
from grader.core.reader.cases import write_out_cases
from grader.core.reader.files_and_build import (
    read_command,
    read_repairs,
)
from grader.core.reader.key_aliases import ELSEWHERE
from grader.core.reader.language import (
    DEFAULTS,
    TEST,
    TOP,
)
from grader.core.reader.paths import read_bytes, root_of_spec
from grader.core.reader.reference import check_references, read_reference, read_references
from grader.core.reader.scoring import read_scoring
from grader.core.reader.shares import check_steps, read_credit, weigh_cases
from grader.core.reader.toolchains import own_languages
from grader.core.reader.types import TYPES
from grader.core.reader.variables import MAX_CASES
from grader.core.yaml.nodes import Listing, without_key
from grader.core.yaml.parsing import parse
from grader.core.yaml.types import read_found
from grader.core.yaml.value import (
    Context,
    Value,
    boolean,
    choice,
    fields,
    get,
    in_quotes,
    items,
    suggestion,
    text,
    unwanted,
    wrong,
)
from grader.kinds.base import CaseParts

_NOTEBOOK = "notebook"
_POINTS = TYPES["points"].read
_APART = "adjustments"
"""the key under which nothing counts for every submission"""
_ADJUSTMENTS = {_APART: TOP[_APART]}
_BY_TYPE = ("spec", "patience", "files", "build", "notebook", "title", "requires", "course", "source", "about")
_FIRST = {name: TOP[name] for name in (*_BY_TYPE, "once", "budget", "equivalent", "seed")}
"""keys of the top level that need no others"""
_SIMPLE = ("name", "about", "bonus", "needs", "unlike", "visibility", "hint", "all_or_nothing")
_OF_TEST = {name: TEST[name] for name in _SIMPLE}
"""the same of a test"""


def load(path: Path) -> Spec:
    """Read a spec. SpecError with all its mistakes, in their order; UsageError when there is no such file."""
    return read(read_bytes(path), str(path), root_of_spec(path))


def read(
    data: bytes, file: str, root: Path, listings: dict[str, tuple[str, ...]] | None = None, *, seed: str = ""
) -> Spec:
    """Read the bytes of a spec in the course at `root`, as `load` does; `file` is for messages.

    `listings` gets the contents of each folder that was read. Random numbers depend on the `seed`, or else on the
    spec's id, which is no secret.
    """
    noted = {} if listings is None else listings
    start = Context(file=file, root=root, types=TYPES, elsewhere=ELSEWHERE, listings=noted)
    top = Value(node=parse(data, file), path="", context=start)
    context, found = _read_assignment(top, seed)
    shared = Spec(
        **_read_keys(found, context),
        root=root,
        drawn_from=seed,
        digest="",
        # All that attaches files comes before this, but for what is decided for single submissions.
        shared_digest=_digest_with_files(context, without_key(top.node, _APART)),
        source_text=data,
    )
    if not context.problems:
        check_references(found, shared)
    spec = replace(
        shared,
        **read_found(_within(found, replace(context, has_build=shared.build is not None)), _ADJUSTMENTS, context),
        digest=_digest_with_files(context, data),
        attached=ContentsByName(dict(context.contents)),
    )
    if context.problems:
        raise SpecError(tuple(context.problems.values()))
    return spec


def _read_assignment(top: Value, seed: str) -> tuple[Context, Mapping[str, Value]]:
    """Return what the readers of all keys know of the assignment, and the keys of the top level."""
    found = fields(top, TOP)
    name = get(found, "id", TYPES["id"].read, "")
    languages = own_languages(top)
    language = get(found, "language", choice(tuple(dict.fromkeys([*LANGUAGES, *languages])), "language"), "shell")
    context = replace(
        top.context,
        spec=name,
        language="python" if language == _NOTEBOOK else language,
        has_notebooks=language == _NOTEBOOK,
        languages=languages,
        has_reference="reference" in found or "references" in found,
        seed=seed or name,
        program=read_command(found["program"]) if "program" in found else (),
    )
    return context, _within(found, context)


def _within(found: Mapping[str, Value], context: Context) -> Mapping[str, Value]:
    return {key: replace(value, context=context) for key, value in found.items()}


def _read_keys(found: Mapping[str, Value], context: Context) -> dict[str, Any]:
    """Read the keys of the top level, as keyword arguments of `Spec`."""
    defaults = read_parts({key: found[key] for key in FOR_ALL if key in found}, None)
    defaults = {**defaults, **get(found, "defaults", lambda value: read_parts(fields(value, DEFAULTS), {}), {})}
    read = read_found(found, _FIRST, context)
    files, build = read.get("files", FileRules()), read.get("build")
    if context.has_notebooks and not any(map(is_notebook, files.required_names)):
        wrong(found["language"], "no notebook is required: name it under files, such as `required: [hw1.ipynb]`")
    needed = [name for one in files.required if one.costs is None for name in one.names]
    later = _within(found, replace(context, required=needed, has_build=build is not None))
    patience, none = read.pop("patience"), tuple[Test, ...]()
    tests = get(found, "tests", lambda value: _read_every_test(value, defaults, patience), none)
    return {
        **{key: value for key, value in read.items() if key != "spec"},
        **get(later, "repairs", read_repairs, dict[str, Any]()),
        **_read_references(found, context.language, build, context.program),
        "id": context.spec,
        "tests": tests,
        "program": context.program,
        "language": context.language,
        "notebook": read.get("notebook", NotebookRules()) if context.has_notebooks else None,
        "languages": context.languages,
    }


def _read_references(
    found: Mapping[str, Value], language: str, build: Build | None, program: tuple[str, ...]
) -> dict[str, Any]:
    """Read `reference` and `references`: of the latter, one may be the former."""
    around = language, build, program
    own = read_reference(found["reference"], *around) if "reference" in found else {}
    others = read_references(found["references"], *around) if "references" in found else {}
    if not own and (name := match_program(program, others)) is not None:
        own = others[name]
    return {**own, "references": others}


def _digest_with_files(context: Context, data: bytes) -> str:
    digest = hashlib.sha256(data)
    # A whole folder is a fact of its own: it enters under its name, as a file without content.
    named = {**context.contents, **{f"{folder}/": b"" for folder in context.folders}}
    for name, content in sorted(named.items()):
        digest.update(f"\0{name}\0{size_of(content)}\0".encode())
        for piece in content_pieces(content):
            digest.update(piece)
    return digest.hexdigest()


# ---------------------------------------------------------------- tests


def _read_every_test(value: Value, base: CaseParts, patience: int | None) -> tuple[Test, ...]:
    """Read `tests`; `base` and `patience` are the spec's values for all. A test can need only earlier tests."""
    found = [fields(item, TEST) for item in items(value)]
    places: dict[str, int] = {}
    ids: set[str] = set()
    result: list[Test] = []
    for index, item in enumerate(items(value)):
        test = _read_test(item, found[index], base, patience, MAX_CASES - len(ids))
        own = [case.id for case in test.cases]
        is_first = places.setdefault(test.name, index) == index
        if "name" in found[index] and not is_first:
            wrong(found[index]["name"], f"another test is called {in_quotes(test.name)}: give each a name of its own")
        elif "name" in found[index] and (len(set(own)) < len(own) or not ids.isdisjoint(own)):
            same = f"two cases would be called the same, such as {in_quotes(own[0])}"
            wrong(item, f"{same}: rename the test or its values")
        ids.update(own)
        result.append(test)
    for index, keys in enumerate(found):
        _check_needs(keys, places, index)
    if not found:
        unwanted(value, "at least one test")
    return tuple(result)


def _read_test(
    value: Value, found: Mapping[str, Value], base: CaseParts, patience: int | None, most_cases: int
) -> Test:
    read = read_found(found, _OF_TEST, value.context)
    name = read["name"]
    cases = weigh_cases(name, found, tuple(write_out_cases(name, value, found, base, most_cases)))
    if any(leaf.how == "lines" and leaf.get(LineOptions).by_line for case in cases for _, leaf in case.texts):
        check_steps(value, found, "lines", "cases of which all lines are right")
    return Test(
        **read,
        points=get(found, "points", _POINTS, Fraction("costs" not in found)),
        costs=_read_costs(found),
        stops=_stops(found),
        patience=get(found, "patience", TYPES["patience"].read, patience),
        credit=read_credit(found, cases),
        scoring=read_scoring(found, len(cases)),
        cases=cases,
    )


def _read_costs(found: Mapping[str, Value]) -> Fraction:
    """Read what a test takes off: it has neither points, as another one has, nor programs that give them."""
    costs = get(found, "costs", _POINTS, Fraction(0))
    if "costs" in found and not costs:
        wrong(found["costs"], "this takes nothing off: leave it out")
    for key in ("bonus", "scoring", *(["points"] if get(found, "points", _POINTS, Fraction(0)) else [])):
        if costs and key in found:
            wrong(found[key], f"costs takes points off, and this test gives none: take {key} or costs out")
    return costs


def _stops(found: Mapping[str, Value]) -> bool:
    """Whether a test ends at its first failure; note when that would change its points."""
    if "stop" not in found:
        return False
    if not get(found, "all_or_nothing", boolean, default=False):
        wrong(found["stop"], "each case of this test has points of its own, which it would lose: add all_or_nothing")
    return bool(TYPES["stop"].read(found["stop"]))


def _check_needs(found: Mapping[str, Value], places: Mapping[str, int], index: int) -> None:
    lists = (value for key in ("needs", "unlike") if (value := found.get(key)) and isinstance(value.node, Listing))
    for item in (item for value in lists for item in items(value)):
        name = text(item)
        place = places.get(name)
        if place is None:
            earlier = [other for other, at in places.items() if at < index]
            wrong(item, f"no test is called {in_quotes(name)}{suggestion(name, earlier) if earlier else ''}")
        elif place == index:
            wrong(item, "a test cannot need itself")
        elif place > index:
            wrong(item, f"{in_quotes(name)} comes later, and a test can need only those before it: move one of them")
