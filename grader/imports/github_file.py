"""The two files in which GitHub Classroom keeps tests: `autograding.json`, and a workflow such as `classroom.yml`.

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
from typing import Literal

from grader.core.errors import SpecError, UsageError
from grader.core.text import one_line
from grader.core.yaml.nodes import MAX_BYTES, Node, Scalar, entries_of, entry, items_of
from grader.core.yaml.parsing import parse
from grader.imports.command_lines import needs_shell
from grader.imports.draft import Loss
from grader.imports.folder import unique_keys
from grader.imports.github_lines import is_compilation, without_installations

GithubComparison = Literal["included", "exact", "regex", "status", "share"]
"""`status`: only the exit status counts; `share`: each method of the test files for pytest has a share of the points"""
_ACTION = re.compile(r"[\w.-]+/autograding(?:-(?P<kind>io|command|python)-grader)?(?:@.*)?\Z")
_COMPARISONS: Mapping[str, GithubComparison] = {
    "": "included",
    "included": "included",
    "contains": "included",
    "exact": "exact",
    "regex": "regex",
}
_MAX_MINUTES = 360
_KEYS = ("name", "description", "setup", "run", "input", "output", "comparison", "timeout", "points")
_KEYS_OF_STEPS = {"test-name": "name", "setup-command": "setup", "command": "run", "expected-output": "output"} | {
    "comparison-method": "comparison",
    "max-score": "points",
    "input": "input",
    "timeout": "timeout",
}
_BLANKS = " \t\n\r\v\f\ufeff\u00a0\u2028\u2029"
"""what JavaScript's trim removes, but for rare blanks"""


@dataclass(frozen=True, slots=True, kw_only=True)
class GithubTest:
    """A test as its author wrote it; texts are trimmed as the action trims them."""

    name: str
    about: str
    setup: str
    run: str
    input: str
    output: str
    comparison: GithubComparison
    seconds: float
    points: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class GithubFile:
    """All tests of a file, and what else stands in it."""

    name: str
    tests: Sequence[GithubTest]
    losses: Sequence[Loss]
    env: Mapping[str, str] = field(default_factory=dict)
    """what its tests have in their environment"""


def parse_autograding(data: bytes, name: str) -> GithubFile:
    """Read an `autograding.json`; UsageError when it is none."""
    _check_size(data, name)
    try:
        content = json.loads(data.decode("utf-8-sig"), object_pairs_hook=unique_keys)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{name} is no autograding.json: {one_line(str(error))}") from error
    tests = content.get("tests") if isinstance(content, dict) else None
    if not isinstance(tests, list):
        raise UsageError(f"{name} is no autograding.json: it has no list of tests")
    found, losses = [], []
    for number, test in enumerate(tests, 1):
        if not isinstance(test, dict):
            raise UsageError(f"{name}: test {number} is no object with name and run")
        found.append(_read_test(test, f"{name}: test {number}"))
        losses += [Loss(rule="key", where=found[-1].name, detail=key) for key in test if key not in _KEYS]
    return GithubFile(name=name, tests=found, losses=losses)


def _check_size(data: bytes, name: str) -> None:
    if len(data) > MAX_BYTES:
        raise UsageError(f"{name} has more than {MAX_BYTES // 2**20} MiB")


def _read_test(values: Mapping[str, object], where: str, kind: str = "") -> GithubTest:
    """Read a test, of a step by the `kind` of its action."""
    texts = {key: _text(values.get(key), f"{where}: {key}") for key in _KEYS if key not in ("timeout", "points")}
    comparison = _COMPARISONS.get(texts["comparison"])
    if comparison is None or (kind == "io" and not texts["comparison"]):
        raise UsageError(f"{where}: comparison is none of included, exact and regex")
    if kind == "io" and not texts["output"]:
        raise UsageError(f"{where}: expected-output is empty, and the action refuses that")
    is_blank = not (texts["output"] or texts["input"]) or (comparison == "included" and not texts["output"].strip())
    if kind in ("command", "python") or (not kind and is_blank):
        comparison = "share" if kind == "python" else "status"
    output = texts["output"] if comparison == "regex" else texts["output"].replace("\r\n", "\n").strip(_BLANKS)
    minutes = _number(values.get("timeout"), f"{where}: timeout") or (10 if kind else 1)
    return GithubTest(
        name=one_line(_unescaped(texts["name"])) or where.rpartition(": ")[2],
        about=_unescaped(texts["description"]),
        setup=texts["setup"].strip(),
        run="pytest" if kind == "python" else texts["run"].strip(),
        input=texts["input"],
        output=output,
        comparison=comparison,
        seconds=min(minutes, _MAX_MINUTES) * 60,
        points=_number(values.get("points"), f"{where}: points"),
    )


def _unescaped(text: str) -> str:
    """Return a text without the references of HTML that the form put into it, at times twice."""
    return html.unescape(html.unescape(text)).strip()


def _text(value: object, where: str) -> str:
    if not isinstance(value, str | None):
        raise UsageError(f"{where} is no text")
    return value or ""


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


