"""Values and calls as text: as source code in their language, so that a student can repeat them, and in sentences."""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from grader.core.model.spec import Case, Spec
from grader.core.model.values import Argument, MapValue, NewObject, Opaque, PlainValue, SetValue, Wildcard
from grader.core.text import quote
from grader.kinds.functions.headings import all_parameters, handle_place
from grader.kinds.functions.model import FunctionCall, FunctionCase, Signature, functions_in

_OBJECT = "a"
"""what an object is called whose methods are called"""
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_MAX_QUOTED_LENGTH = 160
_PYTHON: Mapping[PlainValue, str] = {None: "None", True: "True", False: "False"}
_OTHER: Mapping[PlainValue, str] = {None: "null", True: "true", False: "false"}
"""the constants of all other languages"""


def _compound(value: PlainValue, write: Callable[[PlainValue], str], new_set: str = "{%s}") -> str | None:
    """Write a value that consists of others; None for any other."""
    match value:
        case tuple():
            return f"[{', '.join(map(write, value))}]"
        case SetValue(items=members):
            return new_set % ", ".join(map(write, members))
        case MapValue(items=pairs):
            return f"{{{', '.join(f'{write(key)}: {write(one)}' for key, one in pairs)}}}"
    return None


# ---------------------------------------------------------------- for sentences


def display_value(value: PlainValue, *, is_python: bool) -> str:
    """Write a value on one line, for a sentence: `[1, 2]`, `{"a": true}`; a wildcard is `_`."""
    if isinstance(value, SetValue):
        value = SetValue(items=tuple(sorted(value.items, key=comparison_key)))
    match value:
        case None | bool():
            return (_PYTHON if is_python else _OTHER)[value]
        case str():
            return repr(value) if is_python else json.dumps(value, ensure_ascii=False)
        case Wildcard():
            return "_"
        case Opaque(type=kind, text=text):
            return f"<{kind}>" if text is None else text
    written = _compound(value, partial(display_value, is_python=is_python))
    return str(value) if written is None else written


def comparison_key(value: PlainValue) -> str:
    """Write a value so that 1, 1.0 and True are the same, and floats without their last digits, as in comparisons."""
    if isinstance(value, tuple):
        return f"[{', '.join(map(comparison_key, value))}]"
    if isinstance(value, float) and not value.is_integer():
        value = float(f"{value:.12g}")
    if isinstance(value, bool) or (isinstance(value, float) and value.is_integer()):
        value = int(value)
    return display_value(value, is_python=False)


# ---------------------------------------------------------------- for sources


def write_value(value: PlainValue, declared: str, language: str) -> str:
    """Write an expression of that value; `declared` is the type of the parameter, empty where there is none."""
    return _WRITERS.get(language, _write_java)(value, declared)


def _write_java(value: PlainValue, declared: str) -> str:
    if value is None or isinstance(value, bool):
        return _OTHER[value]
    if isinstance(value, tuple):
        sizes = _zero_array_shape(value)
        if sizes and declared.count("[]") == len(sizes):
            return f"new {declared.replace('[]', '')}{''.join(f'[{size}]' for size in sizes)}"
        return f"new {declared} {_in_braces(value, declared)}"
    if isinstance(value, str) and declared == "char":
        return f"'{value}'" if value not in "'\\" else f"'\\{value}'"
    return json.dumps(value, ensure_ascii=False) + ("L" if declared.lower() == "long" else "")


def _write_c(value: PlainValue, declared: str) -> str:
    if declared.endswith("*"):  # to a structure, which no expression of C makes
        return "NULL" if value is None else display_value(value, is_python=False)
    if not isinstance(value, tuple):
        return _write_java(value, declared)
    pointer = declared.replace("String", "char *").replace("[]", "", declared.count("[]") - 1)
    return f"({pointer}){_in_braces(value, declared)}"


def _in_braces(value: tuple[PlainValue, ...], declared: str) -> str:
    inner = declared.removesuffix("[]")
    parts = [_in_braces(item, inner) if isinstance(item, tuple) else _write_java(item, inner) for item in value]
    return f"{{{', '.join(parts)}}}"


def _write_javascript(value: PlainValue, _declared: str = "") -> str:
    if isinstance(value, MapValue) and not all(isinstance(key, str) for key, _ in value.items):
        return f"new Map({_write_javascript(value.items)})"
    written = _compound(value, _write_javascript, "new Set([%s])")
    return json.dumps(value, ensure_ascii=False) if written is None else written


