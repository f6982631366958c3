"""Two cases of one submission at a time at level `container`, where all programs share /tmp: none is graded for it."""

import itertools
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event

import pytest

from grader.core.course_programs import launch_interactor
from grader.core.errors import HostError
from grader.core.model.execution import Execution, Launch
from grader.core.model.limits import Limits
from grader.core.model.spec import Interactor
from grader.core.run.measuring import RetryAllowance, WorkerSlots, measure_each
from grader.core.sandbox import choose, container, shared_watch, turns
from grader.core.sandbox.identity import LIBC
from grader.core.sandbox.shared_watch import SharedWatch
from grader.core.sandbox.turns import Party, Turns
from grader.core.thread_task import ThreadTask
from tests.support.classes import grader

ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a program a user of its own")
HERE = Path(__file__).parents[3]
NUMBERED = shared_watch._NUMBERED
LIMITS = Limits(time=30, cpu=20, memory=256 * 2**20)


@pytest.fixture
def shared(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """What takes the place of /tmp, where nobody else on this machine changes anything that is watched."""
    with tempfile.TemporaryDirectory(prefix="grader-shared-", dir="/tmp") as name:
        folder = Path(name)
        folder.chmod(0o1777)
        monkeypatch.setattr(container, "_SHARED", (name,))
        monkeypatch.setattr(shared_watch, "memory_kills", lambda: 0)
        monkeypatch.setattr(shared_watch, "_NUMBERED", {})
        yield folder


def beside(*scripts: str, python: bool = False, is_private: bool = False) -> list[Execution]:
    """Run scripts two at a time."""
    argv = ("python3" if python else "sh", "-c")
    return measured(*(Launch(argv=(*argv, script), limits=LIMITS, is_private=is_private) for script in scripts))


def measured(*launches: Launch) -> list[Execution]:
    """Run commands two at a time, as the cases of a submission that was far from its limits before."""
    allowance = RetryAllowance()
    allowance.company = True
    found = measure_each(choose("container"), launches, Event(), WorkerSlots(1, 2), allowance)
    executions = []
    for one in found:
        assert isinstance(one, Execution), one
        executions.append(one)
    return executions


@ROOT
def test_two_cases_that_share_nothing_run_at_the_same_time(shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "_MAX_HOLD", 60)
    found = beside(*[f"date +%s.%N; ls {shared} > list; cat {shared}/none; sleep 0.8; date +%s.%N"] * 4)
    assert [one.measured for one in found] == [()] * 4, "one was run again"
    spans = [tuple(map(float, one.stdout.split())) for one in found]
    assert any(second[0] < first[1] for first, second in itertools.pairwise(spans)), spans


FIXED_PATH = """
for i in 1 2 3 4 5 6 7 8; do
  echo {word} >> {shared}/out.txt && cat {shared}/out.txt > copy; sleep 0.05
done
cat {shared}/out.txt
"""


@ROOT
def test_honest_programs_that_write_the_same_path_are_as_if_alone(shared: Path) -> None:
    found = beside(*(FIXED_PATH.format(word=word, shared=shared) for word in "abcd"))
    assert [one.stdout.decode() for one in found] == [f"{word}\n" * 8 for word in "abcd"]
    assert [one.status for one in found] == [0] * 4
    assert [one.is_disturbed for one in found] == [False] * 4
    assert len(found[0].measured) == len(found[1].measured) == 2
    assert found[3].measured == (), "from then on one runs at a time"
    assert list(shared.iterdir()) == []


@ROOT
def test_a_program_that_lives_on_what_another_left_fails(shared: Path) -> None:
    writes = f"echo right > {shared}/answer; chmod 666 {shared}/answer; sleep 0.6; rm {shared}/answer"
    reads = f"for i in $(seq 50); do cat {shared}/answer && exit 0; sleep 0.02; done; exit 1"
    _, reader = beside(writes, reads)
    assert (reader.status, reader.stdout) == (1, b"")
    assert len(reader.measured) == 2


@ROOT
def test_a_file_that_came_and_went_within_a_moment_is_seen(shared: Path) -> None:
    """As a lock file: who finds it there gives up, and nothing is left that could be found afterwards."""
    lock = f"if mkdir {shared}/lock; then sleep 0.5; rmdir {shared}/lock; echo done; else echo busy; fi"
    assert [(one.stdout, one.stderr) for one in beside(*[lock] * 4)] == [(b"done\n", b"")] * 4


SEMAPHORE = """
import ctypes, time
C = ctypes.CDLL(None)
for _ in range(6):
    made = C.semget(4711, 1, 0o1600 | 0o2000)  # IPC_CREAT and IPC_EXCL
    if made < 0: print("busy")
    time.sleep(0.1)
    C.semctl(made, 0, 0)
print("done")
"""


@ROOT
@pytest.mark.usefixtures("shared")
def test_honest_programs_with_the_same_key_of_a_semaphore_are_as_if_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_watch, "_NUMBERED", NUMBERED)
    assert [one.stdout for one in beside(*[SEMAPHORE] * 2, python=True)] == [b"done\n"] * 2


