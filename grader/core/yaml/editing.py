"""Small changes of a spec's text that keep its comments and its layout.

The edit replaces characters and parses the result. An edit that changed anything else is rejected. Some layouts allow
no edit; then there is none either, and the caller prints the change for people to make. ruamel.yaml is not used: it
writes the whole file anew. In our own specs it drops the braces of `[{zeros: [5, 5]}]`. It also lays out blanks and
escapes in its own way, so an edit of one value would change unrelated lines.
"""

import re
import textwrap
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import yaml

from grader.core.errors import SpecError
from grader.core.yaml.dumping import dump
from grader.core.yaml.nodes import Node, Scalar
from grader.core.yaml.parsing import outline
from grader.core.yaml.writing import in_line, listing, table

KeyPath = tuple[str | int, ...]
"""keys and places, from the top: `("tests", 2, "args")`"""

_DASH = re.compile(r"( *)- +")


def with_item(data: bytes, path: KeyPath, item: Node, *, open_levels: int = 1) -> bytes | None:
    """Return the text with one more item in the list at `path`; None when no small edit does that.

    With more than one of the item's `open_levels` laid out in lines, an empty line sets it apart.
    """
    text = data.decode("utf-8-sig")
    spans = dict(_spans(text))
    first = spans.get((*path, 0))
    if first is None:
        return None
    place = spans[path]
    if place.flows:
        before = text[: place.end - 1].rstrip()
        changed = f"{before}{'' if before.endswith(',') else ','} {in_line(item)}{text[place.end - 1 :]}"
    else:
        dash = _DASH.fullmatch(text, text.rfind("\n", 0, first.start) + 1, first.start)
        if dash is None:
            return None
        gap = "\n" if open_levels > 1 else ""
        written = gap + dump(listing([item]), open_levels=open_levels + 1)
        end = text.find("\n", place.end)
        before, behind = (text[: end + 1], text[end + 1 :]) if end >= 0 else (f"{text}\n", "")
        changed = before + textwrap.indent(written, dash[1]) + behind
    return _proven(data, changed, path, lambda items: [*items, outline(in_line(item).encode(), "")])


def without_item(data: bytes, path: KeyPath, place: int) -> bytes | None:
    """Return the text without the item at `place` in the list at `path`; None when no small edit does that.

    Comments behind the item stay. With the only item of a mapping's only key, the key goes as well.
    """
    text = data.decode("utf-8-sig")
    spans = dict(_spans(text))
    item, whole = spans.get((*path, place)), spans.get(path)
    if item is None or whole is None:
        return None
    if whole.count == 1:
        return _without_key_beside(data, text, whole) or _without_only_key(text, whole, spans)
    if whole.flows:
        after = spans.get((*path, place + 1))
        before = spans.get((*path, place - 1))
        start, end = (item.start, after.start) if after else (before.end if before else item.start, item.end)
    else:
        start = text.rfind("\n", 0, item.start) + 1
        end = text.find("\n", item.end) + 1 or len(text)
        if _DASH.fullmatch(text, start, item.start) is None:
            return None
    return _proven(data, text[:start] + text[end:], path, lambda items: [*items[:place], *items[place + 1 :]])


def _without_key_beside(data: bytes, text: str, whole: "_Span") -> bytes | None:
    """Return the text without the key of a list that stands in lines of its own, beside other keys at the top."""
    if whole.key is None or len(whole.path) != 1 or whole.flows:
        return None
    start, end = text.rfind("\n", 0, whole.key) + 1, text.find("\n", whole.end) + 1 or len(text)
    comments = [line for line in text[start:end].splitlines(keepends=True) if line.lstrip().startswith("#")]
    result = (text[:start] + "".join(comments) + text[end:]).encode()
    known = outline(data, "")
    rest = {key: value for key, value in known.items() if key != whole.path[0]} if isinstance(known, dict) else {}
    try:
        return result if rest and outline(result, "") == rest else None
    except SpecError:
        return None


def _without_only_key(text: str, whole: "_Span", spans: "Mapping[KeyPath, _Span]") -> bytes | None:
    """Return the text without the key of a list, which is the only one there, but with the comments around it."""
    if whole.key is None or len(whole.path) != 1 or any(len(other) == 1 and other != whole.path for other in spans):
        return None
    comments = text[: whole.key] + text[whole.key + len(f"{whole.path[0]}:") : whole.start] + text[whole.end :]
    lines = [line.lstrip() if line.lstrip().startswith("#") else line.rstrip(" -") for line in comments.splitlines()]
    if any(line and not line.startswith("#") for line in lines):
        return None
    return "".join(f"{line}\n" for line in lines if line).encode()


def with_listed(data: bytes, key: str, item: Node) -> bytes | None:
    """Return the text with one more item in the list of a key at the top, which is added where it is missing."""
    known = outline(data, "") if _has_content(data) else {}
    if isinstance(known, dict) and key in known:
        return with_item(data, (key,), item)
    gap = b"" if data.endswith(b"\n") or not data else b"\n"
    after = data + gap + dump(table({key: listing([item])}), open_levels=2).encode()
    try:
        is_right = isinstance(known, dict) and outline(after, "") == {
            **known,
            key: [outline(in_line(item).encode(), "")],
        }
    except SpecError:
        return None
    return after if is_right else None