# ---------------------------------------------------------------- the workflow


def parse_workflow(data: bytes, name: str) -> GithubFile:
    """Read a workflow; UsageError when it is none.

    Its tests are the steps with an action for tests; without any, in a file named for grading, its commands.
    """
    _check_size(data, name)
    try:
        root = parse(data, name)
    except SpecError as error:
        raise UsageError(f"{name} is no workflow: {error.problems[0].message}") from error
    jobs = list(entries_of(entry(root, "jobs")).values())
    steps = [(job, step) for job in jobs for step in items_of(entry(job, "steps"))]
    has_actions = any(_kind(step) for _, step in steps)
    is_graded = has_actions or re.search(r"class|grad", PurePosixPath(name).name)
    losses = [Loss(rule="matrix")] if any(entry(entry(job, "strategy"), "matrix") for job in jobs) else []
    runners = [text for _, step in steps if (text := dict(_inputs(step)).get("runners"))]
    counted = {one.strip() for text in runners for one in text.split(",")} if runners else None
    before: list[str] = []
    tests: list[GithubTest] = []
    for job, step in steps if is_graded else ():
        run, kind, where = _scalar(entry(step, "run")).strip(), _kind(step), f"{name}: step {len(tests) + 1}"
        title = {"name": _scalar(entry(step, "name"))}
        if kind:
            given = {_KEYS_OF_STEPS.get(key, ""): text.strip() for key, text in _inputs(step)}
            given = {key: text for key, text in given.items() if key not in _unread(kind)}
            test = _read_test({**title, **given}, where, kind)
            losses += [Loss(rule="condition", where=test.name)] if entry(step, "if") else []
            if counted is not None and _scalar(entry(step, "id")) not in counted and test.points:
                losses.append(Loss(rule="runners", where=test.name))
                test = replace(test, points=0)
            tests.append(test)
        elif is_compilation(run) and not tests:
            before.append(run)
        elif has_actions:
            losses += [Loss(rule="step", detail=run)] if run and not run.startswith("chmod ") else []
        elif without_installations(run)[0] and not re.match(r"chmod [^\n]*\Z|echo [^\n&|;<>]*\Z", run):
            given = {
                **title,
                "run": _in_bash(run, [root, job, step]),
                "timeout": _scalar(entry(step, "timeout-minutes")),
            }
            tests.append(_read_test({**given, "name": title["name"] or one_line(run, 60)}, where, "command"))
    losses += [Loss(rule="commands")] if tests and not has_actions else []
    tests = [replace(test, setup="\n".join(filter(None, [*before, test.setup]))) for test in tests]
    own = [root, *jobs, *(step for _, step in steps if _kind(step))] if has_actions else []
    return GithubFile(name=name, tests=tests, losses=losses, env=_variables(own, losses))


def _kind(step: Node) -> str:
    action = _ACTION.match(_scalar(entry(step, "uses")))
    return (action["kind"] or "") if action else ""


def _unread(kind: str) -> Sequence[str]:
    """Return the keys that an action does not read."""
    return ("",) if kind == "io" else ("", "input", "output", "comparison")


def _variables(places: Sequence[Node], losses: list[Loss]) -> Mapping[str, str]:
    """Return the variables of all tests; a loss is each whose value is another elsewhere or known there only."""
    found: dict[str, str] = {}
    for place in places:
        for key, node in entries_of(entry(place, "env")).items():
            value = _scalar(node)
            if "${{" in value:
                losses.append(Loss(rule="variable", where=key))
            elif found.setdefault(key, value) != value:
                losses.append(Loss(rule="values", where=key, detail=found[key]))
    return found


def _in_bash(run: str, places: Sequence[Node]) -> str:
    """Return the line of a step as bash runs it there: with its variables, in its folder, until a command fails."""
    names = {key: _scalar(node) for place in places for key, node in entries_of(entry(place, "env")).items()}
    defaults = [entry(entry(entry(place, "defaults"), "run"), "working-directory") for place in places[:-1]]
    folders = [_scalar(node) for node in (*defaults, entry(places[-1], "working-directory")) if node is not None]
    lines = [f"export {key}={shlex.quote(value)}" for key, value in names.items()]
    lines += [f"cd {shlex.quote(folders[-1])}"] if folders else []
    return f"bash -ec {shlex.quote(chr(10).join([*lines, run]))}" if lines or needs_shell(run) else run


def uses_autograding_json(data: bytes) -> bool:
    """Whether a workflow runs the action that reads `autograding.json`."""
    return re.search(rb"uses:\s*['\"]?[\w.-]+/autograding@", data) is not None


def _scalar(node: Node | None) -> str:
    return node.text if isinstance(node, Scalar) else ""


def _inputs(step: Node) -> Iterator[tuple[str, str]]:
    given = entries_of(entry(step, "with"))
    merged = given.pop("<<", None)
    for node in items_of(merged) or [merged]:
        yield from ((key, _scalar(value)) for key, value in entries_of(node).items())
    yield from ((key, _scalar(value)) for key, value in given.items())