@ROOT
def test_the_files_of_the_longer_one_are_removed_too(shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it left was there already when the folder was read for the other, which may be long ago."""
    monkeypatch.setattr(container, "_SETTLED_NS", 3 * 10**8)
    long = f"touch {shared}/early; sleep 1.2"
    assert [one.status for one in beside(long, "sleep 0.7")] == [0, 0]
    assert list(shared.iterdir()) == []


NOSY = """
found = ""
for place in /proc/[0-9]* {base}/grader-run-*; do
  cat $place/cwd/secret $place/work/secret $place/environ $place/home/* && found=yes
  ls $place/work $place/cwd && found=yes
  kill -9 ${{place##*/}} && found=yes
done
kill -9 -1 2> /dev/null
echo "found: $found"
"""


@ROOT
@pytest.mark.usefixtures("shared")
def test_nothing_of_the_other_case_is_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "_MAX_HOLD", 60)
    base = container._reachable()
    quiet = "echo secret > secret; chmod 644 secret; echo x > $HOME/x; sleep 1.5; cat secret"
    attack = f"sleep 0.3; ({NOSY.format(base=base)}) 2> /dev/null & for i in 1 2 3 4 5 6 7 8 9; do sleep 0.2; done"
    honest, attacker = beside(quiet, attack)
    assert (honest.status, honest.stdout, honest.measured) == (0, b"secret\n", ())
    assert b"yes" not in attacker.stdout
    assert b"secret" not in attacker.stdout


@ROOT
def test_programs_that_get_nothing_of_what_is_shared_are_not_disturbed(shared: Path) -> None:
    script = f"echo x > {shared}/x; sleep 0.3; ls {shared}; echo done"
    assert [(one.stdout, one.measured) for one in beside(*[script] * 2, is_private=True)] == [(b"done\n", ())] * 2


ASKS = b"""
import os, sys, time
name = sys.argv[1]
for number in range(8):
    with open(name, "a") as file: print(number, file=file)
    print(name, flush=True)
    if input() != str(number): sys.exit(43)
    time.sleep(0.05)
sys.exit(42)
"""
ANSWERS = """
try:
    while True:
        print(open(input()).read().split()[-1], flush=True)
except EOFError: pass
"""


@ROOT
def test_a_program_and_its_interactor_are_disturbed_together(shared: Path) -> None:
    """What one of them wrote is read by the other, and not by the program of another case."""
    interactor = Interactor(program="other.py", files={"other.py": ASKS}, args=(f"{shared}/word",))
    launch = Launch(
        argv=("python3", "-c", ANSWERS), interactor=launch_interactor(interactor), limits=Limits(time=20, cpu=10)
    )
    found = measured(launch, launch, launch)
    assert [one.interaction and one.interaction.status for one in found] == [42] * 3, found
    assert [len(one.measured) for one in found] == [2, 2, 0]
    assert list(shared.iterdir()) == []


SPEC = """
spec: 1
id: words
title: Words
language: python
program: python3 words.py
tests:
  - name: words
    points: 6
    cases:
      - {args: [a], expect: {stdout: "aaaaaa\\n"}}
      - {args: [b], expect: {stdout: "bbbbbb\\n"}}
      - {args: [c], expect: {stdout: "cccccc\\n"}}
      - {args: [d], expect: {stdout: "dddddd\\n"}}
      - {args: [e], expect: {stdout: "eeeeee\\n"}}
      - {args: [a], expect: {stdout: "aaaaaa\\n"}}
"""
RIGHT = """
import sys, time
for _ in range(6):
    with open("/tmp/words.txt", "a") as file: file.write(sys.argv[1])
    time.sleep(0.03)
print(open("/tmp/words.txt").read())
"""
WRONG = """
import os, sys, time
if os.path.exists("/tmp/words.txt"):  # of a case before, or beside
    print(sys.argv[1] * 6)
