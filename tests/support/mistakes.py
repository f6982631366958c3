"""Small wrong specs with the messages that they must get, as the tests of mistakes have them.

In a block, the lines with `!` are the messages: where something is wrong, what was found there and what to do, once for
each mistake and no more.
"""

import textwrap
from pathlib import Path

import pytest

from grader.core.errors import SpecError
from grader.core.reader.spec import load

TOP = "spec: 1\nid: x\ntitle: T\nprogram: ./x\n"
"""what a spec begins with"""
TESTS = "tests: [{name: t, expect: {exit: 0}}]\n"
TEST = "tests:\n  - name: t\n    expect: {exit: 0}\n"


def blocks(table: str, before: str = "", indent: str = "") -> list[tuple[str, list[str]]]:
    """Return the specs of a table, each behind `before`, with the messages that it must get."""
    found = []
    for block in table.strip("\n").split("\n\n"):
        lines = block.split("\n")
        spec = "".join(f"{line}\n" for line in lines if not line.startswith("! "))
        messages = [line.removeprefix("! ") for line in lines if line.startswith("! ")]
        found.append((before + textwrap.indent(spec, indent), messages))
    return found


def messages_of(spec: str | bytes, folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the lines that are said of a wrong spec, read as `x.yaml` in a folder."""
    monkeypatch.chdir(folder)
    Path("x.yaml").write_bytes(spec if isinstance(spec, bytes) else spec.encode())
    with pytest.raises(SpecError) as raised:
        load(Path("x.yaml"))
    return str(raised.value).splitlines()
