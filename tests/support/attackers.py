"""Classes of attackers: what each needs, what each of its members may get, and how a class is graded and looked into.

`attacks/CLASS.yaml` is a spec, `attacks/CLASS/NAME/` is what is handed in, and `attacks/CLASS.course/`, if there is
one, lies beside the specs (hidden tests, references). Comments in the spec's first lines say what holds for the class:

    # Levels: full              (without it: full, container)
    # Needs: make, gcc          programs of /usr/bin beside those of the spec's `language`
    # Heavy: compiles for long  `make attacks` runs it, `make test-slow` does not
"""

import csv
import io
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

from lxml import etree

from grader.core.text import show
from tests.support.attack_room import ATTACKS, SECRET, AttackRoom
from tests.support.attack_table import MADE, Promise
from tests.support.languages import IN_CI, TOOLCHAINS
from tests.support.sampled import in_sample

ROOT = Path(__file__).parents[2]
LEVELS = ("full", "container")
MAX_SECONDS = 1800
"""for one class; a light one takes some 20 where nothing else runs"""
_PROMISE = re.compile(
    r"^(?:#|//|--|;|%|!|\(\*) Tries to (.+)\. Safe: (\d+(?: or \d+)*|ungraded), ([a-z-]+(?: or [a-z-]+)*)\.(?: \*\))?$"
)
_ABOUT = re.compile(r"^# (Levels|Needs|Heavy): (.+)$", re.MULTILINE)
_LANGUAGE = re.compile(r"^language: (\w+)$", re.MULTILINE)
_CONTROL = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\xaa-\xae]|\xe2\x81[\xa6-\xa9]")
HARM = re.compile(r"harm: \S")


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackClass:
    """A class as its spec describes it."""

    name: str
    language: str | None
    levels: tuple[str, ...]
    needs: tuple[str, ...]
    """programs"""
    heavy: bool

    def missing(self) -> list[str]:
        """Return the programs that this machine lacks."""
        return [name for name in self.needs if shutil.which(name, path="/usr/bin:/bin") is None]

    def may_skip(self) -> bool:
        """Whether its programs may be missing: they are, and no CI of ours has to have them."""
        required = "CI" in os.environ and (self.language is None or self.language in IN_CI)
        return bool(self.missing()) and not required


@dataclass(frozen=True, slots=True, kw_only=True)
class GradedClass:
    """What came of a class."""

    name: str
    said: str
    out: Path
    seconds: float


def attack_class(name: str) -> AttackClass:
    """Read what the spec of a class says of it."""
    text = (ATTACKS / f"{name}.yaml").read_text()
    about: dict[str, str] = dict(_ABOUT.findall(text))
    language = found[1] if (found := _LANGUAGE.search(text)) else None
    tool = [TOOLCHAINS[language].version[0]] if language in TOOLCHAINS else []
    return AttackClass(
        name=name,
        language=language,
        levels=tuple(about.get("Levels", ", ".join(LEVELS)).split(", ")),
        needs=(*tool, *(about["Needs"].split(", ") if "Needs" in about else ())),
        heavy="Heavy" in about,
    )


def attack_classes() -> list[AttackClass]:
    """Return all: shell first, which takes longest."""
    names = sorted((path.stem for path in ATTACKS.glob("*.yaml")), key=lambda name: (name != "shell", name))
    return [attack_class(name) for name in names]


def promise_of(folder: Path) -> Promise:
    """Return what a safe grader shows for a folder, as the first line of one of its files says."""
    if folder.name.startswith("honest"):
        return Promise(tries="do the work", points=(10,), verdicts=("passed",))
    for path in sorted(path for path in folder.iterdir() if path.is_file()):
        if found := _PROMISE.match(path.read_bytes().split(b"\n")[0].decode(errors="replace")):
            points = (None,) if found[2] == "ungraded" else tuple(map(int, found[2].split(" or ")))
            return Promise(tries=found[1], points=points, verdicts=tuple(found[3].split(" or ")))
    raise AssertionError(f"{folder} does not say what it tries")


def promises(name: str) -> dict[str, Promise]:
    """Return what a safe grader shows for each member of a class."""
    made = {member_name(name): promise for name, (_, promise) in MADE.items()}
    stored = {folder.name: promise_of(folder) for folder in (ATTACKS / name).iterdir()}
    return {**stored, **(made if name == "shell" else {})}


def member_name(file_name: str) -> str:
    """Return the name of a member of a class, by what is handed in."""
    return show(file_name).removesuffix(".zip").removesuffix(".tar.gz")


def leave_out(room: AttackRoom, name: str, kinds: Counter[str]) -> set[str]:
    """Remove most members of a class; returns their names.

    Of each kind, which is the first word of a name, the first of all classes stays and each fifth of the others.
    `kinds` counts those of the classes before. Honest members are a kind of their own in each class.
    """
    removed: set[str] = set()
    for path in sorted((room.folder / "course" / name).iterdir()):
        word = member_name(path.name).partition("-")[0]
        kind = f"{name}/{word}" if word == "honest" else word
        if not in_sample(kinds[kind], 5):
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
            removed.add(member_name(path.name))
        kinds[kind] += 1
    return removed


