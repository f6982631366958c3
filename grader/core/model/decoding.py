"""Prepares types of msgspec records before several threads decode data into them.

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
        msgspec.json.Decoder(kind)
    return kind
