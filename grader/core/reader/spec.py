"""A spec file -> `Spec`: the top level of the language, its tests with every case written out.

With `each`, a test is read once for every combination of its variables, the first variable changing slowest. What is
written for students, `about` and `hint`, belongs to the test and is not filled.

What a test and its cases share are parts: only the keys that are written. `_laid_over` joins them, a case's over its
test's, and `_on_base` lays both over the spec's.
"""

import hashlib
import itertools
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal, cast

from msgspec.structs import replace

from grader.core.errors import SpecError
from grader.core.model import (
    DEVIATION_MEANINGS,
    DEVIATIONS,
    LANGUAGES,
    MAX_TIMEOUTS_IN_A_ROW,
    Adjustment,
    Build,
    Case,
    FileRules,
    Repeat,
    SeedKind,
    Spec,
    Test,
    Tolerances,
)
from grader.core.reader.case_files import read_cases_of_files
from grader.core.reader.expectation import (
    checks_something,
    expectation_of,
    read_dialogue,
    read_expectation,
    with_terminal,
)
from grader.core.reader.files_and_build import (
    read_adjustments,
    read_command,
    read_commands,
    read_file_rules,
    read_program_word,
    read_repairs,
    read_share,
    read_work_files,
)
from grader.core.reader.key_aliases import ELSEWHERE
from grader.core.reader.language import (
    BUILD,
    CASE,
    DEFAULTS,
    HINT,
    MARKING,
    REPETITION,
    TEST,
    TOP,
)
from grader.core.reader.limits import read_limits
from grader.core.reader.paths import read_bytes, root_of_spec
from grader.core.reader.reference import read_reference
from grader.core.reader.toolchains import own_languages
from grader.core.yaml.nodes import Listing, Table, without_key
from grader.core.yaml.parsing import parse
from grader.core.yaml.value import (
    WORD,
    Context,
    Value,
    boolean,
    choice,
    each_of,
    entries,
    fields,
    get,
    in_quotes,
    inner_name,
    is_understood,
    items,
    keyword,
    parse_count,
    parse_duration,
    parse_points,
    parse_range,
    parsed,
    suggestion,
    text,
    unwanted,
    with_variables,
    wrong,
)
from grader.kinds.dialogue.model import Dialogue
from grader.kinds.functions.reader import read_functions
from grader.kinds.generated_inputs.reader import (
    draw_variable,
    is_span,
    label_numbers,
    read_arguments,
    read_given_files,
    read_input,
    write_out_drawn,
)
from grader.kinds.interactive.reader import read_interactor, with_interactor
from grader.kinds.memory_clean.reader import read_memory_rule, refuse_unwatchable, unwatchable, why_unwatched
from grader.kinds.source_rules.reader import KEYS_OF_SOURCES, source_cases
from grader.kinds.unit_tests.reader import unit_cases

MAX_CASES = 10_000
"""of a whole spec; more is a slip of the pen in `each`"""

MAX_RUNS = 100
"""of one case; more tells nothing new and takes a class hours"""

Filling = Mapping[str, str]
"""variable -> value"""
CaseParts = Mapping[str, Any]
"""Keyword arguments of `Case`, save that `expect` holds those of `Expectation`."""

