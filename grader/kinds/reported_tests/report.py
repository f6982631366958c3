"""The report that a command wrote: read once for all the tests that it is about."""

from collections.abc import Callable, Mapping
from functools import lru_cache

from grader.core.text import size
from grader.kinds.reported_tests.junit_xml import read_junit
from grader.kinds.reported_tests.line_reports import read_cargo, read_go, read_unity
from grader.kinds.reported_tests.model import ReportedOutcome, TestReport, TestReportFormat
from grader.kinds.reported_tests.tap import read_tap

MAX_REPORT_BYTES = 16 * 2**20
MAX_RESULTS = 100_000

_READERS: Mapping[TestReportFormat, Callable[[bytes], TestReport]] = {
    "tap": read_tap,
    "go": read_go,
    "cargo": read_cargo,
    "unity": read_unity,
}


class IndexedReport:
    """A report, and its results by their names."""

    def __init__(self, report: TestReport) -> None:
        """Take a report."""
        self.report = report
        self._by_full: dict[str, list[ReportedOutcome]] = {}
        self._by_name: dict[str, list[ReportedOutcome]] = {}
        for one in report.results:
            self._by_full.setdefault(one.full, []).append(one)
            self._by_name.setdefault(one.name, []).append(one)

    def find(self, name: str, full: str) -> tuple[ReportedOutcome, ...]:
        """Return the results of a test: by its full name, or else by the one that people use."""
        return tuple(self._by_full.get(full or name) or self._by_name.get(name) or ())


@lru_cache(maxsize=4)
def read_test_report(form: TestReportFormat, documents: tuple[bytes, ...]) -> IndexedReport:
    """Read a report, of one or several files. What is wrong with it is in its `problem`; nothing is raised."""
    total = sum(map(len, documents))
    if total > MAX_REPORT_BYTES:
        too_large = f"the report has {size(total)}; at most {size(MAX_REPORT_BYTES)} are read"
        return IndexedReport(TestReport(problem=too_large, is_void=True))
    report = read_junit(documents) if form == "junit" else _READERS[form](b"\n".join(documents))
    if len(report.results) > MAX_RESULTS:
        too_many = f"the report has {len(report.results)} results; at most {MAX_RESULTS} are read"
        return IndexedReport(TestReport(problem=too_many, is_void=True))
    return IndexedReport(report)
