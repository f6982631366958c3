"""The cases of a test, written out: once for every combination of its variables, and as their kinds have it."""

import itertools
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from grader.core.kind import KINDS, CaseParts
from grader.core.model.generated_inputs import GeneratedNumber
from grader.core.model.spec import Case
from grader.core.reader.expectation import expect_file, make_expectation
from grader.core.reader.generated import read_variable, write_out_generated
from grader.core.reader.language import CASE, CASES_OF_FILES, lay_over, lay_over_defaults, read_parts
from grader.core.text import listed as shortened
from grader.core.yaml import value as yaml
from grader.core.yaml.nodes import Listing, Table
from grader.core.yaml.types import Found
from grader.core.yaml.value import Value, each_of, entries, fields, in_quotes, is_understood, unwanted, wrong

MAX_CASES = 10_000  # of a whole spec; more is a slip of the pen in `each`
_WANTED_VALUES = "a range such as 1..10, the smaller end first, a list, or {random: 1..10, count: 3}"


class Choice(Struct, frozen=True):
    """A value of a variable."""

    text: str
    label: str  # what names of cases say of it: `n=8`, `n=#1`
    number: GeneratedNumber | None = None  # where it comes from, of one that is generated
    parts: CaseParts = {}  # what comes with it, of the name of a file


def write_out_cases(name: str, value: Value, found: Found, defaults: CaseParts, most: int) -> Iterator[Case]:
    """Write out the cases of a test, up to the first mistake in one: all others would have it too."""
    kinds = [kind for kind in KINDS.values() if kind.read_test and kind.key in found]
    for other in kinds[:-1]:
        wrong(found[other.key], f"{other.key} has no meaning beside {kinds[-1].key}: make a test of its own")
    if kinds and (read := kinds[-1].read_test):
        made = read(name, found, lambda: lay_over_defaults(read_parts(found, None), defaults))
        yield from (replace(case, path=found[kinds[-1].key].path) for case in made)
        return
    known = len(problems := value.context.problems)
    choices = _read_variables(found["each"], name) if "each" in found else {}
    # After a mistake in `each`, braces are not replaced: the variables are not known.
    is_broken = len(problems) > known
    listed: Sequence[tuple[Value, Found]] = [(value, found)]
    if (cases := found.get("cases")) and isinstance(cases.node, Table) and entries(cases).keys().isdisjoint(CASE):
        files = _read_cases_of_files(cases, found)
        choices, listed = {**choices, "name": files or [Choice("", "")]}, listed if files else []
    elif cases:
        listed = each_of(lambda item: (item, fields(item, CASE)), "at least one case")(cases)
    for chosen in itertools.product(*choices.values()):
        variables = None if is_broken else {one: choice.text for one, choice in zip(choices, chosen, strict=True)}
        identity = f"{name}[{label}]" if (label := ",".join(choice.label for choice in chosen)) else name
        shared = reduce(lambda lower, choice: lay_over(choice.parts, lower), chosen, read_parts(found, variables))
        for number, (item, own) in enumerate(listed, start=1):
            parts = {
                **lay_over_defaults(shared if own is found else lay_over(read_parts(own, variables), shared), defaults),
                "id": identity if own is found else f"{identity}[{number}]",
                "path": item.path,
                "generated_numbers": tuple(choice.number for choice in chosen if choice.number),
            }
            leaves = number < len(listed) and yaml.keyword(found.get("in-order", item)) == "true"  # for the next
            is_whole = not leaves and is_understood(value, found) and is_understood(item, own)
            written = _write_out(item, parts, is_whole=is_whole)
            most -= len(written)
            yield from written
        if most < 0 and len(problems) == known:
            wrong(value, f"this makes more than {MAX_CASES} cases in all: shorten each or cases, or draw fewer calls")
        if len(problems) > known:
            return


def _write_out(value: Value, parts: CaseParts, *, is_whole: bool) -> Sequence[Case]:
    """Return the cases that are made of these parts; `is_whole` when every key of them was understood."""
    is_checked = bool(parts["expect"].keys() - {"crash"})
    with_key = [kind for kind in KINDS.values() if kind.has_payload]
    for kind in with_key:
        for key, message in kind.beside.items() if parts.get(kind.key) else ():
            if message and parts.get(key):
                wrong(value, message)
    for kind in with_key:
        parts = kind.complete(value, parts)
    payloads = (parts[kind.key] for kind in with_key if parts.get(kind.key) is not None)
    if is_whole and not is_checked and not any(getattr(one, "checks", True) for one in payloads):
        wrong(value, "this case checks nothing: say under expect what stdout, stderr, exit or files must be")
    written = [made for one in write_out_generated(value, parts) for made in _parts_of_each(one)]
    return [_make_case({**one, "expect": make_expectation(value, one["expect"])}) for one in written]


def _parts_of_each(parts: CaseParts) -> Sequence[CaseParts]:
    """Return the parts for each of several payloads, which come with what each has to print, and with its path."""
    several = ((kind.key, parts[kind.key]) for kind in KINDS.values() if isinstance(parts.get(kind.key), tuple))
    key, found = next(several, ("", ()))
    return [
        {**parts, "id": f"{parts['id']}[{number}]", "path": path, key: one, "expect": {"stdout": stdout}}
        for number, (one, stdout, path) in enumerate(found, start=1)
    ] or [parts]


