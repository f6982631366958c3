"""Calls the functions of a library: the probe loads this module as if it were the student's, in C and C++.

A call of `load_functions`, with what it has to load, is appended to this file.
"""

import ctypes
import math
import os
import struct
from typing import Any

_SPARE = 4096
"""bytes behind a text, for functions that make it longer"""
_TYPES: dict[str, Any] = {
    "bool": ctypes.c_bool,
    "char": ctypes.c_char,
    "short": ctypes.c_short,
    "int": ctypes.c_int,
    "long": ctypes.c_long,
    "long long": ctypes.c_longlong,
    "size_t": ctypes.c_size_t,
    "float": ctypes.c_float,
    "double": ctypes.c_double,
    "String": ctypes.c_char_p,
    "unsigned char": ctypes.c_ubyte,
    "unsigned short": ctypes.c_ushort,
    "unsigned int": ctypes.c_uint,
    "unsigned long": ctypes.c_ulong,
    "unsigned long long": ctypes.c_ulonglong,
    **{f"{sign}int{bits}_t": getattr(ctypes, f"c_{sign}int{bits}") for sign in ("", "u") for bits in (8, 16, 32, 64)},
    "void": None,
}


class _Function:
    """A function of the library; after a call, `__grader_left__` has the new values of its arguments."""

    def __init__(self, heading: str, function: Any, types: list[str], returns: str) -> None:
        self.__grader_heading__ = heading
        self.__grader_left__: list[Any] = []
        self._types = types
        self._returns = returns
        self._function = function
        function.restype = _TYPES[returns]

    def __call__(self, *args: Any) -> Any:
        types = [kind.removesuffix("+length") for kind in self._types]
        made = [_to_c(value, kind) for value, kind in zip(args, types, strict=True)]
        given = []
        for value, one, kind in zip(args, made, self._types, strict=True):
            given += [one, ctypes.c_long(len(value))] if kind.endswith("+length") else [one]
        returned = self._function(*given)
        _C.fflush(None)
        self.__grader_left__ = [_after_call(*each) for each in zip(args, made, types, strict=True)]
        return _from_c(returned, self._returns)


class _Other:
    """A function of that name with other parameters: it cannot be called."""

    def __init__(self, heading: str) -> None:
        self.__grader_heading__ = heading

    @property
    def __signature__(self) -> None:
        raise TypeError

    def __call__(self) -> None:
        """Do nothing; it is never called."""


def _to_c(value: Any, kind: str) -> Any:
    if value is None:
        return None
    if kind == "String":
        data = value.encode(errors="surrogatepass")
        return ctypes.create_string_buffer(data, len(data) + _SPARE)
    if kind == "char":
        return ctypes.c_char(value.encode("latin-1", errors="replace"))
    if not kind.endswith("[]"):
        return _TYPES[kind](value)
    element = kind.replace("[]", "")
    flat = _flat(value)
    items = [item.encode() for item in flat] if element in ("String", "char") else flat
    return (_TYPES[element] * max(1, len(items)))(*items)


def _flat(value: Any) -> list[Any]:
    return [one for item in value for one in _flat(item)] if isinstance(value, list) else [value]


def _after_call(value: Any, made: Any, kind: str) -> Any:
    if kind == "String" and made is not None:
        return _from_c(made.value, kind)
    if kind.endswith("[]") and made is not None:
        element = kind.replace("[]", "")
        changed = _filled(value, iter([_from_c(item, element) for item in made]))
        value[:] = changed  # another call may be given the same
    return value


def _filled(shape: Any, items: Any) -> Any:
    return [_filled(item, items) for item in shape] if isinstance(shape, list) else next(items)


def _from_c(value: Any, kind: str) -> Any:
    if kind == "float" and math.isfinite(value):
        # The fewest digits that distinguish it from its neighbours: 0.1, and not 0.10000000149011612.
        return next(one for digits in range(1, 10) if _single(one := float(f"{value:.{digits}g}")) == value)
    return value.decode(errors="backslashreplace") if isinstance(value, bytes) else value


def _single(value: float) -> float:
    try:
        return float(struct.unpack("f", struct.pack("f", value))[0])
    except OverflowError:
        return float("nan")


def load_functions(library: str, functions: dict[str, Any], headings: dict[str, str]) -> None:
    """Make the functions of a library functions of this module.

    `functions` has for each name the heading, the symbol, the types and the return type. `headings` has those of
    existing functions with other parameters.
    """
    loaded = ctypes.CDLL(os.path.abspath(library))
    for name, (heading, symbol, types, returns) in functions.items():
        globals()[name] = _Function(heading, getattr(loaded, symbol), types, returns)
    globals().update({name: _Other(heading) for name, heading in headings.items()})
    for own in (load_functions, _to_c, _flat, _after_call, _filled, _from_c, _single):
        own.__module__ = "grader"  # excluded from the student's functions that the probe lists


_C = ctypes.CDLL(None)
