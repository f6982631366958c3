"""The two files in which GitHub Classroom keeps tests: `autograding.json`, and the workflow `classroom.yml`.

The first was run by the action `autograding`; in the second each test is a step with an action of its own. Both give
the same record. Facts about the actions: a command has to end with status 0; both texts of an `exact` or `included`
comparison are trimmed; a pattern is JavaScript's, without flags, looked up in the trimmed output; times are minutes.
"""

import html
import json
import math
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import Any, Literal

from grader.core.errors import SpecError, UsageError
from grader.core.text import one_line
from grader.core.yaml.nodes import MAX_BYTES, Node, Scalar, entries_of, entry, items_of
from grader.core.yaml.parsing import parse
from grader.imports.classroom_lines import is_compilation, without_installations
from grader.imports.command_lines import needs_shell
from grader.imports.folder import unique_keys

ClassroomComparison = Literal["included", "exact", "regex", "status", "share"]
"""`status`: only the exit status counts; `share`: each method of the test files for pytest has a share of the points"""
_ACTION = re.compile(r"[\w.-]+/autograding(?:-(?P<kind>io|command|python)-grader)?(?:@.*)?\Z")
_COMPARISONS: Mapping[str, ClassroomComparison] = {
    "": "included",
    "included": "included",
    "contains": "included",
    "exact": "exact",
    "regex": "regex",
}
_MINUTES_OF_JSON, _MINUTES_OF_STEP = 1, 10
_MAX_MINUTES = 360
_JSON_KEYS = {"name", "description", "setup", "run", "input", "output", "comparison", "timeout", "points"}
_BLANKS = " \t\n\r\v\f\ufeff\u00a0\u2028\u2029"
"""what JavaScript's trim removes, but for rare blanks"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassroomTest:
    """A test as its author wrote it; texts are trimmed as the action trims them."""

    name: str
    about: str
    setup: str
    run: str
    input: str
    output: str
    comparison: ClassroomComparison
    seconds: float
    points: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassroomFile:
    """All tests of a file, and notes on what else stands in it."""

    name: str
    tests: Sequence[ClassroomTest]
    notes: Sequence[str]
    env: Mapping[str, str] = field(default_factory=dict)
    """what its tests have in their environment"""


def parse_autograding(data: bytes, name: str) -> ClassroomFile:
    """Read an `autograding.json`; UsageError when it is none."""
    _check_size(data, name)
    try:
        content = json.loads(data.decode("utf-8-sig"), object_pairs_hook=unique_keys)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{name} is no autograding.json: {one_line(str(error))}") from error
    tests = content.get("tests") if isinstance(content, dict) else None
    if not isinstance(tests, list):
        raise UsageError(f"{name} is no autograding.json: it has no list of tests")
    notes: list[str] = []
    found: list[ClassroomTest] = []
    for number, test in enumerate(tests, 1):
        if not isinstance(test, dict):
            raise UsageError(f"{name}: test {number} is no object with name and run")
        found.append(_test_of(test, f"{name}: test {number}", notes))
    return ClassroomFile(name=name, tests=found, notes=notes)


def _check_size(data: bytes, name: str) -> None:
    if len(data) > MAX_BYTES:
        raise UsageError(f"{name} has more than {MAX_BYTES // 2**20} MiB")


def _test_of(test: Mapping[str, Any], where: str, notes: list[str]) -> ClassroomTest:
    texts = {
        key: _text(test.get(key), f"{where}: {key}")
        for key in ("name", "description", "setup", "run", "input", "output")
    }
    comparison = _COMPARISONS.get(_text(test.get("comparison"), f"{where}: comparison"))
    if comparison is None:
        raise UsageError(f"{where}: comparison is none of included, exact and regex")
    title = one_line(_unescaped(texts["name"]).strip()) or f"test {where.rpartition(' ')[2]}"
    notes += [f"{title}: the key {one_line(key)!r} has no meaning here." for key in test if key not in _JSON_KEYS]
    if not (texts["output"] or texts["input"]) or (comparison == "included" and not texts["output"].strip()):
        comparison = "status"
    output = texts["output"] if comparison == "regex" else texts["output"].replace("\r\n", "\n").strip(_BLANKS)
    minutes = _number(test.get("timeout"), f"{where}: timeout") or _MINUTES_OF_JSON
    return ClassroomTest(
        name=title,
        about=_unescaped(texts["description"]).strip(),
        setup=texts["setup"].strip(),
        run=texts["run"].strip(),
        input=texts["input"],
        output=output,
        comparison=comparison,
        seconds=_seconds(minutes),
        points=_number(test.get("points"), f"{where}: points"),
    )


def _unescaped(text: str) -> str:
    """Return a text without the references of HTML that the form put into it, at times twice."""
    return html.unescape(html.unescape(text))


def _text(value: object, where: str) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        raise UsageError(f"{where} is no text")
    return value


def _number(value: object, where: str) -> float | None:
    """Return a number that is not negative, also one in quotes; None when there is none."""
    if value is None or value == "":
        return None
    try:
        number = math.nan if isinstance(value, bool) else float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not 0 <= number < math.inf:
        raise UsageError(f"{where} is no number from 0 on: {one_line(str(value))}")
    return number


def _seconds(minutes: float) -> float:
    return min(minutes, _MAX_MINUTES) * 60


# ---------------------------------------------------------------- the workflow


def parse_workflow(data: bytes, name: str) -> ClassroomFile | None:
    """Read a workflow; None when it has no step that is a test, UsageError when it is no workflow."""
    _check_size(data, name)
    try:
        root = parse(data, name)
    except SpecError as error:
        raise UsageError(f"{name} is no workflow: {error.problems[0].message}") from error
    jobs = list(entries_of(entry(root, "jobs")).values())
    steps = [step for job in jobs for step in items_of(entry(job, "steps"))]
    if not any((found := _ACTION.match(_scalar(entry(step, "uses")))) and found["kind"] for step in steps):
        return _of_plain_steps(root, name)
    notes: list[str] = []
    if any(entry(entry(job, "strategy"), "matrix") is not None for job in jobs):
        notes.append("There a job runs once for each value of its matrix; here each test runs once.")
    before: list[str] = []
    behind: list[str] = []
    tests: list[ClassroomTest] = []
    counted = _counted_steps(steps)
    for step in steps:
        action = _ACTION.match(_scalar(entry(step, "uses")))
        if action is None or action["kind"] is None:
            (behind if tests else before).append(_scalar(entry(step, "run")).strip())
            continue
        test = _test_of_step(step, action["kind"], f"{name}: step {len(tests) + 1}")
        if any("${{" in text for text in (test.name, test.setup, test.run, test.input, test.output)):
            notes.append(f"{test.name}: left out, for ${{{{ }}}} has a value in a run of the workflow only.")
            continue
        tests.append(_as_counted(test, step, counted, notes))
    compiling = [line for line in before if is_compilation(line)]
    tests = [replace(test, setup="\n".join(filter(None, [*compiling, test.setup]))) for test in tests]
    others = [line for line in before if line and line not in compiling and not line.startswith("chmod ")]
    notes += [f"A step of the workflow before the tests is not run: {one_line(line)}" for line in others]
    notes += [f"A step of the workflow behind a test is not run: {one_line(line)}" for line in behind if line]
    env = _variables([root, *jobs, *filter(_is_test, steps)], notes)
    return ClassroomFile(name=name, tests=tests, notes=notes, env=env) if tests or notes else None


def _as_counted(test: ClassroomTest, step: Node, counted: set[str] | None, notes: list[str]) -> ClassroomTest:
    """Return a test with the points that count there, with notes on what is otherwise here."""
    if entry(step, "if") is not None:
        notes.append(f"{test.name}: there it runs only if a condition holds; here always.")
    if counted is None or _scalar(entry(step, "id")) in counted or not test.points:
        return test
    notes.append(f"{test.name}: the reporter's runners leave it out, so that it counts nothing; it has 0 points.")
    return replace(test, points=0)


def _is_test(step: Node) -> bool:
    action = _ACTION.match(_scalar(entry(step, "uses")))
    return action is not None and action["kind"] is not None


def _counted_steps(steps: Sequence[Node]) -> set[str] | None:
    """Return the ids of the steps whose points the reporters add up; None where no reporter names any."""
    named = [
        dict(_inputs(step)).get("runners")
        for step in steps
        if "autograding-grading-reporter" in _scalar(entry(step, "uses"))
    ]
    runners = [_scalar(node) for node in named if node is not None]
    return {one.strip() for text in runners for one in text.split(",")} if runners else None


def _variables(places: Sequence[Node], notes: list[str]) -> dict[str, str]:
    """Return the variables of all tests, with a note on each whose value is another elsewhere or known there only."""
    found: dict[str, str] = {}
    for place in places:
        for key, node in entries_of(entry(place, "env")).items():
            value = _scalar(node)
            if "${{" in value:
                notes.append(f"The variable {one_line(key)} is not set: its value is known in a run there only.")
            elif found.setdefault(key, value) != value:
                notes.append(
                    f"The variable {one_line(key)} has several values there; here it is {one_line(found[key])}."
                )
    return found


def _of_plain_steps(root: Node, name: str) -> ClassroomFile | None:
    """Read a workflow whose steps are commands: each that does more than to prepare is a test by its exit status.

    None for another workflow than one that is named for grading, as it may build or publish something.
    """
    if not re.search(r"class|grad", PurePosixPath(name).name):
        return None
    tests: list[ClassroomTest] = []
    before: list[str] = []
    for job in entries_of(entry(root, "jobs")).values():
        for step in items_of(entry(job, "steps")):
            run = _scalar(entry(step, "run")).strip()
            if is_compilation(run) and not tests:
                before.append(run)
            elif run and without_installations(run)[0] and not re.match(r"chmod [^\n]*\Z|echo [^\n&|;<>]*\Z", run):
                title = one_line(_unescaped(_scalar(entry(step, "name"))).strip()) or one_line(run, 60)
                tests.append(_test_of_run(title, _in_bash(run, [root, job, step]), step, f"{name}: {title}"))
    if not tests:
        return None
    notes = ["There a workflow passes as a whole: here each of its commands is a test, by its exit status."]
    notes += [
        f"{one.name}: left out, for ${{{{ }}}} has a value in a run of the workflow only."
        for one in tests
        if "${{" in one.run
    ]
    kept = [replace(one, setup="\n".join(before)) for one in tests if "${{" not in one.run]
    return ClassroomFile(name=name, tests=kept, notes=notes)


def _test_of_run(title: str, run: str, step: Node, where: str) -> ClassroomTest:
    minutes = _number(_scalar(entry(step, "timeout-minutes")), f"{where}: timeout-minutes") or _MINUTES_OF_STEP
    return ClassroomTest(
        name=title,
        about="",
        setup="",
        run=run,
        input="",
        output="",
        comparison="status",
        seconds=_seconds(minutes),
        points=None,
    )


def _in_bash(run: str, places: Sequence[Node]) -> str:
    """Return the line of a step as bash runs it there: with its variables, in its folder, until a command fails."""
    names = {key: _scalar(node) for place in places for key, node in entries_of(entry(place, "env")).items()}
    defaults = [entry(entry(entry(place, "defaults"), "run"), "working-directory") for place in places[:-1]]
    folders = [_scalar(node) for node in (*defaults, entry(places[-1], "working-directory")) if node is not None]
    lines = [f"export {key}={shlex.quote(value)}" for key, value in names.items()]
    lines += [f"cd {shlex.quote(folders[-1])}"] if folders else []
    if not lines and not needs_shell(run):
        return run
    return f"bash -ec {shlex.quote(chr(10).join([*lines, run]))}"


def uses_autograding_json(data: bytes) -> bool:
    """Whether a workflow runs the action that reads `autograding.json`."""
    return re.search(rb"uses:\s*['\"]?[\w.-]+/autograding@", data) is not None


def _scalar(node: Node | None) -> str:
    return node.text if isinstance(node, Scalar) else ""


def _test_of_step(step: Node, kind: str, where: str) -> ClassroomTest:
    given = {key: _scalar(node).strip() for key, node in _inputs(step)}
    title = (
        one_line(_unescaped(given.get("test-name") or _scalar(entry(step, "name"))).strip())
        or where.rpartition(": ")[2]
    )
    comparison: ClassroomComparison = "share" if kind == "python" else "status"
    if kind == "io":
        method = given.get("comparison-method", "")
        if method not in _COMPARISONS or not method:
            raise UsageError(f"{where}, {title!r}: comparison-method is none of exact, contains, included and regex")
        if not given.get("expected-output"):
            raise UsageError(f"{where}, {title!r}: expected-output is empty, and the action refuses that")
        comparison = _COMPARISONS[method]
    return ClassroomTest(
        name=title,
        about="",
        setup=given.get("setup-command", ""),
        run="pytest" if kind == "python" else given.get("command", ""),
        input=given.get("input", "") if kind == "io" else "",
        output=given.get("expected-output", "") if kind == "io" else "",
        comparison=comparison,
        seconds=_seconds(_number(given.get("timeout"), f"{where}: timeout") or _MINUTES_OF_STEP),
        points=_number(given.get("max-score"), f"{where}: max-score"),
    )


def _inputs(step: Node) -> Iterator[tuple[str, Node]]:
    given = entries_of(entry(step, "with"))
    merged = given.get("<<")
    for node in items_of(merged) or [merged]:
        yield from entries_of(node).items()
    yield from ((key, node) for key, node in given.items() if key != "<<")
