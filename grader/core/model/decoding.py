"""Reads data into msgspec records, from several threads.

msgspec resolves the fields of a record type when data is first decoded into it. A second thread that decodes into it
meanwhile ends the process by SIGSEGV (seen with 0.22). So one thread at a time resolves a type here.
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
