"""Reports in the formats of tools: JUnit XML, `go test -json`, `cargo test`, Unity for C, and TAP."""

import json
import re
from codecs import BOM_UTF8
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import cast

from msgspec import Struct, field

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


class _JunitReading:
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
        reading = _JunitReading(nodes)
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


# ---------------- TAP 12 to 14, the Test Anything Protocol, with subtests in all ways; a line that is no TAP is ignored

_POINT = lazy_regex(r"(?P<ok>ok|not ok)\b(?: +(?P<number>[0-9]{1,9}))?(?P<rest>(?:\s.*)?)\Z")
_POINT_BEHIND = lazy_regex(r"(?P<ok>not ok|ok) (?P<number>[0-9]{1,9})(?P<rest>(?:\s.*)?)\Z")
"""searched for in what is no TAP: what a program has written without a line's end stands before it"""
_PLAN = lazy_regex(r"1\.\.(?P<last>[0-9]{1,9})(?:\s*#\s*(?P<directive>.*))?\Z")
_VERSION = lazy_regex(r"TAP version [0-9]+\Z")
_BAIL = lazy_regex(r"Bail out!\s*(?P<why>.*)\Z")
_COMMENT = lazy_regex(r"(?<!\\)#")
_DIRECTIVE = lazy_regex(r"\s*(?P<which>(?i:skip(?:ped)?|todo))\b(?P<why>.*)\Z")
_PAIR = lazy_regex(
    r"(?m)^(?P<indent>[ \t]*)(?P<key>[A-Za-z_][\w-]*):(?:[ \t]+[|>].*(?P<below>(?:\n(?:(?P=indent)[ \t]+.*|[ \t]*$))*)"
    r"|(?:[ \t]+(?P<value>\S.*))?[ \t]*$)"
)
"""of a YAML block: a key with a text on its line, or with lines below it that are further to the right"""
_EQUALITIES = ("==", "===", "equal", "strictEqual", "deepEqual", "deepStrictEqual", "equals")
_SUMMARY = ("Subtest:", "tests ", "pass ", "fail ", "TAP version ")  # begins what is about no point
_ESCAPED = lazy_regex(r"\\([#\\])")


class _Level(Struct, kw_only=True):
    """The test points of one indentation."""

    indent: int
    nodes: list[ReportedOutcome] = field(default_factory=list)
    planned: int | None = None
    is_braced: bool = False  # whether they are between braces, behind the point whose subtests they are


