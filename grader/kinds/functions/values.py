"""The values that functions get and return, as a spec writes them, and the types that they fit.

In a spec, numbers, booleans and null are these words without quotes, as in YAML. A text in quotes is a text. If it is
only a variable of the test, it is that variable's value. All else is a mapping with one key, as in `_KINDS`.
"""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from msgspec.structs import astuple, replace

from grader.core.errors import CannotBeWrittenError, HostError
from grader.core.model.values import Argument, MapValue, NewObject, Opaque, PlainValue, SetValue, Wildcard
from grader.core.yaml import types as of
from grader.core.yaml.nodes import Listing, Node, Scalar, Table, listing, plain, table
from grader.core.yaml.types import JsonSchema, Type, key, node_of, read_as
from grader.core.yaml.value import WORD, Value, each_of, entries, plain_value, text, unwanted, wrong
from grader.kinds.functions.model import NAMES_OF_FORMS, FunctionCase, Signature

_MAX_ZEROS = 1_000_000
_MAX_POSITION = 254


def read_value(value: Value) -> PlainValue:
    """Read a value: a number, a boolean, null, a text, a list of values, or one of the forms."""
    if isinstance(value.node, Listing):
        return each_of(read_value)(value)
    if isinstance(value.node, Scalar):
        written = value.node.text
        is_variable = value.context.variables is not None and re.fullmatch(rf"\{{{WORD}\}}", written)
        return plain_value(text(value)) if (value.node.plain and written) or is_variable else text(value)
    if _is_argument(value):
        wrong(value, "{argument: …} is for the calls before and afterwards: give the main call values")
        return ()
    return read_as(next((_KINDS[name] for name in entries(value) if name in _KINDS), "zeros"))(value)


def read_argument(value: Value) -> PlainValue:
    """Read an argument of a further call: a value, or `{argument: 0}`, the very object that the main call gets."""
    return read_as("argument-of-call")(value) if _is_argument(value) else read_value(value)


def _is_argument(value: Value) -> bool:
    return isinstance(value.node, Table) and [key.text for key, _ in value.node.pairs] == ["argument"]


def _read_bounded(most: int, wanted: str) -> Callable[[Value], int]:
    def read(value: Value) -> int:
        number = read_value(value)
        if type(number) is int and 0 <= number <= most:
            return number
        unwanted(value, wanted)
        return 0

    return read


def _read_zeros(value: Value) -> PlainValue:
    lengths = each_of(_read_bounded(_MAX_ZEROS, "a length that is 0 or more"))(value)
    if math.prod(lengths) > _MAX_ZEROS:
        wrong(value, f"an array has at most {_MAX_ZEROS} zeros")
        return ()
    zeros: PlainValue = 0
    for length in reversed(lengths):
        zeros = (zeros,) * length
    return zeros


# Type of a value -> the key under which its only field stands, in a spec and in a request.
def value_node(value: PlainValue) -> Node:
    """Write a value that a function is given or returns; raises CannotBeWrittenError for one that has no form."""
    match value:
        case Opaque(type=kind):
            raise CannotBeWrittenError(f"a value of the type {kind} cannot be written into a spec")
        case tuple():
            return listing(map(value_node, value))
        case Wildcard():
            return plain("_")
        case MapValue(items=items):
            pairs = tuple((value_node(key), value_node(item)) for key, item in items)
            if not all(isinstance(key, Scalar) for key, _ in pairs):
                raise CannotBeWrittenError("a map with lists as its keys cannot be written into a spec")
            return table({"map": replace(table({}), pairs=pairs)})
    name = NAMES_OF_FORMS.get(type(value))
    return table({name: value_node(astuple(value)[0])}) if name else node_of(value)


