"""Test cases of Submitty -> tests, with the points that their validators cost."""

import json
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

from grader.core.text import one_line, points
from grader.core.yaml.nodes import Node
from grader.core.yaml.value import escaped
from grader.core.yaml.writing import listing, plain, quoted, table
from grader.imports import text_or_word
from grader.imports.command_lines import needs_shell
from grader.imports.folder import Folder, safe_glob, safe_path
from grader.imports.submitty_commands import (
    as_command,
    as_script,
    build_lines,
    case_commands,
    is_compilation_case,
    lines_before,
    plain_command,
    sent_input,
)
from grader.imports.submitty_config import NoCounterpartError, number_of, words_of
from grader.imports.submitty_counts import is_count, read_count, source_of_count
from grader.imports.submitty_junit import is_junit, is_of_course, junit_demands, runs_junit
from grader.imports.submitty_points import COSTS_ALL, NEAR, PointsPart, share_points
from grader.imports.submitty_solutions import solved_case
from grader.imports.submitty_validators import OutputDemand, Validators, shares, stream_of
from grader.imports.to_do import ToDo

_MIB = 2**20
_MAX_LIMIT = 2**50
"""from which on a limit is none"""
_LIMITS = {"RLIMIT_CPU": "cpu", "RLIMIT_NPROC": "processes", "RLIMIT_AS": "memory", "RLIMIT_RSS": "memory"}
KNOWN_RLIMITS = frozenset(_LIMITS)
"""limits of Submitty that have a counterpart"""
_NOTHING_RUN = (["ls"], ["true"])
"""the commands of a test case that only looks at what is handed in"""
WITH_EXCEPTIONS = ("python", "java")
"""languages in which an uncaught exception is an exit with a status"""
_FREE: Mapping[str, Node] = {"command": listing([plain("true")]), "expect": table({"exit": plain("any")})}
"""the keys of a test that everybody passes"""


@dataclass(slots=True, kw_only=True)
class SubmittyAssignment:
    """The state shared by all test cases during the conversion."""

    id: str
    folder: Folder
    program: Sequence[str]
    language: str
    validators: Validators
    to_do: ToDo
    cases: Sequence[Mapping[str, Any]] = ()
    files: dict[str, bytes] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    reference: Sequence[str] = ()
    generators: list[str] = field(default_factory=list)
    """functions that draw inputs, as their texts"""
    titles: dict[str, int] = field(default_factory=dict)

    def add_file(self, name: str) -> Node:
        """Add a file of the folder; return its name in the spec."""
        place = f"data/{self.id}/{safe_path(name)}"
        self.files[place] = self.folder.content(name)
        return table({"file": text_or_word(place)})

    def unique(self, title: str) -> str:
        """Return a title that no other test case has."""
        self.titles[title] = self.titles.get(title, 0) + 1
        return f"{title} #{self.titles[title]}" if self.titles[title] > 1 else title


@dataclass(frozen=True, slots=True, kw_only=True)
class _Run:
    """What is run for a test case."""

    lines: Sequence[tuple[int, str]]
    """the commands, each with its place among all of the test case"""
    total: int
    language: str
    start: Mapping[str, Node] = field(default_factory=dict)

    def stream(self, file: str) -> str:
        """Return the stream that a file of Submitty is; empty for another file."""
        return stream_of(file, len(self.lines), self.lines[0][0] if self.lines else 0)


class _Asked(NamedTuple):
    """A test case, what is run for it, and what is asked."""

    place: str
    """in the configuration"""
    case: Mapping[str, Any]
    run: _Run
    demands: Sequence[OutputDemand]


def all_tests(cases: Sequence[Mapping[str, Any]], made: SubmittyAssignment) -> list[dict[str, Node]]:
    """Return the tests of all test cases."""
    made.cases = cases
    return [test for number, case in enumerate(cases, 1) for test in _as_tests(case, number, made)]


def read_rlimits(stated: Any) -> dict[str, Node]:
    """Return the limits that have a counterpart."""
    found: dict[str, Node] = {}
    for name, value in stated.items() if isinstance(stated, dict) else ():
        key = _LIMITS.get(name)
        if key is None or type(value) is not int or not 0 < value < _MAX_LIMIT:
            continue
        if key == "cpu":
            found["cpu"] = plain(f"{value} s")
            found["time"] = plain(f"{2 * value + 5} s")
        elif key == "memory":
            found["memory"] = plain(f"{max(16, value // _MIB)} MiB")
        else:
            found["processes"] = plain(str(max(8, value)))
    return found


