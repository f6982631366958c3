"""A small course in a temporary folder, for tests that need a whole assignment but not a compiler."""

from pathlib import Path

ECHO = "import sys\nprint(*sys.argv[1:])\n"
SPEC = """\
spec: 1
id: echo
title: Echo
language: python
files: {required: [echo.py]}
program: python3 echo.py
reference: python3 reference/echo.py
limits: {time: 5 s, cpu: 5 s, processes: 16}
tests:
  - name: words
    points: 6
    hint: Print all words.
    tolerate: {final-newline: 100%, wrong-stream: 50%}
    cases:
      - args: [a]
      - args: [a, b]
    expect: reference
  - name: nothing
    points: 4
    needs: [words]
    expect: {stdout: "\\n"}
"""


def course(folder: Path, spec: str = SPEC, reference: str = ECHO) -> Path:
    """Lay out a course root with one spec and one reference; return the spec's path."""
    (folder / "specs").mkdir(parents=True)
    (folder / "reference").mkdir()
    (folder / "reference" / "echo.py").write_text(reference)
    path = folder / "specs" / "echo.yaml"
    path.write_text(spec)
    return path


def submission(folder: Path, name: str | bytes = "alice", program: str = ECHO) -> Path:
    """Hand in a program under a name; return the submission's path."""
    where = folder / "echo" / (name if isinstance(name, str) else name.decode("utf-8", "surrogateescape"))
    where.mkdir(parents=True)
    (where / "echo.py").write_text(program)
    return where
