"""The starter as a wheel carries it: it asks nothing of the C library of the machine that it comes to."""

import shutil
import subprocess
from pathlib import Path

import pytest

from grader.core.sandbox.compile_starter import (
    COMPILER_OPTIONS,
    LIBRARY_OPTIONS,
    STARTER_SOURCE,
    compile_starter,
    place_in_package,
)

SOURCE = STARTER_SOURCE.read_bytes()
NOT_EVERYWHERE = {b"fstat", b"__isoc23_strtol", b"__stack_chk_fail"}
"""what some C libraries export and others do not"""


def test_the_library_names_no_version_of_the_c_library_and_only_what_every_one_exports() -> None:
    library = compile_starter(SOURCE, LIBRARY_OPTIONS)
    assert b"fork_commands\0" in library
    assert b"GLIBC_" not in library
    assert b"libc.so" not in library
    assert NOT_EVERYWHERE.isdisjoint(library.split(b"\0"))


@pytest.mark.skipif(shutil.which("ldd") is None, reason="there is no ldd")
def test_the_program_loads_no_library(tmp_path: Path) -> None:
    (tmp_path / "starter").write_bytes(compile_starter(SOURCE))
    (tmp_path / "starter").chmod(0o755)
    said = subprocess.run(
        [shutil.which("ldd") or "", tmp_path / "starter"], capture_output=True, text=True, check=False
    )
    assert "not a dynamic executable" in said.stdout + said.stderr


def test_each_form_and_each_source_has_a_name_of_its_own() -> None:
    places = {
        place_in_package(source, options)
        for source in (SOURCE, SOURCE + b"\n")
        for options in (COMPILER_OPTIONS, LIBRARY_OPTIONS)
    }
    assert len(places) == 4


def test_what_does_not_compile_is_empty() -> None:
    assert compile_starter(b"int main(void) { return nothing; }", LIBRARY_OPTIONS) == b""
