"""`tokens`: these words in this order, whatever blanks and line breaks are between them.

With a tolerance, numbers in words are held apart from what is around them: `x=3.14,` is `x=3.1415,` to within 0.01.
A digit behind a letter belongs to a name, as in `x2`.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice, zip_longest

from grader.comparators.base import Beside, Comparator, Wanted, read_or_reference, text_nodes, write_mapping
from grader.comparators.closeness import (
    CLOSENESS,
    WRITTEN_NUMBER,
    closeness_nodes,
    is_close,
    read_closeness,
    told_closeness,
)
from grader.deviations.normal import pieces
from grader.deviations.sentences import tell_empty
from grader.late import compile_late
from grader.model import Deviation, Expected
from grader.text import capital, common_length, quote
from grader.yaml.kinds import REFERENCE, any_of, any_text, ref
from grader.yaml.nodes import Listing
from grader.yaml.value import Key, Value, each_of, items, text, wrong

_TOKEN = compile_late(rb"\S+")
_AT_ONCE = 2**12
"""words that are held against as many others in one step"""
_LONGEST_ROW = 2**18
"""bytes of a line of which all words are listed"""

Parting = tuple[int, bytes | None, bytes | None]
"""a position, and what is there in one sequence and in the other"""


def all_of(pattern: re.Pattern[bytes], output: bytes) -> Iterator[bytes]:
    """Iterate over what a pattern finds."""
    return (match[0] for match in pattern.finditer(output))


def first_parting(
    pattern: re.Pattern[bytes], output: bytes, wanted: bytes, same: Callable[[bytes, bytes], bool]
) -> Parting | None:
    """Return where what a pattern finds in two texts first differs; it finds nothing across lines."""
    if output == wanted:
        return None
    start = output.rfind(b"\n", 0, common_length(output, wanted)) + 1
    haves, wants = (
        chain.from_iterable(_found(pattern, piece) for piece in pieces(text, start)) for text in (output, wanted)
    )
    position = 0
    while (some := list(islice(haves, _AT_ONCE))) + (others := list(islice(wants, _AT_ONCE))):
        pairs = enumerate(zip_longest(some, others), position + 1) if some != others else ()
        for at, (have, want) in pairs:
            if have is None or want is None or not same(have, want):
                return at + sum(1 for _ in pattern.finditer(output, 0, start)), have, want
        position += len(some)
    return None


def _found(pattern: re.Pattern[bytes], text: bytes) -> Iterable[bytes]:
    """Return what a pattern finds: all at once, which takes half the time, unless that would be very much."""
    return pattern.findall(text) if len(text) <= _LONGEST_ROW else all_of(pattern, text)


def tell_parting(noun: str, parting: Parting, output: bytes, where: str) -> str:
    """Say where the words or numbers of an output first differ from those that are wanted."""
    position, have, want = parting
    if not output.strip():
        return tell_empty(where, f"the {noun} {quote(want or b'')}")
    if have is None and position == 1:
        return f"there is no {noun} in {where}; {quote(want or b'')} is expected."
    if have is None:
        return f"{where} ends where {noun} {position}, {quote(want or b'')}, is expected."
    if want is None:
        return f"{noun} {position} of {where} is {quote(have)}, where nothing more is expected."
    return f"{noun} {position} of {where} is {quote(have)}, expected {quote(want)}."


def freeze_all(found: Iterable[bytes], is_known: Callable[[str], bool]) -> tuple[str, ...]:
    """Take words of the reference's output for what is wanted. Raises ValueError for one that the reader refuses."""
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


def _read_tokens(value: Value, beside: Beside) -> Expected:
    """Read the words, and how far numbers among them may be off."""
    expected = Expected(how="tokens", want=_read_words(value), **read_closeness(beside))
    if "tolerance" in beside and not (expected.tolerance or expected.relative):
        wrong(beside["tolerance"][1], "0 changes nothing here: leave it out, or say how far numbers may be off")
    return expected


def _compare_tokens(output: bytes, wanted: Wanted) -> tuple[Deviation, ...]:
    def is_right(have: bytes, want: bytes) -> bool:
        if have == want or not (wanted.tolerance or wanted.relative):
            return have == want
        (around, numbers), (around_wanted, wanted_numbers) = _taken_apart(have), _taken_apart(want)
        pairs = zip(numbers, wanted_numbers, strict=False)
        return around == around_wanted and all(is_close(*pair, wanted) for pair in pairs)

    first = first_parting(_TOKEN, output, wanted.values[0], is_right)
    if first is None:
        return ()

    def is_same(have: bytes, want: bytes) -> bool:
        words = (word.decode(errors="surrogateescape").lower() for word in (have, want))
        return is_right(*(word.encode(errors="surrogateescape") for word in words))

    worse = first_parting(_TOKEN, output, wanted.values[0], is_same)
    kind, reason = ("wrong", "") if worse else ("letter-case", "Capital and small letters differ: ")
    return (wanted.deviation(kind, capital(reason + tell_parting("word", worse or first, output, wanted.where))),)


def _taken_apart(word: bytes) -> tuple[list[bytes], list[bytes]]:
    """Return what is around the numbers of a word, one more than there are, and the numbers."""
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
    reachable=lambda _expected: frozenset({"letter-case", "wrong"}),
    words=lambda expected, shown: (
        f"the words {shown}{f', numbers {told}' if (told := told_closeness(expected)) else ''}, "
        "whatever blanks are between them"
    ),
    write=lambda expected: write_mapping(expected, text_nodes, **closeness_nodes(expected)),
    freeze=lambda output: freeze_all(output.split(), lambda word: word.split() == [word]),
    join=b" ".join,
    whole=True,
    shown=True,
)
