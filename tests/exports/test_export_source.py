"""What is exported of the source itself: for tools that look for copies, and as findings at their lines."""

import csv
import io
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from zipfile import ZipFile

import jsonschema
import pytest
from msgspec.structs import replace as changed

from grader.core.model.gradebook import Student
from grader.core.model.layout import BuildResult
from grader.core.model.report import Spot, Verdict
from grader.exports.registry import make_export
from grader.exports.request import Request
from tests.support.export_samples import graded, keeping_secrets, request_of, ungraded
from tests.support.packages import lay, zipped
from tests.support.report_samples import case_result, report_of, scored_test
from tests.support.rows import from_data, read_data

DATA = read_data(__file__)
SCHEMA = Path(__file__).parents[1] / "check" / "sarif.schema.json"


def handed_in_at(request: Request, paths: Mapping[str, Path]) -> Request:
    """Say where the work of some students lies."""
    grades = [
        replace(grade, entry=replace(grade.entry, path=paths.get(grade.entry.id, grade.entry.path)))
        for grade in request.book.grades
    ]
    return replace(request, book=replace(request.book, grades=tuple(grades)))


def test_tools_that_look_for_copies_find_a_folder_for_each(tmp_path: Path) -> None:
    files = {"Queens.java": "class Queens {}\n", "src/a,b.java": "// a\n", "Queens.class": b"\xca\xfe\0"}
    paths = {"ada": lay(tmp_path / "ada", files), "cy": tmp_path / "cy"}
    paths["../bo"] = lay(tmp_path / "bo", {"Queens.java": "class Queens { }\n"})
    people = {"ada": Student(id="ada", name="=Ada", section="B"), "../bo": Student(id="../bo")}
    reports = {"ada": graded(50), "../bo": graded(60), "cy": graded(1), "dee": None}
    request = handed_in_at(request_of(reports, people), paths)
    jplag, dolos = (make_export(name, request) for name in ("jplag", "dolos"))
    for exported in (jplag, dolos):
        (left,) = exported.left_out
        assert left.startswith("cy is left out: ")
        assert "2 of 3 submissions" in exported.notes[-1]
        assert "ada/Queens.class is left out: no text" in exported.notes
    with ZipFile(io.BytesIO(jplag.content)) as archive:
        names = set(archive.namelist())
        assert names == {"ada/Queens.java", "ada/src/a,b.java", "-bo/Queens.java"}
        assert archive.read("-bo/Queens.java") == b"class Queens { }\n"
    with ZipFile(io.BytesIO(dolos.content)) as archive:
        assert set(archive.namelist()) == {*names, "info.csv"}
        rows = list(csv.DictReader(io.StringIO(archive.read("info.csv").decode())))
    assert {row["filename"] for row in rows} == names
    assert {(row["id"], row["full_name"], row["label"]) for row in rows} == {
        ("ada", "'=Ada", "B"),
        ("../bo", "../bo", ""),
    }


def test_everything_readable_is_in_it_and_who_is_not_is_named_with_why(tmp_path: Path) -> None:
    inner = zipped({"deep.py": b"d = 1\n"})
    works: dict[str, dict[str, bytes]] = {
        "ada": {"work.zip": zipped({"p/a.py": b"a = 1\n", "more.tar.zip": inner}), "note.txt": b"hello\n"},
        "bo": {"b.py": "# José\n".encode("latin-1"), "c.py": "c = 1\n".encode("utf-16"), "esc.py": b"e = '\x1b'\n"},
        "cy": {"c.class": b"\xca\xfe\0\0\0\1"},
        "dee": {"d.zip": b"PK\3\4 cut off"},
        "eve": {"e.rar": b"Rar!\x1a\x07", "e.py": b"e = 1\n"},
        "flo": {"a:b.py": b"f = 1\n", "a-b.py": b"f = 2\n", "x.zip": zipped({"x.py": b""}), "x": b"x"},
        "gus": {},
    }
    paths = {name: lay(tmp_path / name, files) for name, files in works.items()}
    request = request_of({name: graded(1) for name in works} | {"hal": None})
    exported = make_export("jplag", handed_in_at(request, paths))
    with ZipFile(io.BytesIO(exported.content)) as archive:
        texts = {name: archive.read(name) for name in archive.namelist()}
    assert texts == from_data(DATA["TEXTS"], dict[str, bytes])
    assert [line.partition(" is left out: ")[0] for line in exported.left_out] == ["cy", "dee", "gus"]
    assert "no file in it is a text" in exported.left_out[0]
    assert "damaged or cut off" in exported.left_out[1]
    assert any(line.startswith("eve is in it without an archive: e.rar: ") for line in exported.notes)
    assert "1 student handed in nothing" in exported.notes
    assert exported.notes[-1].startswith("4 of 7 submissions: ")


def test_findings_are_at_their_lines() -> None:
    judged = keeping_secrets()
    spot = Spot(file="src/Qu een.java", line=7, what="System.exit", source="System.exit(1);")
    tests = [
        changed(
            result,
            cases=tuple(
                changed(case, message="It exits.", spots=(spot, changed(spot, line=9))) for case in result.cases
            ),
        )
        for result in judged.tests
    ]
    log = json.loads(make_export("sarif", request_of({"ada": changed(judged, tests=tuple(tests))})).content)
    jsonschema.validate(log, json.loads(SCHEMA.read_text()))
    (run,) = log["runs"]
    places = [result["locations"][0]["physicalLocation"] for result in run["results"]]
    assert [result["ruleId"] for result in run["results"]] == ["source", "source"]  # and nothing of hidden tests
    assert [(one["artifactLocation"]["uri"], one["region"]["startLine"]) for one in places] == [
        ("src/Qu%20een.java", 7),
        ("src/Qu%20een.java", 9),
    ]
    assert run["results"][0]["message"]["text"] == "It exits."


