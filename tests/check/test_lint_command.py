"""`grader lint` and `grader schema`, as they are called."""

import json
import os
from pathlib import Path

import jsonschema
import pytest

from grader import cli
from grader.check.runner import RULE_DESCRIPTIONS, RULES
from grader.core.errors import UsageError
from grader.core.reader import language as schema
from grader.core.reader.language import schema_text
from tests.support.courses import SPEC, course
from tests.support.rows import each_row

WARNED = SPEC.replace("args: [a, b]", "args: [a]")
WRONG = SPEC.replace("points: 6", "point: 6")


@pytest.fixture(autouse=True)
def at_the_course(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)


def call(*words: str) -> int:
    return int(cli.cli.main(list(words), standalone_mode=False) or 0)


@each_row
def test_the_exit_code_is_2_for_errors_and_under_strict_for_warnings(
    tmp_path: Path, spec: str, words: list[str], code: int
) -> None:
    course(tmp_path, spec)
    assert call("lint", "echo", "--no-run", *words) == code


def test_text_is_as_compilers_write_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    course(tmp_path, WARNED)
    (tmp_path / "specs" / "wrong.yaml").write_text(WRONG)
    assert call("lint", "specs/echo.yaml", "specs/wrong.yaml", "--no-run") == 2
    told = capsys.readouterr()
    warning = (
        "specs/echo.yaml:16:9: warning: tests[0].cases[1]: `words[2]` is the same as `words[1]`: it tests nothing new; "
        "change it or take it out [repeated-case]"
    )
    error = 'specs/wrong.yaml:11:5: error: tests[0].point: unknown key; did you mean "points"? [spec]'
    assert told.err.splitlines() == [warning, error]
    assert told.out.splitlines() == [
        "specs/echo.yaml: 2 tests, 3 cases, 10 points: 1 warning",
        "2 specs: 1 error, 1 warning",
    ]


def test_it_says_what_it_could_not_check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    course(
        tmp_path,
        SPEC.replace("reference: python3 reference/echo.py\n", "").replace("expect: reference", "expect: {exit: 0}"),
    )
    call("lint", "specs/echo.yaml", "--ignore", "unreachable-tolerance")
    rules = ", ".join(name for name, rule in RULES.items() if rule.asks == "reference")
    assert capsys.readouterr().err == f"specs/echo.yaml: not checked: {rules} (there is no reference)\n"


def test_json_is_a_list_of_remarks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    course(tmp_path, WARNED)
    (tmp_path / "specs" / "wrong.yaml").write_text(WRONG)
    call("lint", "specs/echo.yaml", "specs/wrong.yaml", "--no-run", "--format", "json")
    first, second = json.loads(capsys.readouterr().out)
    assert list(first) == ["file", "line", "column", "path", "level", "rule", "message"]
    assert (first["level"], first["rule"], first["line"]) == ("warning", "repeated-case", 16)
    assert (second["file"], second["level"], second["rule"]) == ("specs/wrong.yaml", "error", "spec")


def test_sarif_is_what_code_scanning_reads(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    course(tmp_path, WARNED)
    odd = os.fsdecode("specs/an odd näme".encode() + b"\xff.yaml")  # no UTF-8
    Path(odd).write_text(WRONG)
    call("lint", "specs/echo.yaml", odd, "--no-run", "--format", "sarif")
    log = json.loads(capsys.readouterr().out)
    jsonschema.validate(log, json.loads((Path(__file__).parent / "sarif.schema.json").read_text()))
    (run,) = log["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert rules == [*RULE_DESCRIPTIONS]
    for rule in run["tool"]["driver"]["rules"]:  # what GitHub shows, filters and sorts by
        assert rule["help"]["text"] == rule["help"]["markdown"] == rule["fullDescription"]["text"]
        assert rule["properties"] == {"tags": ["grader"], "problem.severity": rule["defaultConfiguration"]["level"]}
    assert all(rules[result["ruleIndex"]] == result["ruleId"] for result in run["results"])
    uris = [result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for result in run["results"]]
    assert uris == ["specs/echo.yaml", "specs/an%20odd%20n%C3%A4me%FF.yaml"]
    notes = run["invocations"][0]["toolExecutionNotifications"]
    assert {note["associatedRule"]["id"] for note in notes} == {rule for rule in RULES if RULES[rule].asks != "nothing"}


def test_in_sarif_a_spec_outside_the_folder_has_its_whole_path(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = course(tmp_path, WRONG)
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    call("lint", str(path), "--no-run", "--format", "sarif")
    (run,) = json.loads(capsys.readouterr().out)["runs"]
    (location,) = run["results"][0]["locations"]
    assert location["physicalLocation"]["artifactLocation"] == {"uri": path.resolve().as_uri()}


@pytest.mark.parametrize("name", ["spec", "not-run"])  # of files that are no specs, and of verify alone
def test_a_rule_that_is_none_cannot_be_left_out(tmp_path: Path, name: str) -> None:
    course(tmp_path)
    with pytest.raises(UsageError, match=f"there is no rule '{name}' to leave out; there are: never-fails"):
        call("lint", "echo", "--ignore", name)


def test_the_schema_is_printed_written_and_where_it_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call("schema")
    assert capsys.readouterr().out == schema_text()
    call("schema", "--out", "spec.json")
    assert (tmp_path / "spec.json").read_text() == schema_text()
    call("schema", "--path")
    assert capsys.readouterr().out == f"{schema.FILE}\n"
