"""`tokens` and `numbers`: these words or numbers in this order, whatever blanks, line breaks or words are between them.

`tolerance` and `relative` say how far numbers may be off. Decimals hold written numbers without loss: `2 ** 64 + 1` is
not `2 ** 64`, and `1e999999` costs nothing. In `tokens` they separate numbers from the rest of their word: `x=3.14,` is
`x=3.1415,` to within 0.01.

Whole numbers behind a letter belong to a name, as in `x1 = 2.0`; those with a point do not: `EUR12.50`. Behind a longer
word they may be either in `numbers`: the value in `Sum5`, a part of the name in `Player1 7` if only that is right.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, InvalidOperation
from functools import lru_cache, partial
from itertools import chain, islice, zip_longest
from typing import Any

from grader.core.comparators.base import Comparator, Siblings, Wanted
from grader.core.comparators.text import reachable_in
from grader.core.deviations.search import small
from grader.core.deviations.sentences import describe_empty, remark_on_line
from grader.core.errors import CannotBeWrittenError
from grader.core.lazy import lazy_regex
from grader.core.model.report import Deviation
from grader.core.model.spec import Leaf, Options
from grader.core.text import capital, common_length, name_lookalikes, quote
from grader.core.yaml import value as yaml
from grader.core.yaml.nodes import Listing, Node, plain
from grader.core.yaml.types import REFERENCE, any_of, any_text, list_of, ref
from grader.core.yaml.value import QUANTITIES, Key, Keys, Value, parse_number

# A sign belongs to a number unless it stands behind a word or a bracket, as in `1-2` and `(n)-1`. The pattern begins
# with a class of characters: a search skips to these.
_NUMBER = (
    rb"[-+.\dnNiI](?:(?:(?<=\d)\d*+(?:\.\d*+)?+|(?<=\.)\d++|(?<=[-+])(?<![\w.)\]].)(?:\d++(?:\.\d*+)?+|\.\d++))"
    rb"(?:[eE][-+]?\d++)?+"
    rb"|(?:(?<=[-+])(?<![\w.)\]].)(?i:nan|inf(?:inity)?)|(?<!\w.)(?:(?<=[nN])(?i:an)|(?<=[iI])(?i:nf(?:inity)?)))\b)"
)
WRITTEN_NUMBER = lazy_regex(_NUMBER)
# The digits of a name, which are no group, or a number.
_IN_WORD = lazy_regex(rb"(?<=\w)%b|(%b)" % (_NUMBER, _NUMBER))
_ROUGH = Context(prec=50, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[])
"""enough digits for a difference that is compared with a tolerance"""
_as_written = lru_cache(maxsize=16)(lambda number: Decimal(repr(number)))

_key = partial(Key, beside="numbers tokens lines")
CLOSENESS: Keys = {
    "tolerance": _key(about="The largest absolute difference of two numbers.", kind="tolerance", default=0),
    "relative": _key(
        about="The largest difference of two numbers as a share of the wanted one; with both, either is enough.",
        kind="relative",
        examples=(1e-6,),
    ),
}
_BOUNDS: Mapping[str, tuple[Callable[[float], bool], str]] = {
    "tolerance": (lambda number: number >= 0, "a number that is 0 or more"),
    "relative": (lambda number: 0 < number < 1, "a number over 0 and under 1, such as 1e-6"),
}
_EITHER = REFERENCE, ref("file-content")
_WRITTEN_BOUND = {"type": "string", "pattern": r"^(?!-)" + QUANTITIES["number"].removeprefix("^")}


class Closeness(Options, frozen=True, kw_only=True):
    """How far numbers may be off; without any bound they are compared as they are written."""

    tolerance: float = 0.0
    relative: float = 0.0

    @property
    def is_exact(self) -> bool:
        """Whether no number may be off."""
        return not (self.tolerance or self.relative)

    def nodes(self) -> dict[str, Node]:
        """Write the bounds."""
        return {name: plain(repr(number)) for name in _BOUNDS if (number := getattr(self, name))}

    def in_words(self, before: str) -> str:
        """Describe the bounds, behind `before`: "to within 0.01 or 0.1 % of each"; empty without any."""
        bounds = [f"{self.tolerance:g}"] if self.tolerance else []
        bounds += [f"{100 * self.relative:g} % of each"] if self.relative else []
        return f"{before}to within {' or '.join(bounds)}" if bounds else ""

    def is_close(self, have: bytes, want: bytes) -> bool:
        """Whether two written numbers are within the bounds. Floats decide first, where they surely can."""
        if have == want:
            return True
        near, far = float(have), float(want)
        if abs(near - far) + 1e-15 * (abs(near) + abs(far)) < max(self.tolerance, self.relative * abs(far)) / 2:
            return True
        try:
            actual, wanted = Decimal(have.decode()), Decimal(want.decode())
        except InvalidOperation:  # an exponent beyond all bounds
            return False
        off, size = _ROUGH.abs(_ROUGH.subtract(actual, wanted)), _ROUGH.abs(wanted)
        if not off.is_finite():
            return actual == wanted or (actual.is_nan() and wanted.is_nan())
        tolerance, relative = map(_as_written, (self.tolerance, self.relative))
        return off <= tolerance or off <= _ROUGH.multiply(size, relative)


def read_closeness(siblings: Siblings, *, of_texts: bool) -> dict[str, Any]:
    """Read the fields of `Closeness`; a tolerance of 0 changes nothing where texts are compared."""
    bounds = {}
    for name in _BOUNDS.keys() & siblings.keys():
        (is_right, wanted), value = _BOUNDS[name], siblings[name][1]
        number = parse_number(yaml.keyword(value) or "")
        if number is None or not is_right(number):
            yaml.unwanted(value, wanted)
        bounds[name] = number or 0.0
    if of_texts and "tolerance" in bounds and not any(bounds.values()):
        yaml.wrong(siblings["tolerance"][1], "0 changes nothing here: leave it out, or say how far numbers may be off")
    return bounds


_CHUNK = lazy_regex(rb"(?s).{1,65536}(?:[^\n]{0,262144}\n|\S*)")
"""some lines; of a very long one, some words: so that no list has all words of a text"""
Find = Callable[[bytes], list[bytes]]
Parting = tuple[int, bytes | None, bytes | None]
"""a position, and the word or number there in one text and in the other"""


def _find_each(find: Find, text: bytes, start: int = 0) -> Iterator[bytes]:
    return chain.from_iterable(find(chunk[0]) for chunk in _CHUNK.finditer(text, start))


def _first_parting(find: Find, output: bytes, wanted: bytes, same: Callable[[bytes, bytes], bool]) -> Parting | None:
    """Return the first difference between the words or numbers that are found in two texts, behind equal lines."""
    start = output.rfind(b"\n", 0, common_length(output, wanted)) + 1
    pairs = zip_longest(_find_each(find, output, start), _find_each(find, wanted, start))
    for position, (have, want) in enumerate(pairs, 1):
        if have != want and (have is None or want is None or not same(have, want)):
            return position + sum(len(find(chunk[0])) for chunk in _CHUNK.finditer(output, 0, start)), have, want
    return None


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


_FAULTS: Mapping[str, Callable[[str], str]] = {
    "tokens": lambda word: "a token is not empty and has no blanks in it: make it several" * (word.split() != [word]),
    "numbers": lambda word: "" if parse_number(word) is not None else f"wanted a number, found {yaml.in_quotes(word)}",
}
"""says what is wrong with a wanted word or number; "" where nothing is"""


def _read(how: str, value: Value, siblings: Siblings) -> Leaf:
    """Read words or numbers: a text with blanks between them, or a list."""
    is_list, asks = isinstance(value.node, Listing), yaml.is_reference(value)
    places = yaml.items(value) if is_list else [] if asks else [value]
    words = [(item, word) for item in places for word in ([yaml.text(item)] if is_list else yaml.text(item).split())]
    for place, word in words:
        if why := _FAULTS[how](word):
            yaml.wrong(place, why)
    bounds = read_closeness(siblings, of_texts=how == "tokens")
    options = Closeness(**bounds) if any(bounds.values()) else Options()
    return Leaf(how=how, want=None if asks else tuple(word for _, word in words), options=options)


def _freeze(how: str, output: Iterable[bytes]) -> tuple[str, ...]:
    """Return words of the reference's output as wanted texts. Raises CannotBeWrittenError for others."""
    words = tuple(map(bytes.decode, output))
    if strange := next(filter(_FAULTS[how], words), None):
        raise CannotBeWrittenError(f"{strange!r:.80} cannot be written into a spec")
    return words


