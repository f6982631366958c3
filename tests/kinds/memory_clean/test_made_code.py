"""Where valgrind says that code came from: lines read, and the code that nobody has looked at for orders found."""

import subprocess
from pathlib import Path

import pytest

from grader.core.model.execution import CodeStep
from grader.kinds.memory_clean.code_trace import MAX_CODE_STEPS, CodeTrace
from grader.kinds.memory_clean.made_code import describe_made_code

LIBC = b"/usr/lib/libc.so.6"


def block(number: int, events: int, address: int, name: str, offset: int = 0) -> str:
    return f"==== SB {number} (evchecks {events}) [tid 1] 0x{address:x} {name}+0x{offset:x}\n"


FORGET = "--7-- Discarding syms at 0x4000010-0x4000020 in /usr/lib/libc.so.6 (have_dinfo 1)\n"
FIRST = block(0, 0, 0x4000010, "puts /usr/lib/libc.so.6", 0x10)
KNOWN = CodeStep("file", 0x4000000, LIBC)


@pytest.mark.parametrize(
    ("lines", "steps"),
    [
        pytest.param(FIRST, [KNOWN], id="a file"),
        pytest.param(FIRST + block(1, 3, 0x4000020, "(below main) /usr/lib/libc.so.6", 0x20), [KNOWN], id="once"),
        pytest.param(FIRST + block(0, 3, 0x4000020, "UNKNOWN_FUNCTION UNKNOWN_OBJECT"), None, id="another program"),
        pytest.param(FIRST + FORGET + FIRST.replace("SB 0", "SB 1"), [KNOWN, None, KNOWN], id="forgotten"),
        pytest.param(FIRST + block(0, 0, 0x10, "f /a /usr/lib/libc.so.6", 0x10), None, id="a folder of that name"),
        pytest.param(FIRST + "==123== Warning: set address range perms: large range\n", [KNOWN], id="a warning"),
        pytest.param(FIRST + "==== SB 1\n", "strange", id="half a line"),
        pytest.param(FIRST + block(7, 9, 0x5000000, "cos /usr/lib/libm.so.6"), "strange", id="a number too high"),
        pytest.param(FIRST + block(1, 9, 0x4000010, "puts /usr/lib/libc.so.6", 0x10) + FIRST.replace("SB 0", "SB 1"),
                     "strange", id="a count that falls"),
        pytest.param("==== SB 0 " + "x" * 9000, "strange", id="a line without end"),
    ],
)  # fmt: skip
def test_what_valgrind_says_is_read(lines: str, steps: object) -> None:
    trace = CodeTrace()
    for at in range(0, len(lines), 50):  # in pieces, as it comes
        trace.take(7, lines[at : at + 50].encode())
    found = list(trace.finished()[7])
    trace.close()
    if isinstance(steps, list):
        assert [step for step in found if step.what != "forgotten"] == [step for step in steps if step]
        assert ("forgotten" in {step.what for step in found}) == (None in steps)
    elif steps == "strange":
        assert steps in {step.what for step in found}
    else:
        assert len(found) == 2
        assert found[1] != KNOWN


@pytest.mark.parametrize("line", ["==== SB\n", FIRST, FORGET])
def test_an_account_that_grows_without_end_is_not_stored(line: str) -> None:
    trace, lines = CodeTrace(), line.encode() * 10_000
    for process in range(3):
        for _ in range(MAX_CODE_STEPS // 10_000):
            trace.take(process, lines)
    found = trace.finished()
    trace.close()
    assert sum(map(len, found.values())) <= MAX_CODE_STEPS + 10_000
    assert all(steps[-1].what == "strange" for steps in found.values())


def test_an_account_of_processes_without_end_is_not_stored() -> None:
    trace = CodeTrace()
    for process in range(2 * MAX_CODE_STEPS):
        trace.take(process, b"no line")
    found = trace.finished()
    trace.close()
    assert len(found) <= MAX_CODE_STEPS


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("work")
    (folder / "a.c").write_text("int main(void) { return 0; }\n")
    subprocess.run(["/usr/bin/gcc", "-o", "a", "a.c"], cwd=folder, check=True, timeout=60)
    return folder


OWN, CALLS = CodeStep("file", 0x108000, b"/box/a"), CodeStep("unknown", 0x109010)


@pytest.mark.parametrize(
    ("steps", "told"),
    [
        ([OWN], ""),
        ([OWN, CALLS], ""),
        ([CALLS, OWN], ""),  # what calls a library runs before anything whose name is known
        ([CodeStep("file", 0x4000000, b"/usr/bin/true")], ""),
        ([OWN, CodeStep("unknown", 0x58001234)], ""),  # valgrind's own
        ([OWN, CodeStep("unknown", 0x4035000)], "code that it has made itself"),
        ([OWN, CodeStep("unknown", 0x108000)], "code that it has made itself"),  # its header, which is no code
        ([OWN, CodeStep("forgotten", 0x109020), CALLS], "code that it has made itself"),
        ([CALLS], "code that it has made itself"),
        ([OWN, CodeStep("file", 0x5000000, b"/tmp/a")], "brought along or made itself (/tmp/a)"),
        ([OWN, CodeStep("file", 0x5000000, b"/box/b.so")], "brought along or made itself (/box/b.so)"),
        ([OWN, CodeStep("file", 0x5000000, b"/box/a.c")], ""),  # no code of it is known, so none is believed
        ([OWN, CodeStep("file", 0x5000000, b"/usr/../box/b.so")], "brought along or made itself"),
        ([OWN, CodeStep("file", 0x5000000, b"f /tmp/ /usr/bin/true")], "brought along or made itself"),
        ([OWN, CodeStep("file", 0x5000000, b"/usr/lib/none.so")], "brought along or made itself"),
        ([OWN, CodeStep("strange")], "interfered with valgrind's account"),
    ],
)
def test_code_that_nobody_has_looked_at_is_found(work: Path, steps: list[CodeStep], told: str) -> None:
    found = describe_made_code({7: tuple(steps)}, work)
    assert told in found
    assert bool(told) == bool(found)


def test_a_child_knows_what_its_parent_had_loaded_and_no_account_is_none(work: Path) -> None:
    assert not describe_made_code({7: (OWN,), 8: (CALLS,)}, work)
    assert "no account" in describe_made_code({}, work)
