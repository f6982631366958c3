"""Reads data into msgspec records, one thread at a time resolving a type.

msgspec does so when data is first decoded into it; a second thread meanwhile ends the process by SIGSEGV (seen, 0.22).
"""

from threading import Lock
from typing import TypeVar

import msgspec

_Read = TypeVar("_Read")
_RESOLVING = Lock()


def decodable(kind: type[_Read]) -> type[_Read]:
    """Return the type, which msgspec has resolved completely."""
    with _RESOLVING:
        return msgspec.json.Decoder(kind).type


def decode_json(data: bytes | str, kind: type[_Read]) -> _Read:
    """Return JSON as records of that type; raises `msgspec.DecodeError` where it is none."""
    return msgspec.json.decode(data, type=decodable(kind))
