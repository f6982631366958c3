"""Reports in the formats of tools but TAP: JUnit XML, `go test -json`, `cargo test`, and Unity for C."""

import json
from codecs import BOM_UTF8
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

from grader.core.lazy import lazy_regex
from grader.core.text import count
from grader.core.untrusted_xml import read_xml
from grader.kinds.reported_tests import results as of
from grader.kinds.reported_tests.model import ReportedOutcome, TestOutcome, TestReport

# ---------------------------------------------------------------- JUnit XML, and what frameworks put where

_JUNIT_OUTCOMES: Mapping[str, TestOutcome] = {"failure": "failed", "error": "error", "skipped": "skipped"}
_ROOTS = ("testsuites", "testsuite", "testcase")
_STREAMS = ("system-out", "system-err")
_RANKS: Sequence[TestOutcome] = ("passed", "todo", "skipped", "failed", "error")  # of several the worst counts
_NOT_RUN = {"status": ("notrun", "disabled"), "result": ("suppressed", "skipped")}  # as GoogleTest and CTest say it
_MAX_FILE_LENGTH = 200
_CTEST_SKIPS = "SKIP_"  # begins the reason of a test that CTest skips; another test that it does not run has failed


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
            self.suites.append(of.join_names(*self.suites[-1:], of.clean_name(values.get("name", ""))))
        elif name == "testcase":
            self._start_test(values)
        elif self.test and name in _JUNIT_OUTCOMES:
            self._start_outcome(self.test, name, values)
        elif self.test and name in _STREAMS and not self.test.detail:
            self.text, self.room = [], of.MAX_DETAIL_LENGTH

    def _start_test(self, values: Mapping[str, str]) -> None:
        line, file = values.get("line", ""), values.get("file", "").rpartition("/")[2][-_MAX_FILE_LENGTH:]
        self.status = values.get("status", "")
        self.test = ReportedOutcome(
            name=of.clean_name(values.get("name", "")),
            prefix=of.join_names(*self.suites[-1:], of.clean_name(values.get("classname", ""))),
            outcome="skipped" if any(values.get(key) in said for key, said in _NOT_RUN.items()) else "passed",
            place=f"{file}:{line[:7]}" if file and line.isascii() and line.isdigit() else "",
        )
        of.add_result(self.nodes, self.test)

    def _start_outcome(self, test: ReportedOutcome, name: str, values: Mapping[str, str]) -> None:
        message = values.get("message", "")[: 2 * of.MAX_DETAIL_LENGTH].strip()[: of.MAX_DETAIL_LENGTH]
        outcome: TestOutcome = "todo" if values.get("type") == "todo" else _JUNIT_OUTCOMES[name]
        if outcome == "skipped" and self.status == "notrun" and not message.startswith(_CTEST_SKIPS):
            outcome = "error"
        self.outcome, self.text, self.room = name, [], of.MAX_DETAIL_LENGTH
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
                self.test.message, self.outcome = self.test.message or of.first_line(written), ""


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
    return TestReport(results=tuple(of.flatten(nodes)), problem=problem)


# ---------------------------------------------------------------- go

_WORDS: Mapping[TestOutcome, str] = {
    "passed": "pass ok PASS",
    "failed": "fail FAILED FAIL",
    "skipped": "skip ignored IGNORE",
}
_OUTCOMES = {word: outcome for outcome, words in _WORDS.items() for word in words.split()}  # of Go, cargo and Unity
_GO_PLACE = lazy_regex(r"\A\s+(?P<place>[\w.-]+\.go:[0-9]+): (?P<message>.*)")
_GO_PANIC = lazy_regex(r"(?m)^panic: (?P<message>.*)$")
_GO_NOISE = ("=== ", "--- ", "    --- ")
_GoTests = dict[tuple[str, str], list[ReportedOutcome]]  # package and test -> its results; none where it only began


