"""Small changes of a spec's text that keep its comments and its layout.

The edit replaces characters and parses the result. An edit that changed anything else is rejected. Some layouts allow
no edit; then there is none either, and the caller prints the change for people to make. ruamel.yaml is not used: it
writes the whole file anew, and lays out braces, blanks and escapes in its own way.
"""

import re
import textwrap
from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from grader.core.errors import SpecError
from grader.core.yaml.dumping import dump
from grader.core.yaml.nodes import Node, Scalar
from grader.core.yaml.parsing import compose, outline
from grader.core.yaml.writing import in_line, listing, table

KeyPath = tuple[str | int, ...]
"""keys and places, from the top: `("tests", 2, "args")`"""

_DASH = re.compile(r"( *)- +")


class _Span(Struct, frozen=True, kw_only=True):
    """The place of a value in the text."""

    start: int
    end: int  # behind its last character
    flows: bool  # whether it is within brackets or braces, or is such a list or mapping itself
    key: int | None  # where its key starts; None in a list
    count: int  # of the items in it


def _spans(text: str) -> dict[KeyPath, _Span]:
    """Return the place of everything in a text that is YAML; of what an alias stands for, where its anchor is."""
    found: dict[KeyPath, _Span] = {}

    def note(node: Any, path: KeyPath, key: int | None, *, flows: bool) -> _Span:
        flows = flows or bool(getattr(node, "flow_style", False))
        inner: list[_Span] = []
        if node.id == "sequence":
            inner = [note(item, (*path, at), None, flows=flows) for at, item in enumerate(node.value)]
        elif node.id == "mapping":
            inner = [note(item, (*path, name.value), name.start_mark.index, flows=flows) for name, item in node.value]
        start, end = node.start_mark.index, node.end_mark.index
        end = inner[-1].end if inner and not flows else start + len(text[start:end].rstrip())  # blank lines follow
        found[path] = _Span(start=start, end=end, flows=flows, key=key, count=len(inner))
        return found[path]

    note(compose(text), (), None, flows=False)
    return found


def with_item(
    data: bytes, path: KeyPath, item: Node | None, place: int | None = None, *, open_levels: int = 1
) -> bytes | None:
    """Return the text with `item` in the list at `path`: behind the last item, or in the place of another.

    With None the other is removed; comments behind it stay, and with the only item of a key at the top that key goes.
    With more than one of the item's `open_levels` laid out in lines, an empty line sets it apart. None when no small
    edit does that.
    """
    text = data.decode("utf-8-sig")
    spans = _spans(text)
    whole = spans.get(path)
    if whole is None or (*path, place or 0) not in spans:
        return None
    if item is None and whole.count == 1:
        return _without_key(data, text, path, whole)
    edit = _place_item(text, spans, path, item, place, open_levels=open_levels)
    if edit is None:
        return None
    start, end, written = edit
    at = whole.count if place is None else place
    new = [outline(in_line(item).encode(), "")] if item else []
    wanted = _with_change(_outlined(data), path, lambda items: [*items[:at], *new, *items[at + 1 :]])
    return _proven((text[:start] + written + text[end:]).encode(), wanted)


def _place_item(
    text: str, spans: Mapping[KeyPath, _Span], path: KeyPath, item: Node | None, place: int | None, *, open_levels: int
) -> tuple[int, int, str] | None:
    """Return the characters from a place to another, and what stands there instead; None without an edit."""
    whole, old = spans[path], spans[*path, place or 0]
    if whole.flows or (old.flows and None not in (item, place)):
        if place is None:
            start = len(text[: whole.end - 1].rstrip())
            return start, whole.end - 1, f"{'' if text[start - 1] == ',' else ','} {in_line(item) if item else ''}"
        if item:
            return old.start, old.end, in_line(item)
        before, after = spans.get((*path, place - 1)), spans.get((*path, place + 1))
        return (old.start, after.start, "") if after else (before.end if before else old.start, old.end, "")
    start = text.rfind("\n", 0, old.start) + 1
    dash = _DASH.fullmatch(text, start, old.start)  # each item begins with `- `, on a line of its own
    if dash is None:
        return None
    written = textwrap.indent(dump(listing([item]), open_levels=open_levels + 1), dash[1]) if item else ""
    if item and place is not None:
        return start, old.end, written.rstrip("\n")
    end = text.find("\n", (whole if place is None else old).end) + 1 or len(text)
    gap = ("\n" if open_levels > 1 else "") + ("" if text[:end].endswith("\n") else "\n")
    return (end, end, gap + written) if item else (start, end, "")


def _without_key(data: bytes, text: str, path: KeyPath, whole: _Span) -> bytes | None:
    """Return the text without a key at the top, but with the comments in its lines."""
    if whole.key is None or len(path) != 1:
        return None
    start, end = text.rfind("\n", 0, whole.key) + 1, text.find("\n", whole.end) + 1 or len(text)
    comments = [line.lstrip() for line in text[start:end].splitlines(keepends=True) if line.lstrip().startswith("#")]
    known = _outlined(data)
    rest = {key: value for key, value in known.items() if key != path[0]}
    return _proven((text[:start] + "".join(comments) + text[end:]).encode(), rest or None)


def with_listed(data: bytes, key: str, item: Node) -> bytes | None:
    """Return the text with one more item in the list of a key at the top, which is added where it is missing."""
    known = _outlined(data) or {}
    if not isinstance(known, dict) or key in known:
        return with_item(data, (key,), item)
    gap = b"" if data.endswith(b"\n") or not data else b"\n"
    after = data + gap + dump(table({key: listing([item])}), open_levels=2).encode()
    return _proven(after, {**known, key: [outline(in_line(item).encode(), "")]})


def _outlined(data: bytes) -> Any:
    """Return what a file says; None where it says nothing, or is no YAML."""
    has_content = any(line.strip() and not line.lstrip().startswith(b"#") for line in data.splitlines())
    try:
        return outline(data, "") if has_content else None
    except SpecError:
        return False


def with_value(data: bytes, path: KeyPath, value: Scalar) -> bytes | None:
    """Return the text with another text or word at `path`; None where no small edit does that."""
    text = data.decode("utf-8-sig")
    place = _spans(text).get(path)
    if place is None:
        return None
    before, behind = text[: place.start], text[place.end :]
    ways = [before + in_line(value) + behind]
    if "\n" in value.text and not place.flows and place.key is not None:
        # Nicer, where it can be: a text of several lines as a block.
        column = place.key - text.rfind("\n", 0, place.key) - 1
        entry = textwrap.indent(dump(table({str(path[-1]): value}), open_levels=1), " " * column)
        ways.insert(0, text[: place.key] + entry.strip(" ").removesuffix("\n") + behind)
    wanted = _with_change(_outlined(data), path, lambda _: value.text)
    edits = (_proven(changed.encode(), wanted) for changed in ways)
    return next((edit for edit in edits if edit is not None), None)


def _proven(changed: bytes, wanted: Any) -> bytes | None:
    """Return the changed text if it says what is wanted, and nothing else."""
    return changed if _outlined(changed) == wanted else None


def _with_change(value: Any, path: KeyPath, change: Callable[[Any], Any]) -> Any:
    """Return the value with what is at `path` in it changed."""
    if not path:
        return change(value)
    places = enumerate(value) if isinstance(value, list) else value.items()
    changed = {at: _with_change(one, path[1:], change) if at == path[0] else one for at, one in places}
    return list(changed.values()) if isinstance(value, list) else changed
