import pytest

from grader.core.diagnosis import describe_failure, find_cause, no_lines

JAVAC = b"""javac Queens.java
Queens.java:12: warning: [removal] finalize() in Object has been deprecated
Queens.java:14: error: ';' expected
        int x = 1
                 ^
Queens.java:20: error: cannot find symbol
2 errors
make: *** [Makefile:8: Queens.class] Error 1
"""

SYMBOL = b"""Queens.java:20: error: cannot find symbol
    foo();
    ^
  symbol:   method foo()
  location: class Queens
1 error
"""

PYTHON = b"""  File "queens.py", line 3
    def f(:
          ^
SyntaxError: invalid syntax
"""


@pytest.mark.parametrize(
    ("log", "quoted"),
    [
        (JAVAC, "Queens.java:14: error: ';' expected"),
        (SYMBOL, "Queens.java:20: error: cannot find symbol: method foo()"),
        (PYTHON, 'File "queens.py", line 3: SyntaxError: invalid syntax'),
        (b"error: file not found: Queens.java\nUsage: javac <options>\n", "error: file not found: Queens.java"),
        (b"q.c: In function 'main':\nq.c:1:9: error: expected ';'\n", "q.c:1:9: error: expected ';'"),
        (b"q.cpp:1:10: fatal error: x.h: No such file\n", "q.cpp:1:10: fatal error: x.h: No such file"),
        (
            b"/usr/bin/ld: /tmp/x.o: in function `main':\nq.c:(.text+0x9): undefined reference to `foo'\ncollect2: x\n",
            "q.c:(.text+0x9): undefined reference to `foo'",
        ),
        (
            b"javac Q.java\nmake: javac: No such file or directory\nmake: *** [M:2: a] Error 127\n",
            "make: javac: No such",
        ),
        (
            b"make: *** No rule to make target 'Queens.clas', needed by 'Queens'.  Stop.\n",
            "no rule to make target 'Queens.clas', needed by",
        ),
        (
            b"make: *** No targets specified and no makefile found.  Stop.\n",
            "no targets specified and no makefile found",
        ),
        (b"Makefile:3: *** missing separator.  Stop.\n", "missing separator"),
        (b"/bin/sh: 1: javca: not found\nmake: *** [Makefile:2: all] Error 127\n", "/bin/sh: 1: javca: not found"),
        (b"rm: missing operand\nTry 'rm --help'\nmake: *** [M:2: all] Error 1\n", "rm: missing operand"),
        (
            b"rm: cannot remove 'x'\nmake: [Makefile:3: all] Error 1 (ignored)\nmake: *** No rule to make target 'a'\n",
            "no rule to make target 'a'",
        ),
        (b"X.class : no such file or directory\nmake: *** [M:2: all] Error 1\n", "X.class : no such file or directory"),
        (
            b"java.io.FileNotFoundException: M (No such file)\n\tat x\nmake: *** [M:1: a] Error 1\n",
            "java.io.FileNotFound",
        ),
        (b"Error: Could not find or load main class Queens\n", "Error: Could not find or load main class Queens"),
        (
            b"Usage: Queens [-v] number\nmake: *** [Makefile:8: Queens.class] Error 1\n\n",
            "Usage: Queens [-v] number",
        ),
        (b"make: gcc: command not found\n", "make: gcc: command not found"),
        (b"make: line 1: gcc: Command not found\nx\n", "make: line 1: gcc: Command not found"),
        (b"make: gcc: Permission denied\nx\n", "make: gcc: Permission denied"),
        (b"make: gcc command not found\nx\n", "x"),
        (b"make: *** a: command not found\nx\n", "a: command not found"),
        (b"./././././a.h:1:9: error: included in itself\n", "./a.h:1:9: error: included in itself"),
        (b"Unrecognized option: -Xlint\nError: Could not create\n", "Unrecognized option: -Xlint"),
        (b"something odd\n", "something odd"),
        (b"caf\xe9.java:1: error: x", "caf\\xe9.java:1: error: x"),
        (b"", ""),
        (b" \n\n", ""),
    ],
)
def test_quotes_the_first_error(log: bytes, quoted: str) -> None:
    found = find_cause(log).error
    assert found.startswith(quoted)
    assert bool(found) == bool(quoted)


def test_quotes_are_cut() -> None:
    assert len(find_cause(b"a.c:1:1: error: " + b"x" * 5000).error) == 101


