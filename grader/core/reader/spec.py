"""A spec file -> `Spec`: the top level of the language, its tests with every case expanded.

Texts for students, `about` and `hint`, belong to the test, and variables in them are not replaced.
"""

import hashlib
import math
import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal, cast

from msgspec.structs import replace

from grader.core.comparators.lines import LineOptions
from grader.core.deviations.table import DEVIATIONS
from grader.core.errors import SpecError
from grader.core.model.generated_inputs import SeedKind
from grader.core.model.layout import Adjustment, Build, FileRules, NotebookRules
from grader.core.model.programs import match_program
from grader.core.model.spec import MAX_TIMEOUTS_IN_A_ROW, Spec, Test
from grader.core.model.stored_file import ContentsByName, StoredFile, size_of
from grader.core.model.toolchain import LANGUAGES
from grader.core.notebook.linear import is_notebook
from grader.core.reader.case_parts import FOR_ALL, read_parts
from grader.core.reader.cases import write_out_cases
from grader.core.reader.files_and_build import (
    read_adjustments,
    read_command,
    read_commands,
    read_file_rules,
    read_jars,
    read_repairs,
    read_work_files,
)
from grader.core.reader.key_aliases import ELSEWHERE
from grader.core.reader.language import (
    BUILD,
    DEFAULTS,
    HINT,
    MARKING,
    NOTEBOOK,
    TEST,
    TOP,
)
from grader.core.reader.limits import read_limits
from grader.core.reader.paths import read_bytes, root_of_spec
from grader.core.reader.reference import check_references, read_reference, read_references
from grader.core.reader.requirements import read_requires
from grader.core.reader.scoring import read_scoring
from grader.core.reader.shares import check_steps, read_credit, weigh_cases
from grader.core.reader.toolchains import own_languages
from grader.core.reader.variables import MAX_CASES
from grader.core.yaml.nodes import Listing, Scalar, Table, without_key
from grader.core.yaml.parsing import parse
from grader.core.yaml.value import (
    Context,
    Value,
    boolean,
    choice,
    each_of,
    fields,
    get,
    in_quotes,
    inner_name,
    items,
    keyword,
    parse_count,
    parse_duration,
    parse_points,
    parsed,
    suggestion,
    text,
    unwanted,
    wrong,
)
from grader.kinds.base import CaseParts

_TEST_POINTS = parsed(parse_points, "a number of points, 0 or more", Fraction(1))
_VISIBILITY: Callable[[Value], Literal["visible", "hidden", "after-due"]] = choice(
    ("visible", "hidden", "after-due"), "visibility"
)
_COUNT_OF_CASES = parsed(parse_count, "a number of cases such as 3, or all", MAX_TIMEOUTS_IN_A_ROW)
_BUDGET = parsed(parse_duration, 'a time such as "5 min" or "90 s", or all', math.inf)
_DEVIATION = choice([*DEVIATIONS], "deviation")
_SEED: Callable[[Value], SeedKind] = choice(("course", "student"), "seed")
_NOTEBOOK = "notebook"
_AFTER_ERROR = choice(("stop", "go-on"), "behaviour")
_STOP = choice(("first-failure",), "end of a test")
LANGUAGE_VERSION = "1"
_APART = "adjustments"
"""the key under which nothing counts for every submission"""


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
    top = Value(
        node=parse(data, file), path="", context=Context(file=file, root=root, elsewhere=ELSEWHERE, listings=noted)
    )
    context, found = _read_assignment(top, seed)
    shared = Spec(
        **_read_keys(found, context),
        root=root,
        drawn_from=seed,
        digest="",
        # All that attaches files comes before this, but for what is decided for single submissions.
        shared_digest=_digest_with_files(context, without_key(top.node, data, _APART)),
        source_text=data,
    )
    if not context.problems:
        check_references(found, shared)
    spec = replace(
        shared,
        adjustments=get(found, _APART, lambda value: read_adjustments(value, shared.build), dict[str, Adjustment]()),
        digest=_digest_with_files(context, data),
        attached=ContentsByName(dict(context.contents)),
    )
    if context.problems:
        raise SpecError(tuple(context.problems.values()))
    return spec


def _read_assignment(top: Value, seed: str) -> tuple[Context, Mapping[str, Value]]:
    """Return what the readers of all keys know of the assignment, and the keys of the top level."""
    found = fields(top, TOP)
    name = get(found, "id", text, "")
    if "id" in found and not re.fullmatch("[a-z0-9-]+", name):
        unwanted(found["id"], "an id of small letters, digits and hyphens")
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
    return context, {key: replace(value, context=context) for key, value in found.items()}


