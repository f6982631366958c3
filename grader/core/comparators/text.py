"""`text`: every byte as in the text. How two texts differ is named, as far as there is a name for it.

`contains`: each of these texts occurs somewhere; of the reference, the whole of what it writes.
"""

import re
from functools import partial
from itertools import starmap

from grader.core.comparators.base import OWN_ANSWER, WRONG, Comparator, Wanted
from grader.core.deviations import sentences
from grader.core.deviations.search import (
    MAX_SEARCHED,
    credit,
    ended,
    explain_difference,
    is_blank,
    normal,
    possible,
    smallest_set,
)
from grader.core.deviations.sentences import restored
from grader.core.deviations.table import DEVIATIONS, LINE_KINDS, MENDED_KINDS, TEXT_KINDS, Kinds
from grader.core.errors import HostError
from grader.core.lazy import lazy_regex
from grader.core.model.report import Deviation
from grader.core.model.spec import Leaf
from grader.core.text import listed, quote, size
from grader.core.yaml.nodes import Listing, plain
from grader.core.yaml.types import any_of, any_text, node_of
from grader.core.yaml.value import Key, Value, is_reference, items, keyword, text, unwanted, wrong

TEXT_DEVIATIONS: Kinds = TEXT_KINDS | LINE_KINDS | MENDED_KINDS | WRONG


def exactly(want: str | None) -> Leaf:
    """Expect this text; None stands for the reference's output."""
    return Leaf(how=TEXT.name, want=None if want is None else (want,))


def name_difference(
    actual: bytes, expected: bytes, wanted: Wanted, kinds_of_text: Kinds = TEXT_KINDS, *, is_ordered: bool = True
) -> tuple[Deviation, ...]:
    """Name the deviations that explain the difference of two texts, whose lines may be in any order."""
    means = None if is_ordered else lambda shape: shape - {"order"}

    def explained(have: bytes, want: bytes) -> Kinds | None:
        if "final-newline" not in kinds_of_text:
            have, want = ended(have), ended(want)
        return explain_difference(have, want, wanted.tolerate, kinds_of_text, means)

    mended, kinds = restored(actual, expected, wanted.tolerate, explained, stdin=wanted.stdin, prompt=wanted.prompt)
    pair = mended[1][:2] if mended else (actual, expected)
    # What repeats a line and lacks another is a single wrong line, which keeps nothing in either case.
    is_one_line = (
        kinds is not None
        and kinds - TEXT_KINDS == sentences.EXCHANGED
        and not credit(kinds | {mended[0]} if mended else kinds, wanted.tolerate)
        and sentences.only_wrong_line(*pair)
    )
    if kinds is None or is_one_line:
        forgiven = frozenset(kind for kind, share in wanted.tolerate.items() if share)  # and not blamed
        wrong = partial(sentences.wrong_text, forgiven=forgiven) if is_ordered else sentences.wrong_lines
        sentence = wrong(actual, expected, wanted.where)
        if max(len(actual), len(expected)) > MAX_SEARCHED and not (is_blank(actual) or is_blank(expected)):
            sentence += f" A text over {size(MAX_SEARCHED)} is not searched for every kind of difference."
        return (wanted.deviation("wrong", sentence),)
    if mended is None:
        return tuple(starmap(wanted.deviation, sentences.describe_kinds(actual, expected, kinds, wanted.where)))
    others = sentences.describe_kinds(*pair, kinds, wanted.where, written=actual)
    return tuple(starmap(wanted.deviation, ((mended[0], mended[1][2]()), *others)))


def reachable_in(kinds: Kinds, want: tuple[str, ...] | None) -> Kinds:
    """Return those of `kinds` that can occur with such a wanted text."""
    if want is None:
        return kinds
    lines = [line for part in want for line in part.splitlines()]
    return frozenset(kind for kind in kinds if DEVIATIONS[kind].reachable(lines))


TEXT = Comparator(
    name="text",
    key=Key(
        about="Exactly this text; `reference` is what the reference writes, another keyword a text.",
        kind="text",
        aliases="equals exact value",
    ),
    example='{text: "reference"}',
    read=lambda value, _siblings: exactly(None if is_reference(value) else text(value)),
    compare=lambda output, wanted: name_difference(output, wanted.values[0], wanted),
    reachable=lambda leaf: reachable_in(TEXT_DEVIATIONS, leaf.want),
    words=lambda leaf, shown: (
        "nothing" if leaf.want == ("",) else f"exactly {OWN_ANSWER if leaf.want is None else shown}"
    ),
    write=lambda leaf: plain("reference") if leaf.want is None else node_of(leaf.want[0]),
    prescribes="lines",
)


