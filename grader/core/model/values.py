"""The values that functions are given and return: what is no plain data has a type here that stands for it."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from threading import Lock
from typing import Any, TypeVar

import msgspec
from msgspec import Struct, field

from grader.core.errors import Wrong
from grader.core.model.spec import CheckOptions

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
    """A value known only by its type and its own description: it is no plain data, or far too much of it."""

    type: str
    text: str | None = None  # what it is as a text; None where its class says nothing of that


# The facts that a check of the course may request besides the text that it judges, and how it gives a share.


SHARE, OUTPUT = "share", "output"  # the deviation of a check that gives a share itself; the text that one judges


class Facts(Struct, frozen=True, kw_only=True):
    """What there is to know of a case, the expected from its reference: a check gets what its parameters name."""

    args: tuple[PlainValue, ...] = ()
    input: bytes = b""
    stdout: bytes = b""
    stderr: bytes = b""
    status: int | None = None  # none of a program that was killed
    files: Mapping[str, bytes] = field(default_factory=dict)
    returned: PlainValue = None  # by the call, where functions are called
    expected: bytes = b""  # in the place of what is judged
    expected_stdout: bytes = b""
    expected_stderr: bytes = b""
    expected_files: Mapping[str, bytes] = field(default_factory=dict)


Check = Callable[[bytes], None]  # judges a text: raises `Wrong` when it is wrong, `HostError` for a fault of its own
Checks = Callable[[CheckOptions, Facts], Check]  # makes one ready for a case; `HostError` where there is none


class PartlyRight(Wrong):
    """What a check raises on a text of which it gives a share: more than nothing, and not all."""

    def __init__(self, message: str, share: Fraction) -> None:
        """Say what is missing, and which share of the credit remains."""
        super().__init__(message)
        self.share = share


# ---------------- Reads data into msgspec records, one thread at a time resolving a type


_Read = TypeVar("_Read")
_RESOLVING = Lock()


def decodable(kind: type[_Read]) -> type[_Read]:
    """Return the type, which msgspec has resolved completely."""
    with _RESOLVING:
        msgspec.json.Decoder(kind)
    return kind


def decode_json(data: bytes | str, kind: type[_Read]) -> _Read:
    """Return JSON as records of that type; raises `msgspec.DecodeError` where it is none."""
    return msgspec.json.decode(data, type=decodable(kind))
