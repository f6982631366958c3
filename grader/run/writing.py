"""Calls as one writes them in the language at hand, so that a student can repeat them."""

import json
from collections.abc import Sequence
from dataclasses import replace

from grader.model import Argument, FunctionCall, FunctionCase, Value

_JAVA_WORDS = {None: "null", True: "true", False: "false"}


def call_text(case: FunctionCase, language: str) -> str:
    """Write the calls of a case: `placeQueen(new int[5][5], 2, 4)`, several with semicolons between them.

    What more than one call is given is a variable, called like the parameter.
    """
    if case.draw:
        return f"{case.call.signature.name}(...)"
    shared = {arg.position for call in case.calls for arg in call.args if isinstance(arg, Argument)}
    main = replace(
        case.call,
        args=tuple(Argument(position=at) if at in shared else arg for at, arg in enumerate(case.call.args)),
    )
    names = [parameter.name for parameter in case.call.signature.parameters]
    calls = [_call(call, names, language) for call in (*case.before, main, *case.then)]
    return "; ".join([*(_variable(case.call, at, language) for at in sorted(shared)), *calls])


def _variable(call: FunctionCall, position: int, language: str) -> str:
    parameter = call.signature.parameters[position]
    value = _written(call.args[position], parameter.type, language)
    return f"{parameter.type} {parameter.name} = {value}".strip()


def _call(call: FunctionCall, names: Sequence[str], language: str) -> str:
    types = [parameter.type for parameter in call.signature.parameters]
    args = [
        names[arg.position] if isinstance(arg, Argument) else _written(arg, kind, language)
        for arg, kind in zip(call.args, types, strict=False)
    ]
    if call.sets:
        return f"{call.signature.name} = {args[0]}"
    return f"{call.signature.name}({', '.join(args)})"


def _written(value: Value, kind: str, language: str) -> str:
    return _java(value, kind) if language == "java" else _python(value)


def _java(value: Value, kind: str) -> str:
    if value is None or isinstance(value, bool):
        return _JAVA_WORDS[value]
    if isinstance(value, tuple):
        sizes = _zeros(value)
        element = kind.replace("[]", "")
        if sizes and kind.count("[]") == len(sizes):
            return f"new {element}{''.join(f'[{size}]' for size in sizes)}"
        return f"new {kind} {_braces(value, kind)}"
    if isinstance(value, str) and kind == "char":
        return f"'{value}'" if value not in "'\\" else f"'\\{value}'"
    return json.dumps(value, ensure_ascii=False) + ("L" if kind.lower() == "long" else "")


def _braces(value: Value, kind: str) -> str:
    inner = kind.removesuffix("[]")
    parts = [_braces(item, inner) if isinstance(item, tuple) else _java(item, inner) for item in value]
    return f"{{{', '.join(parts)}}}"


def _python(value: Value) -> str:
    if not isinstance(value, tuple):
        return repr(value)
    match _zeros(value):
        case (int(rows), int(columns)) if rows > 1:
            return f"[[0] * {columns} for _ in range({rows})]"
        case _:
            return f"[{', '.join(map(_python, value))}]"


def _zeros(value: Value) -> tuple[int, ...]:
    """Return the lengths of an array of noughts; nothing for any other value."""
    sizes: tuple[int, ...] = ()
    while isinstance(value, tuple) and value and all(item == value[0] for item in value):
        sizes = (*sizes, len(value))
        value = value[0]
    return sizes if type(value) is int and value == 0 else ()
