import os
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from grader.core.build.layout import NOT_REGULAR
from grader.core.build.staging import check_path, stage
from grader.core.build.tree import StagingLimits
from grader.core.errors import HostError, UsageError
from grader.core.model.layout import FileRules, Staged, Submission
from grader.core.sandbox.cgroup import LIBC
from grader.core.sandbox.seccomp import call_number
from tests.support.packages import lay, zipped
from tests.support.required import required
from tests.support.rows import each_row

SMALL = StagingLimits(files=10, depth=3, size=1000)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    handed_in = tmp_path / "alice"
    handed_in.mkdir()
    return handed_in


def staged(path: Path, *, rules: FileRules | None = None, limits: StagingLimits | None = None) -> Staged:
    target = path.parent / f"staged {len(list(path.parent.iterdir()))}"
    target.mkdir()
    return stage(Submission(id="alice", path=path), rules or FileRules(), target, limits or StagingLimits())


def names(result: Staged) -> list[str]:
    return sorted(str(path.relative_to(result.folder)) for path in result.folder.rglob("*"))


def test_copies_files_folders_and_executable_bits(folder: Path) -> None:
    (folder / "src" / "empty").mkdir(parents=True)
    (folder / "src" / "Queens.java").write_bytes(b"class Queens {}\r\n\0\xff")
    (folder / "run.sh").write_text("#!/bin/sh\n")
    (folder / "run.sh").chmod(0o4700)
    result = staged(folder)
    assert result.problem is None
    assert result.findings == ()
    assert names(result) == ["run.sh", "src", "src/Queens.java", "src/empty"]
    assert (result.folder / "src" / "Queens.java").read_bytes() == b"class Queens {}\r\n\0\xff"
    assert stat.S_IMODE((result.folder / "run.sh").stat().st_mode) == 0o755
    assert stat.S_IMODE((result.folder / "src" / "Queens.java").stat().st_mode) == 0o644


def test_copy_is_readable_whatever_the_umask(folder: Path) -> None:
    lay(folder, {"src/a": "", "b": ""})
    before = os.umask(0o077)
    try:
        result = staged(folder)
    finally:
        os.umask(before)
    assert stat.S_IMODE((result.folder / "src").stat().st_mode) == 0o755
    assert stat.S_IMODE((result.folder / "src" / "a").stat().st_mode) == 0o644


def test_names_that_hide_things_are_copied(folder: Path) -> None:
    hostile = [b"new\nline", b"'quo\"te", b"in\xffvalid", b"$(id)", b"-rf", b"\x1b[31m", "größe".encode()]
    for name in hostile:
        Path(os.fsdecode(os.fsencode(folder) + b"/" + name)).write_bytes(name)
    result = staged(folder)
    assert sorted(os.fsencode(path.name) for path in result.folder.iterdir()) == sorted(hostile)


def run(script: str, folder: Path) -> None:
    subprocess.run(["/bin/sh", "-c", script], cwd=folder, check=True, timeout=60)


@each_row
def test_leaves_out_what_is_no_file(script: str, folder: Path) -> None:
    run(f"touch Queens.java; {script}", folder)
    result = staged(folder)
    assert names(result) == ["Queens.java"]
    assert [(finding.kind, finding.message) for finding in result.findings] == [
        (NOT_REGULAR, "links, pipes, sockets and devices were left out: planted")
    ]


def test_hard_links_are_two_files(folder: Path) -> None:
    (folder / "a").write_text("text")
    (folder / "b").hardlink_to(folder / "a")
    result = staged(folder)
    assert (result.folder / "a").stat().st_nlink == 1
    assert names(result) == ["a", "b"]


@pytest.mark.parametrize("name", [".git", ".svn", ".hg", "__pycache__", "__MACOSX", "._a", ".DS_Store"])
def test_version_control_and_caches_do_not_count(folder: Path, name: str) -> None:
    (folder / name).mkdir()
    for number in range(30):
        (folder / name / str(number)).touch()
    (folder / ".#Queens.java").symlink_to("alice@host.1234")
    (folder / "a").touch()
    result = staged(folder, limits=SMALL)
    assert (result.problem, result.findings, names(result)) == (None, (), ["a"])


@each_row
def test_over_a_limit_is_a_problem(script: str, problem: str, folder: Path) -> None:
    run(script, folder)
    result = staged(folder, limits=SMALL)
    assert (result.problem, result.is_readable) == (f"the submission has {problem}", False)
    assert names(result) == []
    assert len(result.digest) == 64


