"""A cache of executions by content: a command with the same files, input and limits as before is not run again.

It is for programs of the course that run again and again, such as the samples of a spec under development. A run whose
end the machine may have decided is never stored. One that was ended while it waited long for a processor is stored only
if everything came out as expected. Each of several runs of one command is stored: it may use random numbers.
"""

import hashlib
import os
import secrets
from collections import Counter
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
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
_FORMER = 3
"""earlier runs that stay stored for each run used now: changes of a spec are often undone"""

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
        self._asked = Counter[str]()
        self._free_bytes = _MAX_STORED_BYTES

    def execute(self, launch: Launch, run: Runner) -> Execution:
        """Return what a command came to before, or comes to now."""
        mark = self._mark_this_time(launch, _mark_inside(launch.folder))
        return self._recall(mark) or self._learn(mark, run(launch))

    def measure_each(
        self, launches: Sequence[Launch], measure: _Measure, policy: RunPolicy
    ) -> Generator[Measured, None, None]:
        """Yield the stored results of the commands, and `measure` those that have none, in their order."""
        inside = {folder: _mark_inside(folder) for folder in {launch.folder for launch in launches}}
        marks = [self._mark_this_time(launch, inside[launch.folder]) for launch in launches]
        known = [self._recall(mark) for mark in marks]
        left = [place for place, found in enumerate(known) if found is None]
        done: list[Measured] = []
        of_left = RunPolicy(on_start=lambda at: policy.on_start(left[at]))
        with closing(measure([launches[place] for place in left], of_left)) as measured:
            for mark, recalled in zip(marks, known, strict=True):
                found = recalled or self._learn(mark, next(measured))
                done.append(found.bare if isinstance(found, Execution) else found)
                yield found
                del found  # what it wrote may be much
                if policy.should_stop(done):
                    return

    def keep(self, *, as_expected: bool = False) -> None:
        """Store what was used, and some of what was used before, for the next time."""

        def is_influenced(found: Execution) -> bool:
            """Whether it was out of time, or waited for in vain, and the machine had a part in that."""
            stopped_waiting = found.stop is not None and not found.stop.ended
            return (found.limit in {"time", "cpu"} or stopped_waiting) and found.waited > _MUCH * found.time

        used = {mark: found for mark, found in self._used.items() if as_expected or not is_influenced(found)}
        former = [mark for mark in self._stored.runs if mark not in self._used][-_FORMER * len(self._used) :]
        runs = {mark: self._stored.runs[mark] for mark in former} | used
        if sum(found.size for found in runs.values()) > _MAX_STORED_BYTES:
            runs = used
        if self._fresh or self._stored.runs.keys() != runs.keys():
            self._cache.store(self._place, replace(self._stored, runs=runs))

    def _mark_this_time(self, launch: Launch, inside: str) -> str:
        """Return a key for a command, with the digest `inside` of its folder, and for the number of this request."""
        mark = hashlib.sha256(f"{inside} {replace(launch, folder=None)!r}".encode()).hexdigest()
        self._asked[mark] += 1
        return f"{mark} {self._asked[mark]}"

    def _recall(self, mark: str) -> Execution | None:
        found = self._stored.runs.get(mark)
        if found is not None:
            self.recalled += 1
            self._free_bytes -= found.size
            self._used[mark] = found
        return found

    def _learn(self, mark: str, found: Learned) -> Learned:
        if isinstance(found, Execution) and not is_in_doubt(found) and found.size <= self._free_bytes:
            self._free_bytes -= found.size
            self._used[mark] = found
        return found


def _mark_inside(folder: Path | None) -> str:
    """Return a digest of the files that a command sees in a folder, without their times."""
    total = hashlib.sha256()
    for path in sorted(folder.rglob("*")) if folder else ():
        name, mode = os.fsencode(path.relative_to(folder or path)), path.lstat().st_mode
        content = hashlib.sha256(path.read_bytes()).digest() if path.is_file() else b""
        total.update(repr((name, mode, content)).encode())
    return total.hexdigest()
