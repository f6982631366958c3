import json
import os
import resource
import stat
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from grader.core.errors import HostError
from grader.core.model.layout import BuildResult
from grader.core.model.report import Judgement, Verdict
from grader.core.report import junit
from grader.core.report.formats import FORMATS, render, write_report
from grader.core.report.json import to_report, write_files
from tests.support.report_samples import case_result, full_report, report_of, scored_test


def written(judgement: Judgement, out: Path) -> Path:
    return write_report(to_report(judgement), judgement.submission.id, out)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_every_format_is_written_into_the_folder_of_the_student(tmp_path: Path) -> None:
    folder = written(full_report(), tmp_path / "reports" / "cmps12b-pa2")
    assert folder == tmp_path / "reports" / "cmps12b-pa2" / "Müller, Anna"
    assert contents(folder) == render(to_report(full_report()))
    assert set(FORMATS) == {"report.json", "junit.xml", "feedback.md", "feedback.html"}


def test_a_second_report_replaces_the_first(tmp_path: Path) -> None:
    written(report_of(score=1), tmp_path)
    folder = written(report_of(score=2), tmp_path)
    assert json.loads((folder / "report.json").read_bytes())["score"] == 2
    assert len(contents(folder)) == len(FORMATS)


def test_a_format_that_cannot_be_rendered_loses_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(report_of(score=1), tmp_path)
    nothing = b"<testsuites><testsuite/></testsuites>"  # which is another than what was to be written
    monkeypatch.setattr(junit, "_render", lambda *_: nothing)
    case = case_result("a[1]", Verdict.PASSED)
    with pytest.raises(HostError, match="report this as an error"):
        written(report_of(scored_test("a", (case,), Verdict.PASSED, 10), score=10), tmp_path)
    assert json.loads((tmp_path / "alice/report.json").read_bytes())["score"] == 10
    assert set(contents(tmp_path / "alice")) == set(FORMATS) - {"junit.xml"}


def test_when_the_disk_is_full_the_older_report_stays_whole(tmp_path: Path) -> None:
    folder = written(report_of(), tmp_path)
    before = contents(folder)
    broken = tuple(case_result(f"a[{n}]", Verdict.BUILD_FAILED) for n in range(120))
    build = BuildResult(ok=False, log=(b"x" * 150 + b"\n") * 20)
    long = replace(report_of(scored_test("a", broken, Verdict.BUILD_FAILED)), build=build)
    room = 100_000
    files = render(to_report(long))
    assert len(files["report.json"]) < room < len(files["junit.xml"])
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, hard))
    try:
        with pytest.raises(HostError, match=r"cannot be written to .*alice: File too large; make room"):
            written(long, tmp_path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert contents(folder) == before


def test_a_folder_that_cannot_be_made_is_our_error_and_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("a file")
    with pytest.raises(HostError, match=r"out/alice: Not a directory; choose a folder that you may write to$"):
        written(report_of(), tmp_path / "out")


def test_nothing_is_written_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "alice").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(HostError, match="is a link"):
        written(report_of(), tmp_path)
    assert contents(tmp_path / "elsewhere") == {}


def test_a_link_in_place_of_a_file_is_replaced_not_followed(tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("kept")
    (tmp_path / "alice").mkdir()
    (tmp_path / "alice" / "report.json").symlink_to(tmp_path / "precious")
    folder = written(report_of(), tmp_path)
    assert (tmp_path / "precious").read_text() == "kept"
    assert not (folder / "report.json").is_symlink()


@pytest.mark.parametrize(
    "student", ["..", "../../x", "/etc", ".", "", "a/b", "-rf", "=cmd()", "x" * 5000, "a\nb", "\0"]
)
def test_no_name_leads_outside(tmp_path: Path, student: str) -> None:
    folder = written(report_of(student=student), tmp_path / "out")
    assert folder.resolve().parent == (tmp_path / "out").resolve()
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


@given(st.binary(max_size=300))
@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_name_has_its_own_folder_directly_below(tmp_path: Path, data: bytes) -> None:
    report = report_of(student=data.decode("utf-8", "surrogateescape"))
    assert written(report, tmp_path).parent == tmp_path


@pytest.mark.parametrize(("mode", "of_folder"), [(0o600, 0o700), (0o644, 0o755)])
def test_grades_are_for_their_owner_alone_and_specs_are_not(mode: int, of_folder: int, tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        write_files({"a": b""}, tmp_path / "out", mode=mode)
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "out" / "a").stat().st_mode) == mode
    assert stat.S_IMODE((tmp_path / "out").stat().st_mode) == of_folder
