"""One sentence for each deviation, as a student reads it.

What is said of a long text is seen in an excerpt: some lines behind the first difference. A remark on a wrong line,
such as a comma for the point or decimals that a division of whole numbers has lost, is made only where that alone makes
the difference.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import ROUND_DOWN, ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from itertools import islice, pairwise, zip_longest
from operator import ne

from msgspec import Struct

from grader.core.deviations.normalise import (
    each_line,
    ended,
    is_blank,
    level,
    line_count,
    newlines_at_end,
    normal,
    numbered,
    pieces,
)
from grader.core.deviations.prompts import answer_of_line, is_prompt
from grader.core.deviations.search import MAX_SEARCHED, equal_ends, surplus_lines
from grader.core.deviations.table import DEVIATIONS, RANKS, TEXT_KINDS, Kinds
from grader.core.lazy import lazy_regex
from grader.core.model.spec import STREAMS
from grader.core.text import capital, common_length, count, listed, quote, quote_difference

_EXAMPLES = 3
"""lines quoted as examples"""
_MAX_AHEAD = 20
"""lines further on among which one is looked for that is not in its place"""
_MAX_EXCERPT = 2**16
"""bytes of a long text in which something is looked for to be quoted"""
_MAX_ROWS = 2**16
"""lines in which the first one is looked for that is wrong"""
_WINDOW = 2**10
"""bytes before the difference of a line that is longer than that"""
_MAX_SORTED = 4000
"""bytes of two outputs whose lines may be numbers that were sorted as texts"""
_AMOUNTS: Mapping[str, tuple[str, str]] = {
    "duplicates": ("repeats", "line"),
    "extra-lines": ("has", "extra line"),
    "missing-lines": ("lacks", "line"),
}
"""kinds whose lines can be counted"""
EXCHANGED: Kinds = frozenset({"duplicates", "missing-lines"})
"""what a line is that stands in the place of another one and is expected elsewhere"""

_Row = tuple[int, bytes, bytes]
"""the number of a line, the line, and its normal form"""


class _Excerpt(Struct, frozen=True):
    """Two texts from the line on in which they first differ."""

    before: int
    """equal lines before that"""
    actual: bytes
    expected: bytes
    is_cut: tuple[bool, bool] = (False, False)

    def rows(self, overlooked: Kinds) -> Iterator[Iterator[_Row]]:
        """Iterate over the lines of each."""
        return (numbered(text, overlooked, self.before) for text in (self.actual, self.expected))


def _excerpt(actual: bytes, expected: bytes) -> _Excerpt:
    start, _ = equal_ends(actual, expected)
    before = actual.count(b"\n", 0, start)
    if max(len(actual), len(expected)) - start <= MAX_SEARCHED:
        return _Excerpt(before, actual[start:], expected[start:])
    start = max(start, common_length(actual, expected) - _WINDOW)
    is_cut = len(actual) - start > _MAX_EXCERPT, len(expected) - start > _MAX_EXCERPT
    one, other = (text[start : start + _MAX_EXCERPT] for text in (actual, expected))
    return _Excerpt(before, one, other, is_cut)


def describe_kinds(actual: bytes, expected: bytes, kinds: Kinds, where: str) -> Iterator[tuple[str, str]]:
    """Iterate over `kinds`, in the order of the language, each with the sentence about it; `where` is the text."""
    exchanged = ""
    if kinds - TEXT_KINDS == EXCHANGED and only_wrong_line(actual, expected):
        exchanged = wrong_text(actual, expected, where)
    for kind in sorted(kinds, key=RANKS.__getitem__):
        if exchanged and kind in EXCHANGED:
            yield kind, exchanged if kind == "duplicates" else "The expected line is missing instead."
        else:
            yield kind, _describe(kind, actual, expected, kinds, where)


def _describe(kind: str, actual: bytes, expected: bytes, kinds: Kinds, where: str) -> str:
    overlooked = kinds & TEXT_KINDS
    if kind == "order" and kinds <= TEXT_KINDS | {"order"}:
        found = ""
        if max(len(actual), len(expected)) <= _MAX_SORTED:
            found = sorted_as_text(actual.split(), expected.split())
        why = f"{found.removeprefix(': ')}; " if found else ""
        rows = _excerpt(actual, expected).rows(overlooked)
        return f"The lines are in the wrong order: {why}{_describe_parting(where, *rows)}"
    if kind in _AMOUNTS:
        one, other = (expected, actual) if kind == "missing-lines" else (actual, expected)
        have, want = _level_forms(other, one, overlooked)
        early = "stops early; it " if kind == "missing-lines" and want.startswith(have) else ""
        verb, noun = _AMOUNTS[kind]
        return f"{capital(where)} {early}{verb} {_beyond(one, other, overlooked, noun)}."
    if DEVIATIONS[kind].label and (pair := _pair(kind, actual, expected, overlooked)):
        number, line, wanted = pair
        one_shown, other_shown = quote_difference(line, wanted, blanks=kind != "letter-case")
        tabs = " (→ is a tab)" if "→" in one_shown + other_shown and b"\t" in line + wanted else ""
        told = f"line {number} of {where} is {one_shown}, expected {other_shown}"
        return f"{DEVIATIONS[kind].label}{tabs}: {told}."
    return _describe_generally(kind, actual, expected, overlooked, where)


def only_wrong_line(actual: bytes, expected: bytes) -> bool:
    """Whether two texts differ in a single line, blanks and capitals ignored, which stands for another one."""
    haves, wants = ([form for *_, form in numbered(text, TEXT_KINDS)] for text in (actual, expected))
    return len(haves) == len(wants) and sum(map(ne, haves, wants)) == 1


def describe_kinds_left(
    mended: bytes, expected: bytes, kinds: Kinds, where: str, *, written: bytes = b""
) -> Iterator[tuple[str, str]]:
    """Describe the differences that remain. A line is quoted only if it stands so in what was `written`."""
    overlooked = kinds & TEXT_KINDS
    for kind in sorted(kinds, key=RANKS.__getitem__):
        sentence = _describe_generally(kind, mended, expected, overlooked, where)
        if kind == "extra-lines":
            lines = {line.strip() for line in each_line(written)}
            extra = islice(_unmatched(mended, expected, overlooked), _EXAMPLES)
            quoted = [quote(line) for _, line, _ in extra if line.strip() in lines]
            total = len(surplus_lines(*_level_forms(mended, expected, overlooked)))
            sentence = f"{sentence[:-1]} ({listed(quoted, total=total)})." if quoted else sentence
        yield kind, sentence


def _describe_generally(kind: str, actual: bytes, expected: bytes, overlooked: Kinds, where: str) -> str:
    if kind == "order":
        return "The lines are in the wrong order."
    if kind in _AMOUNTS:
        pair = (expected, actual) if kind == "missing-lines" else (actual, expected)
        verb, noun = _AMOUNTS[kind]
        return f"{capital(where)} {verb} {count(len(surplus_lines(*_level_forms(*pair, overlooked))), noun)}."
    if kind == "final-newline":
        kinds = overlooked - {"final-newline"}
        is_missing = newlines_at_end(actual, kinds) < newlines_at_end(expected, kinds)
        return (
            f"The last line of {where} has no newline at its end."
            if is_missing
            else (f"There is one newline too many at the end of {where}.")
        )
    if kind == "line-endings":
        ends = ["a newline alone", "carriage return and newline"]
        written, asked = reversed(ends) if b"\r\n" in actual else ends
        return f"Lines of {where} end with {written}; the assignment asks for {asked}."
    if kind == "blank-lines":
        more = _empty_lines(actual) - _empty_lines(expected)
        amount = f"{count(abs(more), 'empty line')} too {'many' if more > 0 else 'few'}"
        return f"{capital(where)} has {amount if more else 'empty lines in the wrong places'}."
    return f"{DEVIATIONS[kind].label} in {where}."


def _empty_lines(text: bytes) -> int:
    rows = sum(len(piece.translate(None, b" \t\r\v\f").split()) for piece in pieces(text))
    return line_count(text) - rows


def wrong_text(actual: bytes, expected: bytes, where: str, *, forgiven: Kinds = frozenset()) -> str:
    """Say where a text that nothing explains first goes wrong, and not at a kind that is `forgiven` if it can be."""
    if is_blank(expected) and not is_blank(actual):
        told = _lines_in(actual)
        is_stream = where in STREAMS.values()
        total, _, first = told.partition(", ")
        subject = f"Your program wrote {total} to {where}" if is_stream else f"{capital(where)} has {total}"
        return f"{subject}, where nothing is expected: {first}."
    if is_blank(actual) and not is_blank(expected):
        return describe_empty(where, _lines_in(expected))
    return capital(_first_fault(_excerpt(actual, expected), where, forgiven))


def _lines_in(text: bytes) -> str:
    total = line_count(text)
    begin = text.rfind(b"\n", 0, len(text) - len(text.lstrip())) + 1
    line = text[begin : begin + _WINDOW].partition(b"\n")[0]
    return f"{count(total, 'line')}, {listed([quote(line)], total=total)}"


def _first_fault(excerpt: _Excerpt, where: str, forgiven: Kinds) -> str:
    """Say what is wrong first: a line that is missing, one too many, or one that is another.

    What follows a missing line is not wrong for that: a line is looked for a few lines further on, too.
    """
    haves, wants = (list(islice(rows, _MAX_ROWS)) for rows in excerpt.rows(TEXT_KINDS))
    at = wanted_at = 0
    lesser = ""
    while at < len(haves) and wanted_at < len(wants):
        have, want = haves[at], wants[wanted_at]
        if have[2] == want[2] or ("prompt" in forgiven and answer_of_line(have[1], want[2]) is not None):
            at, wanted_at = at + 1, wanted_at + 1
            continue
        more, lacking = _place_of(want[2], haves, at), _place_of(have[2], wants, wanted_at)
        if bool(more) == bool(lacking):
            following = wants[wanted_at + 1][1] if wanted_at + 1 < len(wants) else b""
            return _describe_other_line(have, want, following, where)
        if lacking:
            lines = f"{count(lacking, 'line')} ({listed([quote(want[1])], total=lacking)})"
            fault = f"{where} lacks {lines} before line {have[0]}, {quote(have[1])}."
            is_forgiven = "missing-lines" in forgiven
        else:
            line = f"line {have[0]}, {quote(have[1])}"
            fault = f"{where} has {count(more, 'line')} too many before {quote(want[1])}: {line}."
            asks = all(is_prompt(line) for _, line, _ in haves[at : at + more])
            is_forgiven = "extra-lines" in forgiven or (asks and "prompt" in forgiven)
        if not is_forgiven:
            return fault
        at, wanted_at = at + more, wanted_at + lacking
        lesser = lesser or fault
    is_wanted = wanted_at == len(wants)
    if excerpt.is_cut[is_wanted] or len(wants if is_wanted else haves) == _MAX_ROWS:
        return lesser or f"{where} is not what the assignment asks for."
    if at < len(haves) and "extra-lines" not in forgiven:
        return _describe_parting(where, haves[at:], [])
    if wanted_at < len(wants) and "missing-lines" not in forgiven:
        return _describe_parting(where, [], wants[wanted_at:])
    return lesser or _describe_parting(where, haves, wants)


def _place_of(form: bytes, rows: Sequence[_Row], at: int) -> int:
    """Return how many rows further on there is one with this normal form; 0 when it is none of the next few."""
    ahead = islice(rows, at + 1, at + 1 + _MAX_AHEAD)
    return next((place for place, row in enumerate(ahead, 1) if row[2] == form), 0)


def _describe_other_line(have: _Row, want: _Row, following: bytes, where: str) -> str:
    """Say that a line is another one than the expected, and what it has to do with that and with the `following`."""
    shown, wanted = quote_difference(have[1], want[1])
    if is_joined(have[1], want[1], following):
        return f"the newline after {quote(want[1])} is missing: line {have[0]} of {where} is {quote(have[1])}."
    return f"line {have[0]} of {where} is {shown}, expected {wanted}{remark_on_line(have[1], want[1])}."


def _describe_parting(where: str, haves: Iterable[_Row], wants: Iterable[_Row]) -> str:
    """Say where two texts first differ: "line 3 of standard output is `a`, expected `b`."."""
    for have, want in zip_longest(haves, wants):
        if have is None:
            return f"{where} ends where line {want[0]}, {quote(want[1])}, is expected."
        if want is None:
            return f"line {have[0]} of {where} is {quote(have[1])}, where nothing more is expected."
        if have[2] != want[2]:
            shown, wanted = quote_difference(have[1], want[1])
            return f"line {have[0]} of {where} is {shown}, expected {wanted}."
    return f"{where} is not what the assignment asks for."


def describe_empty(where: str, wanted: str) -> str:
    """Say that a text is empty, or nothing but blanks, where something is wanted."""
    begin = f"Your program wrote nothing to {where}" if where in STREAMS.values() else f"{capital(where)} is empty"
    return f"{begin}; expected: {wanted}."


def wrong_lines(actual: bytes, expected: bytes, where: str) -> str:
    """Say what is wrong with lines whose order does not count."""
    if is_blank(actual) or is_blank(expected):
        return wrong_text(actual, expected, where)
    if max(len(actual), len(expected)) > MAX_SEARCHED:
        return f"{capital(where)} does not contain the expected lines."
    one, other = ended(actual), ended(expected)
    actual, expected = b"".join(surplus_lines(one, other)), b"".join(surplus_lines(other, one))
    lacking, more = _beyond(expected, actual, TEXT_KINDS), _beyond(actual, expected, TEXT_KINDS)
    return f"{capital(where)} lacks {lacking}; unexpected: {more}."


def _beyond(one: bytes, other: bytes, overlooked: Kinds, noun: str = "line") -> str:
    """Name the lines that `one` has beyond those of `other`: their number and the first few."""
    start, _ = equal_ends(one, other)
    one, other = one[start:], other[start:]
    total = len(surplus_lines(*_level_forms(one, other, overlooked)))
    examples = [quote(line) for _, line, _ in islice(_unmatched(one, other, overlooked), min(total, _EXAMPLES))]
    return f"{count(total, noun)} ({listed(examples, total=total)})"


def _pair(kind: str, actual: bytes, expected: bytes, overlooked: Kinds) -> _Row | None:
    """Return the number of a line, the line and the expected one, two that are the same but for `kind`.

    Lines in the same place come first; others are paired by what they say, since some may be missing or moved.
    """
    excerpt = _excerpt(actual, expected)
    rows = *excerpt.rows(overlooked), *excerpt.rows(overlooked - {kind})
    for have, want, shown, wanted_shown in zip(*rows, strict=False):
        if have[2] == want[2] != b"\n" and shown[2] != wanted_shown[2]:
            return *have[:2], want[1]
    one, other = excerpt.actual, excerpt.expected
    wanted: dict[bytes, bytes] = {}
    for _, line, form in _unmatched(other, one, overlooked - {kind}, {kind}):
        wanted.setdefault(form, line)
    for number, line, form in _unmatched(one, other, overlooked - {kind}, {kind}):
        if form in wanted:
            return number + excerpt.before, line, wanted[form]
    return None


def _level_forms(one: bytes, other: bytes, overlooked: Kinds) -> tuple[bytes, bytes]:
    if "final-newline" in overlooked:
        one, other = level(one, other, overlooked)
    return normal(ended(one), overlooked), normal(ended(other), overlooked)


def _unmatched(one: bytes, other: bytes, overlooked: Kinds, more: Kinds | set[str] = frozenset()) -> Iterator[_Row]:
    """Iterate over the rows of `one` that `other` has not, or not so often; their forms overlook some `more` kinds."""
    left = Counter(form for *_, form in numbered(other, overlooked))
    for (number, line, form), (*_, shown) in zip(
        numbered(one, overlooked), numbered(one, overlooked | more), strict=True
    ):
        if left[form] > 0:
            left[form] -= 1
        else:
            yield number, line, shown


# ---------------------------------------------------------------- remarks on a wrong line

_MAX_LINE_LENGTH = 400
"""bytes of a line that is looked at"""
_MIN_SORTED = 3
"""numbers whose order shows that they were sorted"""
_NUMBER = lazy_regex(rb"(?<![\w.])-?[0-9]{1,15}(?:\.[0-9]{1,15})?(?![\w.]*[0-9])")
_WHOLE = lazy_regex(rb"-?[0-9]{1,15}")
_COMMA = lazy_regex(rb"(?<=[0-9]),(?=[0-9])")


def remark_on_line(line: bytes, wanted: bytes) -> str:
    """Return what makes a line differ from the expected one, to be put behind both; "" where that is not known."""
    if max(len(line), len(wanted)) > _MAX_LINE_LENGTH:
        return ""
    line, wanted = line.strip(), wanted.strip()
    if line != wanted and _COMMA.sub(b".", line) == wanted:
        return ": it has a comma where the decimal point is expected"
    if _NUMBER.sub(b"\0", line) != _NUMBER.sub(b"\0", wanted):
        return ""
    pairs = list(zip(_NUMBER.findall(line), _NUMBER.findall(wanted), strict=True))
    if before := sorted_as_text([one for one, _ in pairs], [other for _, other in pairs]):
        return before
    remarks = {remark_on_number(one.decode(), other.decode()) for one, other in pairs if one != other}
    return remarks.pop() if len(remarks) == 1 else ""


def is_joined(line: bytes, wanted: bytes, following: bytes) -> bool:
    """Whether a line is the expected one and goes on with the next expected one: the newline between is missing."""
    line, wanted, following = line.strip(), wanted.strip(), following.strip()
    return bool(wanted and following) and line.startswith(wanted) and line[len(wanted) :].lstrip().startswith(following)


def sorted_as_text(numbers: Sequence[bytes], wanted: Sequence[bytes]) -> str:
    """Say that numbers are in the order of texts where that of numbers is expected; "" where they are not."""
    if len(numbers) < _MIN_SORTED or not all(map(_WHOLE.fullmatch, numbers)) or sorted(numbers) != sorted(wanted):
        return ""
    if list(numbers) != sorted(numbers) or list(wanted) != sorted(numbers, key=int) or numbers == wanted:
        return ""
    first, second = next(pair for pair in pairwise(numbers) if int(pair[0]) > int(pair[1]))
    return f": the numbers are sorted as texts ({quote(first)} before {quote(second)})"


def remark_on_number(number: str, wanted: str) -> str:
    """Say what makes a number differ from the expected one: its decimals; "" where that is not known."""
    one, other = Decimal(number), Decimal(wanted)
    have, want = _decimals(number), _decimals(wanted)
    fewer = Decimal(1).scaleb(-min(have, want))
    long, short = (one, other) if have > want else (other, one)
    if have != want and short in {long.quantize(fewer, how) for how in (ROUND_HALF_EVEN, ROUND_HALF_UP)}:
        return f": it has {count(have, 'decimal') if have else 'no decimals'}, expected {want or 'none'}"
    return remark_on_lost_decimals(one, other)


def remark_on_lost_decimals(number: Decimal, wanted: Decimal) -> str:
    """Say that a whole number is the expected one without its decimals; "" where it is not."""
    if number != wanted and number == wanted.to_integral_value(ROUND_DOWN):
        return ": its decimals are missing (integer division?)"
    return ""


def _decimals(number: str) -> int:
    return len(number.partition(".")[2])
