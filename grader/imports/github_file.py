"""The two files in which GitHub Classroom keeps tests: `autograding.json`, and a workflow such as `classroom.yml`.

The first was run by the action `autograding`; in the second each test is a step with an action of its own. Both give
the same record. Facts about the actions: a command has to end with status 0; both texts of an `exact` or `included`
comparison are trimmed; a pattern is JavaScript's, without flags, looked up in the trimmed output; times are minutes.
"""

import html
import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from grader.core.errors import SpecError, UsageError
from grader.core.text import one_line
from grader.core.yaml.nodes import MAX_BYTES, Listing, Node, Table
from grader.core.yaml.parsing import parse
from grader.imports.draft import Loss, losses_where
from grader.imports.folder import unique_keys
from grader.imports.github_lines import is_compilation

_ACTION = re.compile(r"[\w.-]+/autograding-(?P<kind>io|command|python)-grader(?:@.*)?\Z")
_COMPARISONS = {"": "included", "included": "included", "contains": "included", "exact": "exact", "regex": "regex"}
_MAX_MINUTES = 360
_KEYS = ("name", "description", "setup", "run", "input", "output", "comparison", "timeout", "points")
_KEYS_OF_STEPS = {key: key for key in _KEYS} | {"test-name": "name", "setup-command": "setup", "command": "run"}
_KEYS_OF_STEPS |= {"expected-output": "output", "comparison-method": "comparison", "max-score": "points"}
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
    comparison: str
    """`included`, `exact` or `regex`; `status`, where only the exit status counts; or `share`, where each method of the
    test files for pytest has a share of the points"""
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


def parse_tests(data: bytes, name: str) -> GithubFile:
    """Read an `autograding.json`, or a workflow; UsageError when it is none. A workflow may have no tests."""
    if len(data) > MAX_BYTES:
        raise UsageError(f"{name} has more than {MAX_BYTES // 2**20} MiB")
    return parse_workflow(data, name) if name.endswith((".yml", ".yaml")) else _parse_autograding(data, name)


def _parse_autograding(data: bytes, name: str) -> GithubFile:
    try:
        content = json.loads(data.decode("utf-8-sig"), object_pairs_hook=unique_keys)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{name} is no autograding.json: {one_line(str(error))}") from error
    tests = content.get("tests") if isinstance(content, dict) else None
    if not isinstance(tests, list):
        raise UsageError(f"{name} is no autograding.json: it has no list of tests")
    if odd := next((number for number, test in enumerate(tests, 1) if not isinstance(test, dict)), 0):
        raise UsageError(f"{name}: test {odd} is no object with name and run")
    found = [_read_test(test, f"{name}: test {number}") for number, test in enumerate(tests, 1)]
    others = dict.fromkeys(key for test in tests for key in test if key not in _KEYS)
    return GithubFile(name=name, tests=found, losses=[Loss(rule="key", detail=key) for key in others])


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
    """Read a workflow, whose tests are the steps with an action for tests; UsageError when it is none."""
    try:
        root = _to_data(parse(data, name))
    except SpecError as error:
        raise UsageError(f"{name} is no workflow: {error.problems[0].message}") from error
    jobs = [job for job in _part(root, "jobs").values() if isinstance(job, dict)]
    steps = [step for job in jobs for step in job.get("steps") or () if isinstance(step, dict)]
    actions = [(step, _ACTION.match(str(step.get("uses", "")))) for step in steps]
    losses = [Loss(rule="matrix")] if any(_part(job, "strategy").get("matrix") for job in jobs) else []
    runners = [text for step in steps if (text := _texts(step, "with").get("runners"))]
    counted = {one.strip() for text in runners for one in text.split(",")} if runners else None
    before: list[str] = []
    tests: list[GithubTest] = []
    for step, action in actions:
        run, where = str(step.get("run", "")).strip(), f"{name}: step {len(tests) + 1}"
        if action:
            unread = () if action["kind"] == "io" else ("input", "output", "comparison")
            given = {_KEYS_OF_STEPS.get(key, ""): text for key, text in _texts(step, "with").items()}
            values: dict[str, object] = {
                "name": step.get("name"),
                **{key: text for key, text in given.items() if key not in unread},
            }
            test = _read_test(values, where, action["kind"])
            is_out = counted is not None and step.get("id") not in counted and bool(test.points)
            tests.append(replace(test, points=0) if is_out else test)
            told = {"condition": "if" in step, "runners": is_out}
            losses += [replace(loss, where=test.name) for loss in losses_where(told)]
        elif is_compilation(run) and not tests:
            before.append(run)
        elif run and not run.startswith("chmod "):
            losses.append(Loss(rule="step", detail=run))
    tests = [replace(test, setup="\n".join(filter(None, [*before, test.setup]))) for test in tests]
    env = _variables([root, *jobs, *(step for step, action in actions if action)], losses)
    return GithubFile(name=name, tests=tests, losses=losses, env=env)


def _to_data(node: Node | None) -> Any:
    """Return texts, lists and mappings; what `<<` names is merged."""
    if isinstance(node, Table):
        found = {key.text: _to_data(value) for key, value in node.pairs}
        merged = found.pop("<<", {})
        for one in merged if isinstance(merged, list) else [merged]:
            found = {**(one if isinstance(one, dict) else {}), **found}
        return found
    return [_to_data(one) for one in node.items] if isinstance(node, Listing) else node.text if node else ""


def _part(data: Any, key: str) -> dict[str, Any]:
    found = data.get(key) if isinstance(data, dict) else None
    return found if isinstance(found, dict) else {}


def _texts(data: Any, key: str) -> dict[str, str]:
    return {name: text.strip() for name, text in _part(data, key).items() if isinstance(text, str)}


def _variables(places: Sequence[Any], losses: list[Loss]) -> Mapping[str, str]:
    """Return the variables of all tests; a loss is each whose value is another elsewhere or known there only."""
    found: dict[str, str] = {}
    for key, value in (pair for place in places for pair in _texts(place, "env").items()):
        if "${{" in value:
            losses.append(Loss(rule="variable", where=key))
        elif found.setdefault(key, value) != value:
            losses.append(Loss(rule="values", where=key, detail=found[key]))
    return found