_PROGRAM_KEYS = {
    "args": "each of its calls has args of its own",
    "expect": "each of its calls has its own",
    "command": "make a test of its own for it",
    "terminal": "make a test of its own for it",
    "both": "make a test of its own for it",
    "dialogue": "make a test of its own for it",
    "interactor": "make a test of its own for it",
}
_FOR_ALL = ("limits", "tolerate", "repeat", "memory-clean")
_LAID_BY_KEY = ("limits", "tolerate", "expect", "interactor")
_WANTED_VALUES = "a range such as 1..10, the smaller end first, a list, or {random: 1..10, count: 3}"
_TEST_POINTS = parsed(parse_points, "a number of points, 0 or more", Fraction(1))
_VISIBILITY: Callable[[Value], Literal["visible", "hidden", "after-due"]] = choice(
    ("visible", "hidden", "after-due"), "visibility"
)
_COUNT_OF_CASES = parsed(parse_count, "a number of cases such as 3, or all", MAX_TIMEOUTS_IN_A_ROW)
_BUDGET = parsed(parse_duration, 'a time such as "5 min" or "90 s", or all', math.inf)
_DEVIATION = choice(DEVIATIONS, "deviation")
_SEED: Callable[[Value], SeedKind] = choice(("course", "student"), "seed")
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

    `listings` gets what was in each folder that was looked into. Drawn numbers come of the `seed`, or else of the
    spec's id, which is no secret.
    """
    noted = {} if listings is None else listings
    context = Context(file=file, root=root, elsewhere=ELSEWHERE, listings=noted)
    top = Value(node=parse(data, file), path="", context=context)
    found = fields(top, TOP)
    name = get(found, "id", text, "")
    if "id" in found and not re.fullmatch("[a-z0-9-]+", name):
        unwanted(found["id"], "an id of small letters, digits and hyphens")
    languages = own_languages(top)
    language = get(found, "language", choice(tuple(dict.fromkeys([*LANGUAGES, *languages])), "language"), "shell")
    context = replace(top.context, spec=name, language=language, has_reference="reference" in found)
    context = replace(context, seed=seed or name)
    program = read_command(found["program"]) if "program" in found else ()
    context = replace(context, unwatched=why_unwatched(language, languages, program))
    found = {key: replace(value, context=context) for key, value in found.items()}
    base = _read_parts({key: found[key] for key in _FOR_ALL if key in found}, None)
    base = {**base, **get(found, "defaults", lambda value: _read_parts(fields(value, DEFAULTS), {}), {})}
    if "spec" in found and keyword(found["spec"]) != LANGUAGE_VERSION:
        unwanted(found["spec"], f"{LANGUAGE_VERSION}, the version of the language that this grader knows")
    patience = get(found, "patience", _read_patience, cast("int | None", MAX_TIMEOUTS_IN_A_ROW))
    rules = get(found, "files", read_file_rules, FileRules())
    build = get(found, "build", _read_build, None)
    shared = Spec(
        id=name,
        title=get(found, "title", text, ""),
        root=root,
        tests=get(found, "tests", lambda value: _read_every_test(value, base, patience), ()),
        program=program,
        **(read_reference(found["reference"], language, build, program) if "reference" in found else {}),
        language=language,
        languages=languages,
        course=get(found, "course", text, ""),
        source=get(found, "source", text, ""),
        about=get(found, "about", text, ""),
        files=rules,
        build=build,
        repairs=get(found, "repairs", lambda value: read_repairs(value, rules, build), ()),
        once=get(found, "once", _read_once, ()),
        budget=get(found, "budget", _read_budget, None),
        equivalent=get(found, "equivalent", _read_markings, {}),
        seed=get(found, "seed", _SEED, ""),
        drawn_from=seed,
        digest="",
        # All that attaches files comes before this, but for what is decided for single submissions.
        shared_digest=_digest_with_files(context, without_key(top.node, data, _APART)),
        source_text=data,
    )
    spec = replace(
        shared,
        adjustments=get(found, _APART, lambda value: read_adjustments(value, build), dict[str, Adjustment]()),
        digest=_digest_with_files(context, data),
        attached=dict(context.attached),
    )
    if context.problems:
        raise SpecError(tuple(context.problems.values()))
    return spec


def _read_build(value: Value) -> Build:
    found = fields(value, BUILD)
    return Build(
        run=get(found, "run", read_commands, ()),
        produces=get(found, "produces", each_of(inner_name), ()),
        files=get(found, "with", read_work_files, {}),
        limits=get(found, "limits", read_limits, {}),
    )


def _read_once(value: Value) -> tuple[str, ...]:
    """Read the deviations that are charged once."""
    kinds: list[str] = []
    for item in items(value):
        kind = _DEVIATION(item)
        if kind == "wrong":
            wrong(item, "what is wrong is wrong in every test: name deviations that leave some of the credit")
        elif kind in kinds:
            wrong(item, f"{in_quotes(kind)} is in this list more than once: keep one")
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
    # That a folder counts as a whole is a fact of its own: it enters under its name, as a file without content.
    named = {**context.attached, **{f"{folder}/": b"" for folder in context.folders}}
    for name in sorted(named):
        digest.update(f"\0{name}\0{len(named[name])}\0".encode())
        digest.update(named[name])
    return digest.hexdigest()


# ---------------------------------------------------------------- tests


def _read_every_test(value: Value, base: CaseParts, patience: int | None) -> tuple[Test, ...]:
    """Read `tests`; `base` and `patience` are what the spec says for all. A test can need only tests before it."""
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
    return Test(
        name=name,
        about=get(found, "about", text, ""),
        points=get(found, "points", _TEST_POINTS, Fraction(1)),
        bonus=get(found, "bonus", boolean, default=False),
        needs=get(found, "needs", each_of(text), ()),
        visibility=get(found, "visibility", _VISIBILITY, "visible"),
        hint=get(found, "hint", _read_hint, {}),
        all_or_nothing=get(found, "all_or_nothing", boolean, default=False),
        stops=_stops(found),
        patience=get(found, "patience", _read_patience, patience),
        cases=tuple(_write_out_cases(name, value, found, base, most_cases)),
    )


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
    needs = found.get("needs")
    for item in items(needs) if needs and isinstance(needs.node, Listing) else ():
        name = text(item)
        place = places.get(name)
        if place is None:
            earlier = [other for other, at in places.items() if at < index]
            wrong(item, f"no test is called {in_quotes(name)}{suggestion(name, earlier) if earlier else ''}")
        elif place == index:
            wrong(item, "a test cannot need itself")
        elif place > index:
            wrong(item, f"{in_quotes(name)} comes later, and a test can need only those before it: move one of them")


# ---------------------------------------------------------------- cases


def _write_out_cases(name: str, value: Value, found: Mapping[str, Value], base: CaseParts, most: int) -> Iterator[Case]:
    """Write out the cases of a test, up to the first mistake in one: all others would have it too."""
    if "unit" in found:
        yield from unit_cases(name, found, _on_base(_read_parts(found, None), base))
        return
    if KEYS_OF_SOURCES.keys() & found.keys():
        yield from source_cases(name, found, CASE)
        return
    problems = value.context.problems
    known = len(problems)
    fillings: Sequence[Filling] = get(found, "each", lambda each: _read_fillings(each, name), [{}])
    # After a mistake in `each`, braces are left alone: which words are variables is not known.
    is_broken = len(problems) > known
    inputs, listed = _read_cases(value, found)
    known_numbers = label_numbers(found.get("each"), fillings)
    fillings = [{**filling, "name": case} for filling in fillings for case in inputs] if inputs else fillings
    if len(fillings) * len(listed) > most:
        wrong(value, f"this makes more than {MAX_CASES} cases in all: shorten each or cases")
        return
    for filling in fillings:
        drawn = {pair[0]: known_numbers[pair] for pair in filling.items() if pair in known_numbers}
        shown = {**filling, **{variable: label for variable, (label, _) in drawn.items()}}
        label = ",".join(entry if inputs and key == "name" else f"{key}={entry}" for key, entry in shown.items())
        identity = f"{name}[{label}]" if label else name
        variables = None if is_broken else filling
        shared = _read_parts(found, variables)
        shared = _laid_over(inputs[filling["name"]], shared) if inputs else shared
        for number, (item, own) in enumerate(listed, start=1):
            joined = _on_base(shared if own is found else _laid_over(_read_parts(own, variables), shared), base)
            joined = {**with_interactor(item, joined), "drawn": tuple(one for _, one in drawn.values())}
            numbered = identity if own is found else f"{identity}[{number}]"
            refuse_unwatchable(item, joined)
            if "functions" in joined:
                most -= len(joined["functions"])
                yield from _make_calls(numbered, item, joined)
                continue
            joined = with_terminal(item, joined) if joined.get("dialogue") else joined
            is_checked = (
                joined["expect"]
                or joined["interactor"]
                or joined.get("memory_clean")
                or ("dialogue" in joined and checks_something(joined["dialogue"]))
            )
            if not is_checked and is_understood(value, found) and is_understood(item, own):
                wrong(item, "this case checks nothing: say under expect what stdout, stderr, exit or files must be")
            written = write_out_drawn(item, numbered, joined)
            most -= len(written) - 1
            yield from (_make_case({**parts, "expect": expectation_of(item, joined)}) for parts in written)
        if len(problems) > known:
            return
        if most < 0:
            wrong(value, f"this makes more than {MAX_CASES} cases in all: shorten each, or draw fewer calls")
            return


def _read_cases(
    value: Value, found: Mapping[str, Value]
) -> tuple[Mapping[str, CaseParts], list[tuple[Value, Mapping[str, Value]]]]:
    """Return what cases have that are made of files, by their names; and those that are written, or the test as one."""
    cases = found.get("cases")
    if cases is None:
        return {}, [(value, found)]
    if isinstance(cases.node, Table) and entries(cases).keys().isdisjoint(CASE):
        inputs = read_cases_of_files(cases, found)
        return inputs, [(value, found)] if inputs else []
    written: list[tuple[Value, Mapping[str, Value]]] = [(item, fields(item, CASE)) for item in items(cases)]
    if not written:
        unwanted(cases, "at least one case")
    return {}, written


def _make_calls(identity: str, value: Value, joined: CaseParts) -> Iterator[Case]:
    """Make a case of each call; what belongs to the start of a program has no place beside them."""
    for key, remedy in _PROGRAM_KEYS.items():
        if joined.get(key):
            wrong(value, f"{'run: both' if key == 'both' else key} has no meaning beside functions: {remedy}")
    for number, (functions, expect) in enumerate(joined["functions"], start=1):
        yield _make_case({**joined, "id": f"{identity}[{number}]", "functions": functions, "expect": expect})


_KIND_OF_PART: Mapping[str, str] = {"functions": "functions", "interactor": "interactive", "dialogue": "dialogue"}
"""the part in which a case has what its kind adds -> the name of the kind"""


def _make_case(parts: CaseParts) -> Case:
    """Make a case of its parts, of which one says of what kind it is."""
    common = {key: part for key, part in parts.items() if key not in {*_KIND_OF_PART, "memory_clean"}}
    own = next((part for part in _KIND_OF_PART if parts.get(part)), None)
    payload = Dialogue(steps=parts["dialogue"]) if own == "dialogue" else parts[own] if own else None
    rule = parts.get("memory_clean")
    return Case(
        **common,
        kind=_KIND_OF_PART[own] if own else "program",
        payload=payload,
        also={"memory-clean": rule} if rule else {},
    )


def _read_fillings(value: Value, test: str) -> Sequence[Filling]:
    """Read `each`: every combination of the variables' values."""
    variables: dict[str, Sequence[str]] = {}
    for name, (key, entry) in entries(value).items():
        if not re.fullmatch(WORD, name):
            unwanted(key, "a variable's name, one word such as n")
        variables[name] = draw_variable(entry, test, name) if is_span(entry) else _read_range_or_list(entry)
    if not variables:
        unwanted(value, "at least one variable, such as {n: 1..10}")
    if math.prod(map(len, variables.values())) > MAX_CASES:
        wrong(value, f"this makes more than {MAX_CASES} cases: shorten a range or a list")
        return [{}]
    return [dict(zip(variables, values, strict=True)) for values in itertools.product(*variables.values())]


