import pytest
from boards import (
    Board,
    attackers,
    draw,
    drawing,
    from_placement,
    matrices,
    placements,
    require_all_different,
    require_order,
    require_solution,
    require_symmetry,
)
from queens import solutions

from grader import Wrong
from tests.support.rows import each_row
from tests.support.wrong import complaint

FOUR = Board(n=4, queens=((1, 2), (2, 4), (3, 1), (4, 3)))
BRACES = "{ 0,  1,  0,  0}\n{ 0,  0,  0,  1}\n{ 1,  0,  0,  0}\n{ 0,  0,  1,  0}\n"
PLAIN = "0 1 0 0\n0 0 0 1\n1 0 0 0\n0 0 1 0\n"


@each_row
def test_a_matrix_is_read_however_it_is_written(output: str) -> None:
    assert matrices(output.encode("latin-1", "replace"), 4) == (FOUR,)


@pytest.mark.parametrize("output", ["", "\n\n", "Enter n: ", "Solution does not exist\n", "{ }\n", "0.5 of 1.00\n"])
def test_there_may_be_no_matrix(output: str) -> None:
    assert matrices(output.encode(), 4) == ()


def test_several_matrices_and_one_square() -> None:
    assert matrices((BRACES + PLAIN).encode(), 4) == (FOUR, FOUR)
    assert matrices(b"Enter n: 1\n", 1) == matrices(b"{ 1}\n", 1) == (Board(n=1, queens=((1, 1),)),)
    assert matrices(b"n = 1\n{ 1}\n", 1) == (Board(n=1, queens=((1, 1),)),)


@each_row
def test_rows_that_are_no_board(output: str, n: int, sentence: str) -> None:
    assert complaint(matrices, output.encode(), n) == sentence


@each_row
def test_placements_are_read(output: bytes, found: tuple[tuple[int, ...], ...]) -> None:
    assert placements(output) == found


def test_placements_of_one_length() -> None:
    assert placements(b"(1)(2, 4, 1, 3)(1, 2)", 4) == ((2, 4, 1, 3),)


@pytest.mark.parametrize("columns", [(0, 1), (3, 1), (1, 2, 3, 9)])
def test_a_placement_off_the_board(columns: tuple[int, ...]) -> None:
    with pytest.raises(Wrong, match=rf"in column \d of a board of {len(columns)}"):
        from_placement(columns)


@pytest.mark.parametrize("n", [1, 4, 5, 6, 8])
def test_every_solution_is_one(n: int) -> None:
    found = list(solutions(n))
    for solution in found:
        require_solution(from_placement(solution))
        assert attackers(solution) is None
    require_all_different(found)
    require_order(found)
    require_symmetry(found)


@each_row
def test_a_board_that_is_no_solution_is_drawn(queens: tuple[tuple[int, int], ...], sentence: str) -> None:
    first, *lines = complaint(require_solution, Board(n=4, queens=queens)).splitlines()
    assert first == sentence
    assert [len(line) for line in lines] == [7, 7, 7, 7]
    assert "".join(lines).count("X") == 2 * ("(X)" in sentence)


def test_a_drawing() -> None:
    assert draw(FOUR, FOUR.queens[:1]).splitlines() == [". X . .", ". . . Q", "Q . . .", ". . Q ."]
    assert drawing((2, 4, 1, 3), [1]) == draw(FOUR, FOUR.queens[:1])
    assert not draw(Board(n=21, queens=()))


@each_row
def test_a_list_of_solutions(ask: object, sentence: str) -> None:
    assert callable(ask)
    assert complaint(ask, [(2, 4, 1, 3), (3, 1, 4, 2), (2, 4, 1, 3)]) == sentence


def test_a_list_that_lacks_a_mirrored_solution() -> None:
    with pytest.raises(Wrong, match=r"and \(3, 1, 4, 2\), the same one turned or mirrored, is not"):
        require_symmetry([(2, 4, 1, 3)])
