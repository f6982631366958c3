"""A call in a thread of its own: what `concurrent.futures` has for it takes longer to import than a program to run."""

from collections.abc import Callable
from functools import partial
from threading import Event, Thread
from typing import Generic, TypeVar

Brought = TypeVar("Brought")


class ThreadTask(Generic[Brought]):
    """Somebody else does `action`, begun at once, and goes on with `then` when what it returned can be had."""

    def __init__(self, action: Callable[[], Brought], then: Callable[[Brought], None] | None = None) -> None:
        """Begin it in a thread of its own; the end of our process waits for that, unless it goes on with something."""
        self._over, self._ended = Event(), Event()
        self._error: BaseException | None = None
        run = partial(self._run, action, then)
        Thread(target=run, daemon=then is not None).start()

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

    def join(self, timeout: float | None = None) -> bool:
        """Wait until all is done, for at most `timeout` seconds, and return whether it is, whatever came of it."""
        return self._ended.wait(timeout)

    def result(self) -> Brought:
        """Wait for the action, and return what it returned or raise what it raised."""
        self._over.wait()
        if self._error is not None:
            raise self._error
        return self._done
