"""One sentence for each deviation, as a student reads it; of a long text an excerpt is looked at."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import ROUND_DOWN, Decimal
from itertools import zip_longest
from operator import ne

from grader.core.deviations.normalise import bare, is_blank, line_count, newlines_at_end, normal, numbered, pieces
from grader.core.deviations.prompts import answer_start
from grader.core.deviations.search import MAX_SEARCHED, equal_ends, surplus_lines
from grader.core.deviations.table import DEVIATIONS, RANKS, TEXT_KINDS, Kinds
from grader.core.lazy import lazy_regex
from grader.core.model.spec import STREAMS
from grader.core.text import capital, common_length, count, listed, quote, quote_difference

_EXAMPLES = 3  # lines quoted as examples
_MAX_EXCERPT = 2**16  # bytes of a long text in which something is looked for to be quoted
_WINDOW = 2**10  # bytes before the difference of a line that is longer than that
_AMOUNTS: Mapping[str, tuple[str, str]] = {
    "duplicates": ("repeats", "line"),
    "extra-lines": ("has", "extra line"),
    "missing-lines": ("lacks", "line"),
}
"""kinds whose lines can be counted"""
EXCHANGED: Kinds = frozenset({"duplicates", "missing-lines"})  # a line that is expected, but elsewhere

_Row = tuple[int, bytes, bytes]  # the number of a line, the line, and its normal form


def _excerpt(actual: bytes, expected: bytes) -> tuple[int, tuple[bytes, ...]]:
    """Return two texts from the line on in which they first differ, and how many lines come before that."""
    start, _ = equal_ends(actual, expected)
    before, most = actual.count(b"\n", 0, start), MAX_SEARCHED
    if max(len(actual), len(expected)) - start > MAX_SEARCHED:
        start, most = max(start, common_length(actual, expected) - _WINDOW), _MAX_EXCERPT
    return before, tuple(text[start : start + most] for text in (actual, expected))


def _rows(actual: bytes, expected: bytes, overlooked: Kinds) -> Iterator[Iterator[_Row]]:
    before, texts = _excerpt(actual, expected)
    return (numbered(text, overlooked, before) for text in texts)


def describe_kinds(
    actual: bytes, expected: bytes, kinds: Kinds, where: str, *, written: bytes | None = None
) -> Iterator[tuple[str, str]]:
    """Iterate over `kinds`, in their order, each with its sentence; of a mended text, quote what was `written`."""
    for kind in sorted(kinds, key=RANKS.__getitem__):
        yield kind, _describe(kind, (actual, expected), kinds, where, written)


def _describe(kind: str, texts: tuple[bytes, bytes], kinds: Kinds, where: str, written: bytes | None) -> str:
    overlooked, quoting = kinds & TEXT_KINDS, written is None
    if kind == "order":
        is_quoted = quoting and kinds <= TEXT_KINDS | {"order"}
        parting = f": {_describe_parting(where, *_rows(*texts, overlooked))}" if is_quoted else "."
        return f"The lines are in the wrong order{parting}"
    if kind in _AMOUNTS:
        verb, noun = _AMOUNTS[kind]
        lines = surplus_lines(*(texts[::-1] if kind == "missing-lines" else texts), overlooked)
        have, want = (normal(text, overlooked) for text in texts)
        early = "stops early; it " if kind == "missing-lines" and want.startswith(have) else ""
        source = None if kind == "missing-lines" else written
        examples = [line for line in lines[:_EXAMPLES] if source is None or line.strip() in source]
        return f"{capital(where)} {early}{verb} {_name(lines, examples, noun)}."
    label = DEVIATIONS[kind].label
    if not label:
        return _describe_line_ends(kind, texts, overlooked, where)
    if quoting and (pair := _pair(kind, texts, overlooked)):
        number, line, wanted = pair
        one, other = quote_difference(line, wanted, blanks=kind != "letter-case")
        tabs = " (→ is a tab)" if b"\t" in line + wanted and "→" in one + other else ""
        return f"{label}{tabs}: line {number} of {where} is {one}, expected {other}."
    return f"{label} in {where}."


def _describe_line_ends(kind: str, texts: tuple[bytes, bytes], overlooked: Kinds, where: str) -> str:
    if kind == "line-endings":
        ends = ["a newline alone", "carriage return and newline"]
        written, asked = reversed(ends) if b"\r\n" in texts[0] else ends
        return f"Lines of {where} end with {written}; the assignment asks for {asked}."
    if kind == "blank-lines":
        have, want = map(_empty_lines, texts)
        amount = f"{count(abs(have - want), 'empty line')} too {'many' if have > want else 'few'}"
        return f"{capital(where)} has {amount if have != want else 'empty lines in the wrong places'}."
    have, want = (newlines_at_end(text, overlooked - {kind}) for text in texts)
    if have < want:
        return f"The last line of {where} has no newline at its end."
    return f"There is one newline too many at the end of {where}."


def _empty_lines(text: bytes) -> int:
    return line_count(text) - sum(len(piece.translate(None, b" \t\r\v\f").split()) for piece in pieces(text))


def _name(lines: Sequence[bytes], examples: Sequence[bytes], noun: str = "line") -> str:
    """Name lines: their number and a few of them."""
    shown = f" ({listed(list(map(quote, examples)), total=len(lines))})" if examples else ""
    return f"{count(len(lines), noun)}{shown}"


def _pair(kind: str, texts: tuple[bytes, bytes], overlooked: Kinds) -> _Row | None:
    """Return the number of a line, the line and the expected one in its place, two that are the same but for `kind`."""
    rows = *_rows(*texts, overlooked), *_rows(*texts, overlooked - {kind})
    for have, want, shown, wanted_shown in zip(*rows, strict=False):
        if have[2] == want[2] != b"\n" and shown[2] != wanted_shown[2]:
            return *have[:2], want[1]
    return None


def only_wrong_line(actual: bytes, expected: bytes) -> bool:
    """Whether two texts differ in a single line, blanks and capitals ignored, which stands for another one."""
    haves, wants = ([form for *_, form in numbered(text, TEXT_KINDS)] for text in (actual, expected))
    return len(haves) == len(wants) and sum(map(ne, haves, wants)) == 1


def wrong_text(actual: bytes, expected: bytes, where: str, *, forgiven: Kinds = frozenset()) -> str:
    """Say where a text that nothing explains first goes wrong, and not at a prompt if prompts are `forgiven`."""
    if is_blank(expected) and not is_blank(actual):
        return f"{capital(where)} has {_lines_in(actual)}, where nothing is expected."
    if is_blank(actual) and not is_blank(expected):
        return describe_empty(where, _lines_in(expected))
    return capital(_first_fault(actual, expected, where, may_ask="prompt" in forgiven))


def _lines_in(text: bytes) -> str:
    total = line_count(text)
    begin = text.rfind(b"\n", 0, len(text) - len(text.lstrip())) + 1
    line = text[begin : begin + _WINDOW].partition(b"\n")[0]
    return f"{count(total, 'line')}, {listed([quote(line)], total=total)}"


def _first_fault(actual: bytes, expected: bytes, where: str, *, may_ask: bool) -> str:
    """Say where two texts first differ, and not at a prompt where the program `may_ask`."""
    before, texts = _excerpt(actual, expected)
    haves, wants = (numbered(text, TEXT_KINDS, before) for text in texts)
    is_cut = [len(text) == _MAX_EXCERPT for text in texts]
    want = next(wants, None)
    for have in haves:
        start = answer_start(have[1], want[1] if want else b"") if may_ask else 0
        if start == len(have[1]):
            continue
        if want is None or (have[2] != want[2] and not start):
            following = next(wants, None)
            joined = bare(want[1]).strip() + bare(following[1]).strip() if want and following else b"\n"  # in no row
            if want and bare(have[1]).startswith(joined):
                return f"the newline after {quote(want[1])} is missing: line {have[0]} of {where} is {quote(have[1])}."
            return _describe_parting(where, [have] if want or not is_cut[1] else [], [want] if want else [])
        want = next(wants, None)
    return _describe_parting(where, [], [want] if want and not is_cut[0] else [])


def _describe_parting(where: str, haves: Iterable[_Row], wants: Iterable[_Row]) -> str:
    """Say where two texts first differ: "line 3 of standard output is `a`, expected `b`."."""
    for have, want in zip_longest(haves, wants):
        if have is None:
            return f"{where} ends where line {want[0]}, {quote(want[1])}, is expected."
        if want is None:
            return f"line {have[0]} of {where} is {quote(have[1])}, where nothing more is expected."
        if have[2] != want[2]:
            shown, wanted = quote_difference(have[1], want[1])
            return f"line {have[0]} of {where} is {shown}, expected {wanted}{remark_on_line(have[1], want[1])}."
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
    lacking, more = (surplus_lines(*pair, TEXT_KINDS) for pair in ((expected, actual), (actual, expected)))
    return f"{capital(where)} lacks {_name(lacking, lacking[:_EXAMPLES])}; unexpected: {_name(more, more[:_EXAMPLES])}."


_MAX_LINE_LENGTH = 400  # bytes of a line that is looked at
_NUMBER = lazy_regex(rb"(?<![\w.])-?[0-9]{1,15}(?:\.[0-9]{1,12})?(?![\w.]*[0-9])")


def remark_on_line(line: bytes, wanted: bytes) -> str:
    """Say how the numbers of a line differ, to be put behind both lines; "" where more makes it differ."""
    if max(len(line), len(wanted)) > _MAX_LINE_LENGTH:
        return ""
    line, wanted = line.strip(), wanted.strip()
    if line != wanted and line.replace(b",", b".") == wanted:
        return ": it has a comma where the decimal point is expected"
    if _NUMBER.sub(b"\0", line) != _NUMBER.sub(b"\0", wanted):
        return ""
    one, other = _NUMBER.findall(line), _NUMBER.findall(wanted)
    if one != other and one == sorted(other) and other == sorted(other, key=float) and len(one) > 2:  # noqa: PLR2004
        return ": the numbers are sorted as texts"
    pairs = (tuple(Decimal(number.decode()) for number in pair) for pair in zip(one, other, strict=True))
    remarks = {remark_on_decimals(*pair) for pair in pairs if str(pair[0]) != str(pair[1])}
    return remarks.pop() if len(remarks) == 1 else ""


def remark_on_decimals(number: Decimal, wanted: Decimal) -> str:
    """Say that a number is the expected one with more decimals, or a whole number that is it without; else ""."""
    have, want = (len(str(one).partition(".")[2]) for one in (number, wanted))
    if have > want > 0 and wanted.is_finite() and abs(number - wanted) * 2 <= Decimal(1).scaleb(-want):
        return f": it has {count(have, 'decimal')}, expected {want}"
    if number != wanted and number == wanted.to_integral_value(ROUND_DOWN):
        return ": its decimals are missing (integer division?)"
    return ""