def _as_tests(case: Mapping[str, Any], number: int, made: SubmittyAssignment) -> list[dict[str, Node]]:
    """Return the tests that a test case becomes."""
    title = one_line(str(case.get("title", f"Test {number}")), 100) or f"Test {number}"
    worth, place = number_of(case.get("points"), 0), f"testcases[{number - 1}] of config.json"
    if worth < 0 or "max_submissions" in case:
        made.notes.append(f"{title}: left out: points off for many submissions.")
        return []
    keys: dict[str, Node] = {"name": text_or_word(made.unique(title)), "points": _points(worth)}
    if details := case.get("details"):
        keys["about"] = quoted(one_line(str(details), 300))
    if case.get("extra_credit") is True:
        keys["bonus"] = plain("true")
    if case.get("hidden") is True:
        keys["visibility"] = plain("after-due" if case.get("release_hidden_details") else "hidden")
    if limits := read_rlimits(case.get("resource_limits")):
        keys["limits"] = table(limits)
    try:
        if case.get("solution_commands") or case.get("input_generation_commands"):
            return [{**keys, **_solved(case, [plain_command(line) for line in case_commands(case)], made)}]
        run, demands = _demands(case, made)
        return _with_points(_Asked(place, case, run, demands), keys, worth, made)
    except NoCounterpartError as reason:
        return [{**keys, "expect": made.to_do.expect(title, f"{reason} ({place})", _source(case))}]


def _points(worth: float) -> Node:
    return plain(points(Fraction(str(worth))))


def _source(case: Mapping[str, Any]) -> str:
    return json.dumps(case, indent=1)[:8000]


def _text(node: Node) -> str:
    return str(getattr(node, "text", ""))


# ---------------------------------------------------------------- what is asked


def _demands(case: Mapping[str, Any], made: SubmittyAssignment) -> tuple[_Run, list[OutputDemand]]:
    """Return what is run for a test case, and what its validators ask for."""
    validation = validators_of(case)
    if is_compilation_case(case):
        return _demands_of_compilation(case, validation, made)
    if case.get("type") == "FileCheck":
        validation = validation or [{key: case[key] for key in ("actual_file", "one_of") if key in case}]
        validation = [{"method": "fileExists", **one} for one in validation]
    if not validation:
        raise NoCounterpartError("it has no validators")
    if case.get("actions"):
        raise NoCounterpartError("actions in a window have no counterpart; a person has to look")
    commands = _commands(case, validation)
    run_lines = [(n, line) for n, line in enumerate(commands) if not is_count(line)]
    run = _Run(lines=run_lines, total=len(commands), language=made.language)
    found: list[OutputDemand] = []
    costs = shares(validation)
    is_over = _is_partial(case) and sum(costs) > 1 + NEAR and max(costs) >= COSTS_ALL
    for one, share in zip(validation, costs, strict=True):
        if share > 0:
            found += _demands_of({**_shared(case), **one}, share, commands, made, is_over=is_over)
    if runs_junit(commands):
        return run, found
    return _Run(
        lines=run.lines, total=run.total, language=made.language, start=_start_keys(case, run, found, made)
    ), found


def _demands_of(
    validator: Mapping[str, Any],
    share: float,
    commands: Sequence[str],
    made: SubmittyAssignment,
    *,
    is_over: bool = False,
) -> list[OutputDemand]:
    """Return what one validator asks for; what no spec can express is one that remains to be written."""
    try:
        names = words_of(validator.get("actual_file"))
        counted = [line for n, line in enumerate(commands) if is_count(line) and _is_output(names, n, len(commands))]
        if counted:
            return [OutputDemand(share=share, alone=_counted(counted[0], validator, made))]
        if is_junit(validator):
            return junit_demands(validator, commands, share, made.validators)
        if (
            list(commands) in _NOTHING_RUN
            and len(names) == 1
            and "*" in names[0]
            and validator.get("method") != "fileExists"
        ):
            return [
                _of_glob(names[0], one) for one in made.validators.demands({**validator, "actual_file": "x"}, share)
            ]
        if any("*" in name for name in names) and validator.get("method") != "fileExists":
            return [OutputDemand(share=share, to_do="it looks at a file by a glob")]
        reduced = made.validators.reduced(validator, share) if is_over and len(names) == 1 else None
        return [reduced] if reduced else made.validators.demands(validator, share)
    except NoCounterpartError as reason:
        return [OutputDemand(share=share, to_do=str(reason))]


