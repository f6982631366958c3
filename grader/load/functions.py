"""`functions`: calls of a student's functions, each a case of its own, in the language of the assignment.

`declare` is the heading of a function as the assignment prints it. Only what a caller sees of it is kept: of Java the
name, the types and `static`, of Python the name and the parameters.

Values are what functions are given, and what they have to come to. Numbers, booleans and null are those words without
quotes, as in YAML; a text with quotes is a text, unless it is a variable of the test and nothing else: then it is what
the variable holds. `{zeros: [2, 3]}` is an array of noughts.
"""

import ast
import math
import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from msgspec.structs import replace

from grader.chance import derive
from grader.load.expectation import read_alternatives, stream
from grader.load.language import ARGUMENT, CALL, CELLS, COMPARED, FIELD, FUNCTIONS, FURTHER_CALL, RESULT, ZEROS
from grader.model import (
    Argument,
    Draw,
    Expectation,
    ExpectedValue,
    FunctionCall,
    FunctionCase,
    Parameter,
    PlainValue,
    Signature,
    Whatever,
)
from grader.yaml.nodes import Listing, Scalar, Table
from grader.yaml.value import (
    WORD,
    Value,
    choice,
    each_of,
    entries,
    fields,
    get,
    in_quotes,
    is_reference,
    is_understood,
    items,
    keyword,
    named_function,
    parse_count,
    parsed,
    plain_value,
    text,
    unwanted,
    wrong,
)

MAX_DRAWN = 1000

# ---------------------------------------------------------------- values

MAX_ZEROS = 1_000_000

_ARRAY = "[]"


def read_value(value: Value) -> PlainValue:
    """Read a value: a number, a boolean, null, a text, a list of values, or `{zeros: [rows, columns]}`."""
    if isinstance(value.node, Listing):
        return tuple(read_value(item) for item in items(value))
    if isinstance(value.node, Scalar):
        written = value.node.text
        is_variable = value.context.variables is not None and re.fullmatch(rf"\{{{WORD}\}}", written)
        return plain_value(text(value)) if (value.node.plain and written) or is_variable else text(value)
    if _is_argument(value):
        wrong(value, "{argument: …} is for the calls before and afterwards: give the main call values")
        return ()
    found = fields(value, ZEROS)
    reader = partial(_read_bounded, most=MAX_ZEROS, wanted="a length that is 0 or more")
    lengths = each_of(reader)(found["zeros"]) if "zeros" in found else ()
    if math.prod(lengths) > MAX_ZEROS:
        wrong(value, f"an array has at most {MAX_ZEROS} noughts")
        return ()
    zeros: PlainValue = 0
    for length in reversed(lengths):
        zeros = (zeros,) * length
    return zeros


def read_argument(value: Value) -> PlainValue:
    """Read an argument of a further call: a value, or `{argument: 0}`, the very object that the main call gets."""
    if _is_argument(value):
        wanted = "the position of an argument of the call, counted from 0"
        reader = partial(_read_bounded, most=254, wanted=wanted)
        return Argument(position=get(fields(value, ARGUMENT), "argument", reader, 0))
    return read_value(value)


def _is_argument(value: Value) -> bool:
    return isinstance(value.node, Table) and [key.text for key, _ in value.node.pairs] == ["argument"]


def _read_bounded(value: Value, most: int, wanted: str) -> int:
    number = read_value(value)
    if type(number) is int and 0 <= number <= most:
        return number
    unwanted(value, wanted)
    return 0


def fits(value: PlainValue, name: str) -> bool:
    """Whether a Java method can be given `value` for a parameter of the type `name`."""
    if isinstance(value, Argument) or name.replace(_ARRAY, "") not in _JAVA_TYPES:
        return True  # the one is checked as the main call's, the other is told at the heading
    if value is None:
        return name.endswith(_ARRAY) or name[:1].isupper()
    if name.endswith(_ARRAY):
        return isinstance(value, tuple) and all(fits(item, name.removesuffix(_ARRAY)) for item in value)
    return _JAVA_TYPES[name](value)


def _is_integer(bits: int, value: PlainValue) -> bool:
    return type(value) is int and -(2 ** (bits - 1)) <= value < 2 ** (bits - 1)


_JAVA_TYPES: Mapping[str, Callable[[PlainValue], bool]] = {
    **{name: partial(_is_integer, bits) for name, bits in (("byte", 8), ("short", 16), ("int", 32), ("long", 64))},
    **{name: partial(_is_integer, bits) for name, bits in (("Integer", 32), ("Long", 64))},
    **dict.fromkeys(("float", "double", "Double"), lambda value: type(value) in (int, float)),
    **dict.fromkeys(("boolean", "Boolean"), lambda value: isinstance(value, bool)),
    "char": lambda value: isinstance(value, str) and len(value) == 1 and value <= "\uffff",
    "String": lambda value: isinstance(value, str),
}
"""Java type -> whether a value can be given for it"""

