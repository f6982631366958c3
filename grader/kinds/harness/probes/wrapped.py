"""Calls functions in C and C++ as a student's module would; a call of `load_functions` is appended to this file."""

import ctypes
import itertools
import math
import os
import types
from typing import Any

_MAX_NODES = 20_000  # of a list; what has more is taken for one that never ends
_MAX_DEPTH = 25  # of structures within structures
_STRUCTURES: dict[str, Any] = {}
_OBJECTS: dict[str, Any] = {}  # the type by which a library knows objects -> their class here
_SPARE = 4096  # bytes behind a text, for functions that make it longer
_PLAIN = ("bool", "char", "short", "int", "long", "size_t", "float", "double")
_TYPES: dict[str, Any] = {
    **{name: getattr(ctypes, f"c_{name}") for name in _PLAIN},
    **{f"unsigned {name}": getattr(ctypes, f"c_u{name}") for name in ("short", "int", "long")},
    **{f"{sign}int{bits}_t": getattr(ctypes, f"c_{sign}int{bits}") for sign in ("", "u") for bits in (8, 16, 32, 64)},
    "long long": ctypes.c_longlong,
    "unsigned char": ctypes.c_ubyte,
    "unsigned long long": ctypes.c_ulonglong,
    "String": ctypes.c_char_p,
    "void": None,
}


class _Structure:
    """A structure of the student's, through functions of the library that make one and get and set its fields."""

    def __init__(self, library: Any, name: str, symbol: str, fields: list[tuple[str, str]]) -> None:
        self._new = getattr(library, f"{symbol}_new")
        self._new.restype = ctypes.c_void_p
        self._fields = fields
        self._own = [field for field, kind in fields if kind == f"{name} *"]
        self._data = [field for field, _ in fields if field not in self._own]
        is_list = len(self._own) == 1 or "next" in self._own
        self._next = ("next" if "next" in self._own else self._own[0]) if is_list else None
        self._getters, self._setters = dict[str, Any](), dict[str, Any]()
        for field, kind in fields:
            own = ctypes.c_void_p if field in self._own else _TYPES[kind]
            for known, verb, returns, more in ((self._getters, "get", own, []), (self._setters, "set", None, [own])):
                known[field] = function = getattr(library, f"{symbol}_{verb}_{field}")
                function.restype, function.argtypes = returns, [ctypes.c_void_p, *more]

    def build(self, value: Any) -> int:
        """Return the address of the object that a value describes; 0 for none."""
        if not value:
            return 0
        if self._next is None or isinstance(value, dict):
            return self._make(value)
        nodes = [self._make(item if isinstance(item, dict) else {self._data[0]: item}) for item in value]
        for before, after in itertools.pairwise(nodes):
            self._setters[self._next](before, after)
            for field in self._own:
                if field != self._next:
                    self._setters[field](after, before)
        return nodes[0]

    def _make(self, fields: dict[str, Any]) -> int:
        address = int(self._new())
        for field, value in fields.items():
            if field not in self._setters:
                raise KeyError(field)
            own = self.build(value) if field in self._own else value
            self._setters[field](address, own.encode() if isinstance(own, str) else own)
        return address

    def read(self, address: int | None, depth: int = 0) -> Any:
        """Return the value that describes the object at an address."""
        if not address:
            return None
        if depth > _MAX_DEPTH:
            raise StructureError("returned what never ends, or is very deep")
        if self._next is None:
            return {field: self._get(address, field, depth) for field, _ in self._fields}
        items: list[Any] = []
        while address:
            if len(items) >= _MAX_NODES:
                raise StructureError(f"returned a list that has over {_MAX_NODES:,} elements, or never ends")
            node = {field: self._get(address, field, depth) for field in self._data}
            items.append(node[self._data[0]] if len(self._data) == 1 else node)
            address = self._getters[self._next](address)
        return items

    def _get(self, address: int, field: str, depth: int) -> Any:
        value = self._getters[field](address)
        return self.read(value, depth + 1) if field in self._own else _from_c(value, dict(self._fields)[field])


class _Pointer:
    """A pointer to a structure, or to such a pointer, that is given to a function."""

    def __init__(self, value: Any, kind: str) -> None:
        name, _, stars = kind.partition(" ")
        self._structure = _STRUCTURES[name]
        self._held = ctypes.c_void_p(self._structure.build(value))
        self.given = ctypes.byref(self._held) if stars == "**" else self._held

    def after(self, _value: Any) -> Any:
        """Return the argument to compare after a call."""
        return self

    def __grader_read__(self) -> Any:
        return self._structure.read(self._held.value)


class _Object:
    """An object that a student's function made, by its address."""

    def __init__(self, address: int | None) -> None:
        self.address = address


class _Handle:
    """An object that a function gets, or a pointer to it, through which the function may change it."""

    def __init__(self, instance: Any, kind: str) -> None:
        self._instance = instance
        self._held = ctypes.c_void_p(instance.address if instance is not None else None)
        self.given = self._held if kind in _OBJECTS else ctypes.byref(self._held)

    def after(self, value: Any) -> Any:
        """Let the object be the one that the function put in its place."""
        if self._instance is not None:
            self._instance.address = self._held.value
        return value


