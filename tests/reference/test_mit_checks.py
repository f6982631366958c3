"""The checks of the lecture's programs: boards in every form that students print, and what is said of wrong ones."""

from collections.abc import Callable, Iterable

import pytest
from mit_checks import every, none, once, valid
from queens import Placement, solutions

from grader import Wrong
from tests.support.rows import each_row
from tests.support.wrong import complaint

Form = Callable[[Placement], str]


def grid(rows: Placement, queen: str = "Q", empty: str = ".") -> list[list[str]]:
    """The squares of a board with the queens in these rows."""
    return [[queen if row == own else empty for own in rows] for row in range(1, len(rows) + 1)]


def numbers(rows: Placement) -> list[list[int]]:
    return [[int(square) for square in line] for line in grid(rows, "1", "0")]


FORMS: dict[str, Form] = {
    "list of rows": lambda rows: str([row - 1 for row in rows]),
    "list of rows from 1": lambda rows: f"Solution 1: {list(rows)}",
    "tuple": lambda rows: str(tuple(row - 1 for row in rows)),
    "numbers alone": lambda rows: " ".join(map(str, rows)),
    "list of lists": lambda rows: str(numbers(rows)),
    "list of lists on lines": lambda rows: "\n ".join(map(str, numbers(rows))),
    "array": lambda rows: f"[{str(numbers(rows)).replace(',', '').strip('[]').join('[]')}]",
    "ones and noughts": lambda rows: "\n".join(" ".join(map(str, line)) for line in numbers(rows)),
    "drawing with blanks at the ends": lambda rows: "\n".join(" ".join(line) + " " for line in grid(rows)) + "\n",
    "drawing without blanks": lambda rows: "\n".join(map("".join, grid(rows, "Q", "-"))) + f"\n{'-' * len(rows)}",
    "drawing with numbers": lambda rows: "\n".join(
        [
            "  " + " ".join(str(column) for column in range(len(rows))),
            *(f"{at}: {' '.join(line)}" for at, line in enumerate(grid(rows, "X", "_"))),
        ]
    ),
    "drawing with a frame": lambda rows: "\n+-+\n".join(f"|{'|'.join(line)}|" for line in grid(rows, "♛", ".")),
    "texts for the rows": lambda rows: str(["".join(line) for line in grid(rows)]),
}


def printed(form: Form, boards: Iterable[Placement]) -> bytes:
    return ("Eight queens\n" + "\n".join(map(form, boards)) + "\n4 solutions found.\n").encode()


def sentence(check: Callable[[bytes, str], None], output: str, n: str = "4") -> str:
    """The first line of what the check says."""
    return complaint(check, output.encode(), n).partition("\n")[0]


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize("n", [4, 6, 8])
def test_every_form_of_a_board_is_read(form: Form, n: int) -> None:
    output = printed(form, solutions(n))
    every(output, str(n))
    once(output, str(n))


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_a_missing_solution_is_missed_in_every_form(form: Form) -> None:
    output = printed(form, list(solutions(6))[1:]).decode()
    valid(output.encode(), "6")
    assert sentence(every, output, "6") == "3 boards are printed; for 6 queens there are 4."


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_a_wrong_board_is_seen_in_every_form(form: Form) -> None:
    message = sentence(valid, printed(form, [(2, 4, 1, 3), (1, 3, 2, 4)]).decode())
    assert message.startswith("Board 2 has two queens")


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_a_board_that_comes_again_is_told_in_every_form(form: Form) -> None:
    output = printed(form, [*solutions(5), (1, 3, 5, 2, 4)])
    every(output, "5")
    message = sentence(once, output.decode(), "5")
    assert message == "11 boards are printed, of which 10 differ: board 11 is board 1 again."


@each_row
def test_what_is_no_board_is_told(output: str, message: str) -> None:
    assert sentence(valid, output) == message


@pytest.mark.parametrize("output", ["", "no solution\n", "0\n", "[]\n", "2\n", "2-Queens has 0 solutions.\n"])
@pytest.mark.parametrize("n", ["2", "3"])
def test_no_board_is_right_where_there_is_none(output: str, n: str) -> None:
    none(output.encode(), n)


@pytest.mark.parametrize("output", ["[0, 2, 1]\n", "Q..\n..Q\n.Q.\n", "[[1,0,0],[0,0,1],[0,1,0]]"])
def test_a_board_is_told_where_there_is_none(output: str) -> None:
    assert sentence(none, output, "3") == "A board is printed, and for 3 queens there is none."


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_the_solution_of_another_board_is_told_where_there_is_none(form: Form) -> None:
    output = printed(form, solutions(5)).decode()
    assert sentence(none, output, "2") == "A board for 5 queens is printed, and for 2 queens there is none."


@pytest.mark.parametrize("output", ["[1, 2, 3, 4]\n", "[No, 2, 3, 4]\n", "0 0 0 0\n", "----\n"])
def test_what_is_no_solution_is_no_board(output: str) -> None:
    none(output.encode(), "2")


def test_bytes_that_are_no_text_are_passed_over() -> None:
    every(b"\xff\xfe\n[1, 3, 0, 2]\n\xff[2, 0, 3, 1]\n", "4")


@pytest.mark.timeout(60)
@pytest.mark.parametrize("line", [b"1", b"\t", b" 1", b"1 |", b"[", b"(1,"])
def test_one_long_line_is_wrong_and_soon(line: bytes) -> None:
    with pytest.raises(Wrong):
        valid(line * (2**20 // len(line)), n="4")


def test_the_rim_of_a_board_is_no_label() -> None:
    valid(b"|0|1|0|0|\n|0|0|0|1|\n|1|0|0|0|\n|0|0|1|0|\n", n="4")
