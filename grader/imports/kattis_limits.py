"""The limits of a problem package; a limit of time that it does not have is derived from its accepted programs.

The rule is problemtools': the processor time of the slowest accepted program on any input, times a multiplier, rounded
up to the resolution. The multiplier is 2 in the format, and was 5 in the older form.
"""

import math
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from grader.core.errors import UsageError
from grader.core.model.judgement import Job, Verdict
from grader.core.model.submission import Submission
from grader.core.pipeline import assess, prepare
from grader.core.reader.files import read_data
from grader.core.text import count
from grader.imports import Imported, write_assignment
from grader.imports.draft import Data, Loss
from grader.imports.kattis_package import Package, as_mapping, as_number
from grader.imports.kattis_validator import VALIDATION

MEMORY_MIB = 2048
"""the format's default"""
BUILD_LIMITS = {"compilation_time": ("time", "s"), "compilation_memory": ("memory", "MiB")}
_EXTRA_SECONDS = 5
"""on top of twice the processor time, for programs that wait"""
_TIMES = ("time_limit", "time_multiplier", "time_multipliers", "time_safety_margin", "time_resolution")
_READ_KEYS = {"memory", "output", *_TIMES, *BUILD_LIMITS, *VALIDATION}


class TimeLimit(Struct, frozen=True, kw_only=True):
    """A limit of processor time, and where it comes from."""

    seconds: float
    origin: str = ""
    """how it was measured, where the package does not say it"""


TRIAL_LIMIT = TimeLimit(seconds=60)
"""of accepted programs while they are measured"""


def time_limit_of(package: Package) -> TimeLimit | None:
    """Return the limit of processor time, if the package has one."""
    alone = package.files.get(".timelimit", b"").decode(errors="replace").strip()
    stated = as_mapping(package.problem.get("limits")).get("time_limit")
    for written in map(str, (stated, package.of_judge.get("timelimit", ""), alone)):
        if re.fullmatch(r"[0-9]{1,6}(\.[0-9]{1,6})?", written) and float(written):
            return TimeLimit(seconds=float(written))
    return None


def limits_of_a_run(package: Package, limit: TimeLimit | None, losses: list[Loss]) -> dict[str, Data]:
    """Return `limits`; adds to `losses` what has no counterpart, and where a measured limit comes from."""
    limits = as_mapping(package.problem.get("limits"))
    found: dict[str, Data] = {}
    if limit:
        # Judges measure processor time, which a busy machine does not change; who sleeps is stopped later.
        found = {"cpu": limit.seconds, "time": 2 * limit.seconds + _EXTRA_SECONDS}
    if not limit or limit.origin:
        losses.append(Loss(rule="measured" if limit else "no-time-limit", detail=limit.origin if limit else ""))
    if others := [key for key in limits if key not in _READ_KEYS]:
        losses.append(Loss(rule="limits", detail=", ".join(map(str, others))))
    output = f"{limits['output']} MiB" if "output" in limits else None
    return {**found, "memory": f"{limits.get('memory', MEMORY_MIB)} MiB", "output": output}


def measure_time_limit(package: Package, trial: Imported) -> TimeLimit | None:
    """Run the accepted programs of a package, and derive the limit; None when it has none that can be run.

    Raises UsageError when one of them is not accepted here: what it takes then says nothing.
    """
    with tempfile.TemporaryDirectory(prefix="grader-import-") as folder:
        write_assignment(trial, Path(folder))
        measured = list(_measure(Path(folder), trial, package))
    if not measured:
        return None
    slowest, program = max(measured)
    limits = as_mapping(package.problem.get("limits"))
    stated = as_mapping(limits.get("time_multipliers")).get("ac_to_time_limit", limits.get("time_multiplier"))
    multiplier = float(as_number(stated) or (5 if package.is_legacy else 2))
    resolution = float(as_number(limits.get("time_resolution", 1)) or 1)
    seconds = max(1, math.ceil(round(slowest * multiplier / resolution, 6))) * resolution
    return TimeLimit(
        seconds=seconds,
        origin=(
            f"{seconds:g} s, measured on this machine: of {count(len(measured), 'accepted program')} the slowest, "
            f"{program}, took {slowest:.2f} s, times {multiplier:g}, rounded up to {resolution:g} s"
        ),
    )


def _measure(root: Path, trial: Imported, package: Package) -> Iterator[tuple[float, str]]:
    """Yield the most processor time, in seconds, that each accepted program takes for an input, and its name."""
    for spec_id in trial.specs:
        path, samples = root / f"specs/{spec_id}.yaml", root / f"sample_submissions/{spec_id}"
        stated = read_data(samples / "expected.yaml") if samples.exists() else {}
        for name in [name for name, one in stated.items() if one["about"] == "accepted in the package"]:
            course = prepare(path)
            found = assess(Job(spec=path, submission=Submission(id=name, path=samples / name)), course)
            if found.verdict != Verdict.PASSED:
                said = (one.message.text for test in found.tests for one in test.cases)
                why = next(filter(None, said), found.build.message) or found.verdict
                problem = f"the accepted program {name} ({spec_id}) is not accepted here"
                raise UsageError(f"{package.path}: no time limit can be measured: {problem}: {why}")
            times = [case.run.cpu for test in found.tests for case in test.cases if case.run]
            yield max(times, default=0.0), f"{name} ({spec_id})"
