"""Prepares types of msgspec records before several threads decode data into them.

msgspec resolves the fields of a record type when data is first decoded into it. A second thread that decodes into it
meanwhile finds fields without a type, and the process ends by SIGSEGV (seen with 0.22). Code that may decode in
parallel asks for the type here: one thread at a time resolves it, and the others wait.
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
