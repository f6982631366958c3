"""Work in threads, without `concurrent.futures`, which takes longer to import than a program to run."""

import os
from collections import deque
from collections.abc import Callable, Generator, Iterable
from functools import cache, partial
from itertools import islice
from threading import Event, Lock, Semaphore, Thread
from typing import Generic, TypeVar

from grader.core.errors import GradingStoppedError

Result = TypeVar("Result")
# Held while a process is started, and while files are written that may be programs: a program that is open for writing
# cannot be started (execve(2), ETXTBSY), and a new process holds our open files until it becomes its command.
FORK_LOCK = Lock()
MAX_WAITING_RESULTS = 32  # results that wait until one before them is there: a report may have megabytes


class ThreadTask(Generic[Result]):
    """Runs `action` in another thread, started at once; the process waits at its end for that, unless `daemon`."""

    def __init__(
        self, action: Callable[[], Result], *, daemon: bool = False, start: Callable[..., object] | None = None
    ) -> None:
        """Start it in a new thread, unless another runs what `start` is called with."""
        self._error: BaseException | None = None
        self._ended = Event()  # `Thread.join` takes a thread for ended when the wait for it is interrupted
        run = partial(self._run, action)
        start(run) if start else Thread(target=run, daemon=daemon).start()

    def _run(self, action: Callable[[], Result]) -> None:
        try:
            self._done = action()
        except BaseException as error:  # noqa: BLE001 - handed on to whoever waits
            self._error = error
        self._ended.set()

    def join(self, timeout: float | None = None) -> bool:
        """Wait until it has ended, at most `timeout` seconds; return whether it has."""
        return self._ended.wait(timeout)

    def result(self) -> Result:
        """Wait for the action, and return what it returned or raise what it raised."""
        self._ended.wait()
        if self._error:
            raise self._error
        return self._done


def in_order(
    tasks: Iterable[Callable[[], Result]], slots: int, cancel: Callable[[], object] = lambda: None
) -> Generator[Result, None, None]:
    """Run the tasks, `slots` at a time, and yield what they return in their order; one slot is this thread itself.

    Each begins after the one before. After a failure or a stop no other begins, and `cancel` ends the running ones.
    """
    if slots == 1:
        return (yield from (task() for task in tasks))
    free, stopped, failures = Semaphore(slots), Event(), list[BaseException]()

    def run(task: Callable[[], Result], before: Event, started: Event) -> Result:
        before.wait()
        with free:
            started.set()
            if stopped.is_set():
                raise GradingStoppedError
            try:
                return task()
            except BaseException as error:
                failures.append(error)
                stopped.set()
                raise

    last, waiting, running = Event(), iter(tasks), deque[ThreadTask[Result]]()
    last.set()
    try:
        while True:
            for task in islice(waiting, MAX_WAITING_RESULTS + slots - len(running)):
                before, last = last, Event()
                running.append(ThreadTask(partial(run, task, before, last)))
            if not running:
                return
            yield running.popleft().result()  # and forget it
    except BaseException as error:  # noqa: BLE001 - raised again
        stopped.set()
        cancel()
        for thread in running:
            thread.join()
        raise failures[0] if error in failures else error  # noqa: B904 - it is one of them, or itself


@cache
def shared_thread(user: int | None) -> Callable[[Callable[[], None]], None]:  # noqa: ARG001 - each has its own
    """Return what has calls made in the thread that has given up our identity, or will for the first of them."""
    calls, waiting = deque[Callable[[], None]](), Semaphore(0)

    def serve() -> None:
        while waiting.acquire():
            while calls:  # also one whose `start` was interrupted
                calls.popleft()()

    def start(call: Callable[[], None]) -> None:
        calls.append(call)
        waiting.release()

    Thread(target=serve, daemon=True).start()
    return start


os.register_at_fork(after_in_child=shared_thread.cache_clear)
