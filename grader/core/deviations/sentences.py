"""One sentence for each deviation, as a student reads it."""

from collections import Counter, deque
from collections.abc import Callable, Container, Iterator, Mapping
from itertools import islice, zip_longest
from operator import sub

from grader.core.deviations.line_alignment import (
    Places,
    begin_of_difference,
    behind_rows,
    enormous_row,
    equal_ends,
    next_parting,
    part_of_both,
    same_rows,
)
from grader.core.deviations.line_remarks import is_joined, remark_on_line, sorted_as_text
from grader.core.deviations.normalise import (
    TEXT_KINDS,
    Kinds,
    each_line,
    ended,
    first_sign,
    forms,
    is_blank,
    level,
    line_count,
    newlines_at_end,
    normal,
    numbered,
)
from grader.core.deviations.prompts import answer_of_line, is_prompt
from grader.core.deviations.search import MAX_COUNTED, MAX_SEARCHED, lines_beyond, surplus, unshared
from grader.core.model.spec import DEVIATIONS, STREAMS
from grader.core.text import capital, common_length, count, listed, quote, quote_difference, size

_EXAMPLES = 3
"""lines quoted as examples"""
_MAX_AHEAD = 20
"""lines further on among which one is looked for that is not in its place"""
_WINDOW = 2**10
"""bytes of a line on either side of a place of which something is quoted"""
_MAX_SORTED = 4000
"""bytes of two outputs whose lines may be numbers that were sorted as texts"""
_MAX_PAIRED = 1000
"""lines that are compared with the expected ones, for an example"""

_Rows = Iterator[tuple[int, bytes, bytes]]

_IN_PLACE: Mapping[str, str] = {
    "trailing-space": "Spaces at the ends of lines differ",
    "leading-space": "Spaces at the beginnings of lines differ",
    "inner-space": "Spaces within lines differ",
    "letter-case": "Letter case differs",
}
"""kinds of which an example is a line with its expected one"""
_AMOUNTS: Mapping[str, str] = {
    "duplicates": "repeats",
    "extra-lines": "has more than expected:",
    "missing-lines": "lacks",
}
"""kinds whose lines can be counted"""


EXCHANGED: Kinds = frozenset({"duplicates", "missing-lines"})
"""what a line is that stands in the place of another one and is expected elsewhere"""


def describe_kinds(actual: bytes, expected: bytes, kinds: Kinds, where: str) -> Iterator[tuple[str, str]]:
    """Iterate over `kinds`, in the order of the language, each with the sentence about it; `where` is the text."""
    overlooked = kinds & TEXT_KINDS
    unshared_forms: tuple[bytes | None, bytes | None] = None, None
    if len(kinds & _AMOUNTS.keys()) > 1:
        unshared_forms = unshared(*_level_forms(actual, expected, overlooked))
    exchanged = ""
    if kinds - TEXT_KINDS == EXCHANGED and only_wrong_line(actual, expected):
        exchanged = wrong_text(actual, expected, where)
    for kind in sorted(kinds, key=DEVIATIONS.index):
        if exchanged and kind in EXCHANGED:
            yield kind, exchanged if kind == "duplicates" else "So the expected line is missing."
            continue
        pair = _pair(kind, actual, expected, overlooked) if kind in _IN_PLACE else None
        if pair:
            number, line, wanted = pair
            one, other = quote_difference(line, wanted, blanks=kind != "letter-case")
            tabs = " (→ is a tab)" if "→" in one + other and b"\t" in line + wanted else ""
            yield kind, f"{_IN_PLACE[kind]}{tabs}: line {number} of {where} is {one}, expected {other}."
        elif kind in _IN_PLACE or (kind == "order" and not kinds <= TEXT_KINDS | {"order"}):
            yield kind, _general_sentence(kind, actual, expected, overlooked, where)
        else:
            yield kind, _sentence(kind, actual, expected, overlooked, where, unshared_forms=unshared_forms)


