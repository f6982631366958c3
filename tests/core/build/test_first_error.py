import pytest

from grader.core.diagnosis import describe_failure, find_cause, no_lines
from tests.support.rows import each_row, read_data

RECIPES = read_data(__file__)["RECIPES"]


@each_row
def test_quotes_the_first_error(log: bytes, quoted: str) -> None:
    found = find_cause(log).error
    assert found.startswith(quoted)
    assert bool(found) == bool(quoted)


def test_quotes_are_cut() -> None:
    assert len(find_cause(b"a.c:1:1: error: " + b"x" * 5000).error) == 101


@pytest.mark.slow
@each_row
@pytest.mark.timeout(60)
def test_hostile_logs_end(start: bytes, piece: bytes) -> None:
    """A search whose time grows with the square of a line would take two minutes for this."""
    find_cause(start + piece * (2**20 // len(piece)))


@each_row
def test_tells_the_command_that_failed(argv: tuple[str, ...], log: bytes, told: str) -> None:
    assert (
        describe_failure(argv, 2, log, lambda name, line: RECIPES.get(line, "") if name == "Makefile" else "") == told
    )


@pytest.mark.parametrize("recipe", ["", "javac " + "z" * 500, "java " + "z" * 500 + ".java"])
@pytest.mark.parametrize("said", [b"x" * 500 + b".java:1: error: " + b"y" * 500 + b"\n", b"z" * 500 + b"\n", b""])
def test_the_longest_sentence_is_read_at_a_glance(recipe: str, said: bytes) -> None:
    for folder in (b"", b"in-a-folder-of-its/", b"f" * 99 + b"/"):
        log = said + b"make: *** [Makefile:2: Queens] Error 1\n".replace(b"Makefile", folder + b"Makefile")
        assert len(describe_failure(("make", "m" * 99), 2, log, lambda _name, _line: recipe)) <= 200


def test_the_line_of_the_error_is_quoted_where_it_is_known() -> None:
    log, lines = b"q.c:7:3: error: expected ';'\n", {7: "  sum += n"}
    told = describe_failure(("cc", "q.c"), 1, log, lambda _name, line: lines.get(line, ""))
    assert told == "`cc q.c` failed: q.c:7:3: error: expected ';' (`sum += n`)"
    assert describe_failure(("cc", "q.c"), 1, log, no_lines) == told.removesuffix(" (`sum += n`)")
