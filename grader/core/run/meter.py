"""What a running command has had of the machine, and for which limit it is ended: its time, and looks at /proc."""

import math
import signal
import time
from collections.abc import Sequence
from typing import Final, get_args

from msgspec import Struct
from msgspec.structs import replace

from grader.core.limits import LIMITS
from grader.core.model.execution import SIGNAL_STATUS, Doubt, Ending, Launch
from grader.core.model.limits import LimitName
from grader.core.run import proc_stats
from grader.core.run.proc_stats import RunDelay, Usage
from grader.core.sandbox.cgroup import memory_kills
from grader.core.sandbox.interface import Ended, SandboxedCommand, becomes_readable
from grader.core.sandbox.shares import is_share_used_up

GRACE_FACTOR: Final = 1.1
"""A command may overrun its time by this factor before it is ended, so that a near miss differs from a hang."""
_STARVED_SHARE = 0.1  # the share of its time that a command has waited for processors on a machine that is too busy


class Account(Struct, frozen=True, kw_only=True):
    """What a command has had of the machine since it started, in seconds; the difference of two is the time between."""

    time: float = 0.0
    waited: float = 0.0
    time_credit: float = 0.0
    cpu: float = 0.0
    looks: int = 0
    looks_awake: int = 0  # looks at which it worked or could have worked


