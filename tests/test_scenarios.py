"""The scenarios of `tests/scenarios/`: a spec, what is handed in, and what each submission gets.

A file holds one `Scenario`, or several behind lines of `---`. What is expected may leave something open with `…`.
"""

import difflib
import io
import json
import re
import subprocess
import zipfile
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

pytestmark = pytest.mark.usefixtures("shared_cache")


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
    """Iterate over the scenarios of all files, with their marks."""
    for path in sorted(FOLDER.rglob("*.yaml")):
        for number, data in enumerate(yaml.load_all(path.read_text(encoding="utf-8"), Loader), 1):
            one = msgspec.convert(data, Scenario)
            name = f"{path.relative_to(FOLDER).with_suffix('')}-{number}"
            limit = pytest.mark.timeout(300 + 20 * len(one.submissions))
            for part, submissions, *marks in parts(one):
                if submissions:
                    yield pytest.param(replace(one, submissions=submissions), id=name + part, marks=[limit, *marks])


def parts(scenario: Scenario) -> Iterator[Any]:
    """Iterate over what `make test`, the slow tests and the soak grade of a scenario: a suffix, submissions, marks."""
    some = sample(scenario.submissions, scenario.each)
    quick = sample(some, 3 if len(some) > 4 else 1)
    if scenario.slow:
        yield "", some, pytest.mark.slow
    else:
        yield "", quick
        yield "-more", {name: given for name, given in some.items() if name not in quick}, pytest.mark.slow
    if scenario.each > 1:
        yield "-all", scenario.submissions, pytest.mark.soak


def sample(submissions: Mapping[str, Given], step: int) -> Mapping[str, Given]:
    """Return the submissions of a sample."""
    return {name: given for place, (name, given) in enumerate(submissions.items()) if in_sample(place, step)}


def changed(text: str, changes: Changes) -> str:
    """Return the text with the changes."""
    for old, new in changes.items():
        text = text.replace(old, new)
    return text


def merged(base: Texts, more: Texts, change: Changes | None = None) -> dict[str, Any]:
    """Return files with others laid over them, and with changes, each of which finds something to change."""
    for old in change or {}:
        assert any(old in text for text in base.values() if isinstance(text, str)), old
    files = {name: changed(text, change or {}) if isinstance(text, str) else text for name, text in base.items()}
    for name, text in more.items():
        if isinstance(text, dict) and not name.endswith(".jar"):
            assert all(old in files[name] for old in text), text
            files[name] = changed(files[name], text)
        else:
            files[name] = text
    return {name: text for name, text in files.items() if text is not None}


