"""The values that functions get, and the values that are expected of them.

Numbers, booleans and null are these words without quotes, as in YAML. A text in quotes is a text. If it is only a
variable of the test, it is that variable's value. `{zeros: [2, 3]}` is an array of zeros, `{map: {Ann: 10}}` a map,
`{set: [1, 2]}` a set. `{new: [Ann, 10]}` is another object of the tested class.
"""

import math
import re
from collections.abc import Callable, Mapping

from grader.core.model.values import Argument, MapValue, NewObject, PlainValue, SetValue
from grader.core.yaml import value as yaml
from grader.core.yaml.nodes import Listing, Scalar, Table
from grader.core.yaml.value import WORD, Value, each_of, entries, fields, get, items, plain_value, text, wrong
from grader.kinds.functions.keys import FORMS

MAX_ZEROS = 1_000_000
_MAX_POSITION = 254
_ARRAY = "[]"


def read_value(value: Value) -> PlainValue:
    """Read a value: a number, a boolean, null, a text, a list of values, or `{zeros: [rows, columns]}`."""
    if isinstance(value.node, Listing):
        return _read_values(value)
    if isinstance(value.node, Scalar):
        written = value.node.text
        is_variable = value.context.variables is not None and re.fullmatch(rf"\{{{WORD}\}}", written)
        return plain_value(text(value)) if (value.node.plain and written) or is_variable else text(value)
    if _is_argument(value):
        wrong(value, "{argument: …} is for the calls before and afterwards: give the main call values")
        return ()
    name = next((name for name in entries(value) if name in _READERS), "zeros")
    form, read = _READERS[name]
    return get(fields(value, FORMS[form]), name, read, ())


def _read_values(value: Value) -> tuple[PlainValue, ...]:
    return each_of(read_value)(value)


def _read_zeros(value: Value) -> PlainValue:
    lengths = [_read_bounded(item, MAX_ZEROS, "a length that is 0 or more") for item in items(value)]
    if math.prod(lengths) > MAX_ZEROS:
        wrong(value, f"an array has at most {MAX_ZEROS} zeros")
        return ()
    zeros: PlainValue = 0
    for length in reversed(lengths):
        zeros = (zeros,) * length
    return zeros


def _read_pairs(value: Value) -> tuple[tuple[PlainValue, PlainValue], ...]:
    return tuple((read_value(key), read_value(entry)) for key, entry in entries(value).values())


_READERS: Mapping[str, tuple[str, Callable[[Value], PlainValue]]] = {
    "zeros": ("zeros", _read_zeros),
    "map": ("map-of-values", lambda value: MapValue(items=_read_pairs(value))),
    "set": ("set-of-values", lambda value: SetValue(items=_read_values(value))),
    "new": ("object-made", lambda value: NewObject(args=_read_values(value))),
}
"""the key of a value that is written as a mapping -> its form, and how it is read"""


def read_argument(value: Value) -> PlainValue:
    """Read an argument of a further call: a value, or `{argument: 0}`, the very object that the main call gets."""
    if not _is_argument(value):
        return read_value(value)
    position = fields(value, FORMS["argument-of-call"])["argument"]
    wanted = "the position of an argument of the call, counted from 0"
    return Argument(position=_read_bounded(position, _MAX_POSITION, wanted))


def _is_argument(value: Value) -> bool:
    return isinstance(value.node, Table) and [key.text for key, _ in value.node.pairs] == ["argument"]


def _read_bounded(value: Value, most: int, wanted: str) -> int:
    number = read_value(value)
    if type(number) is int and 0 <= number <= most:
        return number
    yaml.unwanted(value, wanted)
    return 0


def fits(value: PlainValue, name: str) -> bool:
    """Whether a method of Java, or a function of C, accepts `value` for a parameter of the type `name`."""
    if isinstance(value, Argument):
        return True  # it is checked as the main call's
    if name.endswith((" *", " **")):  # to a structure
        return value is None or isinstance(value, tuple | MapValue)
    if not is_plain_type(name):
        is_scalar = value is None or isinstance(value, bool | int | float | str)
        return isinstance(value, NewObject) or value is None or (name == "Object" and is_scalar)
    if value is None:
        return name.endswith(_ARRAY) or name[:1].isupper()
    if name.endswith(_ARRAY):
        return isinstance(value, tuple) and all(fits(item, name.removesuffix(_ARRAY)) for item in value)
    return _FITS[name](value)


def is_plain_type(name: str) -> bool:
    """Whether values of a Java type can be written in a spec."""
    return name.replace(_ARRAY, "") in _FITS


def _whole(bits: int, *, signed: bool = True) -> Callable[[PlainValue], bool]:
    low, high = (-(2 ** (bits - 1)), 2 ** (bits - 1)) if signed else (0, 2**bits)
    return lambda value: type(value) is int and low <= value < high


_SIGNED = {"byte": 8, "short": 16, "int": 32, "Integer": 32, "long": 64, "Long": 64, "long long": 64}
_UNSIGNED = {"char": 8, "short": 16, "int": 32, "long": 64, "long long": 64}
_FITS: Mapping[str, Callable[[PlainValue], bool]] = {
    **{name: _whole(bits) for name, bits in _SIGNED.items()},
    **{f"unsigned {name}": _whole(bits, signed=False) for name, bits in _UNSIGNED.items()},
    **{f"int{bits}_t": _whole(bits) for bits in (8, 16, 32, 64)},
    **{f"uint{bits}_t": _whole(bits, signed=False) for bits in (8, 16, 32, 64)},
    "size_t": _whole(64, signed=False),
    **dict.fromkeys(("float", "double", "Double"), lambda value: type(value) in (int, float)),
    **dict.fromkeys(("boolean", "Boolean", "bool"), lambda value: isinstance(value, bool)),
    "char": lambda value: isinstance(value, str) and len(value) == 1 and value <= "\uffff",
    "String": lambda value: isinstance(value, str),
}
"""type of Java or C -> whether a value can be given for it"""
