"""What unit tests cost over their framework alone, in processor time; part of `make bench`.

A file of 26 methods for unittest and one of 9 for JUnit: each method in a process of its own, all `together`, and by
the framework's own command. They take turns. Every method that passes is run again with an assertion turned round. For
Java all of them compile what was handed in and the test.

The time of children (getrusage(2)) has that of a sandbox, since the grader lets an idle one end and waits for it.
"""

import os
import resource
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from processes import must_run
from submission import ENVIRONMENT, GRADER, row

ROUNDS = int(os.environ.get("ROUNDS", "3"))
_CONSOLE = "/usr/share/java/junit-platform-console-standalone.jar"
_PYTHON_TEST = """\
import unittest
from bank import twice
class TestBank(unittest.TestCase):
"""
_JAVA_TEST = """\
import static org.junit.jupiter.api.Assertions.assertEquals;
import org.junit.jupiter.api.Test;
class BankTest {
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Suite:
    """A file of unit tests, with what passes them and the framework's own commands."""

    name: str
    spec: str
    """its `files`, `build`, `program` and language"""
    unit: str
    files: dict[str, str]
    commands: tuple[Sequence[str | Path], ...]
    """run where the submission is"""


UNITTEST = Suite(
    name="unittest, 26 methods",
    spec="language: python\nfiles: {required: [bank.py]}\nprogram: python3 bank.py\n",
    unit="unittest: tests/test_bank.py",
    files={
        "tests/test_bank.py": _PYTHON_TEST
        + "".join(f"    def test_{n}(self): self.assertEqual(twice({n}), {2 * n})\n" for n in range(26)),
        "alice/bank.py": "def twice(number): return 2 * number\n",
    },
    commands=(
        ("sh", "-c", "PYTHONPATH=../tests PYTHONDONTWRITEBYTECODE=1 exec /usr/bin/python3 -m unittest test_bank 2>&1"),
    ),
)
JUNIT = Suite(
    name="JUnit, 9 methods",
    spec=(
        "language: java\nfiles: {required: [Bank.java]}\nprogram: java Bank\n"
        'build: {run: javac Bank.java, produces: ["*.class"]}\n'
    ),
    unit="junit: tests/BankTest.java",
    files={
        "tests/BankTest.java": _JAVA_TEST
        + "".join(f"    @Test void twice{n}() {{ assertEquals({2 * n}, Bank.twice({n})); }}\n" for n in range(9))
        + "}\n",
        "alice/Bank.java": "public class Bank { static int twice(int number) { return 2 * number; } }\n",
    },
    commands=(
        ("javac", "-cp", _CONSOLE, "-d", "../made", "Bank.java", "../tests/BankTest.java"),
        ("java", "-jar", _CONSOLE, "-cp", "../made", "-c", "BankTest"),
    ),
)


def measure(suite: Suite) -> None:
    """Take turns between the framework alone, each method by itself, and all together."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for name, text in suite.files.items():
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_text(text)
        (folder / "specs").mkdir()
        for name, more in (("separate", ""), ("together", ", together: true")):
            head = f"spec: 1\nid: {name}\ntitle: Bench\n{suite.spec}tests:\n"
            (folder / f"specs/{name}.yaml").write_text(f"{head}  - {{name: all, unit: {{{suite.unit}{more}}}}}\n")
        works = {
            "the framework alone": partial(_run_alone, suite, folder),
            "separate": partial(_grade, "separate", folder),
            "together": partial(_grade, "together", folder),
        }
        for work in works.values():  # what is prepared once for a course
            work()
        rounds = [{name: _processor_seconds(work) for name, work in works.items()} for _ in range(ROUNDS)]
    for name in works:
        row(f"{suite.name}, {name}: processor seconds", [one[name] for one in rounds])
    for name in ("separate", "together"):
        row(f"{suite.name}, {name}: ratio", [one[name] / one["the framework alone"] for one in rounds])


def _run_alone(suite: Suite, folder: Path) -> None:
    for command in suite.commands:
        must_run(command, cwd=folder / "alice", env=ENVIRONMENT, seconds=300)


def _grade(spec: str, folder: Path) -> None:
    environment = {**ENVIRONMENT, "XDG_CACHE_HOME": str(folder / "cache")}
    must_run([GRADER, "run", "--spec", f"specs/{spec}.yaml", "alice"], cwd=folder, env=environment, seconds=300)


def _processor_seconds(work: Callable[[], object]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    work()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
