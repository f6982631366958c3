"""What valgrind reports, read; and what it cannot watch. Its own text, shortened, so that no version has to be here."""

import os
import socket
import struct
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from grader.core.errors import HostError
from grader.core.model.execution import Execution, Launch
from grader.core.model.limits import Limits
from grader.core.model.spec import Step
from grader.core.run.meter import CUT, MAX_REPORTED, ReportSocket
from grader.kinds.memory_clean.model import MemoryRule
from grader.kinds.memory_clean.watch import watch, watch_memory
from tests.support.payloads import watched_in
from tests.support.rows import each_row

HEAD = "<valgrindoutput><tool>memcheck</tool><status><state>RUNNING</state></status>"
END = "<status><state>FINISHED</state></status></valgrindoutput>\n"
MALLOC = "<frame><obj>/usr/libexec/valgrind/preload.so</obj><fn>malloc</fn></frame>"
LAUNCH = Launch(argv=("./list",), limits=Limits(time=2, cpu=1))
RULE = MemoryRule()
ENDED = Execution(status=0, limits=Limits(time=9))


def frame(line: int, folder: str = "/box", file: str = "list.c") -> str:
    place = f"<dir>{folder}</dir><file>{file}</file><line>{line}</line>"
    return f"<frame><obj>/box/list</obj><fn>vec&lt;int&gt;</fn>{place}</frame>"


def error(kind: str, *parts: str) -> str:
    told = "".join(f"<stack>{part}</stack>" if part.startswith("<frame") else part for part in parts)
    return f"<error><kind>{kind}</kind>{told}</error>"


READ = "<what>Invalid read of size 4</what>"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "list.c").touch()
    (tmp_path / "list").write_bytes(Path(sys.executable).resolve().read_bytes()[:4096])
    return tmp_path


def watched(folder: Path, *reports: str, ended: Execution = ENDED) -> Execution:
    """Return what comes of a program of which valgrind reports so."""
    told = {number: report.encode() for number, report in enumerate(reports)}
    found = replace(ended, reported=told)
    plain = Execution(status=0)
    came = watch(plain, replace(LAUNCH, folder=folder), RULE, lambda _launch: found)
    return replace(plain, also={"memory-clean": came}) if came else plain


@each_row
def test_a_fault_is_where_the_students_own_code_is(folder: Path, errors: str, places: list[str]) -> None:
    found = watched_in(watched(folder, HEAD + errors + END))
    assert [f"{c.file}:{c.line}" for fault in found.faults for c in fault.what.calls[:1]] == places
    assert found.problem == ""
    assert all(call.function == "vec<int>" for fault in found.faults for call in fault.what.calls[:1])


def test_what_a_child_did_counts_and_where_memory_came_from_is_told(folder: Path) -> None:
    about = "<auxwhat>Address 0x1 is 0 bytes after a block of size 40 alloc'd</auxwhat>"
    child = error("InvalidWrite", "<what>Invalid write of size 4</what>", frame(5), about, MALLOC + frame(7))
    found = watched_in(watched(folder, HEAD + END, child))
    (fault,) = found.faults
    assert [(one.text[:7], one.calls[0].line) for one in (fault.what, *fault.about)] == [("Invalid", 5), ("Address", 7)]


@each_row
def test_a_report_that_is_not_whole_is_no_clean_one(folder: Path, report: str, ended: Execution, told: str) -> None:
    found = watched_in(watched(folder, report.replace("HEAD", HEAD).replace("END", END), ended=ended))
    assert told in found.problem
    assert found.faults == ()


def test_what_is_no_xml_in_an_argument_or_a_name_costs_no_report(folder: Path) -> None:
    arguments = b"<args><argv><arg>\x01\x1b\xff\xef\xbf\xbf</arg></argv></args>"
    odd = frame(3, file="\xe9\x02.c").encode("latin-1")
    fault = error("InvalidRead", READ, "<stack>HERE</stack>").encode().replace(b"HERE", odd)
    for faults, names in ((b"", []), (fault, [r"\xe9\x02.c"])):
        report = HEAD.encode() + arguments + faults + END.encode()
        ended = replace(ENDED, reported={1: report})
        found = watch(Execution(status=0), replace(LAUNCH, folder=folder), RULE, lambda _: ended)  # noqa: B023
        assert found
        assert found.problem == ""
        assert [call.file for one in found.faults for call in one.what.calls] == names


@each_row
def test_a_child_may_break_off_but_not_report_what_is_no_xml(folder: Path, child: str, told: str) -> None:
    found = watched_in(watched(folder, HEAD + END, child))
    assert found.faults == ()
    assert told in found.problem
    assert bool(told) == bool(found.problem)