def _read_keys(found: Mapping[str, Value], context: Context) -> dict[str, Any]:
    """Read the keys of the top level, as keyword arguments of `Spec`."""
    defaults = read_parts({key: found[key] for key in FOR_ALL if key in found}, None)
    defaults = {**defaults, **get(found, "defaults", lambda value: read_parts(fields(value, DEFAULTS), {}), {})}
    if "spec" in found and keyword(found["spec"]) != LANGUAGE_VERSION:
        unwanted(found["spec"], f"{LANGUAGE_VERSION}, the version of the language that this grader knows")
    patience = get(found, "patience", _read_patience, cast("int | None", MAX_TIMEOUTS_IN_A_ROW))
    rules = get(found, "files", read_file_rules, FileRules())
    build = get(found, "build", _read_build, None)
    notebook = get(found, "notebook", _read_notebook, NotebookRules())
    if context.has_notebooks and not any(map(is_notebook, rules.required_names)):
        wrong(found["language"], "no notebook is required: name it under files, such as `required: [hw1.ipynb]`")
    none: tuple[Any, ...] = ()
    language, program = context.language, context.program
    return {
        "id": context.spec,
        "title": get(found, "title", text, ""),
        "tests": get(found, "tests", lambda value: _read_every_test(value, defaults, patience), none),
        "program": program,
        **_read_references(found, language, build, program),
        "language": language,
        "notebook": notebook if context.has_notebooks else None,
        "languages": context.languages,
        "requires": get(found, "requires", read_requires, none),
        "course": get(found, "course", text, ""),
        "source": get(found, "source", text, ""),
        "about": get(found, "about", text, ""),
        "files": rules,
        "build": build,
        **get(found, "repairs", lambda value: read_repairs(value, rules, build), dict[str, Any]()),
        "once": get(found, "once", _read_once, none),
        "budget": get(found, "budget", _read_budget, None),
        "equivalent": get(found, "equivalent", _read_markings, dict[str, str]()),
        "seed": get(found, "seed", _SEED, ""),
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


def _read_build(value: Value) -> Build:
    found = fields(value, BUILD)
    none: dict[str, bytes] = {}
    jars = get(found, "jars", read_jars, none)
    if jars and value.context.language != "java":
        wrong(found["jars"], "only programs in java have archives of classes: say under language that they are")
    return Build(
        run=get(found, "run", read_commands, ()),
        produces=get(found, "produces", each_of(inner_name), ()),
        files={**get(found, "with", read_work_files, none), **jars},
        jars=tuple(jars),
        limits=get(found, "limits", read_limits, {}),
    )


def _read_notebook(value: Value) -> NotebookRules:
    if not value.context.has_notebooks:
        wrong(value, "this is about notebooks, and `language` is not notebook: change that, or take this out")
    return NotebookRules(goes_on=get(fields(value, NOTEBOOK), "after-error", _AFTER_ERROR, "stop") == "go-on")


def _read_once(value: Value) -> tuple[str, ...]:
    """Read the deviations that are charged once."""
    kinds: list[str] = []
    for item in items(value):
        kind = _DEVIATION(item)
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
        name = get(found, "mutant", text, "")
        if "mutant" in found and (not name or not name.isprintable()):
            unwanted(found["mutant"], "the name of a mutant, on one line")
        if name in marked and "mutant" in found:
            wrong(found["mutant"], "this mutant is marked twice: keep one reason")
        marked[name] = get(found, "reason", text, "")
    return marked


def _read_budget(value: Value) -> float:
    return math.inf if keyword(value) == "all" else _BUDGET(value)


def _digest_with_files(context: Context, data: bytes) -> str:
    digest = hashlib.sha256(data)
    # A whole folder is a fact of its own: it enters under its name, as a file without content.
    named = {**context.contents, **{f"{folder}/": b"" for folder in context.folders}}
    for name, content in sorted(named.items()):
        digest.update(f"\0{name}\0{size_of(content)}\0".encode())
        for piece in content.pieces() if isinstance(content, StoredFile) else (content,):
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
    name = get(found, "name", text, "")
    if "name" in found and (not name or not name.isprintable()):
        unwanted(found["name"], "a name on one line")
    cases = weigh_cases(name, found, tuple(write_out_cases(name, value, found, base, most_cases)))
    if any(leaf.how == "lines" and leaf.get(LineOptions).by_line for case in cases for _, leaf in case.texts):
        check_steps(value, found, "lines", "cases of which all lines are right")
    return Test(
        name=name,
        about=get(found, "about", text, ""),
        points=get(found, "points", _TEST_POINTS, Fraction("costs" not in found)),
        costs=_read_costs(found),
        bonus=get(found, "bonus", boolean, default=False),
        needs=get(found, "needs", each_of(text), ()),
        unlike=get(found, "unlike", each_of(text), ()),
        visibility=get(found, "visibility", _VISIBILITY, "visible"),
        hint=get(found, "hint", _read_hint, {}),
        all_or_nothing=get(found, "all_or_nothing", boolean, default=False),
        stops=_stops(found),
        patience=get(found, "patience", _read_patience, patience),
        credit=read_credit(found, cases),
        scoring=read_scoring(found, len(cases)),
        cases=cases,
    )


def _read_costs(found: Mapping[str, Value]) -> Fraction:
    """Read what a test takes off: it has neither points, as another one has, nor programs that give them."""
    costs = get(found, "costs", _TEST_POINTS, Fraction(0))
    if "costs" in found and not costs:
        wrong(found["costs"], "this takes nothing off: leave it out")
    for key in ("bonus", "scoring", *(["points"] if get(found, "points", _TEST_POINTS, Fraction(0)) else [])):
        if costs and key in found:
            wrong(found[key], f"costs takes points off, and this test gives none: take {key} or costs out")
    return costs


def _stops(found: Mapping[str, Value]) -> bool:
    """Whether a test ends at its first failure; note when that would change its points."""
    if "stop" not in found:
        return False
    if not get(found, "all_or_nothing", boolean, default=False):
        wrong(found["stop"], "each case of this test has points of its own, which it would lose: add all_or_nothing")
    return _STOP(found["stop"]) == "first-failure"


def _read_patience(value: Value) -> int | None:
    return None if keyword(value) == "all" else _COUNT_OF_CASES(value)


def _read_hint(value: Value) -> Mapping[str, str]:
    """Read a hint for everything that goes wrong, or one for each way in which it does."""
    if not isinstance(value.node, Table):
        return {"default": text(value)}
    if not value.node.pairs:
        unwanted(value, "a text, or hints under the names of verdicts and deviations")
    return {name: text(entry) for name, entry in fields(value, HINT).items()}


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
