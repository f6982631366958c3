"""A tree of YAML nodes with their lines: `parsing` makes it, and code that only reads one needs no parser."""

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from grader.core.lazy import lazy_call

json_text = lazy_call("json", "dumps")
MAX_BYTES = 4 * 2**20  # of a file


class _Placed(Struct, frozen=True, kw_only=True):
    line: int = 1  # counts from 1, as columns do
    column: int = 1
    span: tuple[int, int] = (0, 0)  # the characters of the file that it has, and blank lines behind it


class Scalar(_Placed, frozen=True, kw_only=True):
    """A text as it was written; `plain` when without quotes."""

    text: str
    plain: bool


class Listing(_Placed, frozen=True, kw_only=True):
    """A sequence."""

    items: tuple["Node", ...]


class Table(_Placed, frozen=True, kw_only=True):
    """A mapping, in the order of the file; a key may be there twice."""

    pairs: tuple[tuple[Scalar, "Node"], ...]


Node = Scalar | Listing | Table


def entries_of(node: Node | None) -> dict[str, Node]:
    """Return the entries of a mapping by their keys; of anything else none."""
    return {key.text: value for key, value in node.pairs} if isinstance(node, Table) else {}


def items_of(node: Node | None) -> tuple[Node, ...]:
    """Return the items of a list; of anything else none."""
    return node.items if isinstance(node, Listing) else ()


def depth_of(node: Node) -> int:
    """Return of how many levels of lists and mappings a node is made."""
    parts = [value for _, value in node.pairs] if isinstance(node, Table) else items_of(node)
    return max(map(depth_of, parts), default=0) + (not isinstance(node, Scalar))


def inside(node: Node) -> Iterator[Node]:
    """Iterate over a node and all that is in it."""
    yield node
    for part in (*items_of(node), *entries_of(node).values()):
        yield from inside(part)


def plain(word: str) -> Scalar:
    """Make a word without quotes: a keyword, a number, a unit."""
    return Scalar(text=word, plain=True)


def quoted(text: str) -> Scalar:
    """Make a text that is no keyword, whatever its characters."""
    return Scalar(text=text, plain=False)


def listing(items: Iterable[Node]) -> Listing:
    """Make a list."""
    return Listing(items=tuple(items))


def table(entries: Mapping[str, Node]) -> Table:
    """Make a mapping."""
    names = {name: Scalar(text=name, plain=name.replace("-", "").replace("_", "").isalnum()) for name in entries}
    return Table(pairs=tuple((names[name], node) for name, node in entries.items()))


def in_line(node: Node) -> str:
    """Write a tree on one line, as it can stand anywhere."""
    if isinstance(node, Listing):
        return f"[{', '.join(map(in_line, node.items))}]"
    if isinstance(node, Table):
        return f"{{{', '.join(f'{in_line(key)}: {in_line(value)}' for key, value in node.pairs)}}}"
    if node.plain:
        return node.text
    # JSON leaves some characters as they are that YAML does not take.
    text = json_text(node.text, ensure_ascii=False)
    return "".join(c if c.isprintable() else f"\\u{ord(c):04x}" if c <= "\uffff" else f"\\U{ord(c):08x}" for c in text)


def write_without(node: Node, data: bytes, name: str) -> bytes:
    """Return the content of `data` without one key of its mapping: the same bytes whether the key is present or not."""
    pairs, lines = node.pairs if isinstance(node, Table) else (), data.splitlines()
    ends = [*(key.line for key, _ in pairs[1:]), len(lines) + 1]
    apart = {at for (key, _), end in zip(pairs, ends, strict=False) if key.text == name for at in range(key.line, end)}
    rest = [line for at, line in enumerate(lines, 1) if line.strip() and at not in apart]
    # Each line but blank ones; and each value, since its anchor may be in what is left out.
    return repr(([(in_line(key), in_line(value)) for key, value in pairs if key.text != name], rest)).encode()