# ---------------------------------------------------------------- headings

_JAVA_MODIFIERS = r"(?:(?:public|protected|static|final|synchronized)\s+)*"
_JAVA_TYPE = r"[A-Za-z_][\w.]*(?:\s*<[^()]*>)?(?:\s*\[\s*\])*"
_JAVA_NAME = r"[A-Za-z_$][\w$]*"
_JAVA_DECLARED = rf"({_JAVA_MODIFIERS})({_JAVA_TYPE})\s+({_JAVA_NAME})"
_JAVA_METHOD = re.compile(rf"{_JAVA_DECLARED}\s*\(([^()]*)\)\s*(?:throws\s+[\w.,\s]+)?;?")
_JAVA_FIELD = re.compile(rf"{_JAVA_DECLARED}((?:\s*\[\s*\])*)\s*;?")
_JAVA_PARAMETER = re.compile(rf"(?:final\s+)?({_JAVA_TYPE})\s+({_JAVA_NAME})((?:\s*\[\s*\])*)")


def java_heading(text: str) -> Signature | None:
    """Read `static int f(int[][] B, String mode)`; None when it is no heading of a method with named parameters."""
    found = _JAVA_METHOD.fullmatch(text.strip())
    if found is None:
        return None
    modifiers, returns, name, listed = found.groups()
    parameters = [_JAVA_PARAMETER.fullmatch(part.strip()) for part in listed.split(",")] if listed.strip() else []
    read = tuple(Parameter(type=_type_name(p[1] + p[3]), name=p[2]) for p in parameters if p)
    if len(read) < len(parameters):
        return None
    return Signature(
        text=" ".join(text.strip(" ;\n").split()),
        name=name,
        parameters=read,
        returns=_type_name(returns),
        static="static" in modifiers.split(),
    )


def java_field(text: str) -> Signature | None:
    """Read `static int[] queenPos`, the declaration of a field, as what sets it; None when it is none."""
    found = _JAVA_FIELD.fullmatch(text.strip())
    if found is None:
        return None
    modifiers, kind, name, brackets = found.groups()
    return Signature(
        text=" ".join(text.strip(" ;\n").split()),
        name=name,
        parameters=(Parameter(type=_type_name(kind + brackets), name=name),),
        returns="void",
        static="static" in modifiers.split(),
    )


def _type_name(written: str) -> str:
    return re.sub(r"\s+|\bjava\.lang\.", "", written)


def python_field(text: str) -> Signature | None:
    """Read the name of a variable of a module, as what sets it; None when it is no name."""
    name = text.strip()
    return Signature(text=name, name=name, parameters=(Parameter(type="", name=name),)) if name.isidentifier() else None


def python_heading(text: str) -> Signature | None:
    """Read `def f(board, current)`; None when it is no heading of a function with positional parameters alone."""
    heading = text.strip().removesuffix(":")
    try:
        (function,) = ast.parse(f"{heading}: pass").body
    except (SyntaxError, ValueError):
        return None
    if not isinstance(function, ast.FunctionDef) or "\n" in heading:
        return None
    listed = function.args
    if listed.vararg or listed.kwarg or listed.kwonlyargs:
        return None
    parameters = tuple(Parameter(type="", name=each.arg) for each in (*listed.posonlyargs, *listed.args))
    return Signature(text=" ".join(heading.split()), name=function.name, parameters=parameters)


# ---------------------------------------------------------------- calls

_ReadCall = tuple[FunctionCase, Expectation]
_Declarations = Mapping[str, tuple[Callable[[str], Signature | None], str]]
"""language -> how a declaration is read, and what it looks like"""
_DECLARED_FUNCTIONS: _Declarations = {
    "java": (java_heading, "the heading of a method, such as static void placeQueen(int[][] B, int i, int j)"),
    "python": (python_heading, "the heading of a function, such as def noConflicts(board, current)"),
}
_DECLARED_FIELDS: _Declarations = {
    "java": (java_field, "the declaration of a field, such as int[] queenPos"),
    "python": (python_field, "the name of a variable of the module"),
}
_CELL_PLACE = re.compile(r"(?:\[(?:0|[1-9][0-9]{0,6})\])+")
_NO_FUNCTION = Signature(text="", name="")
_COUNT_OF_DRAWS = parsed(parse_count, "a whole number that is 1 or more", 1)


