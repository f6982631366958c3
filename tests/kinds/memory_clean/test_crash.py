"""Why a signal ended a program in C or C++: real programs, really run under valgrind, and the sentence of each."""

import subprocess
from pathlib import Path

import pytest
from msgspec.structs import replace

from grader.core.diagnosis import line_reader
from grader.core.judge.case import judge
from grader.core.model.execution import Execution, Launch
from grader.core.model.spec import Case, Expectation, Toolchain
from grader.kinds.memory_clean.watch import explain_crash
from tests.support.functions import run_full
from tests.support.rows import each_row, read_data

DATA = read_data(__file__)
HERE = Path(__file__).parent
CASE = Case(id="a", expect=Expectation(exit=(0,)))
LANGUAGE = Toolchain(name="c", crash=("terminate called",))


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("work")
    for source, compiler in (("crashing.c", "gcc"), ("crashing.cc", "g++")):
        (folder / source).write_bytes((HERE / source).read_bytes())
        options = ("-w", "-O0", "-fstack-protector-strong", "-pthread")
        for name, more in ((f"{compiler}-lines", "-g"), (f"{compiler}-none", "-g0")):
            subprocess.run([compiler, *options, more, "-o", name, source], cwd=folder, check=True, timeout=120)
    return folder


def sentence(work: Path, program: str, how: str) -> str:
    """Return the sentence of a program that is started so, with all that a further run shows."""
    launch = Launch(argv=(f"./{program}", how), folder=work)
    found = run_full(launch)
    read_line = line_reader(work)
    found = replace(found, crash_cause=explain_crash(found, launch, run_full, read_line))
    return judge(CASE, found, None, toolchain=LANGUAGE, command="", read_line=read_line).message.text


QUICK = {
    "null": "crashing.c:12 (`*place = 7;`) writes 8 bytes through a null pointer (SIGSEGV).",
    "once": "segmentation fault (SIGSEGV).",  # not where it is watched: then only what was seen is said
}
"""how a program is started -> the end of its sentence"""
TABLE = [
    *(
        (f"{compiler}-lines", how, end)
        for compiler, table in (("gcc", DATA["C"]), ("g++", DATA["CPP"]))
        for how, end in table.items()
    ),
    *(("gcc-none", how, f"{end} Compile it with -g to see the line.") for how, end in DATA["WITHOUT_LINES"].items()),
]


@pytest.mark.parametrize("how", QUICK)
def test_a_crash_in_c_has_line_and_cause(work: Path, how: str) -> None:
    assert sentence(work, "gcc-lines", how) == f"Your program crashed: {QUICK[how]}"


@pytest.mark.slow
@pytest.mark.parametrize(("program", "how", "end"), TABLE, ids=[f"{program}-{how}" for program, how, _ in TABLE])
def test_the_cause_of_every_crash(work: Path, program: str, how: str, end: str) -> None:
    assert sentence(work, program, how) == f"Your program crashed: {end}"


def test_a_status_like_that_of_a_signal_is_a_status(work: Path) -> None:
    assert sentence(work, "gcc-lines", "exit") == "Your program ended with status 139; the assignment asks for 0."


def test_without_valgrind_the_sentence_says_what_was_seen(work: Path) -> None:
    launch = Launch(argv=("./gcc-lines", "null"), folder=work)
    found = run_full(launch)

    def run_without(launch: Launch) -> Execution:
        assert launch.tool[0] == "valgrind"
        return run_full(replace(launch, tool=("no-such-tool", *launch.tool[1:])))

    assert (found.signal, explain_crash(found, launch, run_without, line_reader(work))) == (11, "")


@each_row
def test_nothing_is_run_again_that_valgrind_cannot_explain(
    work: Path, argv: tuple[str, ...], change: dict[str, object]
) -> None:
    (work / "script").write_text("#!/bin/sh\nkill -SEGV $$\n")

    def refuse(_launch: Launch) -> Execution:
        raise AssertionError("it was run again")

    crashed = replace(Execution(signal=6), **change)
    assert not explain_crash(crashed, Launch(argv=argv, folder=work), refuse, line_reader(work))
