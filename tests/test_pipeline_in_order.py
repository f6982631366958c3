"""Cases of a test that share one working folder: what each finds there, of a program and of the reference."""

import os
from pathlib import Path

import pytest

from grader.core.cache import Cache
from grader.core.errors import HostError
from grader.core.model.execution import MAX_COLLECTED_FILES, Doubt, Execution, Launch
from grader.core.oracle.answers import ask_reference
from grader.core.sandbox.folder import copy_out


@pytest.mark.parametrize("doubt", ["killed_by_host", "cpu_starved"])
def test_a_reference_that_the_machine_failed_in_an_earlier_case_says_nothing_of_a_later_one(
    doubt: Doubt, tmp_path: Path
) -> None:
    def run(launch: Launch) -> Execution:
        return Execution(signal=9, doubts=frozenset({doubt})) if launch.argv == ("first",) else Execution(status=0)

    first, second = (Launch(argv=(name,)) for name in ("first", "second"))
    with pytest.raises(HostError, match="signal 9"):
        ask_reference(second, files={}, before=[(first, {})], run=run, cache=Cache(folder=tmp_path))


def test_what_is_copied_of_what_was_left(tmp_path: Path) -> None:
    work = tmp_path / "work"
    (work / "a/b").mkdir(parents=True)
    (work / "a/run").write_bytes(b"#!")
    (work / "a/run").chmod(0o700)
    os.utime(work / "a/run", ns=(5, 7))
    (work / "link").symlink_to("/etc/passwd")
    (work / "sealed").touch(mode=0)
    far = os.open(work, os.O_RDONLY)
    for name in ["f" * 250] * 20:  # a path that is too long for the kernel
        os.mkdir(name, dir_fd=far)
        before, far = far, os.open(name, os.O_RDONLY, dir_fd=far)
        os.close(before)
    os.close(os.open("end", os.O_CREAT, dir_fd=far))
    os.close(far)
    os.mkfifo(work / "pipe")
    with (work / "large").open("wb") as file:
        file.truncate(65 * 2**20)
    folder = os.open(work, os.O_RDONLY)
    try:
        for _ in range(2):
            copy_out(folder, tmp_path / "copy")
        (work / "many").mkdir()
        for number in range(MAX_COLLECTED_FILES):
            (work / f"many/{number}").touch()
        copy_out(folder, tmp_path / "some")
    finally:
        os.close(folder)
    names = {path.relative_to(tmp_path / "copy").as_posix() for path in (tmp_path / "copy").rglob("*")}
    assert {name for name in names if name[0] != "f"} == {"a", "a/b", "a/run"}
    assert max(map(len, names)) < 3500  # with the folder before it, the next case can be given it
    assert (tmp_path / "copy/a/run").stat().st_mtime_ns == 7
    assert os.access(tmp_path / "copy/a/run", os.X_OK)
    assert len(list((tmp_path / "some").rglob("*"))) < MAX_COLLECTED_FILES
