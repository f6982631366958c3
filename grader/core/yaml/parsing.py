"""Bytes of YAML -> a tree that knows its lines, from PyYAML's events: texts keep their characters (`no`, `08`)."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Any, TypeAlias

import yaml
from msgspec import Struct
from msgspec.structs import replace

from grader.core.errors import Problem, SpecError
from grader.core.yaml.nodes import MAX_BYTES, Listing, Node, Scalar, Table, depth_of

Outline: TypeAlias = str | Sequence["Outline"] | Mapping[str, "Outline"]  # mappings, lists and texts as written
MAX_NODES = 100_000
MAX_DEPTH = 50

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@lru_cache(maxsize=2)  # of a spec, and of the languages of its course: what was read is asked again where it stands
def parse(data: bytes, file: str) -> Node:
    """Read the one YAML document in `data`; SpecError with line and column when it is none. `file` is for messages."""
    if len(data) > MAX_BYTES:
        raise _mistake(file, 1, 1, f"more than {MAX_BYTES // 2**20} MiB: move long texts to files of their own")
    try:
        text = data.decode("utf-8-sig")
        return _Tree(yaml.parse(text, Loader=_LOADER), file).top()
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
_REMEDIES = {
    r"tab character|\0\t": "the line is indented with a tab; use blanks alone",
    r"mapping values.*\n.*\S:\s.*\0:\s*$": "a value ends with a colon; put the whole value in quotes",
    r"mapping values.*\n.*\S:\s.*\0": "a colon and a blank are in a value; put the whole value in quotes, or the "
    "second key on a line of its own",
    r"mapping values": "this line continues the value above; put a colon and a blank after each key, and begin the "
    "keys of one mapping in the same column",
    r"end of stream.*quoted scalar": "the quote that opens here is not closed",
    r"unknown escape": "in double quotes a backslash begins an escape; use single quotes, or write two of them",
    r"alphabetic or numeric": "no value begins with `*` or `&`; put it in quotes",
    r"""expected.*\n.*['"]\s*\0""": "there is more behind a quote that closes what line {quote} opens; a quote inside "
    r"is written as `''` or `\"`",
    r"expected ',' or.*\n.*([\[{,]|:\s).*\S\0:\s": "a colon and a blank are in a value; put the whole value in quotes",
    r"""expected ',' or.*\n.*[^\s\[{,:'"\]}]\s*\0[\[{]""": "a bracket is in a text; put the whole text in quotes, or a "
    "comma before the bracket",
    r"expected ',' or ']'": "a `[` in line {line} is not closed before this, or a comma is missing",
    r"expected ',' or '}'": "a `{{` in line {line} is not closed before this, or a comma is missing",
    r"node content.*flow.*\n.*\0:": "a colon is in a value; put the whole value in quotes",
    r"node content.*flow": "a value is missing, or a bracket is not closed, before this",
    r"cannot start any token": "no value begins with `{character}`; put it in quotes",
    r"expected '-' indicator|expected key": "the line is indented otherwise than those around it; move it",
}


def _explain(error: yaml.MarkedYAMLError, text: str) -> tuple[int, int, str]:
    start: Any = error.context_mark
    mark: Any = error.problem_mark or start
    lines = [*text.splitlines(), ""]
    opened, closed = _last_quoted(text, mark)
    is_closed = opened and opened.line < closed.line == mark.line
    if is_closed and not lines[mark.line][closed.column : mark.column].strip(" "):
        behind = f"closed by that in line {closed.line + 1}, and there is more behind it"
        message = f"this is not YAML: the quote that opens here is {behind}: close it where its text ends"
        return opened.line + 1, opened.column + 1, message
    if text_above := _in_block_text(mark.line, lines):
        return text_above
    line = lines[mark.line] if mark.line < len(lines) else ""
    problem = f"{error.problem or ''} ({error.context})" if error.context else error.problem or ""
    shown = f"{problem}\n{line[: mark.column]}\0{line[mark.column :]}"
    remedy = next((remedy for pattern, remedy in _REMEDIES.items() if re.search(pattern, shown)), "{problem}").format(
        problem=problem,
        character=line[mark.column : mark.column + 1],
        line=start.line + 1 if start else 0,
        quote=opened.line + 1 if opened else 0,
    )
    place = start if re.search("end of stream.*quoted scalar", problem) else mark
    return place.line + 1, place.column + 1, f"this is not YAML: {remedy}"


