"""What a folder of results carries of the course's secrets, where it may lie, and who can read it."""

import os
import sqlite3
import stat
import zlib
from pathlib import Path

import pytest

from grader.cli.screen import report_folder
from grader.core.errors import UsageError
from tests.support.classes import grader
from tests.support.courses import course, submission
from tests.support.rows import from_data, read_data

DATA = read_data(__file__)
SPEC = DATA["SPEC"]
REFERENCE = "import sys\nprint('answer-to', *sys.argv[1:])  # text of the reference\n"
PROGRAM = "import sys\nprint('theirs', *sys.argv[1:])\n"
DRAWS = "nobody guesses what is drawn"
HIDDEN = {"covert-argument", "later-argument", "later-answer", "answer-to covert-argument"}
CARRIED = {"grades.db": {*HIDDEN, "a comment in the spec"}, "alice/report.json": HIDDEN}
"""what the page says: the secrets in each file, and in no other one"""
SECRETS = {*HIDDEN, "a comment in the spec", "text of the reference", DRAWS}


@pytest.fixture
def graded(tmp_path: Path) -> Path:
    course(tmp_path, SPEC, REFERENCE)
    (tmp_path / "draws.secret").touch(0o600)
    (tmp_path / "draws.secret").write_text(DRAWS)
    submission(tmp_path, "alice", PROGRAM)
    before = os.umask(0)
    try:
        assert grader(tmp_path, "class", "echo").returncode == 0
        assert grader(tmp_path, "run", "echo/alice", "--out", "deep/er/one").returncode == 1
    finally:
        os.umask(before)
    return tmp_path


def content(path: Path) -> bytes:
    if path.name != "grades.db":
        return path.read_bytes()
    store = sqlite3.connect(path)
    reports = [zlib.decompress(row[0]) for row in store.execute("SELECT report FROM reports")]
    rows = [*store.execute("SELECT * FROM about"), *store.execute("SELECT * FROM entries")]
    store.close()
    return b"".join(reports) + repr(rows).encode()


def test_only_the_files_that_the_page_names_carry_secrets_and_only_their_owner_reads_them(graded: Path) -> None:
    for out in (graded / "reports" / "echo", graded / "deep" / "er" / "one"):
        found = {}
        for path in sorted(out.rglob("*")):
            if path.is_file():
                found[path.relative_to(out).as_posix()] = {text for text in SECRETS if text.encode() in content(path)}
        wanted = {name: secrets for name, secrets in CARRIED.items() if (out / name).exists()}
        assert {name: secrets for name, secrets in found.items() if secrets} == wanted
    folders = [graded / "reports", graded / "deep", *(graded / "reports").rglob("*"), *(graded / "deep").rglob("*")]
    modes = {(path.is_dir(), stat.S_IMODE(path.stat().st_mode)) for path in folders}
    assert modes == {(True, 0o700), (False, 0o600)}
    page = (Path(__file__).parent.parent / "docs/explanation/store.md").read_text()
    assert all(name in page for name in ("`grades.db`", "`report.json`"))


def test_a_store_that_others_could_read_is_closed(graded: Path) -> None:
    out = graded / "reports" / "echo"
    out.chmod(0o777)
    (out / "grades.db").chmod(0o666)
    assert grader(graded, "class", "echo").returncode == 0
    assert [stat.S_IMODE(path.stat().st_mode) for path in (out, out / "grades.db")] == [0o770, 0o660]


# ---------------------------------------------------------------- where it may lie

INSIDE = from_data(DATA["INSIDE"], dict[str, tuple[str, str]])


@pytest.mark.parametrize("kind", INSIDE)
def test_results_never_lie_where_students_write(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command, named = INSIDE[kind]
    alice = submission(tmp_path, "alice").parent.rename(tmp_path / "submissions") / "alice"
    (tmp_path / "safe").mkdir()
    (alice / "elsewhere").symlink_to(tmp_path / "safe")
    (tmp_path / "ours").symlink_to(alice)
    monkeypatch.chdir(tmp_path)
    handed_in = Path("submissions") if command == "class" else Path("submissions/alice")
    for out in (Path(named), tmp_path / named):
        with pytest.raises(UsageError, match="reports may not lie in what was handed in"):
            report_folder(out, "echo", [handed_in])
    assert list((tmp_path / "safe").iterdir()) == []
    (tmp_path / "linked").symlink_to("safe")
    for out in (Path("safe"), Path("linked/new"), tmp_path / "submissions.reports"):
        assert report_folder(out, "echo", [handed_in]) == out


def test_a_link_in_the_work_s_own_folder_is_not_written_through(tmp_path: Path) -> None:
    course(tmp_path)
    alice = submission(tmp_path)
    (tmp_path / "safe").mkdir()
    (alice / "reports").symlink_to(tmp_path / "safe")
    done = grader(alice, "run", ".", "--spec", tmp_path / "specs" / "echo.yaml")
    assert (done.returncode, done.stdout.count("Reports:")) == (2, 0)
    assert "reports may not lie in what was handed in" in done.stderr
    assert list((tmp_path / "safe").iterdir()) == []


def test_a_merged_class_does_not_lie_among_the_submissions(graded: Path) -> None:
    done = grader(graded, "merge", "reports/echo", "--out", "echo/alice/all")
    assert done.returncode == 2
    assert "reports may not lie in what was handed in" in done.stderr
    assert not (graded / "echo" / "alice" / "all").exists()
    assert grader(graded, "merge", "reports/echo", "--out", "all").returncode == 0


def test_a_folder_in_which_everybody_may_write_is_refused(tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o777)
    report_folder(shared, "echo", [])
    assert stat.S_IMODE(shared.stat().st_mode) == 0o770  # empty, so it is for results alone
    shared.chmod(0o777)
    (shared / "somebody's").touch()
    with pytest.raises(UsageError, match=r"others can write to .*: chmod o-w, or choose another folder"):
        report_folder(shared, "echo", [])
    assert stat.S_IMODE(shared.stat().st_mode) == 0o777
    shared.chmod(0o1777)
    assert report_folder(shared, "echo", []) == shared


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make what belongs to another user")
def test_what_another_user_put_there_is_not_taken(tmp_path: Path) -> None:
    course(tmp_path, SPEC, REFERENCE)
    submission(tmp_path, "alice", PROGRAM)
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o1777)
    (shared / "link").symlink_to(tmp_path)
    os.lchown(shared / "link", 4711, 4711)
    with pytest.raises(UsageError, match="is a link that another user made"):
        report_folder(shared / "link" / "out", "echo", [])
    (shared / "grades.db").touch()
    os.chown(shared / "grades.db", 4711, 4711)
    done = grader(tmp_path, "class", "echo", "--out", shared)
    assert done.returncode == 2
    assert "belongs to another user, who may have written grades there" in done.stderr