class _TapReading:
    """What was read so far."""

    def __init__(self) -> None:
        self.levels, self.documents = [_Level(indent=0)], list[_Level]()
        self.problem, self.skipped = "", ""  # what is wrong; why a document or a group has no tests
        self.is_tap = False
        self.points: list[ReportedOutcome] = []
        self.last, self.last_indent = cast("ReportedOutcome | None", None), 0
        self.behind: list[re.Match[str]] = []
        """the points behind other text that would be next, until it is known whether these numbers are missing"""
        self.block_indent: int | None = None  # of the YAML block about the last point, while one is open

    def read(self, line: str) -> None:
        """Read a line."""
        written, indent = line.strip(), len(line) - len(line.lstrip(" "))
        if self.block_indent is not None and written == "...":
            self._end_block()
        elif self.block_indent is not None:
            self._add_detail(written if line[: self.block_indent].strip() else line[self.block_indent :])
        elif written == "---" and self.last and indent > self.last_indent:
            self.block_indent, self.last.detail = indent, ""
        elif written == "}" and any(level.is_braced for level in self.levels):
            while not self._end_level().is_braced:
                pass
            self.last = None
        elif point := _POINT.match(written):
            self._add_point(point, indent)
        elif plan := _PLAN.match(written):
            self._set_plan(int(plan["last"]), plan["directive"] or "", indent)
        elif bail := _BAIL.match(written):
            given_up = f"the tests were given up (`Bail out!`){': ' * bool(bail['why'])}{bail['why']}"
            self.problem = self.problem or given_up
        else:
            self._read_remark(written, indent)

    def _read_remark(self, written: str, indent: int) -> None:
        is_comment = written.startswith("#")
        self.is_tap = self.is_tap or bool(_VERSION.match(written))
        point = _POINT_BEHIND.search(written) if len(self.levels) == 1 and not is_comment else None
        if point and int(point["number"]) == len(self.levels[0].nodes) + len(self.behind) + 1:
            self.behind.append(point)
        text = written.removeprefix("#").strip()
        is_about = self.last and self.last.outcome != "passed" and not text.startswith(_SUMMARY)
        if is_about and (indent or is_comment):
            self._add_detail(text)

    def _add_detail(self, text: str) -> None:
        if self.last and len(self.last.detail) <= of.MAX_DETAIL_LENGTH:
            self.last.detail += f"{text}\n"

    def _end_block(self) -> None:
        """Put a YAML block into a result; only its pairs of a key and a text count."""
        self.block_indent, node = None, self.last
        if node is None:
            return
        node.detail = node.detail.removesuffix("\n")[: of.MAX_DETAIL_LENGTH]
        pairs: dict[str, str] = {}
        for pair in _PAIR.finditer(node.detail):
            below = "\n".join(map(str.strip, (pair["below"] or "").split("\n"))).strip()
            if pair["below"] is not None or pair["value"]:
                pairs[pair["key"]] = below if pair["below"] is not None else _unquoted(pair["value"].rstrip())
        node.message = pairs.get("message") or pairs.get("error") or node.message
        if len(node.message) >= of.MAX_DETAIL_LENGTH and not pairs.get("operator"):
            node.message = of.first_line(node.message)
        at = next((pairs[key] for key in ("at", "location", "stack", "source") if pairs.get(key)), "")
        node.place = of.place_in(pairs.get("stack", "")) or of.place_in(at)
        found = pairs.get("actual", pairs.get("got", pairs.get("found")))
        wanted = pairs.get("expected", pairs.get("wanted"))
        if found is not None and wanted is not None and pairs.get("operator", "==") in _EQUALITIES:
            node.found, node.wanted = found, wanted

    def _fill_gap(self, last: int | None) -> None:
        """Add the points behind other text where their numbers are missing up to the `last` one; None for any."""
        points, self.behind = self.behind, []
        if last is None or len(self.levels[0].nodes) + len(points) <= last:
            for point in points:
                self._add_node(self.levels[0], point, [])

    def _begin_document(self) -> None:
        """Begin another document behind one that is complete, as one command after another writes them."""
        first = self.levels[0]
        if first.nodes and first.planned == len(first.nodes):
            self.documents.append(first)
            self.levels[0] = _Level(indent=0)

    def _end_level(self) -> _Level:
        """End the deepest level: its tests are those of the point before its brace, or else of the level above."""
        self._check_plan(level := self.levels.pop())
        if not level.is_braced:
            self.levels[-1].nodes += level.nodes
        elif self.levels[-1].nodes:
            self.levels[-1].nodes[-1].children = level.nodes
        return level

    def _level_at(self, indent: int) -> _Level:
        """Return the level of an indentation, within braces that of these."""
        top = self.levels[-1]
        if top.is_braced and not top.nodes and top.planned is None:
            top.indent = indent
        while len(self.levels) > 1 and self.levels[-2].indent >= indent and not self.levels[-1].is_braced:
            self._end_level()
        if self.levels[-1].indent < indent and len(self.levels) < of.MAX_NESTED_TESTS:
            self.levels.append(_Level(indent=indent))
        return self.levels[-1]

    def _add_point(self, point: "re.Match[str]", indent: int) -> None:
        children: list[ReportedOutcome] = []
        if self.levels[-1].indent > indent and not self.levels[-1].is_braced:  # its subtests stand before it
            while self.levels[-2].indent > indent:
                self._end_level()
            self._check_plan(level := self.levels.pop())
            children = level.nodes
        if not indent and len(self.levels) == 1 and point["number"]:
            number, level = int(point["number"]), self.levels[0]
            self._fill_gap(number - 1 if number > len(level.nodes) else level.planned)
            if number == 1:
                self._begin_document()
        self._add_node(self._level_at(indent), point, children)
        self.last_indent = indent

    def _add_node(self, level: _Level, point: "re.Match[str]", children: list[ReportedOutcome]) -> None:
        words, outcome, why = _read_words(point["rest"], is_ok=point["ok"] == "ok")
        name = words or f"test {point['number'] or len(level.nodes) + 1}"
        self.last = ReportedOutcome(name=name, outcome=outcome, message=why, children=children)
        level.nodes.append(self.last)
        of.add_result(self.points, self.last)
        self.is_tap = True
        if point["rest"].endswith("{") and len(self.levels) < of.MAX_NESTED_TESTS:
            self.levels.append(_Level(indent=level.indent + 1, is_braced=True))

    def _set_plan(self, last: int, directive: str, indent: int) -> None:
        self.is_tap = True
        if not indent and len(self.levels) == 1:
            self._fill_gap(last if self.levels[0].planned is None else self.levels[0].planned)
            self._begin_document()
        level = self._level_at(indent)
        self.problem = self.problem or ("the report has two plans" if level.planned is not None else "")
        level.planned = last if level.planned is None else min(last, level.planned)
        if last == 0:
            self.skipped = self.skipped or directive

    def _check_plan(self, level: _Level) -> None:
        if level.planned not in (None, len(level.nodes)) and not self.problem:
            self.problem = f"the report announces {count(level.planned or 0, 'test')} and has {len(level.nodes)}"

    def finish(self) -> TestReport:
        """Return the report."""
        if self.block_indent is not None:
            self._end_block()
        while len(self.levels) > 1:
            self._end_level()
        top = self.levels[0]
        self._fill_gap(top.planned)
        if not self.is_tap:
            return TestReport(problem="there is no TAP in what the command wrote", is_void=True)
        if top.planned is None and top.nodes:
            self.problem = self.problem or "the report has no plan, so it may break off"
        self._check_plan(top)
        nodes = [node for document in (*self.documents, top) for node in document.nodes]
        if self.skipped and not nodes:
            self.problem = self.problem or f"all tests were skipped: {self.skipped}"
        plans = tuple(document.planned for document in (*self.documents, top) if document.planned is not None)
        return TestReport(results=tuple(of.flatten(nodes)), problem=self.problem, plans=plans, listed=len(nodes))


def read_tap(data: bytes) -> TestReport:
    """Read a report. What is wrong with it is in `problem`."""
    reading = _TapReading()
    for line in of.lines_of_report(data):
        reading.read(line.expandtabs(4))
    return reading.finish()


def _read_words(rest: str, *, is_ok: bool) -> tuple[str, TestOutcome, str]:
    """Read what stands behind `ok` or `not ok`: the name of a test, its outcome, and why."""
    description, *comment = _COMMENT.split(rest.removesuffix("{"), 1)
    words = _ESCAPED.sub(r"\1", description).strip()
    if words == "-" or words.startswith("- "):
        words = words[1:].strip()
    directive = _DIRECTIVE.match(comment[0]) if comment else None
    if directive is None:
        return words, "passed" if is_ok else "failed", ""
    why = directive["why"].strip(" :-")
    return words or why, "todo" if directive["which"].lower() == "todo" else "skipped", why  # some write the name there


def _unquoted(value: str) -> str:
    if len(value) > 1 and value[0] == value[-1] == "'":
        return value[1:-1].replace("''", "'")
    if len(value) > 1 and value[0] == value[-1] == '"':
        return value[1:-1].replace(r"\"", '"').replace(r"\\", "\\")
    return value