def only_wrong_line(actual: bytes, expected: bytes) -> bool:
    """Whether two texts differ in a single line, blanks and capitals ignored, which stands for another one."""
    places = _parting_places(actual, expected, TEXT_KINDS)
    have, want = (next(rows, None) for rows in _rows_behind(places, TEXT_KINDS))
    different = 0
    if have and want and have[2] != want[2]:
        different = 1
        places = next_parting([(text, behind_rows(text, 1, begin)) for text, begin in places], TEXT_KINDS)
    for have, want in zip_longest(*_rows_behind(places, TEXT_KINDS)):
        if have is None or want is None:
            return False
        different += have[2] != want[2]
        if different > 1:
            return False
    return different == 1


def describe_kinds_left(
    mended: bytes, expected: bytes, kinds: Kinds, where: str, *, written: bytes = b""
) -> Iterator[tuple[str, str]]:
    """Describe the differences that remain. A line is quoted only if it stands so in what was `written`."""
    overlooked = kinds & TEXT_KINDS
    for kind in sorted(kinds, key=DEVIATIONS.index):
        sentence = _general_sentence(kind, mended, expected, overlooked, where)
        if kind == "extra-lines" and len(written) <= MAX_SEARCHED:
            lines = {line.strip() for line in each_line(written)}
            extra = islice(_unmatched(mended, expected, overlooked, _unshared_first), _EXAMPLES)
            quoted = [quote(line) for _, line in extra if line.strip() in lines]
            total = surplus(*_level_forms(mended, expected, overlooked))
            sentence = f"{sentence[:-1]} ({listed(quoted, total=total)})." if quoted else sentence
        yield kind, sentence


def _general_sentence(kind: str, actual: bytes, expected: bytes, overlooked: Kinds, where: str) -> str:
    if kind in _IN_PLACE:
        return f"{_IN_PLACE[kind]} in {where}."
    if kind == "order":
        return "The lines are in the wrong order."
    if kind not in _AMOUNTS:
        return _sentence(kind, actual, expected, overlooked, where)
    one, other = (expected, actual) if kind == "missing-lines" else (actual, expected)
    total = surplus(*_level_forms(one, other, overlooked))
    return f"{capital(where)} {_AMOUNTS[kind]} {count(total, 'line')}."


def _sentence(
    kind: str,
    actual: bytes,
    expected: bytes,
    overlooked: Kinds,
    where: str,
    *,
    unshared_forms: tuple[bytes | None, bytes | None] = (None, None),
) -> str:
    match kind:
        case "final-newline":
            kinds = overlooked - {"final-newline"}
            if newlines_at_end(actual, kinds) < newlines_at_end(expected, kinds):
                sentence = f"The last line of {where} has no newline at its end."
            else:
                sentence = f"There is one newline too many at the end of {where}."
        case "line-endings" if b"\r\n" in actual:
            sentence = (
                f"Lines of {where} end with carriage return and newline; the assignment asks for a newline alone."
            )
        case "line-endings":
            sentence = (
                f"Lines of {where} end with a newline alone; the assignment asks for carriage return and newline."
            )
        case "blank-lines":
            _, start = _first_difference(actual, expected)
            more = _empty_lines(actual, start) - _empty_lines(expected, start)
            sentence = f"{capital(where)} has {count(abs(more), 'empty line')} too {'many' if more > 0 else 'few'}."
            sentence = sentence if more else f"{capital(where)} has empty lines in the wrong places."
        case "order":
            why = _describe_order_of_texts(actual, expected)
            sentence = f"The lines are in the wrong order: {why}{_parting(actual, expected, overlooked, where)}"
        case "missing-lines":
            have, want = _level_forms(actual, expected, overlooked)
            early = "stops early; it " if want.startswith(have) else ""
            sentence = f"{capital(where)} {early}lacks {_beyond(expected, actual, overlooked, unshared_forms[1])}."
        case _:
            sentence = f"{capital(where)} {_AMOUNTS[kind]} {_beyond(actual, expected, overlooked, unshared_forms[0])}."
    return sentence


def _describe_order_of_texts(actual: bytes, expected: bytes) -> str:
    """Say that lines that are numbers were sorted as texts, in front of the place where they differ first."""
    if max(len(actual), len(expected)) > _MAX_SORTED:
        return ""
    found = sorted_as_text(actual.split(), expected.split())
    return f"{found.removeprefix(': ')}; " if found else ""


