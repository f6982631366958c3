import csv
import json
import os
import subprocess
from collections.abc import Mapping
from io import StringIO
from pathlib import Path

import click
import pytest
from msgspec.structs import replace

from grader.cli import cli
from grader.cli.formats import ExportCommand
from grader.core.errors import UsageError
from grader.core.model.gradebook import Entry, Student
from grader.core.model.layout import Submission
from grader.core.model.report import Judgement
from grader.core.report.formats import write_report
from grader.core.report.json import to_json, to_report
from grader.exports.registry import EXPORTS, SPEC_FORMATS
from grader.results.store import ReportKey, open_store
from tests.support.commands import run_grader
from tests.support.export_samples import FOLDER, SECRET, graded, keeping_secrets, ungraded
from tests.support.rows import each_row

CLASS: dict[str, tuple[Student, Judgement | None]] = {
    "S0001": (Student(id="S0001", name="Ada Abara", login="ada-abara"), graded("87.5")),
    "S0002": (Student(id="S0002", name="Ben Berg"), ungraded()),
    "S0004": (Student(id="S0004", name="Dario Dąbrowski"), None),
    "S0077": (Student(id="S0077", name="Zoë Zhou"), graded(12)),
}


def written(judgement: Judgement, out: Path) -> None:
    write_report(to_report(judgement), judgement.submission.id, out)


