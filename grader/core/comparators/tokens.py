"""`tokens`: these words in this order, whatever blanks and line breaks are between them.

With a tolerance, numbers are separated from the rest of their word: `x=3.14,` is `x=3.1415,` to within 0.01.
A digit behind a letter belongs to a name, as in `x2`.
"""

import re
from collections.abc import Callable, Iterable
from functools import partial
from itertools import chain, islice, zip_longest

from grader.core.comparators.base import Comparator, Siblings, Wanted, read_or_reference, text_nodes, write_mapping
from grader.core.comparators.closeness import (
    CLOSENESS,
    WRITTEN_NUMBER,
    Closeness,
    read_closeness,
)
from grader.core.comparators.text import reachable_in
from grader.core.deviations.line_remarks import remark_on_line
from grader.core.deviations.normalise import pieces, small
from grader.core.deviations.sentences import describe_empty
from grader.core.lazy import lazy_regex
from grader.core.model.judgement import Deviation
from grader.core.model.spec import Leaf, Options
from grader.core.text import capital, common_length, name_lookalikes, quote
from grader.core.yaml.json_schema_parts import REFERENCE, any_of, any_text, ref
from grader.core.yaml.nodes import Listing
from grader.core.yaml.value import Key, Value, each_of, items, text, wrong

_TOKEN = lazy_regex(rb"\S+")
_AT_ONCE = 2**12
"""words that are compared in one step"""
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
    position = 0
    while (some := list(islice(haves, _AT_ONCE))) + (others := list(islice(wants, _AT_ONCE))):
        for at, (have, want) in () if some == others else enumerate(zip_longest(some, others), position + 1):
            if have is None or want is None or not same(have, want):
                return at + sum(1 for piece in pieces(output[:start]) for _ in find(piece)), have, want
        position += len(some)
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


def freeze_all(found: Iterable[bytes], is_known: Callable[[str], bool]) -> tuple[str, ...]:
    """Return words of the reference's output as wanted texts; raises ValueError for one that the reader refuses."""
    words = tuple(word.decode() for word in found)
    strange = next((word for word in words if not is_known(word)), None)
    if strange is not None:
        raise ValueError(f"{strange!r:.80} cannot be written into a spec")
    return words


@read_or_reference
def _read_words(value: Value) -> tuple[str, ...]:
    """Read words: a text with blanks between them, or a list."""
    if not isinstance(value.node, Listing):
        return tuple(text(value).split())
    for item in items(value):
        if text(item).split() != [text(item)]:
            wrong(item, "a token is not empty and has no blanks in it: make it several")
    return each_of(text)(value)


def _read_tokens(value: Value, siblings: Siblings) -> Leaf:
    """Read the words, and how far numbers among them may be off."""
    want, bounds = _read_words(value), read_closeness(siblings, of_texts=True)
    return Leaf(how="tokens", want=want, options=Closeness(**bounds) if any(bounds.values()) else Options())


def _compare_tokens(output: bytes, wanted: Wanted) -> tuple[Deviation, ...]:
    is_right, expected = partial(is_close_word, bounds=wanted.leaf.get(Closeness)), wanted.values[0]
    first = first_parting(_words, output, expected, is_right)
    if first is None:
        return ()
    worse = first_parting(lambda text: _words(small(text)), output, expected, is_right)
    kind, reason = ("letter-case", "Letter case differs: ")
    if worse:
        kind, reason = "wrong", ""
        first = worse[0], _word(output, worse[0]), _word(expected, worse[0])
    return (wanted.deviation(kind, capital(reason + describe_parting("word", first, output, wanted.where))),)


def _word(text: bytes, position: int) -> bytes | None:
    return next(islice(chain.from_iterable(map(_words, pieces(text))), position - 1, None), None)


def is_close_word(have: bytes, want: bytes, bounds: Closeness) -> bool:
    """Whether two words are the same but for numbers, which are within the tolerances."""
    if have == want or bounds.is_exact:
        return have == want
    (around, numbers), (around_wanted, wanted_numbers) = _taken_apart(have), _taken_apart(want)
    pairs = zip(numbers, wanted_numbers, strict=False)
    return around == around_wanted and all(bounds.is_close(*pair) for pair in pairs)


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
    read=_read_tokens,
    compare=_compare_tokens,
    reachable=lambda leaf: reachable_in(frozenset({"letter-case", "wrong"}), leaf.want),
    words=lambda leaf, shown: (
        f"the words {shown}{leaf.get(Closeness).in_words(', numbers ')}, whatever blanks are between them"
    ),
    write=lambda leaf: write_mapping(leaf, text_nodes, **leaf.get(Closeness).nodes()),
    freeze=lambda output: freeze_all(output.split(), lambda word: word.split() == [word]),
    join=b" ".join,
    whole=True,
    shown=True,
)
