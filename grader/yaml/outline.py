"""A YAML file as it was written: mappings, lists and the very characters of each text, for comparing two of them."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from grader.yaml.nodes import Listing, Node, Scalar, Table, parse

Outline: TypeAlias = str | Sequence["Outline"] | Mapping[str, "Outline"]


def outline(data: bytes, file: str) -> Outline:
    """Read YAML without its meaning. Raises SpecError for what is none; `file` is for messages."""
    return _plain(parse(data, file))


def _plain(node: Node) -> Outline:
    match node:
        case Scalar(text=text):
            return text
        case Listing(items=items):
            return [_plain(item) for item in items]
        case Table(pairs=pairs):
            return {key.text: _plain(value) for key, value in pairs}
