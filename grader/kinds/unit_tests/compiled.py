"""Tests that were compiled with a submission, the last of them: several tests of a spec may be of one file."""

from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

_Made = TypeVar("_Made")
_MAX_KEPT = 32


class LastResults(Generic[_Made]):
    """The last results of something, by what they were made of."""

    def __init__(self) -> None:
        """Begin without any."""
        self._lock = Lock()
        self._known: dict[object, _Made] = {}

    def get_or_make(self, key: object, make: Callable[[], _Made]) -> _Made:
        """Return the result for a key, made once unless many others were asked for meanwhile."""
        found = self._known.get(key)
        found = make() if found is None else found
        with self._lock:
            self._known[key] = found
            while len(self._known) > _MAX_KEPT:
                del self._known[next(iter(self._known))]
        return found
