"""Where in a text of YAML each value begins and ends."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import yaml

Path = tuple[str | int, ...]
"""keys and places, from the top: `("tests", 2, "args")`"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """Where a value is written; `end` is behind its last character."""

    start: int
    end: int
    flows: bool
    """whether it is within brackets or braces, or is such a list or mapping itself"""
    key: int | None
    """where its key starts; None in a list"""


@dataclass(slots=True)
class _Open:
    """A list or mapping whose end has not come yet."""

    path: Path
    start: int
    is_list: bool
    flows: bool
    key: int | None
    count: int = 0
    name: yaml.ScalarEvent | None = None
    """the key whose value comes next"""
    end: int = 0
    """behind the last value in it"""


def spans(text: str) -> Mapping[Path, Span]:
    """Return where everything is in a text that is YAML."""
    return dict(_spans(text))


def _spans(text: str) -> Iterator[tuple[Path, Span]]:
    stack: list[_Open] = []
    for event in yaml.parse(text, Loader=yaml.SafeLoader):
        if isinstance(event, yaml.CollectionEndEvent):
            opened = stack.pop()
            end = _index(event.end_mark) if opened.flows else opened.end
            if stack:
                stack[-1].end = end
            yield opened.path, Span(start=opened.start, end=end, flows=opened.flows, key=opened.key)
        elif isinstance(event, yaml.NodeEvent):
            parent = stack[-1] if stack else None
            if parent and not parent.is_list and parent.name is None:
                parent.name = event if isinstance(event, yaml.ScalarEvent) else None
                continue
            path, key = _place(parent)
            flows = bool(getattr(event, "flow_style", False)) or (parent is not None and parent.flows)
            start = _index(event.start_mark)
            if isinstance(event, yaml.CollectionStartEvent):
                is_list = isinstance(event, yaml.SequenceStartEvent)
                stack.append(_Open(path=path, start=start, is_list=is_list, flows=flows, key=key))
                continue
            end = start + len(text[start : _index(event.end_mark)].rstrip())  # a block has blank lines behind it
            if parent:
                parent.end = end
            yield path, Span(start=start, end=end, flows=flows, key=key)


def _place(parent: _Open | None) -> tuple[Path, int | None]:
    """Return the path of the next value in a list or mapping, and where its key is."""
    if parent is None:
        return (), None
    if parent.is_list:
        parent.count += 1
        return (*parent.path, parent.count - 1), None
    name, parent.name = parent.name, None
    return (*parent.path, name.value if name else ""), _index(name.start_mark) if name else None


def _index(mark: Any) -> int:
    place: int = mark.index
    return place
