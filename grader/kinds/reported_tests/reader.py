"""`unit` with `command`: tests that a command runs and reports.

Their names come from the spec, and are then known here; else from the report of the reference, and until that is asked
one case stands for all.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, get_args

from msgspec.structs import replace

from grader.core.lazy import lazy_regex
from grader.core.model.spec import Case, Expectation
from grader.core.reader.files_and_build import read_commands, read_work_files
from grader.core.reader.selection import select_tests, weigh_tests
from grader.core.yaml.nodes import Table
from grader.core.yaml.value import (
    Value,
    attach,
    attach_folder,
    choice,
    each_of,
    entries,
    get,
    in_quotes,
    inner_name,
    items,
    parse_points,
    parsed,
    suggestion,
    text,
    unwanted,
    wrong,
)
from grader.kinds.reported_tests.model import (
    REPORT_PLACE,
    ReportedTestCase,
    SelectedTests,
    TestReportFormat,
)

_FORMAT = choice(get_args(TestReportFormat), "format of a report")
_WEIGHT = parsed(parse_points, "a weight, such as 2 or 0.5", Fraction(1))
_SOURCE = lazy_regex(r"[\w.*-][\w./*-]*")


def read_reported(name: str, found: Mapping[str, Value], shared: Mapping[str, Any]) -> Iterator[Case]:
    """Make the cases of a test of that name; `found` are the keys of `unit`, `shared` the parts of every case."""
    commands = read_commands(found["command"])
    form = _read_format(found)
    source = get(found, "from", _read_source, "")
    env = shared.get("env", {})
    is_file = any(REPORT_PLACE in word for words in (*commands, tuple(env.values())) for word in words)
    if source and is_file:
        wrong(found["from"], f"the command is told {REPORT_PLACE} already: take from out")
    if form != "junit" and source and "*" in source:
        wrong(found["from"], "only JUnit XML may be in several files: name one")
    for key in sorted({"together", "jars", "values"} & found.keys()):
        wrong(found[key], f"{key} has no meaning beside command: take it out")
    unnamed: tuple[tuple[Value, str], ...] = ()
    names = get(found, "tests", each_of(lambda item: (item, " ".join(text(item).split()))), unnamed)
    payload = ReportedTestCase(
        commands=commands,
        format=form,
        source=source,
        files=get(found, "with", read_course_files, {}),
        selected=SelectedTests(
            only=get(found, "only", each_of(text), ()), weights=get(found, "weights", read_weights, ())
        ),
    )
    if not names:
        yield _case(name, payload, shared)
        return
    yield from _read_named(name, payload, shared, found, names)


def _case(name: str, payload: ReportedTestCase, shared: Mapping[str, Any], weight: Fraction = Fraction(1)) -> Case:
    label = f"{name}[{payload.name}]" if payload.name else name
    return Case(**shared, id=label, kind="reported", payload=payload, weight=weight, expect=Expectation(exit="any"))


def _read_format(found: Mapping[str, Value]) -> TestReportFormat:
    if "report" not in found:
        wrong(found["command"], f"how does it report its tests? Say report: {', '.join(get_args(TestReportFormat))}")
    return get(found, "report", _FORMAT, "tap")


def _read_source(value: Value) -> str:
    name = inner_name(value)
    if name and not _SOURCE.fullmatch(name):
        unwanted(value, "the name of a file in the working folder, such as build/results/*.xml")
        return ""
    return name


def read_course_files(value: Value) -> dict[str, bytes]:
    """Read files and folders of the course, by their paths below its root or the names that a mapping gives."""
    if isinstance(value.node, Table):
        return read_work_files(value)
    files: dict[str, bytes] = {}
    for item in items(value):
        name = inner_name(item).rstrip("/")
        if name and (value.context.root / name).is_dir():
            files |= {f"{name}/{inside}": content for inside, content in attach_folder(item, name).items()}
        elif name:
            files[name] = attach(item, name)
    return files


def read_weights(value: Value) -> tuple[tuple[str, Fraction], ...]:
    """Read how much tests count, by names or globs."""
    return tuple((pattern, _WEIGHT(entry)) for pattern, (_, entry) in entries(value).items())


def _read_named(
    name: str,
    payload: ReportedTestCase,
    shared: Mapping[str, Any],
    found: Mapping[str, Value],
    listed: tuple[tuple[Value, str], ...],
) -> Iterator[Case]:
    """Make a case of each test that the spec names."""
    names = [label for _, label in listed]
    for place, (item, label) in enumerate(listed):
        if label in names[:place]:
            wrong(item, f"{in_quotes(label)} is named twice: leave one out")
            return
    selected = payload.selected
    try:
        chosen, weights = select_tests(names, selected.only), weigh_tests(names, selected.weights)
    except LookupError as error:
        key = "only" if error.args[0] in selected.only else "weights"
        wrong(found[key], f"there is no such test{suggestion(error.args[0], names)}")
        return
    if not any(weights[label] for label in chosen):
        wrong(found["weights"], "every test counts 0: give one a weight")
    for place, label in enumerate(chosen):
        named = replace(payload, name=label, total=len(names), is_first=place == 0)
        yield _case(name, named, shared, weights[label])
