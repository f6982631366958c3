import time

import pytest

from grader.build.artifact import first_error

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
        (b"make: *** No rule to make target 'Queens.clas', needed by 'Queens'.  Stop.\n", "make: *** No rule to make"),
        (b"make: *** No targets specified and no makefile found.  Stop.\n", "make: *** No targets specified"),
        (b"Makefile:3: *** missing separator.  Stop.\n", "Makefile:3: *** missing separator.  Stop."),
        (b"/bin/sh: 1: javca: not found\nmake: *** [Makefile:2: all] Error 127\n", "/bin/sh: 1: javca: not found"),
        (b"rm: missing operand\nTry 'rm --help'\nmake: *** [M:2: all] Error 1\n", "rm: missing operand"),
        (
            b"rm: cannot remove 'x'\nmake: [Makefile:3: all] Error 1 (ignored)\nmake: *** No rule to make target 'a'\n",
            "make: *** No rule to make target 'a'",
        ),
        (b"X.class : no such file or directory\nmake: *** [M:2: all] Error 1\n", "X.class : no such file or directory"),
        (
            b"java.io.FileNotFoundException: M (No such file)\n\tat x\nmake: *** [M:1: a] Error 1\n",
            "java.io.FileNotFound",
        ),
        (b"Error: Could not find or load main class Queens\n", "Error: Could not find or load main class Queens"),
        (
            b"Usage: Queens [-v] number\nmake: *** [Makefile:8: Queens.class] Error 1\n\n",
            "make: *** [Makefile:8: Queens",
        ),
        (b"something odd\n", "something odd"),
        (b"caf\xe9.java:1: error: x", "caf\\xe9.java:1: error: x"),
        (b"", ""),
        (b" \n\n", ""),
    ],
)
def test_quotes_the_first_error(log: bytes, quoted: str) -> None:
    found = first_error(log)
    assert found.startswith(quoted)
    assert bool(found) == bool(quoted)


def test_quotes_are_cut() -> None:
    assert len(first_error(b"a.c:1:1: error: " + b"x" * 5000)) == 301


@pytest.mark.parametrize(
    "piece",
    [b" ", b'File "a", line 1', b"a.java:1", b"\n", b"make: ", b'File "x", line 1\n', b"rm: (ignored)", b": error"],
)
def test_hostile_logs_cost_no_more_than_their_length(piece: bytes) -> None:
    log = piece * (64 * 2**10 // len(piece))
    before = time.process_time()
    first_error(log)
    assert time.process_time() - before < 2
