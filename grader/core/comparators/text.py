"""`text`: every byte as in the text. How two texts differ is named, as far as there is a name for it."""

from collections.abc import Callable
from functools import partial

from grader.core.comparators.base import OWN_ANSWER, WRONG, Comparator, Wanted, text_node
from grader.core.deviations.listings import TUPLE_KINDS, is_right_but_for_listing
from grader.core.deviations.normalise import TEXT_KINDS, Kinds, has_case, is_blank
from grader.core.deviations.search import LINE_KINDS, MAX_SEARCHED, credit, explain_difference
from grader.core.deviations.sentences import (
    EXCHANGED,
    describe_kinds,
    describe_kinds_left,
    only_wrong_line,
    wrong_listing,
    wrong_text,
)
from grader.core.deviations.undo import MENDERS, Explain, Mended, restored
from grader.core.model.judgement import Deviation
from grader.core.model.spec import Leaf
from grader.core.text import size
from grader.core.yaml.value import Key, read_text_or_reference
from grader.core.yaml.writing import plain

TEXT_DEVIATIONS: Kinds = TEXT_KINDS | LINE_KINDS | frozenset(MENDERS) | WRONG
"""all deviations of two texts"""


def exactly(want: str | None) -> Leaf:
    """Expect this text; None stands for the reference's output."""
    return Leaf(how=TEXT.name, want=None if want is None else (want,))


def _compare_text(output: bytes, wanted: Wanted) -> tuple[Deviation, ...]:
    expected = wanted.values[0]

    def explained(actual: bytes, asked: bytes, most: int | None) -> Kinds | None:
        return explain_difference(actual, asked, wanted.tolerate, most=most)

    return name_difference(output, expected, wanted, explained, tell_wrong(wanted))


def tell_wrong(wanted: Wanted) -> Callable[[bytes, bytes, str], str]:
    """Return what describes a text that nothing explains: what keeps credit is not blamed for it."""
    return partial(wrong_text, forgiven=frozenset(kind for kind, share in wanted.tolerate.items() if share))


def name_difference(
    actual: bytes, expected: bytes, wanted: Wanted, explained: Explain, wrong: Callable[[bytes, bytes, str], str]
) -> tuple[Deviation, ...]:
    """Name the deviations that explain the difference of two texts; `wrong` describes one that none explains."""
    mended, kinds = restored(actual, expected, wanted.tolerate, explained, stdin=wanted.stdin, prompt=wanted.prompt)
    is_one_line = kinds is not None and _is_one_wrong_line(mended, (actual, expected), kinds, wanted)
    if kinds is None or is_one_line:
        tell = wrong_listing if not is_one_line and is_right_but_for_listing(actual, expected) else wrong
        told = tell(actual, expected, wanted.where)
        if max(len(actual), len(expected)) > MAX_SEARCHED and not (is_blank(actual) or is_blank(expected)):
            told += f" A text over {size(MAX_SEARCHED)} is not searched for every kind of difference."
        return (wanted.deviation("wrong", told),)
    if mended is None:
        named = list(describe_kinds(actual, expected, kinds, wanted.where))
    else:
        kind, (text_left, asked), describe_mended = mended
        left = describe_kinds_left(text_left, asked, kinds, wanted.where, written=actual)
        named = [(kind, describe_mended()), *left]
    return tuple(wanted.deviation(kind, sentence) for kind, sentence in named)


def _is_one_wrong_line(mended: Mended | None, pair: tuple[bytes, bytes], kinds: Kinds, wanted: Wanted) -> bool:
    """Whether what repeats a line and lacks another is a single wrong line, which keeps nothing in either case."""
    union = kinds | {mended[0]} if mended else kinds
    return (
        kinds - TEXT_KINDS == EXCHANGED
        and not credit(union, wanted.tolerate)
        and only_wrong_line(*(mended[1] if mended else pair))
    )


def reachable_in(kinds: Kinds, want: tuple[str, ...] | None) -> Kinds:
    """Return those of `kinds` that can occur with a wanted text of this length, and with these characters."""
    if want is None:
        return kinds
    lines = [line for part in want for line in part.splitlines()]
    if not any(line.strip() for line in lines):
        return kinds - LINE_KINDS - (frozenset(MENDERS) - {"prompt"}) - {"letter-case"}
    if not any(map(has_case, want)):
        kinds -= {"letter-case"}
    if not any(character.isdigit() for part in want for character in part):
        kinds -= {*TUPLE_KINDS, "wrong-count"}
    if len(lines) == 1:
        kinds -= {"missing-lines"}
    return kinds - {"order"} if len(set(lines)) == 1 else kinds


TEXT = Comparator(
    name="text",
    key=Key(
        about="Exactly this text; `reference` is what the reference writes, and any other keyword a text.",
        kind="text",
        alternative=True,
    ),
    example='{text: "reference"}',
    read=lambda value, _siblings: exactly(read_text_or_reference(value)),
    compare=_compare_text,
    reachable=lambda leaf: reachable_in(TEXT_DEVIATIONS, leaf.want),
    words=lambda leaf, shown: (
        "nothing" if leaf.want == ("",) else f"exactly {OWN_ANSWER if leaf.want is None else shown}"
    ),
    write=lambda leaf: plain("reference") if leaf.want is None else text_node(leaf.want[0]),
    linewise=True,
    whole=True,
    shown=True,
)