def _read_range_or_list(value: Value) -> Sequence[str]:
    """Read what a variable goes through: a range, or a list of texts."""
    if isinstance(value.node, Table):
        unwanted(value, _WANTED_VALUES)
        return ("",)
    if isinstance(value.node, Listing):
        values = each_of(text)(value)
    else:
        span = parse_range(keyword(value) or "") or range(0)
        values = tuple(map(str, span[: MAX_CASES + 1]))
    if not values:
        unwanted(value, _WANTED_VALUES)
    elif twice := [entry for entry, times in Counter(values).items() if entry and times > 1]:
        wrong(value, f"{in_quotes(twice[0])} is in this list more than once: keep one")
    return values or ("",)


# ---------------------------------------------------------------- the keys that a test and its cases share

_TIMES = parsed(
    lambda written: times if (times := parse_count(written) or 0) in range(1, MAX_RUNS + 1) else None,
    f"a number of runs from 1 to {MAX_RUNS}, or a mapping such as {{times: 3, counts: best}}",
    1,
)
_MIN_TIMES: Mapping[str, int] = {"worst": 2, "best": 2, "most": 3}
_COUNTED: Callable[[Value], Literal["worst", "best", "most"]] = choice(("worst", "best", "most"), "rule")


def _read_parts(found: Mapping[str, Value], variables: Filling | None) -> CaseParts:
    """Read those of the keys that make a case, with the variables filled in."""
    parts: dict[str, object] = {}
    for key, value in found.items():
        if key in CASE_READERS:
            parts[key] = CASE_READERS[key](value if variables is None else with_variables(value, variables))
    if way := parts.pop("run", None):
        if "terminal" in parts:
            wrong(found["run"], "run says all that terminal says: keep run alone")
        parts |= {"terminal": way == "terminal", "both": way == "both"}
    elif "terminal" in parts:
        parts["both"] = False
    if "memory-clean" in parts:
        parts["memory_clean"] = parts.pop("memory-clean")
    return parts