class _Plain:
    """A value, text or array that is given to a function, which may change the latter two."""

    def __init__(self, value: Any, kind: str) -> None:
        self._kind, self._element = kind, kind.replace("[]", "")
        self.given = None if value is None else self._to_c(value)

    def _to_c(self, value: Any) -> Any:
        if self._kind == "String":
            data = value.encode(errors="surrogatepass")
            return ctypes.create_string_buffer(data, len(data) + _SPARE)
        if self._kind == "char":
            return ctypes.c_char(value.encode("latin-1", errors="replace"))
        if self._kind == self._element:
            return _TYPES[self._kind](value)
        flat = _flatten(value)
        items = [item.encode() for item in flat] if self._element in ("String", "char") else flat
        return (_TYPES[self._element] * max(1, len(items)))(*items)

    def after(self, value: Any) -> Any:
        """Return the value after the call."""
        if self._kind == "String" and self.given is not None:
            return _from_c(self.given.value, self._kind)
        if self._kind != self._element and self.given is not None:
            # Another call may be given the same.
            value[:] = _fill_shape(value, iter([_from_c(item, self._element) for item in self.given]))
        return value


class _Function:
    """A function of the library; `__grader_left__` has its arguments after a call, `__grader_place__` its object."""

    def __init__(self, heading: str, function: Any, kinds: list[str], returns: str) -> None:
        self.__grader_heading__ = heading
        self.__grader_left__: list[Any] = []
        self.__grader_place__ = next((at for at, kind in enumerate(kinds) if _is_object(kind)), None)
        self._types, self._returns, self._function = kinds, returns, function
        function.restype = ctypes.c_void_p if returns.endswith(" *") or returns in _OBJECTS else _TYPES[returns]

    def __call__(self, *args: Any) -> Any:
        place = self.__grader_place__
        if place is not None:
            args = (*args[1 : place + 1], args[0], *args[place + 1 :])
        wrapped, given = list[Any](), list[Any]()
        for value, kind in zip(args, self._types, strict=True):
            how = _Handle if _is_object(kind) else _Pointer if " *" in kind else _Plain
            wrapped.append(value if isinstance(value, how) else how(value, kind.removesuffix("+length")))
            given += [wrapped[-1].given, *([ctypes.c_long(len(value))] if kind.endswith("+length") else [])]
        returned = self._function(*given)
        _C.fflush(None)
        after = [argument.after(value) for value, argument in zip(args, wrapped, strict=True)]
        self.__grader_left__ = [value for at, value in enumerate(after) if at != place]
        if self._returns in _OBJECTS:
            return _OBJECTS[self._returns](returned) if returned else None
        if self._returns.endswith(" *"):
            return _STRUCTURES[self._returns.removesuffix(" *")].read(returned)
        return _from_c(returned, self._returns)


def _is_object(kind: str) -> bool:
    """Whether a type is a handle, or a pointer to one."""
    return not _OBJECTS.keys().isdisjoint((kind, kind.removesuffix(" *"), kind.removesuffix("*")))


class StructureError(Exception):
    """A structure is not there, or cannot be read; the message goes on after the name of the function."""


class _Unfit:
    """A function that cannot be called: with a problem for the caller, or because it has other parameters."""

    def __init__(self, heading: str, problem: str = "") -> None:
        self.__grader_heading__, self._problem = heading, problem

    @property
    def __signature__(self) -> None:
        raise AttributeError if self._problem else TypeError  # then it takes any arguments, or none

    def __call__(self, *_args: Any) -> None:
        raise StructureError(self._problem)


def _flatten(value: Any) -> list[Any]:
    return [leaf for item in value for leaf in _flatten(item)] if isinstance(value, list) else [value]


def _fill_shape(shape: Any, items: Any) -> Any:
    return [_fill_shape(item, items) for item in shape] if isinstance(shape, list) else next(items)


def _from_c(value: Any, kind: str) -> Any:
    if kind == "float" and math.isfinite(value):
        # The fewest digits that distinguish it from its neighbours: 0.1, and not 0.10000000149011612.
        shortest = (float(f"{value:.{digits}g}") for digits in range(1, 10))
        return next(number for number in shortest if ctypes.c_float(number).value == value)
    return value.decode(errors="backslashreplace") if isinstance(value, bytes) else value


def load_functions(library: str, functions: Any, headings: Any, *, structures: Any, unfit: Any, handles: Any) -> None:
    """Put the functions of a library into this module, each with a heading, a symbol, types and a return type."""
    _C.dlopen.restype, _C.dlerror.restype = ctypes.c_void_p, ctypes.c_char_p
    opened = _C.dlopen(os.path.abspath(library).encode(), os.RTLD_LAZY)  # what nothing defines may never be called
    if not opened:
        raise OSError(_C.dlerror().decode(errors="backslashreplace"))
    loaded = ctypes.CDLL(library, handle=opened)
    _OBJECTS.update({handle: type(handle, (_Object,), {}) for handle in handles})
    _STRUCTURES.update({name: _Structure(loaded, name, *about) for name, about in structures.items()})
    for own in [value for value in globals().values() if isinstance(value, type | types.FunctionType)]:
        own.__module__ = "grader"  # excluded from the student's functions that the probe lists
    known: dict[str, Any] = {name: _Unfit(*about) for name, about in unfit.items()}
    for name, (heading, symbol, kinds, returns) in functions.items():
        known[name] = _Function(heading, getattr(loaded, symbol), kinds, returns)
    globals().update(known | {name: _Unfit(heading) for name, heading in headings.items()})


_C = ctypes.CDLL(None)