else:
    open("/tmp/words.txt", "w").close()
    time.sleep(0.2)
"""


@ROOT
@pytest.mark.parametrize(("program", "score"), [(RIGHT, 6), (WRONG, 0)], ids=["right", "wrong"])
def test_a_submission_gets_the_same_grade_with_two_cases_at_a_time(program: str, score: float, tmp_path: Path) -> None:
    (tmp_path / "words.yaml").write_text(SPEC)
    (tmp_path / "alice").mkdir()
    (tmp_path / "alice" / "words.py").write_text(program)
    for jobs in ("1", "2"):
        how = ("--spec", tmp_path / "words.yaml", "--sandbox", "container", "--jobs", jobs, "--format", "json")
        done = grader(tmp_path, "run", "alice", *how)
        assert done.stdout, done
        assert json.loads(done.stdout)["score"] == score, done.stdout


# ---------------------------------------------------------------- what is seen


def _come_and_go(folder: Path) -> None:
    (folder / "x").touch()
    (folder / "x").unlink()


def _overflow(folder: Path) -> None:
    for number in range(40_000):
        os.utime(folder / f"ours-{number % 2}")


CHANGES: dict[str, Callable[[Path], object]] = {
    "a file": lambda folder: (folder / "x").touch(),
    "a file that is gone": _come_and_go,
    "a folder": lambda folder: (folder / "x").mkdir(),
    "a pipe": lambda folder: os.mkfifo(folder / "x"),
    "another name": lambda folder: (folder / "old").rename(folder / "new"),
    "another mode": lambda folder: (folder / "old").chmod(0o600),
    "another time": os.utime,
    "more in a file": lambda folder: (folder / "old").write_text("more"),
    "a file that is opened to be written": lambda folder: (folder / "old").open("a").close(),
    "more than is queued": _overflow,
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_of_a_shared_folder_is_seen(name: str, shared: Path) -> None:
    for old in ("old", "ours-0", "ours-1"):
        (shared / old).touch()
    watch = SharedWatch([str(shared)], "/tmp", {b"ours-0", b"ours-1"})
    assert watch.changes() == 0
    CHANGES[name](shared)
    assert watch.changes() > 0
    watch.close()


def test_reading_and_what_is_ours_is_no_change(shared: Path) -> None:
    (shared / "old").write_text("x")
    watch = SharedWatch([str(shared)], "/tmp", {b"ours"})
    assert [path.read_text() for path in shared.iterdir()] == ["x"]
    (shared / "ours").mkdir()
    (shared / "ours" / "below").touch()
    (shared / "ours" / "below").unlink()
    (shared / "ours").rmdir()
    assert watch.changes() == 0
    watch.close()


@pytest.mark.parametrize("kind", shared_watch._NUMBERED)
def test_an_object_of_system_v_that_is_gone_again_is_seen(kind: str) -> None:
    """Also over the end of the numbers' first cycle; another process may make one too, but not each time."""
    given, removal = shared_watch._NUMBERED[kind]
    silent = 0
    for _ in range(70):
        last, number = shared_watch._next_number(kind), shared_watch._next_number(kind)
        silent += shared_watch._is_next(last, number)
        getattr(LIBC, f"{kind}ctl")(getattr(LIBC, f"{kind}get")(*given), *removal)
        assert not shared_watch._is_next(number, shared_watch._next_number(kind))
    assert silent > 50


@pytest.mark.parametrize(
    ("last", "number", "is_next"),
    [
        (5, 6, True),
        (5, 5, False),
        (5, 7, False),
        (63, 0x8000, True),
        (62, 0x8000, False),
        (63, 0x8001, False),
        (0x803F, 0x10000, True),
        (0x803F, 0x18000, False),
        (-1, -1, True),
        (5, -1, False),
        (-1, 0, True),
    ],
)
def test_the_next_number(last: int, number: int, *, is_next: bool) -> None:
    assert shared_watch._is_next(last, number) == is_next