def _compare_tokens(output: bytes, wanted: Wanted) -> tuple[Deviation, ...]:
    is_right, expected = partial(is_close_word, bounds=wanted.leaf.get(Closeness)), wanted.values[0]
    first = _first_parting(bytes.split, output, expected, is_right)
    if first is None:
        return ()
    worse = _first_parting(lambda text: small(text).split(), output, expected, is_right)
    if worse is None:
        difference = describe_parting("word", first, output, wanted.where)
        return (wanted.deviation("letter-case", f"Letter case differs: {difference}"),)
    have, want = (next(islice(_find_each(bytes.split, text), worse[0] - 1, None), None) for text in (output, expected))
    return (wanted.deviation("wrong", capital(describe_parting("word", (worse[0], have, want), output, wanted.where))),)


def is_close_word(have: bytes, want: bytes, bounds: Closeness) -> bool:
    """Whether two words are the same but for numbers, which are within the tolerances."""
    if have == want or bounds.is_exact:
        return have == want
    numbers = [filter(None, _IN_WORD.findall(word)) for word in (have, want)]
    around = {_IN_WORD.sub(lambda match: b" " if match[1] else match[0], word) for word in (have, want)}
    return len(around) == 1 and all(map(bounds.is_close, *numbers))


TOKENS = Comparator(
    name="tokens",
    key=Key(about="These words, whatever blanks and line breaks are between them.", kind="tokens"),
    options=CLOSENESS,
    kinds={"tokens": any_of(*_EITHER, ref("text"), {"type": "array", "items": any_text(pattern=r"^\S+$")})},
    example="{tokens: 4-Queens has 2 solutions}",
    read=partial(_read, "tokens"),
    compare=_compare_tokens,
    reachable=lambda leaf: reachable_in(frozenset({"letter-case", "wrong"}), leaf.want),
    words=lambda leaf, shown: (
        f"the words {shown}{leaf.get(Closeness).in_words(', numbers ')}, whatever blanks are between them"
    ),
    freeze=lambda output: _freeze("tokens", output.split()),
    join=b" ".join,
    prescribes="words",
)

