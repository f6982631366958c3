"""Listings of tuples: numbers that are all one off, backwards, or columns for rows; and the line that counts them.

A tuple has two numbers or more: in brackets of any kind, wherever they stand, or alone on a line. Where there are such,
a single number in brackets and alone on its line is one too. A number in a sentence is none, so that the 2 of
`4-Queens has 2 solutions` is left alone. Blanks and brackets stay as they were written.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby, pairwise, takewhile
from operator import eq

from grader.core.deviations.search import bare, bare_rows, each_line, ended, is_blank, last_sign
from grader.core.deviations.table import Mended
from grader.core.lazy import lazy_call, lazy_regex
from grader.core.text import name_lookalikes, quote

_SequenceMatcher = lazy_call("difflib", "SequenceMatcher")
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
_Edit = tuple[int, int, int, int]  # parts of a line, and those of the expected line which belong in their place
LineParts = tuple[re.Match[bytes], ...]
_Compared = dict[tuple[_Words, ...], tuple[_Edit, ...] | None]


def parts_of(line: bytes) -> LineParts:
    """Return the parts of a line, with the groups `number` and `word`; none of a line too long for a sentence."""
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
        written = [part.lower() for part in have[start + 1 : end]]
        wanted = [part.lower() for part in want[wanted_start + 1 : wanted_end]]
        for tag, a, b, c, d in _SequenceMatcher(None, written, wanted, autojunk=False).get_opcodes():
            if tag != "equal":
                yield start + 1 + a, start + 1 + b, wanted_start + 1 + c, wanted_start + 1 + d


def _word_cost(have: _Words, want: _Words) -> int:
    """Return how many parts that are the same make up for these; 0 when nothing does."""
    words, expected = ([part.lower() for part in parts if _is_word(part)] for parts in (have, want))
    signs = b"".join(part for part in have + want if not _is_word(part))
    if not _SIGNS.issuperset(signs) or not (words or expected) or (set(words) ^ set(expected)) & _DECISIVE:
        return 0
    written, wanted = b" ".join(words), b" ".join(expected)
    if any(prefix + a == b for prefix in _OPPOSITE for a, b in ((written, wanted), (wanted, written))):
        return 0
    is_short = max(len(written), len(wanted)) <= _MAX_LETTERS
    is_misspelt = is_short and _SequenceMatcher(None, written, wanted, autojunk=False).ratio() >= _ALIKE
    return (_MISSPELT if is_misspelt else _OTHER) * max(len(words), len(expected))


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
    if 0 < len(differences) <= _MAX_DIFFERENT and b"".join(rows) != b"".join(wanted_rows):  # else only line ends lack
        yield bytes(done), expected, partial(_describe_words, differences)


def _numbers_of(parts: LineParts) -> _Words:
    return tuple(part[0] for part in parts if part["number"])


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
        pair = tuple(tuple(b"0" if part["number"] else part[0] for part in parts) for parts in (have, want))
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
                    gaps = [old if bool(old) == bool(new) else new for old, new in zip(own, gaps, strict=True)]
                start = have[a - 1].end() if a else have[0].start()
                end = have[b].start() if b < len(have) else have[-1].end()
                line = line[:start] + gaps[0] + words + (gaps[1] if words else b"") + line[end:]
            return line
    return line


def _between(line: bytes, parts: LineParts, start: int, end: int) -> bytes:
    return line[parts[start].start() : parts[end - 1].end()] if start < end else b""


def _gap(line: bytes, parts: LineParts, at: int) -> bytes:
    """Return the blanks before the part at a position, and behind the one before."""
    return line[parts[at - 1].end() : parts[at].start()] if 0 < at < len(parts) else b""


def _describe_words(differences: Mapping[_Words, None]) -> str:
    texts = (
        " should be ".join(name_lookalikes((quote(have), quote(want)), have, want))
        if have and want
        else (f"{quote(want)} is missing" if want else f"{quote(have)} should not be there")
        for have, want in differences
    )
    return f"The numbers are right, but a few words differ: {', '.join(texts)}."


# Possessive throughout: numbers and gaps never share a character, so there is nothing to go back to.
# -0 is none: no index is one off from it.
_NUMBER = rb"(?!-0++(?!\d))-?+\d{1,9}+(?!\d)"
_NUMBERS = _NUMBER + rb"(?:(?:[ \t]*+[,;|][ \t]*+|[ \t]++)" + _NUMBER + rb")++"
_CLOSING = rb"(?=[ \t]*+,?[ \t]*+[)\]}>])"
_LINE_END = rb"[ \t]*+\r?(?:\n|\Z)"
_IN_BRACKETS = rb"(?m)(?<=[(\[{<])[ \t]*+" + _NUMBERS + _CLOSING
_ON_A_LINE = rb"^[ \t]*+" + _NUMBERS + rb"(?=[ \t]*+[,;|]?" + _LINE_END + rb")"
_SINGLE = rb"^[ \t]*+[(\[{<][ \t]*+" + _NUMBER + rb"(?=[ \t]*+,?[ \t]*+[)\]}>]" + _LINE_END + rb")"

_TUPLE_OF_SEVERAL = lazy_regex(_IN_BRACKETS + rb"|" + _ON_A_LINE)
TUPLE = lazy_regex(_IN_BRACKETS + rb"|" + _ON_A_LINE + rb"|" + _SINGLE)  # a tuple without the closing bracket
_WHOLE_NUMBER = lazy_regex(_NUMBER)
_PADDED = lazy_regex(rb" *+" + _NUMBER)
_MAX_LENGTH = 2**18  # bytes of a tuple; a longer one is not turned

_Turning = Callable[[bytes], bytes]  # Returns a tuple with its numbers changed; empty when that cannot be done.


def _shifted(numbers: bytes, by: int, *, in_columns: bool = False) -> bytes:
    """Add to every number; `in_columns`, it stays as wide as it was, blanks before it included, as `%3d` does."""

    def shifted(field: re.Match[bytes]) -> bytes:
        number = b"%d" % (int(field[0]) + by)
        blanks = field[0][: -len(field[0].lstrip())]
        if not (blanks and in_columns):
            return blanks + number
        return number.rjust(max(len(field[0]), len(number) + (field.start() > 0)))

    return _PADDED.sub(shifted, numbers)


def _replaced(pattern: re.Pattern[bytes], text: bytes, replacements: list[bytes]) -> bytes:
    """Return a text with these in place of the matches of a pattern, one after the other."""
    rest = iter(replacements)
    return pattern.sub(lambda _: next(rest), text)


def _backwards(numbers: bytes) -> bytes:
    return _replaced(_WHOLE_NUMBER, numbers, _WHOLE_NUMBER.findall(numbers)[::-1])


def _inverse(numbers: bytes) -> bytes:
    values = list(map(int, _WHOLE_NUMBER.findall(numbers)))
    least = min(values)
    order = range(least, least + len(values))
    if least not in (0, 1) or sorted(values) != list(order):
        return b""
    places = dict(zip(values, order, strict=True))
    return _replaced(_WHOLE_NUMBER, numbers, [b"%d" % places[value] for value in order])


def _turn_all(text: bytes, turn: _Turning) -> bytes:
    """Return `text` with every tuple turned; empty when there is one that cannot be."""
    turned = [turn(match[0]) if len(match[0]) <= _MAX_LENGTH else b"" for match in TUPLE.finditer(text)]
    return _replaced(TUPLE, text, turned) if all(turned) else b""


def _mended_tuples(
    sentence: str, make: _Turning, mend: tuple[_Turning, ...], actual: bytes, expected: bytes, *_: bytes
) -> Iterator[Mended]:
    """Take a kind back in every tuple of `actual`, in each way; `make` makes it.

    If the rest can be explained, all expected lines are there, or all lines that are there are expected: the first
    tuple of one text is, but for the deviation, anywhere in the other.
    """
    firsts = ((mend[0], actual, expected), (make, expected, actual))
    tuples = [(turn, _TUPLE_OF_SEVERAL.search(text), whole) for turn, text, whole in firsts]
    if not all(match for _, match, _ in tuples) or not any(
        match and (mended := _turn_all(match[0], turn)) and bare(mended) in bare(whole) for turn, match, whole in tuples
    ):
        return
    seen = {actual, b""}
    for turn in mend:
        text = _turn_all(actual, turn)
        if text not in seen:
            seen.add(text)
            yield text, expected, partial(_describe_tuples, sentence, actual, turn)


def _describe_tuples(sentence: str, actual: bytes, turn: _Turning) -> str:
    changed = next(match for match in TUPLE.finditer(actual) if turn(match[0]) != match[0])
    line = actual[actual.rfind(b"\n", 0, changed.start()) + 1 :].partition(b"\n")[0]
    return f"{sentence}: {quote(line)} should be {quote(_turn_all(line, turn) or line)}."


def _mender_of_shifts(sentence: str, by: int) -> partial[Iterator[Mended]]:
    ways = tuple(partial(_shifted, by=by, in_columns=in_columns) for in_columns in (False, True))
    return partial(_mended_tuples, sentence, partial(_shifted, by=-by), ways)


mended_from_zero = _mender_of_shifts("Every number of the listing is one too small", 1)
mended_from_one = _mender_of_shifts("Every number of the listing is one too large", -1)
mended_backwards = partial(_mended_tuples, "Every tuple is written backwards", _backwards, (_backwards,))
mended_columns = partial(_mended_tuples, "Rows and columns are exchanged in every tuple", _inverse, (_inverse,))


# ---------------------------------------------------------------- the line that counts a listing
#
# It is the first or the last line of what is expected, a sentence with a number: that of the other lines, of the
# tuples, or of the blocks that empty lines part. Where no line states such a number, no number is a count.

_MIN_ROWS = 2  # lines that make a listing when they are no tuples, or a listing with the line that states its number
_ANY_BLANKS = rb"[ \t]*+"


def mended_count(actual: bytes, expected: bytes, *_: bytes) -> Iterator[Mended]:
    """Put the right number into the line of `actual` that states the count, if it states another one."""
    for line, at in _counts(expected):
        matches = list(re.finditer(_counting_line(line, at), actual))
        if not matches or any(match[1] == at[0] for match in matches) or not _is_amount(at[0], expected, line):
            continue
        last = matches[-1]
        if not all(map(is_blank, (actual[: last.start()], actual[last.end() :]))):
            text = actual[: last.start(1)] + at[0] + actual[last.end(1) :]
            yield text, expected, partial(str, f"The stated count is wrong: {quote(last[0])}, expected {quote(line)}.")


def mended_summary(actual: bytes, expected: bytes) -> Iterator[Mended]:
    """Put the line that states the count at its end of `actual`: instead of a similar line, or where there is none.

    It is for listings that nothing else explains, and for empty ones, whose line says 0.
    """
    rows = [row for row in map(bytes.strip, actual.splitlines()) if row]
    known = {bare(row.strip()) for row in each_line(expected)}
    is_of_tuples = TUPLE.search(expected) is not None
    is_empty = len(known - {b""}) == 1
    for line, at in _counts(expected):
        is_count = at[0] == b"0" if is_empty else _is_amount(at[0], expected, line)
        if len(rows) < _MIN_ROWS - 1 or bare(line) in map(bare, rows) or not is_count:
            continue
        is_last = last_sign(expected) < expected.rfind(line) + len(line)
        stated = rows[-1 if is_last else 0]
        if bare(stated) in known:
            text = b"".join((ended(actual), line, b"\n") if is_last else (line, b"\n", actual))
            yield text, expected, partial(str, f"The line that states the count is missing: {quote(line)}.")
        elif (len(rows) >= _MIN_ROWS or is_empty) and _is_meant_as(line, stated, is_of_tuples, is_empty=is_empty):
            start = actual.rfind(stated) if is_last else actual.find(stated)
            text = b"".join((actual[:start], line, actual[start + len(stated) :]))
            sentence = f"The line that states the count is wrong: {quote(stated)}, expected {quote(line)}."
            yield text, expected, partial(str, sentence)


def _is_meant_as(line: bytes, stated: bytes, is_of_tuples: bool, *, is_empty: bool) -> bool:  # noqa: FBT001 - private
    """Whether a line states some number in words: any words in a listing of tuples, else most of those of `line`.

    Any words as well where nothing is listed, and where it says 0 and no other number than `line`.
    """
    have, words = ([part["word"].lower() for part in parts_of(row) if part["word"]] for row in (stated, line))
    numbers, expected = ({part[0] for part in parts_of(row) if part["number"]} for row in (stated, line))
    if not have or not numbers or TUPLE.search(stated):
        return False
    says_none = is_empty and {b"0"} <= numbers <= expected
    return is_of_tuples or says_none or 2 * (Counter(have) & Counter(words)).total() > len(words)


def _counts(expected: bytes) -> Iterator[tuple[bytes, re.Match[bytes]]]:
    """Iterate over the numbers that may be a count, if they are an amount, each with its line."""
    text = expected.strip()
    for line in dict.fromkeys((text.rpartition(b"\n")[2], text.partition(b"\n")[0])):
        parts = parts_of(line)
        if not any(part["word"] for part in parts) or len(parts) > MAX_PARTS or TUPLE.search(line):
            continue
        is_alone = re.compile(rb"(?<!\d[:/])\d++(?![:/]\d)").match  # no part of a time, a date or a fraction
        yield from ((line, part) for part in parts if part["number"] and is_alone(line, part.start()))


def _is_amount(number: bytes, text: bytes, line: bytes) -> bool:
    """Whether a number is the count of the tuples, or of the lines or blocks besides `line`."""
    are_rows = [row.strip() not in (b"", line.strip()) for row in each_line(text)]
    rows, blocks = sum(are_rows), sum(is_row for is_row, _ in groupby(are_rows))
    if rows >= _MIN_ROWS and number in (b"%d" % rows, b"%d" % (blocks if are_rows.count(False) > 1 else rows)):
        return True
    return number == b"%d" % sum(1 for _ in TUPLE.finditer(text)) != b"0"


def _counting_line(line: bytes, at: re.Match[bytes]) -> bytes:
    """Return a pattern of the line with any number in that place, ignoring blanks and capitals."""
    halves = (line[: at.start()], line[at.end() :])
    before, behind = (_ANY_BLANKS.join(re.escape(part[0]) for part in parts_of(half)) for half in halves)
    number = _ANY_BLANKS + rb"(?<!\d)(\d++)" + _ANY_BLANKS
    return rb"(?mi)^" + _ANY_BLANKS + before + number + behind + _ANY_BLANKS + rb"\r?$"
