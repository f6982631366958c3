"""`tokens` and `numbers`: these words or numbers in this order, whatever blanks, line breaks or words are between them.

`tolerance` and `relative` say how far numbers may be off. Decimals hold written numbers without loss: `2 ** 64 + 1` is
not `2 ** 64`, and `1e999999` costs nothing. In `tokens` they separate numbers from the rest of their word: `x=3.14,` is
`x=3.1415,` to within 0.01.

Whole numbers behind a letter belong to a name, as in `x1 = 2.0`; those with a point do not: `EUR12.50`. Behind a longer
word they may be either in `numbers`: in `Sum5` the value, and in `Player1 7` a part of the name, where only that gives
what is wanted.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, InvalidOperation
from functools import lru_cache, partial
from itertools import chain, islice, zip_longest
from typing import Any

from grader.core.comparators.base import Comparator, Siblings, Wanted, text_nodes, write_mapping
from grader.core.comparators.text import reachable_in
from grader.core.deviations.normalise import pieces, small
from grader.core.deviations.sentences import describe_empty, remark_on_line
from grader.core.lazy import lazy_regex
from grader.core.model.judgement import Deviation
from grader.core.model.spec import Leaf, Options
from grader.core.text import capital, common_length, name_lookalikes, quote
from grader.core.yaml import value as yaml
from grader.core.yaml.nodes import Listing, Node
from grader.core.yaml.types import REFERENCE, any_of, any_text, list_of, ref, strict_text
from grader.core.yaml.value import QUANTITIES, Key, Keys, Value, parse_number
from grader.core.yaml.writing import plain

# A sign belongs to a number unless it stands behind a word or a bracket, as in `1-2` and `(n)-1`. The pattern begins
# with a class of characters: a search skips to these.
WRITTEN_NUMBER = lazy_regex(
    rb"[-+.\dnNiI](?:(?:(?<=\d)\d*+(?:\.\d*+)?+|(?<=\.)\d++|(?<=[-+])(?<![\w.)\]].)(?:\d++(?:\.\d*+)?+|\.\d++))"
    rb"(?:[eE][-+]?\d++)?+"
    rb"|(?:(?<=[-+])(?<![\w.)\]].)(?i:nan|inf(?:inity)?)|(?<!\w.)(?:(?<=[nN])(?i:an)|(?<=[iI])(?i:nf(?:inity)?)))\b)"
)
_SLACK = 1e-15
"""an upper bound of the relative error of a binary difference of two numbers"""
_MIN_MAGNITUDE = 1e-300
"""below which binary numbers have fewer digits"""
_ROUGH = Context(prec=50, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[])
"""enough digits for a difference that is compared with a tolerance"""

CLOSENESS: Keys = {
    "tolerance": Key(
        about="The largest absolute difference of two numbers.",
        kind="tolerance",
        default=0,
        beside="numbers tokens lines",
    ),
    "relative": Key(
        about="The largest difference of two numbers as a share of the wanted one; with both, either is enough.",
        kind="relative",
        examples=(1e-6,),
        beside="numbers tokens lines",
    ),
}
_BOUNDS: Mapping[str, tuple[Callable[[float], bool], str]] = {
    "tolerance": (lambda number: number >= 0, "a number that is 0 or more"),
    "relative": (lambda number: 0 < number < 1, "a number over 0 and under 1, such as 1e-6"),
}
_WRITTEN_BOUND = strict_text(r"^(?!-)" + QUANTITIES["number"].removeprefix("^"))


class Closeness(Options, frozen=True, kw_only=True):
    """How far numbers may be off; without any bound they are compared as they are written."""

    tolerance: float = 0.0
    """the absolute difference allowed of two numbers"""
    relative: float = 0.0
    """the difference allowed, as a share of the wanted number; either is enough"""

    @property
    def is_exact(self) -> bool:
        """Whether no number may be off."""
        return not (self.tolerance or self.relative)

    def nodes(self) -> dict[str, Node]:
        """Write the bounds."""
        bounds = {"tolerance": self.tolerance, "relative": self.relative}
        return {name: plain(repr(number)) for name, number in bounds.items() if number}

    def in_words(self, before: str) -> str:
        """Describe the bounds, with what stands before: "to within 0.01 or 0.1 % of each"; empty without any."""
        bounds = [f"{self.tolerance:g}"] if self.tolerance else []
        bounds += [f"{100 * self.relative:g} % of each"] if self.relative else []
        return f"{before}to within {' or '.join(bounds)}" if bounds else ""

    def is_close(self, have: bytes, want: bytes) -> bool:
        """Whether two written numbers are within the bounds. Floats decide first, as far as they surely can."""
        if have == want:
            return True
        one, other = float(have), float(want)
        slack = _SLACK * (abs(one) + abs(other)) + _MIN_MAGNITUDE
        if abs(one - other) + slack < (1 - _SLACK) * max(self.tolerance, self.relative * abs(other)):
            return True
        return self._is_close_without_loss(have.decode(), want.decode())

    def _is_close_without_loss(self, have: str, want: str) -> bool:
        try:
            one, other = Decimal(have), Decimal(want)
        except InvalidOperation:  # an exponent beyond all bounds
            return False
        if not (one.is_finite() and other.is_finite()):
            return one == other or (one.is_nan() and other.is_nan())
        off, size = _ROUGH.abs(_ROUGH.subtract(one, other)), _ROUGH.abs(other)
        tolerance, relative = map(_as_written, (self.tolerance, self.relative))
        return one == other or off <= tolerance or (relative > 0 and off <= _ROUGH.multiply(size, relative))


def read_closeness(siblings: Siblings, *, of_texts: bool) -> dict[str, Any]:
    """Read the fields of `Closeness`; a tolerance of 0 changes nothing where texts are compared."""
    found = {}
    for name in _BOUNDS.keys() & siblings.keys():
        (is_right, wanted), value = _BOUNDS[name], siblings[name][1]
        number = parse_number(yaml.keyword(value) or "")
        if number is None or not is_right(number):
            yaml.unwanted(value, wanted)
        found[name] = number or 0.0
    if of_texts and "tolerance" in found and not any(found.values()):
        yaml.wrong(siblings["tolerance"][1], "0 changes nothing here: leave it out, or say how far numbers may be off")
    return found


@lru_cache(maxsize=16)
def _as_written(number: float) -> Decimal:
    return Decimal(repr(number))


# ---------------------------------------------------------------- words

_TOKEN = lazy_regex(rb"\S+")
_MAX_ROW_LENGTH = 2**18
"""bytes of a line of which all words are listed"""

Find = Callable[[bytes], Iterable[bytes]]
"""returns the words, or the numbers, of some lines"""

Parting = tuple[int, bytes | None, bytes | None]
"""a position, and what is there in one sequence and in the other"""


def first_parting(find: Find, output: bytes, wanted: bytes, same: Callable[[bytes, bytes], bool]) -> Parting | None:
    """Return the first difference between the words or numbers of two texts; `find` matches within lines only."""
    if output == wanted:
        return None
    start = output.rfind(b"\n", 0, common_length(output, wanted)) + 1
    haves, wants = (chain.from_iterable(map(find, pieces(text, start))) for text in (output, wanted))
    for position, (have, want) in enumerate(zip_longest(haves, wants), 1):
        if have != want and (have is None or want is None or not same(have, want)):
            return position + sum(1 for piece in pieces(output[:start]) for _ in find(piece)), have, want
    return None


def each_match(pattern: re.Pattern[bytes], text: bytes) -> Iterable[bytes]:
    """Return what a pattern finds: all at once, which takes half the time, unless that would be very much."""
    return pattern.findall(text) if len(text) <= _MAX_ROW_LENGTH else (match[0] for match in pattern.finditer(text))


def _words(text: bytes) -> Iterable[bytes]:
    return text.split() if len(text) <= _MAX_ROW_LENGTH else each_match(_TOKEN, text)


def describe_parting(noun: str, parting: Parting, output: bytes, where: str) -> str:
    """Say where the words or numbers of an output first differ from those that are wanted."""
    position, have, want = parting
    if not output.strip():
        return describe_empty(where, f"the {noun} {quote(want or b'')}")
    if have is None and position == 1:
        return f"there is no {noun} in {where}; {quote(want or b'')} is expected."
    if have is None:
        return f"{where} ends where {noun} {position}, {quote(want or b'')}, is expected."
    if want is None:
        return f"{noun} {position} of {where} is {quote(have)}, where nothing more is expected."
    shown, wanted = name_lookalikes((quote(have), quote(want)), have, want)
    return f"{noun} {position} of {where} is {shown}, expected {wanted}{remark_on_line(have, want)}."


_Fault = Callable[[str], str]
"""says what is wrong with a wanted word or number; "" where nothing is"""


def _reader_of(how: str, fault: _Fault) -> Callable[[Value, Siblings], Leaf]:
    """Return a reader of words or numbers: a text with blanks between them, or a list."""

    def read(value: Value, siblings: Siblings) -> Leaf:
        is_list, asks = isinstance(value.node, Listing), yaml.is_reference(value)
        places = yaml.items(value) if is_list else [] if asks else [value]
        words = [(one, word) for one in places for word in ([yaml.text(one)] if is_list else yaml.text(one).split())]
        for place, word in words:
            if why := fault(word):
                yaml.wrong(place, why)
        bounds = read_closeness(siblings, of_texts=how == "tokens")
        options = Closeness(**bounds) if any(bounds.values()) else Options()
        return Leaf(how=how, want=None if asks else tuple(word for _, word in words), options=options)

    return read


def _freeze(found: Iterable[bytes], fault: _Fault) -> tuple[str, ...]:
    """Return words of the reference's output as wanted texts; raises ValueError for one that the reader refuses."""
    words = tuple(map(bytes.decode, found))
    if strange := next(filter(fault, words), None):
        raise ValueError(f"{strange!r:.80} cannot be written into a spec")
    return words