def read_go(data: bytes) -> TestReport:
    """Read what `go test -json` writes. A test that has subtests is a group."""
    nodes: _GoTests = {}
    results: list[ReportedOutcome] = []
    output, packages, events = dict[tuple[str, str], str](), set[str](), 0
    for action, package, test, written in _events(data):
        key, outcome = (package, test), _OUTCOMES.get(action)
        events += bool(action)
        if action == "output" and test and len(output.get(key, "")) < of.MAX_DETAIL_LENGTH:
            output[key] = output.get(key, "") + written
        elif outcome and not test:
            packages.add(package)
        elif outcome:
            of.add_result(results, _go_node(package, test, outcome, output.get(key, "")))
            nodes.setdefault(key, []).append(results[-1])
        elif action == "run" and test:
            nodes.setdefault(key, [])
    if not events:
        return TestReport(problem="there are no events of `go test -json` in what the command wrote", is_void=True)
    unfinished = next((test for (_, test), outcomes in nodes.items() if not outcomes), None)
    problem = "" if {package for package, _ in nodes} <= packages else "the report breaks off"
    problem = problem if unfinished is None else f"{of.first_line(unfinished)} was begun and not finished"
    return TestReport(results=tuple(of.flatten(_go_tree(nodes))), problem=problem)


def _events(data: bytes) -> Iterator[list[str]]:
    """Yield of each event its action, package, test and output, empty where it has none."""
    # A byte that is no UTF-8, or a character that JSON forbids in a text, is a character of the text.
    for line in data.removeprefix(BOM_UTF8).split(b"\n"):
        with suppress(ValueError, RecursionError):
            if line.startswith(b"{"):
                event = json.loads(line.decode("utf-8", "replace"), strict=False)
                given = (event.get(key) for key in ("Action", "Package", "Test", "Output"))
                texts = [text.encode("utf-8", "replace").decode() if isinstance(text, str) else "" for text in given]
                yield [*(text[: of.MAX_NAME_LENGTH] for text in texts[:3]), texts[3][: of.MAX_DETAIL_LENGTH]]


def _go_node(package: str, test: str, outcome: TestOutcome, output: str) -> ReportedOutcome:
    lines = [line for line in output.split("\n") if not line.startswith(_GO_NOISE)]
    placed, panic = next(filter(None, map(_GO_PLACE.match, lines)), None), _GO_PANIC.search(output)
    return ReportedOutcome(
        name=test,
        prefix=of.clean_name(package),
        outcome="error" if panic and outcome == "failed" else outcome,
        message=(cause["message"] if (cause := panic or placed) else of.first_line("\n".join(lines))).strip(),
        detail="\n".join(lines).strip(),
        place=placed["place"] if placed else "",
    )


def _go_tree(nodes: _GoTests) -> list[ReportedOutcome]:
    """Return the tests as they are; where one has subtests, these keep its failure if none of them has one."""
    tops: list[ReportedOutcome] = []
    for (package, test), results in nodes.items():
        parent = test.rpartition("/")[0] if test.count("/") < of.MAX_NESTED_TESTS else ""
        while parent and (package, parent) not in nodes:
            parent = parent.rpartition("/")[0]
        group = nodes.get((package, parent)) if parent else None
        (group[-1].children if group else tops).extend(results)
        for node in results if group else ():
            node.name = test.removeprefix(f"{parent}/")
    return tops


# ---------------------------------------------------------------- cargo

_CARGO_TEST = lazy_regex(
    r"\Atest (?P<name>.{1,500}?)(?: - should panic)? \.\.\. (?P<outcome>ok|FAILED|ignored)\b(?P<why>.*)\Z"
)
_CARGO_START = lazy_regex(r"\Arunning (?P<number>[0-9]{1,7}) tests?\Z")
_CARGO_DETAIL = lazy_regex(r"\A---- (?P<name>.{1,500}) stdout ----\Z")
_CARGO_PANIC = lazy_regex(r"panicked at (?:'(?P<old>.*)', )?(?P<place>[\w./-]+\.rs:[0-9]+)(?::[0-9]+)?")


