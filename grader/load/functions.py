"""`functions`: calls of a student's functions, each a case of its own, in the language of the assignment."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from grader.load.check import named_function
from grader.load.expectation import is_reference, stream
from grader.load.heading import java_field, java_heading, python_field, python_heading
from grader.load.language import CALL, COMPARATORS, FIELD, FUNCTIONS, FURTHER_CALL, RESULT
from grader.load.literal import argument, fits, is_known, literal
from grader.model import Argument, Draw, Expectation, ExpectedValue, FunctionCall, FunctionCase, Signature
from grader.yaml import units
from grader.yaml.nodes import Table
from grader.yaml.value import (
    Value,
    choice,
    each_of,
    entries,
    fields,
    get,
    in_quotes,
    is_understood,
    items,
    keyword,
    parsed,
    text,
    unwanted,
    wrong,
)

MAX_DRAWN = 1000

_Read = tuple[FunctionCase, Expectation]
_Kinds = Mapping[str, tuple[Callable[[str], Signature | None], str]]
"""language -> how a declaration is read, and what it looks like"""
_HEADINGS: _Kinds = {
    "java": (java_heading, "the heading of a method, such as static void placeQueen(int[][] B, int i, int j)"),
    "python": (python_heading, "the heading of a function, such as def noConflicts(board, current)"),
}
_FIELDS: _Kinds = {
    "java": (java_field, "the declaration of a field, such as int[] queenPos"),
    "python": (python_field, "the name of a variable of the module"),
}
_NO_FUNCTION = Signature(text="", name="")
_COUNT = parsed(units.parse_count, "a whole number that is 1 or more", 1)


def functions(value: Value) -> tuple[_Read, ...]:
    """Read `functions`: for each call its case, and what is expected of what it prints."""
    if value.context.language not in _HEADINGS:
        wrong(value, f"functions can be called in {' and '.join(_HEADINGS)} only: say under language which it is")
        return ()
    found = fields(value, FUNCTIONS)
    shared = {
        "within": get(found, "in", _within, ""),
        "any_case": get(found, "match", choice(("exact", "any-case"), "match"), "exact") == "any-case",
        "before": _further_calls(found.get("before")),
    }
    signature = get(found, "declare", _signature, _NO_FUNCTION)
    listed = items(found["calls"]) if "calls" in found else []
    if "calls" in found and not listed:
        unwanted(found["calls"], "at least one call")
    return tuple(read for item in listed for read in _calls(item, signature, shared))


def _within(value: Value) -> str:
    name = text(value)
    if not all(part.isidentifier() for part in name.split(".")):
        unwanted(value, "the name of a Java class or a Python module")
    return name


def _signature(value: Value, kinds: _Kinds = _HEADINGS) -> Signature:
    read, wanted = kinds[value.context.language]
    signature = read(text(value))
    if signature is None:
        unwanted(value, wanted)
        return _NO_FUNCTION
    for parameter in signature.parameters:
        if parameter.type and not is_known(parameter.type):
            plain = "numbers, booleans, texts and arrays of them"
            wrong(value, f"only {plain} can be given from a spec, and no {parameter.type}")
    return signature


def _calls(value: Value, signature: Signature, shared: Mapping[str, Any]) -> list[_Read]:
    """Read an entry of `calls`: one call, or as many as are to be drawn."""
    found = fields(value, CALL)
    own: dict[str, Any] = {key: _further_calls(found[key]) for key in ("before", "then") if key in found}
    expected: dict[str, Any] = _expectation(found["expect"], signature) if "expect" in found else {}
    if not expected and is_understood(value, found):
        wrong(value, f"this call checks nothing: say under expect what {', '.join(RESULT)} must be")
    printed = Expectation(stdout=expected.pop("stdout", None))
    draws = _draws(value, found, signature)
    args = () if draws else get(found, "args", lambda entry: _args(entry, signature, literal), ())
    if "args" not in found and "generate" not in found and signature.parameters:
        wrong(value, "this call has no arguments: give them under args, or draw them with generate")
    call = FunctionCall(signature=signature, args=args)
    for key in ("before", "then"):
        _check_positions(value, (own.get(key) or shared.get(key, ())), signature)
    keywords: dict[str, Any] = {**shared, **own, **expected}
    case = FunctionCase(call=call, **keywords)
    return [(replace(case, draw=draw), printed) for draw in draws] or [(case, printed)]


def _draws(value: Value, found: Mapping[str, Value], signature: Signature) -> list[Draw]:
    if "generate" not in found:
        if "count" in found:
            wrong(found["count"], "count belongs to generate only")
        return []
    if "args" in found:
        wrong(value, "wanted args or generate, found both")
    function = named_function(found["generate"])
    count = get(found, "count", _COUNT, 1)
    if count > MAX_DRAWN:
        unwanted(found["count"], f"at most {MAX_DRAWN} calls")
    seed = f"{value.context.spec} {signature.text} {function}"
    return [Draw(function=function, seed=seed, index=index) for index in range(min(count, MAX_DRAWN))]


def _further_calls(value: Value | None) -> tuple[FunctionCall, ...]:
    return each_of(_further_call)(value) if value else ()


def _further_call(value: Value) -> FunctionCall:
    if isinstance(value.node, Table) and "field" in entries(value):
        return _set_field(value)
    found = fields(value, FURTHER_CALL)
    signature = get(found, "declare", _signature, _NO_FUNCTION)
    return FunctionCall(signature=signature, args=get(found, "args", lambda v: _args(v, signature, argument), ()))


def _set_field(value: Value) -> FunctionCall:
    found = fields(value, FIELD)
    signature = get(found, "field", lambda entry: _signature(entry, _FIELDS), _NO_FUNCTION)
    given = get(found, "value", argument, None)
    if any(parameter.type and not fits(given, parameter.type) for parameter in signature.parameters):
        unwanted(found.get("value", value), f"a value for {signature.text}")
    return FunctionCall(signature=signature, args=(given,), sets=True)


def _args(value: Value, signature: Signature, reader: Callable[[Value], Any]) -> tuple[Any, ...]:
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


def _expectation(value: Value, signature: Signature) -> dict[str, Any]:
    """Read `expect` of a call, as keyword arguments of `FunctionCase`, and `stdout`."""
    found = fields(value, RESULT)
    readers: Mapping[str, Callable[[Value], Any]] = {
        "returns": _expected_value,
        "args": lambda entry: _expected_args(entry, signature),
        "stdout": stream,
        "raises": _raises,
    }
    if signature.returns == "void" and "returns" in found:
        wrong(found["returns"], f"{signature.text} returns nothing")
    return {key: readers[key](entry) for key, entry in found.items()}


def _expected_value(value: Value) -> ExpectedValue:
    if is_reference(value):
        return ExpectedValue(reference=True)
    if isinstance(value.node, Table) and COMPARATORS & entries(value).keys():
        compared = stream(value)
        return ExpectedValue(text=compared, reference=compared.want is None)
    return ExpectedValue(want=literal(value))


def _expected_args(value: Value, signature: Signature) -> dict[int, ExpectedValue]:
    positions = {str(position): position for position in range(len(signature.parameters))}
    expected = {}
    for name, (key, entry) in entries(value).items():
        if name in positions:
            expected[positions[name]] = _expected_value(entry)
        elif signature is not _NO_FUNCTION:
            wrong(key, f"{signature.text} has no argument {in_quotes(name)}: they are counted from 0")
    return expected


def _raises(value: Value) -> str:
    name = text(value)
    if keyword(value) == "reference":
        is_reference(value)
    elif not all(part.isidentifier() for part in name.split(".")):
        unwanted(value, "the name of an exception, any or reference")
    return name