def _fault_of_token(word: str) -> str:
    return "" if word.split() == [word] else "a token is not empty and has no blanks in it: make it several"


def _fault_of_number(word: str) -> str:
    return "" if parse_number(word) is not None else f"wanted a number, found {yaml.in_quotes(word)}"


def _compare_tokens(output: bytes, wanted: Wanted) -> tuple[Deviation, ...]:
    is_right, expected = partial(is_close_word, bounds=wanted.leaf.get(Closeness)), wanted.values[0]
    first = first_parting(_words, output, expected, is_right)
    if first is None:
        return ()
    worse = first_parting(lambda text: _words(small(text)), output, expected, is_right)
    if worse is None:
        told = f"Letter case differs: {describe_parting('word', first, output, wanted.where)}"
        return (wanted.deviation("letter-case", told),)
    have, want = (
        next(islice(chain.from_iterable(map(_words, pieces(text))), worse[0] - 1, None), None)
        for text in (output, expected)
    )
    told = describe_parting("word", (worse[0], have, want), output, wanted.where)
    return (wanted.deviation("wrong", capital(told)),)


def is_close_word(have: bytes, want: bytes, bounds: Closeness) -> bool:
    """Whether two words are the same but for numbers, which are within the tolerances."""
    if have == want or bounds.is_exact:
        return have == want
    (around, numbers), (around_wanted, wanted_numbers) = _taken_apart(have), _taken_apart(want)
    return around == around_wanted and all(map(bounds.is_close, numbers, wanted_numbers))


