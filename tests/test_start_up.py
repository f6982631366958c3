"""What is imported, by the names of modules: start-up is part of a student's wait, and a time would not hold it."""

import ast
import json
import os
import subprocess
import sys
from pathlib import Path
from tempfile import gettempdir
from typing import Any

import pytest

from grader.cli import COMMANDS, lazy
from grader.core.kind import KINDS
from grader.core.sandbox.compile_starter import COMPILER_OPTIONS, STARTER_SOURCE, place_in_package
from tests.support.packages import lay
from tests.support.rows import each_row, read_data

PACKAGES = ("yaml", "rich", "jinja2", "msgspec", "pexpect", "markdown_it", "distributed")
"""libraries that take time to import"""
UNUSED = ("dataclasses", "fractions", "json", "logging", "statistics", "secrets")
CORE = ("grader.core", "grader.core.errors", "grader.core.model")
"""what no command does without"""


def run_code(code: str, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", code, *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)


def imported_by(*words: str) -> set[str]:
    return set(run_code(DATA["NAMES_MODULES"], *words).stderr.split())


def test_a_mistyped_submission_starts_no_sandbox() -> None:
    assert [name for name in imported_by("run", "nobody") if name.startswith("grader.core.sandbox")] == []


@pytest.mark.parametrize("words", [("--help",), ("run", "--help"), ("class", "--help")], ids=" ".join)
def test_help_needs_nothing_that_grades(words: tuple[str, ...]) -> None:
    modules = imported_by(*words)
    ours = {name for name in modules if name.startswith("grader.")}
    asked = {f"grader.cli.{COMMANDS[word][0]}" for word in words if word in COMMANDS}
    shared = {"grader.cli.lazy", "grader.cli.shared", "grader.core.text", "grader.core.lazy"} if asked else set[str]()
    assert {"grader.cli"} < ours <= {"grader.cli", *CORE, *shared, *asked}
    assert modules.isdisjoint({*PACKAGES, *UNUSED})
    # click imports it, and hardly uses it: for the default values that the help of a command shows.
    assert asked or modules.isdisjoint({"inspect", "ast"})


def test_click_cleans_the_texts_of_other_programs_too_as_inspect_does() -> None:
    run_code(DATA["CLEANS_TEXTS"].replace("TEXTS", repr(DATA["TEXTS"])))


def test_the_oldest_click_that_is_allowed_is_enough_for_each_command() -> None:
    code = "import click\nclick.ParamType = type('ParamType', (), {})\n"  # as it was: no generic class
    code += "\n".join(f"import grader.cli.{module}" for module, _ in COMMANDS.values())
    subprocess.run([sys.executable, "-W", "error", "-c", code], timeout=60, check=True)


def test_the_lazy_modules_are_those_that_type_checkers_know() -> None:
    (block,) = [node for node in ast.parse(Path(lazy.__file__).read_text()).body if isinstance(node, ast.If)]
    imports = [node for node in block.body if isinstance(node, ast.ImportFrom)]
    known = {alias.name: node.module for node in imports for alias in node.names if alias.name.islower()}
    assert known == lazy._HOMES
    assert not hasattr(lazy, "nothing")
    assert [name for name in known if getattr(lazy, name).__name__ != f"{known[name]}.{name}"] == []


def test_the_list_of_commands_says_a_sentence_of_each_that_fits_its_line() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "grader", "-h"], capture_output=True, text=True, timeout=60, check=True
    )
    lines = {tuple(line.split(maxsplit=1)) for line in done.stdout.splitlines()}
    assert lines >= {(name, sentence) for name, (_, sentence) in COMMANDS.items()}


def test_reading_a_spec_needs_no_sandbox() -> None:
    done = run_code("import sys, grader.core.reader.spec\nprint(*sys.modules)")
    assert [name for name in done.stdout.split() if name.startswith("grader.core.sandbox")] == []


def test_what_only_tells_of_results_is_not_imported_before_there_are_any(tmp_path: Path) -> None:
    lay(tmp_path, {"specs/wrong.yaml": "spec: 0\n", "alice/echo.sh": ""})
    modules = imported_by("run", str(tmp_path / "alice"), "--spec", str(tmp_path / "specs" / "wrong.yaml"))
    assert "grader.core.pipeline" in modules
    assert modules.isdisjoint({"rich", "jinja2", "markdown_it", "distributed", "pytest", "tarfile"})
    others = ("people", "decisions", "results", "grading_class", "exports", "imports", "check", "author", "doctor")
    unwanted = [name for name in modules if name.startswith(tuple(f"grader.{other}" for other in others))]
    assert unwanted == []
    # Each of these takes as long to import as a small program to run, and there is a plainer way.
    assert modules.isdisjoint({"concurrent.futures", "logging", "dataclasses"})


MAX_OWN_MODULES, MAX_MODULES = 77, 230
"""that a run imports: of ours, and in all, where only what it needs is installed"""
TOLD_AT_THE_END = ("xml.etree.ElementTree", "markupsafe")
"""libraries that only tell of results"""
READERS_OF_TESTS = [f"{kind.room}.language" for kind in KINDS.values() if kind.read_test]
"""modules that read all cases of a test"""
DATA = read_data(__file__)
SLOW_TO_IMPORT = DATA["SLOW_TO_IMPORT"]
"""what no run imports that needs nothing special: each takes as long as a small program"""
JUDGING = tuple(DATA["JUDGING"])
"""what is needed when a first program has ended"""
PASSED_ON = ("re/__init__.py", "re/_compiler.py", "grader/core/lazy.py")
"""whose functions compile what somebody else wrote"""
CONSTANTS = f"TOLD_AT_THE_END, JUDGING, PASSED_ON = {TOLD_AT_THE_END}, {JUDGING}, {PASSED_ON}\n"
WATCHED_RUN = CONSTANTS + DATA["WATCHED_RUN"]
ECHO = DATA["ECHO"]


