"""A tree -> YAML, for specs that are made; and small changes of a text, each proven, that keep comments and layout."""

import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

import yaml

from grader.core.errors import SpecError
from grader.core.yaml.nodes import Listing, Node, Scalar, Table, depth_of, in_line, inside, items_of, listing, table
from grader.core.yaml.parsing import outline, parse

LAST = -1  # the place behind the last item of a list
KeyPath = tuple[str | int, ...]  # keys and places, from the top: `("tests", 2, "args")`
_Edit = tuple[int, int, str]  # the characters from a place to another, and what stands there instead
_Part = tuple[Node, int]  # a value, and where its key starts; -1 in a list
_FOLD_AT = 110  # columns, as far as a text can be folded
_COMMENT = 118  # characters of a comment on a line
_SHORT_LINE = 90  # characters of a list or mapping that goes on a line
_TAG = "tag:yaml.org,2002:"
_FLAT = 3  # levels of lists and mappings that go on a line


def dump(node: Node, *, open_levels: int = 0) -> str:
    """Write YAML that reads as the tree, short lists and mappings on a line, except for the outer `open_levels`."""
    tree = _to_yaml_node(node, open_levels, flows=False)
    return yaml.serialize(tree, Dumper=_Indented, width=_FOLD_AT, allow_unicode=True).removesuffix("...\n")


def dump_spec(top: Mapping[str, Node], comments: Iterable[str] = (), head: str = "", open_levels: int = 2) -> str:
    """Write a spec: comments; its keys, or a `head` that is their text; and its tests, each apart from the next."""
    wrapped = (textwrap.wrap(note, _COMMENT, subsequent_indent="  " * note.startswith("-")) for note in comments)
    above = "".join(f"# {line}\n" for lines in wrapped for line in lines)
    keys = table({key: node for key, node in top.items() if key != "tests"})
    tests = [textwrap.indent(dump(listing([test]), open_levels=open_levels), "  ") for test in items_of(top["tests"])]
    return above + "\n" * bool(above) + (head or dump(keys, open_levels=1)) + "\ntests:\n" + "\n".join(tests)


