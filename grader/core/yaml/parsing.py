"""Bytes of YAML -> a tree that knows its lines.

It is built from PyYAML's events instead of its composer, for four reasons. The text keeps the characters that were
written (`no`, `08`, `1:30`). Tags are refused. The depth and the size after aliases are bounded. Nothing here recurses.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import takewhile
from typing import Any, TypeAlias

import yaml

from grader.core.errors import Problem, SpecError
from grader.core.yaml.nodes import MAX_BYTES, Listing, Node, Scalar, Table

MAX_NODES = 100_000
MAX_DEPTH = 50

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_OpenNode = tuple[yaml.CollectionStartEvent, list[Node]]
"""a list or a mapping whose end has not come yet, and what is in it so far"""


def parse(data: bytes, file: str) -> Node:
    """Read the one YAML document in `data`; SpecError with line and column when it is none. `file` is for messages."""
    if len(data) > MAX_BYTES:
        raise _mistake(file, 1, 1, f"more than {MAX_BYTES // 2**20} MiB: move long texts to files of their own")
    try:
        text = data.decode("utf-8-sig")
        return _tree(yaml.parse(text, Loader=_LOADER), file)
    except UnicodeDecodeError as error:
        # Its `start` does not count a byte order mark, its `object` does not have one either.
        before = error.object[: error.start].decode(errors="replace")
        message = f"the byte 0x{error.object[error.start]:02x} is not UTF-8: save the file as UTF-8"
    except yaml.MarkedYAMLError as error:
        raise _mistake(file, *_explain(error, text)) from None
    except yaml.reader.ReaderError as error:
        before = text.partition(chr(error.character))[0]
        message = f"the character U+{error.character:04X} cannot be in YAML: in double quotes, it can be an escape"
    raise _mistake(file, before.count("\n") + 1, len(before) - before.rfind("\n"), message) from None


# A pattern of libyaml's problem and its context, and of the line, in which \0 is the place -> the remedy. There,
# {character} stands at the place, the quoted text before it began in line {quote}, and the unclosed value in {line}.
_REMEDIES = (
    (r"tab character|\0\t", "the line is indented with a tab; use blanks alone"),
    (r"mapping values.*\n.*\S:\s.*\0:\s*$", "a value ends with a colon; put the whole value in quotes"),
    (
        r"mapping values.*\n.*\S:\s.*\0",
        "a colon and a blank are in a value; put the whole value in quotes, or the second key on a line of its own",
    ),
    (
        r"mapping values",
        "the line above is read on here; behind a key stand a colon and a blank, and keys of one mapping in one column",
    ),
    (r"end of stream.*quoted scalar", "the quote that opens here is not closed"),
    (r"unknown escape", "in double quotes a backslash begins an escape; use single quotes, or write two of them"),
    (r"alphabetic or numeric", "no value begins with `*` or `&`; put it in quotes"),
    (
        r"""expected.*\n.*['"]\s*\0""",
        r"there is more behind a quote that closes what line {quote} opens; a quote inside is written as `''` or `\"`",
    ),
    (
        r"expected ',' or.*\n.*([\[{,]|:\s).*\S\0:\s",
        "a colon and a blank are in a value; put the whole value in quotes",
    ),
    (
        r"""expected ',' or.*\n.*[^\s\[{,:'"\]}]\s*\0[\[{]""",
        "a bracket is in a text; put the whole text in quotes, or a comma before the bracket",
    ),
    (r"expected ',' or ']'", "a `[` in line {line} is not closed before this, or a comma is missing"),
    (r"expected ',' or '}'", "a `{{` in line {line} is not closed before this, or a comma is missing"),
    (r"node content.*flow.*\n.*\0:", "a colon is in a value; put the whole value in quotes"),
    (r"node content.*flow", "a value is missing, or a bracket is not closed, before this"),
    (r"cannot start any token", "no value begins with `{character}`; put it in quotes"),
    (r"expected '-' indicator|expected key", "the line is indented otherwise than those around it; move it"),
)


def _explain(error: yaml.MarkedYAMLError, text: str) -> tuple[int, int, str]:
    """Return line, column and remedy of a mistake."""
    start: Any = error.context_mark
    mark: Any = error.problem_mark or start
    lines = [*text.splitlines(), ""]
    quoted = _last_quoted(text, mark)
    if quoted and quoted[0].line < quoted[1].line == mark.line:
        opened, closed = quoted
        if not lines[mark.line][closed.column : mark.column].strip(" "):
            message = (
                f"the quote that opens here is closed by that in line {closed.line + 1}, and there is more behind it"
            )
            return *_line_and_column(opened), f"this is not YAML: {message}: close it where its text ends"
    if told := _in_block_text(mark.line, lines):
        return told
    line, column = (lines[mark.line], mark.column) if mark.line < len(lines) else ("", 0)
    problem = f"{error.problem or ''} ({error.context})" if error.context else error.problem or ""
    facts = {
        "character": line[column : column + 1],
        "line": start.line + 1 if start else 0,
        "quote": quoted[0].line + 1 if quoted else 0,
    }
    shown = f"{problem}\n{line[:column]}\0{line[column:]}"
    remedy = next((remedy.format(**facts) for pattern, remedy in _REMEDIES if re.search(pattern, shown)), problem)
    is_open = re.search("end of stream.*quoted scalar", problem)
    return *_line_and_column(start if is_open else mark), f"this is not YAML: {remedy}"