def read_functions(value: Value) -> tuple[_ReadCall, ...]:
    """Read `functions`: for each call its case, and what is expected of what it prints."""
    if value.context.language not in _DECLARED_FUNCTIONS:
        languages = " and ".join(_DECLARED_FUNCTIONS)
        wrong(value, f"functions can be called in {languages} only: say under language which it is")
        return ()
    found = fields(value, FUNCTIONS)
    shared = {
        "within": _read_places(found["in"]) if "in" in found else (),
        "any_access": get(found, "access", choice(("package", "any"), "access"), "package") == "any",
        "any_case": get(found, "match", choice(("exact", "any-case"), "match"), "exact") == "any-case",
        "before": each_of(_read_further_call)(found["before"]) if "before" in found else (),
    }
    signature = _read_named_signature(found)
    listed = items(found["calls"]) if "calls" in found else []
    if "calls" in found and not listed:
        unwanted(found["calls"], "at least one call")
    return tuple(read for item in listed for read in _read_call(item, signature, shared))


def _read_places(value: Value) -> tuple[str, ...]:
    names = items(value) if isinstance(value.node, Listing) else [value]
    if not names:
        unwanted(value, "at least one name")
    for name in names:
        if not all(part.isidentifier() for part in text(name).split(".")):
            unwanted(name, "the name of a Java class or a Python module")
    return tuple(map(text, names))


def _read_named_signature(found: Mapping[str, Value]) -> Signature:
    """Read `declare`, with the `aliases` beside it."""
    signature = get(found, "declare", _read_signature, _NO_FUNCTION)
    if "aliases" not in found or signature is _NO_FUNCTION:
        return signature
    names: list[str] = []
    for item in items(found["aliases"]):
        name = text(item)
        if not name.isidentifier():
            unwanted(item, "the name of a function alone, without parameters")
        elif name in (signature.name, *names):
            wrong(item, f"{in_quotes(name)} is a name of it already: take it out")
        names.append(name)
    if not names:
        unwanted(found["aliases"], "at least one name")
    return replace(signature, aliases=tuple(names))


def _read_signature(value: Value, declarations: _Declarations = _DECLARED_FUNCTIONS) -> Signature:
    read, wanted = declarations[value.context.language]
    signature = read(text(value))
    if signature is None:
        unwanted(value, wanted)
        return _NO_FUNCTION
    for parameter in signature.parameters:
        if parameter.type and parameter.type.replace(_ARRAY, "") not in _JAVA_TYPES:
            plain = "numbers, booleans, texts and arrays of them"
            wrong(value, f"only {plain} can be given from a spec, and no {parameter.type}")
    return signature


def _read_call(value: Value, signature: Signature, shared: Mapping[str, Any]) -> list[_ReadCall]:
    """Read an entry of `calls`: one call, or as many as are to be drawn."""
    found = fields(value, CALL)
    own: dict[str, Any] = {key: each_of(_read_further_call)(found[key]) for key in ("before", "then") if key in found}
    expected: dict[str, Any] = _read_result(found["expect"], signature) if "expect" in found else {}
    if not expected and is_understood(value, found):
        wrong(value, f"this call checks nothing: say under expect what {', '.join(RESULT)} must be")
    printed = Expectation(stdout=expected.pop("stdout", None))
    draws = _read_draws(value, found, signature)
    args = () if draws else get(found, "args", lambda entry: _read_args(entry, signature, read_value), ())
    if "args" not in found and "generate" not in found and signature.parameters:
        wrong(value, "this call has no arguments: give them under args, or draw them with generate")
    call = FunctionCall(signature=signature, args=args)
    for key in ("before", "then"):
        _check_positions(value, (own.get(key) or shared.get(key, ())), signature)
    keywords: dict[str, Any] = {**shared, **own, **expected}
    case = FunctionCase(call=call, **keywords)
    return [(replace(case, draw=draw), printed) for draw in draws] or [(case, printed)]


def _read_draws(value: Value, found: Mapping[str, Value], signature: Signature) -> list[Draw]:
    if "generate" not in found:
        if "count" in found:
            wrong(found["count"], "count belongs to generate only")
        return []
    if "args" in found:
        wrong(value, "wanted args or generate, found both")
    function = named_function(found["generate"])
    count = get(found, "count", _COUNT_OF_DRAWS, 1)
    if count > MAX_DRAWN:
        unwanted(found["count"], f"at most {MAX_DRAWN} calls")
    context = value.context
    told = f"{context.spec} {signature.text} {function}"
    by_chance = context.seed != context.spec
    seed = derive(context.seed, told) if by_chance else told
    drawn = range(min(count, MAX_DRAWN))
    return [Draw(function=function, seed=seed, index=index, by_chance=by_chance) for index in drawn]


