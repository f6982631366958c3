"""TAP 12 to 14, the Test Anything Protocol, with subtests in all ways; a line that is no TAP is ignored."""

import re
from typing import cast

from msgspec import Struct, field

from grader.core.lazy import lazy_regex
from grader.core.text import count
from grader.kinds.reported_tests import results as of
from grader.kinds.reported_tests.model import ReportedOutcome, TestOutcome, TestReport

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


class _Reading:
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
    reading = _Reading()
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