def _empty_lines(text: bytes, begin: int) -> int:
    return sum(map(bytes.isspace, each_line(text, begin)))


def wrong_text(actual: bytes, expected: bytes, where: str, *, forgiven: Kinds = frozenset()) -> str:
    """Say where a text that nothing explains first goes wrong, and not at a kind that is `forgiven` if it can be."""
    if is_blank(expected) and not is_blank(actual):
        total, first = _lines_in(actual)
        is_stream = where in STREAMS.values()
        subject = f"Your program wrote {total} to {where}" if is_stream else f"{capital(where)} has {total}"
        return f"{subject}, where nothing is expected: {first}."
    if is_blank(actual) and not is_blank(expected):
        total, first = _lines_in(expected)
        return describe_empty(where, f"{total}, {first}")
    if (begin := enormous_row(actual, expected)) is not None:
        number, at = actual.count(b"\n", 0, begin) + 1, common_length(actual, expected)
        shown, wanted = quote_difference(*(ended(_window(text, begin, at)) for text in (actual, expected)))
        return f"Line {number} of {where} is {shown}, expected {wanted}."
    return capital(_first_fault(_parting_places(actual, expected, TEXT_KINDS), where, forgiven))


def _first_fault(places: Places, where: str, forgiven: Kinds) -> str:
    """Say what is wrong first: a line that is missing, one too many, or one that is another.

    What follows a missing line is not wrong for that: a line is looked for a few lines further on, too.
    """
    have_rows, want_rows = _rows_behind(places, TEXT_KINDS)
    haves, wants = _Ahead(have_rows), _Ahead(want_rows)
    lesser = ""
    while haves.fill() and wants.fill():
        have, want = haves.rows[0], wants.rows[0]
        if have[2] == want[2] or ("prompt" in forgiven and answer_of_line(have[1], want[2]) is not None):
            haves.drop(1)
            wants.drop(1)
            continue
        more, lacking = haves.place_of(want[2]), wants.place_of(have[2])
        if lacking and not more:
            lines = f"{count(lacking, 'line')} ({listed([quote(want[1])], total=lacking)})"
            fault = f"{where} lacks {lines} before line {have[0]}, {quote(have[1])}."
            is_forgiven = "missing-lines" in forgiven
            wants.drop(lacking)
        elif more and not lacking:
            line = f"line {have[0]}, {quote(have[1])}"
            fault = f"{where} has {count(more, 'line')} too many before {quote(want[1])}: {line}."
            asks = all(is_prompt(line) for _, line, _ in islice(haves.rows, more))
            is_forgiven = "extra-lines" in forgiven or (asks and "prompt" in forgiven)
            haves.drop(more)
        else:
            following = wants.rows[1][1] if len(wants.rows) > 1 else b""
            return _describe_other_line(have, want, following, where)
        if not is_forgiven:
            return fault
        lesser = lesser or fault
    if haves.fill() and "extra-lines" not in forgiven:
        return f"line {haves.rows[0][0]} of {where} is {quote(haves.rows[0][1])}, where nothing more is expected."
    if wants.fill() and "missing-lines" not in forgiven:
        return f"{where} ends where line {wants.rows[0][0]}, {quote(wants.rows[0][1])}, is expected."
    return lesser or _describe_parting(where, *_rows_behind(places, TEXT_KINDS))


def _describe_other_line(
    have: tuple[int, bytes, bytes], want: tuple[int, bytes, bytes], following: bytes, where: str
) -> str:
    """Say that a line is another one than the expected, and what it has to do with that and with the `following`."""
    shown, wanted = quote_difference(have[1], want[1])
    if is_joined(have[1], want[1], following):
        return f"the newline after {quote(want[1])} is missing: line {have[0]} of {where} is {quote(have[1])}."
    return f"line {have[0]} of {where} is {shown}, expected {wanted}{remark_on_line(have[1], want[1])}."


