"""Results of tests as trees, since tests are in groups: the names of all, and failures of a group of its own."""

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct, field

from grader.core.lazy import lazy_regex
from grader.kinds.reported_tests.model import ReportedOutcome, TestOutcome

MAX_DETAIL_LENGTH = 8_000
"""characters of what a report says of one test"""
MAX_NAME_LENGTH = 500
SEPARATOR = " > "

_FOLDERS = lazy_regex(r"\A/(?:[^/\n]+/)+")
"""in front of a file's name: they are others for each run"""
_FILE = lazy_regex(r"\A[\w./@+-]{1,200}\.[A-Za-z]{1,5}\Z")
_PLACE = lazy_regex(r"(?P<file>[\w./@+-]{1,200}\.[A-Za-z]{1,5})(?::|, line )(?P<line>[0-9]{1,7})\b")
_MESSAGE = lazy_regex(r"(?m)^(?:Failure|Error) message: (?P<message>.+)$")
_NOT_OURS = ("/usr/", "node:", "internal/", "node_modules/", "/rustc/")


class ResultNode(Struct, kw_only=True):
    """A test, or a group of tests, while a report is read."""

    name: str
    outcome: TestOutcome = "passed"
    message: str = ""
    detail: str = ""
    place: str = ""
    found: str | None = None
    wanted: str | None = None
    prefix: tuple[str, ...] = ()
    """what else distinguishes it from tests of the same name: the package, the class"""
    children: "list[ResultNode]" = field(default_factory=list)


def clean_name(name: str) -> str:
    """Return a name on one line, without the folders of a file, and not longer than names are."""
    return _FOLDERS.sub("", " ".join(name.split()))[:MAX_NAME_LENGTH]


def flatten(nodes: Sequence[ResultNode]) -> Iterator[ReportedOutcome]:
    """Yield the results of the tests in the trees: those that are no groups.

    A group that failed although all its tests passed, as when its clean-up fails, fails these.
    """
    # No recursion: how deep it goes is the report's choice.
    pending: list[tuple[ResultNode, tuple[str, ...], ResultNode | None]] = [
        (node, (), None) for node in reversed(nodes)
    ]
    failing = _failing(nodes)
    while pending:
        node, above, cause = pending.pop()
        path = (*above, clean_name(node.name))
        if node.children:
            if node.outcome in ("failed", "error", "skipped") and not any(id(one) in failing for one in node.children):
                cause = cause or node
            pending += [(child, path, cause) for child in reversed(node.children)]
        else:
            yield _to_result(node, path, cause if node.outcome == "passed" else None)


def _failing(nodes: Sequence[ResultNode]) -> set[int]:
    """Return the ids of the nodes that did not pass, or have such a one below them."""
    ordered = list(nodes)
    for node in ordered:  # it grows while it is walked
        ordered += node.children
    found: set[int] = set()
    for node in reversed(ordered):
        if node.outcome != "passed" or any(id(child) in found for child in node.children):
            found.add(id(node))
    return found


def _to_result(node: ResultNode, path: Sequence[str], cause: ResultNode | None) -> ReportedOutcome:
    shown = [part for part in path if not _FILE.match(part)] or list(path)
    told = cause or node
    message = told.message or ("the group that it is in failed" if cause else _message_in(told))
    detail = told.detail[:MAX_DETAIL_LENGTH]
    return ReportedOutcome(
        name=SEPARATOR.join(shown)[:MAX_NAME_LENGTH],
        full=SEPARATOR.join((*map(clean_name, node.prefix), *path))[: 2 * MAX_NAME_LENGTH],
        outcome=told.outcome,
        message=message[:MAX_DETAIL_LENGTH],
        detail=detail,
        place=told.place or place_in(detail),
        found=told.found,
        wanted=told.wanted,
    )


def _message_in(node: ResultNode) -> str:
    """Return what a report says of a failure among other lines; "" where there is none."""
    if node.outcome not in ("failed", "error"):
        return ""
    named = _MESSAGE.search(node.detail[:MAX_DETAIL_LENGTH])
    return named["message"] if named else first_line(node.detail)


def place_in(text: str) -> str:
    """Return the first line of a file of ours or the student's that a text names, as `sum.js:12`; "" for none."""
    for found in _PLACE.finditer(text[:MAX_DETAIL_LENGTH]):
        before = text[max(0, found.start() - len("node:")) : found.start()]
        if not any(part in f"{before}{found['file']}" for part in _NOT_OURS):
            return f"{found['file'].rpartition('/')[2]}:{found['line']}"
    return ""


def first_line(text: str) -> str:
    """Return the first line of a text that is not blank."""
    return next((line.strip() for line in re.split(r"[\n\r]", text) if line.strip()), "")
