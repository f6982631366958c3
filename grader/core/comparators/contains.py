"""`contains`: each of these texts occurs somewhere."""

from grader.core.comparators.base import WRONG, Comparator, Wanted, text_nodes, write_mapping
from grader.core.deviations.normalise import TEXT_KINDS, Kinds, ended, normal, possible
from grader.core.deviations.search import smallest_set
from grader.core.deviations.sentences import describe_empty, describe_kinds
from grader.core.model import Deviation, Expected
from grader.core.text import listed, quote
from grader.core.yaml.json_schema_parts import any_of, any_text
from grader.core.yaml.nodes import Listing
from grader.core.yaml.value import Key, Value, items, text, unwanted, wrong

_MAX_ABSENT = 3
"""texts that are named when they do not occur"""


def _read_contained(value: Value) -> tuple[str, ...]:
    """Read one text, or a list of them."""
    if not isinstance(value.node, Listing):
        places = [value]
    elif not (places := items(value)):
        unwanted(value, "at least one text")
    for place in places:
        if not text(place):
            wrong(place, "an empty text is contained in everything: name what must be there")
    return tuple(map(text, places))


def _compare_contains(output: bytes, wanted: Wanted) -> tuple[Deviation, ...]:
    def holds(overlooked: Kinds) -> bool:
        form = normal(output, overlooked)
        if "final-newline" in overlooked:
            form = ended(form)
        return all(normal(part, overlooked) in form for part in wanted.values)

    if holds(frozenset()):
        return ()
    kinds = possible(output, b"\n".join(wanted.values), TEXT_KINDS)
    found = smallest_set(holds, lambda _overlooked: set(), kinds, wanted.tolerate, length=len(output))
    if found is not None:
        told = describe_kinds(output, ended(output), found, wanted.where)
        return tuple(wanted.deviation(kind, sentence) for kind, sentence in told)
    form = ended(normal(output, TEXT_KINDS))
    absent = [part for part in wanted.values if normal(part, TEXT_KINDS) not in form]
    names = listed([quote(part) for part in absent[:_MAX_ABSENT]], total=len(absent))
    if not output.strip():
        return (wanted.deviation("wrong", describe_empty(wanted.where, names)),)
    message = f"{names} {'does' if len(absent) == 1 else 'do'} not occur in {wanted.where}."
    return (wanted.deviation("wrong", message),)


CONTAINS = Comparator(
    name="contains",
    key=Key(about="Each of these texts occurs somewhere.", kind="contained", alternative=True),
    kinds={
        "contained": any_of(any_text(minLength=1), {"type": "array", "items": any_text(minLength=1), "minItems": 1})
    },
    example="{contains: [Usage, -h]}",
    read=lambda value, _siblings: Expected(how="contains", want=_read_contained(value)),
    compare=_compare_contains,
    reachable=lambda _expected: TEXT_KINDS | WRONG,
    words=lambda _expected, shown: f"somewhere in it, {shown}",
    write=lambda expected: write_mapping(expected, text_nodes),
)