_KINDS = {"zeros": "zeros", "map": "map-of-values", "set": "set-of-values", "new": "object-made"}
_MAP = (
    "A map: keys and values; a key with quotes is a text. An object that is nothing but its fields is one, such as a "
    "record or a dataclass."
)
_MADE = "Another object of the class, made with these arguments."
_POSITION = "A position among the main call's arguments."
_held = partial(key, required=True, into="items")
_PLACE: JsonSchema = {"type": ["integer", "string"], "minimum": 0}
VALUE_TYPES: Mapping[str, Type] = {
    "zeros": of.record(_held("zeros", "lengths", "An array of zeros, by its lengths."), lambda items: items),
    "map-of-values": of.record(_held("map", about=_MAP, examples=({"Ann": 10, "2": "two"},)), MapValue),
    "set-of-values": of.record(_held("set", "values", "A set of these.", examples=([1, 2],)), SetValue),
    "object-made": of.record(_held("new", "values", _MADE, into="args", examples=(["Ben", 0],)), NewObject),
    "argument-of-call": of.record(_held("argument", "position", _POSITION, into="position"), Argument),
    "value": Type(
        of.any_of(of.any_text(), of.list_of("value"), *_KINDS.values()),
        "`true`, `null`, a number, text, a list of values, or [zeros](#zeros)",
        read_value,
    ),
    "values": of.list_of("value", write=value_node),
    "map": of.mapping_of(
        "value", read=lambda value: tuple(tuple(map(read_value, pair)) for pair in entries(value).values())
    ),
    "argument-given": Type(of.any_of("value", "argument-of-call"), read=read_argument, write=value_node),
    "arguments-given": of.list_of("argument-given", write=value_node),
    "lengths": Type({"type": "array", "items": _PLACE}, "a list of one or two whole numbers", read=_read_zeros),
    "position": Type(
        {**_PLACE, "maximum": _MAX_POSITION},
        "a whole number, 0 or more",
        read=_read_bounded(_MAX_POSITION, "the position of an argument of the call, counted from 0"),
    ),
}


def _whole_number(bits: int, least: int = -1) -> Callable[[PlainValue], bool]:
    low, high = (-(2 ** (bits - 1)), 2 ** (bits - 1)) if least else (0, 2**bits)
    return lambda value: type(value) is int and low <= value < high


_SIZES = {"short": 16, "int": 32, "long": 64, "long long": 64}
_BITS = (8, 16, 32, 64)
_FITS: Mapping[str, Callable[[PlainValue], bool]] = {  # type -> whether a value can be given for it
    **{name: _whole_number(bits) for name, bits in {**_SIZES, "byte": 8, "Integer": 32, "Long": 64}.items()},
    **{f"unsigned {name}": _whole_number(bits, 0) for name, bits in {**_SIZES, "char": 8}.items()},
    **{f"{sign}int{bits}_t": _whole_number(bits, least) for bits in _BITS for sign, least in (("", -1), ("u", 0))},
    "size_t": _whole_number(64, 0),
    **dict.fromkeys(("float", "double", "Double"), lambda value: type(value) in (int, float)),
    **dict.fromkeys(("boolean", "Boolean", "bool"), lambda value: isinstance(value, bool)),
    "char": lambda value: isinstance(value, str) and len(value) == 1 and value <= "\uffff",
    "String": lambda value: isinstance(value, str),
}


def is_plain_type(name: str) -> bool:
    """Whether values of a type can be written in a spec."""
    return name.replace("[]", "") in _FITS


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
        return name.endswith("[]") or name[:1].isupper()
    if name.endswith("[]"):
        return isinstance(value, tuple) and all(fits(item, name.removesuffix("[]")) for item in value)
    return _FITS[name](value)


def accepts(signature: Signature, args: Sequence[PlainValue]) -> bool:
    """Whether a function accepts these arguments."""
    given = zip(args, signature.parameters, strict=False)
    is_right = all(not parameter.type or fits(arg, parameter.type) for arg, parameter in given)
    return is_right and signature.fewest <= len(args) <= len(signature.parameters)


def with_generated(function: FunctionCase, value: object) -> FunctionCase:
    """Return the calls with generated arguments; HostError where the function cannot be given them."""
    source = function.generated_input.function if function.generated_input else ""
    if not isinstance(value, tuple):
        raise HostError(f"{source}: it draws {value!r:.80}, and no list of arguments; yield a list for each call")
    if not accepts(function.call.signature, value):
        raise HostError(f"{source}: it draws {value!r:.80}, which {function.call.signature.text} cannot be given")
    return function.with_args(value)