def _taken_apart(word: bytes) -> tuple[list[bytes], list[bytes]]:
    """Split a word into the parts around its numbers, one more than there are numbers, and the numbers."""
    around, numbers, end = [], [], 0
    for match in WRITTEN_NUMBER.finditer(word):
        before = word[max(match.start() - 1, 0) : match.start()]
        if not (before.isalnum() or before == b"_"):
            around.append(word[end : match.start()])
            numbers.append(match[0])
            end = match.end()
    return [*around, word[end:]], numbers


TOKENS = Comparator(
    name="tokens",
    key=Key(about="These words, whatever blanks and line breaks are between them.", kind="tokens", alternative=True),
    options=CLOSENESS,
    kinds={
        "tokens": any_of(
            REFERENCE, ref("file-content"), ref("text"), {"type": "array", "items": any_text(pattern=r"^\S+$")}
        )
    },
    example="{tokens: 4-Queens has 2 solutions}",
    read=_reader_of("tokens", _fault_of_token),
    compare=_compare_tokens,
    reachable=lambda leaf: reachable_in(frozenset({"letter-case", "wrong"}), leaf.want),
    words=lambda leaf, shown: (
        f"the words {shown}{leaf.get(Closeness).in_words(', numbers ')}, whatever blanks are between them"
    ),
    write=lambda leaf: write_mapping(leaf, text_nodes, **leaf.get(Closeness).nodes()),
    freeze=lambda output: _freeze(output.split(), _fault_of_token),
    join=b" ".join,
    whole=True,
    shown=True,
)


