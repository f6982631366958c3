"""A call in a thread of its own, without `concurrent.futures`, which takes longer to import than a program to run."""

from collections.abc import Callable
from functools import partial
from threading import Event, Thread
from typing import Generic, TypeVar

Result = TypeVar("Result")


class ThreadTask(Generic[Result]):
    """Runs `action` in another thread, started at once, and then `then(result)`."""

    def __init__(
        self,
        action: Callable[[], Result],
        then: Callable[[Result], None] | None = None,
        *,
        send: Callable[[Callable[[], None]], None] | None = None,
    ) -> None:
        """Start it in a new thread, or `send` it to an existing one.

        The process waits at its end for a new thread, unless there is a `then`.
        """
        self._over, self._ended = Event(), Event()
        self._error: BaseException | None = None
        run = partial(self._run, action, then)
        if send:
            send(run)
        else:
            Thread(target=run, daemon=then is not None).start()

    def _run(self, action: Callable[[], Result], then: Callable[[Result], None] | None) -> None:
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
        """Wait until `action` and `then` have ended, with or without an error."""
        self._ended.wait()

    def result(self) -> Result:
        """Wait for the action, and return what it returned or raise what it raised."""
        self._over.wait()
        if self._error is not None:
            raise self._error
        return self._done
