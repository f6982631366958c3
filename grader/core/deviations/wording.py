"""A few words that are not those expected, in lines whose numbers are.

Unexpected lines are paired with missing expected lines, with the same numbers in the same order,
and compared between the numbers.

A part of a line is a number with its sign, a word, or a single other sign; the blanks between them are none. A line
says the same in other words where words differ, misspelt or others, and most of the line is the same. `Hello there` is
not `Hello world` in other words, nor is a sentence that says the opposite, nor one drawing of `Q` and `.` another.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher
from functools import partial
from itertools import takewhile

from grader.core.deviations.normalise import bare_rows, each_line
from grader.core.deviations.table import Mended
from grader.core.lazy import lazy_regex
from grader.core.text import name_lookalikes, quote

_PART = lazy_regex(
    rb"(?P<number>(?:(?<![\w.)\]])[-+])?\d++(?:\.\d++)?+)"
    rb"|(?P<word>[A-Za-z\x80-\xff]++(?:'[A-Za-z]++)?+(?:\(e?s\))?+)"
    rb"|[^\s]"
)
_MAX_SENTENCE_LENGTH = 2**16
"""bytes of a line that is taken for a sentence"""
MAX_PARTS = 100
"""parts of a line among which those that differ are looked for, between equal ones at its beginning and its end; and
parts of a line that states a number"""
_LANGUAGE_WORD = lazy_regex(rb"(?i)(?=[a-z']*[aeiouy\x80-\xff])[a-z'\x80-\xff]{2,}+(?:\(e?s\))?|a")
_SIGNS = frozenset(b".,:;!?-='\"")
"""signs that may come and go with a word"""
_DECISIVE = frozenset((*b"no not none never nothing cannot without true false yes".split(), b"can't", b"isn't"))
_OPPOSITE = (b"in", b"im", b"un", b"non", b"dis")
_ALIKE = 0.6
"""the share of letters that words have in common when one is the other, misspelt"""
_MAX_LETTERS = 200
"""of words that may be others, misspelt"""
_MISSPELT, _OTHER = 1, 3
"""how many parts that are the same a word asks for"""
_MAX_DIFFERENT = 3
"""different differences of one text"""
_MAX_EXTRA = 1000
"""lines that are not expected, beyond those that are not there"""
_MAX_COMPARED = 1000
"""pairs of lines, those counted once that differ in their numbers alone"""
_MAX_TRIED = 8
"""expected lines with the same numbers that are tried for one line"""


_Rewording = tuple[int, int, int, int]
"""parts of a line, from one position to before another, and the same of the expected line, which belongs there"""
LineParts = tuple[re.Match[bytes], ...]
_WordDifferences = dict[tuple[bytes, bytes], None]
"""what was written and what is expected instead, in the order of the text"""
_Waiting = Mapping[tuple[bytes, ...], list[bytes]]
"""numbers -> the expected lines with these that are not there"""
_Compared = dict[tuple[tuple[bytes, ...], tuple[bytes, ...]], tuple[_Rewording, ...] | None]


def parts_of(line: bytes) -> LineParts:
    """Return the parts of a line, its groups `number` and `word` among them; none of one too long for a sentence."""
    return tuple(_PART.finditer(line)) if len(line) <= _MAX_SENTENCE_LENGTH else ()


def _reworded_parts(have: tuple[bytes, ...], want: tuple[bytes, ...]) -> tuple[_Rewording, ...] | None:
    """Return what makes one line the other, if it says the same; None if it does not.

    The parts of both are given as they are written, but `0` for every number: these are the same.
    """
    if have.count(b"0") != want.count(b"0"):
        return None
    first = last = 0
    if max(len(have), len(want)) > MAX_PARTS:
        first, last = _equal_parts(have, want)
    middle, wanted = have[first : len(have) - last], want[first : len(want) - last]
    if max(len(middle), len(wanted)) > MAX_PARTS or middle.count(b"0") != wanted.count(b"0"):
        return None
    edits = [(first + a, first + b, first + c, first + d) for a, b, c, d in _edits(middle, wanted)]
    costs = [_word_cost(have[a:b], want[c:d]) for a, b, c, d in edits]
    changed = {at for start, end, *_ in edits for at in range(start, end)}
    same = sum(part == b"0" or _is_word(part) for at, part in enumerate(have) if at not in changed)
    return tuple(edits) if all(costs) and sum(costs) <= same else None


def _equal_parts(have: tuple[bytes, ...], want: tuple[bytes, ...]) -> tuple[int, int]:
    """Return how many parts are equal at the beginning and at the end."""
    first = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(have, want, strict=False)))
    behind = zip(reversed(have[first:]), reversed(want[first:]), strict=False)
    return first, sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], behind))


def _edits(have: tuple[bytes, ...], want: tuple[bytes, ...]) -> list[_Rewording]:
    """Return the edits between one number and the next, and before the first and behind the last."""
    edits = []
    start = wanted_start = 0
    while start <= len(have):
        end = have.index(b"0", start) if b"0" in have[start:] else len(have)
        wanted_end = want.index(b"0", wanted_start) if b"0" in want[wanted_start:] else len(want)
        one = [part.lower() for part in have[start:end]]
        other = [part.lower() for part in want[wanted_start:wanted_end]]
        for tag, a, b, c, d in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
            if tag != "equal":
                edits.append((start + a, start + b, wanted_start + c, wanted_start + d))
        start, wanted_start = end + 1, wanted_end + 1
    return edits


def _word_cost(have: tuple[bytes, ...], want: tuple[bytes, ...]) -> int:
    """Return how many parts that are the same make up for these; 0 when nothing does."""
    one, other = _plain_words(have), _plain_words(want)
    if one is None or other is None or not (one or other) or (set(one) ^ set(other)) & _DECISIVE:
        return 0
    if len(one) == len(other) == 1 and any(
        prefix + a == b for prefix in _OPPOSITE for a, b in ((one[0], other[0]), (other[0], one[0]))
    ):
        return 0
    return (_MISSPELT if _is_misspelt(b" ".join(one), b" ".join(other)) else _OTHER) * max(len(one), len(other))


def _is_misspelt(have: bytes, want: bytes) -> bool:
    """Whether words are others, misspelt. The comparison takes time quadratic in their letters."""
    if max(len(have), len(want)) > _MAX_LETTERS:
        return False
    return SequenceMatcher(None, have, want, autojunk=False).ratio() >= _ALIKE


def _plain_words(found: tuple[bytes, ...]) -> list[bytes] | None:
    """Return the words among parts, in small letters; None when there is something else than words and their signs."""
    words = [part.lower() for part in found if _is_word(part)]
    others = [part for part in found if not _is_word(part)]
    return words if _SIGNS.issuperset(b"".join(others)) else None


def _is_word(part: bytes) -> bool:
    """Whether this can be a word of a language: with a vowel, and capitals as words have them."""
    letters = part.partition(b"(")[0]
    return bool(_LANGUAGE_WORD.fullmatch(part)) and letters in (letters.lower(), letters.upper(), letters.capitalize())


# ---------------------------------------------------------------- whole texts


def mended_wording(actual: bytes, expected: bytes, *_: bytes) -> Iterator[Mended]:
    """Put expected words into lines of `actual` that are paired with missing ones, where only a few are others."""
    wanted_rows, rows = list(bare_rows(expected)), list(bare_rows(actual))
    lacking = Counter(wanted_rows) - Counter(rows)
    waiting = defaultdict[tuple[bytes, ...], list[bytes]](list)
    for line, row in zip(each_line(expected), wanted_rows, strict=True):
        if row and lacking[row] > 0:
            lacking[row] -= 1
            waiting[_line_numbers(parts_of(line))].append(line)
    left = sum(map(len, waiting.values())) + _MAX_EXTRA
    known = set(wanted_rows)
    done: list[bytes] = []
    differences: _WordDifferences = {}
    compared: _Compared = {}
    for line, row in zip(each_line(actual), rows, strict=True) if waiting else ():
        is_strange = row and row not in known
        left -= bool(is_strange)
        if is_strange and (left < 0 or len(compared) > _MAX_COMPARED or len(differences) > _MAX_DIFFERENT):
            return
        done.append(_reworded_line(line, waiting, compared, differences) if is_strange else line)
    if 0 < len(differences) <= _MAX_DIFFERENT:
        yield b"".join(done), expected, partial(_describe_words, differences)


def _line_numbers(found: LineParts) -> tuple[bytes, ...]:
    return tuple(part[0] for part in found if part["number"])


def _reworded_line(line: bytes, waiting: _Waiting, compared: _Compared, differences: _WordDifferences) -> bytes:
    """Return the line with the words of an expected one, if that is what it is; else as it was."""
    have = parts_of(line)
    candidates = waiting.get(_line_numbers(have), []) if have else []
    for at, wanted in enumerate(candidates[:_MAX_TRIED]):
        want = parts_of(wanted)
        one, other = (tuple(b"0" if part["number"] else part[0] for part in found) for found in (have, want))
        pair = one, other
        if pair not in compared:
            compared[pair] = _reworded_parts(*pair)
        if edits := compared[pair]:
            del candidates[at]
            for a, b, c, d in edits:
                differences[_between(line, have, a, b), _between(wanted, want, c, d)] = None
            return _apply_edits(edits, (line, have), (wanted, want))
    return line


def _between(line: bytes, found: LineParts, start: int, end: int) -> bytes:
    return line[found[start].start() : found[end - 1].end()] if start < end else b""


def _apply_edits(
    edits: tuple[_Rewording, ...], written: tuple[bytes, LineParts], expected: tuple[bytes, LineParts]
) -> bytes:
    """Return the written line with the edits: its own blanks stay, where there are to be some."""
    (line, have), (wanted, want) = written, expected
    for first, last, wanted_first, wanted_last in reversed(edits):
        start = have[first - 1].end() if first else have[0].start()
        end = have[last].start() if last < len(have) else have[-1].end()
        words = _between(wanted, want, wanted_first, wanted_last)
        before, after = _gap(wanted, want, wanted_first), _gap(wanted, want, wanted_last)
        if first < last:
            own, behind = _gap(line, have, first), _gap(line, have, last)
            before = own if bool(own) == bool(before) else before
            after = (behind if bool(behind) == bool(after) else after) if words else b""
        line = line[:start] + before + words + after + line[end:]
    return line


def _gap(line: bytes, found: LineParts, at: int) -> bytes:
    """Return the blanks before the part at a position, and behind the one before."""
    return line[found[at - 1].end() : found[at].start()] if 0 < at < len(found) else b""


def _describe_words(differences: _WordDifferences) -> str:
    texts = []
    for written, wanted in differences:
        if not wanted:
            texts.append(f"{quote(written)} should not be there")
        elif not written:
            texts.append(f"{quote(wanted)} is missing")
        else:
            texts.append(" should be ".join(name_lookalikes((quote(written), quote(wanted)), written, wanted)))
    return f"The numbers are right, but a few words differ: {', '.join(texts)}."