def write(folder: Path, files: Texts) -> None:
    """Write files below a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        match text:
            case str():
                content = text.encode()
            case [*cells]:
                content = notebook(*cells)
            case dict():
                content = archive(*text.items())
            case _:
                content = text
        (folder / name).write_bytes(content)


@cache
def archive(*files: tuple[str, str]) -> bytes:
    """Return an archive of files, with classes instead of the sources of Java, which are compiled beside JUnit 4."""
    made = io.BytesIO()
    with TemporaryDirectory() as folder, zipfile.ZipFile(made, "w") as file:
        write(Path(folder), dict(files))
        if sources := [name for name, _ in files if name.endswith(".java")]:
            command = ["/usr/bin/javac", "-cp", "/usr/share/java/junit4.jar", "-d", ".", *sources]
            subprocess.run(command, cwd=folder, check=True, timeout=100)
        for path in sorted(Path(folder).rglob("*")):
            if path.is_file() and path.suffix != ".java":
                file.write(path, path.relative_to(folder).as_posix())
    return made.getvalue()


def graded(scenario: Scenario, folder: Path) -> Iterator[tuple[str, Given, Course, Report]]:
    """Grade each submission; those with the same spec and files of the course share what is prepared."""
    courses: dict[str, Course] = {}
    for number, (name, given) in enumerate(scenario.submissions.items()):
        assert all(old in scenario.spec for old in given.spec), given.spec
        sandbox = given.sandbox or scenario.sandbox
        spec, course = changed(scenario.spec, given.spec), merged(scenario.course, given.course)
        root = folder / f"course-{len(courses)}"
        if (key := repr((spec, course, sandbox))) not in courses:
            write(root, {**course, "specs/scenario.yaml": spec})
            courses[key] = prepare(root / "specs/scenario.yaml", sandbox=sandbox, abreast=scenario.abreast)
        main = {next(iter(scenario.files)): given.program} if given.program is not None else {}
        work = folder / f"work-{number}" / "student"
        write(work, merged({**scenario.files, **main}, given.files, given.change))
        path = courses[key].spec.root / "specs/scenario.yaml"
        job = Job(spec=path, submission=Submission(id="student", path=work), sandbox=sandbox, only=given.only)
        yield name, given, courses[key], grade(job, courses[key])


def shaped(found: Any, wanted: Any) -> Any:
    """Return of what was found that about which something is wanted, and what is wanted where it fits."""
    match found, wanted:
        case dict(), dict():
            return {key: shaped(found[key], one) for key, one in wanted.items() if key in found}
        case list(), [*first, "…"]:
            return [*shaped(found[: len(first)], first), "…"]
        case list(), list() if len(found) == len(wanted):
            return [shaped(*pair) for pair in zip(found, wanted, strict=True)]
        case str(), str() if re.fullmatch(re.escape(wanted).replace("…", ".*"), found, re.DOTALL):
            return wanted
    return wanted if found == wanted else found


def stated_and_found(given: Given, report: Report) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return what is stated of a submission, and what there is of it, in the same shape."""
    data = json.loads(to_json(report))
    stated: dict[str, Any] = dict(given.report)
    cases = {name: one if isinstance(one, dict) else {one: "…"} for name, one in given.cases.items()}
    used: set[str] = set()
    loses = bool(given.cases or given.tests or given.report or given.build)
    if given.points is not msgspec.UNSET or not loses:
        stated["score"] = report.max_score if given.points is msgspec.UNSET else given.points
    stated |= {"build": {"message": given.build}} if given.build else {}
    stated |= {"findings": [{"message": text} for text in given.findings]} if given.findings else {}
    found = shaped(data, stated)
    for test in data["tests"]:
        for case in test["cases"]:
            name, verdict, message = case["id"], case["verdict"], case["message"]
            key = next((key for key in (name, test["name"], "*") if key in cases), "")
            used.add(key)
            wanted = cases.get(key, {})
            stated[name] = wanted = wanted if wanted.keys() & VERDICTS else {"passed": "…", **wanted}
            there = {**case, verdict: message, "any": message, **({} if verdict == "passed" else {"lost": message})}
            there["lacks"] = [text for text in wanted.get("lacks", ()) if text not in str(case)]
            found[name] = shaped(there, wanted)
            if not wanted.keys() & VERDICTS & there.keys():
                found[name][verdict] = message
        if test["name"] in given.tests:
            wanted = given.tests[test["name"]]
            stated[f"test {test['name']}"] = wanted = wanted if isinstance(wanted, dict) else {"score": wanted}
            found[f"test {test['name']}"] = shaped(test, wanted)
    unused = (cases.keys() - used) | (given.tests.keys() - {test.name for test in report.tests})
    return stated | dict.fromkeys(sorted(unused), "is of nothing"), found


def faults(given: Given, report: Report) -> Iterator[str]:
    """Say what is otherwise than it is stated."""
    stated, found = stated_and_found(given, report)
    if stated != found:
        here, there = (yaml.safe_dump(one, sort_keys=False, width=10_000, allow_unicode=True).splitlines()
                       for one in (stated, found))  # fmt: skip
        lines = difflib.unified_diff(here, there, "stated", "found", lineterm="", n=1)
        yield "\n".join(lines) or f"stated: {stated}\nfound: {found}"
    files = {name: text.decode() for name, text in render(report).items()}
    written = files.pop("report.json")
    if given.hides:
        files |= {"the terminal": on_screen(report, 200), "the text": report_text(report)}
    yield from (f"feedback.md lacks: {text}\n{files['feedback.md']}" for text in given.shows
                if not re.search(re.escape(text).replace("…", ".*"), files["feedback.md"], re.DOTALL))  # fmt: skip
    yield from (f"{name} shows: {text}" for text in given.hides for name, file in files.items() if text in file)
    yield from (f"report.json says: {text}" for text in given.lacks if text in written)


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
