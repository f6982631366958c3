import math
from threading import Event

from grader.core.model.execution import Launch
from grader.core.model.limits import Limits
from grader.core.run.process import SandboxedProcess
from grader.core.run.start import begin, start_program
from grader.core.sandbox import LEVELS


def started(script: str, *, terminal: bool = False, limits: Limits = Limits(time=10)) -> SandboxedProcess:  # noqa: B008 - frozen
    request = Launch(argv=("sh", "-c", script), terminal=terminal, limits=limits)
    return begin(start_program(LEVELS["full"], request, Event()))


def test_what_is_typed_is_read_and_the_end_of_input_too() -> None:
    for terminal in (False, True):
        with started('read n; echo "got $n"; cat', terminal=terminal) as program:
            program.send(b"8\n")
            program.drain()
            assert program.captured()[0] == b"got 8\n"


def test_a_reader_of_much_that_is_slow_gets_all_of_it() -> None:
    with started("sleep 0.3; wc -c") as program:
        program.send(b"x" * 3_000_000)
        assert program.queued
        assert program.unread == 3_000_000
        program.drain()
        assert program.captured()[0].strip() == b"3000000"


def test_one_that_is_ended_for_another_has_passed_no_limit() -> None:
    with started("sleep 30") as program:
        program.end("partner", after=0.2)
        program.drain()
        assert (program.limit, program.why, program.ended_by_itself) == (None, "partner", False)
        assert program.elapsed < 5


def test_one_that_was_ended_is_waited_for_without_looks_one_after_the_other() -> None:
    with started("sleep 30") as program:
        program.end("time")
        assert program.over == (math.inf, "time")


def test_one_that_ended_unseen_is_not_ended_again() -> None:
    with started("exit 3") as program:
        program.command.wait()
        program.end("time")
        program.drain()
        assert (program.why, program.outcome.status, program.ended_by_itself) == (None, 3, True)


def test_time_that_is_granted_lengthens_no_limit() -> None:
    with started("sleep 0.6", limits=Limits(time=0.3)) as program:
        program.grant(9)
        program.drain()
        assert program.ended_by_itself
        assert program.time_left < 0


def test_leaving_ends_the_program() -> None:
    with started("sleep 30") as program:
        pass
    assert program.command.wait().signal == 9
    program.close()  # and may be done twice