@pytest.mark.slow
def test_no_case_costs_a_bubblewrap_and_the_first_waits_for_nothing_that_tells_of_results(tmp_path: Path) -> None:
    program = 'echo "$@"\n'
    lay(tmp_path, {"specs/echo.yaml": ECHO, "reference/echo.sh": program, "alice/echo.sh": program})
    first, second = (watched_run(tmp_path) for _ in range(2))
    # The first time the reference is asked as well.
    trial_and_cases = 1 + 3
    assert len(first["started"]) >= trial_and_cases + 3
    assert len(second["started"]) == trial_and_cases
    assert 1 <= len(second["bubblewraps"]) <= 1 + 2, "two cases at a time, and the next one"
    assert not second["bubblewraps"][0], "it comes up while what grades is imported"
    assert set(second["waiting"]) == {-1}, "they end while the report is written"
    first_case = second["started"][1]
    assert first_case["waited_for"] == []
    assert not first_case["is_ready"], "what writes reports is imported while the first program runs"
    # Of our patterns none is compiled that nobody has used: these see to the sandbox and to what was handed in.
    used = {"build.layout", "sandbox.outer", "sandbox.cgroup", "sandbox.self_test"}
    assert {name.removeprefix("grader.core.") for name in first_case["patterns"] if name.startswith("grader.")} <= used
    assert [Path(name).name for name in first["parsed"]] == ["toolchains.yaml", "echo.yaml"]
    # Whoever reads a spec imports the readers of kinds of cases only for the kinds that it names.
    assert [name for name in first["modules"] if name in READERS_OF_TESTS] == []
    # Of what has not changed nothing is read anew, and nothing imported that could.
    assert second["parsed"] == []
    readers = {"spec", "language", "expectation", "functions", "work", "files"}
    assert set(second["modules"]).isdisjoint({"yaml", *(f"grader.core.reader.{name}" for name in readers)})
    # Without a hint nothing reads Markdown, and without an ampersand nothing decodes HTML.
    assert {"markdown_it", "html", "html.entities", "secrets"}.isdisjoint(second["modules"])
    # Each of our own modules takes a quarter of a millisecond; a kind that no case has is not even asked.
    ours = {name for name in second["modules"] if name.startswith("grader.")}
    assert len(ours) <= MAX_OWN_MODULES
    assert len(second["modules"]) <= MAX_MODULES
    unused = ("dialogue", "unit_tests", "reported_tests", "student_tests", "source_rules", "style", "memory_clean")
    assert [name for name in ours if name.startswith(tuple(f"grader.kinds.{kind}" for kind in unused))] == []
    # The screen, the page and the files are written without the libraries that take the longest.
    assert set(second["modules"]).isdisjoint(SLOW_TO_IMPORT)
    # Who writes no report imports nothing that does.
    assert {"markupsafe", "xml.etree.ElementTree"} < set(second["modules"])
    assert {"markupsafe", "xml.etree.ElementTree"}.isdisjoint(watched_run(tmp_path, "--only", "all")["modules"])
    # An answer for each case; the spec, the toolchains, the version of a tool, and the starter where none is installed.
    kept = [name for name in second["opened"] if name.startswith(str(tmp_path / "cache"))]
    is_installed = place_in_package(STARTER_SOURCE.read_bytes(), COMPILER_OPTIONS).exists()
    assert len(kept) == 3 + 3 + (not is_installed)
    # Of a case its answer, and what is copied into its folder; what it writes is little, and needs no file.
    outside = [name for name in second["opened"] if not name.startswith(str(Path(__file__).parents[1]))]
    assert len([name for name in outside if name.startswith(gettempdir())]) <= 2 * 3 + 5 + 6 + 1


@pytest.mark.slow
def test_what_is_wrong_is_told_without_the_libraries_that_take_the_longest(tmp_path: Path) -> None:
    wrong = "echo 'é · <b>' >&2; exit 3\n"
    lay(tmp_path, {"specs/echo.yaml": ECHO, "reference/echo.sh": 'echo "$@"\n', "alice/echo.sh": wrong})
    watched_run(tmp_path, code=1)  # the reference is asked, and its answers are kept
    assert set(watched_run(tmp_path, code=1)["modules"]).isdisjoint(SLOW_TO_IMPORT)


def test_what_makes_all_cases_of_a_test_says_which_keys_go_with_its_own() -> None:
    # By that alone it is known, before the module is imported that reads them.
    assert len(READERS_OF_TESTS) > 1
    assert [kind.name for kind in KINDS.values() if (kind.read_test is None) != (kind.goes_with is None)] == []


def test_no_start_makes_a_dataclass() -> None:
    # it takes fifty times as long to make as a struct
    assert json.loads(run_code(DATA["NAMES_DATACLASSES"]).stdout) == []


def watched_run(folder: Path, *options: str, code: int = 0) -> dict[str, Any]:
    environment = {**os.environ, "XDG_CACHE_HOME": str(folder / "cache")}
    command = [sys.executable, "-c", WATCHED_RUN, *options]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=60, check=True)
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    assert told["code"] == code, done.stdout
    return told


@each_row
def test_the_command_ends_without_freeing_what_it_holds_unless_something_has_to_be_waited_for(
    thread: str, told: str
) -> None:
    done = run_code(DATA["HOLDS_SOMETHING"].replace("THREAD", thread))
    assert done.stdout.endswith(told)
    assert done.stderr == ""


def test_public_names_are_what_they_say_whatever_was_imported_before() -> None:
    run_code(DATA["TAKES_PUBLIC_NAMES"])
