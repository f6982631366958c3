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
from grader.core.pipeline import assess, prepare
from grader.core.text import count
from grader.core.yaml.nodes import Node
from grader.core.yaml.writing import plain, table
from grader.imports import Imported, write_assignment
from grader.imports.kattis_package import Package, as_mapping, as_number
from grader.imports.kattis_samples import accepted_samples
from grader.imports.kattis_validator import VALIDATION

MEMORY_MIB = 2048
"""the format's default"""
BUILD_LIMITS = {"compilation_time": ("time", "s"), "compilation_memory": ("memory", "MiB")}
_EXTRA_SECONDS = 5
"""on top of twice the processor time, for programs that wait"""
_SIZES = ("memory", "output")
_TIMES = ("time_limit", "time_multiplier", "time_multipliers", "time_safety_margin", "time_resolution")


class TimeLimit(Struct, frozen=True, kw_only=True):
    """A limit of processor time, and where it comes from."""

    seconds: float
    origin: str = ""
    """a sentence, where the package does not say it"""


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


def limits_of_a_run(package: Package, limit: TimeLimit | None, notes: list[str]) -> dict[str, Node]:
    """Write `limits`; adds to `notes` what has no counterpart, and where a measured limit comes from."""
    limits = as_mapping(package.problem.get("limits"))
    found: dict[str, str] = {}
    if limit:
        # Judges measure processor time, which a busy machine does not change; who sleeps is stopped later.
        found["cpu"] = f"{limit.seconds:g} s"
        found["time"] = f"{2 * limit.seconds + _EXTRA_SECONDS:g} s"
        notes += [limit.origin] if limit.origin else []
    else:
        problem = "the judge derives it from the accepted programs; here it is that of the language"
        notes.append(f"Time limit: {problem}. --measure runs these programs and derives it, too.")
    found["memory"] = f"{limits.get('memory', MEMORY_MIB)} MiB"
    if "output" in limits:
        found["output"] = f"{limits['output']} MiB"
    others = [key for key in limits if key not in {*_SIZES, *_TIMES, *BUILD_LIMITS, *VALIDATION}]
    if others:
        notes.append(f"Limits that have no counterpart: {', '.join(map(str, others))}.")
    return {"limits": table({key: plain(value) for key, value in found.items()})}


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
    multiplier = _multiplier(package)
    resolution = float(as_number(limits.get("time_resolution", 1)) or 1)
    seconds = max(1, math.ceil(round(slowest * multiplier / resolution, 6))) * resolution
    return TimeLimit(
        seconds=seconds,
        origin=(
            f"Time limit: {seconds:g} s, measured on this machine: of {count(len(measured), 'accepted program')} the "
            f"slowest, {program}, took {slowest:.2f} s, times {multiplier:g}, rounded up to {resolution:g} s."
        ),
    )


def _multiplier(package: Package) -> float:
    limits = as_mapping(package.problem.get("limits"))
    stated = as_mapping(limits.get("time_multipliers")).get("ac_to_time_limit", limits.get("time_multiplier"))
    return float(as_number(stated) or (5 if package.is_legacy else 2))


def _measure(root: Path, trial: Imported, package: Package) -> Iterator[tuple[float, str]]:
    """Yield the most processor time, in seconds, that each accepted program takes for an input, and its name."""
    for name in trial.specs:
        path = root / f"specs/{name}.yaml"
        samples = accepted_samples(root / f"sample_submissions/{name}")
        if not samples:
            continue
        course = prepare(path)
        for submission in samples:
            found = assess(Job(spec=path, submission=submission), course)
            if found.verdict != Verdict.PASSED:
                why = next(
                    filter(None, (one.message.text for test in found.tests for one in test.cases)), found.build.message
                )
                problem = f"the accepted program {submission.id} ({name}) is not accepted here"
                raise UsageError(f"{package.path}: no time limit can be measured: {problem}: {why or found.verdict}")
            times = [case.run.cpu for test in found.tests for case in test.cases if case.run]
            yield max(times, default=0.0), f"{submission.id} ({name})"