def _laid_over(upper: CaseParts, lower: CaseParts) -> CaseParts:
    """Return the parts of both; where both have a key, the upper one's, of some of them key by key."""
    joined = {key: {**lower.get(key, {}), **upper.get(key, {})} for key in _LAID_BY_KEY}
    return {**lower, **upper, **joined}


def _on_base(parts: CaseParts, base: CaseParts) -> CaseParts:
    """Lay a case's parts over the spec's, of which a case has no use for those that are about other ways to start."""
    unfit = {"stdin"} if parts.get("dialogue") else set(_PROGRAM_KEYS) if "functions" in parts else set()
    unfit |= {"stdin", "terminal", "both", "expect"} if parts.get("interactor") else set()
    unfit |= {"memory_clean"} if unwatchable(parts) else set()
    fit = {key: value for key, value in base.items() if key not in unfit}
    maps: CaseParts = {key: {**fit[key], **parts.get(key, {})} for key in ("env", "files") if key in fit}
    return {**_laid_over(parts, fit), **maps}


def _read_tolerances(value: Value) -> Tolerances:
    """Read `tolerate`: deviation -> the share of a case's credit that it leaves."""
    shares = {}
    for name, (key, entry) in entries(value).items():
        if name not in DEVIATION_MEANINGS:
            wrong(key, f"unknown deviation{suggestion(name, DEVIATION_MEANINGS)}")
        shares[name] = read_share(entry)
    return shares


