from pathlib import Path
from threading import Event

import pytest

from grader.core.cache import Cache
from grader.core.errors import HostError
from grader.core.model.execution import Execution, Launch
from grader.core.model.spec import Step
from grader.core.oracle.answers import ask_reference
from grader.core.run.runner import execute
from grader.core.sandbox import LEVELS
from tests.support.rows import each_row

ASK = b"print('Enter n: ', end='', flush=True)\nprint('twice:', 2 * int(input()))\n"
TALK = (Step(do="expect", text="Enter n: "), Step(do="send", text="4"), Step(do="regex", text=r"twice: \d+\n"))


def answer(
    folder: Path, dialogue: tuple[Step, ...], asked: list[Launch], program: bytes = ASK, *, terminal: bool = True
) -> Execution:
    def runner(launch: Launch) -> Execution:
        asked.append(launch)
        return execute(LEVELS["full"], launch, Event())

    launch = Launch(argv=("python3", "reference/p.py"), dialogue=dialogue, terminal=terminal)
    return ask_reference(launch, files={"reference/p.py": program}, run=runner, cache=Cache(folder=folder))


def test_the_reference_holds_the_same_dialogue_and_is_asked_once(tmp_path: Path) -> None:
    asked: list[Launch] = []
    first, second = (answer(tmp_path, TALK, asked) for _ in range(2))
    assert first.stdout == b"Enter n: twice: 8\n"
    assert (first, first.transcript) == (second, second.transcript)
    assert len(asked) == 1


def test_another_dialogue_is_another_question(tmp_path: Path) -> None:
    asked: list[Launch] = []
    other = (TALK[0], Step(do="send", text="5"), TALK[2])
    found = [answer(tmp_path, dialogue, asked).stdout for dialogue in (TALK, other)]
    assert found == [b"Enter n: twice: 8\n", b"Enter n: twice: 10\n"]


@each_row
def test_a_reference_that_fails_a_step_is_no_answer(tmp_path: Path, dialogue: tuple[Step, ...], told: str) -> None:
    with pytest.raises(HostError, match=rf"the reference failed \(python3 reference/p.py\): {told}"):
        answer(tmp_path, dialogue, [])
    assert not list(tmp_path.iterdir())