def _make_case(parts: dict[str, Any]) -> Case:
    """Make a case of its parts; one of them determines its kind."""
    payloads = [(kind, parts.pop(kind.key, None)) for kind in KINDS.values() if kind.has_payload]
    also = {kind.name: made for kind, made in payloads if made and kind.runs == "watcher"}
    own = ((kind.name, made) for kind, made in payloads if made and kind.runs != "watcher")
    name, payload = next(own, ("program", None))
    return Case(**parts, kind=name, payload=payload, also=also)


def _read_variables(value: Value, test: str) -> Mapping[str, Sequence[Choice]]:
    """Read `each` of the test of that name."""
    variables: dict[str, Sequence[Choice]] = {}
    for name, (key, entry) in entries(value).items():
        if not re.fullmatch(yaml.WORD, name):
            unwanted(key, "a variable's name, one word such as n")
        numbers = read_variable(entry, test, name)
        if numbers is None:
            variables[name] = [Choice(text, f"{name}={text}") for text in _read_range_or_list(entry)]
        else:
            drawn = [Choice(text, f"{name}=#{place}", one) for place, (text, one) in enumerate(numbers.items(), 1)]
            variables[name] = drawn or [Choice("", "")]
    if not variables:
        unwanted(value, "at least one variable, such as {n: 1..10}")
    if math.prod(map(len, variables.values())) > MAX_CASES:
        wrong(value, f"this makes more than {MAX_CASES} cases: shorten a range or a list")
        return {}
    return variables


def _read_range_or_list(value: Value) -> Sequence[str]:
    """Read what a variable goes through: a range, or a list of texts."""
    if isinstance(value.node, Listing):
        values = each_of(yaml.text)(value)
    else:
        span = yaml.parse_range(yaml.keyword(value) or "") or range(0)
        values = tuple(map(str, span[: MAX_CASES + 1]))
    if not values:
        unwanted(value, _WANTED_VALUES)
    elif twice := [entry for entry, times in Counter(values).items() if entry and times > 1]:
        wrong(value, f"{in_quotes(twice[0])} is in this list more than once: keep one")
    return values or ("",)


def _read_cases_of_files(value: Value, test: Found) -> Sequence[Choice]:
    """Read `cases` that are made of files, by their names, each with its own parts; none after a mistake."""
    known = len(value.context.problems)
    found = fields(value, CASES_OF_FILES)
    expected = entries(test["expect"]) if "expect" in test and isinstance(test["expect"].node, Table) else {}
    variables = entries(test["each"]) if "each" in test else {}
    for key, place, remedy in (
        ("from", test.get("stdin"), "each file is the input of a case: take stdin out"),
        ("from", test.get("functions"), "functions take no input of files: make a test of its own for them"),
        ("from", variables.get("name", (None,))[0], "name is a file's: rename it"),
        ("answers", expected.get("stdout", (None,))[0], "the answers are what stdout must be: keep one of the two"),
    ):
        if key in found and place is not None:
            wrong(place, remedy)
    cases, answers = (_files_like(found[key]) if key in found else {} for key in ("from", "answers"))
    if answers and (lacking := [in_quotes(name) for case, name in cases.items() if case not in answers]):
        wrong(found["answers"], f"there is no answer to {shortened(lacking, most=3)}: every file of from needs one")
    elif cases and (alone := [in_quotes(name) for case, name in answers.items() if case not in cases]):
        wrong(found["answers"], f"{shortened(alone, most=3)}: the input to this is not there")
    made = []
    for case, name in cases.items():
        told = {"stdout": expect_file(found["answers"], answers[case]), "screen": None} if case in answers else {}
        made.append(Choice(case, case, parts={"stdin": yaml.attach_unread(found["from"], name), "expect": told}))
    return made if len(value.context.problems) == known else []


def _files_like(value: Value) -> dict[str, str]:
    """Return the part that `*` stands for -> the name, of all such files of the course, in natural order."""
    pattern = yaml.inner_name(value)
    folder, _, last = pattern.rpartition("/")
    before, star, after = last.partition("*")
    if not star or "*" in f"{folder}{after}":
        unwanted(value, "a name with one * in its last part, such as tests/*.in")
        return {}
    root, start = value.context.root, f"{folder}/".removeprefix("/")
    listing = value.context.listings[folder] = yaml.names_inside(root, folder)
    names = [path.name for path in (root / folder).iterdir() if path.is_file()] if listing else []
    whole = re.compile(rf"{re.escape(before)}(.+){re.escape(after)}", re.DOTALL)
    cases = [match[1] for match in map(whole.fullmatch, names) if match]
    if not cases:
        alike = sorted({f"{start}*{Path(name).suffix}" for name in names if "." in name})
        hint = f"; there are: {', '.join(alike)}" if alike else ""
        wrong(value, f"there is no file {in_quotes(pattern)} in {root}{hint}")
    if strange := [case for case in cases if not case.isprintable()]:
        wrong(value, f"{in_quotes(strange[0])} is no name for a case: rename the file")
    cases.sort(key=lambda case: [int(p) if p.isascii() and p.isdigit() else p for p in re.split("([0-9]+)", case)])
    return {case: f"{start}{before}{case}{after}" for case in cases}
