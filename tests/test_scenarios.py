"""The scenarios of `tests/scenarios/`: a spec, what is handed in, and what each submission gets.

A file holds one `Scenario`, or several behind lines of `---`. What is expected may leave something open with `…`.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml
from msgspec.structs import replace

from grader.author.handout import to_handout
from grader.core.model.layout import Submission
from grader.core.model.report import Job, Report, Verdict
from grader.core.pipeline import Course, grade, prepare
from grader.core.report.formats import render
from grader.core.report.json import from_json, to_json, to_report
from grader.core.report.plain import report_text
from tests.support.languages import is_here
from tests.support.packages import Changes, Texts, changed, lay, merged
from tests.support.report_samples import case_result, on_screen, report_of, scored_test
from tests.support.rows import Loader, each_row
from tests.support.sampled import in_sample
from tests.support.stated import case_differences, differences

FOLDER = Path(__file__).with_name("scenarios")
SPEC = "specs/scenario.yaml"
TOO_BUSY = "The machine was too busy"


class Given(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A submission, and what it gets: all points, and every case passes, unless it says otherwise."""

    program: str | None = None  # instead of the first file of the scenario
    change: Changes = {}  # in the files of the scenario
    files: Texts = {}  # beside those of the scenario; changes of one that is there; null for one that goes
    spec: Changes = {}  # in the spec, for this submission
    course: Texts = {}  # beside the files of the course, as `files`
    only: tuple[str, ...] = ()  # the tests that are run
    sandbox: str = "auto"

    points: float | msgspec.UnsetType | None = msgspec.UNSET
    cases: Mapping[str, str | dict[str, Any]] = {}
    """a case, a test for all of its cases, or `*` for all others -> `VERDICT`, `{VERDICT: sentence}`, and other keys of
    `report.json`; `lacks` has texts that stand nowhere in the case"""
    report: Mapping[str, Any] = {}  # other keys of `report.json`, where `tests` has those of a test by its name
    shows: Sequence[str] = ()  # what stands in `feedback.md`
    hides: Sequence[str] = ()  # what stands in nothing that a student gets
    lacks: Sequence[str] = ()  # what does not stand in `report.json`


class Scenario(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A course with one spec, and submissions."""

    about: str
    spec: str
    submissions: Mapping[str, Given]
    course: Texts = {}
    files: Texts = {}
    handout: Sequence[str] = ()  # what stands in the handout
    secret: Sequence[str] = ()  # what does not
    abreast: int = 1  # cases that run at a time
    language: str = ""  # without it on the machine, the scenario is skipped
    each: int = 1  # of so many submissions CI grades one, and `make soak` the rest; `make test` grades a third of CI's
    slow: bool = False


def part_of(scenario: Scenario, place: int) -> str:
    """Return what grades a submission: `make test`, the slow tests or the soak."""
    if not in_sample(place, scenario.each):
        return "-rest"
    many = len(scenario.submissions) > 4 * scenario.each
    return "-more" if scenario.slow or not in_sample(place // scenario.each, 3 if many else 1) else ""


def scenarios() -> Iterator[Any]:
    """Iterate over the parts of each scenario of all files."""
    marks = {"": [], "-more": [pytest.mark.slow], "-rest": [pytest.mark.soak]}
    for path in sorted(FOLDER.rglob("*.yaml")):
        for number, data in enumerate(yaml.load_all(path.read_text(encoding="utf-8"), Loader), 1):
            whole = msgspec.convert(data, Scenario)
            parts: dict[str, dict[str, Given]] = {}
            for place, (name, given) in enumerate(whole.submissions.items()):
                parts.setdefault(part_of(whole, place), {})[name] = given
            limit = pytest.mark.timeout(300 + 20 * len(whole.submissions))
            for part, some in parts.items():
                name = f"{path.relative_to(FOLDER).with_suffix('')}-{number}{part}"
                yield pytest.param(replace(whole, submissions=some), id=name, marks=[limit, *marks[part]])


def graded(scenario: Scenario, folder: Path) -> Iterator[tuple[str, Given, Course, Report]]:
    """Grade each submission; those with the same spec and files of the course share what is prepared."""
    courses: dict[str, Course] = {}
    for number, (name, given) in enumerate(scenario.submissions.items()):
        files = {**merged(scenario.course, given.course), **changed({SPEC: scenario.spec}, given.spec)}
        if (key := repr((files, given.sandbox))) not in courses:
            root = lay(folder / f"course-{len(courses)}", files)
            courses[key] = prepare(root / SPEC, sandbox=given.sandbox, abreast=scenario.abreast)
        program = {} if given.program is None else {next(iter(scenario.files)): given.program}
        handed_in = merged(changed({**scenario.files, **program}, given.change), given.files)
        work = Submission(id="student", path=lay(folder / f"work-{number}" / "student", handed_in))
        job = Job(spec=courses[key].spec.root / SPEC, submission=work, sandbox=given.sandbox, only=given.only)
        yield name, given, courses[key], grade(job, courses[key])


def faults(given: Given, report: Report) -> Iterator[str]:
    """Say what is otherwise than it is stated."""
    files = {name: text.decode() for name, text in render(report).items()}
    written = files.pop("report.json")
    data = json.loads(written)
    stated = dict(given.report)
    if given.points is not msgspec.UNSET or not (given.cases or given.report):
        stated["score"] = report.max_score if given.points is msgspec.UNSET else given.points
    yield from differences("report", {**data, "tests": {test["name"]: test for test in data["tests"]}}, stated)
    used = set()
    for test in data["tests"]:
        for case in test["cases"]:
            key = next((key for key in (case["id"], test["name"], "*") if key in given.cases), "")
            used.add(key)
            yield from case_differences(case, given.cases.get(key, "passed"))
    yield from (f"{name} is of nothing" for name in sorted(given.cases.keys() - used))
    page = files["feedback.md"]
    yield from (f"feedback.md lacks: {text}\n{page}" for text in given.shows if text not in page)
    if given.hides:
        files |= {"the terminal": on_screen(report, 200), "the text": report_text(report)}
    yield from (f"{name} shows: {text}" for text in given.hides for name, file in files.items() if text in file)
    yield from (f"report.json says: {text}" for text in given.lacks if text in written)


@each_row
def test_what_is_otherwise_is_shown(given: Given, told: str) -> None:
    result = scored_test("count", (case_result("count"),), Verdict.FAILED)
    found = "\n".join(faults(given, to_report(report_of(result))))
    assert (told in found, bool(told)) == (True, bool(found))


@pytest.mark.parametrize("scenario", [*scenarios()])
def test_a_scenario(scenario: Scenario, tmp_path: Path) -> None:
    if scenario.language and not is_here(scenario.language):
        pytest.skip(f"{scenario.language} is not on this machine")
    wrong, busy, handout = [], [], ""
    for name, given, course, report in graded(scenario, tmp_path):
        assert from_json(to_json(report)) == report
        if any(case.message.startswith(TOO_BUSY) for test in report.tests for case in test.cases):
            busy.append(name)
        else:
            wrong += [f"{name}: {fault}" for fault in faults(given, report)]
        if (scenario.handout or scenario.secret) and not (handout or given.spec or given.course):
            handout = to_handout(course)
            wrong += [f"the handout lacks: {text}" for text in scenario.handout if text not in handout]
            wrong += [f"the handout says: {text}" for text in scenario.secret if text in handout]
    if wrong:
        pytest.fail("\n\n".join(wrong), pytrace=False)
    if busy:
        pytest.skip(f"{TOO_BUSY} for {', '.join(busy)}")
