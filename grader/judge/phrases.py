"""Lines as people read them: words, numbers and the signs between; and whether one says the same in other words.

A part of a line is a number with its sign, a word, or a single other sign; the blanks between them are none. In other
words: words differ, misspelt or others, and most of the line is the same. `Hello there` is not `Hello world` in other
words, nor is a sentence that says the opposite, nor one drawing of `Q` and `.` another.
"""

import re
from dataclasses import dataclass
from difflib import SequenceMatcher

_PART = re.compile(
    rb"(?P<number>(?:(?<![\w.)\]])[-+])?\d++(?:\.\d++)?+)"
    rb"|(?P<word>[A-Za-z\x80-\xff]++(?:'[A-Za-z]++)?+(?:\(e?s\))?+)"
    rb"|[^\s]"
)
_LONGEST = 2000
"""bytes of a line that is taken for a sentence"""
_MOST_PARTS = 100
_WORD = re.compile(rb"(?i)(?=[a-z']*[aeiouy\x80-\xff])[a-z'\x80-\xff]{2,}+(?:\(e?s\))?|a")
_SIGNS = frozenset(b".,:;!?-='\"")
"""signs that may come and go with a word"""
_DECISIVE = frozenset((*b"no not none never nothing cannot without true false yes".split(), b"can't", b"isn't"))
_OPPOSITE = (b"in", b"im", b"un", b"non", b"dis")
_ALIKE = 0.6
"""the share of letters that words have in common when one is the other, misspelt"""
_MISSPELT, _OTHER = 1, 3
"""how many parts that are the same a word asks for"""

Parts = tuple[re.Match[bytes], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """Parts of a line, from one position to before another, and the parts of the expected line that belong there."""

    start: int
    end: int
    wanted_start: int
    wanted_end: int


def parts(line: bytes) -> Parts:
    """Return the parts of a line, with their places in it; none of one that is too long for a sentence."""
    return tuple(_PART.finditer(line)) if len(line) <= _LONGEST else ()


def is_number(part: re.Match[bytes]) -> bool:
    """Whether the part is a number."""
    return part["number"] is not None


def is_word(part: re.Match[bytes]) -> bool:
    """Whether the part is a word, as far as its kind of characters tells."""
    return part["word"] is not None


def reworded(have: tuple[bytes, ...], want: tuple[bytes, ...]) -> tuple[Edit, ...] | None:
    """Return what makes one line the other, if it says the same; None if it does not.

    The parts of both are given as they are written, but `0` for every number: these are the same.
    """
    if max(len(have), len(want)) > _MOST_PARTS or have.count(b"0") != want.count(b"0"):
        return None
    edits = _edits(have, want)
    costs = [_cost(have[edit.start : edit.end], want[edit.wanted_start : edit.wanted_end]) for edit in edits]
    changed = {at for edit in edits for at in range(edit.start, edit.end)}
    same = sum(part == b"0" or _is_word(part) for at, part in enumerate(have) if at not in changed)
    return tuple(edits) if all(costs) and sum(costs) <= same else None


def _edits(have: tuple[bytes, ...], want: tuple[bytes, ...]) -> list[Edit]:
    """Return the edits between one number and the next, and before the first and behind the last."""
    edits = []
    start = wanted_start = 0
    while start <= len(have):
        end, wanted_end = _next_number(have, start), _next_number(want, wanted_start)
        one, other = (
            [part.lower() for part in have[start:end]],
            [part.lower() for part in want[wanted_start:wanted_end]],
        )
        for tag, *span in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
            if tag != "equal":
                edits.append(
                    Edit(
                        start=start + span[0],
                        end=start + span[1],
                        wanted_start=wanted_start + span[2],
                        wanted_end=wanted_start + span[3],
                    )
                )
        start, wanted_start = end + 1, wanted_end + 1
    return edits


def _next_number(found: tuple[bytes, ...], start: int) -> int:
    return next((at for at in range(start, len(found)) if found[at] == b"0"), len(found))


def _cost(have: tuple[bytes, ...], want: tuple[bytes, ...]) -> int:
    """Return how many parts that are the same make up for these; 0 when nothing does."""
    one, other = _words(have), _words(want)
    if one is None or other is None or not (one or other) or (set(one) ^ set(other)) & _DECISIVE:
        return 0
    if len(one) == len(other) == 1 and any(
        prefix + a == b for prefix in _OPPOSITE for a, b in ((one[0], other[0]), (other[0], one[0]))
    ):
        return 0
    alike = SequenceMatcher(None, b" ".join(one), b" ".join(other), autojunk=False).ratio()
    return (_MISSPELT if alike >= _ALIKE else _OTHER) * max(len(one), len(other))


def _words(found: tuple[bytes, ...]) -> list[bytes] | None:
    """Return the words among parts, in small letters; None when there is something else than words and their signs."""
    words = [part.lower() for part in found if _is_word(part)]
    others = [part for part in found if not _is_word(part)]
    return words if _SIGNS.issuperset(b"".join(others)) else None


def _is_word(part: bytes) -> bool:
    """Whether this can be a word of a language: with a vowel, and capitals as words have them."""
    letters = part.partition(b"(")[0]
    return bool(_WORD.fullmatch(part)) and letters in (letters.lower(), letters.upper(), letters.capitalize())
