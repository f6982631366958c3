"""Rows of a test in the YAML file beside it: whoever finds a fault adds a row there.

`@each_row` above `test_limits` of `test_ending.py` runs it with each row of `test_limits` in `ending.yaml`. A row maps
the names of parameters to values, which are read as the annotations say: a record has its fields, by name, and a tag
such as `!Leaf` where the annotation allows several records. A name that a row leaves out has the value None, or an
empty one. Bytes are text in UTF-8, where `\\uEFFF` stands for the single byte FF. A long text is a list of its pieces,
each a text or `[text, times]`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from enum import EnumType
from fractions import Fraction
from functools import cache
from inspect import getfile, signature
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import pytest
import yaml

from grader.core.model.spec import AllOf, AnyOf, Interactor, Leaf, NoneOf
from grader.kinds.dialogue.model import Dialogue
from tests.support.comparators import OPTIONS

_RECORDS: tuple[type, ...] = (AllOf, AnyOf, Dialogue, Interactor, Leaf, NoneOf, *OPTIONS.values())
TAGS = {record.__name__: record for record in _RECORDS}
_CONTAINERS = {list: list, Sequence: tuple, tuple: tuple, set: set, frozenset: frozenset, AbstractSet: frozenset}
_BYTES = {0xEF00 + byte: 0xDC00 + byte for byte in range(0x80, 0x100)}
_hints_of = cache(get_type_hints)
Table = list[tuple[int, dict[str, Any]]]
"""rows, each behind its line"""


class _Loader(yaml.CSafeLoader):
    """Plain YAML, and tags that name a record."""


_Loader.add_multi_constructor("!", lambda loader, tag, node: (TAGS[tag], loader.construct_mapping(node, deep=True)))


def each_row(test: Callable[..., None]) -> Any:
    """Run a test with each of its rows; the id of a row says its line in the file."""
    table = _tables(Path(getfile(test)))[test.__name__]
    given = {name for _, row in table for name in row}
    names = [name for name in signature(test).parameters if name in given]
    assert given == {*names}, f"{test.__name__} has no parameters {sorted(given - {*names})}"
    hints = get_type_hints(test)
    values = [
        pytest.param(*(from_data(row.get(name), hints[name]) for name in names), id=f"line {line}")
        for line, row in table
    ]
    return pytest.mark.parametrize(names, values)(test)


def read_data(file: str) -> Any:
    """Return all that the YAML file beside a file of Python says: texts, lists and mappings."""
    return yaml.load(_beside(Path(file)), yaml.CSafeLoader)


def _beside(file: Path) -> str:
    return file.with_name(file.stem.removeprefix("test_") + ".yaml").read_text()


@cache
def _tables(file: Path) -> Mapping[str, Table]:
    """Return the table of each test of a file."""
    loader = _Loader(_beside(file))
    found: dict[str, Table] = {}
    root = loader.get_single_node()
    for name, table in root.value if root else ():
        assert name.value not in found, f"{name.value} is there twice"
        found[name.value] = [(row.start_mark.line + 1, loader.construct_document(row)) for row in table.value]
    return found


def from_data(value: Any, hint: Any) -> Any:
    """Return a value of YAML as a type has it."""
    kind, inner = get_origin(hint) or hint, get_args(hint)
    if isinstance(value, tuple):
        kind, value = value
    if kind in (Union, UnionType):
        made = _first_that_fits(value, inner)
    elif kind in (str, bytes):
        text = _text(value).translate(_BYTES)
        made = text if kind is str else text.encode("utf-8", "surrogateescape")
    elif kind in _CONTAINERS:
        several = kind is tuple and inner[-1] is not ...
        made = _CONTAINERS[kind](map(from_data, value or (), inner if several else [inner[0]] * len(value or ())))
    elif kind in (dict, Mapping):
        made = {from_data(key, inner[0]): from_data(one, inner[1]) for key, one in (value or {}).items()}
    elif hasattr(kind, "__struct_fields__") or hasattr(kind, "__dataclass_fields__"):
        hints = _hints_of(kind)
        made = kind(**{name: from_data(one, hints[name]) for name, one in (value or {}).items()})
    else:
        made = _plain(value, kind, inner)
    return made


def _plain(value: Any, kind: Any, inner: tuple[Any, ...]) -> Any:
    """Return a value that has no parts."""
    if kind in (bool, int, float, Fraction) and value is None:
        return kind()
    if kind is Fraction or isinstance(kind, EnumType):
        return kind(value)
    allowed = {float: (int, float), bool: (bool,), int: (int,), NoneType: (NoneType,)}.get(kind)
    if (kind is Literal and value not in inner) or (allowed and type(value) not in allowed):
        raise TypeError(f"{value!r} is no {kind}")
    return value


def _first_that_fits(value: Any, hints: Iterable[Any]) -> Any:
    if value is None and NoneType in hints:
        return None
    for hint in hints:
        with suppress(TypeError, ValueError, KeyError, AttributeError):
            return from_data(value, hint)
    raise TypeError(f"{value!r} is none of {hints}")


def _text(value: Any) -> str:
    """Return a text, whole or of its pieces."""
    pieces = value or "" if isinstance(value, str | None) else value
    if not isinstance(pieces, str | list):
        raise TypeError(f"{value!r} is no text")
    return "".join(one if isinstance(one, str) else one[0] * one[1] for one in pieces)