def read_cargo(data: bytes) -> TestReport:
    """Read what `cargo test` writes to standard output, of one or several targets."""
    nodes: list[ReportedOutcome] = []
    named: dict[str, ReportedOutcome] = {}
    announced: int | None = None
    current: ReportedOutcome | None = None
    for line in of.lines_of_report(data):
        if start := _CARGO_START.match(line):
            announced, current, named = (announced or 0) + int(start["number"]), None, {}
        elif test := _CARGO_TEST.match(line):
            node = named[test["name"]] = ReportedOutcome(name=test["name"], outcome=_OUTCOMES[test["outcome"]])
            node.message = test["why"].removeprefix(",").strip() if node.outcome == "skipped" else ""
            of.add_result(nodes, node)
        elif detail := _CARGO_DETAIL.match(line):
            current = named.get(detail["name"])
        elif line == "failures:" or line.startswith("test result:"):
            current = None
        elif current and len(current.detail) < of.MAX_DETAIL_LENGTH:
            current.detail += f"{line}\n"
    for node in nodes:
        _read_panic(node)
    return _counted_report(nodes if announced is not None else [], announced, "`cargo test`")


def _counted_report(nodes: list[ReportedOutcome], announced: int | None, tool: str) -> TestReport:
    if announced is None and not nodes:
        return TestReport(problem=f"there are no results of {tool} in what the command wrote", is_void=True)
    problem = "the report breaks off" if announced is None else ""
    if announced is not None and announced != len(nodes):
        problem = f"the report announces {count(announced, 'test')} and has {len(nodes)}"
    return TestReport(results=tuple(of.flatten(nodes)), problem=problem)


def _read_panic(node: ReportedOutcome) -> None:
    node.detail = node.detail.partition("stack backtrace:")[0].strip()
    if panic := _CARGO_PANIC.search(node.detail):
        after = node.detail[panic.end() :].partition("\n")[2]
        lines = [line.strip() for line in after.split("\n") if line.strip() and not line.startswith("note:")]
        node.message = panic["old"] or " ".join(lines)
        node.place = panic["place"].rpartition("/")[2]


# ---------------------------------------------------------------- Unity

_UNITY_COLOR = r"(?:\x1b\[[0-9;]{1,9}m)?"
_UNITY = lazy_regex(
    r"(?<=[^:\n]):(?P<line>[0-9]{1,7}):(?P<name>[^:\n]{1,300}):"
    rf"{_UNITY_COLOR}(?P<outcome>PASS(?={_UNITY_COLOR}\Z)|FAIL|IGNORE){_UNITY_COLOR}(?::\s?(?P<why>.*))?\Z"
)
"""searched for: what a program has written without a line's end stands before it, and nothing stands after `PASS`"""
_UNITY_END = lazy_regex(r"\A(?P<number>[0-9]{1,7}) Tests [0-9]{1,7} Failures [0-9]{1,7} Ignored")
_UNITY_VALUES = lazy_regex(
    r"\A\s*Expected (?P<wanted>.{1,400}?) Was (?P<found>'.{0,400}'|.{1,400}?)(?:\.\s+(?P<why>.*))?\Z"
)


def read_unity(data: bytes) -> TestReport:
    """Read what Unity for C writes: a line for each test, and its counts at the end."""
    nodes: list[ReportedOutcome] = []
    announced: int | None = None
    for line in of.lines_of_report(data):
        if test := _UNITY.search(line):
            node = ReportedOutcome(name=test["name"], outcome=_OUTCOMES[test["outcome"]], detail=line)
            file = line[: test.start()].rpartition(":")[2].rpartition("/")[2]
            node.place, node.message = f"{file[-100:].strip()}:{test['line']}", test["why"] or ""
            if values := _UNITY_VALUES.match(node.message):
                node.found, node.wanted, node.message = values["found"], values["wanted"], values["why"] or ""
            of.add_result(nodes, node)
        elif end := _UNITY_END.match(line):
            announced = (announced or 0) + int(end["number"])
    return _counted_report(nodes, announced, "Unity")
