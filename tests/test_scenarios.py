"""The scenarios of `tests/scenarios/`: a spec, what is handed in, and what each submission gets.

A file holds one `Scenario`, or several behind lines of `---`. What is expected may leave something open with `…`.
"""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
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
from tests.support.notebooks import notebook
from tests.support.packages import lay
from tests.support.report_samples import case_result, on_screen, report_of, scored_test
from tests.support.rows import Loader, each_row
from tests.support.sampled import in_sample

FOLDER = Path(__file__).with_name("scenarios")
Texts = Mapping[str, Any]
"""path -> its text or bytes; a list of the cells of a notebook; the files of a `.jar`; changes of the file that is
there; null for a file that goes"""
Changes = Mapping[str, str]
"""a text -> what stands there instead"""

TOO_BUSY = "The machine was too busy"
VERDICTS = {*Verdict, "lost", "any"}
"""of a case; `lost` is any but `passed`"""


class Given(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A submission, and what it gets: all points, and every case passes, unless it says otherwise."""

    program: str | None = None  # instead of the first file of the scenario
    change: Changes = {}  # in the files of the scenario
    files: Texts = {}  # beside those of the scenario
    spec: Changes = {}  # in the spec, for this submission
    course: Texts = {}  # beside the files of the course
    only: tuple[str, ...] = ()  # the tests that are run
    sandbox: str = ""

    points: float | msgspec.UnsetType | None = msgspec.UNSET
    cases: Mapping[str, str | dict[str, Any]] = {}
    """a case, a test for all of its cases, or `*` for all others -> `VERDICT`, `{VERDICT: sentence}`, and other keys of
    `report.json`; `lacks` has texts that stand nowhere in the case"""
    tests: Mapping[str, Any] = {}  # the points of a test, or keys of it in `report.json`
    report: Mapping[str, Any] = {}  # other keys of `report.json`
    build: str = ""  # the sentence of the build
    findings: Sequence[str] = ()  # their sentences
    shows: Sequence[str] = ()  # what stands in `feedback.md`
    hides: Sequence[str] = ()  # what stands in nothing that a student gets
    lacks: Sequence[str] = ()  # what does not stand in `report.json`


class Scenario(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A course with one spec, and submissions. `change`, `files` and `course` are those of `Given`."""

    about: str
    spec: str
    submissions: Mapping[str, Given]
    course: Texts = {}
    files: Texts = {}
    handout: Sequence[str] = ()  # what stands in the handout
    secret: Sequence[str] = ()  # what does not
    sandbox: str = "auto"
    abreast: int = 1  # cases that run at a time
    language: str = ""  # without it on the machine, the scenario is skipped
    each: int = 1  # of so many submissions CI grades one, and `make soak` all; `make test` grades a third of CI's
    slow: bool = False


def scenarios() -> Iterator[Any]:
    """Iterate over what `make test`, the slow tests and the soak grade of each scenario of all files."""
    for path in sorted(FOLDER.rglob("*.yaml")):
        for number, data in enumerate(yaml.load_all(path.read_text(encoding="utf-8"), Loader), 1):
            one = msgspec.convert(data, Scenario)
            some = sample(one.submissions, one.each)
            quick = {} if one.slow else sample(some, 3 if len(some) > 4 else 1)
            slow = {name: given for name, given in some.items() if name not in quick}
            every = one.submissions if one.each > 1 else {}
            limit = pytest.mark.timeout(300 + 20 * len(one.submissions))
            for part, some, *marks in ("", quick), ("-more", slow, pytest.mark.slow), ("-all", every, pytest.mark.soak):
                if some:
                    name = f"{path.relative_to(FOLDER).with_suffix('')}-{number}{part}"
                    yield pytest.param(replace(one, submissions=some), id=name, marks=[limit, *marks])


def sample(submissions: Mapping[str, Given], step: int) -> Mapping[str, Given]:
    """Return the submissions of a sample."""
    return {name: given for place, (name, given) in enumerate(submissions.items()) if in_sample(place, step)}


def changed(text: str, changes: Changes) -> str:
    """Return the text with the changes, each of which finds something to change."""
    for old, new in changes.items():
        assert old in text, old
        text = text.replace(old, new)
    return text


def merged(base: Texts, more: Texts) -> dict[str, Any]:
    """Return files with others laid over them, or with changes of those that are there."""
    files = {**base, **more}
    for name, text in more.items():
        if isinstance(text, dict) and not name.endswith(".jar"):
            files[name] = changed(base[name], text)
    return {name: text for name, text in files.items() if text is not None}


def content_of(text: Any) -> Any:
    """Return what a file holds: a notebook of cells, an archive of files, or what stands there."""
    if isinstance(text, dict):
        return archive(*text.items())
    return notebook(*text) if isinstance(text, list) else text


def write(folder: Path, files: Texts) -> Path:
    """Write files below a folder, which may hold none."""
    folder.mkdir(parents=True, exist_ok=True)
    return lay(folder, {name: content_of(text) for name, text in files.items()})


@cache
def archive(*files: tuple[str, str]) -> bytes:
    """Return an archive of files, with classes instead of the sources of Java, which are compiled beside JUnit 4."""
    with TemporaryDirectory() as folder:
        inside = write(Path(folder, "inside"), dict(files))
        if sources := [name for name, _ in files if name.endswith(".java")]:
            command = ["/usr/bin/javac", "-cp", "/usr/share/java/junit4.jar", "-d", ".", *sources]
            subprocess.run(command, cwd=inside, check=True, timeout=100)
        for name in sources:
            (inside / name).unlink()
        return Path(shutil.make_archive(f"{folder}/made", "zip", inside)).read_bytes()


def graded(scenario: Scenario, folder: Path) -> Iterator[tuple[str, Given, Course, Report]]:
    """Grade each submission; those with the same spec and files of the course share what is prepared."""
    courses: dict[str, Course] = {}
    for number, (name, given) in enumerate(scenario.submissions.items()):
        sandbox = given.sandbox or scenario.sandbox
        course = {**merged(scenario.course, given.course), "specs/scenario.yaml": changed(scenario.spec, given.spec)}
        if (key := repr((course, sandbox))) not in courses:
            root = write(folder / f"course-{len(courses)}", course)
            courses[key] = prepare(root / "specs/scenario.yaml", sandbox=sandbox, abreast=scenario.abreast)
        files = dict(scenario.files)
        if given.program is not None:
            files[next(iter(files))] = given.program
        texts = {name for name, text in files.items() if isinstance(text, str)}
        assert all(any(old in files[name] for name in texts) for old in given.change), given.change
        for old, new in given.change.items():
            files |= {name: files[name].replace(old, new) for name in texts}
        work = write(folder / f"work-{number}" / "student", merged(files, given.files))
        path = courses[key].spec.root / "specs/scenario.yaml"
        job = Job(spec=path, submission=Submission(id="student", path=work), sandbox=sandbox, only=given.only)
        yield name, given, courses[key], grade(job, courses[key])


def differences(place: str, found: Any, wanted: Any) -> Iterator[str]:
    """Say what of that about which something is stated is otherwise."""
    match found, wanted:
        case dict(), dict():
            for key, one in wanted.items():
                yield from differences(f"{place}, {key}", found.get(key, ...), one)
        case list(), [*first, "…"] if len(found) >= len(first):
            yield from differences(place, found[: len(first)], first)
        case list(), list() if len(found) == len(wanted):
            for number, pair in enumerate(zip(found, wanted, strict=True), 1):
                yield from differences(f"{place} {number}", *pair)
        case str(), str() if re.fullmatch(re.escape(wanted).replace("…", ".*"), found, re.DOTALL):
            return
        case _:
            if found != wanted:
                yield f"{place}: stated {wanted!r}, found {found!r}"


def faults(given: Given, report: Report) -> Iterator[str]:
    """Say what is otherwise than it is stated."""
    data = json.loads(to_json(report))
    stated: dict[str, Any] = dict(given.report)
    if given.points is not msgspec.UNSET or not (given.cases or given.tests or given.report or given.build):
        stated["score"] = report.max_score if given.points is msgspec.UNSET else given.points
    stated |= {"build": {"message": given.build}} if given.build else {}
    stated |= {"findings": [{"message": text} for text in given.findings]} if given.findings else {}
    yield from differences("report", data, stated)
    used: set[str] = set()
    for test in data["tests"]:
        if test["name"] in given.tests:
            wanted = given.tests[test["name"]]
            yield from differences(test["name"], test, wanted if isinstance(wanted, dict) else {"score": wanted})
        for case in test["cases"]:
            key = next((key for key in (case["id"], test["name"], "*") if key in given.cases), "")
            used.add(key)
            yield from case_faults(case, given.cases.get(key, {}))
    unused = (given.cases.keys() - used) | (given.tests.keys() - {test["name"] for test in data["tests"]})
    yield from (f"{name} is of nothing" for name in sorted(unused))
    files = {name: text.decode() for name, text in render(report).items()}
    written = files.pop("report.json")
    if given.hides:
        files |= {"the terminal": on_screen(report, 200), "the text": report_text(report)}
    yield from (f"feedback.md lacks: {text}\n{files['feedback.md']}" for text in given.shows
                if not re.search(re.escape(text).replace("…", ".*"), files["feedback.md"], re.DOTALL))  # fmt: skip
    yield from (f"{name} shows: {text}" for text in given.hides for name, file in files.items() if text in file)
    yield from (f"report.json says: {text}" for text in given.lacks if text in written)


def case_faults(case: Any, stated: str | dict[str, Any]) -> Iterator[str]:
    """Say what of a case is otherwise than it is stated; it passes, unless another verdict is stated."""
    wanted = {stated: "…"} if isinstance(stated, str) else stated
    (verdict,) = wanted.keys() & VERDICTS or {"passed"}
    told = f"{case['verdict']}: {case['message']}"
    if verdict not in {case["verdict"], "any", *({"lost"} if case["verdict"] != "passed" else ())}:
        yield f"{case['id']}: stated {verdict}: {wanted.get(verdict, '…')}, found {told}"
        return
    lacks = [text for text in wanted.get("lacks", ()) if text not in str(case)]
    yield from differences(case["id"], {**case, verdict: case["message"], "lacks": lacks}, wanted)


@each_row
def test_what_is_otherwise_is_shown(given: Given, told: str) -> None:
    result = scored_test("count", (case_result("count"),), Verdict.FAILED)
    found = "\n".join(faults(given, to_report(report_of(result))))
    assert told in found
    assert bool(told) == bool(found)


@pytest.mark.parametrize("scenario", [*scenarios()])
def test_a_scenario(scenario: Scenario, tmp_path: Path) -> None:
    if scenario.language and not is_here(scenario.language):
        pytest.skip(f"{scenario.language} is not on this machine")
    wrong = []
    handout = ""
    busy = []
    for name, given, course, report in graded(scenario, tmp_path):
        if any(case.message.startswith(TOO_BUSY) for test in report.tests for case in test.cases):
            busy.append(name)
        else:
            wrong += [f"{name}: {fault}" for fault in faults(given, report)]
        assert from_json(to_json(report)) == report
        handout = handout or (to_handout(course) if scenario.handout or scenario.secret else "")
    wrong += [f"the handout lacks: {text}" for text in scenario.handout if text not in handout]
    wrong += [f"the handout says: {text}" for text in scenario.secret if text in handout]
    if wrong:
        pytest.fail("\n\n".join(wrong), pytrace=False)
    if busy:
        pytest.skip(f"{TOO_BUSY} for {', '.join(busy)}")
