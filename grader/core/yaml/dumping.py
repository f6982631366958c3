"""A tree -> YAML: the other way round, for specs that are made and not written by hand."""

import textwrap
from collections.abc import Mapping
from functools import partial
from typing import Any

import yaml

from grader.core.yaml.nodes import Listing, Node, Scalar, depth_of, in_line, inside, items_of, listing, table

_FOLD_AT = 110  # columns, as far as a text can be folded
_SHORT_LINE = 90  # characters of a list or mapping that goes on a line
_TAG = "tag:yaml.org,2002:"
_FLAT = 3  # levels of lists and mappings that go on a line


def dump(node: Node, *, open_levels: int = 0) -> str:
    """Write YAML that reads as the tree, short lists and mappings on a line, except for the outer `open_levels`."""
    made = _made(node, open_levels, flows=False)
    return yaml.serialize(made, Dumper=_Indented, width=_FOLD_AT, allow_unicode=True).removesuffix("...\n")


def dump_spec(top: Mapping[str, Node]) -> str:
    """Write a spec: its keys, and behind them its tests, each apart from the next."""
    head = {key: node for key, node in top.items() if key != "tests"}
    tests = [textwrap.indent(dump(listing([test]), open_levels=2), "  ") for test in items_of(top["tests"])]
    return dump(table(head), open_levels=1) + "\ntests:\n" + "\n".join(tests)


class _Indented(yaml.BaseDumper):
    """Indents the items of a list below its key, as people write them."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:  # noqa: ARG002, FBT001, FBT002 - PyYAML's
        super().increase_indent(flow, False)  # noqa: FBT003 - the same


def _made(node: Node, open_levels: int, *, flows: bool) -> Any:
    if isinstance(node, Scalar):
        style = None if node.plain else '"'
        if not flows:
            style = "|" if "\n" in node.text.strip("\n") else ">" if len(node.text) > _SHORT_LINE else style
        return yaml.ScalarNode(f"{_TAG}str", node.text, style=style)
    fits = open_levels <= 0 and depth_of(node) <= _FLAT and len(in_line(node)) <= _SHORT_LINE
    texts = (part.text for part in inside(node) if isinstance(part, Scalar))
    flows = flows or (fits and not any("\n" in text.strip("\n") for text in texts))
    below = partial(_made, open_levels=open_levels - 1, flows=flows)
    if isinstance(node, Listing):
        return yaml.SequenceNode(f"{_TAG}seq", [*map(below, node.items)], flow_style=flows)
    return yaml.MappingNode(f"{_TAG}map", [(below(key), below(one)) for key, one in node.pairs], flow_style=flows)
