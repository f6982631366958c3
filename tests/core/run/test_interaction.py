"""Two commands that speak with each other, at every level of the sandbox."""

import os
import time
from collections.abc import Sequence
from threading import Event

import pytest
from msgspec.structs import replace

from grader.core.course_programs import launch_interactor
from grader.core.model.execution import Execution, Interaction, Launch, TranscriptEntry
from grader.core.model.limits import Limits
from grader.core.model.spec import Interactor
from grader.core.run import conversation
from grader.core.run.meter import waiting_in
from grader.core.run.runner import execute
from grader.core.run.start import join_passes
from grader.core.sandbox import choose
from tests.support.rows import each_row, read_data

PASSES_ON = read_data(__file__)["PASSES_ON"]
DATA = read_data(__file__)
COUNTS = DATA["COUNTS"].encode()
AS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a program a user of its own")
LEVELS = pytest.mark.parametrize("level", ["full", pytest.param("container", marks=AS_ROOT), "none"])
ECHO = "import sys\nfor line in sys.stdin: print(line, end='', flush=True)"


def speak(
    program: str,
    other: bytes = COUNTS,
    args: tuple[str, ...] = ("3",),
    limits: Limits | None = None,
    level: str = "full",
) -> Execution:
    interactor = Interactor(program="other.py", files={"other.py": other}, args=args)
    launch = Launch(
        argv=("python3", "program.py"),
        files={"program.py": program.encode()},
        interactor=launch_interactor(interactor),
        limits=limits or Limits(time=5, cpu=5),
    )
    return execute(choose(level), launch, Event())


@LEVELS
def test_what_one_writes_the_other_reads(level: str) -> None:
    found = speak(ECHO, level=level)
    assert found.interaction is not None
    assert (found.interaction.status, found.interaction.first, found.limit) == (42, "interactor", None)
    assert [turn.text for turn in found.transcript] == [b"0\n", b"0\n", b"1\n", b"1\n", b"2\n", b"2\n", b""]


@LEVELS
@each_row
def test_who_closes_a_stream_and_goes_on_is_seen_to_have_closed_it(program: str, other: str, level: str) -> None:
    found = speak(program, other.encode(), level=level)
    assert found.interaction is not None
    assert (found.interaction.status, found.interaction.waiting, found.limit, found.status) == (42, False, None, 0)


@LEVELS
def test_a_program_that_is_not_there_ends_as_in_a_shell(level: str) -> None:
    interactor = Interactor(program="other.py", files={"other.py": b"input()"})
    launch = Launch(argv=("./main",), interactor=launch_interactor(interactor), limits=Limits(time=5, cpu=5))
    found = execute(choose(level), launch, Event())
    assert (found.status, found.stderr.partition(b": ")[0]) == (127, b"sh")


@pytest.mark.parametrize("level", ["full", "none"])
@pytest.mark.parametrize(("status", "first"), [(42, "interactor"), (43, "program")])
def test_what_has_accepted_and_says_no_more_has_ended_before_whom_that_ends(
    status: int, first: str, level: str
) -> None:
    slow = f"import os, time\nprint(1, flush=True)\ninput()\nos.close(1)\ntime.sleep(0.8)\nos._exit({status})"
    found = speak(f"{ECHO}\nsys.exit(3)", slow.encode(), level=level)
    assert found.interaction is not None
    assert (found.interaction.status, found.interaction.first, found.status) == (status, first, 3)


def test_however_much_is_said_the_transcript_is_bounded_and_keeps_the_end() -> None:
    found = speak(ECHO, args=("1500",))
    assert found.interaction is not None
    assert found.interaction.status == 42
    assert len(found.transcript) <= 1000
    assert found.transcript[-2].text == b"1499\n"


@each_row
def test_who_ended_first_is_known(program: str, status: int, first: str) -> None:
    found = speak(program)
    assert found.interaction is not None
    assert (found.interaction.status, found.interaction.first, found.interaction.waiting) == (status, first, False)


def test_an_interactor_that_refuses_ended_before_the_program_that_sees_its_input_end() -> None:
    other = b"import os, time\nos.close(1)\ntime.sleep(0.02)\nos._exit(43)"
    found = speak("import os\nos.read(0, 1)\nos._exit(3)", other)
    assert found.interaction is not None
    assert (found.interaction.status, found.interaction.first) == (43, "interactor")


def test_both_wait_and_neither_is_waited_for_until_its_time_is_over() -> None:
    found = speak("input()\ninput()", limits=Limits(time=600, cpu=5))
    assert found.interaction is not None
    assert (found.interaction.first, found.interaction.waiting, found.interaction.late) == ("", True, b"")
    assert found.limit is None


