import re
from threading import Event

import pexpect
import pytest

from grader.core.model.execution import Launch
from grader.core.model.limits import Limits
from grader.core.run.process import SandboxedProcess
from grader.core.run.runner import start_program
from grader.core.sandbox import LEVELS

BOTH = pytest.mark.parametrize("terminal", [False, True], ids=["pipes", "terminal"])


def started(script: str, *, terminal: bool = False, limits: Limits = Limits(time=10)) -> SandboxedProcess:  # noqa: B008 - frozen
    request = Launch(argv=("sh", "-c", script), terminal=terminal, limits=limits)
    program = start_program(LEVELS["full"], request, Event())
    program.wait_until_ready()
    program.open_gate()
    return program


@BOTH
def test_expect_and_send_hold_a_dialogue(terminal: bool) -> None:  # noqa: FBT001 - a parameter of the table
    with started('printf "n? "; read n; echo "got $n"', terminal=terminal) as program:
        program.expect_exact(b"n? ")
        program.send(b"8\n")
        program.expect(rb"got (\d+)")
        assert isinstance(program.match, re.Match)
        assert program.match.group(1) == b"8"
        program.drain()
        assert program.captured()[0] == b"n? got 8\n"


def test_expect_times_out_and_the_program_lives() -> None:
    with started("sleep 0.5; echo late") as program:
        with pytest.raises(pexpect.TIMEOUT):
            program.expect_exact(b"late", timeout=0.1)
        program.expect_exact(b"late", timeout=5)


@BOTH
def test_expect_sees_the_end(terminal: bool) -> None:  # noqa: FBT001 - a parameter of the table
    with started("echo only", terminal=terminal) as program:
        assert program.expect_exact([b"nothing", pexpect.EOF]) == 1
        assert program.before == b"only\n"


def test_standard_error_is_kept_apart_while_talking() -> None:
    with started("echo aside >&2; echo here") as program:
        program.expect_exact(b"here")
        program.drain()
        assert program.captured() == (b"here\n", b"aside\n")


def test_the_limit_of_time_holds_in_a_dialogue() -> None:
    with started("sleep 30", limits=Limits(time=0.3)) as program:
        assert program.expect([pexpect.EOF, pexpect.TIMEOUT]) in (0, 1)
        program.drain()
        assert program.limit == "time"


def test_leaving_ends_the_program() -> None:
    with started("sleep 30") as program:
        command = program.command
    assert command.wait().signal == 9
    program.close()  # and may be done twice
