"""A loop in C or C++ that reads on after the end of the input is named, and no other loop is taken for one."""

import subprocess
from pathlib import Path
from threading import Event
from time import process_time

import pytest

from grader.core.explain.sources import describe_read_past_end
from grader.core.model.execution import Execution, Launch, TranscriptEntry
from grader.core.model.limits import Limits
from grader.core.model.spec import Case
from grader.core.run.runner import execute
from grader.core.sandbox import LEVELS
from tests.support.languages import is_here
from tests.support.rows import each_row

HEAD = "#include <stdio.h>\nint main(void)\n{\n    int x = 1, i = 0; char word[9], c = 0;\n"
SPINS = Execution(limit="time", time=1.0, cpu=1.0)
WAITED = Execution(
    transcript=(
        TranscriptEntry(time=0.1, stream="stdin", text=b"1\n"),
        TranscriptEntry(time=0.3, stream="stdin", text=b""),
    )
)
SCANF = "goes on reading after the input has ended: test what `scanf` returns."


def told(folder: Path, text: str, name: str = "a.c", run: Execution = SPINS, found: Execution = WAITED) -> str:
    (folder / name).write_text(text)
    launch = Launch(argv=("./a",), stdin=b"1\n2\n", folder=folder)
    return describe_read_past_end(Case(id="t"), launch, run, lambda _: found)


@each_row
def test_what_a_source_shows(tmp_path: Path, *, body: str, sentence: str) -> None:
    found = told(tmp_path, f"{HEAD}    {body}\n}}\n")
    assert found.endswith(sentence)
    assert bool(found) == bool(sentence)


READS_ON = f'{HEAD}    while (x != 0) {{ scanf("%d", &x); }}\n}}\n'


@each_row
def test_only_a_run_shows_it(tmp_path: Path, *, run: Execution, found: Execution) -> None:
    assert told(tmp_path, READS_ON)
    assert not told(tmp_path, READS_ON, run=run, found=found)


def test_all_sources_are_looked_at_and_none_that_is_strange(tmp_path: Path) -> None:
    assert told(tmp_path, READS_ON)
    (tmp_path / "b.h").write_text("#define AT_END feof(stdin)\n")
    assert not told(tmp_path, READS_ON)
    (tmp_path / "b.h").unlink()
    (tmp_path / "b.c").symlink_to(tmp_path / "a.c")
    assert not told(tmp_path, READS_ON)
    (tmp_path / "b.c").unlink()
    (tmp_path / "b.c").write_bytes(b"\xff\x00(((/*'\"" * 20_000)
    assert told(tmp_path, READS_ON)


@each_row
def test_no_other_kind_is_run_again(tmp_path: Path, *, case: Case, launch: Launch) -> None:
    (tmp_path / "a.c").write_text(READS_ON)

    def run(_launch: Launch) -> Execution:
        raise AssertionError

    launch = Launch(argv=launch.argv, stdin=launch.stdin, terminal=launch.terminal, folder=tmp_path)
    assert not describe_read_past_end(case, launch, SPINS, run)


@pytest.mark.slow
@pytest.mark.skipif(not is_here("c"), reason="no C")
@each_row
def test_real_programs(tmp_path: Path, *, body: str, is_told: bool) -> None:
    (tmp_path / "a.c").write_text(f"{HEAD}    {body}\n}}\n")
    subprocess.run(["/usr/bin/gcc", "-o", tmp_path / "a", tmp_path / "a.c"], check=True)
    launch = Launch(argv=("./a",), folder=tmp_path, stdin=b"1\n2\n", limits=Limits(time=5.0))

    def run(one: Launch) -> Execution:
        return execute(LEVELS["full"], one, Event())

    sentence = describe_read_past_end(Case(id="t"), launch, SPINS, run)
    assert sentence == (f"`a.c:5` {SCANF}" if is_told else "")


@pytest.mark.slow
@pytest.mark.parametrize("text", ['\\"', "gets(", "fscanf(", "'"])
def test_what_a_source_repeats_takes_no_quadratic_time(tmp_path: Path, text: str) -> None:
    before = process_time()
    assert not told(tmp_path, f'"{text * (2**17 // len(text))}')
    assert process_time() - before < 8  # seconds; it took minutes
