"""What grading costs over the students' own programs: `make bench`.

One submission with 20 cases, in Java and in Python, and one with three, where what is done once is most of it. The
floor is a small C program that starts the same commands with posix_spawn, one after the other, output to files, no
sandbox; building is part of both. The floor and `grader run` take turns, with two cases at a time as its users have it
and with `--jobs 1`, and each round gives one ratio, so that a busy machine slows all of them. The reference has been
asked before, as it has for all but the first submission of a class; a row says what the first one costs.
"""

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from peers import peers
from processes import ForeignLoad, must_run

ROOT = Path(__file__).parent.parent
HERE = Path(__file__).parent
GRADER = Path(sys.executable).parent / "grader"
ROUNDS = int(os.environ.get("ROUNDS", "9"))
# A user's, without settings of a developer's that would have Python compile us anew at each start.
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
BAD = ("", "blah", "-v", "-v blah", "blah 4")
CASES = (*BAD, *(str(n) for n in range(1, 11)), *(f"-v {n}" for n in range(4, 9)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """A language: its submission, its cases, and what the floor starts for them."""

    name: str
    language: str
    cases: tuple[str, ...] = CASES
    files: tuple[Path, ...]
    build: str
    program: str
    target: float | None = None
    """of the ratio"""
    most: float | None = None
    """seconds"""


SAMPLE = ROOT / "sample_submissions" / "cmps12b-pa2" / "alice"
_IN_PYTHON: Any = {
    "language": "python",
    "files": (HERE / "programs" / "queens.py",),
    "build": "",
    "program": "/usr/bin/python3 queens.py",
}
JAVA = Subject(
    name="Java, 20 cases",
    language="java",
    files=(SAMPLE / "Makefile", SAMPLE / "Queens.java"),
    build="make",
    program="java -jar Queens",
    target=1.00,
)
PYTHON = Subject(name="Python, 20 cases", target=1.35, **_IN_PYTHON)
SMALL_GROUP = Subject(name="Python, 3 cases", cases=CASES[:3], most=0.20, **_IN_PYTHON)
TRIVIAL = Subject(name="Python, one trivial case", cases=("1",), **_IN_PYTHON)
CPP = Subject(
    name="C++, 10 cases",
    language="cpp",
    cases=CASES[5:15],
    files=(HERE / "programs" / "queens.cpp",),
    build="g++ -O1 -o queens queens.cpp",
    program="./queens",
)


def spec_for(subject: Subject) -> str:
    """Return a spec with the cases."""
    made = {"make": "Queens"}.get(subject.build, "queens")
    build = f"build: {{run: {subject.build}, produces: [{made}]}}\n" if subject.build else ""
    cases = "".join(f"      - args: [{', '.join(map(repr, case.split()))}]\n" for case in subject.cases)
    return (
        f"spec: 1\nid: {subject.language}\ntitle: Bench\nlanguage: {subject.language}\n{build}"
        f"program: {subject.program}\nreference: python3 reference/cmps12b_pa2.py\n"
        f"tests:\n  - name: all\n    cases:\n{cases}    expect: reference\n"
    )


def set_up(subject: Subject, folder: Path) -> None:
    """Make a course root with one submission."""
    submission = folder / "alice"
    submission.mkdir(parents=True)
    for path in subject.files:
        shutil.copy(path, submission)
    (folder / "specs").mkdir()
    (folder / "specs" / f"{subject.language}.yaml").write_text(spec_for(subject))
    shutil.copytree(ROOT / "reference", folder / "reference", ignore=shutil.ignore_patterns("__pycache__"))


def floor(subject: Subject, folder: Path, program: Path) -> None:
    """Run the commands bare, in a fresh copy of the submission."""
    with tempfile.TemporaryDirectory() as fresh:
        for path in (folder / "alice").iterdir():
            shutil.copy(path, fresh)
        commands = [subject.build, *(f"{subject.program} {case}" for case in subject.cases)]
        must_run([program, fresh], given="\n".join(commands).encode(), seconds=300)


def grade(subject: Subject, folder: Path, cache: Path, *options: str) -> None:
    """Run `grader` as its users do, and hold it to full marks."""
    command = [str(GRADER), "run", *options, "--spec", f"specs/{subject.language}.yaml", "alice"]
    environment = {**ENVIRONMENT, "XDG_CACHE_HOME": str(cache)}
    must_run(command, cwd=folder, env=environment, seconds=300)


def show_help() -> None:
    """Ask for help, as the first thing that a newcomer does."""
    must_run([GRADER, "--help"], env=ENVIRONMENT, seconds=60)


def timed(work: Callable[[], object]) -> float:
    """Return the seconds that `work` takes."""
    before = time.perf_counter()
    work()
    return time.perf_counter() - before


def row(name: str, values: list[float], target: float | None = None) -> None:
    """Print one line of the table."""
    low, middle, high = min(values), statistics.median(values), max(values)
    form = ".3f" if high < 1 else ".2f"
    wanted = "" if target is None else f"at most {target:g}  {'reached' if middle <= target else 'MISSED'}"
    print(f"{name:56} {low:7{form}} {middle:7{form}} {high:7{form}}   {wanted}", flush=True)


def measure(subject: Subject) -> None:
    """Take turns between the floor, the grader and the peers, and print their ratios."""
    with tempfile.TemporaryDirectory() as temporary:
        folder, cache, program = (Path(temporary) / name for name in ("course", "cache", "floor"))
        subprocess.run(["/usr/bin/gcc", "-O2", "-o", program, HERE / "floor.c"], check=True)
        set_up(subject, folder)
        first = timed(lambda: grade(subject, folder, cache))
        others = peers(subject.program, subject.build, subject.cases, folder / "alice", Path(temporary) / "peers")
        works: dict[str, Callable[[], None]] = {
            "the floor": lambda: floor(subject, folder, program),
            "grader": lambda: grade(subject, folder, cache),
            "grader, one job": lambda: grade(subject, folder, cache, "--jobs", "1"),
            **others,
        }
        works["the floor"]()
        taken: dict[str, list[float]] = {name: [] for name in works}
        load = ForeignLoad()
        for _ in range(ROUNDS):
            for name, work in works.items():
                taken[name].append(timed(work))
        foreign = load.processors()
    row(f"{subject.name}: the floor, seconds", taken["the floor"])
    row(f"{subject.name}: grader, seconds", taken["grader"], subject.most)
    row(f"{subject.name}: grader, first time, seconds", [first])
    for name in list(works)[1:]:
        ratios = [ours / bare for ours, bare in zip(taken[name], taken["the floor"], strict=True)]
        row(f"{subject.name}: ratio, {name}", ratios, subject.target if name == "grader" else None)
    row(f"{subject.name}: processors busy with other work", [foreign])


def measure_help() -> None:
    """Time what a newcomer asks first."""
    row("grader --help, seconds", [timed(show_help) for _ in range(ROUNDS)], 0.07)