def _write_python(value: PlainValue, _declared: str = "") -> str:
    sizes = _zero_array_shape(value)
    if len(sizes) == len("ij") and sizes[0] > 1:
        return f"[[0] * {sizes[1]} for _ in range({sizes[0]})]"
    written = _compound(value, _write_python, "{%s}" if getattr(value, "items", ()) else "set()%s")
    return display_value(value, is_python=True) if written is None else written


_WRITERS: Mapping[str, Callable[[PlainValue, str], str]] = {
    "python": _write_python,
    "javascript": _write_javascript,
    "c": _write_c,
    "cpp": _write_c,
}
"""language -> its writer; the others write values as Java does"""


def _zero_array_shape(value: PlainValue) -> tuple[int, ...]:
    """Return the lengths of an array of zeros; nothing for any other value."""
    sizes: tuple[int, ...] = ()
    while isinstance(value, tuple) and value and all(item == value[0] for item in value):
        sizes = (*sizes, len(value))
        value = value[0]
    return sizes if type(value) is int and value == 0 else ()


# ---------------------------------------------------------------- calls


def command_text(case: Case, spec: Spec) -> str:
    """Write the calls of a case of this kind."""
    return call_text(functions_in(case), spec.language)


def call_text(case: FunctionCase, language: str) -> str:
    """Write the calls of a case: `placeQueen(new int[5][5], 2, 4)`, several with semicolons between them.

    A value that several calls share is a variable, named like the parameter.
    """
    if case.generated_input:
        return f"{case.call.signature.name}(...)"
    parameters, maker = case.call.signature.parameters, case.maker
    shared = sorted({arg.position for call in case.calls for arg in call.args if isinstance(arg, Argument)})
    args = tuple(Argument(position=at) if at in shared else arg for at, arg in enumerate(case.call.args))
    # The program may not have an optional field.
    calls = [call for call in case.with_args(args).calls if not call.optional]

    def write_argument(value: PlainValue, declared: str) -> str:
        if isinstance(value, Argument):
            return parameters[value.position].name
        if isinstance(value, NewObject) and maker:
            return write_call(FunctionCall(signature=maker, args=value.args, makes=True))
        return write_value(value, declared, language)

    def write_call(call: FunctionCall) -> str:
        kinds = [parameter.type for parameter in call.signature.parameters]
        written = list(map(write_argument, call.args, kinds))
        if call.sets:
            return f"{call.signature.name} = {written[0]}"
        if call.signature.handle and not call.makes:
            written = _with_object(written, call.signature)
        made = "new " if call.makes and language in {"java", "javascript"} else ""
        return f"{made}{call.signature.name}({', '.join(written)})"

    written = []
    for at in shared:
        declared = parameters[at].type
        value = write_argument(case.call.args[at], declared)
        written.append(f"{declared} {parameters[at].name} = {value}".strip())
    owner = made = ""
    if maker and len(calls) > 1:
        owner = "" if maker.handle else f"{_OBJECT}."
        made = f"{maker.name if language == 'java' else ''} {_OBJECT} = ".lstrip()
    return "; ".join([*written, *(f"{made if call.makes else owner}{write_call(call)}" for call in calls)])


def _with_object(args: Sequence[str], signature: Signature) -> list[str]:
    """Return the arguments of a function in C with the object where its heading has it."""
    parameters = all_parameters(signature)
    place = handle_place(parameters, signature.handle)
    if place is None:
        return list(args)
    own = _OBJECT if parameters[place].type == signature.handle else f"&{_OBJECT}"
    return [*args[:place], own, *args[place:]]


def name_of_call(function: FunctionCase, at: int) -> str:
    """Name a call for a sentence; among the steps there may be several of that name."""
    called = [(call.signature.name, call.makes) for call in function.calls]
    name = quote(called[at][0], most=_MAX_QUOTED_LENGTH)
    if not function.steps or called.count(called[at]) == 1:
        return name
    number = called[:at].count(called[at])
    return f"the {_ORDINALS[number]} {name}" if number < len(_ORDINALS) else f"{name}, called the {number + 1}th time,"


def shown_call(function: FunctionCase, at: int, *, is_python: bool) -> str:
    """Name a call with its arguments, where they are plain values and the first of its name: `Jar(-1)`."""
    call, name = function.calls[at], name_of_call(function, at)
    if any(isinstance(arg, Argument | NewObject) for arg in call.args) or not name.startswith("`"):
        return name
    args = ", ".join(display_value(arg, is_python=is_python) for arg in call.args)
    return quote(f"{call.signature.name}({args})", most=_MAX_QUOTED_LENGTH)
