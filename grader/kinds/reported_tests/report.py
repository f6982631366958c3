"""The report that a command wrote, read once for all tests; a long one in a helper process with limits."""

import sys
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import PurePosixPath

import msgspec
from msgspec.structs import replace

from grader.core.errors import HostError
from grader.core.helper_process import Helper, ask_once
from grader.core.model.execution import Execution, Launch
from grader.core.model.values import decode_json
from grader.core.text import one_line, size
from grader.kinds.reported_tests.formats import read_cargo, read_go, read_junit, read_tap, read_unity
from grader.kinds.reported_tests.model import REPORT_PLACE, TestReport, TestReportFormat
from grader.kinds.reported_tests.results import MAX_RESULTS

MAX_REPORT_BYTES = 16 * 2**20
MAX_BYTES_READ_HERE = 64 * 2**10  # without a helper, which takes a tenth of a second to start
_HELPER = Helper(
    task="read a report of tests",
    code="from grader.kinds.reported_tests.report import serve_report\nserve_report()",
    packages=("grader", "grader.core", "grader.kinds", "grader.kinds.reported_tests"),
    with_libraries=True,
    seconds=10,
    memory=2**30,
)
_READERS: Mapping[TestReportFormat, Callable[[bytes], TestReport]] = {
    "tap": read_tap,
    "go": read_go,
    "cargo": read_cargo,
    "unity": read_unity,
}


def with_report(launch: Launch, name: str, source: str, within: str = ".") -> Launch:
    """Return the launch whose commands write a report to the file `name`, or to `source`, below the folder `within`."""
    has_place = any(REPORT_PLACE in word for word in (*launch.argv, *launch.env.values()))
    file = PurePosixPath(within, name if has_place else source)
    return replace(
        launch,
        argv=tuple(word.replace(REPORT_PLACE, name) for word in launch.argv),
        argv_untuned=(),
        env={key: value.replace(REPORT_PLACE, name) for key, value in launch.env.items()},
        collect=(str(file),) if has_place or source else (),
        collect_limit=2 * MAX_REPORT_BYTES,
    )


def documents_of(execution: Execution, *, is_file: bool) -> tuple[bytes, ...]:
    """Return what a command wrote as its report: files, or standard output; nothing blank."""
    written = [content for _, content in sorted(execution.files.items())] if is_file else [execution.stdout]
    return tuple(document for document in written if document.strip())


def why_not_started(execution: Execution) -> str:
    """Return what a shell says that finds no command to start; "" where it started one."""
    message = execution.stderr.decode(errors="backslashreplace").strip().rpartition("\n")[2]
    return (message or "the command was not found") if execution.status in (126, 127) else ""


@lru_cache(maxsize=4)
def read_test_report(form: TestReportFormat, documents: tuple[bytes, ...]) -> TestReport:
    """Read a report of one or several files; its `problem` says what is wrong. Raises HostError for a fault of ours."""
    total = sum(map(len, documents))
    if total > MAX_REPORT_BYTES:
        too_large = f"the report has {size(total)}; at most {size(MAX_REPORT_BYTES)} are read"
        return TestReport(problem=too_large, is_void=True)
    return _read_here(form, documents) if total <= MAX_BYTES_READ_HERE else _read_in_helper(form, documents)


def _read_here(form: TestReportFormat, documents: Sequence[bytes]) -> TestReport:
    try:
        return read_junit(documents) if form == "junit" else _READERS[form](b"\n".join(documents))
    except OverflowError:
        return TestReport(problem=f"the report has more than {MAX_RESULTS:,} results", is_void=True)


def _read_in_helper(form: TestReportFormat, documents: Sequence[bytes]) -> TestReport:
    request = msgspec.json.encode((form, [len(document) for document in documents]))
    answer = ask_once(_HELPER, b"\n".join((request, b"".join(documents))))
    if answer.is_out_of_time or b"MemoryError" in answer.errors[-200:]:
        what = f"time than {_HELPER.seconds} s" if answer.is_out_of_time else f"memory than {size(_HELPER.memory)}"
        return TestReport(problem=f"the report takes more {what} to read", is_void=True)
    if answer.status:
        last = one_line(answer.errors.strip().rpartition(b"\n")[2])
        raise HostError(f"the report of the tests could not be read: {last or f'status {answer.status}'}")
    return decode_json(answer.output, TestReport)


def serve_report() -> None:
    """Read a report from standard input, and write what is in it; this runs in the helper."""
    source = sys.stdin.buffer
    form, sizes = decode_json(source.readline(), tuple[TestReportFormat, list[int]])
    sys.stdout.buffer.write(msgspec.json.encode(_read_here(form, [source.read(length) for length in sizes])))