def _read_repetition(value: Value) -> Repeat:
    """Read `repeat`: a number of runs, or a mapping that says too which of them counts."""
    if not isinstance(value.node, Table):
        return Repeat(times=_TIMES(value))
    found = fields(value, REPETITION)
    repeat = Repeat(times=get(found, "times", _TIMES, 1), counts=get(found, "counts", _COUNTED, "worst"))
    if "counts" in found and is_understood(value, found) and repeat.times < (least := _MIN_TIMES[repeat.counts]):
        wrong(found["counts"], f"which run counts has no meaning among so few: ask for {least} runs or more")
    return repeat


def _read_environment(value: Value) -> dict[str, str]:
    variables = {}
    for key, entry in entries(value).values():
        name = read_program_word(key)
        if not name or "=" in name:
            unwanted(key, "the name of an environment variable")
        variables[name] = read_program_word(entry)
    return variables


CASE_READERS: Mapping[str, Callable[[Value], object]] = {
    "args": read_arguments,
    "stdin": read_input,
    "env": _read_environment,
    "files": read_given_files,
    "terminal": boolean,
    "run": choice(("pipe", "terminal", "both"), "way to run"),
    "repeat": _read_repetition,
    "dialogue": read_dialogue,
    "interactor": read_interactor,
    "command": read_command,
    "limits": read_limits,
    "memory-clean": read_memory_rule,
    "tolerate": _read_tolerances,
    "expect": read_expectation,
    "functions": read_functions,
}