def test_limits_themselves_are_allowed(folder: Path) -> None:
    (folder / "a" / "b" / "c").mkdir(parents=True)
    for number in range(7):
        (folder / "a" / "b" / "c" / str(number)).write_bytes(bytes(100))
    (folder / "a" / "b" / "c" / "0").write_bytes(bytes(400))
    assert staged(folder, limits=SMALL).problem is None


def nest(folder: Path, name: str, times: int) -> None:
    top = os.open(folder, os.O_RDONLY)
    for _ in range(times):
        os.mkdir(name, dir_fd=top)
        below = os.open(name, os.O_RDONLY, dir_fd=top)
        os.close(top)
        top = below
    os.close(top)


def test_very_deep_folders_end_with_a_sentence(folder: Path) -> None:
    nest(folder, "d", 200)
    assert staged(folder).problem == "the submission has folders more than 20 deep, so hand it in again"


def test_path_too_long_for_a_copy_is_a_problem(folder: Path) -> None:
    nest(folder, "d" * 200, 10)
    problem = staged(folder).problem
    assert problem is not None
    assert "too long a name" in problem


@each_row
def test_what_is_no_submission_is_a_usage_error(script: str, name: str, says: str, folder: Path) -> None:
    run(script, folder)
    (folder / "target").mkdir()
    with pytest.raises(UsageError, match=says):
        stage(Submission(id="x", path=folder / name), FileRules(), folder / "target")


def test_empty_submission_misses_what_is_required(folder: Path) -> None:
    rules = FileRules(required=required("Makefile", "Queens.java"))
    assert staged(folder, rules=rules).problem == "the submission is empty: Makefile and Queens.java are missing"


def test_digest_is_of_what_was_handed_in(folder: Path) -> None:
    (folder / "queens.java").write_text("class Queens {}")
    first = staged(folder, rules=FileRules(required=required("Queens.java")))
    assert first.findings
    assert first.digest == staged(folder).digest
    (folder / "queens.java").rename(folder / "Queens.java")
    assert first.digest != staged(folder).digest


def test_digest_frames_names_and_contents(folder: Path) -> None:
    digests = []
    for content in ({"a": "bc"}, {"ab": "c"}, {"a": "b", "c": ""}, {"a": "", "b": "c"}):
        for path in folder.iterdir():
            path.unlink()
        lay(folder, content)
        digests.append(staged(folder).digest)
    (folder / "a").chmod(0o755)
    digests.append(staged(folder).digest)
    assert len(set(digests)) == 5


def test_folder_zip_and_tar_have_one_digest(folder: Path) -> None:
    lay(folder, {"src/Queens.java": "class Queens {}", "Makefile": "all:\n"})
    (folder / "run").touch(mode=0o755)
    one, other = (Path(shutil.make_archive(str(folder), kind, folder)) for kind in ("zip", "gztar"))
    assert staged(folder).digest == staged(one).digest == staged(other).digest
    assert names(staged(one)) == names(staged(other)) == ["Makefile", "run", "src", "src/Queens.java"]


def test_digests_of_refused_submissions_differ_with_the_reason(folder: Path) -> None:
    run("touch 1 2 3 4 5 6 7 8 9 10 11", folder)
    first = staged(folder, limits=SMALL)
    run("rm *; truncate -s 1001 a", folder)
    assert first.digest != staged(folder, limits=SMALL).digest


@each_row
def test_a_quick_look_tells_what_is_no_submission(tmp_path: Path, content: bytes | None, *, accepted: bool) -> None:
    path = tmp_path / "alice"
    if content is None:
        path.mkdir()
    else:
        path.write_bytes(content)
    if accepted:
        check_path(path)
    else:
        with pytest.raises(UsageError, match="neither a folder nor"):
            check_path(path)


Files = Mapping[str, bytes | Mapping[str, str]]
"""a name -> its content, or the files of a zip archive"""


def staged_folder(tmp_path: Path, rules: FileRules, files: Files) -> Staged:
    folder = tmp_path / "Doe_12_assignsubmission_file"
    folder.mkdir()
    for name, content in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(content if isinstance(content, bytes) else zipped(content))
    (tmp_path / "target").mkdir()
    return stage(Submission(id="doe", path=folder), rules, tmp_path / "target")


def test_an_archive_that_is_all_of_a_folder_is_unpacked(tmp_path: Path) -> None:
    rules = FileRules(required=required("Queens.java"))
    done = staged_folder(tmp_path, rules, {"Queens.zip": {"Queens.java": "class"}, ".DS_Store": b""})
    assert (done.problem, (tmp_path / "target" / "Queens.java").read_text()) == (None, "class")
    assert ("unpacked", "the work is in Queens.zip, which was unpacked") in {(f.kind, f.message) for f in done.findings}


