"""A tree -> YAML: the other way round, for specs that are made and not written by hand."""

import textwrap
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

import yaml

from grader.core.yaml.nodes import Listing, Node, Scalar, depth_of, inside, items_of
from grader.core.yaml.writing import in_line, listing, table

_FOLD_AT = 110  # columns, as far as a text can be folded
_SHORT_LINE = 90  # characters of a list or mapping that goes on a line
_FLAT = 3  # levels of lists and mappings that go on a line


def dump(node: Node, *, open_levels: int = 0) -> str:
    """Write YAML that reads as the tree: keywords without quotes, texts with them, texts of several lines as blocks.

    Lists and mappings go on a line when they are short, except for the outer `open_levels`.
    """
    head = yaml.StreamStartEvent(), yaml.DocumentStartEvent(explicit=False)
    events = [*head, *_events(node, open_levels), yaml.DocumentEndEvent(explicit=False), yaml.StreamEndEvent()]
    written: str = yaml.emit(events, Dumper=_Indented, width=_FOLD_AT, allow_unicode=True)
    return written.removesuffix("...\n")


def dump_spec(top: Mapping[str, Node]) -> str:
    """Write a spec: its keys, and behind them its tests, each apart from the next."""
    head = {key: node for key, node in top.items() if key != "tests"}
    tests = [textwrap.indent(dump(listing([test]), open_levels=2), "  ") for test in items_of(top["tests"])]
    return dump(table(head), open_levels=1) + "\ntests:\n" + "\n".join(tests)


class _Indented(yaml.SafeDumper):
    """Indents the items of a list below its key, as people write them."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:  # noqa: ARG002, FBT001, FBT002 - PyYAML's
        super().increase_indent(flow, False)  # noqa: FBT003 - the same


def _events(node: Node, open_levels: int, *, flows: bool = False) -> Iterator[yaml.Event]:
    if isinstance(node, Scalar):
        style = None if node.plain else '"'
        if not flows and _has_lines(node):
            style = "|"
        elif not flows and len(node.text) > _SHORT_LINE:
            style = ">"
        yield yaml.ScalarEvent(anchor=None, tag=None, implicit=(True, True), value=node.text, style=style)
        return
    fits = open_levels <= 0 and depth_of(node) <= _FLAT and len(in_line(node)) <= _SHORT_LINE
    flows = flows or (fits and not any(isinstance(part, Scalar) and _has_lines(part) for part in inside(node)))
    is_list = isinstance(node, Listing)
    start: Any = yaml.SequenceStartEvent if is_list else yaml.MappingStartEvent
    yield start(anchor=None, tag=None, implicit=True, flow_style=flows)
    for child in node.items if isinstance(node, Listing) else chain.from_iterable(node.pairs):
        yield from _events(child, open_levels - 1, flows=flows)
    yield yaml.SequenceEndEvent() if is_list else yaml.MappingEndEvent()


def _has_lines(node: Scalar) -> bool:
    return "\n" in node.text.strip("\n")
