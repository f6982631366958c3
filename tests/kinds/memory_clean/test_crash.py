"""Why a signal ended a program in C or C++: real programs, really run under valgrind, and the sentence of each."""

import subprocess
from pathlib import Path
from threading import Event

import pytest
from msgspec.structs import replace

from grader.core.diagnosis import line_reader
from grader.core.judge.case import judge
from grader.core.model.execution import Execution, Launch
from grader.core.model.spec import Case, Expectation, Toolchain
from grader.core.run.runner import execute
from grader.core.sandbox import LEVELS
from grader.kinds.memory_clean.watch import explain_crash
from tests.support.rows import each_row

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


def run(launch: Launch) -> Execution:
    return execute(LEVELS["full"], launch, Event())


def sentence(work: Path, program: str, how: str) -> str:
    """Return the sentence of a program that is started so, with all that a further run shows."""
    launch = Launch(argv=(f"./{program}", how), folder=work)
    found = run(launch)
    read_line = line_reader(work)
    found = replace(found, crash_cause=explain_crash(found, launch, run, read_line))
    return judge(CASE, found, None, toolchain=LANGUAGE, command="", read_line=read_line).message.text


QUICK = {
    "null": "crashing.c:12 (`*place = 7;`) writes 8 bytes through a null pointer (SIGSEGV).",
    "once": "segmentation fault (SIGSEGV).",  # not where it is watched: then only what was seen is said
}
"""how a program is started -> the end of its sentence"""
C = {
    "list": ("crashing.c:15 (`return node->value + sum(node->next);`) reads 8 bytes through a null pointer (SIGSEGV)."),
    "zero": (
        'crashing.c:65 (`if (!strcmp(how, "zero")) printf("%d\\n",…`) divides by zero (or the smallest int by -1) '
        "(SIGFPE)."
    ),
    "depth": "the recursion in `depth` (crashing.c:17) does not end, or goes too deep: the stack is full (SIGSEGV).",
    "large": (
        "crashing.c:24 (`for (int i = 0; i < 40000000; i++) table…`) needs more than the stack has: its arrays are too "
        "large for local variables (SIGSEGV)."
    ),
    "copy": "it wrote past the end of an array on the stack, of the function `copy` (crashing.c:31) (SIGABRT).",
    "twice": "crashing.c:35 (`free(block);`) frees memory that crashing.c:34 had freed already (SIGABRT).",
    "inside": (
        "crashing.c:39 (`free(block + 4);`) frees a pointer that is not the start of an allocated block (SIGABRT)."
    ),
    "beyond": (
        "crashing.c:44 (`block[i] = i;`) writes 8 bytes right after a block of 32 bytes that crashing.c:42 allocated "
        "(SIGSEGV)."
    ),
    "freed": (
        'crashing.c:52 (`printf("%ld\\n", (*node)->next->value);`) reads 8 bytes in a block of 16 bytes that '
        "crashing.c:51 had freed (SIGSEGV)."
    ),
    "unset": "crashing.c:59 (`*place = 7;`) uses an address or an index that was never set (SIGSEGV).",
    "assert": 'the assertion `argc > 2 && "a file is named"` in crashing.c:74 failed (SIGABRT).',
    "abort": 'crashing.c:75 (`if (!strcmp(how, "abort")) abort();`) calls abort() (SIGABRT).',
    "text": (
        'crashing.c:76 (`if (!strcmp(how, "text")) *(char *)"text…`) writes to memory that can only be read, such as a '
        "string constant (SIGSEGV)."
    ),
    "call": "it calls a function through a null pointer (SIGSEGV).",
    "strlen": (
        'crashing.c:78 (`if (!strcmp(how, "strlen")) printf("%zu\\…`) reads 1 byte through a null pointer (SIGSEGV).'
    ),
    "trap": (
        'crashing.c:79 (`if (!strcmp(how, "trap")) __builtin_trap…`) reaches an instruction that does not exist '
        "(SIGILL)."
    ),
    "raise": 'crashing.c:80 (`if (!strcmp(how, "raise")) raise(SIGSEGV…`) sends it this signal (SIGSEGV).',
    "term": 'crashing.c:81 (`if (!strcmp(how, "term")) kill(getpid(),…`) sends it this signal (SIGTERM).',
    "other": "segmentation fault (SIGSEGV).",  # another signal where it is watched
    "said": "crashing.c:12 (`*place = 7;`) writes 8 bytes through a null pointer (SIGSEGV).",  # no assertion failed
}
CPP = {
    "at": (
        "the exception `std::out_of_range` was not caught (`vector::_M_range_check: __n (which is 2) >= this->size() "
        "(which is 2)`); it comes from crashing.cc:7 (`return numbers.at(2);`) (SIGABRT)."
    ),
    "number": (
        'the exception `int` was not caught; it comes from crashing.cc:12 (`if (how == "number") throw 42;`) (SIGABRT).'
    ),
    "empty": (
        'crashing.cc:13 (`if (how == "empty") { std::vector<int> n…`) reads 4 bytes outside all allocated memory '
        "(SIGSEGV)."
    ),
    "own": (
        "the exception `std::runtime_error` was not caught (`no such`); it comes from crashing.cc:14 (`if (how == "
        '"own") throw std::runtime_err…`) (SIGABRT).'
    ),
    "thread": (
        "it called std::terminate (a std::thread never joined?); it comes from "
        'crashing.cc:15 (`if (how == "thread") std::thread([] {});`) (SIGABRT).'
    ),
}
WITHOUT_LINES = {
    "null": "the function `store` writes 8 bytes through a null pointer (SIGSEGV).",
    "depth": "the recursion in `depth` does not end, or goes too deep: the stack is full (SIGSEGV).",
    "twice": "the function `twice` frees memory that the function `twice` had freed already (SIGABRT).",
}
TABLE = [
    *((f"{compiler}-lines", how, end) for compiler, table in (("gcc", C), ("g++", CPP)) for how, end in table.items()),
    *(("gcc-none", how, f"{end} Compile it with -g to see the line.") for how, end in WITHOUT_LINES.items()),
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
    found = run(launch)

    def run_without(launch: Launch) -> Execution:
        assert launch.tool[0] == "valgrind"
        return run(replace(launch, tool=("no-such-tool", *launch.tool[1:])))

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
