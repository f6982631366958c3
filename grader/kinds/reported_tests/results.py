"""Results of tests as trees, since tests are in groups: the names of all, and failures of a group of its own."""

import re
from collections.abc import Iterator, Sequence
from io import StringIO
from itertools import islice

from msgspec.structs import replace

from grader.core.lazy import lazy_regex
from grader.kinds.reported_tests.model import ReportedOutcome

MAX_DETAIL_LENGTH, MAX_NAME_LENGTH = 8_000, 500  # characters of a report's text on one test, and of its name
MAX_RESULTS = 20_000  # of a report
MAX_NESTED_TESTS = 32  # groups of tests within each other
SEPARATOR = " > "
_MAX_LINE_LENGTH = 2 * MAX_DETAIL_LENGTH
_MAX_PLACES, _MAX_PLACE_LENGTH = 50, 210  # of lines of files in a text, of which the first not of a framework is sought

_FOLDERS = lazy_regex(r"\A/(?:[^/\n]+/)+")  # in front of a file's name: they are others for each run
_FILE = lazy_regex(r"\A[\w./@+-]{1,200}\.[A-Za-z]{1,5}\Z")
_PLACE = lazy_regex(r"\.[A-Za-z]{1,5}(?=(?::|, line )(?P<line>[0-9]{1,7})\b)")
_BEFORE_ENDING = lazy_regex(r"[\w./@+-]{1,200}\Z")
_MESSAGE = lazy_regex(r"(?m)^(?:Failure|Error) message: (?P<message>.+)$")
_NOT_OURS = ("/usr/", "node:", "internal/", "node_modules/", "/rustc/")


def clean_name(name: str) -> str:
    """Return a name on one line, without the folders of a file, and not longer than names are."""
    return _FOLDERS.sub("", " ".join(name[: 2 * MAX_NAME_LENGTH].split()))[:MAX_NAME_LENGTH]


def join_names(*names: str) -> str:
    """Return names that are clean as one, and not longer than what distinguishes tests is."""
    return SEPARATOR.join(filter(None, names))[: 2 * MAX_NAME_LENGTH]


def lines_of_report(data: bytes) -> Iterator[str]:
    """Yield the lines of a report, whatever bytes it has and however lines end; of a long one its beginning."""
    for line in StringIO(data.decode("utf-8", "backslashreplace").removeprefix("\ufeff")):
        yield line[:_MAX_LINE_LENGTH].rstrip("\r\n")


def add_result(nodes: list[ReportedOutcome], node: ReportedOutcome) -> None:
    """Add a test to a report's results. Raises OverflowError for too many."""
    if len(nodes) >= MAX_RESULTS:
        raise OverflowError
    nodes.append(node)


def flatten(nodes: Sequence[ReportedOutcome]) -> Iterator[ReportedOutcome]:
    """Yield the results of the tests in the trees. A group that failed although its tests passed is their `cause`."""
    # No recursion: how deep it goes is the report's choice.
    pending: list[tuple[ReportedOutcome, tuple[str, ...], ReportedOutcome | None]]
    pending, failing = [(node, (), None) for node in reversed(nodes)], _failing_ids(nodes)
    while pending:
        node, above, cause = pending.pop()
        path = (*above, clean_name(node.name))
        if node.children:
            is_own = node.outcome in ("failed", "error", "skipped") and failing.isdisjoint(map(id, node.children))
            pending += [(child, path, cause or node if is_own else cause) for child in reversed(node.children)]
        else:
            yield _to_result(node, path, cause if node.outcome == "passed" else None)


def _failing_ids(nodes: Sequence[ReportedOutcome]) -> set[int]:
    """Return the ids of the nodes that did not pass, or have such a one below them."""
    ordered, failing = list(nodes), set[int]()
    for node in ordered:  # it grows while it is walked
        ordered += node.children
    for node in reversed(ordered):
        if node.outcome != "passed" or not failing.isdisjoint(map(id, node.children)):
            failing.add(id(node))
    return failing


def _to_result(node: ReportedOutcome, path: Sequence[str], cause: ReportedOutcome | None) -> ReportedOutcome:
    shown, is_wrong = cause or node, (cause or node).outcome in ("failed", "error")
    named = _MESSAGE.search(shown.detail[:MAX_DETAIL_LENGTH]) if is_wrong else None
    written = named["message"] if named else first_line(shown.detail) if is_wrong else ""
    length = MAX_NAME_LENGTH if cause else MAX_DETAIL_LENGTH  # the detail of a group is repeated with each of its tests
    detail = shown.detail[:length]
    return replace(
        shown,
        name=SEPARATOR.join([part for part in path if not _FILE.match(part)] or path)[:MAX_NAME_LENGTH],
        full=join_names(node.prefix, *path),
        message=(shown.message or ("the group that it is in failed" if cause else written))[:length],
        detail=detail,
        place=shown.place or place_in(detail),
        prefix="",
        children=[],
    )


def place_in(text: str) -> str:
    """Return the first place in the course's or student's files that a text names, as `sum.js:12`; "" for none."""
    for match in islice(_PLACE.finditer(text, 0, MAX_DETAIL_LENGTH), _MAX_PLACES):
        before = text[max(0, match.start() - _MAX_PLACE_LENGTH) : match.start()]
        file = _BEFORE_ENDING.search(before)
        if file and not any(part in f"{before[: file.start()][-len('node:') :]}{file[0]}" for part in _NOT_OURS):
            return f"{file[0].rpartition('/')[2]}{match[0]}:{match['line']}"
    return ""


def first_line(text: str) -> str:
    """Return the first line of a text that is not blank."""
    return next((line.strip() for line in re.split(r"[\n\r]", text) if line.strip()), "")
