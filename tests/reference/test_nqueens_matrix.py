"""The reference of `nqueens-matrix` and its checks, held against each other."""

import pytest
from checks import matrix, no_matrix
from nqueens_matrix import main

from grader import Wrong
from tests.support.rows import each_row
from tests.support.wrong import complaint

README = "{ 0,  1,  0,  0}\n{ 0,  0,  0,  1}\n{ 1,  0,  0,  0}\n{ 0,  0,  1,  0}\n"


def printed(n: int, capfd: pytest.CaptureFixture[str]) -> bytes:
    main([str(n)])
    return capfd.readouterr().out.encode()


def test_four_queens_are_as_in_the_readme(capfd: pytest.CaptureFixture[str]) -> None:
    assert printed(4, capfd).decode() == README


@pytest.mark.parametrize("n", [1, 4, 5, 6, 7, 8, 10, 12])
def test_the_reference_is_right(n: int, capfd: pytest.CaptureFixture[str]) -> None:
    output = printed(n, capfd)
    matrix(output, str(n))
    with pytest.raises(Wrong, match=f"no solution for n = {n}, but it printed a board"):
        no_matrix(output, str(n))


@pytest.mark.parametrize("n", [2, 3])
def test_it_knows_where_there_is_no_solution(n: int, capfd: pytest.CaptureFixture[str]) -> None:
    output = printed(n, capfd)
    no_matrix(output, str(n))
    with pytest.raises(Wrong, match="It printed no board"):
        matrix(output, str(n))


def test_of_several_boards_each_has_to_be_right() -> None:
    with pytest.raises(Wrong, match="Board 2 of 2 has two queens"):
        matrix((README + README.replace("1", "0", 1).replace("0", "1", 1)).encode(), "4")


def test_a_wrong_board_is_wrong_for_its_own_n() -> None:
    with pytest.raises(Wrong, match="is a row of 4 squares instead of 6"):
        matrix(README.encode(), "6")


@each_row
def test_a_right_board_in_another_form_is_told_so_and_no_queen_attacks_another(output: str, form: str) -> None:
    told = complaint(matrix, output.encode(), "4")
    assert told == f"The board is right, but {form}; a row should look like {{ 0,  1,  0,  0}}."


@each_row
def test_what_is_right_in_no_form_is_not_called_right(output: str) -> None:
    assert "right" not in complaint(matrix, output.encode(), "4")
