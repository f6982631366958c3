"""The calls of a case as one writes them in the language at hand, so that a student can repeat them."""

import json
from collections.abc import Sequence

from msgspec.structs import replace

from grader.core.model import Argument, Case, MapValue, NewObject, PlainValue, SetValue, Spec
from grader.kinds.functions import probe as calls
from grader.kinds.functions.model import FunctionCall, FunctionCase, Signature, functions_of

_OBJECT = "a"
"""what an object is called whose methods are called"""
_JAVA_WORDS = {None: "null", True: "true", False: "false"}


def command_text(case: Case, spec: Spec) -> str:
    """Write the calls of a case of this kind."""
    function = functions_of(case)
    return call_text(function, spec.language) if function else ""


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
    variables = []
    for at in sorted(shared):
        parameter = case.call.signature.parameters[at]
        value = _write_value(case.call.args[at], parameter.type, language)
        variables.append(f"{parameter.type} {parameter.name} = {value}".strip())
    calls = (*case.before, main, *case.then)
    maker = next((call.signature for call in calls if call.makes), None)
    written = [_write_call(call, names, language, maker) for call in calls]
    if maker and len(calls) > 1:
        made = f"{maker.name} {_OBJECT} = " if language == "java" else f"{_OBJECT} = "
        written = [f"{made if call.makes else f'{_OBJECT}.'}{one}" for call, one in zip(calls, written, strict=True)]
    return "; ".join([*variables, *written])


def _write_call(call: FunctionCall, names: Sequence[str], language: str, maker: Signature | None = None) -> str:
    """Write a call; `maker` makes the objects that are among its arguments."""
    types = [parameter.type for parameter in call.signature.parameters]
    args = [
        names[arg.position] if isinstance(arg, Argument) else _write_value(arg, kind, language, maker)
        for arg, kind in zip(call.args, types, strict=False)
    ]
    if call.sets:
        return f"{call.signature.name} = {args[0]}"
    made = "new " if call.makes and language in {"java", "javascript"} else ""
    return f"{made}{call.signature.name}({', '.join(args)})"


def _write_value(value: PlainValue, kind: str, language: str, maker: Signature | None = None) -> str:
    if isinstance(value, NewObject) and maker:
        return _write_call(FunctionCall(signature=maker, args=value.args, makes=True), (), language, maker)
    if language in calls.NATIVE and isinstance(value, tuple):
        return f"({kind.replace('String', 'char *').replace('[]', '', kind.count('[]') - 1)}){_braces(value, kind)}"
    if language == "javascript":
        return _script_text(value)
    return _python_text(value) if language == "python" else _java_text(value, kind)


def _java_text(value: PlainValue, kind: str) -> str:
    if value is None or isinstance(value, bool):
        return _JAVA_WORDS[value]
    if isinstance(value, tuple):
        sizes = _zero_array_shape(value)
        element = kind.replace("[]", "")
        if sizes and kind.count("[]") == len(sizes):
            return f"new {element}{''.join(f'[{size}]' for size in sizes)}"
        return f"new {kind} {_braces(value, kind)}"
    if isinstance(value, str) and kind == "char":
        return f"'{value}'" if value not in "'\\" else f"'\\{value}'"
    return json.dumps(value, ensure_ascii=False) + ("L" if kind.lower() == "long" else "")


def _script_text(value: PlainValue) -> str:
    match value:
        case tuple():
            return f"[{', '.join(map(_script_text, value))}]"
        case SetValue(items=members):
            return f"new Set([{', '.join(map(_script_text, members))}])"
        case MapValue(items=pairs) if all(isinstance(key, str) for key, _ in pairs):
            return f"{{{', '.join(f'{_script_text(key)}: {_script_text(one)}' for key, one in pairs)}}}"
        case MapValue(items=pairs):
            return f"new Map([{', '.join(f'[{_script_text(key)}, {_script_text(one)}]' for key, one in pairs)}])"
        case _:
            return json.dumps(value, ensure_ascii=False)


def _braces(value: PlainValue, kind: str) -> str:
    inner = kind.removesuffix("[]")
    parts = [_braces(item, inner) if isinstance(item, tuple) else _java_text(item, inner) for item in value]
    return f"{{{', '.join(parts)}}}"


def _python_text(value: PlainValue) -> str:
    if isinstance(value, MapValue):
        return f"{{{', '.join(f'{_python_text(key)}: {_python_text(one)}' for key, one in value.items)}}}"
    if isinstance(value, SetValue):
        return f"{{{', '.join(map(_python_text, value.items))}}}" if value.items else "set()"
    if not isinstance(value, tuple):
        return repr(value)
    match _zero_array_shape(value):
        case (int(rows), int(columns)) if rows > 1:
            return f"[[0] * {columns} for _ in range({rows})]"
        case _:
            return f"[{', '.join(map(_python_text, value))}]"


def _zero_array_shape(value: PlainValue) -> tuple[int, ...]:
    """Return the lengths of an array of noughts; nothing for any other value."""
    sizes: tuple[int, ...] = ()
    while isinstance(value, tuple) and value and all(item == value[0] for item in value):
        sizes = (*sizes, len(value))
        value = value[0]
    return sizes if type(value) is int and value == 0 else ()
