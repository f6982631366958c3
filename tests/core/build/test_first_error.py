import pytest

from grader.core.diagnosis import describe_failure, find_cause
from tests.support.rows import each_row


@each_row
def test_quotes_the_first_error(log: bytes, quoted: str) -> None:
    found = find_cause(log).error
    assert found.startswith(quoted)
    assert bool(found) == bool(quoted)


def test_quotes_are_cut() -> None:
    assert len(find_cause(b"a.c:1:1: error: " + b"x" * 5000).error) == 101


@each_row
@pytest.mark.timeout(60)
def test_hostile_logs_end(start: bytes, piece: bytes) -> None:
    """A search whose time grows with the square of a line would take two minutes for this."""
    find_cause(start + piece * (2**20 // len(piece)))


RECIPES = {
    2: "\tjavac $(FLAGS) Queens.java",
    3: "\tjava Queens.java",
    4: "\tjava -Xlint Queens.java",
    8: "\tjar cfe Queens Queens *.class",
    9: "\t-./make-it",
}


def stopped(line: int, end: str = "Error 1") -> bytes:
    return f"make: *** [Makefile:{line}: Queens] {end}\n".encode()


@each_row
def test_tells_the_command_that_failed(argv: tuple[str, ...], log: bytes, told: str) -> None:
    assert (
        describe_failure(argv, 2, log, lambda name, line: RECIPES.get(line, "") if name == "Makefile" else "") == told
    )


@pytest.mark.parametrize("recipe", ["", "javac " + "z" * 500, "java " + "z" * 500 + ".java"])
@pytest.mark.parametrize("said", [b"x" * 500 + b".java:1: error: " + b"y" * 500 + b"\n", b"z" * 500 + b"\n", b""])
def test_the_longest_sentence_is_read_at_a_glance(recipe: str, said: bytes) -> None:
    for folder in (b"", b"in-a-folder-of-its/", b"f" * 99 + b"/"):
        log = said + stopped(2).replace(b"Makefile", folder + b"Makefile")
        assert len(describe_failure(("make", "m" * 99), 2, log, lambda _name, _line: recipe)) <= 200
