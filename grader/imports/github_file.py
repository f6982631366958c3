"""The two files in which GitHub Classroom keeps tests: `autograding.json`, and a workflow such as `classroom.yml`.

The first was run by the action `autograding`; in the second each test is a step with an action of its own. Both give
the same record. Facts about the actions: a command has to end with status 0; both texts of an `exact` or `included`
comparison are trimmed; a pattern is JavaScript's, without flags, looked up in the trimmed output; times are minutes.
"""

import html
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import msgspec
from msgspec.structs import replace

from grader.core.errors import SpecError, UsageError
from grader.core.model.values import decodable
from grader.core.text import one_line
from grader.core.yaml.nodes import Listing, Node, Table
from grader.core.yaml.parsing import parse
from grader.imports.draft import Loss, losses_where
from grader.imports.folder import Folder
from grader.imports.shell_lines import is_compilation

_ACTION = re.compile(r"[\w.-]+/autograding-(?P<kind>io|command|python)-grader(?:@.*)?\Z")
_MAX_MINUTES = 360
_KEYS_OF_STEPS = {"test-name": "name", "setup-command": "setup", "command": "run", "max-score": "points"}
_KEYS_OF_STEPS |= {"expected-output": "output", "comparison-method": "comparison"}
_BLANKS = " \t\n\r\v\f\ufeff\u00a0\u2028\u2029"  # what JavaScript's trim removes, but for rare blanks
_Number = Annotated[float, msgspec.Meta(ge=0, lt=1e300)]


class GithubTest(msgspec.Struct, frozen=True, kw_only=True):
    """A test as its author wrote it; texts are trimmed as the action trims them."""

    name: str = ""
    about: str = msgspec.field(default="", name="description")
    setup: str = ""
    run: str = ""
    input: str = ""
    output: str = ""
    # or `status`, where only the exit status counts; or `share`, where each method of the test files for pytest has a
    # share of the points
    comparison: Annotated[str, msgspec.Meta(pattern="^(included|contains|exact|regex)$")] = "included"
    seconds: _Number = msgspec.field(default=0, name="timeout")
    points: _Number | None = None


_KEYS = {one.encode_name for one in msgspec.structs.fields(GithubTest)}


class GithubFile(NamedTuple):
    """All tests of a file, what else stands in it, and the environment of its tests."""

    tests: Sequence[GithubTest]
    losses: Sequence[Loss]
    env: Mapping[str, str] = {}


def parse_tests(data: bytes, name: str) -> GithubFile:
    """Read an `autograding.json`, or a workflow; UsageError when it is none. A workflow may have no tests."""
    if name.endswith((".yml", ".yaml")):
        return parse_workflow(data, name)
    path = Path(name)
    content = Folder(path=path.parent, files={path.name: data}).json(path.name)
    tests = content.get("tests") if isinstance(content, dict) else None
    if not isinstance(tests, list):
        raise UsageError(f"{name} is no autograding.json: it has no list of tests")
    if odd := next((number for number, test in enumerate(tests, 1) if not isinstance(test, dict)), 0):
        raise UsageError(f"{name}: test {odd} is no object with name and run")
    found = [_read_test(test, f"{name}: test {number}") for number, test in enumerate(tests, 1)]
    others = dict.fromkeys(key for test in tests for key in test if key not in _KEYS)
    return GithubFile(found, [Loss(rule="key", detail=key) for key in others])


def _read_test(values: Mapping[str, Any], where: str, kind: str = "") -> GithubTest:
    """Read a test, of a step by the `kind` of its action."""
    try:
        stated = {key: value for key, value in values.items() if value not in (None, "")}
        test = msgspec.convert(stated, decodable(GithubTest), strict=False)
    except msgspec.ValidationError as error:
        raise UsageError(f"{where}: {one_line(str(error))}") from error
    if kind == "io" and not (test.output and "comparison" in stated):
        raise UsageError(f"{where}: expected-output or comparison-method is empty, and the action refuses that")
    comparison = "included" if test.comparison == "contains" else test.comparison
    is_blank = not (test.output or test.input) or (comparison == "included" and not test.output.strip())
    if kind in ("command", "python") or (not kind and is_blank):
        comparison = "share" if kind == "python" else "status"
    return replace(
        test,
        name=one_line(_unescaped(test.name)) or where.rpartition(": ")[2],
        about=_unescaped(test.about),
        setup=test.setup.strip(),
        run="pytest" if kind == "python" else test.run.strip(),
        output=test.output if comparison == "regex" else test.output.replace("\r\n", "\n").strip(_BLANKS),
        comparison=comparison,
        seconds=min(test.seconds or (10 if kind else 1), _MAX_MINUTES) * 60,
    )


def _unescaped(text: str) -> str:
    """Return a text without the references of HTML that the form put into it, at times twice."""
    return html.unescape(html.unescape(text)).strip()


# ---------------------------------------------------------------- the workflow


def parse_workflow(data: bytes, name: str) -> GithubFile:
    """Read a workflow, whose tests are the steps with an action for tests; UsageError when it is none."""
    try:
        root = _to_data(parse(data, name))
    except SpecError as error:
        raise UsageError(f"{name} is no workflow: {error.problems[0].message}") from error
    jobs = [job for job in _part(root, "jobs").values() if isinstance(job, dict)]
    steps = [step for job in jobs for step in job.get("steps") or () if isinstance(step, dict)]
    runners = [text for step in steps if (text := _texts(step, "with").get("runners"))]
    counted = {one.strip() for text in runners for one in text.split(",")}
    losses = losses_where({"matrix": any(_part(job, "strategy").get("matrix") for job in jobs)})
    before: list[str] = []
    tests: list[GithubTest] = []
    places = [root, *jobs]
    for step in steps:
        run = str(step.get("run", "")).strip()
        if action := _ACTION.match(str(step.get("uses", ""))):
            given = {_KEYS_OF_STEPS.get(key, key): text for key, text in _texts(step, "with").items()}
            unread = () if action["kind"] == "io" else ("input", "output", "comparison")
            values = {"name": step.get("name"), **given, **dict.fromkeys(unread)}
            test = _read_test(values, f"{name}: step {len(tests) + 1}", action["kind"])
            is_out = bool(runners and step.get("id") not in counted and test.points)
            tests.append(replace(test, points=0) if is_out else test)
            losses += [Loss(rule="condition", where=test.name)] if "if" in step else []
            losses += [Loss(rule="runners", where=test.name)] if is_out else []
            places.append(step)
        elif is_compilation(run) and not tests:
            before.append(run)
        elif run and not run.startswith("chmod "):
            losses.append(Loss(rule="step", detail=run))
    tests = [replace(test, setup="\n".join(filter(None, [*before, test.setup]))) for test in tests]
    return GithubFile(tests, losses, _variables(places, losses))


def _to_data(node: Node | None) -> Any:
    """Return texts, lists and mappings."""
    if isinstance(node, Table):
        return {key.text: _to_data(value) for key, value in node.pairs}
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
