"""Who runs at the same time: many submissions share the machine, and a measurement that matters has it alone."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore, Lock


class Room:
    """Places for a number of workers; one of them may ask for all."""

    def __init__(self, places: int) -> None:
        """Make room for `places` workers at a time."""
        self._places = places
        self._free = BoundedSemaphore(places)
        self._asking = Lock()

    @contextmanager
    def shared(self) -> Iterator[None]:
        """Hold one place."""
        with self._free:
            yield

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Hold every place, so that nobody else runs. Whoever asks for this holds no place yet."""
        with self._asking:  # two who each hold a part would wait for each other for ever
            for _ in range(self._places):
                self._free.acquire()
        try:
            yield
        finally:
            self._free.release(self._places)
