"""What of a submission valgrind cannot watch: looked for in every file, whatever its name."""

import subprocess
from pathlib import Path

import pytest

from grader.kinds.memory_clean.binaries import find_unwatchable
from tests.support.rows import each_row


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return build(tmp_path_factory.mktemp("program"))


def build(folder: Path, *options: str) -> bytes:
    (folder / "a.c").write_text("int main(void) { return 0; }\n")
    subprocess.run(["/usr/bin/gcc", "-o", "a", "a.c", *options], cwd=folder, check=True, timeout=60)
    return (folder / "a").read_bytes()


@each_row
def test_every_file_of_the_work_is_searched(
    tmp_path: Path, program: bytes, name: str, content: bytes | None, told: str
) -> None:
    (tmp_path / "a").write_bytes(program)
    (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    if content is None:
        (tmp_path / name).symlink_to("/usr/libexec/valgrind")
    else:
        (tmp_path / name).write_bytes(content)
    found = find_unwatchable("./a", tmp_path)
    assert told in found
    assert bool(told) == bool(found)


@each_row
def test_code_that_is_made_later_is_not_watched(tmp_path: Path, options: tuple[str, ...], told: str) -> None:
    build(tmp_path, *options)
    found = find_unwatchable("a", tmp_path)
    assert told in found
    assert bool(told) == bool(found)
