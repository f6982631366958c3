import time
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Timer

import pytest
from msgspec.structs import replace

from grader.author.watch import Round, failed_first, footprint, grade_failed_first, grade_on_save
from grader.core.model.layout import Submission
from grader.core.model.report import Job, ReportedTest, Verdict
from grader.core.pipeline import prepare
from grader.core.reader.spec import load
from tests.support.courses import ECHO, SPEC, course, submission
from tests.support.packages import zipped
from tests.support.rows import each_row, read_data

STDERR = "import sys\nprint(*sys.argv[1:], file=sys.stderr)\n"
DATA = read_data(__file__)
THREE = DATA["THREE"]


@pytest.fixture(autouse=True)
def own_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def job(folder: Path, spec: str = SPEC, program: str = ECHO) -> Job:
    path = submission(folder, program=program)
    return Job(spec=course(folder, spec), submission=Submission(id="alice", path=path))


class Watched:
    """Rounds, with what was heard meanwhile."""

    def __init__(self, work: Job) -> None:
        self.begun: list[tuple[str, ...]] = []
        self.told: list[str] = []
        self.rounds: Iterator[Round] = grade_on_save(work, begin=self.begun.append, on_test=self.tell)

    def tell(self, result: ReportedTest) -> None:
        self.told.append(result.name)

    def next(self) -> Round:
        return next(self.rounds)


def score(found: Round) -> object:
    assert found.report is not None, found.problem
    return found.report.score


@each_row
def test_what_failed_comes_first_behind_what_it_needs(tmp_path: Path, failed: tuple[str, ...], order: str) -> None:
    spec = load(course(tmp_path, THREE))
    assert "".join(test.name for test in failed_first(spec, failed)) == order


def test_the_report_is_in_the_order_of_the_spec(tmp_path: Path) -> None:
    work = job(tmp_path, THREE, "import sys\nprint(sys.argv[1].replace('d', 'x'))\n")
    ready = prepare(work.spec)
    told: list[str] = []
    first = grade_failed_first(work, ready, None, lambda result: told.append(result.name))
    second = grade_failed_first(work, ready, first, lambda result: told.append(result.name))
    assert "".join(told) == "abcd" + "dabc"
    assert [result.name for result in second.tests] == ["a", "b", "c", "d"]
    assert (first.score == second.score == 3, second.verdict) == (True, Verdict.FAILED)


def test_a_save_is_graded(tmp_path: Path) -> None:
    work = job(tmp_path, program=STDERR)
    watched = Watched(work)
    assert score(watched.next()) == 3
    (work.submission.path / "echo.py").write_text(ECHO)
    found = watched.next()
    assert score(found) == 10
    assert found.seconds > 0
    assert watched.told == ["words", "nothing"] * 2
    assert watched.begun == [(), (str(work.submission.path / "echo.py"),)]


def write_beside(path: Path, text: str) -> None:
    beside = path.with_name("new")
    beside.write_text(text)
    beside.rename(path)


def in_two_halves(path: Path, text: str) -> None:
    path.write_text(text[:9])
    time.sleep(0.02)
    path.write_text(text)


def by_folder(path: Path, text: str) -> None:
    folder = path.parent
    folder.rename(folder.with_name("gone"))
    time.sleep(0.3)
    (folder.with_name("gone") / path.name).write_text(text)
    folder.with_name("gone").rename(folder)


@pytest.mark.parametrize("save", [write_beside, in_two_halves, by_folder])
def test_every_way_to_save_is_seen(tmp_path: Path, save: Callable[[Path, str], None]) -> None:
    work = job(tmp_path, program=STDERR)
    watched = Watched(work)
    watched.next()
    save(work.submission.path / "echo.py", ECHO)
    found = watched.next()
    while found.report is None or found.report.score != 10:  # what it was for a moment may be graded as well
        found = watched.next()


def test_an_archive_is_watched(tmp_path: Path) -> None:
    work = job(tmp_path)
    path = tmp_path / "alice.zip"
    for program, points in ((STDERR, 3), (ECHO, 10)):
        (tmp_path / "new.zip").write_bytes(zipped({"echo.py": program}))
        (tmp_path / "new.zip").rename(path)
        if points == 3:
            watched = Watched(replace(work, submission=Submission(id="alice", path=path)))
        assert score(watched.next()) == points


def test_the_spec_and_the_reference_are_watched(tmp_path: Path) -> None:
    work = job(tmp_path)
    watched = Watched(work)
    assert score(watched.next()) == 10
    work.spec.write_text(SPEC.replace("points: 6", "pionts: 6"))
    assert 'did you mean "points"?' in watched.next().problem
    work.spec.write_text(SPEC.replace("points: 6", "points: 16"))
    assert score(watched.next()) == 20
    (work.spec.parent.parent / "reference" / "echo.py").write_text("print('else')\n")
    assert score(watched.next()) == 0


def test_a_save_ends_the_grading_of_what_was_before(tmp_path: Path) -> None:
    work = job(tmp_path, SPEC.replace("5 s", "1000 s"), "while True: pass\n")
    watched = Watched(work)
    Timer(1.5, lambda: (work.submission.path / "echo.py").write_text(ECHO)).start()
    assert score(watched.next()) == 10
    assert len(watched.begun) == 2


def test_a_submission_that_is_gone_is_told_and_comes_back(tmp_path: Path) -> None:
    work = job(tmp_path)
    path = work.submission.path
    watched = Watched(work)
    watched.next()
    path.rename(path.with_name("bob"))
    assert "No such file" in watched.next().problem
    path.with_name("bob").rename(path)
    assert score(watched.next()) == 10


def test_a_footprint_tells_names_and_times_and_follows_no_links(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "x.py").write_text("1")
    (tmp_path / "a" / "up").symlink_to(tmp_path)
    for passing in (".git", "__pycache__"):
        (tmp_path / "a" / passing).mkdir()
        (tmp_path / "a" / passing / "x").write_text("")
    for passing in (".x.py.swp", "x.py~", "4913"):
        (tmp_path / "a" / passing).write_text("")
    before = footprint([tmp_path / "a", tmp_path / "nothing"])
    assert sorted(Path(name).name for name in before) == ["a", "up", "x.py"]
    assert footprint([tmp_path / "a", tmp_path / "nothing"]) == before
    (tmp_path / "a" / "x.py").write_text("2")
    assert footprint([tmp_path / "a", tmp_path / "nothing"]) != before


def test_a_footprint_is_bounded(tmp_path: Path) -> None:
    for number in range(5_000):
        (tmp_path / str(number)).touch()
    assert len(footprint([tmp_path])) == 4_000