class _Ahead:
    """The next lines of a text, as far as one is looked for that is not in its place."""

    def __init__(self, rows: _Rows) -> None:
        """Begin with the first of some rows."""
        self._rest = rows
        self.rows: deque[tuple[int, bytes, bytes]] = deque()

    def fill(self) -> bool:
        """Read on as far as needed; return whether there is any row left."""
        self.rows.extend(islice(self._rest, _MAX_AHEAD + 1 - len(self.rows)))
        return bool(self.rows)

    def drop(self, many: int) -> None:
        """Leave so many rows behind."""
        for _ in range(many):
            self.rows.popleft()

    def place_of(self, form: bytes) -> int:
        """Return how many rows come before one with this normal form, the first left out; 0 when there is none."""
        return next((place for place, row in enumerate(islice(self.rows, 1, None), 1) if row[2] == form), 0)


def describe_empty(where: str, wanted: str) -> str:
    """Say that a text is empty, or nothing but blanks, where something is wanted."""
    begin = f"Your program wrote nothing to {where}" if where in STREAMS.values() else f"{capital(where)} is empty"
    return f"{begin}; expected: {wanted}."


def wrong_listing(actual: bytes, expected: bytes, where: str) -> str:
    """Say what is wrong with a listing that states the right number."""
    return (
        f"The number stated with the listing is right, but the listing is wrong: {_exchanged(actual, expected, where)}"
    )


def wrong_lines(actual: bytes, expected: bytes, where: str) -> str:
    """Say what is wrong with lines whose order does not count."""
    if is_blank(actual) or is_blank(expected):
        return wrong_text(actual, expected, where)
    return capital(_exchanged(actual, expected, where))


def _exchanged(actual: bytes, expected: bytes, where: str) -> str:
    if max(len(actual), len(expected)) > MAX_COUNTED:
        return f"{where} does not contain the expected lines (over {size(MAX_COUNTED)}, too long to show which)."
    actual, expected = unshared(ended(actual), ended(expected))  # which is mostly far less
    rest, other_rest = unshared(*_level_forms(expected, actual, TEXT_KINDS))
    lacking = _beyond(expected, actual, TEXT_KINDS, rest)
    more = _beyond(actual, expected, TEXT_KINDS, other_rest)
    return f"{where} lacks {lacking}; unexpected: {more}."


def _lines_in(text: bytes) -> tuple[str, str]:
    total = line_count(text)
    begin = text.rfind(b"\n", 0, first_sign(text)) + 1
    return count(total, "line"), listed([quote(_window(text, begin, begin))], total=total)


def _window(text: bytes, begin: int, at: int) -> bytes:
    """Return what can be quoted, around a place, of the line that begins there: an enormous one is not copied."""
    some = text[max(begin, at - _WINDOW) : at + _WINDOW]
    return some[: some.find(b"\n") + 1 or len(some)]


def _first_difference(one: bytes, other: bytes) -> tuple[int, int]:
    """Return how many lines are the same at the beginning of two texts, and where they end."""
    start, _ = equal_ends(one, other)
    return one.count(b"\n", 0, start), start


def _parting_places(actual: bytes, expected: bytes, overlooked: Kinds) -> Places:
    """Return each text with the place from where on they differ, ignoring `overlooked` kinds."""
    _, start = _first_difference(actual, expected)
    return next_parting([(actual, start), (expected, start)], overlooked)


def _rows_behind(places: Places, overlooked: Kinds) -> Iterator[_Rows]:
    """Iterate over the lines of each text, as `numbered` does, from a place on."""
    for text, begin in places:
        yield numbered(text, overlooked, text.count(b"\n", 0, begin), begin)