@each_row
def test_what_valgrind_cannot_see_into_is_never_clean(folder: Path, program: bytes | None, told: str) -> None:
    shown = (folder / "list").read_bytes()
    (folder / "list").unlink()
    if program is not None:
        (folder / "list").write_bytes(program.replace(b"dynamic", shown))
    found = watched_in(watched(folder, HEAD + END))
    assert told in found.problem


def test_nothing_is_watched_that_came_to_no_end_or_of_which_no_more_is_known(folder: Path) -> None:
    launch = replace(LAUNCH, folder=folder)

    def never(_launch: Launch) -> Execution:
        raise AssertionError("run")

    def fails(_launch: Launch) -> Execution:
        raise HostError("no sandbox")

    assert watch(Execution(limit="time"), launch, RULE, never) is None
    assert watch(Execution(doubts=frozenset({"killed_by_host"})), launch, RULE, never) is None
    again = watch(Execution(status=0), launch, RULE, never, "it had not ended")
    assert again
    assert again.problem == "it had not ended"
    failed = watch(Execution(status=0), launch, RULE, fails)
    assert failed
    assert failed.problem == "no sandbox"


@each_row
def test_its_bounds_are_its_own(plain: Execution, asked: dict[str, float], time: float, cpu: float) -> None:
    talk = (Step(do="expect", text="a", within=1.0), Step(do="send", text="b"))
    launch = watch_memory(replace(LAUNCH, dialogue=talk), MemoryRule(limits=asked), plain)
    assert (launch.limits.time, launch.limits.cpu) == pytest.approx((time, cpu))
    assert [step.within for step in launch.dialogue] == pytest.approx([launch.limits.time / 2, None])
    assert launch.limits.output == LAUNCH.limits.output


# ---------------------------------------------------------------- the wire


def test_each_process_is_heard_apart_and_no_more_is_kept_than_the_limit() -> None:
    wire = ReportSocket()
    child = os.fork()
    if child == 0:
        os.write(wire.theirs, b"from the child")
        os._exit(0)
    os.waitpid(child, 0)
    os.write(wire.theirs, b"ours")
    assert wire.read()
    with socket.socket(fileno=os.dup(wire.theirs)) as flood:
        for _ in range(MAX_REPORTED // 65536 + 2):
            flood.sendall(bytes(65536))
            wire.read()
    assert wire.reports[child] == b"from the child"
    assert sum(map(len, wire.reports.values())) == MAX_REPORTED
    assert all(report.endswith(CUT) for report in wire.finished().values())
    wire.close()


@pytest.mark.parametrize(
    ("act", "is_cut"),
    [
        pytest.param(lambda _end: None, False, id="nothing"),
        pytest.param(lambda end: end.shutdown(socket.SHUT_WR), True, id="shut"),
        pytest.param(lambda end: end.shutdown(socket.SHUT_RDWR), True, id="shut both"),
        pytest.param(lambda end: end.close(), False, id="its own copy closed"),
        pytest.param(lambda end: end.settimeout(0), True, id="made to lose"),
        pytest.param(lambda end: end.settimeout(None), False, id="made to wait"),
        pytest.param(
            lambda end: end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("2l", 0, 1)), True, id="timed"
        ),
    ],
)
def test_a_program_that_keeps_the_tool_from_writing_has_no_whole_report(
    act: Callable[[socket.socket], object], *, is_cut: bool
) -> None:
    wire = ReportSocket()
    end = socket.socket(fileno=os.dup(wire.theirs))
    os.write(wire.theirs, b"whole")
    act(end)
    assert list(wire.finished().values()) == [b"whole" + CUT if is_cut else b"whole"]
    end.close()
    wire.close()


class _Flooded(ReportSocket):
    """A socket into which somebody writes more for all that is read of it."""

    writes = 10_000

    def take(self, process: int, data: bytes) -> None:
        super().take(process, data)
        self.writes -= 1
        if self.writes > 0:
            os.write(self.theirs, b"x" * 1000)


def test_a_socket_that_is_flooded_is_left_to_look_at_the_limits() -> None:
    wire = _Flooded()
    os.write(wire.theirs, b"x")
    assert wire.read()
    left = wire.writes
    assert 0 < left < 10_000
    # What is left is there for the next time, and all of it at the end.
    assert wire.read()
    assert 0 < wire.writes < left
    (report,) = wire.finished().values()
    wire.close()
    assert wire.writes <= 0
    assert report.endswith(CUT)
    assert len(report) == MAX_REPORTED + len(CUT)
