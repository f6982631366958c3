"""Whose time counts while programs speak with an interactor, event by event, of programs that are made up."""

import os
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from grader.core.run import conversation
from grader.core.run.conversation import Conversation, Speaker


class Command:
    """A program or an interactor, as far as a conversation asks."""

    def __init__(self, *beside: "Command") -> None:
        self.beside, self.launch, self.pipes = beside, SimpleNamespace(roles=()), None
        self.ended, self.queued, self.excluded, self.written = 0.0, 0, 0.0, b""
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


@pytest.mark.parametrize(
    ("state", "event", "then", "counts"),
    [
        ("works", "given", "works", True),
        ("answered", "given", "works", False),
        ("waits", "given", "works", False),
        ("works", "input ends", "works", True),
        ("answered", "input ends", "works", False),
        ("waits", "input ends", "works", False),
        ("works", "writes", "answered", True),
        ("answered", "writes", "answered", True),
        ("waits", "writes", "answered", False),  # as soon as there is room for it
        ("works", "floods", "waits", True),
        ("answered", "floods", "waits", True),
        ("waits", "floods", "waits", False),
    ],
)
def test_the_time_of_a_program_counts_until_it_answers(
    both: tuple[Any, Any], state: Any, event: str, then: str, *, counts: bool
) -> None:
    program, other = both
    speaker = Speaker(program, other)
    speaker.enter(state, 1.0, counts=True)
    program.excluded = 0.0
    if event in ("writes", "floods"):
        program.written = b"1\n" if event == "writes" else b"x" * 2**19
        speaker.hear_program(1.1)
    elif event == "given":
        speaker.hear_interactor(b"1\n", 1.1)
    else:
        speaker.end_input(1.1)
    assert (speaker.state, round(program.excluded, 3)) == (then, 0.0 if counts else 0.1)


@pytest.mark.parametrize(
    ("waits", "others_waits", "is_pending", "then", "counts", "quiet"),
    [
        (False, False, False, "works", True, 0),
        (False, True, False, "works", True, 0),
        (True, False, False, "waits", False, 0),
        (True, True, True, "waits", False, 0),  # one wrote something behind our back
        (True, True, False, "works", True, 1),
    ],
)
def test_a_look_shows_who_works(
    both: tuple[Any, Any],
    monkeypatch: pytest.MonkeyPatch,
    *,
    waits: bool,
    others_waits: bool,
    is_pending: bool,
    then: str,
    counts: bool,
    quiet: int,
) -> None:
    program, other = both
    program.waits, other.waits = waits, others_waits
    monkeypatch.setattr(conversation, "is_waiting", lambda one: one.waits)
    if is_pending:
        os.write(program.writes, b"1")
    talk = Conversation(program)
    talk._speakers[0].enter("works", 1.0, counts=True)
    talk._looked, program.excluded, other.excluded = 1.0, 0.0, 0.0
    talk._look(1.1)
    assert (talk._speakers[0].state, round(program.excluded, 3)) == (then, 0.0 if counts else 0.1)
    assert (talk._quiet_looks, round(other.excluded, 3)) == (quiet, 0.1 if others_waits else 0.0)


def test_what_is_done_while_we_are_kept_from_looking_is_charged_to_nobody(both: tuple[Any, Any]) -> None:
    program, other = both
    speaker = Speaker(program, other)
    speaker.enter("works", 1.0, counts=True)
    program.excluded = 0.0
    speaker.enter("answered", 4.0, counts=True)
    assert program.excluded == pytest.approx(2.8)