@pytest.fixture(autouse=True)
def no_step_summary(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Lay down the folder of a class, as `grader class` leaves it."""
    folder = tmp_path_factory.mktemp("class")
    key = ReportKey(submission="", spec="", reference="", toolchain="", grader="")
    about = {"spec": "cmps12b-pa2", "title": "Queens", "digest": "5bec", "max_score": "100"}
    with open_store(folder) as store:
        store.enrol(
            [
                Entry(id=name, path=Path(f"/class/{name}") if report else None, students=(student,))
                for name, (student, report) in CLASS.items()
            ],
            about,
        )
        for name, (_, report) in CLASS.items():
            if report:
                store.put(name, key, to_json(to_report(report)), report.verdict)
    return folder


def run(
    *arguments: str | Path, code: int = 0, environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    ended = run_grader("export", *arguments, environment=environment or {})
    assert ended.returncode == code, ended.stderr.decode()
    return ended


def test_a_gradebook_of_canvas_comes_back_filled_and_who_is_left_out_is_told(results: Path, tmp_path: Path) -> None:
    out = tmp_path / "filled.csv"
    ended = run(
        "canvas", results, "--template", FOLDER / "canvas.csv", "--assignment", "Queens (40231)", "--out", out, code=3
    )
    rows = list(csv.reader(StringIO(out.read_text("utf-8-sig"), newline="")))
    assert [row[6] for row in rows[3:7]] == ["87.5", "55.00", "EX", ""]
    assert ended.stdout == b""
    assert ended.stderr.decode().splitlines() == [
        "grader: column 'Queens (40231)': 1 filled in, 0 of them in place of another grade",
        "grader: S0002 is left as it was: ungraded, by a fault of the grader and not of the student",
        "grader: Zoë Zhou (S0077) has a grade and no row in the file: look at the id, login, address and name",
    ]


def test_no_name_is_a_command_of_a_ci_system(tmp_path: Path) -> None:
    work = Submission(id="##[error]x", path=Path("x"))
    written(replace(graded(5), submission=work), tmp_path / "results")
    told = run("canvas-feedback", tmp_path / "results", "--out", tmp_path / "feedback.zip", code=3).stderr.decode()
    assert "grader: #\\x23[error]x is left out" in told


def test_a_worksheet_of_moodle_comes_on_standard_output(results: Path) -> None:
    ended = run("moodle", results, "--template", FOLDER / "moodle-worksheet.csv", "--student", "S0001")
    assert b'"Submitted for grading - ",,87.5,100.00' in ended.stdout
    assert ended.stdout.count(b"\n") == 6


def test_the_number_in_a_downloads_name_finds_the_row(tmp_path: Path) -> None:
    written(_named("Ada Abara_5005_assignsubmission_file_"), tmp_path)
    # The folder's own name is what tells: results of `grader run` have it as their path.
    ended = run("moodle", tmp_path, "--template", FOLDER / "moodle-worksheet.csv")
    assert b"Elif Eze" in ended.stdout.split(b"\n")[5]
    assert b",50,100.00" in ended.stdout.split(b"\n")[5]


def _named(name: str) -> Judgement:
    report = graded(50)
    return replace(report, submission=replace(report.submission, id=name))


@pytest.mark.parametrize("student", ["S0001", "Ada Abara", "ada-abara"])
def test_gradescope_gets_one_students_result(results: Path, tmp_path: Path, student: str) -> None:
    out = tmp_path / "results.json"
    run("gradescope", results, "--student", student, "--out", out)
    assert json.loads(out.read_bytes())["score"] == 87.5


def test_gradescope_first_gets_the_file_that_says_not_graded_yet(tmp_path: Path) -> None:
    out = tmp_path / "results.json"
    run("gradescope", "--pending", "--out", out)
    assert "not graded yet" in json.loads(out.read_bytes())["output"]
    written(ungraded(), tmp_path / "reports")
    run("gradescope", tmp_path / "reports" / "alice", "--out", out, code=3)
    assert "score" not in json.loads(out.read_bytes())
    assert [path.name for path in sorted(tmp_path.iterdir())] == ["reports", "results.json"]


def test_classroom50_takes_its_fields_from_options_and_the_environment(results: Path) -> None:
    environment = {"CLASSROOM": "cs", "OWNER": "ada-abara", "SUBMISSION_TAG": "submit/1", "COMMIT_URL": "https://x/1"}
    arguments = ("classroom50", results, "--student", "S0001", "--assignment", "queens")
    ended = run(*arguments, "--set", "release=https://x/2", environment=environment)
    data = json.loads(ended.stdout)
    assert (data["assignment"], data["release"], data["review"]) == ("queens", "https://x/2", "https://x/1")
    assert data["datetime"].endswith("Z")
    assert b"needs release" in run(*arguments, code=2, environment=environment).stderr


def test_the_summary_goes_where_github_shows_it(results: Path, tmp_path: Path) -> None:
    page = tmp_path / "summary.md"
    page.write_text("before\n")
    ended = run("github-summary", results, environment={"GITHUB_STEP_SUMMARY": str(page)})
    assert ended.stdout == b""
    text = page.read_text()
    assert text.startswith("before\n#")
    assert (
        run("github-summary", results, "--out", "-", environment={"GITHUB_STEP_SUMMARY": str(page)}).stdout.decode()
        in text
    )
    assert page.read_text() == text


def test_the_class_as_csv(results: Path) -> None:
    rows = list(csv.DictReader(StringIO(run("csv", results).stdout.decode())))
    assert [(row["id"], row["score"]) for row in rows] == [
        ("S0001", "87.5"),
        ("S0002", ""),
        ("S0004", ""),
        ("S0077", "12"),
    ]


def test_hidden_tests_stay_hidden_whatever_is_asked_for(tmp_path: Path) -> None:
    written(keeping_secrets(), tmp_path)
    for more in ((), ("--after-due",)):
        assert SECRET not in run("gradescope", tmp_path, *more).stdout.decode()


@each_row
def test_what_is_asked_wrongly_is_told(results: Path, arguments: tuple[str, ...], message: str) -> None:
    words = ["export", *(str(results) if word == "RESULTS" else word for word in arguments)]
    with pytest.raises((UsageError, click.UsageError)) as caught:
        cli.main(words, standalone_mode=False)
    assert message in str(caught.value)


def test_pages_keep_their_names_and_what_leads_to_them_is_the_owner_s_alone(results: Path, tmp_path: Path) -> None:
    first = run("pages", results, "--out", tmp_path / "one.zip", code=3)
    assert f"the owners of the pages are in {results / 'pages.csv'}" in first.stderr.decode()
    run("pages", results, "--out", tmp_path / "two.zip", code=3)
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()
    for path in (results / "pages.csv", results / "pages.secret"):
        assert path.stat().st_mode & 0o777 == 0o600
    listed = (results / "pages.csv").read_bytes()
    alone = run("pages", results, "--student", "S0001", "--secret", results / "pages.secret")
    assert len(alone.stdout) < len((tmp_path / "one.zip").read_bytes())
    assert (results / "pages.csv").read_bytes() == listed
    (results / "pages.secret").chmod(0o644)
    assert "others can read" in run("pages", results, code=2).stderr.decode()
    (results / "pages.secret").unlink()
    (results / "pages.secret").symlink_to("/etc/passwd")
    assert "name another file with --secret" in run("pages", results, code=2).stderr.decode()
    (results / "pages.secret").unlink()
    os.mkfifo(results / "pages.secret", mode=0o600)  # nobody writes into it
    assert "is too short to be a secret" in run("pages", results, code=2).stderr.decode()
    (results / "pages.secret").unlink()


def test_the_help_names_every_format() -> None:
    text = ExportCommand.__doc__ or ""
    assert all(f"\n  {name} " in text or f"  {name} " in text for name in [*EXPORTS, *SPEC_FORMATS])