@each_row
def test_whose_time_is_over_is_waiting_if_it_goes_on_without_input(
    program: str, late: bytes, limit: str | None, *, waiting: bool
) -> None:
    found = speak(program, limits=Limits(time=0.6, cpu=5))
    assert found.interaction is not None
    assert (found.interaction.waiting, found.interaction.late, found.limit) == (waiting, late, limit)


def test_who_is_kept_from_writing_does_not_run_out_of_time() -> None:
    slow = f"import sys\n{BUSY}\nfor line in sys.stdin:\n    if len(line) % 40 == 1: time.sleep(0.05)\nsys.exit(42)"
    found = speak(
        "for n in range(1200): print('x' * 1000 + 'y' * (n % 40))", slow.encode(), limits=Limits(time=0.6, cpu=5)
    )
    assert found.interaction is not None
    assert (found.interaction.status, found.limit, found.time < 0.6) == (42, None, True)


def test_output_that_never_ends_is_bounded_on_both_sides() -> None:
    talks = b"import sys\nwhile sys.stdin.readline(): print('y' * 1000)\nsys.exit(42)"
    found = speak("while True: print('x' * 1000)", talks, limits=Limits(time=20, cpu=20, output=2**20))
    assert found.interaction is not None
    assert (found.limit, found.interaction.first, len(found.stdout)) == ("output", "program", 2**20)


# ---------------------------------------------------------------- several passes

BOTH = Interaction(status=42, first="interactor", passes=2)
PASS = Execution(status=0, time=1, cpu=2, memory=3, stdout=b"a", stderr=b"x", interaction=BOTH)


def test_of_several_passes_the_most_that_any_used_counts() -> None:
    long = replace(PASS, time=9, cpu=8, memory=7)
    for one, other in ((long, PASS), (PASS, long)):
        found = join_passes(one, other)
        assert (found.time, found.cpu, found.memory) == (9, 8, 7)


def test_the_last_pass_is_told_with_what_was_said_before_it() -> None:
    turns = tuple(TranscriptEntry(time=0, stream="stdout", text=text) for text in (b"1", b"2", b"3"))
    before, last = replace(PASS, transcript=turns[:2]), replace(PASS, stdout=b"b", transcript=turns[2:])
    found = join_passes(before, last)
    assert (found.stdout, found.transcript) == (b"b", turns)
    assert found.interaction == replace(BOTH, passes=3)
    assert join_passes(replace(before, interaction=None), last).interaction == replace(BOTH, passes=1)
    assert join_passes(before, replace(last, interaction=None)).interaction is None


@each_row
def test_a_status_of_its_own_in_an_earlier_pass_is_the_program_s(
    first: str, before: int | None, last: int | None, told: tuple[int | None, bytes]
) -> None:
    interaction = replace(BOTH, first=first)
    found = join_passes(
        replace(PASS, status=before, stderr=b"before", interaction=interaction),
        replace(PASS, status=last, stderr=b"last"),
    )
    assert (found.status, found.stderr) == told


# ---------------------------------------------------------------- a grader that looks late

BUSY = "import time\nuntil = time.perf_counter() + 0.5\nwhile time.perf_counter() < until: pass\n"
"""seconds of work, more than the silence after which two are looked at"""
ANSWERS = f"number = input()\n{BUSY}print(number, flush=True)\n"
ASKS = b"import sys\nprint(1, flush=True)\nsys.exit(42 if sys.stdin.readline() == '1\\n' else 43)"


@pytest.fixture
def late_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the grader lose its processor between its last read and its look at what the two do, as on a busy machine."""

    def look_late(proc: int, pids: Sequence[int]) -> tuple[bytes, ...]:
        time.sleep(0.4)
        return waiting_in(proc, pids)

    monkeypatch.setattr(conversation, "waiting_in", look_late)


@pytest.mark.usefixtures("late_looks")
@each_row
def test_who_answers_after_work_is_not_taken_to_wait(program: str, other: bytes) -> None:
    found = speak(program, other)
    assert found.interaction is not None
    assert (found.interaction.status, found.interaction.waiting, found.limit) == (42, False, None)


@pytest.mark.load
@pytest.mark.parametrize("more", ["", "input()"], ids=["ends", "waits for more"])
def test_who_answers_in_time_has_done_so_however_late_we_read(more: str, monkeypatch: pytest.MonkeyPatch) -> None:
    read = conversation.Conversation._round

    def read_late(self: conversation.Conversation) -> None:
        if self._speakers[0].works:
            time.sleep(1.5)
        read(self)

    monkeypatch.setattr(conversation.Conversation, "_round", read_late)
    found = speak(f"{ANSWERS}{more}", ASKS, limits=Limits(time=1, cpu=5))
    assert found.interaction is not None
    assert (found.interaction.status, found.interaction.waiting, found.signal) == (42, False, None)
