"""The trial of a level, on levels from which something was taken away."""

from collections.abc import Sequence
from pathlib import Path
from threading import Event

import pytest

from grader.core import pipeline
from grader.core.errors import HostError
from grader.core.model.execution import Execution, SandboxPlace
from grader.core.run.runner import execute
from grader.core.sandbox import LEVELS, choose, outer
from grader.core.sandbox.compile_starter import STARTER_SOURCE, compile_starter
from grader.core.sandbox.self_test import failed_self_tests, trial
from tests.support.rows import each_row

ALLOW_ALL = b"\x06\0\0\0\0\0\xff\x7f"
SPEC = Path(__file__).parents[3] / "specs/nqueens-matrix.yaml"


def broken(level: str) -> tuple[str, ...]:
    sandbox = choose(level)
    known_as = sandbox.info.level
    return failed_self_tests(known_as, execute(sandbox, trial(known_as), Event()))


@pytest.mark.parametrize("level", LEVELS)
def test_every_level_keeps_its_promises(level: str) -> None:
    assert broken(level) == ()


def without(left_out: str) -> list[str]:
    return [word for word in outer._NAMESPACES if word != left_out]


def share_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the starter make no network for a command, either."""
    source = STARTER_SOURCE.read_text()
    weaker = source.replace(" | CLONE_NEWNET", "").replace("    bring_up_loopback();\n", "")
    assert len(weaker) < len(source) - 30
    program = compile_starter(weaker.encode())
    assert program
    monkeypatch.setattr(outer, "starter_program", lambda: program)


@each_row
def test_what_does_not_hold_is_named(
    left_out: str, more: tuple[str, ...], named: str, monkeypatch: pytest.MonkeyPatch, *, allows_all: bool
) -> None:
    file_system = outer._file_system

    def weaker(place: SandboxPlace, show: Sequence[str], packages: str, folders: Sequence[str]) -> list[str]:
        return [*more, *file_system(place, show, packages, folders), "--remount-ro", "/"]

    monkeypatch.setattr(outer, "_NAMESPACES", without(left_out))
    monkeypatch.setattr(outer, "_file_system", weaker)
    if allows_all:
        monkeypatch.setattr(outer, "system_call_filter", lambda *_, **__: ALLOW_ALL)
    if left_out == "--unshare-net":
        share_network(monkeypatch)
    assert named in "; ".join(broken("full"))


def test_nothing_is_graded_then(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outer, "_NAMESPACES", without("--unshare-net"))
    share_network(monkeypatch)
    with pytest.raises(HostError, match="the sandbox does not hold here: it has the network interface"):
        pipeline.prepare(SPEC, sandbox="full")


@pytest.mark.parametrize("level", LEVELS)
@each_row
def test_silence_is_no_promise_kept(level: str, happened: Execution) -> None:
    assert failed_self_tests(level, happened)
