"""Memory that no sum over processes shows: it ends at the limit all the same, and is told as that."""

import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Event

import pytest

from grader.core.model.execution import Execution, Launch
from grader.core.model.limits import Limits
from grader.core.run.runner import execute, read_to_end
from grader.core.run.start import begin, start_program
from grader.core.sandbox import cgroup, choose, outer
from grader.core.sandbox.cgroup import hierarchy
from grader.core.sandbox.command import FOLDER_BYTES
from tests.support.rows import read_data

DATA = read_data(__file__)
ATTACKS = DATA["ATTACKS"]
MIB = 2**20
LIMIT = 64 * MIB
SLACK = 16 * MIB
grouped = pytest.mark.skipif(hierarchy() is None, reason="this machine lets us make no control groups")

KINDS = {name: DATA["HEAD"] + body + '\n    puts("survived");\n}\n' for name, body in ATTACKS.items()}


@pytest.fixture(scope="module")
def attacks(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    found = {}
    for number, (name, source) in enumerate(KINDS.items()):
        folder = tmp_path_factory.mktemp(f"attack-{number}")
        command = ["/usr/bin/gcc", "-w", "-o", str(folder / "attack"), "-x", "c", "-"]
        subprocess.run(command, input=source.encode(), check=True, timeout=60)
        found[name] = folder
    return found


def attacked(level: str, folder: Path) -> Execution:
    limits = Limits(time=60, cpu=60, memory=LIMIT, processes=64)
    launch = Launch(argv=("./attack",), folder=folder, limits=limits, permits=("shared-memory",))
    return execute(choose(level), launch, Event())


@grouped
@pytest.mark.parametrize("level", ["full", "container", "none"])
@pytest.mark.parametrize("name", ATTACKS)
def test_memory_ends_at_the_limit(name: str, level: str, attacks: dict[str, Path]) -> None:
    if name == "inodes" and level != "full":
        pytest.skip("its files are on the disk")
    execution = attacked(level, attacks[name])
    assert execution.limit == "memory", execution
    assert LIMIT < execution.memory <= LIMIT + FOLDER_BYTES + SLACK


def test_without_groups_page_tables_are_counted(attacks: dict[str, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outer, "new_group", lambda **_: None)
    assert attacked("full", attacks["page tables"]).limit == "memory"


@grouped
@pytest.mark.parametrize("level", ["full", "container", "none"])
def test_files_within_their_room_are_no_memory(level: str) -> None:
    """They lie in memory, but their size is bounded by itself."""
    script = "head -c 100000000 /dev/zero > a; head -c 50000000 /dev/zero > $TMPDIR/b; rm $TMPDIR/b"
    launch = Launch(argv=("sh", "-c", script), limits=Limits(memory=LIMIT))
    execution = execute(choose(level), launch, Event())
    assert (execution.status, execution.limit) == (0, None)
    assert execution.memory < LIMIT / 2


def groups() -> list[str]:
    found = hierarchy()
    return (
        []
        if found is None
        else [path.name for folder in found.folders.values() for path in sorted(Path(folder).iterdir())]
    )


@grouped
@pytest.mark.parametrize("level", ["full", "container", "none"])
def test_a_group_is_empty_after_its_command_and_had_by_the_next(level: str) -> None:
    with start_program(choose(level), Launch(argv=("sleep", "9")), Event()) as program:
        begin(program)
        group = program.command.group
        assert group
        assert group.processes()
        while not program.command.processes()[1]:  # the gate is open, and that is all
            program.step(1, time.monotonic() + 0.01)
        assert not any("grader-" in path.read_text() for path in Path("/proc/self/task").glob("*/cgroup"))
    assert group.processes() == []
    known = [name for name in groups() if f"-{os.getpid()}-" in name]
    for argv in (("true",), ("/no/such/program",)):
        execute(choose(level), Launch(argv=argv), Event())
    assert [name for name in groups() if f"-{os.getpid()}-" in name] == known


@grouped
def test_a_group_in_which_something_was_killed_is_had_by_nobody(attacks: dict[str, Path]) -> None:
    assert attacked("full", attacks["segments of System V"]).limit == "memory"
    killed = set(cgroup._GROUPS.idle)
    with start_program(choose("full"), Launch(argv=("true",), limits=Limits(memory=LIMIT)), Event()) as program:
        assert program.command.group not in killed
        assert read_to_end(begin(program)).limit is None


@grouped
def test_groups_are_gone_with_us() -> None:
    command = [sys.executable, "-c", DATA["NAMES_GROUPS"]]
    told = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout
    assert [folder for folder in told.split() if Path(folder).exists()] == []
    assert "grader-" in told


@grouped
def test_what_a_killed_run_left_is_swept() -> None:
    killed = subprocess.Popen([sys.executable, "-c", DATA["LEAVES_A_PROCESS"]], stdout=subprocess.PIPE, text=True)
    assert killed.stdout
    with killed.stdout as told:
        left = os.pidfd_open(int(told.readline()))
    assert killed.wait(60) == -signal.SIGABRT
    assert any(f"-{killed.pid}-" in name for name in groups())
    hierarchy.cache_clear()
    assert hierarchy()
    assert not any(f"-{killed.pid}-" in name for name in groups())
    assert select.select([left], [], [], 20)[0]  # it has ended
    os.close(left)


@pytest.fixture
def burners() -> Iterator[Path]:
    """Sixty processes that burn, out of reach of everybody but their sandbox."""
    script = "for i in $(seq 60); do setsid sh -c 'while :; do :; done' & done; echo lit; wait"
    launch = Launch(argv=("sh", "-c", script), limits=Limits(time=60, cpu=60, processes=100))
    with begin(start_program(choose("full"), launch, Event())) as program:
        while not program.heard:
            program.step(4096, None)
        yield Path()


@grouped
@pytest.mark.usefixtures("burners")
def test_many_processes_weigh_as_one() -> None:
    """Otherwise this one would wait thirty times as long as it works."""
    work = "import time\nwhile time.process_time() < 0.5: pass"
    launch = Launch(argv=("python3", "-c", work), limits=Limits(time=60, cpu=60))
    execution = read_to_end(begin(start_program(choose("full"), launch, Event())))
    assert execution.status == 0
    assert execution.time < 12 * execution.cpu


def test_the_report_says_who_bounds_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    found = hierarchy()
    assert choose("auto").info.memory == (found.version if found else "watchdog")
    monkeypatch.setattr("grader.core.sandbox.hierarchy", lambda: None)
    assert choose("full").info.memory == "watchdog"
