"""`text`: every byte as in the text. How two texts differ is named, as far as there is a name for it."""

from collections.abc import Callable
from functools import partial

from grader.core.comparators.base import OWN_ANSWER, WRONG, Comparator, Wanted, text_node
from grader.core.deviations.normalise import is_blank
from grader.core.deviations.search import MAX_SEARCHED, credit, explain_difference
from grader.core.deviations.sentences import (
    EXCHANGED,
    describe_kinds,
    only_wrong_line,
    wrong_text,
)
from grader.core.deviations.table import DEVIATIONS, LINE_KINDS, MENDED_KINDS, TEXT_KINDS, Kinds
from grader.core.deviations.undo import Explain, restored
from grader.core.model.judgement import Deviation
from grader.core.model.spec import Leaf
from grader.core.text import size
from grader.core.yaml.value import Key, read_text_or_reference
from grader.core.yaml.writing import plain

TEXT_DEVIATIONS: Kinds = TEXT_KINDS | LINE_KINDS | MENDED_KINDS | WRONG
"""all deviations of two texts"""


def exactly(want: str | None) -> Leaf:
    """Expect this text; None stands for the reference's output."""
    return Leaf(how=TEXT.name, want=None if want is None else (want,))


def _compare_text(output: bytes, wanted: Wanted) -> tuple[Deviation, ...]:
    expected = wanted.values[0]

    def explained(actual: bytes, asked: bytes) -> Kinds | None:
        return explain_difference(actual, asked, wanted.tolerate)

    return name_difference(output, expected, wanted, explained, tell_wrong(wanted))


def tell_wrong(wanted: Wanted) -> Callable[[bytes, bytes, str], str]:
    """Return what describes a text that nothing explains: what keeps credit is not blamed for it."""
    return partial(wrong_text, forgiven=frozenset(kind for kind, share in wanted.tolerate.items() if share))


def name_difference(
    actual: bytes, expected: bytes, wanted: Wanted, explained: Explain, wrong: Callable[[bytes, bytes, str], str]
) -> tuple[Deviation, ...]:
    """Name the deviations that explain the difference of two texts; `wrong` describes one that none explains."""
    mended, kinds = restored(actual, expected, wanted.tolerate, explained, stdin=wanted.stdin, prompt=wanted.prompt)
    pair = mended[1][:2] if mended else (actual, expected)
    is_long = max(len(actual), len(expected)) > MAX_SEARCHED
    # What repeats a line and lacks another is a single wrong line, which keeps nothing in either case.
    is_one_line = (
        kinds is not None
        and kinds - TEXT_KINDS == EXCHANGED
        and not credit(kinds | {mended[0]} if mended else kinds, wanted.tolerate)
        and only_wrong_line(*pair)
    )
    if kinds is None or is_one_line:
        told = wrong(actual, expected, wanted.where)
        if is_long and not (is_blank(actual) or is_blank(expected)):
            told += f" A text over {size(MAX_SEARCHED)} is not searched for every kind of difference."
        return (wanted.deviation("wrong", told),)
    if mended is None:
        named = list(describe_kinds(actual, expected, kinds, wanted.where))
    else:
        kind, (_, _, describe_mended) = mended
        left = describe_kinds(*pair, kinds, wanted.where, written=actual)
        named = [(kind, describe_mended()), *left]
    return tuple(wanted.deviation(kind, sentence) for kind, sentence in named)


def reachable_in(kinds: Kinds, want: tuple[str, ...] | None) -> Kinds:
    """Return those of `kinds` that can occur with a wanted text of this length, and with these characters."""
    if want is None:
        return kinds
    lines = [line for part in want for line in part.splitlines()]
    return frozenset(kind for kind in kinds if DEVIATIONS[kind].reachable(lines))


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