@each_row
def test_one_level_and_nothing_that_is_wanted_as_it_is(
    rules: tuple[str, ...], files: Files, left: set[str], tmp_path: Path
) -> None:
    staged_folder(tmp_path, FileRules(optional=rules), files)
    assert {path.name for path in (tmp_path / "target").iterdir()} == left


QUEENS = FileRules(required=required("Queens.java", "Makefile"), optional=("Board.java",))
WHOLE = {"pa2/Queens.java": "1", "pa2/Makefile": "2", "__MACOSX/x": "3"}


@each_row
def test_an_archive_beside_other_files_is_unpacked_where_something_is_lacking(
    files: Files, left: dict[str, str | None], tmp_path: Path
) -> None:
    done = staged_folder(tmp_path, QUEENS, files)
    there = {path.relative_to(done.folder).as_posix(): path for path in done.folder.rglob("*") if path.is_file()}
    assert there.keys() == left.keys()
    assert {name: path.read_text() for name, path in there.items() if left[name] is not None} == {
        name: text for name, text in left.items() if text is not None
    }
    assert done.is_readable
    assert (done.problem is None) == ({"Queens.java", "Makefile"} <= left.keys())
    assert any(found.kind == "unpacked" for found in done.findings) == (not any(name.endswith(".zip") for name in left))


def test_what_lies_in_an_archive_and_beside_it_is_told(tmp_path: Path) -> None:
    done = staged_folder(tmp_path, QUEENS, {"Q.zip": WHOLE, "Makefile": b"old"})
    assert [found.message for found in done.findings] == [
        "the work is in Q.zip, which was unpacked; files both in it and beside it were taken from it: Makefile",
        "the work was found in the folder pa2",
    ]


CUT_ZIP = zipped({"x": "1"})[:40]


@each_row
@pytest.mark.parametrize("beside", [{}, {"report.pdf": b"%PDF"}, {"Makefile": b"2"}])
def test_what_cannot_be_read_is_to_be_handed_in_again(
    content: bytes, told: str, beside: dict[str, bytes], tmp_path: Path
) -> None:
    done = staged_folder(tmp_path, QUEENS, {"work.zip": content, **beside})
    assert (done.is_readable, (done.problem or "")[:10]) == (False, "work.zip: ")
    assert (done.problem or "")[10:].startswith(told)
    (tmp_path / "alone.rar").write_bytes(content)
    alone = staged(tmp_path / "alone.rar")
    assert (alone.is_readable, alone.problem) == (False, (done.problem or "")[10:])


@each_row
def test_what_is_dangerous_or_too_large_is_to_be_handed_in_again(name: str, problem: str, tmp_path: Path) -> None:
    done = staged_folder(tmp_path, QUEENS, {"work.zip": {name: "1"}})
    assert (done.is_readable, done.problem) == (False, f"work.zip: {problem}")


@pytest.fixture
def plain() -> Iterator[Path]:
    """Yield a folder of somebody who is not root and may not open everything, and be that user meanwhile."""
    is_root = os.geteuid() == 0
    with tempfile.TemporaryDirectory() as name:
        if is_root:
            os.chown(name, 4242, 4242)
            _take_identity(4242)
        try:
            yield Path(name)
        finally:
            if is_root:
                _take_identity(0)


def _take_identity(user: int) -> None:
    """Let this thread alone act as a user: the C library would ask all threads, and some have given up root."""
    as_it_is = -1
    assert LIBC.syscall(call_number("setresuid"), as_it_is, user, as_it_is) == 0


@each_row
def test_what_came_closed_is_to_be_handed_in_again(plain: Path, closed: str, mode: int, name: str) -> None:
    lay(plain / "alice", {"src/main.c": "int main;"})
    (plain / "alice" / closed).chmod(mode)
    result = staged(plain / "alice")
    assert (result.is_readable, result.problem) == (
        False,
        f"{name} cannot be read because of its permissions; hand it in again, or run `chmod -R u+rwX`",
    )


@pytest.mark.skipif(os.geteuid() != 0, reason="makes files of somebody else")
def test_what_somebody_else_closed_is_no_fault_of_the_student(plain: Path) -> None:
    lay(plain / "alice", {"main.c": "int main;"})
    _take_identity(0)
    (plain / "alice" / "main.c").chmod(0o600)
    os.chown(plain / "alice" / "main.c", 0, 0)
    _take_identity(4242)
    with pytest.raises(HostError, match="make it readable for the user who grades"):
        staged(plain / "alice")
