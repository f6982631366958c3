"""A class of any size from the samples: `python -m tests.support.make_class FOLDER mit-eight-queens 300 [SEED]`.

The same seed makes the same class. Most hand in a folder, some a zip or a tar.gz, some twice; a few of the roster hand
in nothing. Who got which sample is in `truth.json`.
"""

import csv
import json
import random
import shutil
import sys
import tarfile
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
FIRST = ("Ada", "Ben", "Chloé", "Dario", "Elif", "Femi", "Greta", "Hana", "Ivo", "Jun", "Kofi", "Lea", "Mei", "Noor")
LAST = (
    *("Abara", "Berg", "Costa", "Dąbrowski", "Eze", "Fuchs", "Garcia", "Horvat"),
    *("Ito", "Jensen", "Kaya", "Li", "Müller"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Class:
    """A generated class."""

    spec: Path
    submissions: Path
    roster: Path
    truth: dict[str, str]
    """a student's id -> the sample that was handed in, or `` for nothing"""


def make_class(folder: Path, spec: str, size: int, seed: int = 1) -> Class:
    """Make a course root in `folder`."""
    dice = random.Random(seed)  # noqa: S311 - the same class each time
    path = folder / "specs" / f"{spec}.yaml"
    path.parent.mkdir(parents=True)
    shutil.copy(ROOT / "specs" / path.name, path)
    shutil.copytree(ROOT / "reference", folder / "reference", ignore=shutil.ignore_patterns("__pycache__"))
    samples = sorted(p for p in (ROOT / "sample_submissions" / spec).iterdir() if p.is_dir())
    submissions = folder / "submissions"
    submissions.mkdir()
    people = [_person(dice, number) for number in range(size)]
    truth = {person["id"]: _hand_in(dice, submissions, person["id"], samples) for person in people}
    roster = folder / "roster.csv"
    with roster.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(people[0]))
        writer.writeheader()
        writer.writerows(people)
    (folder / "truth.json").write_text(json.dumps(truth, indent=1))
    return Class(spec=path, submissions=submissions, roster=roster, truth=truth)


def _person(dice: random.Random, number: int) -> dict[str, str]:
    first, last = dice.choice(FIRST), dice.choice(LAST)
    name = f"s{number:04}"
    return {"id": name, "name": f"{last}, {first}", "email": f"{name}@example.org", "section": dice.choice("ABC")}


def _hand_in(dice: random.Random, submissions: Path, name: str, samples: Sequence[Path]) -> str:
    if dice.random() < 0.02:
        return ""
    sample = dice.choice([samples[0], *samples])
    way = dice.random()
    if way < 0.7:
        shutil.copytree(sample, submissions / name)
    elif way < 0.85:
        _zip(submissions / f"{name}.zip", sample)
    elif way < 0.95:
        with tarfile.open(submissions / f"{name}.tar.gz", "w:gz") as archive:
            archive.add(sample, arcname=".")
    else:
        number = dice.randrange(10**5)
        _zip(submissions / f"{name}_{number}_attempt_1.zip", dice.choice(samples))
        _zip(submissions / f"{name}_{number}_attempt_2.zip", sample)
    return sample.name


def _zip(path: Path, sample: Path) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(sample.rglob("*")):
            archive.write(file, file.relative_to(sample))


if __name__ == "__main__":
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    made = make_class(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), seed)
    sys.stdout.write(f"{made.submissions}: {len(made.truth)} students\n")
