"""Small changes of a spec's text that keep its comments and its layout.

Characters are exchanged, and what comes out is read again: an edit that changed anything but what it should is none.
Where the text is laid out so that no edit can be made, there is none either, and the caller tells people what to write.
"""

import re
import textwrap
from collections.abc import Callable, Iterator
from typing import Any

from grader.errors import SpecError
from grader.yaml.nodes import Node, Scalar
from grader.yaml.outline import outline
from grader.yaml.spans import Path, Span, spans
from grader.yaml.writing import dump, in_line, listing, table

_DASH = re.compile(r"( *)- +")


def with_item(data: bytes, path: Path, item: Node, *, open_levels: int = 1) -> bytes | None:
    """Return the text with one more item in the list at `path`; None when no small edit does that.

    With more than one of the item's `open_levels` laid out in lines, an empty line sets it apart.
    """
    text = data.decode("utf-8-sig")
    found = spans(text)
    first = found.get((*path, 0))
    if first is None:
        return None
    place = found[path]
    if place.flows:
        changed = _item_within(text, place, item)
    else:
        gap = "\n" if open_levels > 1 else ""
        changed = _item_below(text, place, first, gap + dump(listing([item]), open_levels=open_levels + 1))
    return _proven(data, changed, path, lambda items: [*items, _outline(item)])


def _item_within(text: str, place: Span, item: Node) -> str:
    before = text[: place.end - 1].rstrip()
    return f"{before}{'' if before.endswith(',') else ','} {in_line(item)}{text[place.end - 1 :]}"


def _item_below(text: str, place: Span, first: Span, written: str) -> str:
    dash = _DASH.fullmatch(text, text.rfind("\n", 0, first.start) + 1, first.start)
    if dash is None:
        return text
    end = text.find("\n", place.end)
    before, behind = (text[: end + 1], text[end + 1 :]) if end >= 0 else (f"{text}\n", "")
    return before + textwrap.indent(written, dash[1]) + behind


def with_value(data: bytes, path: Path, value: Scalar) -> bytes | None:
    """Return the text with another text or word at `path`, where there is one; None when no small edit does that."""
    text = data.decode("utf-8-sig")
    place = spans(text).get(path)
    if place is None:
        return None
    edits = (_proven(data, changed, path, lambda _: value.text) for changed in _with_value(text, place, path, value))
    return next((edit for edit in edits if edit is not None), None)


def _with_value(text: str, place: Span, path: Path, value: Scalar) -> Iterator[str]:
    """Yield the text changed, in the nicest way first."""
    before, behind = text[: place.start], text[place.end :]
    if "\n" in value.text and not place.flows and place.key is not None:
        column = place.key - text.rfind("\n", 0, place.key) - 1
        entry = textwrap.indent(dump(table({str(path[-1]): value}), open_levels=1), " " * column)
        yield text[: place.key] + entry.strip(" ").removesuffix("\n") + behind
    yield before + in_line(value) + behind


def _proven(data: bytes, changed: str, path: Path, change: Callable[[Any], Any]) -> bytes | None:
    """Return the changed text if it reads as the text before, with the value at `path` changed, and nothing else."""
    result = changed.encode()
    try:
        found = outline(result, "")
    except SpecError:
        return None
    return result if found == _changed(outline(data, ""), path, change) else None


def _changed(value: Any, path: Path, change: Callable[[Any], Any]) -> Any:
    """Return the value with what is at `path` in it changed."""
    if not path:
        return change(value)
    first, *rest = path
    places = enumerate(value) if isinstance(value, list) else value.items()
    changed = {place: _changed(one, tuple(rest), change) if place == first else one for place, one in places}
    return list(changed.values()) if isinstance(value, list) else changed


def _outline(node: Node) -> Any:
    return outline(in_line(node).encode(), "")
