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

ROOT = Path(__file__).parent.parent
HERE = Path(__file__).parent
GRADER = Path(sys.executable).parent / "grader"
ROUNDS = 9
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
PYTHON: Any = {
    "language": "python",
    "files": (HERE / "programs" / "queens.py",),
    "build": "",
    "program": "/usr/bin/python3 queens.py",
}
SUBJECTS = (
    Subject(
        name="Java, 20 cases",
        language="java",
        files=(SAMPLE / "Makefile", SAMPLE / "Queens.java"),
        build="make",
        program="java -jar Queens",
        target=1.00,
    ),
    Subject(name="Python, 20 cases", target=1.35, **PYTHON),
    Subject(name="Python, 3 cases", cases=CASES[:3], most=0.20, **PYTHON),
)


def spec_for(subject: Subject) -> str:
    """Return a spec with the cases."""
    build = "build: {run: make, produces: [Queens]}\n" if subject.build else ""
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
        subprocess.run([program, fresh], input="\n".join(commands).encode(), check=True, timeout=300)


def grade(subject: Subject, folder: Path, cache: Path, *options: str) -> None:
    """Run `grader` as its users do, and hold it to full marks."""
    command = [str(GRADER), "run", *options, "--spec", f"specs/{subject.language}.yaml", "alice"]
    environment = {**ENVIRONMENT, "XDG_CACHE_HOME": str(cache)}
    subprocess.run(command, cwd=folder, env=environment, check=True, timeout=300, stdout=subprocess.DEVNULL)


def show_help() -> None:
    """Ask for help, as the first thing that a newcomer does."""
    subprocess.run([str(GRADER), "--help"], check=True, stdout=subprocess.DEVNULL, env=ENVIRONMENT)


def timed(work: Callable[[], object]) -> float:
    """Return the seconds that `work` takes."""
    before = time.perf_counter()
    work()
    return time.perf_counter() - before


def row(name: str, values: list[float], target: float | None, form: str) -> None:
    """Print one line of the table."""
    low, middle, high = min(values), statistics.median(values), max(values)
    wanted = "" if target is None else f"at most {target:{form}}  {'reached' if middle <= target else 'MISSED'}"
    print(f"{name:44} {low:7{form}} {middle:7{form}} {high:7{form}}   {wanted}")


def measure(subject: Subject, program: Path) -> None:
    """Take turns between the floor and the grader, and print their ratios."""
    with tempfile.TemporaryDirectory() as temporary:
        folder, cache = Path(temporary) / "course", Path(temporary) / "cache"
        set_up(subject, folder)
        first = timed(lambda: grade(subject, folder, cache))
        floor(subject, folder, program)
        floors, graders, singles = [], [], []
        for _ in range(ROUNDS):
            floors.append(timed(lambda: floor(subject, folder, program)))
            graders.append(timed(lambda: grade(subject, folder, cache)))
            singles.append(timed(lambda: grade(subject, folder, cache, "--jobs", "1")))
    row(f"{subject.name}: the floor, seconds", floors, None, ".3f")
    row(f"{subject.name}: grader, seconds", graders, subject.most, ".3f")
    row(f"{subject.name}: grader, first time, seconds", [first], None, ".3f")
    for name, ours, target in (("ratio", graders, subject.target), ("ratio, one job", singles, None)):
        row(f"{subject.name}: {name}", [a / b for a, b in zip(ours, floors, strict=True)], target, ".2f")


def main() -> None:
    """Print the table."""
    print(f"{ROUNDS} rounds, sandbox on, {len(os.sched_getaffinity(0))} processors\n")
    print(f"{'':44} {'min':>7} {'median':>7} {'max':>7}")
    with tempfile.TemporaryDirectory() as temporary:
        program = Path(temporary) / "floor"
        subprocess.run(["/usr/bin/gcc", "-O2", "-o", program, HERE / "floor.c"], check=True)
        for subject in SUBJECTS:
            measure(subject, program)
    helps = [timed(show_help) for _ in range(ROUNDS)]
    row("grader --help, seconds", helps, 0.07, ".3f")


if __name__ == "__main__":
    main()