class MeteredCommand:
    """A command whose time and use of the machine are measured from its start to its end."""

    work = -1  # a descriptor of its working folder, once that has its files
    outcome: Ended  # how it ended, once it has

    def __init__(self, launch: Launch, command: SandboxedCommand) -> None:
        """Measure `command` by the limits of `launch`, from `start_clock` on."""
        self.launch, self.command = launch, command
        self.why: Ending | None = None  # why it was ended; None as long as it was not, and where it ended by itself
        self.started = self.ended = 0.0
        self.peak = Usage()
        self.doubts = set[Doubt]()  # what the machine lacked, so that how the command ended may not be its own doing
        self.delay = RunDelay()
        self._granted = -math.inf
        self._last_call: tuple[float, Ending] = math.inf, "partner"  # when it is ended at the latest, and why then
        self._shared_memory = self._most_seen = self._memory_kills = self._looks = self._looks_awake = 0

    def start_clock(self) -> None:
        """Let its time begin."""
        self.delay.seconds, self._looks = 0.0, 0
        self._memory_kills = 0 if self.command.group else memory_kills()
        self.started = time.monotonic()

    # -- its time

    def grant(self, seconds: float) -> None:
        """Let it run for at least so many more seconds, whatever its limit; for ever where somebody else counts."""
        self._granted = max(self._granted, time.monotonic() + seconds)

    def exclude_time(self, seconds: float) -> None:
        """Leave `seconds` that went by out of the command's account: somebody else took them."""
        self.started += seconds

    @property
    def time_left(self) -> float:
        """Seconds until its time is over, negative from then on; what it is granted beyond is not in it."""
        return self.launch.limits.time * GRACE_FACTOR + self.time_credit - self.elapsed

    @property
    def elapsed(self) -> float:
        """Seconds between its start and its end, or now."""
        return (self.ended or time.monotonic()) - self.started

    @property
    def waited(self) -> float:
        """Seconds since the start in which the command could have run and had no processor."""
        return min(self.delay.seconds, self.elapsed)

    @property
    def time_credit(self) -> float:
        """Seconds by which the waiting for processors lengthens the command's time."""
        return self._credit_for(self.waited)

    def _credit_for(self, waited: float) -> float:
        return min(waited, (self.launch.max_time_factor - 1) * self.launch.limits.time)

    @property
    def over(self) -> tuple[float, Ending]:
        """When it is to be ended, and why; never for one that was, which takes as long as the kernel needs."""
        if self.why:
            return math.inf, self.why
        time_over = max(self.started + self.launch.limits.time * GRACE_FACTOR, self._granted)
        when, why = min((time_over, "time"), self._last_call)
        return when + self.time_credit, why

    # -- looks at it

    def look(self) -> None:
        """See what it uses now, and end it where that passes a limit."""
        self._look_at_share()
        proc, pids = self.command.processes()
        seen = proc_stats.usage(proc, pids)
        self.delay.look(proc, pids, seen.cpu)
        self._looks += 1
        self._looks_awake += seen.awake
        seen = replace(seen, memory=self._memory_of(proc, pids, seen.memory))
        self._most_seen = max(self._most_seen, seen.memory)
        self.peak = self.peak.highest(seen)
        most = {name: row.factor * getattr(self.launch.limits, name) for name, row in LIMITS.items() if row.factor}
        passed: list[LimitName] = [name for name, amount in most.items() if getattr(seen, name) > amount]
        if self._is_exhausted() or "memory" in passed:
            passed = ["memory"]
        if passed:
            self.stop(passed[0])

    def _memory_of(self, proc: int, pids: Sequence[int], memory: int) -> int:
        """Return the memory of all processes, of which each counts what it shares, too, in `memory`."""
        if memory > self.launch.limits.memory:
            memory, shared = proc_stats.proportional_memory(proc, pids)
            self._shared_memory = max(self._shared_memory, shared)
            if memory > self.launch.limits.memory:  # two looks, since processes come and go during one
                memory = min(memory, proc_stats.proportional_memory(*self.command.processes())[0])
        if self.command.group is None:
            memory = max(memory, proc_stats.page_tables(proc, pids))
            memory += proc_stats.socket_buffers(proc) if self.command.has_network else 0
        return memory

    def _look_at_share(self) -> None:
        if self.command.user is None and is_share_used_up():  # others have, what the kernel gives to the shared user
            self.doubts.add("crowded")

    def _is_exhausted(self) -> bool:
        """Whether the kernel killed something of the command's for want of memory; that much it then had."""
        exhausted = self.command.group.exhausted() if self.command.group else 0
        self.peak = self.peak.highest(Usage(memory=exhausted))
        return exhausted > 0

    def account(self) -> Account:
        """Look again, and return what the command has had until now."""
        if not self.ended:
            self.look()
        waited = self.waited  # once: while it is bounded by the time since the start, it grows from look to look
        return Account(
            time=self.elapsed,
            waited=waited,
            time_credit=self._credit_for(waited),
            cpu=self.peak.cpu,
            looks=self._looks,
            looks_awake=self._looks_awake,
        )

    def is_starved(self, since: Account, cpu: float) -> bool:
        """Whether a command whose time is over had too little processor time `since` then for a verdict."""
        now = self.account()
        waited = now.waited - since.waited
        if waited > now.time_credit - since.time_credit:  # for more than could be given back
            return True
        if now.cpu - since.cpu >= cpu / 2:
            return False
        # It was not asleep for the rest: what short-lived processes wait is not in the account.
        was_awake = now.looks_awake - since.looks_awake > (now.looks - since.looks) / 2
        waited_long = waited > _STARVED_SHARE * (now.time - since.time)
        return was_awake or (waited_long and not proc_stats.asleep(*self.command.processes()))

    # -- its end

    def end(self, why: Ending, after: float = 0.0) -> None:
        """End the command, unless it ends by itself within `after` seconds; nothing happens to one that has ended."""
        if after:
            self._last_call = min(self._last_call, (time.monotonic() + after - self.time_credit, why))
        elif not (self.why or self.ended or becomes_readable(self.command.end, 0)):
            if why == "time" and self.is_starved(Account(), self.launch.limits.cpu):
                self.doubts.add("cpu_starved")
            self.stop(why)

    def stop(self, why: Ending) -> None:
        """End the command; the first reason counts."""
        self.why = self.why or why
        self.command.kill()

    @property
    def ended_by_itself(self) -> bool:
        """Whether it has ended, and nobody ended it."""
        return self.ended > 0 and self.why is None

    @property
    def limit(self) -> LimitName | None:
        """The limit for which it was ended."""
        return self.why if self.why in get_args(LimitName) else None  # type: ignore[return-value]

    def reap(self) -> None:
        """Take note of how it ended, and of what it had of the machine."""
        outcome = self.outcome = self.command.wait()
        # We may have been busy, or without a processor, when it ended.
        self.ended = max(self.started, min(time.monotonic(), outcome.time))
        self._look_at_share()
        # A single process at its highest; pages that it shared with others count once, as in every look.
        self.peak = self.peak.highest(Usage(cpu=outcome.cpu, memory=outcome.memory - self._shared_memory))
        if self._is_exhausted():
            self.why = self.why or "memory"
        elif self._most_seen <= self.launch.limits.memory < self.peak.memory:
            self.doubts.add("memory_unconfirmed")
        group, killed = self.command.group, {outcome.signal, (outcome.status or 0) - SIGNAL_STATUS}
        # Without a control group that is possible where anything else was killed meanwhile.
        may_be_hosts = self.why is None and signal.SIGKILL in killed and memory_kills() > self._memory_kills
        if group.is_killed_by_host() if group else may_be_hosts:
            self.doubts.add("killed_by_host")
