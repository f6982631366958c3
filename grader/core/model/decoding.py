"""What records of msgspec need before several threads read data into them.

msgspec learns of a type of record what its fields are when data is first read into one, and shows what it has learnt
before that is complete, so that a type may name itself. A second thread that reads into the same type meanwhile finds
fields without a type, and the process ends by SIGSEGV (seen with 0.22). So whoever reads data where others may
do the same asks for the type here: one thread at a time learns, and everybody else waits until all is known.
"""

from threading import Lock
from typing import Any, TypeVar

import msgspec

_Read = TypeVar("_Read")
_LEARNING = Lock()
_LEARNT: set[Any] = set()


def decodable(kind: type[_Read]) -> type[_Read]:
    """Return the type, of which msgspec knows all that there is by now."""
    with _LEARNING:
        if kind not in _LEARNT:
            msgspec.json.Decoder(kind)
            _LEARNT.add(kind)
    return kind