class _Indented(yaml.BaseDumper):
    """Indents the items of a list below its key, as people write them."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:  # noqa: ARG002, FBT001, FBT002 - PyYAML's
        super().increase_indent(flow, False)  # noqa: FBT003 - the same


def _to_yaml_node(node: Node, open_levels: int, *, flows: bool) -> Any:
    if isinstance(node, Scalar):
        style = None if node.plain else '"'
        if not flows:
            style = "|" if "\n" in node.text.strip("\n") else ">" if len(node.text) > _SHORT_LINE else style
        return yaml.ScalarNode(f"{_TAG}str", node.text, style=style)
    fits = open_levels <= 0 and depth_of(node) <= _FLAT and len(in_line(node)) <= _SHORT_LINE
    texts = (part.text for part in inside(node) if isinstance(part, Scalar))
    flows = flows or (fits and not any("\n" in text.strip("\n") for text in texts))
    below = partial(_to_yaml_node, open_levels=open_levels - 1, flows=flows)
    if isinstance(node, Listing):
        return yaml.SequenceNode(f"{_TAG}seq", [*map(below, node.items)], flow_style=flows)
    return yaml.MappingNode(f"{_TAG}map", [(below(key), below(value)) for key, value in node.pairs], flow_style=flows)


def edited(data: bytes, path: KeyPath, node: Node | None, *, open_levels: int = 1) -> bytes | None:
    """Return the text with `node` at `path`, or with None without what is there; None when no small edit does that.

    A list of a key at the top comes with its first item and goes with its only one; comments stay.
    """
    text, known, (*above, at) = data.decode("utf-8-sig"), _outlined(data) or {}, path
    new = [outline(node)] if node else []
    if node and len(above) == 1 and isinstance(known, dict) and above[0] not in known:
        added = dump(table({str(above[0]): listing([node])}), open_levels=2)
        edits: Iterable[_Edit] = [(len(text), len(text), ("" if text.endswith("\n") or not text else "\n") + added)]
        wanted: Any = {**known, above[0]: new}
    else:
        try:
            parts: list[_Part] = [(parse(data, ""), -1)]
            for step in above:
                parts.append(_parts(parts[-1][0])[step])
            edits = [*_edits(text, parts, at, node, open_levels)]
            wanted = _with_change(known, [*above, len(_parts(parts[-1][0])) if at == LAST else at], new)
        except (SpecError, LookupError):
            return None
    changed = ((text[:start] + written + text[end:]).encode() for start, end, written in edits)
    return next((version for version in changed if _outlined(version) == wanted), None)


def _parts(node: Node) -> dict[Any, _Part]:
    """Return what is in a list or a mapping, by its places or keys."""
    pairs = {key.text: (value, key.span[0]) for key, value in node.pairs} if isinstance(node, Table) else {}
    return pairs or {at: (item, -1) for at, item in enumerate(items_of(node))}


def _edits(text: str, above: Sequence[_Part], at: Any, node: Node | None, open_levels: int) -> Iterator[_Edit]:
    """Iterate over the ways to make a change in the last of the values `above`, the nicest first."""

    def end_of(part: Node) -> int:
        return part.span[0] + len(text[slice(*part.span)].rstrip())

    def flows(it: Node) -> bool:  # whether it is a list in brackets, or a mapping in braces
        return not isinstance(it, Scalar) and it.span[1] > max((p.span[1] for p, _ in _parts(it).values()), default=0)

    (whole, head), inside, is_new = above[-1], _parts(above[-1][0]), at == LAST
    if not node and len(inside) == len(above) - 1 == 1:  # the key goes with it, but not the comments in its lines
        start, end = text.rfind("\n", 0, head) + 1, text.find("\n", end_of(whole)) + 1 or len(text)
        lines = (line.lstrip() for line in text[start:end].splitlines(keepends=True))
        yield start, end, "".join(line for line in lines if line.startswith("#"))
    near, key = inside[0 if is_new else at]
    first, last = near.span[0], end_of(near)
    start = text.rfind("\n", 0, first) + 1
    dash = re.fullmatch("( *)- +", text[start:first])  # an item on a line of its own
    if node and not is_new and (flows(near) or not dash):
        if isinstance(node, Scalar) and "\n" in node.text and key >= 0 and not (flows(near) or flows(whole)):
            column = key - text.rfind("\n", 0, key) - 1
            block = textwrap.indent(dump(table({str(at): node}), open_levels=1), " " * column)
            yield key, last, block.strip(" ").removesuffix("\n")
        yield first, last, in_line(node)
    elif flows(whole) and node:
        start = len(text[: whole.span[1] - 1].rstrip())
        yield start, whole.span[1] - 1, f"{'' if text[start - 1] == ',' else ','} {in_line(node)}"
    elif flows(whole):
        before, after = inside.get(at - 1), inside.get(at + 1)
        yield (first, after[0].span[0], "") if after else (end_of(before[0]) if before else first, last, "")
    elif dash:
        end = text.find("\n", end_of(whole if is_new else near)) + 1 or len(text)
        gap = ("\n" if open_levels > 1 else "") + ("" if text[:end].endswith("\n") else "\n")
        written = textwrap.indent(dump(listing([node]), open_levels=open_levels + 1), dash[1]) if node else ""
        yield (end, end, gap + written) if is_new else (start, last if node else end, written.rstrip("\n"))


def _outlined(data: bytes) -> Any:
    """Return the content of a file, an empty mapping for an empty one; None where it is no YAML."""
    for text in (data, data + b"\n{}"):
        with suppress(SpecError):
            return outline(parse(text, ""))
    return None


def _with_change(value: Any, path: Any, new: Sequence[Any]) -> Any:
    """Return the value with what is `new`, or nothing, at the path; without a key that had this alone."""
    at, *below = path
    change = [_with_change(value[at], below, new)] if below else new
    if isinstance(value, list):
        return [*value[:at], *change, *value[at + 1 :]]
    return {key: entry for key, entry in {**value, at: change[0]}.items() if key != at or entry != []}