def _read_further_call(value: Value) -> FunctionCall:
    if not (isinstance(value.node, Table) and "field" in entries(value)):
        found = fields(value, FURTHER_CALL)
        signature = _read_named_signature(found)
        args = get(found, "args", lambda entry: _read_args(entry, signature, read_argument), ())
        return FunctionCall(signature=signature, args=args)
    found = fields(value, FIELD)
    field = get(found, "field", lambda entry: _read_signature(entry, _DECLARED_FIELDS), _NO_FUNCTION)
    given = get(found, "value", read_argument, None)
    if any(parameter.type and not fits(given, parameter.type) for parameter in field.parameters):
        unwanted(found.get("value", value), f"a value for {field.text}")
    return FunctionCall(signature=field, args=(given,), sets=True)


def _read_args(value: Value, signature: Signature, reader: Callable[[Value], Any]) -> tuple[Any, ...]:
    values = each_of(reader)(value)
    if signature is _NO_FUNCTION:
        return values
    if len(values) != len(signature.parameters):
        wrong(value, f"wanted {len(signature.parameters)} arguments, for {signature.text}, found {len(values)}")
        return values
    for item, given, parameter in zip(items(value), values, signature.parameters, strict=True):
        if parameter.type and not fits(given, parameter.type):
            unwanted(item, f"a value for {parameter.type} {parameter.name}")
    return values


def _check_positions(value: Value, calls: tuple[FunctionCall, ...], signature: Signature) -> None:
    own = signature.parameters
    for call in calls if signature is not _NO_FUNCTION else ():
        for arg, parameter in zip(call.args, call.signature.parameters, strict=False):
            if not isinstance(arg, Argument):
                continue
            if arg.position >= len(own):
                wrong(value, f"{signature.text} has no argument {arg.position}: they are counted from 0")
            elif own[arg.position].type != parameter.type:
                wrong(value, f"{call.signature.text} cannot be given the argument {arg.position} of {signature.text}")


# ---------------------------------------------------------------- what is expected


def _read_result(value: Value, signature: Signature) -> dict[str, Any]:
    """Read `expect` of a call, as keyword arguments of `FunctionCase`, and `stdout`."""
    found = fields(value, RESULT)
    readers: Mapping[str, Callable[[Value], Any]] = {
        "returns": _read_expected_value,
        "args": lambda entry: _read_expected_args(entry, signature),
        "stdout": stream,
        "raises": _read_raises,
    }
    if signature.returns == "void" and "returns" in found:
        wrong(found["returns"], f"{signature.text} returns nothing")
    return {key: readers[key](entry) for key, entry in found.items()}


def _read_expected_value(value: Value) -> ExpectedValue:
    if is_reference(value):
        return ExpectedValue(reference=True)
    named = entries(value) if isinstance(value.node, Table) else {}
    if "any" in named:
        found = fields(value, {"any": COMPARED["any"]})
        return ExpectedValue(either=read_alternatives(found["any"], _read_expected_value))
    if "cells" in named:
        return _read_cells(fields(value, CELLS)["cells"])
    if any(name in COMPARED and COMPARED[name].alternative for name in named):
        compared = stream(value)
        return ExpectedValue(text=compared, reference=compared.asks_reference)
    return ExpectedValue(want=read_value(value))


def _read_cells(value: Value) -> ExpectedValue:
    """Read a list in which `_` stands for any cell, or what is in some cells, by their places."""
    if isinstance(value.node, Listing):
        if not value.node.items:
            unwanted(value, "at least one cell")
        return ExpectedValue(want=_read_cell(value))
    cells: dict[tuple[int, ...], ExpectedValue] = {}
    for name, (key, entry) in entries(value).items():
        if not _CELL_PLACE.fullmatch(name):
            unwanted(key, "the place of a cell, such as [1][0]")
        cells[tuple(map(int, re.findall("[0-9]+", name)))] = _read_expected_value(entry)
    if not cells:
        unwanted(value, "at least one cell")
    return ExpectedValue(cells=cells)


def _read_cell(value: Value) -> PlainValue:
    if isinstance(value.node, Listing):
        return tuple(map(_read_cell, items(value)))
    return Whatever() if keyword(value) == "_" else read_value(value)


def _read_expected_args(value: Value, signature: Signature) -> dict[int, ExpectedValue]:
    positions = {str(position): position for position in range(len(signature.parameters))}
    expected = {}
    for name, (key, entry) in entries(value).items():
        if name in positions:
            expected[positions[name]] = _read_expected_value(entry)
        elif signature is not _NO_FUNCTION:
            wrong(key, f"{signature.text} has no argument {in_quotes(name)}: they are counted from 0")
    return expected


def _read_raises(value: Value) -> str:
    name = text(value)
    if keyword(value) == "reference":
        is_reference(value)
    elif not all(part.isidentifier() for part in name.split(".")):
        unwanted(value, "the name of an exception, any or reference")
    return name
