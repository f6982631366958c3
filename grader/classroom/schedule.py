"""Jobs over an executor: as many under way as there are places, and each result handed on as soon as it is there.

The executor is any `concurrent.futures.Executor`: threads of this process, or a cluster. Only a few jobs wait at a
time, so that neither submissions nor reports pile up in memory, whatever the size of the class.
"""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from itertools import islice
from typing import TypeVar

Task = TypeVar("Task")
Result = TypeVar("Result")


def each(
    executor: Executor, work: Callable[[Task], Result], tasks: Iterable[Task], places: int
) -> Iterator[tuple[Task, Result | Exception]]:
    """Yield each task with its result, or with the error that ended it, in the order in which they end."""
    left = iter(tasks)
    under_way: dict[Future[Result], Task] = {}
    while True:
        under_way |= {executor.submit(work, task): task for task in islice(left, places + 1 - len(under_way))}
        if not under_way:
            return
        done, _ = wait(under_way, return_when=FIRST_COMPLETED)
        for future in done:
            task = under_way.pop(future)
            error = future.exception()
            if error is not None and not isinstance(error, Exception):
                raise error
            yield task, future.result() if error is None else error