@pytest.mark.parametrize(
    ("start", "piece"),
    [
        (b"", b" "),
        (b"", b"\n"),
        (b"", b'File "a", line 1'),
        (b"", b'File "a", line 1\n'),
        (b"", b'File "a", line 1:\n'),
        (b"", b"a.java:1: error"),
        (b"", b"sh: 1"),
        (b"", b":1: *** "),
        (b"", b"rm: (ignored)"),
        (b"", b"./"),
        (b"", b". Stop"),
        (b"make: ", b"make: "),
        (b"make: ", b"make: a\n"),
        (b"make: ", b"make: ommand not found"),
        (b"make: ", b'File "a", line 1'),
        (b"make: ", b"rm: (ignored)"),
        (b"make: ", b": error"),
        (b"make: *** [a:1: ", b"make: *** [a:1: ] ] "),
    ],
)
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


@pytest.mark.parametrize(
    ("argv", "log", "told"),
    [
        (("make",), JAVAC, "`jar cfe Queens Queens *.class` (Makefile:8): Queens.java:14: error: ';' expected"),
        (
            ("make",),
            JAVAC.replace(b":8:", b":80:"),
            "`make` failed: Queens.java:14: error: ';' expected (Makefile:80)",
        ),
        (
            ("make",),
            b"Q.java:1: error: ';' expected\n" + stopped(2),
            "`javac $(FLAGS) Queens.java` (Makefile:2): Q.java:1: error: ';' expected",
        ),
        (
            ("make",),
            b"java Queens.java\nUsage: Queens [-v] number\n" + stopped(3),
            "`java Queens.java` (Makefile:3) ended with status 1: Usage: Queens [-v] number",
        ),
        (
            ("make",),
            b"Unrecognized option: -Xlint\nError: Could not create\n" + stopped(4),
            "`java -Xlint Queens.java` (Makefile:4): Unrecognized option: -Xlint",
        ),
        (
            ("make",),
            b"*.class : no such file or directory\n" + stopped(8),
            "`jar cfe Queens Queens *.class` (Makefile:8): *.class : no such file or directory",
        ),
        (("make",), stopped(9), "`./make-it` (Makefile:9) ended with status 1 and printed nothing"),
        (("make",), b"./make-it\n" + stopped(9), "`./make-it` (Makefile:9) ended with status 1 and printed nothing"),
        (("make",), b"oh\n" + stopped(9, "Killed"), "`./make-it` (Makefile:9) was ended: Killed: oh"),
        (("make",), stopped(77, "Error 4"), "`make` failed with status 2 (Makefile:77) and printed nothing"),
        (
            ("make",),
            b"Makefile:2: *** missing separator.  Stop.\n",
            "`javac $(FLAGS) Queens.java` (Makefile:2): missing separator",
        ),
        (("make",), b"make: *** No targets.  Stop.\n", "`make` failed: no targets"),
        (("make", "-s"), b"", "`make -s` failed with status 2 and printed nothing"),
        (("sh", "-c", "long script"), b"sh: 1: long: not found\n", "the command failed: sh: 1: long: not found"),
    ],
)
def test_tells_the_command_that_failed(argv: tuple[str, ...], log: bytes, told: str) -> None:
    assert (
        describe_failure(argv, 2, log, lambda name, line: RECIPES.get(line, "") if name == "Makefile" else "") == told
    )


def test_the_line_of_the_error_is_quoted_unless_the_compiler_does() -> None:
    log, lines = b"q.c:7:3: error: expected ';'\n", {7: "  sum += n"}
    told = describe_failure(("cc", "q.c"), 1, log, lambda _name, line: lines.get(line, ""))
    assert told == "`cc q.c` failed: q.c:7:3: error: expected ';' (`sum += n`)"
    assert describe_failure(("cc", "q.c"), 1, log, no_lines) == told.removesuffix(" (`sum += n`)")


@pytest.mark.parametrize("recipe", ["", "javac " + "z" * 500, "java " + "z" * 500 + ".java"])
@pytest.mark.parametrize("said", [b"x" * 500 + b".java:1: error: " + b"y" * 500 + b"\n", b"z" * 500 + b"\n", b""])
def test_the_longest_sentence_is_read_at_a_glance(recipe: str, said: bytes) -> None:
    for folder in (b"", b"in-a-folder-of-its/", b"f" * 99 + b"/"):
        log = said + stopped(2).replace(b"Makefile", folder + b"Makefile")
        assert len(describe_failure(("make", "m" * 99), 2, log, lambda _name, _line: recipe)) <= 200
