"""`contains`: each of these texts occurs somewhere; of the reference, the whole of what it writes."""

import re

from grader.core.comparators.base import WRONG, Comparator, Wanted, text_nodes, write_mapping
from grader.core.comparators.text import reachable_in
from grader.core.deviations.normalise import ended, normal, possible
from grader.core.deviations.search import smallest_set
from grader.core.deviations.sentences import describe_empty, describe_kinds
from grader.core.deviations.table import TEXT_KINDS, Kinds
from grader.core.errors import HostError
from grader.core.lazy import lazy_regex
from grader.core.model.judgement import Deviation
from grader.core.model.spec import Leaf
from grader.core.text import listed, quote
from grader.core.yaml.nodes import Listing
from grader.core.yaml.types import any_of, any_text
from grader.core.yaml.value import Key, Value, items, keyword, read_text_or_reference, text, unwanted, wrong

_MAX_ABSENT = 3
"""texts that are named when they do not occur"""
_NOT_LONGER_BEFORE = rb"(?<![\w\x80-\xff])(?<!\d[.,])"
_NOT_LONGER_NUMBER = rb"(?<![^\w).][-.])(?<!\A[-.])"
_NOT_LONGER_AFTER = rb"(?![\w\x80-\xff]|[.,]\d)"
"""what keeps a word or number at either end of the reference's text from being a longer one: 5 is not in 15, -5, 5.2"""
_IN_A_WORD = lazy_regex(rb"[\w\x80-\xff]")
_MAX_PATTERN_BYTES = 1000
"""of a text that is looked for by a pattern, in all places; of a longer one the first and the last are enough"""


def _read_contained(value: Value) -> tuple[str, ...] | None:
    """Read one text, or a list of them; None for the keyword `reference`."""
    is_list = isinstance(value.node, Listing)
    if not is_list and read_text_or_reference(value) is None:
        return None
    places = items(value) if is_list else [value]
    if not places:
        unwanted(value, "at least one text")
    for place in places:
        if place is not value and keyword(place) == "reference":
            problem = "among other texts this is a word, and needs quotes"
            wrong(place, f"{problem}; for what the reference writes: {{all: [{{contains: reference}}, ...]}}")
        if not text(place):
            wrong(place, "an empty text is contained in everything: name what must be there")
    return tuple(map(text, places))


def _contained_in_output(output: bytes) -> bytes:
    """Return what must occur of the reference's output: all but the blanks and empty lines around it."""
    if not (contained := output.strip()):
        raise ValueError("the reference writes nothing, which is contained in everything")
    return contained


def _occurs(part: bytes, form: bytes, *, as_words: bool) -> bool:
    """Whether a text occurs; `as_words`: and not as a piece of a longer word or number."""
    if not as_words or part not in form:
        return part in form
    before = (_NOT_LONGER_BEFORE if _IN_A_WORD.match(part) else b"") + _NOT_LONGER_NUMBER * part[:1].isdigit()
    after = _NOT_LONGER_AFTER if _IN_A_WORD.match(part[-1:]) else b""
    if len(part) <= _MAX_PATTERN_BYTES:
        return re.search(before + re.escape(part) + after, form) is not None
    begins, ends, places = re.compile(before), re.compile(after), {form.find(part), form.rfind(part)}
    return any(begins.match(form, place) and ends.match(form, place + len(part)) for place in places)


def _compare_contains(output: bytes, wanted: Wanted) -> tuple[Deviation, ...]:
    as_words, values = wanted.from_reference, wanted.values
    if as_words:
        try:
            values = tuple(map(_contained_in_output, values))
        except ValueError as error:
            raise HostError(f"{wanted.where}: {error}; write reference without contains") from error

    def holds(overlooked: Kinds) -> bool:
        form = normal(output, overlooked)
        if "final-newline" in overlooked:
            form = ended(form)
        return all(_occurs(normal(part, overlooked), form, as_words=as_words) for part in values)

    if holds(frozenset()):
        return ()
    kinds = possible(output, b"\n".join(values), TEXT_KINDS)
    found = smallest_set(holds, lambda _overlooked: set(), kinds, wanted.tolerate, length=len(output))
    if found is not None:
        told = describe_kinds(output, ended(output), found, wanted.where)
        return tuple(wanted.deviation(kind, sentence) for kind, sentence in told)
    form = ended(normal(output, TEXT_KINDS))
    absent = [part for part in values if not _occurs(normal(part, TEXT_KINDS), form, as_words=as_words)] or [*values]
    names = listed([quote(part) for part in absent[:_MAX_ABSENT]], total=len(absent))
    message = f"{names} {'does' if len(absent) == 1 else 'do'} not occur in {wanted.where}."
    return (wanted.deviation("wrong", message if output.strip() else describe_empty(wanted.where, names)),)


CONTAINS = Comparator(
    name="contains",
    key=Key(
        about="Each of these texts occurs somewhere; with `reference`, the whole of what that writes does, but for the "
        "blanks and empty lines around it, and not as a piece of a longer word or number.",
        kind="contained",
        alternative=True,
    ),
    kinds={
        "contained": any_of(any_text(minLength=1), {"type": "array", "items": any_text(minLength=1), "minItems": 1})
    },
    example="{contains: [Usage, -h]}",
    read=lambda value, _siblings: Leaf(how="contains", want=_read_contained(value)),
    compare=_compare_contains,
    reachable=lambda leaf: reachable_in(TEXT_KINDS | WRONG, leaf.want),
    words=lambda _leaf, shown: f"somewhere in it, {shown}",
    write=lambda leaf: write_mapping(leaf, text_nodes),
    freeze=lambda output: (_contained_in_output(output).decode(),),
)
