"""JUnit XML, in the forms in which frameworks write it: which elements they nest, and what they put where."""

from collections.abc import Mapping, Sequence

from grader.core.untrusted_xml import read_xml
from grader.kinds.reported_tests.model import ReportedOutcome, TestOutcome, TestReport
from grader.kinds.reported_tests.results import (
    MAX_DETAIL_LENGTH,
    add_result,
    clean_name,
    first_line,
    flatten,
    join_names,
)

_OUTCOMES: Mapping[str, TestOutcome] = {"failure": "failed", "error": "error", "skipped": "skipped"}
_ROOTS = ("testsuites", "testsuite", "testcase")
_STREAMS = ("system-out", "system-err")
_RANKS: Sequence[TestOutcome] = ("passed", "todo", "skipped", "failed", "error")  # of several the worst counts
_NOT_RUN = {"status": ("notrun", "disabled"), "result": ("suppressed", "skipped")}
"""attributes by which GoogleTest and CTest say that a test was not run"""
_MAX_FILE_LENGTH = 200
_CTEST_SKIPS = "SKIP_"
"""begins the reasons for which CTest skips a test; whatever else it does not run is a failure to it"""


class _Reading:
    """What was read so far."""

    def __init__(self, nodes: list[ReportedOutcome]) -> None:
        self.nodes = nodes
        self.suites: list[str] = []  # that are open: of each its name, behind those that it is in
        self.test: ReportedOutcome | None = None
        self.outcome = ""  # the element with the result of the present test, while it is open
        self.text: list[str] = []
        self.room = 0
        self.root = self.status = ""  # the first element; the present test's attribute of this name

    def start(self, name: str, values: Mapping[str, str]) -> None:
        """Begin an element."""
        name = name.rpartition(":")[2]
        self.root = self.root or name
        if name == "testsuite":
            self.suites.append(join_names(*self.suites[-1:], clean_name(values.get("name", ""))))
        elif name == "testcase":
            self._start_test(values)
        elif self.test and name in _OUTCOMES:
            self._start_outcome(self.test, name, values)
        elif self.test and name in _STREAMS and not self.test.detail:
            self.text, self.room = [], MAX_DETAIL_LENGTH

    def _start_test(self, values: Mapping[str, str]) -> None:
        line, file = values.get("line", ""), values.get("file", "").rpartition("/")[2][-_MAX_FILE_LENGTH:]
        self.status = values.get("status", "")
        self.test = ReportedOutcome(
            name=clean_name(values.get("name", "")),
            prefix=join_names(*self.suites[-1:], clean_name(values.get("classname", ""))),
            outcome="skipped" if any(values.get(key) in said for key, said in _NOT_RUN.items()) else "passed",
            place=f"{file}:{line[:7]}" if file and line.isascii() and line.isdigit() else "",
        )
        add_result(self.nodes, self.test)

    def _start_outcome(self, test: ReportedOutcome, name: str, values: Mapping[str, str]) -> None:
        message = values.get("message", "")[: 2 * MAX_DETAIL_LENGTH].strip()[:MAX_DETAIL_LENGTH]
        outcome: TestOutcome = "todo" if values.get("type") == "todo" else _OUTCOMES[name]
        if outcome == "skipped" and self.status == "notrun" and not message.startswith(_CTEST_SKIPS):
            outcome = "error"
        self.outcome, self.text, self.room = name, [], MAX_DETAIL_LENGTH
        test.outcome, test.message = max(test.outcome, outcome, key=_RANKS.index), test.message or message

    def add_text(self, text: str) -> None:
        """Add text between elements, as much as counts."""
        if self.test and self.room > 0:
            self.text.append(text[: self.room])
            self.room -= len(text)

    def end(self, name: str) -> None:
        """End an element."""
        name = name.rpartition(":")[2]
        if name == "testsuite" and self.suites:
            self.suites.pop()
        elif name == "testcase":
            self.test, self.room = None, 0
        elif self.test and name in (self.outcome, *_STREAMS):
            written = "".join(self.text).strip()
            self.test.detail, self.room = self.test.detail or written, 0
            if name == self.outcome:
                self.test.message, self.outcome = self.test.message or first_line(written), ""


def read_junit(documents: Sequence[bytes]) -> TestReport:
    """Read a report that is in one or several XML documents. What is wrong with it is in `problem`."""
    nodes: list[ReportedOutcome] = []
    problem = ""
    for document in documents:
        reading = _Reading(nodes)
        try:
            read_xml(document, start=reading.start, end=reading.end, text=reading.add_text)
        except ValueError as error:
            why = str(error)
            if "junk after document element" in why:
                return TestReport(problem="the report is more than one XML document", is_void=True)
            if "entities" in why or "within each other" in why:
                return TestReport(problem=f"the report is no JUnit XML: {why}", is_void=True)
            problem = problem or f"the report breaks off, or is damaged: {why}"
            if reading.test is not None:  # whose end is not there
                nodes.pop()
        if reading.root not in _ROOTS:
            return TestReport(problem="the report is no JUnit XML", is_void=True)
    return TestReport(results=tuple(flatten(nodes)), problem=problem)
