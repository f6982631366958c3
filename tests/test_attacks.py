"""Classes of attackers, graded as any class is, at both levels that hold: they get nothing, and nobody else is hurt.

The first line of one of the files that a member hands in says what is tried and what a safe grader shows for it: the
points (or `ungraded`), and the verdict of its test. An attack that has what it wanted says so by `harm:`; whatever lies
in the room around it holds a secret that no report may tell, and must be as it was. Each ends by itself after some
seconds. `tests/support/attackers.py` says how a class is described; `make attacks` runs all of them, as root and as a
plain user.
"""

import os
import shutil
import subprocess
import sys
from collections import Counter

import pytest

from tests.support.attack_room import ATTACKS, SECRET, an_attack_room
from tests.support.attack_table import MADE
from tests.support.attackers import (
    HARM,
    LEVELS,
    ROOT,
    GradedClass,
    attack_class,
    attack_classes,
    changes,
    faults,
    grade_class,
    grade_classes,
    leave_out,
    promise_of,
    promises,
    shown,
)
from tests.support.languages import IN_CI, TOOLCHAINS

CLASSES = attack_classes()
MIN_ATTACKS = 580
"""at each level, in all classes together"""
MIN_HOSTILE, MIN_HONEST = 20, 5
"""in the class of each language"""


def test_there_are_attacks_enough() -> None:
    for level in LEVELS:
        folders = [folder for each in CLASSES if level in each.levels for folder in (ATTACKS / each.name).iterdir()]
        assert sum(not folder.name.startswith("honest") for folder in folders) + len(MADE) >= MIN_ATTACKS
        assert len({promise_of(folder).tries for folder in folders}) >= 350


@pytest.mark.parametrize("name", [each.name for each in CLASSES if each.name in TOOLCHAINS or each.name == "make"])
def test_the_class_of_each_language_has_hostile_and_honest_members(name: str) -> None:
    names = [folder.name for folder in (ATTACKS / name).iterdir()]
    honest = sum(name.startswith("honest") for name in names)
    assert (honest >= MIN_HONEST, len(names) - honest >= MIN_HOSTILE) == (True, True), (honest, len(names))


def test_what_a_class_says_of_itself_is_known() -> None:
    for each in CLASSES:
        assert set(each.levels) <= set(LEVELS), each
        assert all(name.isascii() and " " not in name for name in each.needs), each
        assert each.name not in TOOLCHAINS or each.language == each.name, each


@pytest.mark.parametrize("name", [each.name for each in CLASSES if not each.heavy])
def test_a_class_of_ci_has_its_tools(name: str) -> None:
    """A missing compiler is a skipped class on a laptop, which is seen here, and a failure in CI."""
    each = attack_class(name)
    if each.may_skip():
        pytest.skip(f"needs {', '.join(each.missing())}")
    assert each.missing() == []
    assert each.language is None or each.language in IN_CI


GRADED_HERE = [
    ("c", "container"),  # where one program runs at a time: it takes as long as half of the others
    ("functions", "container"),
    *((name, "full") for name in ("java", "shell", "python", "c", "hidden", "rules")),
]
"""those of which CI grades a part, what takes long first; `make attacks` grades all, as root and as a plain user"""


@pytest.mark.load
@pytest.mark.timeout(3600)
def test_they_get_what_they_deserve_and_change_nothing() -> None:
    """One test for all: each class is graded once, and those of one level beside those of the other."""
    levels = LEVELS if os.geteuid() == 0 else ("full",)  # only root has the other
    jobs = [(name, level) for name, level in GRADED_HERE if level in levels and not attack_class(name).may_skip()]
    assert {level for _, level in jobs} == {*levels}
    names = sorted(dict.fromkeys(name for name, _ in jobs), key="java".__eq__)  # last: its members take longest
    kinds: Counter[str] = Counter()
    with an_attack_room(names) as room:
        left_out = {name: leave_out(room, name, kinds) for name in names}
        before = room.state()
        graded = list(grade_classes(room, jobs))
        found = changes(before, room.state())
        for name, level, done in graded:
            told = faults(done, left_out[name]) if isinstance(done, GradedClass) else [f"{name}: {done}"]
            found += [f"{level}: {fault}" for fault in told]
    assert found == []


BITE = {
    "shell": ("read-spec", "read-reference", "read-others", "read-home", "link-then-read", "proc-environ", "read-etc"),
    "python": ("tcp-loopback", "abstract-socket", "unix-socket", "inotify"),
}
"""those that can do no harm to the machine where nothing holds them"""


@pytest.mark.timeout(300)
@pytest.mark.parametrize("language", BITE)
def test_they_bite_where_nothing_holds_them(language: str) -> None:
    with an_attack_room([language]) as room:
        for folder in list((room.folder / "course" / language).iterdir()):
            if folder.name not in (*BITE[language], "honest"):
                shutil.rmtree(folder) if folder.is_dir() else folder.unlink()
        got = shown(grade_class(room, language, "none").out)
    assert {name for name in BITE[language] if not (HARM.search(got[name][2]) or SECRET in got[name][2])} == set()


@pytest.mark.timeout(300)
def test_all_attacks_are_run_by_a_command_that_fails_with_what_is_not_held() -> None:
    """A class whose promises are wrong is not held, and the command says so."""
    command = [sys.executable, "-P", "-m", "tests.support.all_attacks", "--as-is", "--level", "full"]

    def run(*names: str) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        return subprocess.run([*command, *names], env=environment, capture_output=True, text=True, check=False)

    done = run("functions")
    assert done.returncode == 0, done
    assert f"functions: held, {len(promises('functions'))} submissions" in done.stdout
    done = run("nothing-of-the-kind")
    assert (done.returncode, "there is no class" in done.stderr) == (2, True)