def _has_content(data: bytes) -> bool:
    return any(line.strip() and not line.lstrip().startswith(b"#") for line in data.splitlines())


def with_other_item(data: bytes, path: KeyPath, place: int, item: Node) -> bytes | None:
    """Return the text with another item at `place` in the list at `path`; None when no small edit does that."""
    text = data.decode("utf-8-sig")
    spans = dict(_spans(text))
    old, whole = spans.get((*path, place)), spans.get(path)
    if old is None or whole is None:
        return None
    if whole.flows or old.flows:
        changed = text[: old.start] + in_line(item) + text[old.end :]
    else:
        start = text.rfind("\n", 0, old.start) + 1
        dash = _DASH.fullmatch(text, start, old.start)
        if dash is None:
            return None
        written = textwrap.indent(dump(listing([item]), open_levels=2), dash[1]).rstrip("\n")
        changed = text[:start] + written + text[old.end :]
    new = outline(in_line(item).encode(), "")
    return _proven(data, changed, path, lambda items: [*items[:place], new, *items[place + 1 :]])


def with_value(data: bytes, path: KeyPath, value: Scalar) -> bytes | None:
    """Return the text with another text or word at `path`; None where no small edit does that."""
    text = data.decode("utf-8-sig")
    place = dict(_spans(text)).get(path)
    if place is None:
        return None
    before, behind = text[: place.start], text[place.end :]
    ways = [before + in_line(value) + behind]
    if "\n" in value.text and not place.flows and place.key is not None:
        # Nicer, where it can be: a text of several lines as a block.
        column = place.key - text.rfind("\n", 0, place.key) - 1
        entry = textwrap.indent(dump(table({str(path[-1]): value}), open_levels=1), " " * column)
        ways.insert(0, text[: place.key] + entry.strip(" ").removesuffix("\n") + behind)
    edits = (_proven(data, changed, path, lambda _: value.text) for changed in ways)
    return next((edit for edit in edits if edit is not None), None)


def _proven(data: bytes, changed: str, path: KeyPath, change: Callable[[Any], Any]) -> bytes | None:
    """Return the changed text if it reads as the text before, with the value at `path` changed, and nothing else."""
    result = changed.encode()
    try:
        found = outline(result, "")
    except SpecError:
        return None
    return result if found == _with_change(outline(data, ""), path, change) else None


def _with_change(value: Any, path: KeyPath, change: Callable[[Any], Any]) -> Any:
    """Return the value with what is at `path` in it changed."""
    if not path:
        return change(value)
    first, *rest = path
    places = enumerate(value) if isinstance(value, list) else value.items()
    changed = {place: _with_change(one, tuple(rest), change) if place == first else one for place, one in places}
    return list(changed.values()) if isinstance(value, list) else changed


# ---------------------------------------------------------------- where each value begins and ends


@dataclass(slots=True, kw_only=True)
class _Span:
    """The place of a value in the text; of an incomplete list or mapping, its extent so far."""

    path: KeyPath
    start: int
    end: int = 0
    """behind its last character"""
    flows: bool
    """whether it is within brackets or braces, or is such a list or mapping itself"""
    key: int | None
    """where its key starts; None in a list"""
    is_list: bool = False
    count: int = 0
    name: yaml.ScalarEvent | None = None
    """the key whose value comes next"""


def _spans(text: str) -> Iterator[tuple[KeyPath, _Span]]:
    """Iterate over everything that is in a text that is YAML."""
    stack: list[_Span] = []
    for event in yaml.parse(text, Loader=yaml.SafeLoader):
        if isinstance(event, yaml.CollectionEndEvent):
            closed = stack.pop()
            closed.end = _index_at(event.end_mark) if closed.flows else closed.end
            if stack:
                stack[-1].end = closed.end
            yield closed.path, closed
        elif isinstance(event, yaml.NodeEvent):
            parent = stack[-1] if stack else None
            path: KeyPath = ()
            key: int | None = None
            if parent and parent.is_list:
                path = (*parent.path, parent.count)
                parent.count += 1
            elif parent and parent.name is None:
                parent.name = event if isinstance(event, yaml.ScalarEvent) else None
                continue
            elif parent and parent.name:
                path, key = (*parent.path, parent.name.value), _index_at(parent.name.start_mark)
                parent.name = None
            flows = bool(getattr(event, "flow_style", False)) or (parent is not None and parent.flows)
            start = _index_at(event.start_mark)
            span = _Span(path=path, start=start, flows=flows, key=key)
            if isinstance(event, yaml.CollectionStartEvent):
                span.is_list = isinstance(event, yaml.SequenceStartEvent)
                stack.append(span)
                continue
            span.end = start + len(
                text[start : _index_at(event.end_mark)].rstrip()
            )  # a block has blank lines behind it
            if parent:
                parent.end = span.end
            yield path, span


def _index_at(mark: Any) -> int:
    """Return the place of a mark of PyYAML, which may be missing according to its stubs."""
    place: int = mark.index
    return place