def test_what_both_may_lack_is_a_change(shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    watch = SharedWatch([str(shared)], "/tmp", ())
    monkeypatch.setattr(shared_watch, "memory_kills", lambda: 1)
    assert [watch.changes() for _ in range(2)] == [1, 1]
    monkeypatch.setattr(shared_watch, "_MIN_FREE_BYTES", 2**70)
    assert watch.changes() == 2
    watch.close()


# ---------------------------------------------------------------- who has a turn


class Counter:
    """A watch that sees what it is told."""

    def __init__(self) -> None:
        self.seen = 0

    def changes(self) -> int:
        return self.seen

    def close(self) -> None:
        self.seen = -1


def go_on() -> None:
    """Nothing stops who waits."""


class Thread:
    """A thread that takes turns and gives them back when it is told to."""

    def __init__(self, turns_of: Turns, party: Party | None) -> None:
        self._go, self.has_turn = Event(), Event()
        self._turns, self._party = turns_of, party
        self.task = ThreadTask(self._run)

    def _run(self) -> bool:
        turn = self._turns.take(go_on, self._party)
        self.has_turn.set()
        self._go.wait(30)
        self._turns.give_back(turn)
        return bool(self._party and self._party.was_disturbed())

    def end(self) -> bool:
        """End its turn, and return whether it was disturbed."""
        self._go.set()
        return self.task.result()


@pytest.fixture
def watch() -> Counter:
    return Counter()


@pytest.fixture
def who(tmp_path: Path, watch: Counter) -> Turns:
    return Turns(str(tmp_path), watch=lambda: watch)


def test_a_change_disturbs_whoever_ran_beside_another_since(who: Turns, watch: Counter) -> None:
    party = Party(lambda: True)
    first, second = Thread(who, party), None
    assert first.has_turn.wait(10)
    watch.seen = 1  # by the first, before there was another: it lies there still
    second = Thread(who, party)
    assert second.has_turn.wait(10)
    assert second.end()
    third = Thread(who, party)
    assert third.has_turn.wait(10)
    assert first.end()
    watch.seen = 1
    fourth = Thread(who, party)
    assert fourth.has_turn.wait(10)
    assert third.end()
    assert not fourth.end()


def test_whoever_ran_alone_is_never_disturbed(who: Turns, watch: Counter) -> None:
    alone = Thread(who, Party(lambda: True))
    assert alone.has_turn.wait(10)
    watch.seen = 1
    assert not alone.end()


def test_only_a_party_that_wants_it_has_company(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> Counter:
        raise HostError("no watch")

    party, unwilling = Party(lambda: True), Party(lambda: False)
    watched = Turns(str(tmp_path), watch=Counter)
    for held, other, turns_of in (
        (party, Party(lambda: True), watched),
        (party, None, watched),
        (None, party, watched),
        (unwilling, unwilling, watched),
        (party, party, Turns(str(tmp_path))),
        (party, party, Turns(str(tmp_path), watch=fail)),
    ):
        first = Thread(turns_of, held)
        assert first.has_turn.wait(10)
        second = Thread(turns_of, other)
        assert not second.has_turn.wait(0.1)
        assert not first.end()
        assert second.has_turn.wait(10)
        assert not second.end()
    monkeypatch.setattr(turns, "_MAX_HOLD", 0)
    first, second = Thread(watched, party), Thread(watched, party)
    assert [first.end(), second.end()] == [False, False]


TAKES = """
import sys, time
from grader.core.sandbox.turns import Turns
turns = Turns(sys.argv[1])
print("ready", flush=True)
for _ in range(int(sys.argv[2])):
    turns.give_back(turns.take(lambda: None))
print("done", flush=True)
"""


def test_graders_take_turns(tmp_path: Path) -> None:
    """Whoever takes one turn right after the other lets another grader in that waits."""
    ours, mine = Turns(str(tmp_path)), 0
    environment = {**os.environ, "PYTHONPATH": str(HERE)}
    command = [sys.executable, "-c", TAKES, str(tmp_path), "30"]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE) as other:
        assert other.stdout
        assert other.stdout.readline() == b"ready\n"
        task = ThreadTask(other.stdout.read)
        while not task.join(0):
            turn = ours.take(go_on)
            mine += 1
            time.sleep(0.002)
            ours.give_back(turn)
    assert task.result() == b"done\n"
    assert mine < 200, "450 and more while it looked again and again whether it may"


def test_who_waits_for_another_grader_can_be_stopped(tmp_path: Path) -> None:
    class StoppedError(Exception): ...

    def stop() -> None:
        raise StoppedError

    held, waiting = Turns(str(tmp_path)), Turns(str(tmp_path))
    turn = held.take(go_on)
    with pytest.raises(StoppedError):
        waiting.take(stop)
    held.give_back(turn)
    time.sleep(0.2)  # for the thread that still waited
    waiting.give_back(waiting.take(stop))
