"""Small changes of a spec's text that keep its comments and its layout.

The edit replaces characters and parses the result. An edit that changed anything else is rejected. Some layouts allow
no edit; then there is none either, and the caller prints the change for people to make. ruamel.yaml is not used: it
writes the whole file anew, and lays out braces, blanks and escapes in its own way.
"""

import re
import textwrap
from collections.abc import Callable, Iterable
from typing import Any

from msgspec import Struct

from grader.core.errors import SpecError
from grader.core.yaml.dumping import dump
from grader.core.yaml.nodes import Node, Scalar
from grader.core.yaml.parsing import compose, outline
from grader.core.yaml.writing import in_line, listing, table

KeyPath = tuple[str | int, ...]
"""keys and places, from the top: `("tests", 2, "args")`"""

_Edit = tuple[int, int, str]
"""the characters from a place to another, and what stands there instead"""


class _Span(Struct, frozen=True):
    """The place of a value in the text."""

    start: int
    end: int  # behind its last character
    flows: bool  # whether it is within brackets or braces, or is such a list or mapping itself
    key: int  # where its key starts; -1 in a list
    count: int  # of the items in it


def _spans(text: str) -> dict[KeyPath, _Span]:
    """Return the place of everything in a text that is YAML; of what an alias stands for, where its anchor is."""
    found: dict[KeyPath, _Span] = {}

    def note(node: Any, path: KeyPath, key: int, *, flows: bool) -> int:
        flows = flows or bool(getattr(node, "flow_style", False))
        parts: list[tuple[str | int, int, Any]] = []
        if node.id == "sequence":
            parts = [(at, -1, item) for at, item in enumerate(node.value)]
        elif node.id == "mapping":
            parts = [(name.value, name.start_mark.index, item) for name, item in node.value]
        ends = [note(item, (*path, at), start, flows=flows) for at, start, item in parts]
        start, end = node.start_mark.index, node.end_mark.index
        end = ends[-1] if ends and not flows else start + len(text[start:end].rstrip())  # blank lines follow
        found[path] = _Span(start, end, flows, key, len(ends))
        return end

    note(compose(text), (), -1, flows=False)
    return found


def with_item(
    data: bytes, path: KeyPath, item: Node | None, place: int | None = None, *, open_levels: int = 1
) -> bytes | None:
    """Return the text with `item` in the list at `path`: behind the last item, or in the place of another.

    With None the other is removed; comments behind it stay, and with the only item of a key at the top that key goes.
    With more than one of the item's `open_levels` laid out in lines, an empty line sets it apart. None when no small
    edit does that.
    """
    text, known = data.decode("utf-8-sig"), _outlined(data)
    spans = _spans(text)
    whole, old = spans.get(path), spans.get((*path, place or 0))
    if whole is None or old is None:
        return None
    at = whole.count if place is None else place
    line = in_line(item) if item else ""
    new = [outline(line.encode(), "")] if item else []
    wanted = _with_change(known, path, lambda items: [*items[:at], *new, *items[at + 1 :]])
    if item is None and whole.count == 1:
        wanted = {key: value for key, value in known.items() if (key,) != path} or None
        edits = [_without_key(text, whole.key, whole.end)] if len(path) == 1 else []
    elif whole.flows and place is None:
        start = len(text[: whole.end - 1].rstrip())
        edits = [(start, whole.end - 1, f"{'' if text[start - 1] == ',' else ','} {line}")]
    elif (whole.flows and item) or (old.flows and None not in (item, place)):
        edits = [(old.start, old.end, line)]
    elif whole.flows:
        before, after = (spans.get((*path, at + step)) for step in (-1, 1))
        edits = [(old.start, after.start, "") if after else (before.end if before else old.start, old.end, "")]
    else:
        edits = _in_lines(text, whole, old, item, is_new=place is None, open_levels=open_levels)
    return _edited(text, edits, wanted)


def _in_lines(text: str, whole: _Span, old: _Span, item: Node | None, *, is_new: bool, open_levels: int) -> list[_Edit]:
    start = text.rfind("\n", 0, old.start) + 1
    dash = re.fullmatch("( *)- +", text[start : old.start])  # each item begins with `- `, on a line of its own
    end = text.find("\n", (whole if is_new else old).end) + 1 or len(text)
    if dash is None or item is None:
        return [(start, end, "")] if dash else []
    written = textwrap.indent(dump(listing([item]), open_levels=open_levels + 1), dash[1])
    gap = ("\n" if open_levels > 1 else "") + ("" if text[:end].endswith("\n") else "\n")
    return [(end, end, gap + written) if is_new else (start, old.end, written.rstrip("\n"))]


def _without_key(text: str, key: int, end: int) -> _Edit:
    """Remove a key at the top, but not the comments in its lines."""
    start, end = text.rfind("\n", 0, key) + 1, text.find("\n", end) + 1 or len(text)
    lines = (line.lstrip() for line in text[start:end].splitlines(keepends=True))
    return start, end, "".join(line for line in lines if line.startswith("#"))


def with_listed(data: bytes, key: str, item: Node) -> bytes | None:
    """Return the text with one more item in the list of a key at the top, which is added where it is missing."""
    known = _outlined(data) or {}
    if not isinstance(known, dict) or key in known:
        return with_item(data, (key,), item)
    text = data.decode("utf-8-sig")
    written = ("" if text.endswith("\n") or not text else "\n") + dump(table({key: listing([item])}), open_levels=2)
    return _edited(text, [(len(text), len(text), written)], {**known, key: [outline(in_line(item).encode(), "")]})


def with_value(data: bytes, path: KeyPath, value: Scalar) -> bytes | None:
    """Return the text with another text or word at `path`; None where no small edit does that."""
    text = data.decode("utf-8-sig")
    place = _spans(text).get(path)
    if place is None:
        return None
    edits = [(place.start, place.end, in_line(value))]
    if "\n" in value.text and not place.flows and place.key >= 0:
        # Nicer, where it can be: a text of several lines as a block.
        column = place.key - text.rfind("\n", 0, place.key) - 1
        block = textwrap.indent(dump(table({str(path[-1]): value}), open_levels=1), " " * column)
        edits.insert(0, (place.key, place.end, block.strip(" ").removesuffix("\n")))
    return _edited(text, edits, _with_change(_outlined(data), path, lambda _: value.text))


def _edited(text: str, edits: Iterable[_Edit], wanted: Any) -> bytes | None:
    """Return the text after the first edit that makes it say what is wanted, and nothing else."""
    changed = ((text[:start] + written + text[end:]).encode() for start, end, written in edits)
    return next((one for one in changed if _outlined(one) == wanted), None)


def _outlined(data: bytes) -> Any:
    """Return what a file says; None where it says nothing, False where it is no YAML."""
    has_content = any(line.strip() and not line.lstrip().startswith(b"#") for line in data.splitlines())
    try:
        return outline(data, "") if has_content else None
    except SpecError:
        return False


def _with_change(value: Any, path: KeyPath, change: Callable[[Any], Any]) -> Any:
    """Return the value with what is at `path` in it changed."""
    if not path:
        return change(value)
    places = enumerate(value) if isinstance(value, list) else value.items()
    changed = {at: _with_change(one, path[1:], change) if at == path[0] else one for at, one in places}
    return list(changed.values()) if isinstance(value, list) else changed
