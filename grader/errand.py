"""A call in a thread of its own: what `concurrent.futures` has for it takes longer to import than a program to run."""

from collections.abc import Callable
from functools import partial
from threading import Event, Thread
from typing import Generic, TypeVar

Brought = TypeVar("Brought")


def start_thread(action: Callable[[], None]) -> None:
    """Begin `action` in a thread of its own, for which the end of our process does not wait."""
    Thread(target=action, daemon=True).start()


class Errand(Generic[Brought]):
    """Somebody else does `action`, begun at once, and goes on with `then` when what it returned can be had."""

    def __init__(
        self,
        action: Callable[[], Brought],
        then: Callable[[Brought], None] | None = None,
        *,
        send: Callable[[Callable[[], None]], None] = start_thread,
    ) -> None:
        """Begin it in a thread of its own, or `send` it to somebody who is there."""
        self._over, self._ended = Event(), Event()
        self._error: BaseException | None = None
        send(partial(self._run, action, then))

    def _run(self, action: Callable[[], Brought], then: Callable[[Brought], None] | None) -> None:
        try:
            self._done = action()
        except BaseException as error:  # noqa: BLE001 - handed on to whoever waits
            self._error = error
        self._over.set()
        try:
            if then and not self._error:
                then(self._done)
        finally:
            self._ended.set()

    def join(self) -> None:
        """Wait until all is done, whatever came of it."""
        self._ended.wait()

    def result(self) -> Brought:
        """Wait for the action, and return what it returned or raise what it raised."""
        self._over.wait()
        if self._error is not None:
            raise self._error
        return self._done