# ---------------------------------------------------------------- grading


def grade_class(room: AttackRoom, name: str, level: str) -> GradedClass:
    """Grade a class as an instructor does; AssertionError where the grader itself fails."""
    out = room.folder / "out" / f"{name}-{level}"
    command = [sys.executable, "-P", "-m", "grader", "class", name, "--spec", f"specs/{name}.yaml"]
    begun = time.monotonic()
    done = subprocess.run(
        [*command, "--sandbox", level, "--out", str(out)],
        cwd=room.folder / "course",
        env={
            **{name: value for name, value in os.environ.items() if not name.startswith("XDG_")},
            "PYTHONPATH": os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]),
            "PYTHONDONTWRITEBYTECODE": "1",
            "HOME": str(room.folder / "home"),
            "SECRET": SECRET,
        },
        capture_output=True,
        timeout=MAX_SECONDS,
        check=False,
    )
    ungraded = any("ungraded" in promise.verdicts for promise in promises(name).values())
    said = done.stdout + done.stderr
    may_be_ungraded = ungraded and bool(shown(out))  # without a report the class was refused, which has the same code
    assert done.returncode in ((0, 3) if may_be_ungraded else (0,)), said[-4000:].decode(errors="replace")
    assert not _CONTROL.search(said), _CONTROL.findall(said)
    return GradedClass(name=name, said=said.decode(), out=out, seconds=time.monotonic() - begun)


def grade_classes(room: AttackRoom, jobs: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str, GradedClass | str]]:
    """Grade classes, each at a level, two at once: one ends with few who wait for their limits. Yield each as it ends.

    What the grader said stands for a class that it could not grade.
    """

    def grade(name: str, level: str) -> tuple[str, str, GradedClass | str]:
        try:
            return name, level, grade_class(room, name, level)
        except (AssertionError, subprocess.TimeoutExpired) as error:
            return name, level, str(error) or "failed"

    with ThreadPoolExecutor(2) as pool:
        for done in as_completed([pool.submit(grade, *job) for job in jobs]):
            yield done.result()


# ---------------------------------------------------------------- what came of it


def changes(before: dict[str, object], after: dict[str, object]) -> list[str]:
    """Return what of a room is not as it was."""
    names = sorted(name for name in before | after if before.get(name) != after.get(name))
    return [f"{name}: was {before.get(name)!r}, is {after.get(name)!r}" for name in names]


def shown(out: Path) -> dict[str, tuple[float | None, tuple[str, ...], str]]:
    """Return what each report says: the score, the verdict of each test, and the whole of its text."""
    found = {}
    for path in out.glob("*/report.json"):
        text = path.read_text(encoding="utf-8")
        report = json.loads(text)
        found[report["submission"]["id"]] = (report["score"], tuple(t["verdict"] for t in report["tests"]), text)
    return found


def faults(graded: GradedClass, left_out: Collection[str] = ()) -> list[str]:
    """Return each member that got something else than promised or says of harm, each secret told, each unsound file."""
    wanted, got = promises(graded.name), shown(graded.out)
    wanted = {name: promise for name, promise in wanted.items() if name not in left_out}
    found = [f"{graded.name}/{name}: has no report" for name in wanted.keys() - got.keys()]
    found += [f"{graded.name}/{name}: nobody handed it in" for name in got.keys() - wanted.keys()]
    for name in sorted(wanted.keys() & got.keys()):
        score, verdicts, text = got[name]
        promise = wanted[name]
        if score not in promise.points or not set(verdicts) <= set(promise.verdicts):
            found.append(f"{graded.name}/{name}: {score}, {verdicts}; promised: {promise.points}, {promise.verdicts}")
        if HARM.search(text):
            found.append(f"{graded.name}/{name}: says of harm")
        passed = [test["name"] for test in json.loads(text)["tests"] if test["verdict"] == "passed"]
        if not name.startswith("honest") and any(test.startswith("wrong") for test in passed):
            found.append(f"{graded.name}/{name}: passed {passed}, and its answers are wrong in some of these")
    if SECRET in graded.said:
        found.append(f"{graded.name}: the secret is printed")
    return sorted(found) + [f"{graded.name}: {fault}" for fault in _unsound_files(graded.out)]


def _unsound_files(out: Path) -> Iterator[str]:
    schema = etree.XMLSchema(etree.parse(ROOT / "tests" / "jenkins-junit.xsd"))
    for path in out.rglob("*"):
        if not path.is_file() or path.name.startswith("grades.db"):
            continue
        data = path.read_bytes().replace(b"\r\n", b"\n")
        if SECRET.encode() in data:
            yield f"{path} tells the secret"
        if _CONTROL.search(data):
            yield f"{path} has control characters: {_CONTROL.findall(data)}"
        try:
            if path.suffix == ".xml":
                schema.assertValid(etree.fromstring(data))
            if path.suffix == ".json":
                json.loads(data)
        except (etree.Error, ValueError) as error:
            yield f"{path}: {error}"
        if path.suffix == ".csv":
            cells = [cell for row in csv.reader(io.StringIO(data.decode())) for cell in row]
            yield from (f"{path}: {cell!r} is a formula" for cell in cells if cell.startswith(tuple("=+@")))
