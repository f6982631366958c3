"""Values and calls as text: as source code in their language, so that a student can repeat them, and in sentences."""

import json
from functools import partial

from grader.core.model.values import Argument, MapValue, NewObject, Opaque, PlainValue, SetValue, Wildcard
from grader.core.text import quote
from grader.kinds.functions.model import FunctionCall, FunctionCase

_OBJECT = "a"  # what an object is called whose methods are called
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
MAX_QUOTED_LENGTH, _MAX_CALL_LENGTH = 160, 60


def display_value(value: PlainValue, *, is_python: bool, in_javascript: bool = False) -> str:
    """Write a value on one line, for a sentence or `in_javascript`: `[1, 2]`, `{"a": true}`; a wildcard is `_`."""
    write = partial(display_value, is_python=is_python, in_javascript=in_javascript)
    match value:
        case tuple():
            written = f"[{', '.join(map(write, value))}]"
        case SetValue(items=()) if is_python:
            written = "set()"
        case SetValue(items=members) if in_javascript:
            written = f"new Set({write(members)})"
        case MapValue(items=pairs) if in_javascript and not all(isinstance(key, str) for key, _ in pairs):
            written = f"new Map({write(pairs)})"
        case SetValue(items=members):
            written = f"{{{', '.join(map(write, sorted(members, key=comparison_key)))}}}"
        case MapValue(items=pairs):
            written = f"{{{', '.join(f'{write(key)}: {write(one)}' for key, one in pairs)}}}"
        case None | bool() | str():
            written = repr(value) if is_python else json.dumps(value, ensure_ascii=False)
        case Wildcard():
            written = "_"
        case Opaque(type=kind, text=text):
            written = f"<{kind}>" if text is None else text
        case _:
            written = str(value)
    return written


def comparison_key(value: PlainValue) -> str:
    """Write a value so that 1, 1.0 and True are the same, and floats without their last digits, as in comparisons."""
    if isinstance(value, tuple):
        return f"[{', '.join(map(comparison_key, value))}]"
    if isinstance(value, float) and not value.is_integer():
        value = float(f"{value:.12g}")
    if isinstance(value, bool) or (isinstance(value, float) and value.is_integer()):
        value = int(value)
    return display_value(value, is_python=False)


def write_value(value: PlainValue, declared: str, language: str) -> str:
    """Write an expression of that value; `declared` is the type of the parameter, empty where there is none."""
    sizes = _zero_array_shape(value)
    if language == "python":
        is_board = len(sizes) == len("ij") and sizes[0] > 1
        return f"[[0] * {sizes[1]} for _ in range({sizes[0]})]" if is_board else display_value(value, is_python=True)
    if declared.endswith("*") and value is None:
        return "NULL"
    if declared.endswith("*") or language == "javascript":  # no expression of C makes a structure
        return display_value(value, is_python=False, in_javascript=language == "javascript")
    element = declared.replace("[]", "")
    if language == "java" and sizes and declared.count("[]") == len(sizes):
        return f"new {element}{''.join(f'[{size}]' for size in sizes)}"
    pointer = f"({element.replace('String', 'char *')}{'[]' * (declared.count('[]') > 0)})"
    before = f"new {declared} " if language == "java" else pointer
    return f"{before if isinstance(value, tuple) else ''}{_in_braces(value, declared)}"


def _in_braces(value: PlainValue, declared: str) -> str:
    """Write a value of Java or C."""
    if isinstance(value, tuple):
        return f"{{{', '.join(_in_braces(item, declared.removesuffix('[]')) for item in value)}}}"
    if isinstance(value, str) and declared == "char":
        return f"'{value}'" if value not in "'\\" else f"'\\{value}'"
    is_long = declared.lower() == "long" and value is not None
    return json.dumps(value, ensure_ascii=False) + ("L" if is_long else "")


def _zero_array_shape(value: PlainValue) -> tuple[int, ...]:
    """Return the lengths of an array of zeros; nothing for any other value."""
    sizes: tuple[int, ...] = ()
    while isinstance(value, tuple) and value and all(item == value[0] for item in value):
        sizes, value = (*sizes, len(value)), value[0]
    return sizes if type(value) is int and value == 0 else ()


def call_text(case: FunctionCase, language: str) -> str:
    """Write the calls of a case, with semicolons between them; a value that several share is a variable."""
    if case.generated_input:
        return f"{case.call.signature.name}(...)"
    parameters, maker = case.call.signature.parameters, case.maker and case.maker.signature
    shared = sorted({arg.position for call in case.calls for arg in call.args if isinstance(arg, Argument)})
    args = tuple(Argument(position=at) if at in shared else arg for at, arg in enumerate(case.call.args))
    # The program may not have an optional field.
    calls = [call for call in case.with_args(args).calls if not call.optional]

    def write_argument(value: PlainValue, declared: str) -> str:
        if isinstance(value, Argument):
            return str(parameters[value.position].name)
        if isinstance(value, NewObject) and maker:
            return write_call(FunctionCall(signature=maker, args=value.args, makes=True))
        return write_value(value, declared, language)

    def write_call(call: FunctionCall) -> str:
        signature = call.signature
        written = [write_argument(arg, one.type) for arg, one in zip(call.args, signature.parameters, strict=False)]
        if call.sets:
            return f"{signature.name} = {written[0]}"
        if (place := signature.place) is not None:  # in C, the object is where the heading has it
            written.insert(place, _OBJECT if signature.whole[place].type == signature.handle else f"&{_OBJECT}")
        made = "new " if call.makes and language in {"java", "javascript"} else ""
        return f"{made}{signature.name}({', '.join(written)})"

    own = [(parameters[at], case.call.args[at]) for at in shared]
    variables = [f"{one.type} {one.name} = {write_argument(value, one.type)}" for one, value in own]
    owner = made = ""
    if maker and len(calls) > 1:
        owner = "" if maker.handle else f"{_OBJECT}."
        made = f"{maker.name if language == 'java' else ''} {_OBJECT} = ".lstrip()
    written = (f"{made if call.makes else owner}{write_call(call)}" for call in calls)
    return "; ".join([*map(str.strip, variables), *written])


def name_of_call(function: FunctionCase, at: int, language: str = "") -> str:
    """Name a call for a sentence; among the steps there may be several of that name.

    In a `language` its arguments are shown, as in `is_leap(1900)`, unless these are long, or objects.
    """
    called = [(call.signature.name, call.makes) for call in function.calls]
    name, call, number = quote(called[at][0], most=MAX_QUOTED_LENGTH), function.calls[at], called[:at].count(called[at])
    if function.steps and called.count(called[at]) > 1:
        later = f"{name}, called the {number + 1}th time,"
        return f"the {_ORDINALS[number]} {name}" if number < len(_ORDINALS) else later
    is_plain = language and call.args and not any(isinstance(one, Argument | NewObject) for one in call.args)
    if not is_plain:
        return name
    text = call_text(FunctionCase(within=(), calls=(call,)), "python" if function.is_python else language)
    return quote(text) if len(text) <= _MAX_CALL_LENGTH else name
