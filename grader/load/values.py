"""Values in a spec: what functions are given, and what they have to come to.

Numbers, booleans and null are those words without quotes, as in YAML; a text with quotes is a text, unless it is a
variable of the test and nothing else: then it is what the variable holds. `{zeros: [2, 3]}` is an array of noughts.
"""

import math
import re
from collections.abc import Callable, Mapping

from grader.load.language import ARGUMENT, ZEROS
from grader.model import Argument
from grader.model import Value as Plain
from grader.yaml import units
from grader.yaml.nodes import Listing, Scalar, Table
from grader.yaml.template import WORD
from grader.yaml.value import Value, each_of, fields, get, items, text, unwanted, wrong

MAX_ZEROS = 1_000_000

_ARRAY = "[]"
_PLAIN_WORDS: Mapping[str, Plain] = {"null": None, "true": True, "false": False}


def read_value(value: Value) -> Plain:
    """Read a value: a number, a boolean, null, a text, a list of values, or `{zeros: [rows, columns]}`."""
    match value.node:
        case Listing():
            return tuple(read_value(item) for item in items(value))
        case Table():
            return _read_zeros(value)
        case Scalar(text=written, plain=plain):
            is_variable = value.context.variables is not None and re.fullmatch(rf"\{{{WORD}\}}", written)
            return _without_quotes(text(value)) if (plain and written) or is_variable else text(value)


def read_argument(value: Value) -> Plain:
    """Read an argument of a further call: a value, or `{argument: 0}`, the very object that the main call gets."""
    if _is_argument(value):
        return Argument(position=get(fields(value, ARGUMENT), "argument", _POSITION, 0))
    return read_value(value)


def _is_argument(value: Value) -> bool:
    return isinstance(value.node, Table) and [key.text for key, _ in value.node.pairs] == ["argument"]


def _without_quotes(word: str) -> Plain:
    if word in _PLAIN_WORDS:
        return _PLAIN_WORDS[word]
    if re.fullmatch(r"[+-]?[0-9]{1,30}", word):
        return int(word)
    number = units.parse_number(word)
    return word if number is None else number


def _bounded(wanted: str, most: int) -> Callable[[Value], int]:
    def reader(value: Value) -> int:
        number = read_value(value)
        if type(number) is int and 0 <= number <= most:
            return number
        unwanted(value, wanted)
        return 0

    return reader


_POSITION = _bounded("the position of an argument of the call, counted from 0", 254)
_LENGTH = _bounded("a length that is 0 or more", MAX_ZEROS)


def _read_zeros(value: Value) -> Plain:
    if _is_argument(value):
        wrong(value, "{argument: …} is for the calls before and afterwards: give the main call values")
        return ()
    found = fields(value, ZEROS)
    lengths = each_of(_LENGTH)(found["zeros"]) if "zeros" in found else ()
    if math.prod(lengths) > MAX_ZEROS:
        wrong(value, f"an array has at most {MAX_ZEROS} noughts")
        return ()
    zeros: Plain = 0
    for length in reversed(lengths):
        zeros = (zeros,) * length
    return zeros


def is_given_from_specs(name: str) -> bool:
    """Whether values of a Java type can be handed over from a spec."""
    return name.replace(_ARRAY, "") in _JAVA_TYPES


def fits(value: Plain, name: str) -> bool:
    """Whether a Java method can be given `value` for a parameter of the type `name`."""
    if isinstance(value, Argument) or name.replace(_ARRAY, "") not in _JAVA_TYPES:
        return True  # the one is checked as the main call's, the other is told at the heading
    if value is None:
        return name.endswith(_ARRAY) or name[:1].isupper()
    if name.endswith(_ARRAY):
        return isinstance(value, tuple) and all(fits(item, name.removesuffix(_ARRAY)) for item in value)
    return _JAVA_TYPES[name](value)


def _integer_of(bits: int) -> Callable[[Plain], bool]:
    return lambda value: type(value) is int and -(2 ** (bits - 1)) <= value < 2 ** (bits - 1)


def _is_number(value: Plain) -> bool:
    return type(value) in (int, float)


def _is_boolean(value: Plain) -> bool:
    return isinstance(value, bool)


_JAVA_TYPES: Mapping[str, Callable[[Plain], bool]] = {
    **{name: _integer_of(bits) for name, bits in (("byte", 8), ("short", 16), ("int", 32), ("long", 64))},
    **{name: _integer_of(bits) for name, bits in (("Integer", 32), ("Long", 64))},
    **dict.fromkeys(("float", "double", "Double"), _is_number),
    **dict.fromkeys(("boolean", "Boolean"), _is_boolean),
    "char": lambda value: isinstance(value, str) and len(value) == 1 and value <= "\uffff",
    "String": lambda value: isinstance(value, str),
}
"""Java type -> whether a value can be given for it"""
