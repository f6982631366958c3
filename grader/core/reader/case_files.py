"""`cases: {from, answers}`: the files of the course of which cases are made, one for each."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from grader.core.reader.expectation import exact_file
from grader.core.reader.language import CASES_OF_FILES
from grader.core.text import listed
from grader.core.yaml import value as yaml
from grader.core.yaml.nodes import Table
from grader.core.yaml.value import Value, attach_unread, entries, fields, in_quotes, inner_name, names_inside, wrong


def read_cases_of_files(value: Value, test: Mapping[str, Value]) -> Mapping[str, Mapping[str, Any]]:
    """Read `cases` that are made of files: the name of each -> its own parts; none after a mistake."""
    known = len(value.context.problems)
    found = fields(value, CASES_OF_FILES)
    expected = entries(test["expect"]) if "expect" in test and isinstance(test["expect"].node, Table) else {}
    variable = entries(test["each"]).get("name") if "each" in test else None
    for key, place, remedy in (
        ("from", test.get("stdin"), "each file is the input of a case: take stdin out"),
        ("from", test.get("functions"), "functions take no input of files: make a test of its own for them"),
        ("from", variable and variable[0], "name is a file's: rename it"),
        ("answers", expected.get("stdout", (None,))[0], "the answers are what stdout must be: keep one of the two"),
    ):
        if key in found and place is not None:
            wrong(place, remedy)
    cases, answers = (_files_like(found[key]) if key in found else {} for key in ("from", "answers"))
    lacking, alone = (
        [in_quotes(one[case]) for case in one if case not in other]
        for one, other in ((cases, answers), (answers, cases))
    )
    if answers and lacking:
        wrong(found["answers"], f"there is no answer to {listed(lacking, most=3)}: every file of from needs one")
    elif cases and alone:
        wrong(found["answers"], f"{listed(alone, most=3)}: the input to this is not there")
    made = {
        case: {
            "stdin": attach_unread(found["from"], name),
            "expect": {"stdout": exact_file(found["answers"], answers[case]), "screen": None}
            if case in answers
            else {},
        }
        for case, name in cases.items()
    }
    return made if len(value.context.problems) == known else {}


def _files_like(value: Value) -> dict[str, str]:
    """Return the part that `*` stands for -> the name, of all such files of the course, in natural order."""
    pattern = inner_name(value)
    folder, _, last = pattern.rpartition("/")
    before, star, after = last.partition("*")
    if not star or "*" in f"{folder}{after}":
        yaml.unwanted(value, "a name with one * in its last part, such as tests/*.in")
        return {}
    context = value.context
    context.listings[folder] = names_inside(context.root, folder)
    where = context.root / folder
    names = [path.name for path in where.iterdir() if path.is_file()] if context.listings[folder] else []
    whole = re.compile(rf"{re.escape(before)}(.+){re.escape(after)}", re.DOTALL)
    cases = [match[1] for match in map(whole.fullmatch, names) if match]
    if not cases:
        alike = sorted({f"{folder}/*{Path(name).suffix}".removeprefix("/") for name in names if "." in name})
        hint = f"; there are: {', '.join(alike)}" if alike else ""
        wrong(value, f"there is no file {in_quotes(pattern)} in {context.root}{hint}")
    if strange := [case for case in cases if not case.isprintable()]:
        wrong(value, f"{in_quotes(strange[0])} is no name for a case: rename the file")
    cases.sort(key=lambda case: [int(p) if p.isascii() and p.isdigit() else p for p in re.split("([0-9]+)", case)])
    return {case: f"{folder}/{before}{case}{after}".removeprefix("/") for case in cases}
