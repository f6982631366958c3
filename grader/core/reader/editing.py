"""A small change of a file's text that keeps its comments and its layout; ruamel.yaml would write the whole file anew.

Some characters are replaced, which counts where the text then says what is wanted and nothing else.
"""

import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any

from msgspec import Struct

from grader.core.errors import SpecError
from grader.core.yaml.dumping import dump
from grader.core.yaml.nodes import Node, Scalar
from grader.core.yaml.parsing import events_of, outline
from grader.core.yaml.writing import in_line, listing, table

LAST = -1
"""the place behind the last item of a list"""
KeyPath = tuple[str | int, ...]
"""keys and places, from the top: `("tests", 2, "args")`"""
_Edit = tuple[int, int, str]  # the characters from a place to another, and what stands there instead


class _Span(Struct, frozen=True):
    """The place of a value in the text."""

    start: int
    end: int  # behind its last character
    flows: bool  # whether it is a list in brackets, or a mapping in braces
    key: int  # where its key starts; -1 in a list
    count: int  # of the items in it


_Spans = dict[KeyPath, _Span]


def _spans(text: str) -> _Spans:
    """Return the place of everything in a text that is YAML."""
    found: _Spans = {}
    events = events_of(text)

    def note(event: Any, path: KeyPath, key: int = -1) -> int:
        flows, ends, last = getattr(event, "flow_style", False), list[int](), event
        for last in events if hasattr(event, "flow_style") else ():
            if not hasattr(last, "anchor"):  # it is the end
                break
            if type(event).__name__ == "MappingStartEvent":
                ends.append(note(next(events), (*path, getattr(last, "value", "")), last.start_mark.index))
            else:
                ends.append(note(last, (*path, len(ends))))
        start, end = event.start_mark.index, last.end_mark.index
        end = ends[-1] if ends and not flows else start + len(text[start:end].rstrip())  # blank lines follow
        found[path] = _Span(start, end, flows, key, len(ends))
        return end

    note(next(event for event in events if hasattr(event, "anchor")), ())
    return found


def edited(data: bytes, path: KeyPath, node: Node | None, *, open_levels: int = 1) -> bytes | None:
    """Return the text with `node` at `path`, or with None without what is there. None when no small edit does that.

    A list of a key at the top comes with its first item and goes with its only one; comments stay. With more than one
    of an item's `open_levels` laid out in lines, an empty line sets it apart.
    """
    text, known, (*above, at) = data.decode("utf-8-sig"), _outlined(data) or {}, path
    new = [outline(in_line(node).encode(), "")] if node else []
    if node and len(above) == 1 and isinstance(known, dict) and above[0] not in known:
        added = dump(table({str(above[0]): listing([node])}), open_levels=2)
        edits: Iterable[_Edit] = [(len(text), len(text), ("" if text.endswith("\n") or not text else "\n") + added)]
        wanted: Any = {**known, above[0]: new}
    else:
        spans = _spans(text)
        whole = spans.get(tuple(above))
        if whole is None or (*above, 0 if at == LAST else at) not in spans:
            return None
        place = (*above, whole.count if at == LAST else at)
        edits, wanted = _edits(text, spans, place, node, open_levels), _with_change(known, place, new)
    changed = ((text[:start] + written + text[end:]).encode() for start, end, written in edits)
    return next((one for one in changed if _outlined(one) == wanted), None)


def _edits(text: str, spans: _Spans, path: Any, node: Node | None, open_levels: int) -> Iterator[_Edit]:
    """Iterate over the ways to make a change, the nicest first."""
    *above, at = path
    whole, old = spans[tuple(above)], spans.get(path)
    if not node and whole.count == len(above) == 1:  # the key goes with it, but not the comments in its lines
        start, end = text.rfind("\n", 0, whole.key) + 1, text.find("\n", whole.end) + 1 or len(text)
        lines = (line.lstrip() for line in text[start:end].splitlines(keepends=True))
        yield start, end, "".join(line for line in lines if line.startswith("#"))
    near = old or spans[*above, 0]
    start = text.rfind("\n", 0, near.start) + 1
    dash = re.fullmatch("( *)- +", text[start : near.start])  # an item on a line of its own
    if old and node and (old.flows or not dash):
        if isinstance(node, Scalar) and "\n" in node.text and old.key >= 0 and not (old.flows or whole.flows):
            column = old.key - text.rfind("\n", 0, old.key) - 1
            block = textwrap.indent(dump(table({str(at): node}), open_levels=1), " " * column)
            yield old.key, old.end, block.strip(" ").removesuffix("\n")
        yield old.start, old.end, in_line(node)
    elif whole.flows and node:
        start = len(text[: whole.end - 1].rstrip())
        yield start, whole.end - 1, f"{'' if text[start - 1] == ',' else ','} {in_line(node)}"
    elif whole.flows:
        before, after = (spans.get((*above, at + step)) for step in (-1, 1))
        yield (near.start, after.start, "") if after else (before.end if before else near.start, near.end, "")
    elif dash:
        end = text.find("\n", (old or whole).end) + 1 or len(text)
        gap = ("\n" if open_levels > 1 else "") + ("" if text[:end].endswith("\n") else "\n")
        written = textwrap.indent(dump(listing([node]), open_levels=open_levels + 1), dash[1]) if node else ""
        yield (start, old.end if node else end, written.rstrip("\n")) if old else (end, end, gap + written)


def _outlined(data: bytes) -> Any:
    """Return what a file says, a mapping of nothing where that is nothing; None where it is no YAML."""
    for one in (data, data + b"\n{}"):
        with suppress(SpecError):
            return outline(one, "")
    return None


def _with_change(value: Any, path: Any, new: Sequence[Any]) -> Any:
    """Return the value with what is `new`, or nothing, at the path; without a key that had this alone."""
    at, *below = path
    change = [_with_change(value[at], below, new)] if below else new
    if isinstance(value, list):
        return [*value[:at], *change, *value[at + 1 :]]
    return {key: one for key, one in {**value, at: change[0]}.items() if key != at or one != []}
