"""Cases of one submission that run at the same time, as long as that costs nobody anything.

The first runs by itself. When it is far from every limit, the others have company; whoever then comes near a limit is
measured again, alone, and the rest of the submission runs one by one: what is near a limit would feel any company.
"""

import signal
from collections import deque
from collections.abc import Callable, Generator, Iterator
from functools import partial
from typing import Any, TypeVar

from grader.core.model import Execution
from grader.core.thread_task import ThreadTask

Asked = TypeVar("Asked")
Produced = TypeVar("Produced")

_NEAR_LIMIT = 0.75
"""the share of a limit up to which nothing else decides whether it is met"""


def is_near_a_limit(execution: Execution) -> bool:
    """Whether a command took more than three quarters of a limit, was ended by one, or waited for in vain."""
    limits = execution.limits
    return (
        execution.limit is not None
        or execution.cpu_starved
        or execution.killed_by_host
        or execution.signal in (signal.SIGKILL, signal.SIGXCPU)
        or (execution.stop is not None and not execution.stop.ended)
        or execution.time > _NEAR_LIMIT * limits.time
        or execution.cpu > _NEAR_LIMIT * limits.cpu
        or execution.memory > _NEAR_LIMIT * limits.memory
        or max(len(execution.stdout), len(execution.stderr)) > _NEAR_LIMIT * limits.output
    )


class ParallelRuns:
    """Who runs at the same time, and who ever had company."""

    def __init__(self, most: Callable[[], int]) -> None:
        """Begin with nobody; at most so many run at a time as `most` says when one could begin."""
        self._most = most
        self._running: deque[ThreadTask[Any]] = deque()
        self._begun = 0
        self._accompanied: set[int] = set()

    def each(self, works: Iterator[Asked], do: Callable[[Asked], Produced]) -> Generator[Produced, None, None]:
        """Yield what `do` returns for each of the works, in their order.

        One more is taken than can be begun, which makes it ready. Whoever stops early waits for those that run.
        """
        ahead = next(works, None)
        try:
            while ahead is not None or self._running:
                if ahead is None or len(self._running) >= self._most():
                    yield self._running.popleft().result()
                    continue
                self._running.append(ThreadTask(partial(do, ahead)))
                self._begun += 1
                if len(self._running) > 1:
                    self._accompanied.update(range(self._begun - len(self._running), self._begun))
                ahead = next(works, None)
        finally:
            self.settle()

    def settle(self) -> None:
        """Wait until nobody runs; what is begun from then on is alone until more are asked for."""
        for errand in self._running:
            errand.join()

    def had(self, place: int) -> bool:
        """Whether the work at that place ever ran beside another."""
        return place in self._accompanied