def test_a_finding_in_a_cell_is_at_its_notebook_and_says_where() -> None:
    judged = keeping_secrets()
    spot = Spot(file="hw1.ipynb, cell 7", line=3, what="os", rule="F401")
    tests = [
        changed(result, cases=tuple(changed(case, spots=(spot,)) for case in result.cases)) for result in judged.tests
    ]
    log = json.loads(make_export("sarif", request_of({"ada": changed(judged, tests=tuple(tests))})).content)
    found = log["runs"][0]["results"][0]
    place = found["locations"][0]["physicalLocation"]
    assert (place["artifactLocation"]["uri"], place["region"]["startLine"]) == ("hw1.ipynb", 1)
    assert found["message"]["text"] == "cell 7, line 3: F401: os"


def test_a_build_that_failed_has_its_line_and_who_is_ungraded_is_left_out() -> None:
    failed = changed(
        graded(0), verdict=Verdict.FAILED, build=BuildResult(ok=False, message="javac failed: ; expected (Q.java:12)")
    )
    (result,) = json.loads(make_export("sarif", request_of({"ada": failed})).content)["runs"][0]["results"]
    place = result["locations"][0]["physicalLocation"]
    assert (result["ruleId"], place["artifactLocation"]["uri"], place["region"]["startLine"]) == ("build", "Q.java", 12)
    exported = make_export("sarif", request_of({"ada": ungraded()}))
    assert len(exported.left_out) == 1
    assert json.loads(exported.content)["runs"][0]["results"] == []


def test_what_cases_took_is_beside_what_they_may_take() -> None:
    exported = make_export("times", request_of({"ada": keeping_secrets(), "bo": graded(50), "cy": None}))
    rows = list(csv.DictReader(io.StringIO(exported.content.decode())))
    assert [(row["submission"], row["test"]) for row in rows] == [("ada", "count"), ("bo", "count")]
    for row in rows:
        assert float(row["time"]) <= float(row["time_limit"])
        assert float(row["cpu"]) <= float(row["cpu_limit"])
        assert int(row["memory"] or 0) <= int(row["memory_limit"])


def test_ci_shows_what_crashed_and_what_cannot_be_read_at_its_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    syntax = "Python cannot read your program: `SyntaxError: invalid syntax` in line 2 of `a.py`, `def f(:`."
    crash = "Your program ended with an uncaught exception: `E: no.txt:7, 50 %` in line 3 of `src/b.py`, `fail()`."
    null = "c.c:12 (`*place = 7;`) writes 8 bytes through a null pointer (SIGSEGV)."
    texts = {
        syntax: Verdict.FAILED,
        crash: Verdict.CRASHED,
        null: Verdict.CRASHED,
        "../c.c:12 writes.": Verdict.CRASHED,
        "Line 1 of standard output is `x.py:3`, expected `4`.": Verdict.FAILED,
    }
    cases = [case_result(f"t[{at}]", verdict, text) for at, (text, verdict) in enumerate(texts.items())]
    memory = Spot(file="m.c", line=4, what="reads", rule="memory-fault")
    cases += [cases[2], changed(case_result("m", Verdict.FAILED, "It reads."), spots=(memory,))]
    report = report_of(scored_test("count", tuple(cases), Verdict.FAILED, 0, 100), verdict=Verdict.FAILED, score=0)
    request = request_of({"a,d": report, "bo": None, "cy": ungraded()})
    request = handed_in_at(request, {"a,d": tmp_path / "work" / "a,d"})
    exported = make_export("github-annotations", request)
    assert exported.content.decode().splitlines() == [
        f"::error file=work/a%2Cd/a.py,line=2,title=a%2Cd%3A syntax::{syntax}",
        f"::error file=work/a%2Cd/src/b.py,line=3,title=a%2Cd%3A crash::{crash.replace('%', '%25')}",
        f"::error file=work/a%2Cd/c.c,line=12,title=a%2Cd%3A crash::{null}",
        "::error file=work/a%2Cd/m.c,line=4,title=a%2Cd%3A memory::It reads.",
    ]
    assert [line.partition(" ")[0] for line in exported.left_out] == ["cy"]
    listed = json.loads(make_export("gitlab-codequality", request).content)
    assert [(one["check_name"], one["location"]["path"], one["location"]["lines"]["begin"]) for one in listed] == [
        ("grader-syntax", "work/a,d/a.py", 2),
        ("grader-crash", "work/a,d/src/b.py", 3),
        ("grader-crash", "work/a,d/c.c", 12),
        ("grader-memory", "work/a,d/m.c", 4),
    ]
    assert len({one["fingerprint"] for one in listed}) == 4
    assert {one["severity"] for one in listed} == {"major"}
    one = replace(request, book=replace(request.book, grades=request.book.grades[:1]))
    log = json.loads(make_export("sarif", one).content)
    jsonschema.validate(log, json.loads(SCHEMA.read_text()))
    assert [found["ruleId"] for found in log["runs"][0]["results"]] == ["syntax", "crash", "crash", "memory"]
