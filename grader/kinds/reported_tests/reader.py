"""`unit` with `command`: tests that a command runs and reports; one case stands for all while names are unknown."""

import os
import re
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from pathlib import PurePosixPath
from typing import Any, get_args

from msgspec.structs import replace

from grader.core.model.spec import Case, Expectation
from grader.core.reader.selection import selected_tests
from grader.core.reader.types import attach_folder, read_work_files
from grader.core.yaml import value as yaml
from grader.core.yaml.nodes import Table
from grader.core.yaml.types import read_as, read_given, refuse
from grader.core.yaml.value import Fields, Value, attach, in_quotes, inner_name, items, suggestion, wrong
from grader.kinds.reported_tests.model import REPORT_PLACE, ReportedTestCase, TestReportFormat


def read_reported(name: str, keys: Fields, shared: Mapping[str, Any], selected: Mapping[str, Any]) -> Iterator[Case]:
    """Make the cases of a test of that name; `keys` are those of `unit`, `shared` the parts of every case."""
    if "report" not in keys:
        wrong(keys["command"], f"how does it report its tests? Say report: {', '.join(get_args(TestReportFormat))}")
    read = {"format": "tap", **read_given(keys, "command", "report", "from")}
    files = read_course_files(keys["with"]) if "with" in keys else {}
    only, weights = selected.get("only", ()), tuple(selected.get("weights", {}).items())
    payload = ReportedTestCase(**read, files=files, only=only, weights=weights)
    has_place = any(
        REPORT_PLACE in word for words in (*payload.commands, shared.get("env", {}).values()) for word in words
    )
    if payload.source and has_place:
        wrong(keys["from"], f"the command is told {REPORT_PLACE} already: take from out")
    if payload.format != "junit" and "*" in payload.source:
        wrong(keys["from"], "only JUnit XML may be in several files: name one")
    refuse(keys, ("jars", "together", "values"), "{} has no meaning beside command: take it out")
    for named, weight in _read_named(payload, keys) if "tests" in keys else [(payload, Fraction(1))]:
        label = f"{name}[{named.name}]" if named.name else name
        yield Case(**shared, id=label, kind="reported", payload=named, weight=weight, expect=Expectation(exit="any"))


def _read_named(payload: ReportedTestCase, keys: Fields) -> Iterator[tuple[ReportedTestCase, Fraction]]:
    """Yield each test that the spec names, and how much it counts."""
    names = [" ".join(name.split()) for name in read_as("method-names")(keys["tests"])]
    for place, item in enumerate(items(keys["tests"])):
        if names[place] in names[:place]:
            wrong(item, f"{in_quotes(names[place])} is named twice: leave one out")
    try:
        weights = selected_tests(names, payload.only, payload.weights)
    except LookupError as error:
        key = "only" if error.args[0] in payload.only else "weights"
        wrong(keys[key], f"there is no such test{suggestion(error.args[0], names)}")
        return
    if weights and not any(weights.values()):
        wrong(keys["weights"], "every test counts 0: give one a weight")
    for label, weight in weights.items():
        yield replace(payload, name=label, total=len(names)), weight


def read_report_files(value: Value) -> str:
    """Read the name of a file in the working folder, or a glob."""
    name = inner_name(value)
    if name and not re.fullmatch(r"[\w.*-][\w./*-]*", name):
        yaml.unwanted(value, "the name of a file in the working folder, such as build/results/*.xml")
    return name


def read_course_files(
    value: Value, place: Callable[[PurePosixPath], PurePosixPath] = lambda own: own, taken: str = ""
) -> dict[str, bytes]:
    """Read files and folders of the course by their names, or where `place` puts them; none may lie at `taken`."""
    files: dict[str, bytes] = {}
    is_table = isinstance(value.node, Table)
    for item in (value,) if is_table else items(value):
        placed = read_work_files(item) if is_table else read_program_files(item, place)
        if taken and (twice := next((name for name in placed if name in files or name == taken), None)):
            wrong(item, f"another file lies there as {in_quotes(twice)}: leave one out")
        files |= placed
    return files


def read_program_files(value: Value, place: Callable[[PurePosixPath], PurePosixPath] | None = None) -> dict[str, bytes]:
    """Read a file or all files of a folder, by their names there, or where their path is placed."""
    own = PurePosixPath(name := inner_name(value).rstrip("/"))
    if name and os.path.isdir(value.context.root / name):  # noqa: PTH112 - never raises
        folder = place(own) if place else PurePosixPath()
        return {str(folder / inside): content for inside, content in attach_folder(value, name).items()}
    return {str(place(own) if place else own.name): attach(value, name)} if name else {}
