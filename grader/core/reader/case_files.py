"""`cases: {from, answers}`: the files of the course of which cases are made, one for each."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from grader.core.reader.expectation import exact_file
from grader.core.reader.language import CASES_OF_FILES
from grader.core.text import listed
from grader.core.yaml.nodes import Table
from grader.core.yaml.value import (
    Value,
    attach_unread,
    entries,
    fields,
    in_quotes,
    inner_name,
    names_inside,
    unwanted,
    wrong,
)


def read_cases_of_files(value: Value, test: Mapping[str, Value]) -> Mapping[str, Mapping[str, Any]]:
    """Read `cases` that are made of files: the name of each -> its own parts; none after a mistake."""
    known = len(value.context.problems)
    found = fields(value, CASES_OF_FILES)
    expected = entries(test["expect"]) if "expect" in test and isinstance(test["expect"].node, Table) else {}
    for key, place, remedy in (
        ("from", test.get("stdin"), "each file is the input of a case: take stdin out"),
        ("from", test.get("functions"), "functions take no input of files: make a test of its own for them"),
        (
            "from",
            entries(test["each"]).get("name", (None,))[0] if "each" in test else None,
            "name is a file's: rename it",
        ),
        ("answers", expected.get("stdout", (None,))[0], "the answers are what stdout must be: keep one of the two"),
    ):
        if key in found and place is not None:
            wrong(place, remedy)
    cases = _files_like(found["from"]) if "from" in found else {}
    answers = _files_like(found["answers"]) if "answers" in found else {}
    if answers and (lacking := [cases[case] for case in cases if case not in answers]):
        problem = f"there is no answer to {listed(list(map(in_quotes, lacking)), most=3)}"
        wrong(found["answers"], f"{problem}: every file of from needs one")
    elif cases and (alone := [answers[case] for case in answers if case not in cases]):
        wrong(found["answers"], f"{listed(list(map(in_quotes, alone)), most=3)}: the input to this is not there")
    expects: Mapping[str, Mapping[str, Any]] = {
        case: {"stdout": exact_file(found["answers"], name), "screen": None} for case, name in answers.items()
    }
    if len(value.context.problems) > known:
        return {}
    return {
        case: {"stdin": attach_unread(found["from"], name), "expect": expects.get(case, {})}
        for case, name in cases.items()
    }


def _files_like(value: Value) -> dict[str, str]:
    """Return the part that `*` stands for -> the name, of all such files of the course, in natural order."""
    pattern = inner_name(value)
    folder, _, last = pattern.rpartition("/")
    before, star, after = last.partition("*")
    if not star or "*" in f"{folder}{after}":
        unwanted(value, "a name with one * in its last part, such as tests/*.in")
        return {}
    value.context.listings[folder] = names_inside(value.context.root, folder)
    try:
        names = [path.name for path in (value.context.root / folder).iterdir() if path.is_file()]
    except OSError:
        names = []
    whole = re.compile(rf"{re.escape(before)}(.+){re.escape(after)}", re.DOTALL)
    cases = [match[1] for match in map(whole.fullmatch, names) if match]
    if not cases:
        alike = sorted({f"{folder}/*{Path(name).suffix}".removeprefix("/") for name in names if "." in name})
        hint = f"; there are: {', '.join(alike)}" if alike else ""
        wrong(value, f"there is no file {in_quotes(pattern)} in {value.context.root}{hint}")
    if strange := [case for case in cases if not case.isprintable()]:
        wrong(value, f"{in_quotes(strange[0])} is no name for a case: rename the file")
    natural = sorted(
        cases, key=lambda case: [int(p) if p.isascii() and p.isdigit() else p for p in re.split("([0-9]+)", case)]
    )
    return {case: f"{folder}/{before}{case}{after}".removeprefix("/") for case in natural}
