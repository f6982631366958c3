"""The checks of the course: `check(output, **options)` returns when an output is right, and raises `Wrong` otherwise.

Options are text, as the spec writes them.
"""

from boards import draw, form_of_solution, matrices, require_solution

from grader import Wrong


def matrix(output: bytes, n: str) -> None:
    """Ask for a board of 0 and 1 with a solution for `n` queens; of several boards each has to be one."""
    try:
        _ask_solutions(output, n)
    except Wrong as wrong:
        if form := form_of_solution(output, int(n)):
            raise Wrong(f"The board is right, but {form}; a row should look like {{ 0,  1,  0,  0}}.") from wrong
        raise


def _ask_solutions(output: bytes, n: str) -> None:
    boards = matrices(output, int(n))
    if not boards:
        raise Wrong(f"It printed no board, and there is a solution for n = {n}; a row looks like {{ 0,  1,  0,  0}}.")
    for number, board in enumerate(boards, 1):
        require_solution(board, "The board" if len(boards) == 1 else f"Board {number} of {len(boards)}")


def no_matrix(output: bytes, n: str) -> None:
    """Ask that no board is printed; a line that says so, a prompt or nothing at all are right."""
    boards = matrices(output, int(n))
    if boards:
        raise Wrong(f"There is no solution for n = {n}, but it printed a board.\n{draw(boards[0])}")
