"""What is imported, by the names of modules: start-up is part of a student's wait, and a time would not hold it."""

import subprocess
import sys
from pathlib import Path

import pytest

from grader.cli import COMMANDS

PACKAGES = ("yaml", "rich", "jinja2", "msgspec", "pexpect", "junit_xml", "platformdirs", "distributed")
"""libraries that take time to import"""


def imported_by(*words: str) -> set[str]:
    code = (
        "import sys\n"
        f"sys.argv = ['grader', *{words!r}]\n"
        "from grader.cli import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "sys.stderr.write('\\n'.join(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    return set(done.stderr.split())


@pytest.mark.parametrize("words", [("--help",), ("run", "--help"), ("class", "--help")], ids=" ".join)
def test_help_needs_nothing_that_grades(words: tuple[str, ...]) -> None:
    modules = imported_by(*words)
    ours = {name for name in modules if name.startswith("grader.")}
    commands = {f"grader.cli.{place.partition('.')[0]}" for place in COMMANDS.values()}
    assert (
        {"grader.cli", "grader.cli.shared"}
        < ours
        <= {"grader.cli", "grader.cli.shared", "grader.errors", "grader.text", *commands}
    )
    assert modules.isdisjoint({*PACKAGES, "fractions", "json"})


def test_what_only_tells_of_results_is_not_imported_before_there_are_any(tmp_path: Path) -> None:
    (tmp_path / "specs").mkdir()
    (tmp_path / "alice").mkdir()
    modules = imported_by("run", str(tmp_path / "alice"), "--spec", str(tmp_path / "specs" / "none.yaml"))
    assert "grader.pipeline" in modules
    assert modules.isdisjoint({"rich", "jinja2", "junit_xml", "distributed", "pytest"})
    others = ("classroom", "gradebook", "exports", "imports", "verify", "lint", "author", "doctor")
    unwanted = [name for name in modules if name.startswith(tuple(f"grader.{other}" for other in others))]
    assert sorted(unwanted) == ["grader.classroom", "grader.classroom.names"]


def test_public_names_are_what_they_say_whatever_was_imported_before() -> None:
    code = (
        "import warnings; warnings.simplefilter('error')\n"
        "import grader, grader.load.files\n"
        "from grader import grade, load\n"
        "assert (load.__name__, grader.load, grade.__name__) == ('load', load, 'grade')\n"
        "assert grader.__version__ and grader.Judgement.__name__ == 'Judgement'\n"
    )
    subprocess.run([sys.executable, "-c", code], timeout=60, check=True, cwd=Path(__file__).parents[1])
