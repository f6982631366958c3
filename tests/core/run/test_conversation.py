"""Whose time counts while programs speak with an interactor, event by event, of programs that are made up."""

import math
import os
import time
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from grader.core.run import conversation
from grader.core.run.conversation import Conversation, Speaker
from tests.support.rows import each_row


class Command:
    """A program or an interactor, as far as a conversation asks."""

    def __init__(self, *beside: "Command") -> None:
        self.beside, self.launch, self.pipes = beside, SimpleNamespace(roles=()), None
        self.ended, self.elapsed, self.queued, self.excluded, self.written = 0.0, 0.0, 0, 0.0, b""
        self.has_said_all = self.waits = False
        self.events, self.writes = os.pipe()

    def step(self, *_: object) -> bytes:
        return self.written

    def exclude_time(self, seconds: float) -> None:
        self.excluded += seconds

    def pass_on(self, data: bytes) -> None:
        self.queued += len(data)

    def grant(self, seconds: float) -> None: ...

    def end_input(self) -> None: ...

    def close(self) -> None:
        os.close(self.events)
        os.close(self.writes)


@pytest.fixture(name="both")
def _both() -> Iterator[tuple[Any, Any]]:
    other = Command()
    program = Command(other)
    yield program, other
    program.close()
    other.close()


@each_row
def test_the_time_of_a_program_counts_until_it_answers(
    both: tuple[Any, Any], event: str, excluded: float | None, *, works: bool, then: bool
) -> None:
    program, other = both
    speaker = Speaker(program, other)
    speaker.account(1.0, counts=True, works=works)
    program.excluded, program.written = 0.0, b"1\n"
    if event == "writes":
        speaker.hear_program(1.1)
    elif event == "given":
        speaker.hear_interactor(b"1\n", 1.1)
    else:
        speaker.end_input(1.1)
    assert speaker.works == then
    assert (program.excluded, speaker._since) == (pytest.approx(excluded or 0.0), 1.0 if excluded is None else 1.1)


@pytest.mark.parametrize("is_one_of_several", [False, True])
@each_row
def test_a_look_shows_whose_time_counts(
    both: tuple[Any, Any],
    monkeypatch: pytest.MonkeyPatch,
    *,
    is_one_of_several: bool,
    works: bool,
    waits: bool,
    others_waits: bool,
    is_pending: bool,
    alone: bool,
    of_several: bool,
) -> None:
    program, other = both
    program.waits, other.waits = waits, others_waits
    program.pipes = SimpleNamespace(queued=0, events=lambda **_: ()) if is_one_of_several else None
    monkeypatch.setattr(conversation, "is_waiting", lambda one: one.waits)
    if is_pending:
        os.write(program.writes, b"1")
    talk, counts = Conversation(program), of_several if is_one_of_several else alone
    talk._speakers[0].account(1.0, counts=True, works=works)
    talk._looked, program.excluded, other.excluded = 1.0, 0.0, 0.0
    talk._look(1.1)
    assert (talk._speakers[0].works, program.excluded) == (counts, pytest.approx(0.0 if counts else 0.1))
    assert other.excluded == pytest.approx(0.1 if others_waits else 0.0)
    assert talk._quiet_looks == (waits and others_waits and not is_pending)


def test_what_is_done_while_we_are_kept_from_looking_is_charged_to_nobody(both: tuple[Any, Any]) -> None:
    program, other = both
    speaker = Speaker(program, other)
    speaker.account(1.0, counts=True, works=True)
    program.excluded = 0.0
    speaker.account(4.0, counts=True, works=False)
    assert program.excluded == pytest.approx(2.8)


@pytest.mark.parametrize(("is_heard", "late"), [(True, 0.2), (False, 0.0)])
def test_a_wait_of_ours_for_a_processor_is_charged_to_nobody_when_something_came(
    both: tuple[Any, Any], monkeypatch: pytest.MonkeyPatch, *, is_heard: bool, late: float
) -> None:
    delays = iter([5.0])
    monkeypatch.setattr(conversation, "own_delay", lambda: next(delays, 5.2))
    program, other = both
    talk = Conversation(program)
    talk._looked, began = math.inf, time.monotonic()
    if is_heard:
        os.write(program.writes, b"1")
    talk._round()
    assert other.excluded == pytest.approx(late)
    assert program.excluded == pytest.approx(late)
    assert time.monotonic() - talk._left_out >= began - late
