"""Values as text: one writer for each language whose source can have them, and one for people who read a sentence.

A writer of a language writes an expression that makes the value. That for sentences writes every list in brackets, and
only its constants are those of a language; it also writes values that no source can make.
"""

import json
from collections.abc import Callable, Mapping
from functools import partial

from grader.core.model.values import MapValue, Opaque, PlainValue, SetValue, Wildcard

_CONSTANTS: Mapping[bool, Mapping[PlainValue, str]] = {
    True: {None: "None", True: "True", False: "False"},
    False: {None: "null", True: "true", False: "false"},
}
"""whether it is Python -> its constants; all other languages share theirs"""


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
    written = _compound(value, partial(display_value, is_python=is_python))
    return _display_scalar(value, is_python=is_python) if written is None else written


def _display_scalar(value: PlainValue, *, is_python: bool) -> str:
    match value:
        case None | bool():
            return _CONSTANTS[is_python][value]
        case str():
            return repr(value) if is_python else json.dumps(value, ensure_ascii=False)
        case Wildcard():
            return "_"
        case Opaque(type=kind, text=text):
            return f"<{kind}>" if text is None else text
        case _:
            return str(value)


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
        return _CONSTANTS[False][value]
    if isinstance(value, tuple):
        sizes = _zero_array_shape(value)
        element = declared.replace("[]", "")
        if sizes and declared.count("[]") == len(sizes):
            return f"new {element}{''.join(f'[{size}]' for size in sizes)}"
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
    if len(sizes) == 2 and sizes[0] > 1:  # noqa: PLR2004 - rows and columns
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
