"""The house rules that reading cannot miss: one name for one thing, files that are a concept, helpers with a place."""

import ast
import subprocess
from collections import defaultdict
from pathlib import Path

import pytest

from grader.core import kind
from tests.support.house import FILE, Budgets, budgets, nodes, raised, rooms, walk

ROOT = Path(__file__).parents[1]
MODULES = sorted((ROOT / "grader").rglob("*.py"))
MAX_LINES = 600
MAX_FUNCTION_LINES = 40
LONG_FUNCTIONS = {
    "platforms.fill_column": "a third of it are its parameters, which are what a platform does otherwise",
    "pages._student_page": "the values of a template, one a line",
    "classes.grade_folder": "its parameters are the options of the command, and its docstring is the page of help",
    "verification.verify_spec": "what a verification consists of, in its order; a third of it names what came out",
    "container.start_contained": "one try that owns the folder, the user and the control group until the start",
    "process.__init__": "the whole state of a running command, an attribute a line",
}
"""functions with more lines, each with its reason"""
TWICE = {
    "TYPE_CHECKING",  # parts of a probe do without `typing`, which takes time to import
    "compare",  # the default validator is shipped to courses as it is, and a check is a function called by its name
    "main",  # how a program begins: the command line, the probe in the sandbox, what runs in Gradescope's container
}
"""names that stand in several modules, each with its reason"""
KINDS = ROOT / "grader" / "kinds"
MEMBERS = {*kind.Roles.__annotations__}
"""what a room offers stands there under the names that the roles of a kind have"""
COMMANDS = ROOT / "grader" / "cli"
"""a click command has the name that is typed"""
STAND_INS = {*(ROOT / "grader" / "imports").glob("*_stand_in.py")}
"""go into the sandbox under other names; their names are those that tests of other graders call"""


SLACK = 100
"""a budget that is more than a hundredth above what there is has to be lowered"""


def off(counts: Budgets, most: Budgets) -> dict[str, str]:
    """Return what is above its budget, or too far below it."""
    return {
        f"{room}: {what}": f"{'above' if count > limit else 'lower its budget of'} {limit}: {count}"
        for room, each in counts.items()
        for what, count in each.items()
        if count > (limit := most.get(room, {}).get(what, 0)) or count < limit - limit / SLACK
    }


def test_each_room_keeps_its_budget() -> None:
    most = budgets((ROOT / FILE).read_text())
    counted = rooms()
    assert off(counted, most) == {}
    assert most.keys() - counted.keys() == {"run henry"}


@pytest.mark.slow  # it starts Java for each case of the sample, twice
@pytest.mark.timeout(400)
def test_a_run_keeps_its_budget(tmp_path: Path, cache_of_all: Path) -> None:
    most = {"run henry": budgets((ROOT / FILE).read_text())["run henry"]}
    for _ in range(4):  # the first one may fill the cache, and threads may meet in another order
        found = off({"run henry": walk(tmp_path, cache_of_all)}, most)
        if not found:
            break
    assert found == {}


def git(*words: str) -> str:
    command = ("/usr/bin/env", "git", *words)
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False).stdout


def test_no_budget_was_ever_raised() -> None:
    if git("rev-parse", "--is-shallow-repository").strip() != "false":
        pytest.skip("there is no history here: not a repository, or a shallow clone")
    commits = git("log", "--full-history", "--format=%H %P", "--", FILE).splitlines()
    assert commits, f"{FILE} is in no commit"
    texts = {sha: git("show", f"{sha}:{FILE}") for line in commits for sha in line.split()}
    found = {
        f"{commit} against {parent}": [*rises]
        for commit, *parents in map(str.split, commits)
        for parent in parents
        if texts[parent] and (rises := sorted(raised(budgets(texts[parent]), budgets(texts[commit]))))
    }
    assert found == {}
    assert [*raised(budgets(texts[commits[0].split()[0]]), budgets((ROOT / FILE).read_text()))] == []


def test_a_raised_budget_is_seen() -> None:
    before = {"a": {"lines": 10, "modules": 1}, "b": {"lines": 5, "modules": 1}}
    assert [*raised(before, {"a": {"lines": 11, "modules": 1}})] == ["a: lines"]
    assert [*raised(before, {"b": {"lines": 5, "modules": 1}, "c": {"lines": 10, "modules": 1}})] == []
    assert [*raised(before, {"b": {"lines": 5, "modules": 1}, "c": {"lines": 11, "modules": 1}})] == [
        "all rooms: lines"
    ]


def top_level_names(path: Path) -> set[str]:
    """Return what a module defines itself; what it imports is somebody else's."""
    names = set()
    for node in ast.iter_child_nodes(nodes(path)[0]):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                names.add(node.name)
            case ast.Assign():
                names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
            case ast.AnnAssign(target=ast.Name(id=name)):
                names.add(name)
    return names


def test_no_two_modules_define_the_same_public_name() -> None:
    where = defaultdict(list)
    for path in MODULES:
        if not path.is_relative_to(COMMANDS) and path not in STAND_INS:
            offered = MEMBERS if path.is_relative_to(KINDS) else set[str]()
            for name in top_level_names(path) - offered:
                where[name].append(path.relative_to(ROOT).as_posix())
    twice = {name: places for name, places in where.items() if len(places) > 1 and not name.startswith("_")}
    assert {name: places for name, places in twice.items() if name not in TWICE} == {}


def test_a_file_is_a_concept() -> None:
    every = [*MODULES, *(path for folder in ("tests", "bench", "docs") for path in (ROOT / folder).rglob("*.py"))]
    # Bytes: some samples are in no encoding.
    assert {str(path): lines for path in every if (lines := path.read_bytes().count(b"\n")) > MAX_LINES} == {}


def test_a_function_is_a_step() -> None:
    long = {
        f"{path.stem}.{node.name}": node.end_lineno - node.lineno + 1
        for path in MODULES
        for node in nodes(path)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno
        if node.end_lineno - node.lineno >= MAX_FUNCTION_LINES
    }
    assert {name: lines for name, lines in long.items() if name not in LONG_FUNCTIONS} == {}


def test_only_tests_are_called_tests() -> None:
    helpers = (ROOT / "tests" / "support").rglob("*.py")
    called = [
        path.name for path in (*MODULES, *helpers) if path.stem.startswith("test_") or path.stem.endswith("_test")
    ]
    assert called == ["self_test.py"]  # by which the sandbox tries itself; it is what `grader doctor` calls it
    flat = {path.name for path in (ROOT / "tests").glob("*.py")} - {"__init__.py", "conftest.py"}
    assert {name for name in flat if not name.startswith("test_")} == set()
