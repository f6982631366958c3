from pathlib import Path
from textwrap import indent

import pytest

from grader.core.errors import SpecError
from grader.core.model.spec import Case, Step
from grader.core.reader.language import TYPES
from grader.core.yaml.value import parse_duration
from grader.kinds.dialogue.run import dialogue_of
from tests.support.courses import load_text
from tests.support.rows import each_row, read_data

STEPS: str = read_data(__file__)["STEPS"]
TOP = "spec: 1\nid: x\ntitle: T\nprogram: ./x\ntests:\n  - name: t\n"


def read(written: str, folder: Path) -> tuple[Case, ...]:
    return load_text(folder, TOP + indent(written.strip("\n"), "    ") + "\n").tests[0].cases


def mistakes(written: str, folder: Path) -> list[str]:
    with pytest.raises(SpecError) as raised:
        read(written, folder)
    return [f"{problem.path}: {problem.message}" for problem in raised.value.problems]


def test_the_steps_of_a_dialogue(tmp_path: Path) -> None:
    (case,) = read(STEPS, tmp_path)
    assert dialogue_of(case) == (
        Step(do="expect", text="Enter 4: ", within=0.5),
        Step(do="send", text="4"),
        Step(do="send", text="no"),
        Step(do="regex", text=r"^4 is \d{1,2}$"),
        Step(do="key", text="ctrl-d"),
        Step(do="key", text=";"),
        Step(do="eof", within=2),
    )


@each_row
def test_a_dialogue_is_on_a_terminal_unless_it_is_written(written: str, terminal: bool, tmp_path: Path) -> None:  # noqa: FBT001 - a parameter of the table
    (case,) = read(written, tmp_path)
    assert case.terminal is terminal
    assert dialogue_of(case) in ((), (Step(do="eof"),))


@each_row
def test_every_mistake_is_told_once(written: str, told: list[str], tmp_path: Path) -> None:
    found = mistakes(written, tmp_path)
    assert sorted(found) == sorted(f"tests[0]{'' if line.startswith(':') else '.'}{line}" for line in told)


@pytest.mark.parametrize("written", ["0.00005 s", "2 s", "1000000000 s", "12.345678901 s"])
def test_a_time_is_written_as_it_is_read(written: str) -> None:
    read = parse_duration(written)
    assert getattr(TYPES["duration"].write(read), "text", "") == written