def _pair(kind: str, actual: bytes, expected: bytes, overlooked: Kinds) -> tuple[int, bytes, bytes] | None:
    """Return the number of a line, the line and the expected one, two that are the same but for `kind`.

    They are paired by what they say and not by their places, since lines may be missing or in another order.
    """
    same, start = _first_difference(actual, expected)
    if "blank-lines" not in overlooked and enormous_row(actual, expected) is not None:
        begin = begin_of_difference(actual, expected, start)
        if same_rows(actual, expected, begin, overlooked - {kind}):
            return None
        at = common_length(actual, expected)
        have, want = (ended(_window(text, start, at)) for text in (actual, expected))
        return same + 1, have, want
    whole = actual, expected = actual[start:], expected[start:]
    for one, other in dict.fromkeys((part_of_both(*whole), whole)):
        others = overlooked - {kind}
        wanted: dict[bytes, bytes] = {}
        for _, line in _unmatched(other, one, others, _unshared_first):
            wanted.setdefault(normal(line, overlooked), line)
        for number, line in islice(_unmatched(one, other, others, _unshared_first), _MAX_PAIRED):
            if paired := wanted.get(normal(line, overlooked)):
                return same + number, line, paired
        if max(map(len, whole)) > MAX_SEARCHED:
            break
    return None


def _parting(actual: bytes, expected: bytes, overlooked: Kinds, where: str) -> str:
    """Say where two texts first differ but for `overlooked`: "line 3 of standard output is `a`, expected `b`."."""
    return _describe_parting(where, *_rows_behind(_parting_places(actual, expected, overlooked), overlooked))


def _describe_parting(where: str, haves: _Rows, wants: _Rows) -> str:
    for have, want in zip_longest(haves, wants):
        if have is None:
            return f"{where} ends where line {want[0]}, {quote(want[1])}, is expected."
        if want is None:
            return f"line {have[0]} of {where} is {quote(have[1])}, where nothing more is expected."
        if have[2] != want[2]:
            shown, wanted = quote_difference(have[1], want[1])
            return f"line {have[0]} of {where} is {shown}, expected {wanted}."
    return f"{where} is not what the assignment asks for."


def _level_forms(one: bytes, other: bytes, overlooked: Kinds) -> tuple[bytes, bytes]:
    _, start = _first_difference(one, other)
    one, other = one[start:], other[start:]
    if "final-newline" in overlooked:
        one, other = level(one, other, overlooked)
    return normal(ended(one), overlooked), normal(ended(other), overlooked)


def _beyond(one: bytes, other: bytes, overlooked: Kinds, rest: bytes | None = None) -> str:
    """Name the lines that `one` has beyond those of `other`: their number and the first few.

    They are the `rest`, which need not be known where all that `other` has is in `one`: but a last line of blanks that
    has no newline is none while blanks are overlooked, and may be one that `one` has not.
    """
    if rest is None and other[-1:] != b"\n" and is_blank(other, other.rfind(b"\n") + 1):
        rest = _unshared_first(*_level_forms(one, other, overlooked))
    total = sub(*map(line_count, _level_forms(one, other, overlooked))) if rest is None else line_count(rest)
    find = lines_beyond if rest is None else lambda *_: rest
    examples = [quote(line) for _, line in islice(_unmatched(one, other, overlooked, find), min(total, _EXAMPLES))]
    return f"{count(total, 'line')} ({listed(examples, total=total)})"


def _unshared_first(one: bytes, other: bytes) -> bytes:
    return unshared(one, other)[0]


def _unmatched(
    one: bytes, other: bytes, overlooked: Kinds, find: Callable[[bytes, bytes], bytes]
) -> Iterator[tuple[int, bytes]]:
    """Iterate over the lines of `one` that `other` has not, or not so often, with their numbers.

    Mostly the first few are asked for: so the lines of `other` are first counted for some lines of `one`, and then for
    those that are left, which `find` finds in normal forms.
    """
    same, start = _first_difference(one, other)

    def unmatched(own: Container[bytes], rows: _Rows) -> Iterator[tuple[int, bytes]]:
        left = Counter(filter(own.__contains__, forms(ended(other), overlooked, start)))
        for number, line, form in rows:
            if left[form] > 0:
                left[form] -= 1
            else:
                yield number, line

    first = 0
    some = list(islice(numbered(one, overlooked, same, start), _MAX_PAIRED))
    for first, line in unmatched({form for *_, form in some}, iter(some)):
        yield first, line
    own = set(each_line(find(*_level_forms(one, other, overlooked))))
    for number, line in unmatched(own, numbered(one, overlooked, same, start, own)):
        if number > first:
            yield number, line
