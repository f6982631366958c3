"""Things that take long to make and are used again: each waits in a pool between two uses."""

import os
from collections.abc import Callable
from contextlib import suppress
from typing import Generic, TypeVar

Pooled = TypeVar("Pooled")


class Pool(Generic[Pooled]):
    """What is idle, the oldest first; it belongs to this process, so a fork begins with nothing."""

    def __init__(self, most: int, end: Callable[[Pooled], None]) -> None:
        """Keep at most so many; `end` is called for each that is not used again."""
        self.idle: list[Pooled] = []
        self._most, self._end = most, end
        os.register_at_fork(after_in_child=self.idle.clear)

    def take(
        self, is_wanted: Callable[[Pooled], bool], is_usable: Callable[[Pooled], bool] = lambda _: True
    ) -> Pooled | None:
        """Return one that is wanted and still usable; what is wanted and is not usable is ended on the way."""
        for item in filter(is_wanted, [*self.idle]):
            try:
                self.idle.remove(item)
            except ValueError:  # another thread has it by now
                continue
            if is_usable(item):
                return item
            self._end(item)
        return None

    def give_back(self, item: Pooled) -> None:
        """Let another have it; the oldest is ended if there are too many."""
        self.idle.append(item)
        if len(self.idle) > self._most:
            with suppress(IndexError):
                self._end(self.idle.pop(0))

    def clear(self) -> None:
        """End all that are idle."""
        while self.idle:
            self._end(self.idle.pop())
