"""What the kernel counts by user, or for the whole machine: one command takes all, its neighbour needs some.

`neighbours.yaml` has attacks that say `held` when they get no more, and keep what they have. Beside each there is an
honest program, which runs meanwhile at the same level, and once more when the attack is gone.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Event

import pytest
from msgspec.structs import replace

from grader.core.model.execution import Execution, Launch
from grader.core.model.limits import Limits
from grader.core.run.measuring import is_in_doubt
from grader.core.run.process import SandboxedProcess
from grader.core.run.runner import execute
from grader.core.run.start import begin, start_program
from grader.core.sandbox import cgroup, choose, outer
from grader.core.sandbox.cgroup import _FREE_IDS, ClaimedUser, Pool, give_back_user, take_user
from grader.core.sandbox.outer import end_idle
from tests.support.all_attacks import readable_checkout, readable_python
from tests.support.rows import read_data

LIMITS = Limits(time=60, cpu=20, memory=256 * 2**20)
ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a program a user of its own")

DATA = read_data(__file__)
PAIRS = DATA["PAIRS"]
IMPORTS = DATA["IMPORTS"]
SPREAD = DATA["SPREAD"]
HOLD = DATA["HOLD"]


@pytest.fixture(autouse=True)
def _no_sandbox_waits(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:  # noqa: ARG001 - is undone after this
    """Let each test have users of its own: an outer sandbox keeps its user from command to command."""
    end_idle()
    yield
    end_idle()


@contextmanager
def holding(level: str, attack: str) -> Iterator[SandboxedProcess]:
    """Let an attack take what it gets, and hold it."""
    launch = Launch(argv=("python3", "-c", IMPORTS + SPREAD + attack + HOLD), limits=LIMITS)
    with begin(start_program(choose(level), launch, Event())) as program:
        waiting = attack.count("spread(") * 28
        heard = b""
        while b"held" not in heard or heard.count(b"+") < waiting:
            heard += program.step(4096, None)
            assert not program.ended, (program.captured(), program.limit)
        yield program


def do_work(level: str, script: str, time: float = 60) -> Execution:
    limits = replace(LIMITS, time=time)
    return execute(choose(level), Launch(argv=("python3", "-c", IMPORTS + script), limits=limits), Event())


@ROOT
@pytest.mark.timeout(120)
@pytest.mark.parametrize(("level", "name"), [(level, name) for name, pair in PAIRS.items() for level in pair["levels"]])
def test_what_one_takes_no_other_lacks(level: str, name: str) -> None:
    pair = PAIRS[name]
    with holding(level, pair["attack"]):
        found = do_work(level, pair["honest"])
        assert (found.stdout.decode().strip(), found.stderr) == (pair["says"], b"")
    found = do_work(level, pair["honest"])
    assert (found.stdout.decode().strip(), found.stderr) == (pair["says"], b"")


@ROOT
@pytest.mark.timeout(120)
@pytest.mark.parametrize("name", ["pages of pipes", "descriptors on their way", "inotify instances"])
def test_with_one_user_for_all_the_neighbour_would_lose(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    only = take_user()
    monkeypatch.setattr(outer, "take_user", lambda: only)
    monkeypatch.setattr(outer, "give_back_user", lambda _: None)
    pair = PAIRS[name]
    with holding("full", pair["attack"]):
        assert do_work("full", pair["honest"], time=2).stdout.decode().strip() != pair["says"]
    give_back_user(only)


@ROOT
@pytest.mark.parametrize("level", ["full", "container"])
def test_no_two_that_run_at_once_are_one_user(level: str) -> None:
    launch = Launch(argv=("sleep", "9"), limits=LIMITS)
    with ExitStack() as stack:
        programs = [stack.enter_context(begin(start_program(choose(level), launch, Event()))) for _ in range(5)]
        users = {program.command.user for program in programs}
        owners = {Path(f"/proc/{program.command.pid}").stat().st_uid for program in programs}
        another = subprocess.run(
            [sys.executable, "-c", "from grader.core.sandbox.cgroup import take_user; print(take_user().id)"],
            check=True,
            capture_output=True,
            timeout=60,
        )
    assert len(users) == 5
    assert users == owners <= {*_FREE_IDS}
    assert int(another.stdout) not in users


@ROOT
def test_an_id_is_had_again_only_when_nothing_of_the_last_command_is_alive(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cgroup, "_USERS", Pool[ClaimedUser](9, lambda _: None))
    only = take_user()
    give_back_user(only)
    with begin(start_program(choose("full"), Launch(argv=("sleep", "9"), limits=LIMITS), Event())) as program:
        assert program.command.user == only.id
        assert not cgroup._USERS.idle
    end_idle()
    assert cgroup._USERS.idle == [only]


@ROOT
@pytest.mark.timeout(120)
@pytest.mark.parametrize("name", ["buffers of TCP", "buffers of UDP"])
def test_buffers_of_sockets_have_a_bound(name: str) -> None:
    with holding("full", PAIRS[name]["attack"]) as program:
        group = program.command.group
        if group is None or not (used := Path(group._folders[0], "memory.kmem.tcp.usage_in_bytes")).exists():
            pytest.skip("only version 1 of control groups counts them apart")
        assert 8 * 2**20 < int(used.read_text()) < 40 * 2**20


@pytest.mark.timeout(120)
@pytest.mark.parametrize("name", ["buffers of TCP", "buffers of UDP"])
def test_buffers_of_sockets_count_as_memory_where_there_is_no_group(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outer, "new_group", lambda **_: None)
    script = IMPORTS + SPREAD + PAIRS[name]["attack"] + HOLD
    limits = replace(LIMITS, memory=512 * 2**20)
    found = execute(choose("full"), Launch(argv=("python3", "-c", script), limits=limits), Event())
    assert found.limit == "memory"
    assert do_work("full", PAIRS[name]["honest"]).stdout.decode().strip() == PAIRS[name]["says"]


@ROOT
@pytest.mark.timeout(120)
@pytest.mark.parametrize("name", ["pages of pipes", "inotify instances"])
def test_a_used_up_share_of_a_common_user_is_seen(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As for a plain user, with whom all commands are one user; what ran meanwhile is then in doubt."""
    only = take_user()
    monkeypatch.setattr(outer, "take_user", lambda: only)
    monkeypatch.setattr(outer, "give_back_user", lambda _: None)
    ask = [sys.executable, "-c", "from grader.core.sandbox.cgroup import is_share_used_up as ask; print(ask())"]
    if not Path(sys.executable).resolve().is_relative_to("/usr"):
        ask = [readable_python() or pytest.skip("there is no Python that another user can start"), "-P", *ask[1:]]
    with readable_checkout() as (checkout, packages):

        def is_seen() -> bool:
            environment = {"PYTHONPATH": os.pathsep.join([str(checkout), str(packages)])}
            done = subprocess.run(
                ask,
                user=only.id,
                group=only.id,
                extra_groups=[],
                env=environment,
                cwd="/",
                capture_output=True,
                check=True,
                timeout=60,
            )
            return done.stdout == b"True\n"

        assert not is_seen()
        with holding("full", PAIRS[name]["attack"]):
            assert is_seen()
    give_back_user(only)


def test_what_ran_while_a_share_was_used_up_is_in_doubt() -> None:
    assert not is_in_doubt(Execution(status=0))
    assert is_in_doubt(Execution(status=0, doubts=frozenset({"crowded"})))
