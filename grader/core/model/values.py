"""The values that functions are given and return: what is no plain data has a type here that stands for it."""

from typing import Any

from msgspec import Struct

PlainValue = Any  # what a function is given or returns: None, bool, int, float, str, a tuple of such, or one below


class Argument(Struct, frozen=True, kw_only=True):
    """Stands among the arguments of a further call for the very object that the main call gets at a position."""

    position: int


class NewObject(Struct, frozen=True, kw_only=True):
    """Stands among arguments for another object of the class, made with these arguments; written `{new: [...]}`."""

    args: tuple[PlainValue, ...] = ()


class MapValue(Struct, frozen=True, kw_only=True):
    """A map, or an object that has no more to it than its fields, by their names."""

    items: tuple[tuple[PlainValue, PlainValue], ...] = ()  # keys and values


class SetValue(Struct, frozen=True, kw_only=True):
    """A set."""

    items: tuple[PlainValue, ...] = ()


class Wildcard(Struct, frozen=True, kw_only=True):
    """Stands in an expected value for a cell that may hold anything; written `_`."""


class Opaque(Struct, frozen=True, kw_only=True):
    """A value of which only the type is known, and what it says of itself: no plain data, or far too much of it."""

    type: str
    text: str | None = None  # what it is as a text; None where its class says nothing of that
