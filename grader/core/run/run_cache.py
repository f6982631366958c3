"""A cache of executions by content: a command with the same files, input and limits as before is not run again.

It is for samples of a spec under development. A run whose end the machine may have decided is never stored.
"""

import hashlib
import secrets
from collections import Counter
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from grader.core.cache import Cache
from grader.core.model.execution import Execution, Launch, Runner
from grader.core.run.doubts import Measured, is_in_doubt
from grader.core.run.measuring import RunPolicy

_MAX_STORED_BYTES = 2**24
"""bytes of outputs and build results that are stored for one program"""
_MUCH = 0.25
"""the share of its time that a run may have waited for a processor, and would have been ended by its limit anyway"""

Learned = TypeVar("Learned", Execution, Measured)
_Measure = Callable[[Sequence[Launch], RunPolicy], Generator[Measured, None, None]]


class _StoredRuns(Struct, frozen=True, kw_only=True):
    around: str
    token: str
    runs: Mapping[str, Execution] = field(default_factory=dict)
    """the mark of a command -> what it came to, the last used behind"""


class RunCache:
    """What the commands of one program came to, as long as that program and what is around it stay as they are."""

    def __init__(self, cache: Cache, whose: object, around: object, *, fresh: bool = False) -> None:
        """Look up the executions of `whose` commands, unless something `around` them has changed, or with `fresh`."""
        self._cache, self._place = cache, ["recall", whose]
        mark = hashlib.sha256(msgspec.json.encode(around, order="sorted")).hexdigest()
        stored = None if fresh else cache.look_up(self._place, _StoredRuns)
        stored = stored if stored and stored.around == mark else _StoredRuns(around=mark, token=secrets.token_hex(16))
        self.token = stored.token
        """an unpredictable token for a probe, the same each time, where it would get another for each run"""
        self.recalled = 0
        """runs that were not made"""
        self._stored, self._used, self._fresh = stored, dict[str, Execution](), fresh
        self._asked, self._free_bytes = Counter[str](), _MAX_STORED_BYTES

    def execute(self, launch: Launch, run: Runner) -> Execution:
        """Return what a command came to before, or comes to now."""
        mark = self._mark(launch, _digests)
        return self._recall(mark) or self._learn(mark, run(launch))

    def measure_each(
        self, launches: Sequence[Launch], measure: _Measure, policy: RunPolicy
    ) -> Generator[Measured, None, None]:
        """Yield the stored results of the commands, and `measure` those that have none, in their order."""
        digests = lru_cache(_digests)
        marks = [self._mark(launch, digests) for launch in launches]
        left = [place for place, mark in enumerate(marks) if mark not in self._stored.runs]
        done: list[Measured] = []
        of_left = RunPolicy(on_start=lambda at: policy.on_start(left[at]))
        with closing(measure([launches[place] for place in left], of_left)) as measured:
            for mark in marks:
                found = self._recall(mark) or self._learn(mark, next(measured))
                done.append(found.bare if isinstance(found, Execution) else found)
                yield found
                del found  # what it wrote may be much
                if policy.should_stop(done):
                    return

    def keep(self) -> None:
        """Store what was used, for the next time."""
        if self._fresh or self._stored.runs.keys() != self._used.keys():
            self._cache.store(self._place, replace(self._stored, runs=self._used))

    def _mark(self, launch: Launch, digests: Callable[[Path], object]) -> str:
        """Return a key for a command, the content of its folder, and the number of this request for it."""
        inside = digests(launch.folder) if launch.folder else None
        mark = hashlib.sha256(f"{inside} {replace(launch, folder=None)!r}".encode()).hexdigest()
        self._asked[mark] += 1
        return f"{mark} {self._asked[mark]}"

    def _recall(self, mark: str) -> Execution | None:
        found = self._stored.runs.get(mark)
        self.recalled += found is not None
        return found and self._learn(mark, found)

    def _learn(self, mark: str, found: Learned) -> Learned:
        if isinstance(found, Execution) and not is_in_doubt(found) and found.size <= self._free_bytes:
            is_out_of_time = found.limit in {"time", "cpu"} or (found.stop is not None and not found.stop.ended)
            if not is_out_of_time or found.waited <= _MUCH * found.time:
                self._free_bytes -= found.size
                self._used[mark] = found
        return found


def _digests(folder: Path) -> list[tuple[object, ...]]:
    """Return the files that a command sees in a folder, without their times."""
    return [
        (
            str(path.relative_to(folder)),
            path.lstat().st_mode,
            path.is_file() and hashlib.sha256(path.read_bytes()).digest(),
        )
        for path in sorted(folder.rglob("*"))
    ]