def _shared(case: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what a test case says about all its validators."""
    return {} if _is_partial(case) else {"partial_credit": False}


def _is_partial(case: Mapping[str, Any]) -> bool:
    """Whether a part of what is asked has a part of the points."""
    return case.get("partial_credit") is not False and case.get("allow_partial_credit") is not False


def _is_output(names: Sequence[str], place: int, total: int) -> bool:
    return any(stream_of(name, 1, place) == "stdout" for name in names) and (total > 1 or place == 0)


def _counted(line: str, validator: Mapping[str, Any], made: SubmittyAssignment) -> Mapping[str, Node]:
    """Return the keys of a test for a count."""
    if validator.get("method") != "intComparison":
        raise NoCounterpartError("the output of submitty_count is compared with no number")
    count = read_count(line)
    if count.language != made.language:
        raise NoCounterpartError(
            f"it counts in {count.language}, and the language of the assignment is {made.language}"
        )
    rules = source_of_count(count, validator.get("comparison"), validator.get("term"))
    if rules is None:
        return _FREE
    return {"source": table(rules)}


def _of_glob(pattern: str, demand: OutputDemand) -> OutputDemand:
    """Return a demand on the only file that is handed in by a glob, which is written to standard output."""
    line = f'set -- {safe_glob(pattern)}; [ $# = 1 ] && cat -- "$1"'
    expect = table({"stdout": demand.comparison}) if demand.comparison is not None else table({"exit": plain("0")})
    tolerate = {"tolerate": _tolerate([demand])} if demand.tolerate else {}
    return OutputDemand(share=demand.share, alone={"command": as_script([line]), **tolerate, "expect": expect})


def _demands_of_compilation(
    case: Mapping[str, Any], validation: Sequence[Mapping[str, Any]], made: SubmittyAssignment
) -> tuple[_Run, list[OutputDemand]]:
    """Return what a compilation has to leave behind, and what its compiler may write."""
    products = words_of(case.get("executable_name"))
    if not products and not validation:
        raise NoCounterpartError("a compilation without executable_name")
    if is_of_course(case, made.folder):
        found = junit_demands({"method": "JUnitTestGrader"}, case_commands(case), 1.0, made.validators)
        steps = {"credit": table({"1": plain("100%")})}
        return _Run(lines=(), total=0, language=made.language), [OutputDemand(alone={**found[0].alone, **steps})]
    lines = list(build_lines(case))
    run = _Run(lines=list(enumerate(lines)), total=len(lines), language=made.language)
    demands = [
        demand
        for one, share in zip(validation, shares(validation), strict=True)
        if share > 0
        for demand in _demands_of(one, share, lines, made)
    ]
    cost = number_of(case.get("warning_deduction"), 0)
    if 0 < cost <= 1 and not any("STDERR" in str(one.get("actual_file")) for one in validation):
        demands.append(OutputDemand(share=cost, file=_errors_of(lines), comparison=table({"text": quoted("")})))
    run = _Run(
        lines=run.lines,
        total=run.total,
        language=made.language,
        start=_start_keys(case, run, demands, made) if demands else {},
    )
    covered = {name for one in validation for name in words_of(one.get("actual_file"))}
    for one in products:
        if one not in covered:
            present = table({"present": listing([quoted(escaped(safe_path(one)))])})
            expect = table({**succeeds(made.language), "files": present})
            made_keys: Mapping[str, Node] = {"command": listing([plain("ls")]), "expect": expect}
            demands.append(OutputDemand(share=1 / len(products), alone=made_keys))
    return run, demands


def _errors_of(lines: Sequence[str]) -> str:
    return "STDERR.txt" if len(lines) == 1 else "STDERR_0.txt"


def validators_of(case: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the validators of a test case."""
    found = case.get("validation")
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def _commands(case: Mapping[str, Any], validation: Sequence[Mapping[str, Any]]) -> Sequence[str]:
    commands = [plain_command(line) for line in case_commands(case)]
    if not commands and not case.get("containers") and _only_handed_in(validation):
        return _NOTHING_RUN[0] if case.get("type") == "FileCheck" else _NOTHING_RUN[1]
    if not commands:
        if isinstance(case.get("containers"), list) and len(case["containers"]) > 1:
            raise NoCounterpartError("programs in several containers; let one speak with another by `interactor`")
        raise NoCounterpartError("it has no command; for files that are handed in name them under `actual_file`")
    tool = next((line for line in commands if re.match(r"(?:/\S*/)?submitty_|comment_count", line)), "")
    if tool and not is_count(tool):
        raise NoCounterpartError(f"`{one_line(tool, 60)}` is a tool of Submitty's; see `source` and `style`")
    return commands


def _only_handed_in(validation: Sequence[Mapping[str, Any]]) -> bool:
    """Whether validators look at files alone that are handed in, such as the answers of a quiz."""
    names = [name for one in validation for name in words_of(one.get("actual_file"))]
    return bool(names) and not any(stream_of(name, 1) for name in names)


def _solved(case: Mapping[str, Any], commands: Sequence[str], made: SubmittyAssignment) -> dict[str, Node]:
    """Return the keys of a test case whose right output the solution of the course writes, which is the reference."""
    if len(commands) != 1:
        raise NoCounterpartError("solution_commands beside several commands have no counterpart")
    found = solved_case(case, commands[0], made.folder, made.id, len(made.generators) + 1)
    if found.program != made.program or (made.reference and found.reference != made.reference):
        raise NoCounterpartError("another solution or another program than in the test cases before")
    made.reference = found.reference
    made.files |= found.files
    made.generators += [found.generator] if found.generator else []
    return dict(found.keys)


# ---------------------------------------------------------------- what is run


def _start_keys(
    case: Mapping[str, Any], run: _Run, demands: Sequence[OutputDemand], made: SubmittyAssignment
) -> dict[str, Node]:
    """Return the keys that run the commands of a test case."""
    before = lines_before(case, made.cases)
    commands = [line for _, line in run.lines]
    framed = next((demand.frames for demand in demands if demand.frames), ())
    sent = sent_input(case)
    if sent is not None and len(commands) > 1:
        raise NoCounterpartError("dispatcher_actions beside several commands have no counterpart")
    given = {"stdin": quoted(escaped(sent))} if sent else {}
    if len(commands) > 1 or before or framed:
        return {**given, "command": as_script(_script(run, before, framed))}
    if not commands:
        return {}
    line = commands[0]
    redirected = re.fullmatch(r"([^<>|;&]+?)\s*<\s*([\w./-]+)", line)
    keys: dict[str, Node] = dict(given)
    if redirected and f"test_input/{redirected[2]}" in made.folder.files:
        line = redirected[1]
        keys["stdin"] = made.add_file(f"test_input/{redirected[2]}")
    if made.program == ("sh", "-c", line):
        return keys
    if not needs_shell(line):
        words = shlex.split(line)
        count = len(made.program)
        if words[:count] == list(made.program):
            return {**keys, "args": listing([quoted(escaped(w)) for w in words[count:]])} if words[count:] else keys
    return {**keys, "command": as_command(line)}


def _script(run: _Run, before: Sequence[str], framed: Sequence[str]) -> list[str]:
    """Return the lines of a shell: one command is run as it is, of several each writes its own files."""
    is_alone = len(run.lines) == 1 and not framed
    suffix = "" if run.total == 1 else "_{}"
    lines = [
        line if is_alone else f"{line} >STDOUT{suffix.format(n)}.txt 2>STDERR{suffix.format(n)}.txt"
        for n, line in run.lines
    ]
    frames = [f"{{ wc -c <{name} && cat {name}; }} 2>/dev/null || echo -1" for name in map(shlex.quote, framed)]
    return [*before, *lines, *frames]


# ---------------------------------------------------------------- points


def _with_points(
    asked: _Asked, keys: Mapping[str, Node], worth: float, made: SubmittyAssignment
) -> list[dict[str, Node]]:
    """Return the tests of a test case, each with its part of the points."""
    title = _text(keys["name"])
    plan = share_points(
        [demand.share for demand in asked.demands],
        is_partial=_is_partial(asked.case),
        has_own=[bool(demand.alone or demand.frames) for demand in asked.demands],
    )
    if not plan.parts and not worth:
        made.notes.append(f"{title}: left out: it gives no points, and nothing costs any.")
        return []
    if plan.is_scaled:
        made.notes.append(f"{title}: its validators cost {plan.total:.0%} together, here 100 %.")
    found: list[dict[str, Node]] = []
    left = worth
    for number, part in enumerate(plan.parts, 1):
        own = left if number == len(plan.parts) and not plan.rest else round(worth * part.share, 2)
        left = round(left - own, 2)
        named = {**keys, "points": _points(own)}
        if len(plan.parts) > 1 or plan.rest:
            named["name"] = quoted(f"{title} ({number})")
        if part.needs:
            named["needs"] = listing([quoted(f"{title} ({one + 1})") for one in part.needs])
        found.append({**named, **_keys_of_part(part, asked, _text(named["name"]), made)})
    if plan.rest:
        made.notes.append(f"{title}: {plan.rest:.0%} of its points are given in any case: no validator costs them.")
        name = quoted(f"{title} (rest)") if plan.parts else keys["name"]
        found.append({**keys, "name": name, "points": _points(left), **_FREE})
    return found


def _keys_of_part(part: PointsPart, asked: _Asked, name: str, made: SubmittyAssignment) -> dict[str, Node]:
    """Return what is run and asked for a part of the points."""
    demands = [asked.demands[place] for place in part.places]
    if reason := next((demand.to_do for demand in demands if demand.to_do), ""):
        return {"expect": made.to_do.expect(name, f"{reason} ({asked.place})", _source(asked.case))}
    own = next((demand.alone for demand in demands if demand.alone), {})
    has_share = "unit" in own or any(demand.gives_share for demand in demands)
    whole = {"all_or_nothing": plain("true")} if has_share and not _is_partial(asked.case) else {}
    return {**whole, **(own or {**asked.run.start, **_expectation(demands, asked.run)})}


def succeeds(language: str) -> dict[str, Node]:
    """Return what is expected of a command that has to end with status 0, and not by an exception."""
    crash = {"crash": plain("fails")} if language in WITH_EXCEPTIONS else {}
    return {"exit": plain("0"), **crash}


def _tolerate(demands: Sequence[OutputDemand]) -> Node:
    return table({kind: plain(share) for demand in demands for kind, share in demand.tolerate.items()})


def _expectation(demands: Sequence[OutputDemand], run: _Run) -> dict[str, Node]:
    """Return the keys by which one case meets all demands."""
    files: dict[str, list[Node]] = {}
    present = [name for demand in demands for name in demand.present]
    for demand in demands:
        if demand.comparison is not None:
            name = "stdout" if demand.frames else run.stream(demand.file) or safe_path(demand.file)
            if demand.comparison not in (nodes := files.setdefault(name, [])):
                nodes.append(demand.comparison)
    joined = {name: nodes[0] if len(nodes) == 1 else table({"all": listing(nodes)}) for name, nodes in files.items()}
    streams: list[str] = [name for name in ("stdout", "stderr") if name in joined]
    expect: dict[str, Node] = {name: joined.pop(name) for name in streams}
    if any(demand.has_to_succeed for demand in demands):
        expect |= succeeds(run.language)
    inner: dict[str, Node] = {**({"present": listing(map(quoted, present))} if present else {}), **joined}
    if inner:
        expect["files"] = table(inner)
    found: dict[str, Node] = {}
    if any(demand.is_memory for demand in demands):
        found["memory-clean"] = plain("true")
    if any(demand.tolerate for demand in demands):
        found["tolerate"] = _tolerate(demands)
    return {**found, "expect": table(expect or {"exit": plain("any")})}


def with_unique_names(tests: Sequence[dict[str, Node]]) -> Iterator[Node]:
    """Yield the tests, of which none has the name of another."""
    seen: dict[str, int] = {}
    for test in tests:
        name = _text(test["name"])
        seen[name] = seen.get(name, 0) + 1
        yield table({**test, "name": quoted(f"{name} #{seen[name]}")} if seen[name] > 1 else test)