_BEHIND_LETTER = lazy_regex(rb"[A-Za-z_]\d")
_NAME = lazy_regex(rb"\b(?:(?:[A-Za-z]_?|_)\d\w*+|[A-Za-z_]++\d++(?:[A-Za-z_]\w*+|(?=[ \t]*+[=:(\[])))(?!\.\d)")
_PERHAPS_NAME = lazy_regex(rb"\b[A-Za-z_]++\d\w*+(?!\.\d)")


def _numbers(text: bytes) -> list[bytes]:
    """Return the numbers of a text, but for the digits of names."""
    return WRITTEN_NUMBER.findall(_hidden(_NAME, text) if _BEHIND_LETTER.search(text) else text)


def _hidden(names: re.Pattern[bytes], text: bytes) -> bytes:
    return names.sub(lambda name: b"_" * len(name[0]), text)


def _compare_numbers(output: bytes, wanted: Wanted) -> tuple[Deviation, ...]:
    is_close, want = wanted.leaf.get(Closeness).is_close, wanted.values[0]
    first = _first_parting(_numbers, output, want, is_close)
    if first and want and _BEHIND_LETTER.search(output):
        first = _first_parting(_numbers, _hidden(_PERHAPS_NAME, output), want, is_close) and first
    if first is None:
        return ()
    return (wanted.deviation("wrong", capital(describe_parting("number", first, output, wanted.where))),)


NUMBERS = Comparator(
    name="numbers",
    key=Key(about="These numbers, whatever is between them; the digit of a name such as `x1` is none.", kind="numbers"),
    options=CLOSENESS,
    kinds={
        "numbers": any_of(*_EITHER, "number", {"type": "string", "pattern": r"^[-+0-9.eE\s]*$"}, list_of("number")),
        "number": any_of({"type": "number"}, {"type": "string", "pattern": QUANTITIES["number"]}),
        "tolerance": any_of({"type": "number", "minimum": 0}, _WRITTEN_BOUND),
        "relative": any_of({"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1}, _WRITTEN_BOUND),
    },
    example="{numbers: [1, 2.50], tolerance: 1e-6}",
    read=partial(_read, "numbers"),
    compare=_compare_numbers,
    words=lambda leaf, shown: f"the numbers {shown}{leaf.get(Closeness).in_words(', ')}, whatever is between them",
    freeze=lambda output: _freeze("numbers", _numbers(output)),
    join=b" ".join,
    prescribes="content",
)