def _in_block_text(at: int, lines: Sequence[str]) -> tuple[int, int, str] | None:
    """Say that a line is less indented than the first of its text, with line and column of the `|`; else None."""
    indents = [len(line) - len(line.lstrip(" ")) for line in lines]
    above = [number for number in range(min(at, len(lines) - 1)) if lines[number].strip()]
    header = next((number for number in reversed(above) if indents[number] <= indents[at]), at)
    style = re.search(r"(?::|-) ([|>])[+-]?$", lines[header].rstrip())
    if header == (above or [at])[-1] or not style or indents[header] >= indents[at]:
        return None
    problem = f"this is not YAML: line {at + 1} is indented less than the first line of the text below this"
    remedy = f"move it, or if the text begins with blanks, write `{style[1]}2`, where 2 is how far it is indented"
    return header + 1, style.start(1) + 1, f"{problem}: {remedy}"


def _last_quoted(text: str, before: Any) -> tuple[Any, Any]:
    """Return the marks of the beginning and the end of the last quoted text before a mark; or None twice."""
    places = None, None
    with suppress(yaml.MarkedYAMLError):
        for token in yaml.scan(text, Loader=_LOADER):
            end = token.end_mark
            if (end.line, end.column) > (before.line, before.column):
                break
            if isinstance(token, yaml.ScalarToken) and token.style in ("'", '"'):
                places = token.start_mark, end
    return places


class _Tree(Struct):
    """Makes the nodes of a file from its events."""

    events: Iterator[Any]
    file: str
    anchors: dict[str, tuple[Node, int]] = {}  # the nodes that have a name, and how many are in each
    count: int = 0  # of nodes; each use of an alias counts, or a few lines would expand to more than any memory holds

    def top(self) -> Node:
        """Return the node of the one document."""
        next(self.events)
        if isinstance(next(self.events), yaml.StreamEndEvent):
            raise _mistake(self.file, 1, 1, "the file is empty")
        node = self.build(next(self.events), 0)
        next(self.events)
        if isinstance(event := next(self.events), yaml.DocumentStartEvent):
            raise self.refusal(event, "a second document begins here: a file holds one")
        return node

    def build(self, event: Any, depth: int) -> Node:
        """Return the node that begins with an event, inside that many lists and mappings."""
        before, is_alias = self.count, isinstance(event, yaml.AliasEvent)
        if is_alias and event.anchor not in self.anchors:
            raise self.refusal(event, f"*{event.anchor} stands for nothing: no &{event.anchor} ends before it")
        if not is_alias and event.tag is not None:
            raise self.refusal(event, "a tag (!) is not allowed: write the value alone")
        node, size = self.anchors[event.anchor] if is_alias else (None, 1)
        self.count += size
        if depth + (depth_of(node) if node else not isinstance(event, yaml.ScalarEvent)) > MAX_DEPTH:
            raise self.refusal(event, f"lists and mappings are more than {MAX_DEPTH} deep")
        if self.count > MAX_NODES:
            raise self.refusal(event, f"more than {MAX_NODES} values, what an alias stands for counted each time")
        span: tuple[int, int] = event.start_mark.index, event.end_mark.index
        node = replace(node, span=span) if node else self.new(event, depth, span)
        if event.anchor is not None:
            self.anchors[event.anchor] = node, self.count - before
        return node

    def new(self, event: Any, depth: int, span: tuple[int, int]) -> Node:
        """Make a node and all that is in it."""
        line, column = event.start_mark.line + 1, event.start_mark.column + 1
        if isinstance(event, yaml.ScalarEvent):
            if not event.value.isascii() and any("\U0000d800" <= sign <= "\U0000dfff" for sign in event.value):
                raise self.refusal(event, "half of a surrogate pair is no character: write the whole character")
            return Scalar(text=event.value, plain=not event.style, line=line, column=column, span=span)
        children: list[Any] = []
        while not isinstance(inner := next(self.events), yaml.CollectionEndEvent):
            children.append(self.build(inner, depth + 1))
        # The end of what has no brackets is where the next token begins.
        end: Any = inner.end_mark
        span = span[0], children[-1].span[1] if children and not event.flow_style else end.index
        if isinstance(event, yaml.SequenceStartEvent):
            return Listing(items=tuple(children), line=line, column=column, span=span)
        for key in (key for key in children[::2] if not isinstance(key, Scalar)):
            raise _mistake(self.file, key.line, key.column, "a key must be text")
        return Table(pairs=tuple(zip(children[::2], children[1::2], strict=True)), line=line, column=column, span=span)

    def refusal(self, event: Any, message: str) -> SpecError:
        """Return what to raise at an event."""
        return _mistake(self.file, event.start_mark.line + 1, event.start_mark.column + 1, message)


def _mistake(file: str, line: int, column: int, message: str) -> SpecError:
    return SpecError((Problem(file=file, line=line, column=column, path="", message=message),))


def outline(node: Node) -> Outline:
    """Return a tree without its places and what its texts mean, for comparing."""
    if isinstance(node, Table):
        return {key.text: outline(value) for key, value in node.pairs}
    return node.text if isinstance(node, Scalar) else [*map(outline, node.items)]
