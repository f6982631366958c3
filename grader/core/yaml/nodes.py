"""A tree of YAML nodes with their lines: `parsing` makes it, and code that only reads one needs no parser."""

from collections.abc import Iterator

from msgspec import Struct

MAX_BYTES = 4 * 2**20  # of a file


class Scalar(Struct, frozen=True, kw_only=True):
    """A text as it was written; `plain` when without quotes. Lines and columns count from 1, here and below."""

    text: str
    plain: bool
    line: int = 1
    column: int = 1
    span: tuple[int, int] = (0, 0)  # the characters of the file that it has, and blank lines behind it


class Listing(Struct, frozen=True, kw_only=True):
    """A sequence."""

    items: tuple["Node", ...]
    line: int = 1
    column: int = 1
    span: tuple[int, int] = (0, 0)


class Table(Struct, frozen=True, kw_only=True):
    """A mapping, in the order of the file; a key may be there twice."""

    pairs: tuple[tuple[Scalar, "Node"], ...]
    line: int = 1
    column: int = 1
    span: tuple[int, int] = (0, 0)


Node = Scalar | Listing | Table


def entry(node: Node | None, name: str) -> Node | None:
    """Return what a mapping has under a key; None when it has no such, or is none."""
    return next((value for key, value in getattr(node, "pairs", ()) if key.text == name), None)


def entries_of(node: Node | None) -> dict[str, Node]:
    """Return the entries of a mapping by their keys; of anything else none."""
    return {key.text: value for key, value in node.pairs} if isinstance(node, Table) else {}


def items_of(node: Node | None) -> tuple[Node, ...]:
    """Return the items of a list; of anything else none."""
    return node.items if isinstance(node, Listing) else ()


def depth_of(node: Node) -> int:
    """Return of how many levels of lists and mappings a node is made."""
    parts = [one for _, one in node.pairs] if isinstance(node, Table) else items_of(node)
    return max(map(depth_of, parts), default=0) + (not isinstance(node, Scalar))


def inside(node: Node) -> Iterator[Node]:
    """Iterate over a node and all that is in it."""
    yield node
    for part in (*items_of(node), *entries_of(node).values()):
        yield from inside(part)
