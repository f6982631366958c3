"""A check of the course by itself: what its heading says, what becomes of what it raises, and how it is written."""

from fractions import Fraction

import pytest

from grader.core.comparators import COMPARATORS
from grader.core.comparators.check import unread_parameters
from grader.core.errors import HostError, Wrong
from grader.core.model.spec import CheckOptions, Interactor, Leaf
from grader.core.model.values import SHARE, Check, PartlyRight
from grader.core.yaml.nodes import in_line
from tests.support.comparators import wanted_of
from tests.support.rows import each_row, read_data

CHECK = COMPARATORS["check"]
DATA = read_data(__file__)
SOURCE = DATA["SOURCE"].encode()


@each_row
def test_which_facts_a_function_never_uses(function: str, takes: tuple[str, ...], found: tuple[int, list[str]]) -> None:
    assert unread_parameters(CheckOptions(function=f"a.py:{function}", takes=takes), SOURCE) == found


@pytest.mark.parametrize("source", [b"def f(:", b"\0", b"(" * 5000])
def test_a_file_that_is_no_python_has_no_functions(source: bytes) -> None:
    assert unread_parameters(CheckOptions(function="a.py:f"), source) == (0, [])


def raising(error: Exception) -> Check:
    def check(_output: bytes) -> None:
        raise error

    return check


@each_row
def test_what_it_raises_is_the_deviation(said: list[str], share: Fraction | None, message: str, drawing: str) -> None:
    error = PartlyRight("".join(said), share) if share else Wrong(*said)
    wanted = wanted_of("check", check=raising(error), tolerate={"wrong": Fraction(1, 4)})
    [found] = CHECK.compare(b"x", wanted)
    assert (found.kind, found.stream, found.message) == (SHARE if share else "wrong", "stdout", message)
    assert (found.drawing, found.keeps) == (drawing, share or Fraction(1, 4))


def test_it_gets_the_output_and_is_right_when_it_raises_nothing() -> None:
    seen: list[bytes] = []
    assert CHECK.compare(b"x", wanted_of("check", check=seen.append)) == ()
    assert seen == [b"x"]
    with pytest.raises(HostError, match=r"^the check of this case was not prepared$"):
        CHECK.compare(b"x", wanted_of("check"))


def test_it_is_written_with_its_options_and_a_program_is_not() -> None:
    expected = Leaf(how="check", want=(), options=CheckOptions(function="a.py:f", arguments={"n": "{4}", "m": ""}))
    assert in_line(CHECK.write(expected)) == '{check: "a.py:f", n: "{4}", m: ""}'
    assert CHECK.words(expected, "W") == "judged by a program, since many answers are right"
    validator = Interactor(program="v.py", files={}, args=())
    with pytest.raises(ValueError, match=r"^a program that judges is not written out$"):
        CHECK.write(Leaf(how="check", want=(), options=CheckOptions(validator=validator)))