def _in_block_text(at: int, lines: Sequence[str]) -> tuple[int, int, str] | None:
    """Say, with line and column of the `|`, that a line is less indented than the first of that text; else None."""
    indents = [len(line) - len(line.lstrip(" ")) for line in lines]
    above = [number for number in range(min(at, len(lines) - 1)) if lines[number].strip()]
    deeper = [*takewhile(lambda number: indents[number] > indents[at], reversed(above))]
    if not deeper or len(deeper) == len(above):
        return None
    header = above[-len(deeper) - 1]
    style = re.search(r"(?::|-) ([|>])[+-]?$", lines[header].rstrip())
    if not style or indents[header] >= indents[at]:
        return None
    told = f"this is not YAML: line {at + 1} is indented less than the first line of the text below this"
    remedy = f"move it, or if the text begins with blanks, write `{style[1]}2`, where 2 is how far it is indented"
    return header + 1, style.start(1) + 1, f"{told}: {remedy}"


def _last_quoted(text: str, before: Any) -> tuple[Any, Any] | None:
    """Return the marks of the beginning and the end of the last quoted text before a mark."""
    places = None
    with suppress(yaml.MarkedYAMLError):
        for token in yaml.scan(text, Loader=_LOADER):
            end = token.end_mark
            if (end.line, end.column) > (before.line, before.column):
                break
            if isinstance(token, yaml.ScalarToken) and token.style in ("'", '"'):
                places = token.start_mark, end
    return places


def compose(text: str) -> yaml.Node | None:
    """Return PyYAML's own nodes of a text that was parsed before: they know where they begin and end."""
    return yaml.compose(text, Loader=_LOADER)


def _tree(events: Iterator[yaml.Event], file: str) -> Node:
    top: Node | None = None
    stack: list[_OpenNode] = []
    anchors: dict[str, Node] = {}
    for count, event in enumerate(events):
        if isinstance(event, yaml.DocumentStartEvent) and top is not None:
            raise _refusal(file, event, "a second document begins here: a file holds one")
        if isinstance(event, yaml.CollectionStartEvent):
            stack.append((event, []))
        node = _completed(event, stack, anchors, file)
        # Each use of an alias counts, or a few lines would expand to more than any memory holds.
        size, depth = (max(count, node.size), node.depth + len(stack)) if node else (count, len(stack))
        if depth > MAX_DEPTH:
            raise _refusal(file, event, f"lists and mappings are more than {MAX_DEPTH} deep")
        if size > MAX_NODES:
            raise _refusal(file, event, f"more than {MAX_NODES} values, what an alias stands for counted each time")
        if node is not None and stack:
            stack[-1][1].append(node)
        elif node is not None:
            top = node
    if top is None:
        raise _mistake(file, 1, 1, "the file is empty")
    return top


def _completed(event: yaml.Event, stack: list[_OpenNode], anchors: dict[str, Node], file: str) -> Node | None:
    """Return the node that is complete with this event, if one is."""
    anchor: str | None = getattr(event, "anchor", None)
    node: Node
    if isinstance(event, yaml.NodeEvent) and getattr(event, "tag", None) is not None:
        raise _refusal(file, event, "a tag (!) is not allowed: write the value alone")
    if isinstance(event, yaml.AliasEvent):
        if event.anchor not in anchors:
            raise _refusal(file, event, f"*{event.anchor} stands for nothing: no &{event.anchor} ends before it")
        return anchors[event.anchor]
    if isinstance(event, yaml.ScalarEvent):
        if not event.value.isascii() and any("\U0000d800" <= character <= "\U0000dfff" for character in event.value):
            raise _refusal(file, event, "half of a surrogate pair is no character: write the whole character")
        line, column = _line_and_column(event.start_mark)
        node = Scalar(text=event.value, plain=not event.style, line=line, column=column)
    elif isinstance(event, yaml.CollectionEndEvent):
        start, children = stack.pop()
        anchor = start.anchor
        node = _closed(start, children, file)
    else:
        return None
    if anchor is not None:
        anchors[anchor] = node
    return node


def _closed(start: yaml.CollectionStartEvent, children: list[Node], file: str) -> Listing | Table:
    line, column = _line_and_column(start.start_mark)
    size = 1 + sum(child.size for child in children)
    depth = 1 + max((child.depth for child in children), default=0)
    if isinstance(start, yaml.SequenceStartEvent):
        return Listing(items=tuple(children), line=line, column=column, size=size, depth=depth)
    keys: list[Scalar] = []
    for key in children[::2]:
        if not isinstance(key, Scalar):
            raise _mistake(file, key.line, key.column, "a key must be text")
        keys.append(key)
    pairs = tuple(zip(keys, children[1::2], strict=True))
    return Table(pairs=pairs, line=line, column=column, size=size, depth=depth)


def _line_and_column(mark: Any) -> tuple[int, int]:
    """Return line and column of a mark of PyYAML, whose two loaders have a class for it each."""
    return mark.line + 1, mark.column + 1


def _refusal(file: str, event: yaml.Event, message: str) -> SpecError:
    return _mistake(file, *_line_and_column(event.start_mark), message)


def _mistake(file: str, line: int, column: int, message: str) -> SpecError:
    return SpecError((Problem(file=file, line=line, column=column, path="", message=message),))


# ---------------------------------------------------------------- as it was written

Outline: TypeAlias = str | Sequence["Outline"] | Mapping[str, "Outline"]
"""a file as it was written: mappings, lists and the very characters of each text, for comparing two of them"""


def outline(data: bytes, file: str) -> Outline:
    """Read YAML without its meaning. Raises SpecError for what is none; `file` is for messages."""
    return _outlined(parse(data, file))


def _outlined(node: Node) -> Outline:
    match node:
        case Scalar(text=text):
            return text
        case Listing(items=items):
            return [_outlined(item) for item in items]
        case Table(pairs=pairs):
            return {key.text: _outlined(value) for key, value in pairs}
