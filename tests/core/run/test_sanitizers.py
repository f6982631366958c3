"""Programs built with a sanitizer: found by what the build does, with room for themselves, and bounded all the same."""

import subprocess
from pathlib import Path
from threading import Event

import pytest

from grader.core.errors import HostError
from grader.core.model.execution import Execution, Launch
from grader.core.model.limits import Limits
from grader.core.model.spec import Permission
from grader.core.run import start
from grader.core.run.runner import execute
from grader.core.run.start import check_sanitizer, make_room_for_sanitizers
from grader.core.sandbox import LEVELS, choose
from tests.support.packages import lay
from tests.support.rows import each_row, read_data

SOURCE = read_data(__file__)["SOURCE"]
LIMITS = Limits(time=20, cpu=10, memory=128 * 2**20, processes=16)
BINARY = b"\x7fELF" + bytes(100)
ALL = ("full", "container", "none")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a program for each sanitizer."""
    folder = tmp_path_factory.mktemp("sanitizers")
    (folder / "a.c").write_text(SOURCE)
    for name in ("address", "thread"):
        (folder / name).mkdir()
        argv = ("gcc", "-w", "-g", f"-fsanitize={name}", "-o", folder / name / "a", folder / "a.c")
        subprocess.run(argv, check=True, timeout=60)
    return folder


def run(folder: Path, *argv: str, level: str) -> Execution:
    launch = Launch(argv=("./a", *argv), folder=folder, limits=LIMITS, permits=("tracing",))
    return execute(choose(level), launch, Event())


@pytest.mark.slow
@pytest.mark.parametrize("level", ALL)
@each_row
def test_a_sanitizer_does_its_work(
    built: Path, level: str, sanitizer: str, what: str, *, status: int, said: bytes
) -> None:
    if level == "container" and (sanitizer, what) in {("address", ""), ("address", "leaks")}:
        with pytest.raises(HostError, match="looks for leaks with system calls that this sandbox refuses"):
            run(built / sanitizer, what, level=level)
        return
    found = run(built / sanitizer, what, level=level)
    assert (found.status, found.limit) == (status, None), found.stderr
    assert said in found.stderr
    assert (found.stdout == b"done\n") == (status in {0, 66})


@pytest.mark.slow
@pytest.mark.parametrize("level", ALL)
def test_its_memory_is_bounded(built: Path, level: str) -> None:
    found = run(built / "address", "eats", level=level)
    assert found.limit == "memory", (found.status, found.stderr)
    assert found.memory < 4 * LIMITS.memory


def test_a_right_program_runs(built: Path) -> None:
    found = run(built / "address", level="full")
    assert (found.status, found.stdout, found.stderr) == (0, b"done\n", b"")


@pytest.mark.parametrize("level", ["full", "container"])
def test_where_addresses_are_chosen_widely_it_has_fixed_ones(
    level: str, built: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(start, "_random_bits", lambda: 32)
    launch = Launch(argv=("./a",), folder=built / "thread", limits=LIMITS, permits=("tracing",))
    assert make_room_for_sanitizers(launch).argv == ("/usr/bin/setarch", "--addr-no-randomize", "./a")
    found = execute(choose(level), launch, Event())
    assert (found.status, found.stdout) == (0, b"done\n"), found.stderr
    plain = Launch(argv=("./a",), files={"a": BINARY})
    assert make_room_for_sanitizers(plain) == plain


@each_row
def test_who_may_start_one_has_room(files: dict[str, bytes], argv: str, tmp_path: Path, *, has_room: bool) -> None:
    lay(tmp_path, files)
    launch = Launch(argv=tuple(argv.split()), folder=tmp_path, reserved=7)
    given = make_room_for_sanitizers(launch)
    assert (given.reserved > 2**46) == has_room
    assert has_room or given == launch
    assert (make_room_for_sanitizers(Launch(argv=launch.argv, files=files)).reserved > 0) == has_room


def test_options_of_a_case_come_behind_ours() -> None:
    launch = Launch(argv=("gcc", "-fsanitize=address"), env={"ASAN_OPTIONS": "a=1"}, limits=LIMITS)
    assert make_room_for_sanitizers(launch).env == {"ASAN_OPTIONS": "quarantine_size_mb=16:a=1"}


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_bytes(BINARY + b"__asan_init\0")
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "a").symlink_to(tmp_path / "elsewhere")
    assert not make_room_for_sanitizers(Launch(argv=("./a",), folder=tmp_path / "work")).reserved


SAID = b"==9==LeakSanitizer has encountered a fatal error.\n"


@each_row
def test_only_a_sandbox_that_refuses_tracing_is_to_blame(
    level: str, permits: tuple[Permission, ...], program: bytes, found: Execution, *, is_ours: bool
) -> None:
    argv = ("./a", "-fsanitize=address")  # which it may start
    launch = make_room_for_sanitizers(Launch(argv=argv, files={"a": BINARY + program + b"\0"}, permits=permits))
    if is_ours:
        with pytest.raises(HostError, match="grade at level `full`"):
            check_sanitizer(found, launch, allows_tracing=LEVELS[level].allows_tracing)
    else:
        check_sanitizer(found, launch, allows_tracing=LEVELS[level].allows_tracing)
