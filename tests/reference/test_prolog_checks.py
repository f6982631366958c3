"""The checks of the Prolog assignment: answers in every form that students write, and what is said of wrong ones."""

from collections.abc import Callable, Sequence

import prolog_checks
import pytest
from prolog_checks import every, loads, none, once, placement, ready, session, some
from queens import Placement, solutions

from grader import Wrong
from tests.support.rows import each_row
from tests.support.wrong import complaint

Form = Callable[[Placement], str]

FORMS: dict[str, Form] = {
    "rows from 1": lambda rows: f"[{','.join(map(str, rows))}]",
    "rows from 0": lambda rows: f"[{','.join(str(row - 1) for row in rows)}]",
    "C/R": lambda rows: f"[{','.join(f'{column}/{row}' for column, row in enumerate(rows, 1))}]",
    "C-R": lambda rows: f"[{','.join(f'{column}-{row}' for column, row in enumerate(rows, 1))}]",
    "(C,R), backwards": lambda rows: f"[{','.join(f'({c},{r})' for c, r in reversed(list(enumerate(rows, 1))))}]",
    "[C,R] from 0": lambda rows: f"[{','.join(f'[{column},{row - 1}]' for column, row in enumerate(rows))}]",
    "queen(C,R)": lambda rows: f"[{','.join(f'queen({column},{row})' for column, row in enumerate(rows, 1))}]",
    "terms of one number": lambda rows: f"board({','.join(f'q({row})' for row in rows)})",
}


def told(answers: Sequence[str], end: str = "end\n") -> bytes:
    """What `ask_queens.pl` writes, among the lines of a program that talks itself."""
    lines = "".join(f"answer [1,2]\nask: answer {answer}\n" for answer in answers)
    return f"missing while loading\nask: loaded\n{lines}{f'ask: {end}' if end else ''}".encode()


def sentence(check: Callable[[bytes, str], None], output: bytes, n: str) -> str:
    """The first line of what the check says."""
    return complaint(check, output, n).partition("\n")[0]


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize("n", [1, 4, 6, 11])
def test_every_form_of_an_answer_is_read(form: Form, n: int) -> None:
    expected = set(list(solutions(n))[:100])
    assert {placement(form(rows), n, "It") for rows in expected} == expected


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_all_solutions_in_any_form_are_right(form: Form) -> None:
    output = told([form(rows) for rows in solutions(6)])
    every(output, "6")
    once(output, "6")
    some(output, "6")


@each_row
def test_what_is_no_solution_is_told(answer: str, message: str) -> None:
    assert complaint(placement, answer, 4, "It").partition("\n")[0] == message.replace("two queens", "two queens (X)")


def test_the_queens_that_attack_each_other_are_drawn() -> None:
    assert complaint(placement, "[1,4,2,3]", 4, "It").partition("\n")[2].split() == [*"Q...", *"..X.", *"...X", *".Q.."]


def test_answers_that_come_again_are_right_but_for_once() -> None:
    answers = [FORMS["rows from 1"](rows) for rows in solutions(8) for _ in range(2)]
    every(told(answers), "8")
    message = "queens(8, Qs) has 184 answers, of which 92 differ: answer 2, [1,5,8,6,3,7,2,4], was there before."
    assert sentence(once, told(answers), "8") == message


@each_row
def test_what_is_missing_is_told(
    check: Callable[[bytes, str], None], answers: Sequence[str], end: str, message: str
) -> None:
    assert sentence(check, told(answers, end), "4") == message


@pytest.mark.parametrize("check", [some, every, once, none])
def test_a_program_that_ends_prolog_is_told_so(check: Callable[[bytes, str], None]) -> None:
    assert sentence(check, b"loaded\nask: answer [2,4,1,3]\nask: end\n", "4").startswith(
        "SWI-Prolog ended while it was loading"
    )


def test_a_program_that_leaves_nobody_to_ask_is_not_ready() -> None:
    ready(b"[2,4,1,3]\nask: loaded\n")
    with pytest.raises(Wrong, match="ended while it was loading"):
        ready(b"[2,4,1,3]\n")


@each_row
def test_the_first_error_of_prolog_is_told(errors: bytes, message: str) -> None:
    assert complaint(loads, errors) == message


@each_row
def test_warnings_are_no_errors(errors: bytes) -> None:
    loads(errors)


def test_the_answers_of_a_session_are_checked() -> None:
    shown = "?- Qs = [1, 5, 8, 6, 3, 7, 2, 4] ;\r\nQs = [1, 6, 8, 3, 7, 4, 2, 5] .\r\n\r\n?- "
    session(shown.encode(), "8")
    message = sentence(session, shown.replace("2, 5]", "5, 2]").encode(), "8")
    assert message.startswith("The answer to queens(8, Qs), [1, 6, 8, 3, 7, 4, 5, 2], has two queens")
    session(b"Qs = [ [1, 2],\r\n       [2, 4],\r\n       [3, 1],\r\n       [4, 3]\r\n     ].\r\n", "4")
    open_places = b"?- Qs = [_A, _B],\r\nabs(_A-_B)#\\=1.\r\n"
    assert sentence(session, open_places, "2").startswith("The answer to queens(2, Qs), [_A, _B], leaves a variable")


def test_with_a_token_a_program_cannot_write_the_lines_itself() -> None:
    forged = "ask: loaded\nask: answer [2,4,1,3]\nask: end\n"
    for between in ("", forged, forged.replace("ask", "guess ask")):
        output = f"ask: token f00 \n{between}f00 ask: loaded\nf00 ask: missing [board/1]\n".encode()
        assert sentence(some, output, "4") == "queens.pl has no predicate queens/2; it has board/1."
    some(b"ask: token f00 \n" + forged.replace("ask", "f00 ask").encode(), "4")


def test_the_same_board_in_another_order_comes_again() -> None:
    output = told(["[1/2,2/4,3/1,4/3]", "[4/3,3/1,2/4,1/2]"])
    assert "2 answers, of which 1 differ" in sentence(once, output, "4")


def test_no_answer_is_right_where_there_is_none() -> None:
    none(told([]), "3")


def test_a_long_answer_is_cut() -> None:
    assert len(complaint(placement, "[" + "1," * 10_000, 4, "It")) < 2 * prolog_checks.LONGEST
