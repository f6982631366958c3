"""What was handed in built is removed where its source lies beside it, and nothing else is."""

from pathlib import Path

import pytest

from grader.core.build.stale import remove_stale

FILES = {
    "A.java": (b"class A { }", True),
    "A.class": (b"\xca\xfe\xba\xbe", False),
    "A$B.class": (b"\xca\xfe\xba\xbe", False),
    "Other.class": (b"\xca\xfe\xba\xbe", True),
    "src/a.c": (b"int main;", True),
    "src/a.o": (b"\x7fELF", False),
    "src/b.o": (b"\x7fELF", True),
    "x.h": (b"int x;", True),
    "x.h.gch": (b"gpch", False),
    "queens": (b"\x7fELF", False),
    "run": (b"#!/bin/sh\n", False),
    "words": (b"a text that a build also makes\n", True),
    "needed": (b"#!/bin/sh\n", True),
    "tool": (b"#!/bin/sh\n", True),
}


def test_what_is_built_anew_is_removed(tmp_path: Path) -> None:
    for name, (data, _) in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(data)
    (tmp_path / "link.class").symlink_to("A.class")
    remove_stale(tmp_path, ["queens", "run", "words", "needed"], ["needed"])
    assert {name: (tmp_path / name).is_file() for name in FILES} == {name: stays for name, (_, stays) in FILES.items()}
    assert (tmp_path / "link.class").is_symlink()


@pytest.mark.parametrize("empty", [(), ("*",)])
def test_nothing_is_removed_of_nothing(empty: tuple[str, ...], tmp_path: Path) -> None:
    remove_stale(tmp_path, empty, empty)
    assert list(tmp_path.iterdir()) == []
