"""What of a syntax tree is counted: loops within loops, blocks, tokens and comments; and code that `#if 0` takes out.

The reader of syntax trees imports this module, which therefore needs nothing but the standard library.
"""

import re
from bisect import bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

LOOP_FORMS: Mapping[str, str] = {
    "for_statement": "for",
    "enhanced_for_statement": "for",
    "for_range_loop": "for",
    "while_statement": "while",
    "do_statement": "do",
    "list_comprehension": "comprehension",
    "set_comprehension": "comprehension",
    "dictionary_comprehension": "comprehension",
    "generator_expression": "comprehension",
}
"""the type of a node -> the form of a loop, as a rule names it"""
MAX_LOOPS_AROUND = 30
"""loops around a loop that are counted: the depth that a rule names is smaller"""
_TEXTS = re.compile(r"string|comment|char|escape|preproc_arg|heredoc")
"""in the types of leaves whose words are no code"""
_WORD = re.compile(rb"[\w$]+")
_PARENTHESES = re.compile(rb"[\s()]+")
_NEVER, _ALWAYS = (b"0", b"false"), (b"1", b"true")


class Token(NamedTuple):
    """A token, or a comment."""

    text: str
    """of a comment: the type of its node"""
    start: int
    line: int
    """from 1"""
    last_line: int


class NestedBlock(NamedTuple):
    """A statement that has statements in it: an `if`, a loop, a `try`."""

    start: int
    end: int
    line: int


def enclosing_forms(loops: Sequence[tuple[int, int, str]]) -> Iterator[tuple[str, ...]]:
    """Yield of each loop (start, end, form), in the order of their starts, the forms of those around it."""
    around: list[tuple[int, str]] = []
    for start, end, form in loops:
        while around and around[-1][0] <= start:
            around.pop()
        yield tuple(form for _, form in around[-MAX_LOOPS_AROUND:])
        around.append((end, form))


def is_else_if(node: Any) -> bool:
    """Whether an `if` is the branch of another, which is no block within a block."""
    above = node.parent
    if node.type != "if_statement" or above is None:
        return False
    is_alternative = above.type == "if_statement" and above.child_by_field_name("alternative") == node
    return bool(is_alternative or above.type == "else_clause")


def deepest_blocks(
    blocks: Sequence[NestedBlock], functions: Sequence[tuple[int, int, int]]
) -> Mapping[int, tuple[int, int]]:
    """Return the place of a function among `functions` (start, end, line), -1 for none -> depth and line of a block.

    Of the blocks in a function, or in none, that is the first of the deepest.
    """
    every = [(start, -end, place) for place, (start, end, _) in enumerate(functions)]
    every += [(one.start, -one.end, -one.line) for one in blocks]
    around: list[tuple[int, int, int]] = []
    """end, the function that it is in, and how many blocks there are in that"""
    found: dict[int, tuple[int, int]] = {}
    for start, end, what in sorted(every):
        while around and around[-1][0] <= start:
            around.pop()
        _, function, depth = around[-1] if around else (0, -1, 0)
        if what >= 0:
            around.append((-end, what, 0))
            continue
        around.append((-end, function, depth + 1))
        if depth + 1 > found.get(function, (0, 0))[0]:
            found[function] = (depth + 1, -what)
    return found


def walk_leaves(root: Any) -> Iterator[Any]:
    """Yield the leaves of a tree, and whole comments, in their order; without recursion."""
    cursor = root.walk()
    while True:
        if cursor.node.type.endswith("comment") or not cursor.goto_first_child():
            yield cursor.node
            while not cursor.goto_next_sibling():
                if not cursor.goto_parent():
                    return


def tokens_of(leaf: Any, wanted: Collection[str]) -> Iterator[Token]:
    """Yield the wanted tokens that a leaf is; it may be several words, such as `is not`."""
    if leaf.is_named and (_TEXTS.search(leaf.type) or not _WORD.fullmatch(leaf.text)):
        return
    for word in leaf.text.decode("utf-8", "replace").split():
        if word in wanted:
            yield Token(word, leaf.start_byte, leaf.start_point[0] + 1, leaf.end_point[0] + 1)


def comment_of(leaf: Any) -> Token | None:
    """Return the comment that a leaf is, where it says anything; a text that stands alone in Python is one, too."""
    node = leaf
    if leaf.type == "string_start" and leaf.parent.parent is not None:
        node = leaf.parent
        is_comment = node.parent.type == "expression_statement" and node.parent.named_child_count == 1
    else:
        is_comment = leaf.type.endswith("comment")
    if not is_comment or not re.search(rb"\w", node.text):
        return None
    return Token(leaf.type, node.start_byte, node.start_point[0] + 1, node.end_point[0] + 1)


def dead_range(condition: Any) -> tuple[int, int] | None:
    """Return which bytes the condition of an `#if` or `#elif` takes out; None for none, and where it is not plain."""
    written = _PARENTHESES.sub(b"", condition.text)
    node = condition.parent
    other = node.child_by_field_name("alternative")
    if written in _NEVER:
        return condition.end_byte, other.start_byte if other else node.end_byte
    if written in _ALWAYS and other:
        return other.start_byte, node.end_byte
    return None


def is_within(start: int, ranges: Sequence[tuple[int, int]]) -> bool:
    """Whether a byte is in one of the ranges, which are in order; those within others do not matter."""
    place = bisect_right(ranges, (start, start))
    return any(begin <= start < end for begin, end in ranges[max(0, place - 1) : place + 1])


def merged(ranges: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return ranges in their order, those that overlap as one."""
    found: list[tuple[int, int]] = []
    for start, end in sorted(ranges):
        if found and start <= found[-1][1]:
            found[-1] = found[-1][0], max(end, found[-1][1])
        else:
            found.append((start, end))
    return found
