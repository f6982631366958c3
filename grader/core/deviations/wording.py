"""A few words that are not those expected, in lines whose numbers are.

Unexpected lines are paired with missing expected lines of the same numbers, and compared between the numbers. A line
says the same in other words where words differ, misspelt or others, and most of the line is the same. `Hello there` is
not `Hello world` in other words, nor is a sentence that says the opposite, nor one drawing of `Q` and `.` another.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from functools import partial
from itertools import pairwise, takewhile
from operator import eq

from grader.core.deviations.normalise import bare_rows, each_line
from grader.core.deviations.table import Mended
from grader.core.lazy import lazy_regex
from grader.core.text import name_lookalikes, quote

_PART = lazy_regex(
    rb"(?P<number>(?:(?<![\w.)\]])[-+])?\d++(?:\.\d++)?+)"
    rb"|(?P<word>[A-Za-z\x80-\xff]++(?:'[A-Za-z]++)?+(?:\(e?s\))?+)"
    rb"|[^\s]"
)
_MAX_SENTENCE_LENGTH = 2**16  # bytes of a line that is taken for a sentence
MAX_PARTS = 100  # parts among which those that differ are looked for, between equal ones at the ends of a line
_LANGUAGE_WORD = lazy_regex(rb"(?i)(?=[a-z']*[aeiouy\x80-\xff])[a-z'\x80-\xff]{2,}+(?:\(e?s\))?|a")
_SIGNS = frozenset(b".,:;!?-='\"")  # signs that may come and go with a word
_DECISIVE = frozenset((*b"no not none never nothing cannot without true false yes".split(), b"can't", b"isn't"))
_OPPOSITE = (b"in", b"im", b"un", b"non", b"dis")
_ALIKE = 0.6  # the share of letters that words have in common when one is the other, misspelt
_MAX_LETTERS = 200  # of words that may be others, misspelt: comparing them takes time quadratic in their letters
_MISSPELT, _OTHER = 1, 3  # how many parts that are the same a word asks for
_MAX_DIFFERENT = 3  # different differences of one text
_MAX_EXTRA = 1000  # lines that are not expected, beyond those that are not there
_MAX_COMPARED = 1000  # pairs of lines, those counted once that differ in their numbers alone
_MAX_TRIED = 8  # expected lines with the same numbers that are tried for one line

_Words = tuple[bytes, ...]
_Edit = tuple[int, int, int, int]
"""parts of a line, from one position to before another, and the same of the expected line, which belongs there"""
LineParts = tuple[re.Match[bytes], ...]
_Compared = dict[tuple[_Words, ...], tuple[_Edit, ...] | None]


def parts_of(line: bytes) -> LineParts:
    """Return the parts of a line, its groups `number` and `word` among them; none of one too long for a sentence."""
    return tuple(_PART.finditer(line)) if len(line) <= _MAX_SENTENCE_LENGTH else ()


def _compare_parts(have: _Words, want: _Words) -> tuple[_Edit, ...] | None:
    """Return what makes one line the other, if it says the same; None if it does not.

    The parts of both are given as they are written, but `0` for every number: these are the same.
    """
    first = _equal_parts(have, want) if max(len(have), len(want)) > MAX_PARTS else 0
    last = _equal_parts(have[:first:-1], want[:first:-1]) if first else 0
    middle, wanted = have[first : len(have) - last], want[first : len(want) - last]
    if max(len(middle), len(wanted)) > MAX_PARTS or middle.count(b"0") != wanted.count(b"0"):
        return None
    edits = tuple((first + a, first + b, first + c, first + d) for a, b, c, d in _edits(middle, wanted))
    costs = [_word_cost(have[a:b], want[c:d]) for a, b, c, d in edits]
    changed = {at for start, end, *_ in edits for at in range(start, end)}
    same = sum(part == b"0" or _is_word(part) for at, part in enumerate(have) if at not in changed)
    return edits if all(costs) and sum(costs) <= same else None


def _equal_parts(have: Sequence[bytes], want: Sequence[bytes]) -> int:
    return sum(takewhile(bool, map(eq, have, want)))


def _edits(have: _Words, want: _Words) -> Iterator[_Edit]:
    """Iterate over the edits between one number and the next, and before the first and behind the last."""
    ends = ([-1, *(at for at, part in enumerate(line) if part == b"0"), len(line)] for line in (have, want))
    for (start, end), (wanted_start, wanted_end) in zip(*map(pairwise, ends), strict=True):
        one = [part.lower() for part in have[start + 1 : end]]
        other = [part.lower() for part in want[wanted_start + 1 : wanted_end]]
        for tag, a, b, c, d in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
            if tag != "equal":
                yield start + 1 + a, start + 1 + b, wanted_start + 1 + c, wanted_start + 1 + d


def _word_cost(have: _Words, want: _Words) -> int:
    """Return how many parts that are the same make up for these; 0 when nothing does."""
    one, other = ([part.lower() for part in found if _is_word(part)] for found in (have, want))
    signs = b"".join(part for part in have + want if not _is_word(part))
    if not _SIGNS.issuperset(signs) or not (one or other) or (set(one) ^ set(other)) & _DECISIVE:
        return 0
    written, wanted = b" ".join(one), b" ".join(other)
    if any(prefix + a == b for prefix in _OPPOSITE for a, b in ((written, wanted), (wanted, written))):
        return 0
    is_short = max(len(written), len(wanted)) <= _MAX_LETTERS
    is_misspelt = is_short and SequenceMatcher(None, written, wanted, autojunk=False).ratio() >= _ALIKE
    return (_MISSPELT if is_misspelt else _OTHER) * max(len(one), len(other))


def _is_word(part: bytes) -> bool:
    """Whether this can be a word of a language: with a vowel, and capitals as words have them."""
    letters = part.partition(b"(")[0]
    return bool(_LANGUAGE_WORD.fullmatch(part)) and letters in (letters.lower(), letters.upper(), letters.capitalize())


def mended_wording(actual: bytes, expected: bytes, *_: bytes) -> Iterator[Mended]:
    """Put expected words into lines of `actual` that are paired with missing ones, where only a few are others."""
    wanted_rows, rows = list(bare_rows(expected)), list(bare_rows(actual))
    lacking = Counter(wanted_rows) - Counter(rows)
    waiting = defaultdict[_Words, list[bytes]](list)
    for line, row in zip(each_line(expected), wanted_rows, strict=True):
        if row and lacking[row] > 0:
            lacking[row] -= 1
            waiting[_numbers_of(parts_of(line))].append(line)
    known = {b"", *wanted_rows}
    if not waiting or sum(row not in known for row in rows) > sum(map(len, waiting.values())) + _MAX_EXTRA:
        return
    done = bytearray()
    differences: dict[_Words, None] = {}
    compared: _Compared = {}
    for line, row in zip(each_line(actual), rows, strict=True):
        if row in known:
            done += line
            continue
        if len(compared) > _MAX_COMPARED or len(differences) > _MAX_DIFFERENT:
            return
        done += _reworded_line(line, waiting, compared, differences)
    if 0 < len(differences) <= _MAX_DIFFERENT:
        yield bytes(done), expected, partial(_describe_words, differences)


def _numbers_of(found: LineParts) -> _Words:
    return tuple(part[0] for part in found if part["number"])


def _reworded_line(
    line: bytes, waiting: Mapping[_Words, list[bytes]], compared: _Compared, differences: dict[_Words, None]
) -> bytes:
    """Return the line with the words of an expected one, if that is what it is; else as it was.

    Add what was written and what is expected instead to the `differences`.
    """
    have = parts_of(line)
    candidates = waiting.get(_numbers_of(have), []) if have else []
    for at, wanted in enumerate(candidates[:_MAX_TRIED]):
        want = parts_of(wanted)
        pair = tuple(tuple(b"0" if part["number"] else part[0] for part in found) for found in (have, want))
        if pair not in compared:
            compared[pair] = _compare_parts(*pair)
        if edits := compared[pair]:
            del candidates[at]
            for a, b, c, d in edits:
                differences[_between(line, have, a, b), _between(wanted, want, c, d)] = None
            for a, b, c, d in reversed(edits):
                words = _between(wanted, want, c, d)
                gaps = [_gap(wanted, want, at) for at in (c, d)]
                if a < b:  # its own blanks stay, where there are to be some
                    own = (_gap(line, have, at) for at in (a, b))
                    gaps = [one if bool(one) == bool(other) else other for one, other in zip(own, gaps, strict=True)]
                start = have[a - 1].end() if a else have[0].start()
                end = have[b].start() if b < len(have) else have[-1].end()
                line = line[:start] + gaps[0] + words + (gaps[1] if words else b"") + line[end:]
            return line
    return line


def _between(line: bytes, found: LineParts, start: int, end: int) -> bytes:
    return line[found[start].start() : found[end - 1].end()] if start < end else b""


def _gap(line: bytes, found: LineParts, at: int) -> bytes:
    """Return the blanks before the part at a position, and behind the one before."""
    return line[found[at - 1].end() : found[at].start()] if 0 < at < len(found) else b""


def _describe_words(differences: Mapping[_Words, None]) -> str:
    texts = []
    for written, wanted in differences:
        if written and wanted:
            texts.append(" should be ".join(name_lookalikes((quote(written), quote(wanted)), written, wanted)))
        else:
            texts.append(f"{quote(wanted)} is missing" if wanted else f"{quote(written)} should not be there")
    return f"The numbers are right, but a few words differ: {', '.join(texts)}."
