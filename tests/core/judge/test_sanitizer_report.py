"""The sentences about what a compiler's sanitizer reports; the reports are those of GCC, shortened."""

from grader.core.diagnosis import no_lines
from grader.core.judge.ending import crashed, describe_sanitizer
from grader.core.model.execution import Execution
from grader.core.model.report import Verdict
from grader.core.model.spec import Case, Expectation, ExpectedExit
from tests.support.languages import TOOLCHAINS
from tests.support.rows import each_row, read_data

C, GO, PYTHON = (TOOLCHAINS[name] for name in ("c", "go", "python"))
OWN = "    #1 0x55e7 in copy /box/src/a.c:6\n    #2 0x7f8b in main /box/src/a.c:9\n"
LIBRARY = "    #0 0x7f8b in __interceptor_memcpy ../../../../src/libsanitizer/common.inc:827\n"


def address(kind: str, frames: str = LIBRARY + OWN, said: str = "") -> str:
    head = f"==2==ERROR: AddressSanitizer: {said or kind} on address 0x6020 at pc 0x7f8b\nWRITE of size 6\n"
    return f"{head}{frames}\nSUMMARY: AddressSanitizer: {kind} ../../src/common.inc:827 in memcpy\n==2==ABORTING\n"


def leak(number: int, frames: str = LIBRARY + OWN) -> str:
    head = "==2==ERROR: LeakSanitizer: detected memory leaks\n\nDirect leak of 40 byte(s) allocated from:\n"
    return f"{head}{frames}\nSUMMARY: AddressSanitizer: {40 * number} byte(s) leaked in {number} allocation(s).\n"


DATA = read_data(__file__)
GO_RACE = DATA["GO_RACE"]
RACE = DATA["RACE"]
OVERFLOW = "a.c:7:31: runtime error: signed integer overflow: 2 + 2147483646 cannot be represented in type 'int'\n"
RECOVERED = f"{OVERFLOW}usage: a NUMBER\n"
ONE_LEAK = leak(1)
OUT_OF_MEMORY = address("out-of-memory", said="allocator is out of memory trying to allocate 0x19 bytes")


@each_row
def test_a_report_is_a_sentence(errors: str, sentence: str) -> None:
    found = describe_sanitizer("P", errors.encode(), no_lines)
    assert (found.text if found else "") == sentence


def test_undefined_behaviour_counts_where_it_was_the_last_word() -> None:
    said = b"hint\n" + OVERFLOW.encode()
    found = describe_sanitizer("P", said, no_lines)
    assert found
    assert found.text.startswith("P does what is undefined at `a.c:7`: `signed integer overflow: 2 + 21")
    assert describe_sanitizer("P", RECOVERED.encode(), no_lines) is None
    assert describe_sanitizer("P", said, no_lines, is_wanted=True) is None


def test_the_line_of_the_source_is_quoted() -> None:
    found = describe_sanitizer("P", address("bad-free").encode(), lambda _file, _line: "  free(p + 1);")
    assert found
    assert "in line 6 of `a.c`, `free(p + 1);`" in found.text


@each_row
def test_a_finding_decides_the_verdict(errors: str, status: int, asked: ExpectedExit, verdict: Verdict | None) -> None:
    case, execution = Case(id="a", expect=Expectation(exit=asked)), Execution(status=status, stderr=errors.encode())
    found = crashed(case, execution, GO if errors == GO_RACE else C, no_lines)
    assert (found[0] if found else None) == verdict
    assert crashed(case, execution, PYTHON, no_lines) is None  # where such words are the program's own


def test_a_hostile_report_is_read_in_time() -> None:
    frames = "".join(f"    #{number} {'a ' * 190}\n" for number in range(2000))
    found = describe_sanitizer("P", address("x-y", frames).encode(), no_lines)
    assert found
    assert found.text == "P has a fault (x-y, AddressSanitizer)."
