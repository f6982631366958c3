"""A few words that are not those expected, in lines whose numbers are.

Lines that are not expected are laid beside expected lines that are not there, with the same numbers in the same order,
and compared between the numbers. What may differ is judged in `phrases`.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from functools import partial

from grader.judge.mending import Mended
from grader.judge.normal import bare, lines
from grader.judge.phrases import Edit, Parts, is_number, parts, reworded
from grader.text import quote

_FEW = 3
"""different differences of one text"""
_MOST_EXTRA = 1000
"""lines that are not expected, beyond those that are not there"""
_MOST_COMPARED = 1000
"""pairs of lines, those counted once that differ in their numbers alone"""
_MOST_TRIED = 8
"""expected lines with the same numbers that one line is laid beside"""

_Differences = dict[tuple[bytes, bytes], None]
"""what was written and what is expected instead, in the order of the text"""
_Waiting = Mapping[tuple[bytes, ...], list[bytes]]
"""numbers -> the expected lines with these that are not there"""
_Compared = dict[tuple[tuple[bytes, ...], tuple[bytes, ...]], tuple[Edit, ...] | None]


def mended_wording(actual: bytes, expected: bytes) -> Iterator[Mended]:
    """Put the expected words into `actual`, where only a few are others."""
    known = Counter(filter(None, map(_row, lines(expected))))
    waiting = _waiting(known, actual, expected)
    left = sum(map(len, waiting.values())) + _MOST_EXTRA
    done: list[bytes] = []
    differences: _Differences = {}
    compared: _Compared = {}
    start = end = 0
    for line in lines(actual) if waiting else ():
        end += len(line)
        row = _row(line)
        if not row or row in known:
            continue
        left -= 1
        if left < 0 or len(compared) > _MOST_COMPARED or len(differences) > _FEW:
            return
        mended = _mended(line, waiting, compared, differences)
        if mended != line:
            done += actual[start : end - len(line)], mended
            start = end
    if 0 < len(differences) <= _FEW:
        text = b"".join((*done, actual[start:]))
        yield Mended(kind="wording", text=text, tell=partial(_message, differences))


def _row(line: bytes) -> bytes:
    return bare(line).strip()


def _waiting(known: Counter[bytes], actual: bytes, expected: bytes) -> _Waiting:
    lacking = known - Counter(filter(known.__contains__, map(_row, lines(actual))))
    waiting = defaultdict[tuple[bytes, ...], list[bytes]](list)
    for line in lines(expected) if lacking else ():
        row = _row(line)
        if lacking[row] > 0:
            lacking[row] -= 1
            waiting[_numbers(parts(line))].append(line)
    return waiting


def _numbers(found: Parts) -> tuple[bytes, ...]:
    return tuple(part[0] for part in found if is_number(part))


def _mended(line: bytes, waiting: _Waiting, compared: _Compared, differences: _Differences) -> bytes:
    """Return the line with the words of an expected one, if that is what it is; else as it was."""
    have = parts(line)
    candidates = waiting.get(_numbers(have), []) if have else []
    for at, wanted in enumerate(candidates[:_MOST_TRIED]):
        want = parts(wanted)
        pair = _without_numbers(have), _without_numbers(want)
        if pair not in compared:
            compared[pair] = reworded(*pair)
        if edits := compared[pair]:
            del candidates[at]
            for edit in edits:
                written = _between(line, have, edit.start, edit.end)
                differences[written, _between(wanted, want, edit.wanted_start, edit.wanted_end)] = None
            return _applied(edits, (line, have), (wanted, want))
    return line


def _without_numbers(found: Parts) -> tuple[bytes, ...]:
    return tuple(b"0" if is_number(part) else part[0] for part in found)


def _between(line: bytes, found: Parts, start: int, end: int) -> bytes:
    return line[found[start].start() : found[end - 1].end()] if start < end else b""


def _applied(edits: tuple[Edit, ...], written: tuple[bytes, Parts], expected: tuple[bytes, Parts]) -> bytes:
    """Return the written line with the edits: its own blanks stay, where there are to be some."""
    (line, have), (wanted, want) = written, expected
    for edit in reversed(edits):
        start = have[edit.start - 1].end() if edit.start else have[0].start()
        end = have[edit.end].start() if edit.end < len(have) else have[-1].end()
        words = _between(wanted, want, edit.wanted_start, edit.wanted_end)
        before, after = _gap(wanted, want, edit.wanted_start), _gap(wanted, want, edit.wanted_end)
        if edit.start < edit.end:
            before = _kept(_gap(line, have, edit.start), before)
            after = _kept(_gap(line, have, edit.end), after) if words else b""
        line = line[:start] + before + words + after + line[end:]
    return line


def _gap(line: bytes, found: Parts, at: int) -> bytes:
    """Return the blanks before the part at a position, and behind the one before."""
    return line[found[at - 1].end() : found[at].start()] if 0 < at < len(found) else b""


def _kept(blanks: bytes, wanted: bytes) -> bytes:
    return blanks if bool(blanks) == bool(wanted) else wanted


def _message(differences: _Differences) -> str:
    told = [_told(written, wanted) for written, wanted in differences]
    return f"A few words differ, and the numbers do not: {', '.join(told)}."


def _told(written: bytes, wanted: bytes) -> str:
    if not wanted:
        return f"{quote(written)} is too much"
    if not written:
        return f"{quote(wanted)} is missing"
    return f"{quote(written)} should be {quote(wanted)}"
