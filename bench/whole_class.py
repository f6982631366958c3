"""What grading a class costs over the students' own builds and programs: part of `make bench`.

Forty submissions with 20 cases each, two at a time. The floor is `xargs -P2` over a shell script that copies a
submission into a fresh folder, builds it and starts the same commands, output to files, no sandbox. The floor and
`grader class --jobs 2 --fresh` take turns, and each round gives one ratio. Memory is the most that the grader itself
had resident, for a class of a thousand; an unchanged class is graded once more to see what that takes.
"""

import os
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from processes import ForeignLoad, must_run
from submission import CASES, ENVIRONMENT, GRADER, PYTHON, TRIVIAL, Subject, row, set_up, timed

SIZE = 40
ROUNDS = 3
TARGETS = {"java": 0.85, "python": 1.25}
MIB = 2**20


def lay_out(subject: Subject, folder: Path, size: int) -> Path:
    """Make a course root with `size` copies of one submission; return the folder of the submissions."""
    set_up(subject, folder)
    submissions = folder / subject.language
    submissions.mkdir()
    for number in range(size):
        shutil.copytree(folder / "alice", submissions / f"s{number:04}")
    return submissions


def floor(subject: Subject, submissions: Path) -> None:
    """Build and run everything bare, two submissions at a time."""
    commands = [f"{subject.build} >/dev/null 2>&1"] if subject.build else []
    commands += [f"{subject.program} {case} </dev/null >out 2>err" for case in CASES]
    script = "; ".join(["fresh=$(mktemp -d)", 'cp "$0"/* "$fresh"', 'cd "$fresh"', *commands, 'rm -r "$fresh"'])
    folders = "\n".join(map(str, sorted(submissions.iterdir())))
    must_run(["/usr/bin/xargs", "-P2", "-n1", "sh", "-c", script], given=folders.encode(), seconds=600)


def grade(folder: Path, submissions: Path, cache: Path, *options: str) -> None:
    """Run `grader class` as a course's CI does."""
    command = [str(GRADER), "class", "--jobs", "2", "--spec", f"specs/{submissions.name}.yaml", submissions.name]
    environment = {**ENVIRONMENT, "XDG_CACHE_HOME": str(cache)}
    must_run([*command, *options], cwd=folder, env=environment, seconds=900)


def measure(subject: Subject) -> None:
    """Take turns between the floor and the grader, and print their ratios."""
    with tempfile.TemporaryDirectory() as temporary:
        folder, cache = Path(temporary) / "course", Path(temporary) / "cache"
        submissions = lay_out(subject, folder, SIZE)
        floors, graders = [], []
        load = ForeignLoad()
        for _ in range(ROUNDS):
            floors.append(timed(lambda: floor(subject, submissions)))
            graders.append(timed(lambda: grade(folder, submissions, cache, "--fresh")))
        foreign = load.processors()
    row(f"{subject.language}: bare, xargs -P2, seconds", floors, None)
    row(f"{subject.language}: grader class, seconds", graders, None)
    ratios = [ours / theirs for ours, theirs in zip(graders, floors, strict=True)]
    row(f"{subject.language}: ratio", ratios, TARGETS[subject.language])
    row(f"{subject.language}: processors busy with other work", [foreign])


def unchanged(size: int, target: float) -> None:
    """Grade a class, and then once more with nothing changed."""
    with tempfile.TemporaryDirectory() as temporary:
        folder, cache = Path(temporary) / "course", Path(temporary) / "cache"
        submissions = lay_out(PYTHON, folder, size)
        grade(folder, submissions, cache)
        row(f"{size} unchanged, seconds", [timed(lambda: grade(folder, submissions, cache))], target)


def memory(size: int, target: float) -> None:
    """Grade a class in a process of its own, and print the most memory that it had, students' programs aside."""
    with tempfile.TemporaryDirectory() as temporary:
        folder, cache = Path(temporary) / "course", Path(temporary) / "cache"
        submissions = lay_out(PYTHON, folder, size)
        with tempfile.TemporaryFile() as told:
            measured = [sys.executable, __file__, str(folder), submissions.name]
            subprocess.run(
                measured, env={**ENVIRONMENT, "XDG_CACHE_HOME": str(cache)}, stdout=told, check=True, timeout=900
            )
            told.seek(0)
            peak = int(told.read()) / MIB
    row(f"{size} submissions, resident MiB", [peak], target)


def peak(folder: str, name: str) -> None:
    """Grade in this process, and print the most bytes that it had resident."""
    from grader.cli import cli  # noqa: PLC0415 - what is measured is imported where it is measured

    os.chdir(folder)
    cli.main(["class", "--jobs", "2", "--quiet", name], standalone_mode=False)
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)


def many(size: int, most: float | None = None) -> None:
    """Grade a great class of one trivial case each, and then once more with nothing changed."""
    with tempfile.TemporaryDirectory() as temporary:
        folder, cache = Path(temporary) / "course", Path(temporary) / "cache"
        set_up(TRIVIAL, folder)
        submissions = folder / TRIVIAL.language
        for number in range(size):
            one = submissions / f"s{number:05}"
            one.mkdir(parents=True)
            for path in (folder / "alice").iterdir():
                (one / path.name).hardlink_to(path)
        row(
            f"{size} trivial: milliseconds each", [1000 * timed(lambda: grade(folder, submissions, cache)) / size], None
        )
        row(f"{size} trivial, unchanged: seconds", [timed(lambda: grade(folder, submissions, cache))], most)
        for name in ("grades.db", "index.html", "junit.xml"):
            (file,) = (folder / "reports").glob(f"*/{name}")
            row(f"{size} trivial: MiB of {name}", [file.stat().st_size / MIB], None)


if __name__ == "__main__":
    peak(*sys.argv[1:])