# ---------------------------------------------------------------- numbers

_BEHIND_LETTER = lazy_regex(rb"[A-Za-z_]\d")
_NAME = lazy_regex(rb"\b(?:(?:[A-Za-z]_?|_)\d\w*+|[A-Za-z_]++\d++(?:[A-Za-z_]\w*+|(?=[ \t]*+[=:(\[])))(?!\.\d)")
_PERHAPS_NAME = lazy_regex(rb"\b[A-Za-z_]++\d\w*+(?!\.\d)")


def _numbers(text: bytes) -> Iterable[bytes]:
    return each_match(WRITTEN_NUMBER, _without_names(text))


def _without_names(text: bytes, names: re.Pattern[bytes] = _NAME) -> bytes:
    """Return a text with other signs for each name that has a digit in it."""
    return names.sub(lambda name: b"_" * len(name[0]), text) if _BEHIND_LETTER.search(text) else text


def _compare_numbers(output: bytes, wanted: Wanted) -> tuple[Deviation, ...]:
    is_close, want = wanted.leaf.get(Closeness).is_close, wanted.values[0]
    first = first_parting(_numbers, output, want, is_close)
    if first and want and _BEHIND_LETTER.search(output):
        without = _without_names(output, _PERHAPS_NAME)
        first = first_parting(_numbers, without, want, is_close) and first
    if first is None:
        return ()
    return (wanted.deviation("wrong", capital(describe_parting("number", first, output, wanted.where))),)


NUMBERS = Comparator(
    name="numbers",
    key=Key(
        about="These numbers, whatever is between them; the digit of a name such as `x1` is none.",
        kind="numbers",
        alternative=True,
    ),
    options=CLOSENESS,
    kinds={
        "numbers": any_of(
            REFERENCE, ref("file-content"), ref("number"), strict_text(r"^[-+0-9.eE\s]*$"), list_of("number")
        ),
        "number": any_of({"type": "number"}, strict_text(QUANTITIES["number"])),
        "tolerance": any_of({"type": "number", "minimum": 0}, _WRITTEN_BOUND),
        "relative": any_of({"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1}, _WRITTEN_BOUND),
    },
    example="{numbers: [1, 2.50], tolerance: 1e-6}",
    read=_reader_of("numbers", _fault_of_number),
    compare=_compare_numbers,
    words=lambda leaf, shown: f"the numbers {shown}{leaf.get(Closeness).in_words(', ')}, whatever is between them",
    write=lambda leaf: write_mapping(leaf, text_nodes, **leaf.get(Closeness).nodes()),
    freeze=lambda output: _freeze(_numbers(output), _fault_of_number),
    join=b" ".join,
    whole=True,
)