_NOT_LONGER_BEFORE = rb"(?<![\w\x80-\xff])(?<!\d[.,])"
_NOT_LONGER_NUMBER = rb"(?<![^\w).][-.])(?<!\A[-.])"
_NOT_LONGER_AFTER = rb"(?![\w\x80-\xff]|[.,]\d)"
"""what keeps a word or number at either end of the reference's text from being a longer one: 5 is not in 15, -5, 5.2"""
_IN_A_WORD = lazy_regex(rb"[\w\x80-\xff]")
_SOME_TEXT = any_text(minLength=1)
_MAX_PATTERN_BYTES = 1000  # of a text that is looked for by a pattern, which tries a long one at too many places
_MAX_OVERLAPS = 64  # places that are tried of a long text which overlaps itself, besides those at which it does not


def _read_contained(value: Value) -> tuple[str, ...] | None:
    """Read one text, or a list of them; None for the keyword `reference`."""
    is_list = isinstance(value.node, Listing)
    if is_reference(value):
        return None
    places = items(value) if is_list else [value]
    if not places:
        unwanted(value, "at least one text")
    for place in places:
        if keyword(place) == "reference":
            problem = "among other texts this is a word, and needs quotes"
            wrong(place, f"{problem}; for what the reference writes: {{all: [{{contains: reference}}, ...]}}")
        if not text(place):
            wrong(place, "an empty text is contained in everything: name what must be there")
    return tuple(map(text, places))


def _occurs(part: bytes, form: bytes, *, as_words: bool) -> bool:
    """Whether a text occurs; `as_words`: and not as a piece of a longer word or number."""
    if not as_words or part not in form:
        return part in form
    before = (_NOT_LONGER_BEFORE if _IN_A_WORD.match(part) else b"") + _NOT_LONGER_NUMBER * part[:1].isdigit()
    after = _NOT_LONGER_AFTER if _IN_A_WORD.match(part[-1:]) else b""
    if len(part) <= _MAX_PATTERN_BYTES:
        return re.search(before + re.escape(part) + after, form) is not None
    begins, ends, place = re.compile(before), re.compile(after), form.find(part)
    for _ in range(len(form) // len(part) + _MAX_OVERLAPS):
        if place < 0 or (begins.match(form, place) and ends.match(form, place + len(part))):
            return place >= 0
        place = form.find(part, place + 1)
    return False


def _compare_contains(output: bytes, wanted: Wanted) -> tuple[Deviation, ...]:
    as_words = wanted.leaf.want is None
    values = tuple(map(bytes.strip, wanted.values)) if as_words else wanted.values
    if not all(values):
        raise HostError(f"{wanted.where}: the reference writes nothing, which every text contains")

    def holds(overlooked: Kinds) -> bool:
        form = ended(normal(output, overlooked)) if "final-newline" in overlooked else normal(output, overlooked)
        return all(_occurs(normal(part, overlooked), form, as_words=as_words) for part in values)

    if holds(frozenset()):
        return ()
    kinds = possible(output, b"\n".join(values), TEXT_KINDS)
    causes = smallest_set(holds, lambda _overlooked: set(), kinds, wanted.tolerate, length=len(output))
    if causes is not None:
        return tuple(starmap(wanted.deviation, sentences.describe_kinds(output, ended(output), causes, wanted.where)))
    form = ended(normal(output, TEXT_KINDS))
    absent = [part for part in values if not _occurs(normal(part, TEXT_KINDS), form, as_words=as_words)] or [*values]
    names = listed([quote(part) for part in absent[:3]], total=len(absent))
    message = f"{names} {'does' if len(absent) == 1 else 'do'} not occur in {wanted.where}."
    return (wanted.deviation("wrong", message if output.strip() else sentences.describe_empty(wanted.where, names)),)


_NOT_ALL = "not all of these texts? Write `not: {any: [{contains: …}, …]}` if none may occur"
CONTAINS = Comparator(
    name="contains",
    key=Key(
        about="Each of these texts occurs somewhere; with `reference`, all that it writes, as whole words and numbers.",
        kind="contained",
        aliases="includes substring",
    ),
    kinds={"contained": any_of(_SOME_TEXT, {"type": "array", "items": _SOME_TEXT, "minItems": 1})},
    example="{contains: [Usage, -h]}",
    read=lambda value, _siblings: Leaf(how="contains", want=_read_contained(value)),
    compare=_compare_contains,
    reachable=lambda leaf: reachable_in(TEXT_KINDS | WRONG, leaf.want),
    words=lambda _leaf, shown: f"somewhere in it, {shown}",
    freeze=lambda output: (output.decode().strip(),),
    why_not_denied=lambda leaf: _NOT_ALL if len(leaf.want or ()) > 1 else "",
)
