"""A tree -> YAML: the other way round, for specs that are made and not written by hand."""

from collections.abc import Iterable, Iterator
from typing import Any

import yaml

from grader.core.yaml.nodes import Listing, Node, Scalar, entries_of, inside, items_of
from grader.core.yaml.writing import in_line

_FOLD_AT = 110
"""columns, as far as a text can be folded"""
_SHORT_LINE = 90
"""characters of a list or mapping that goes on a line"""
_FLAT = 3
"""levels of lists and mappings that go on a line"""


def dump(node: Node, *, open_levels: int = 0) -> str:
    """Write YAML that reads as the tree: keywords without quotes, texts with them, texts of several lines as blocks.

    Lists and mappings go on a line when they are short, except for the outer `open_levels`.
    """
    start = [yaml.StreamStartEvent(), yaml.DocumentStartEvent(explicit=False)]
    end = [yaml.DocumentEndEvent(explicit=False), yaml.StreamEndEvent()]
    events = [*start, *_events(node, open_levels, in_line=False), *end]
    written: str = yaml.emit(events, Dumper=_Indented, width=_FOLD_AT, allow_unicode=True)
    return written.removesuffix("...\n")


class _Indented(yaml.SafeDumper):
    """Indents the items of a list below its key, as people write them."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:  # noqa: ARG002, FBT001, FBT002 - PyYAML's
        super().increase_indent(flow, False)  # noqa: FBT003 - the same


def _events(node: Node, open_levels: int, *, in_line: bool) -> Iterator[yaml.Event]:
    if isinstance(node, Scalar):
        style = None if node.plain else '"'
        if not in_line and "\n" in node.text.strip("\n"):
            style = "|"
        elif not in_line and len(node.text) > _SHORT_LINE:
            style = ">"
        yield yaml.ScalarEvent(anchor=None, tag=None, implicit=(True, True), value=node.text, style=style)
        return
    flows = in_line or (open_levels <= 0 and _fits_a_line(node))
    children: Iterable[Node]
    start: Any
    end: yaml.Event
    if isinstance(node, Listing):
        start, end, children = yaml.SequenceStartEvent, yaml.SequenceEndEvent(), node.items
    else:
        start, end = yaml.MappingStartEvent, yaml.MappingEndEvent()
        children = (part for pair in node.pairs for part in pair)
    yield start(anchor=None, tag=None, implicit=True, flow_style=flows)
    for child in children:
        yield from _events(child, open_levels - 1, in_line=flows)
    yield end


def _fits_a_line(node: Node) -> bool:
    """Whether a list or mapping is short enough for a line, and has no text of several lines."""
    texts = [part.text for part in inside(node) if isinstance(part, Scalar)]
    if sum(map(len, texts)) > _SHORT_LINE or any("\n" in text.strip("\n") for text in texts):
        return False
    return len(in_line(node)) <= _SHORT_LINE and _height(node) <= _FLAT


def _height(node: Node) -> int:
    parts = (*items_of(node), *entries_of(node).values())
    return 0 if isinstance(node, Scalar) else 1 + max(map(_height, parts), default=0)
