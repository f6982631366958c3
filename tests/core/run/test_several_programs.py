"""Several starts of one program that speak with an interactor, each in a sandbox of its own, at every level."""

import os
import uuid
from threading import Event

import pytest

from grader.core.course_programs import launch_interactor
from grader.core.model.execution import Execution, Launch
from grader.core.model.limits import Limits
from grader.core.model.spec import Interactor, Role
from grader.core.run.runner import execute
from grader.core.sandbox import choose
from tests.support.rows import each_row, read_data

DATA = read_data(__file__)
CHANNEL = DATA["CHANNEL"]
TALKS = DATA["TALKS"]
AS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a program a user of its own")
LEVELS = pytest.mark.parametrize("level", ["full", pytest.param("container", marks=AS_ROOT), "none"])
APART = pytest.mark.parametrize("level", ["full", pytest.param("container", marks=AS_ROOT)])
LINES = "for line in sys.stdin: print(line, end='', flush=True)"
PASSES_ON = "print(input())"


def speak(
    encoder: str = PASSES_ON,
    decoder: str = PASSES_ON,
    other: str = CHANNEL,
    level: str = "full",
    limits: Limits | None = None,
    **asked: float,
) -> Execution:
    interactor = Interactor(program="other.py", files={"other.py": other.encode()}, limits=asked)
    program = "import os, sys, time\nif sys.argv[1] == 'encode':\n{}\nelse:\n{}\n"
    indented = ("\n".join(f"    {line}" for line in code.splitlines()) for code in (encoder, decoder))
    launch = Launch(
        argv=("python3", "program.py"),
        files={"program.py": program.format(*indented).encode()},
        interactor=launch_interactor(interactor),
        roles=(Role(name="encode", args=("encode",)), Role(name="decode", args=("decode",))),
        limits=limits or Limits(time=5, cpu=5),
    )
    return execute(choose(level), launch, Event())


def outcome(found: Execution) -> tuple[str, str, int | None]:
    assert found.interaction
    return found.interaction.first, found.interaction.culprit, found.interaction.status


@LEVELS
def test_what_one_sends_reaches_the_other_by_the_interactor(level: str) -> None:
    found = speak(level=level)
    assert outcome(found) == ("interactor", "", 42)
    said = [(turn.role, turn.stream, turn.text) for turn in found.transcript if turn.text]
    assert said == [
        ("encode", "stdin", b"1011\n"),
        ("encode", "stdout", b"1011\n"),
        ("decode", "stdin", b"1011\n"),
        ("decode", "stdout", b"1011\n"),
    ]
    assert [(one.name, one.status, one.limit) for one in found.interaction.roles] == [  # type: ignore[union-attr]
        ("encode", 0, None),
        ("decode", 0, None),
    ]


@LEVELS
def test_all_talk_at_the_same_time(level: str) -> None:
    assert outcome(speak(LINES, LINES, TALKS, level)) == ("interactor", "", 42)


@each_row
def test_who_broke_off_first_is_blamed_and_nobody_else(
    encoder: str, decoder: str, first: str, culprit: str, ended: tuple[int | None, int | None, str | None]
) -> None:
    found = speak(encoder, decoder, limits=Limits(time=1.5, cpu=0.5, memory=2**28))
    assert outcome(found)[:2] == (first, culprit)
    assert (found.status, found.signal, found.limit) == ended


def test_what_never_reads_what_it_was_sent_runs_out_of_time() -> None:
    much = CHANNEL.replace('print("1011",', 'print("1011" * 10**6,')
    found = speak("import select\nselect.select([], [], [])", other=much, limits=Limits(time=0.6, cpu=2))
    assert outcome(found)[:2] == ("program", "encode")
    assert found.limit == "time"


@each_row
def test_when_all_wait_for_each_other_that_ends_soon(encoder: str, decoder: str, culprit: str, late: bytes) -> None:
    found = speak(encoder, decoder, TALKS, limits=Limits(time=30, cpu=30))
    assert found.interaction
    assert (found.interaction.waiting, found.interaction.culprit, found.interaction.late) == (True, culprit, late)
    assert max(one.time for one in found.interaction.roles) < 5


def test_the_time_of_the_interactor_and_of_the_other_program_does_not_count() -> None:
    slow = CHANNEL.replace("import sys", "import sys, time\nuntil = time.time() + 0.7\nwhile time.time() < until: pass")
    found = speak("time.sleep(0.7)\nprint(input())", other=slow, limits=Limits(time=1.2, cpu=1.2))
    assert outcome(found) == ("interactor", "", 42)
    encoder, decoder = found.interaction.roles  # type: ignore[union-attr]
    assert encoder.time > 0.6
    assert decoder.time < 0.5


@pytest.mark.parametrize("ends", ["while True: pass", "import time\ntime.sleep(60)"])
def test_an_interactor_that_takes_too_long_is_at_fault_itself(ends: str) -> None:
    found = speak(other=ends, time=0.6, cpu=0.6)
    assert found.interaction
    assert (found.interaction.first, found.interaction.culprit, found.limit) == ("interactor", "", None)
    assert found.interaction.limit in ("time", "cpu")


def test_an_interactor_may_open_late_or_in_any_order_what_was_written_long_before() -> None:
    late = "import sys, time\ntime.sleep(0.3)\nread = [open(f'{name}.out').read() for name in ('decode', 'encode')]\n"
    found = speak("print(5)", "print(6)", f"{late}sys.exit(42 if read == ['6\\n', '5\\n'] else 43)")
    assert outcome(found) == ("interactor", "", 42)


@APART
def test_nothing_that_one_leaves_is_found_by_the_other(level: str) -> None:
    leaves = DATA["LEAVES"].replace("NAME", f"g{uuid.uuid4().hex[:10]}")
    found = speak(f"{leaves}\nleave()", f"{leaves}\nprint(*look(), 'looked', flush=True)", DATA["TELLS"], level)
    assert found.interaction
    assert found.interaction.stderr == b"looked\n"
