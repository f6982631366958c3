"""Which deviations a case can have at all: what its expectations could name, whatever a program does."""

import re
from collections.abc import Iterator, Mapping

from grader.judge.normal import TEXT_KINDS
from grader.judge.shapes import LINE_KINDS
from grader.load.dialogue import checks_something
from grader.model import Case, Comparator, Expected
from grader.patterns import matches

Kinds = frozenset[str]

_WRONG: Kinds = frozenset({"wrong"})
_LISTINGS = frozenset({"prompt", "zero-based", "one-based", "reversed", "transposed", "wrong-count", "wording"})
_WHOLE = TEXT_KINDS | LINE_KINDS | _LISTINGS | _WRONG
_KINDS: Mapping[Comparator, Kinds] = {
    "text": _WHOLE,
    "lines": _WHOLE - {"final-newline"},
    "contains": TEXT_KINDS | _WRONG,
    "tokens": frozenset({"letter-case", "wrong"}),
    "numbers": _WRONG,
    "json": _WRONG,
    "regex": _WRONG,
    "check": _WRONG,
    "any": frozenset(),
}
_LINEWISE = ("text", "lines")
_ASSERTIONS = re.compile(r"\(\?|\\[bBAZ1-9]")
_ALL = "".join(map(chr, range(0x180)))


def reachable(case: Case) -> Kinds:
    """Return the deviations that a program can have in a case; none when nothing that it does can be wrong."""
    return frozenset(kind for kinds in _reachable(case) for kind in kinds)


def _reachable(case: Case) -> Iterator[Kinds]:
    streams = [stream for stream in (case.expect.stdout, case.expect.stderr) if stream is not None]
    for stream in streams:
        yield of_text(stream)
    asking = [stream for stream in streams if asks_for_something(stream)]
    if asking:
        yield frozenset({"wrong-stream"})
    if asking and all(stream.how in _LINEWISE for stream in streams if stream.how != "any"):
        yield frozenset({"split-streams"})
    if case.expect.exit != "any":
        yield frozenset({"exit-status"})
    if case.expect.files:
        yield _WRONG
        if case.expect.files.same:
            yield _WHOLE
    if case.dialogue and checks_something(case.dialogue):
        yield frozenset({"wrong", "unflushed"})
    if case.functions:
        yield _WRONG
        if case.functions.returns and case.functions.returns.text:
            yield of_text(case.functions.returns.text)


def of_text(expected: Expected) -> Kinds:
    """Return the deviations that a comparator can name of a text."""
    kinds = _KINDS[expected.how]
    if not expected.ordered:
        kinds -= {"order"}
    if expected.how == "regex" and expected.want and matches_everything(expected.want[0]):
        return frozenset()
    if expected.how in _LINEWISE and expected.want is not None:
        kinds -= _out_of_reach([line for text in expected.want for line in text.splitlines()])
    return kinds


def _out_of_reach(lines: list[str]) -> Kinds:
    """Return the kinds of lines that a text is too short for."""
    if not any(line.strip() for line in lines):
        return LINE_KINDS | _LISTINGS | {"letter-case"}
    missing = {"missing-lines"} if len(lines) == 1 else set()
    return frozenset(missing | ({"order"} if len(set(lines)) == 1 else set()))


def asks_for_something(expected: Expected) -> bool:
    """Whether an empty text would be wrong, so that the right one can be on the other stream."""
    match expected.how:
        case "any":
            return False
        case "regex":
            return not (expected.want and re.search(expected.want[0], ""))
        case "check":
            return True
        case _:
            return expected.want is None or any(text.strip() for text in expected.want)


def matches_everything(pattern: str) -> bool:
    """Whether a pattern certainly matches somewhere in any text; False when that is hard to tell.

    Without assertions, what matches an empty text matches at the start of each. Anchors are tried on odd texts.
    """
    if not re.search(pattern, "") or _ASSERTIONS.search(pattern.removeprefix("(?s)").removeprefix("(?m)")):
        return False
    if not re.search(r"[\^$]", pattern):
        return True
    odd = ("\n", "a\nb\n", "\n\n", _ALL, _ALL + "\n" + _ALL, pattern, pattern * 2 + "\n", "x" * 5000)
    return all(matches(pattern, text.encode()) for text in odd)
