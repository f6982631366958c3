"""Rows of a test in the YAML file beside it: whoever finds a fault adds a row there.

`@each_row` above `test_limits` of `test_ending.py` runs it with each row of `test_limits` in `ending.yaml`. A row maps
the names of parameters to values, which are read as the annotations say: a record has its fields, by name, and a tag
such as `!Leaf` where the annotation allows several records. `!KILLED {signal: 11}` is the constant `KILLED` of the
module of the test, with another signal. Bytes are text in UTF-8, where `\\uEFFF` stands for the single byte FF. A long
text is a list of its pieces, each a text or `[pieces, times]`.
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
from msgspec.structs import replace

from grader.core.model.spec import AllOf, AnyOf, Interactor, Leaf, NoneOf
from grader.core.model.values import MapValue, NewObject, Opaque, SetValue, Wildcard
from grader.kinds.dialogue.run import Dialogue
from tests.support.comparators import OPTIONS

_RECORDS: tuple[type, ...] = (AllOf, AnyOf, Dialogue, Interactor, Leaf, NoneOf, *OPTIONS.values())
_RECORDS += (MapValue, NewObject, Opaque, SetValue, Wildcard)
TAGS = {record.__name__: record for record in _RECORDS}
_CONTAINERS = {list: list, Sequence: tuple, tuple: tuple, set: set, frozenset: frozenset, AbstractSet: frozenset}
_PLAIN: Mapping[Any, tuple[type, ...]] = {float: (int, float), bool: (bool,), int: (int,), NoneType: (NoneType,)}
_BYTES = {0xEF00 + byte: 0xDC00 + byte for byte in range(0x80, 0x100)}
_hints_of: Any = cache(get_type_hints)
Table = list[tuple[int, dict[str, Any]]]
"""rows, each behind its line"""


class Loader(yaml.CSafeLoader):
    """Plain YAML without a key that is there twice, of which the second would hide what the first proves."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:  # noqa: FBT001, FBT002
        """Return a mapping; a ValueError where a key is there twice."""
        seen: set[tuple[str, str]] = set()
        for key, _ in node.value:
            if (one := (key.tag, str(key.value))) in seen:
                raise ValueError(f"line {key.start_mark.line + 1}: {key.value} is there twice")
            seen.add(one)
        return super().construct_mapping(node, deep)


class _Loader(Loader):
    """The same with tags that name a record."""


_Loader.add_multi_constructor(
    "!", lambda loader, tag, node: (TAGS.get(tag, tag), loader.construct_mapping(node, deep=True))
)


def each_row(test: Callable[..., None]) -> Any:
    """Run a test with each of its rows; the id of a row says its line in the file."""
    table = tables(Path(getfile(test)))[test.__name__]
    names = [name for name in signature(test).parameters if name in table[0][1]]
    for line, row in table:
        assert row.keys() == {*names}, f"{test.__name__}, line {line}: wanted {names}, found {[*row]}"
    hints = get_type_hints(test)
    values = [
        pytest.param(*(_parameter(test, line, name, row[name], hints[name]) for name in names), id=f"line {line}")
        for line, row in table
    ]
    return pytest.mark.parametrize(names, values)(test)


def _parameter(test: Callable[..., None], line: int, name: str, value: Any, hint: Any) -> Any:
    try:
        return from_data(_with_constants(value, test.__globals__), hint)
    except (TypeError, ValueError, KeyError, AttributeError) as error:
        error.add_note(f"{test.__name__}, line {line}: {name}")
        raise


def _with_constants(value: Any, names: Mapping[str, Any]) -> Any:
    """Return data with the constant in the place of a tag that has its name."""
    if isinstance(value, dict):
        return {key: _with_constants(one, names) for key, one in value.items()}
    if isinstance(value, tuple):
        return (names[value[0]] if isinstance(value[0], str) else value[0], _with_constants(value[1], names))
    return [_with_constants(one, names) for one in value] if isinstance(value, list) else value


def read_data(file: str) -> Any:
    """Return all that the YAML file beside a file of Python says: texts, lists and mappings."""
    return yaml.load(_beside(Path(file)).read_text(encoding="utf-8"), _Loader)  # noqa: S506


def read_yaml(path: Path) -> Any:
    """Return what a YAML file says, in a tenth of the time that `yaml.safe_load` takes."""
    return yaml.load(path.read_text(encoding="utf-8"), Loader)  # noqa: S506


def _beside(file: Path) -> Path:
    return file.with_name(file.stem.removeprefix("test_") + ".yaml")


@cache
def tables(file: Path) -> Mapping[str, Table]:
    """Return the table of each test of a file."""
    loader = _Loader(_beside(file).read_text())
    found: dict[str, Table] = {}
    root = loader.get_single_node()
    for name, table in root.value if root else ():
        assert name.value not in found, f"{name.value} is there twice"
        if name.value.startswith("test_"):  # else it is data of several tests, for `read_data`
            found[name.value] = [(row.start_mark.line + 1, loader.construct_document(row)) for row in table.value]
    return found


def from_data(value: Any, hint: Any) -> Any:
    """Return a value of YAML as a type has it; a TypeError where it is none of that type."""
    kind, inner = get_origin(hint) or hint, get_args(hint)
    if isinstance(value, tuple):
        kind, value = value
        if not isinstance(kind, type):
            changes = {name: from_data(one, _hints_of(type(kind))[name]) for name, one in value.items()}
            return replace(kind, **changes) if changes else kind
    if kind in (Union, UnionType):
        made = _first_that_fits(value, inner)
    elif kind in (str, bytes):
        text = _joined(value)
        made = text if kind is str else text.encode("utf-8", "surrogateescape")
    elif kind in _CONTAINERS:
        each = inner if kind is tuple and inner[-1] is not ... else [inner[0]] * len(value)
        made = _CONTAINERS[kind](from_data(*pair) for pair in zip(_checked(value, list), each, strict=True))
    elif kind in (dict, Mapping):
        made = {from_data(key, inner[0]): from_data(one, inner[1]) for key, one in value.items()}
    elif hasattr(kind, "__struct_fields__") or hasattr(kind, "__dataclass_fields__"):
        hints = _hints_of(kind)
        made = kind(**{name: from_data(one, hints[name]) for name, one in value.items()})
    elif kind is Fraction or isinstance(kind, EnumType):
        made = kind(_checked(value, int, str))
    elif kind is Literal:
        made = _checked(value, *(type(one) for one in inner if one == value))
    else:
        made = value if kind in (Any, object) else _checked(value, *_PLAIN[kind])
    return made


def _joined(value: Any) -> str:
    if isinstance(value, str):
        return value.translate(_BYTES)
    pieces = [one if isinstance(one, list) else [one, 1] for one in _checked(value, list)]
    return "".join(_joined(piece) * times for piece, times in pieces)


def _checked(value: Any, *allowed: type) -> Any:
    if type(value) not in allowed:
        raise TypeError(f"{value!r} is none of {[one.__name__ for one in allowed]}")
    return value


def _first_that_fits(value: Any, hints: Iterable[Any]) -> Any:
    for hint in hints:
        with suppress(TypeError, ValueError, KeyError, AttributeError):
            return from_data(value, hint)
    raise TypeError(f"{value!r} is none of {hints}")
