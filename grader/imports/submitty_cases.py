"""Test cases of Submitty -> tests, with the points that their validators cost.

There, a test case has all its points less what each validator costs, as far as it was not met, and never less than 0.
"""

import json
import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, NamedTuple

from grader.core.text import one_line
from grader.core.yaml.nodes import plain
from grader.imports.command_lines import needs_shell
from grader.imports.draft import CourseFile, Data, DraftCase, DraftTest, Loss, OpenCheck
from grader.imports.folder import Folder, harmless_name, safe_glob, safe_path
from grader.imports.shell_lines import to_words
from grader.imports.submitty_config import (
    NoCounterpartError,
    build_lines,
    case_commands,
    is_compilation_case,
    is_count,
    mappings_of,
    number_of,
    read_count,
    source_of_count,
    words_of,
)
from grader.imports.submitty_validators import (
    JUNIT_METHODS,
    Criterion,
    Validators,
    course_test,
    junit_demands,
    runs_junit,
    stream_of,
    succeeds,
    validator_shares,
)

_MAX_LIMIT = 2**50  # from which on a limit is none
_MEMORY = ("RLIMIT_AS", "RLIMIT_RSS")
KNOWN_RLIMITS = frozenset(("RLIMIT_CPU", "RLIMIT_NPROC", *_MEMORY))  # those that have a counterpart
_NOTHING_RUN = (["ls"], ["true"])  # the commands of a test case that only looks at what is handed in
_FREE = DraftCase(command=["true"], expect={"exit": plain("any")})  # what everybody passes
_COSTS_ALL, _NEAR = 0.99, 0.01
"""a share from which on a validator costs all, and by how much shares that are rounded may be off"""
_MAX_BEFORE = 8  # test cases of which each copies from the one before


class _Run(NamedTuple):
    """What is run for a test case."""

    lines: Sequence[tuple[int, str]] = ()  # the commands, each with its place among all of the test case
    total: int = 0
    before: Sequence[DraftCase] = ()  # what leaves the files that it finds
    start: DraftCase = DraftCase()


def read_rlimits(stated: Any) -> dict[str, Data]:
    """Return the limits that have a counterpart."""
    found: dict[str, Data] = {}
    for name, value in stated.items() if isinstance(stated, dict) else ():
        if type(value) is not int or not 0 < value < _MAX_LIMIT:
            continue
        if name == "RLIMIT_CPU":
            found |= {"cpu": value, "time": 2 * value + 5}
        elif name == "RLIMIT_NPROC":
            found["processes"] = max(8, value)
        elif name in _MEMORY:
            found["memory"] = max(16, value >> 20) << 20
    return found


def is_of_course(case: Mapping[str, Any], folder: Folder) -> bool:
    """Whether a test case compiles only tests of the course's own."""
    sources = [word for line in case_commands(case) for word in line.split() if word.endswith(".java")]
    return bool(sources) and all("*" not in one and course_test(one, folder) for one in sources)


@dataclass(slots=True, kw_only=True)
class Cases:
    """The conversion of all test cases of an assignment."""

    validators: Validators
    program: Sequence[str]
    every: Sequence[Mapping[str, Any]]
    reference: CourseFile | None = None
    generators: list[str] = field(default_factory=list)  # functions that draw inputs, as their texts
    titles: dict[str, int] = field(default_factory=dict)
    todo: Callable[[NoCounterpartError], OpenCheck] = field(init=False)  # of the test case that is read

    def tests(self, case: Mapping[str, Any], number: int) -> Sequence[DraftTest]:
        """Return the tests that a test case becomes."""
        title = one_line(str(case.get("title", f"Test {number}")), 100) or f"Test {number}"
        self.titles[title] = self.titles.get(title, 0) + 1
        if self.titles[title] > 1:
            title = f"{title} #{self.titles[title]}"
        worth = number_of(case.get("points"), 0)
        if worth < 0 or "max_submissions" in case:
            self.validators.losses.append(Loss(rule="penalty", where=title))
            return []
        keys: dict[str, Data] = {
            "bonus": True if case.get("extra_credit") is True else None,
            "limits": read_rlimits(case.get("resource_limits")) or None,
        }
        is_hidden = case.get("hidden") is True
        if is_hidden and case.get("release_hidden_details"):
            keys["visibility"], is_hidden = "after-due", False
        about = one_line(str(case.get("details") or ""), 300)
        test = DraftTest(name=title, points=Fraction(str(worth)), about=about, hidden=is_hidden, keys=keys)
        source = json.dumps(case, indent=1)[:8000]
        self.todo = lambda why: OpenCheck(
            name=title, reason=f"{why} (testcases[{number - 1}] of config.json)", source=source
        )
        try:
            if case.get("solution_commands") or case.get("input_generation_commands"):
                return [replace(test, cases=[self._solved(case)])]
            run, demands = self._demands(case)
        except NoCounterpartError as reason:
            return [replace(test, cases=self.todo(reason))]
        return list(self._parts(test, run, demands, is_partial=_is_partial(case)))

    def _solved(self, case: Mapping[str, Any]) -> DraftCase:
        """Return a case whose right output the solution of the course writes, which is the reference."""
        found = solved_case(case, self.validators.folder, self.validators.id, len(self.generators) + 1)
        if found.program != self.program or self.reference not in (None, found.reference):
            raise NoCounterpartError("another solution or another program than in the test cases before")
        self.reference = found.reference
        self.generators += [found.generator] if found.generator else []
        return found.case

    # ------------------------------------------------------------ what is asked

    def _demands(self, case: Mapping[str, Any]) -> tuple[_Run, list[Criterion]]:
        """Return what is run for a test case, and what its validators ask for."""
        validation = mappings_of(case.get("validation"))
        if is_compilation_case(case):
            return self._demands_of_compilation(case, validation)
        if case.get("type") == "FileCheck":
            validation = validation or [{key: case[key] for key in ("actual_file", "one_of") if key in case}]
            validation = [{"method": "fileExists", **one} for one in validation]
        if not validation:
            raise NoCounterpartError("it has no validators")
        if case.get("actions"):
            raise NoCounterpartError("actions in a window have no counterpart; a person has to look")
        commands = _commands(case, validation)
        run = _Run([(n, line) for n, line in enumerate(commands) if not is_count(line)], len(commands))
        found = self._of_all(case, validation, commands)
        return run if runs_junit(commands) else self._started(case, run, found), found

    def _demands_of_compilation(
        self, case: Mapping[str, Any], validation: Sequence[Mapping[str, Any]]
    ) -> tuple[_Run, list[Criterion]]:
        """Return what a compilation has to leave behind, and what its compiler may write."""
        products = words_of(case.get("executable_name"))
        if not products and not validation:
            raise NoCounterpartError("a compilation without executable_name")
        if is_of_course(case, self.validators.folder):
            first = junit_demands("JUnitTestGrader", case_commands(case), 1.0, self.validators.folder)[0]
            return _Run(), [replace(first, share=1.0, keys={**first.keys, "credit": {"1": "100%"}})]
        lines = list(build_lines(case))
        run = _Run(list(enumerate(lines)), len(lines))
        demands = self._of_all({}, validation, lines)
        cost = number_of(case.get("warning_deduction"), 0)
        if 0 < cost <= 1 and not any("STDERR" in str(one.get("actual_file")) for one in validation):
            file = "STDERR.txt" if len(lines) == 1 else "STDERR_0.txt"
            demands.append(Criterion(share=cost, file=file, comparison={"text": ""}))
        run = self._started(case, run, demands) if demands else run
        covered = {name for one in validation for name in words_of(one.get("actual_file"))}
        for one in products:
            if one not in covered:
                expect = {**succeeds(self.validators.language), "files": {"present": [safe_path(one)]}}
                is_there = DraftCase(command=["ls"], expect=expect)
                demands.append(Criterion(share=1 / len(products), case=is_there, is_alone=True))
        return run, demands

    def _of_all(
        self, case: Mapping[str, Any], validation: Sequence[Mapping[str, Any]], commands: Sequence[str]
    ) -> list[Criterion]:
        """Return what all validators ask for; what no spec can express is one that remains to be written."""
        costs = validator_shares(validation)
        is_over = _is_partial(case) and sum(costs) > 1 + _NEAR and max(costs) >= _COSTS_ALL
        whole = {} if _is_partial(case) else {"partial_credit": False}
        found: list[Criterion] = []
        for validator, share in zip(validation, costs, strict=True):
            try:
                found += self._of_one({**whole, **validator}, share, commands, is_over=is_over) if share > 0 else []
            except NoCounterpartError as reason:
                found.append(
                    Criterion(share=share, case=DraftCase(expect={"stdout": self.todo(reason)}), is_alone=True)
                )
        return found

    def _of_one(
        self, validator: Mapping[str, Any], share: float, commands: Sequence[str], *, is_over: bool
    ) -> list[Criterion]:
        names = words_of(validator.get("actual_file"))
        for place, line in enumerate(commands):
            if is_count(line) and any(stream_of(name, 1, place) == "stdout" for name in names):
                return [self._counted(line, validator, share)]
        method = validator.get("method")
        if method in JUNIT_METHODS:
            return junit_demands(str(method), commands, share, self.validators.folder)
        is_glob = method != "fileExists" and any("*" in name for name in names)
        if is_glob and list(commands) in _NOTHING_RUN and len(names) == 1:
            found = self.validators.demands({**validator, "actual_file": "x"}, share)
            return [_of_glob(names[0], one) for one in found]
        if is_glob:
            raise NoCounterpartError("it looks at a file by a glob")
        reduced = self.validators.reduced(validator, share) if is_over and len(names) == 1 else None
        return [reduced] if reduced else self.validators.demands(validator, share)

    def _counted(self, line: str, validator: Mapping[str, Any], share: float) -> Criterion:
        if validator.get("method") != "intComparison":
            raise NoCounterpartError("the output of submitty_count is compared with no number")
        count, language = read_count(line), self.validators.language
        if count.language != language:
            raise NoCounterpartError(f"it counts in {count.language}, and the language of the assignment is {language}")
        rules = source_of_count(count, validator.get("comparison"), validator.get("term"))
        return Criterion(share=share, keys={"source": rules}, case=None if rules else _FREE, is_alone=True)

    # ------------------------------------------------------------ what is run

    def _started(self, case: Mapping[str, Any], run: _Run, demands: Sequence[Criterion]) -> _Run:
        """Return a run with the commands of a test case as a spec has them."""
        before = self._before(case) if case.get("pre_commands") else []
        framed = next((demand.frames for demand in demands if demand.frames), ())
        sent = _sent_input(case)
        commands = [line for _, line in run.lines]
        if sent is not None and len(commands) > 1:
            raise NoCounterpartError("dispatcher_actions beside several commands have no counterpart")
        stdin: Data = sent or None
        if len(commands) > 1 or framed:
            script = "\n".join(_script(run, framed))
            return run._replace(before=before, start=DraftCase(command=("sh", "-c", script), stdin=stdin))
        line = commands[0] if commands else ""
        redirected = re.fullmatch(r"([^<>|;&]+?)\s*<\s*([\w./-]+)", line)
        files = self.validators.folder.files
        if redirected and (name := f"test_input/{redirected[2]}") in files:
            line, stdin = redirected[1], {"file": CourseFile(name=safe_path(name), content=files[name])}
        return run._replace(before=before, start=DraftCase(command=to_words(line) if line else (), stdin=stdin))

    def _before(self, case: Mapping[str, Any], depth: int = 0) -> list[DraftCase]:
        """Return the commands of test cases before this one that leave the files which `pre_commands` copy."""
        cases: list[DraftCase] = []
        stated = case["pre_commands"]
        for one in stated if isinstance(stated, list) else [stated]:
            number = re.fullmatch(r"test0*(\d+)/?", str(one.get("testcase"))) if isinstance(one, dict) else None
            place = int(number[1]) - 1 if number else -1
            is_copy = 0 <= place < len(self.every) and one.get("command") == "cp" and not one.get("pattern")
            if not is_copy or depth > _MAX_BEFORE:
                raise NoCounterpartError("pre_commands other than cp from a test case before have no counterpart")
            earlier, target, lines = self.every[place], str(one.get("destination", "./")), list[str]()
            cases += self._before(earlier, depth + 1) if earlier.get("pre_commands") else []
            if not is_compilation_case(earlier):
                lines += case_commands(earlier)
            if target.rstrip("/") not in ("", "."):
                lines.append(f"cp -r {one.get('source', './')} {shlex.quote(target)}")
            starts = [("sh", "-c", f"( {line} ) >/dev/null 2>&1\ntrue") for line in lines]  # however it ends
            cases += [replace(_FREE, command=start) for start in starts]
        return [one for place, one in enumerate(cases) if one not in cases[:place]]

    # ------------------------------------------------------------ points

    def _parts(
        self, test: DraftTest, run: _Run, demands: Sequence[Criterion], *, is_partial: bool
    ) -> Iterator[DraftTest]:
        """Yield the tests of a test case, each with its part of the points."""
        worth, losses = Fraction(test.points or 0), self.validators.losses
        parts, rest = _share_points(demands, is_partial=is_partial)
        if not parts and not worth:
            losses.append(Loss(rule="no-points", where=test.name))
            return
        if rest is None:
            losses.append(Loss(rule="scaled", where=test.name, detail=f"{sum(one.share for one in demands):.0%}"))
        left = worth
        for number, part in enumerate(parts, 1):
            is_last = number == len(parts) and not rest
            own = left if is_last else round(worth * Fraction(part.share), 2)
            left -= own
            name = f"{test.name} ({number})" if len(parts) > 1 or rest else test.name
            needs = [f"{test.name} ({one + 1})" for one in part.needs]
            asked = replace(test, name=name, points=own, needs=needs)
            yield _with_demands(asked, [demands[place] for place in part.places], run, is_partial=is_partial)
        if rest:
            losses.append(Loss(rule="rest", where=test.name, detail=f"{rest:.0%}"))
            yield replace(test, name=f"{test.name} (rest)" if parts else test.name, points=left, cases=[_FREE])


def _with_demands(test: DraftTest, demands: Sequence[Criterion], run: _Run, *, is_partial: bool) -> DraftTest:
    """Return a test that asks for all of the demands."""
    keys = {**test.keys, **{name: value for demand in demands for name, value in demand.keys.items()}}
    if not is_partial and ("unit" in keys or any(demand.gives_share for demand in demands)):
        keys["all_or_nothing"] = True
    if demands[0].is_alone:
        return replace(test, keys=keys, cases=[one for one in [demands[0].case] if one])
    if run.before:  # they run in the same folder, and are worth nothing
        weights = {str(number): 0 for number in range(1, len(run.before) + 1)}
        keys |= {"in-order": True, "weights": None if "all_or_nothing" in keys else weights}
    return replace(test, keys=keys, cases=[*run.before, replace(run.start, **_asked(demands, run))])


def _is_partial(case: Mapping[str, Any]) -> bool:
    """Whether a part of what is asked has a part of the points."""
    return case.get("partial_credit") is not False and case.get("allow_partial_credit") is not False


def _commands(case: Mapping[str, Any], validation: Sequence[Mapping[str, Any]]) -> Sequence[str]:
    commands = case_commands(case)
    names = [name for one in validation for name in words_of(one.get("actual_file"))]
    if not commands and not case.get("containers") and names and not any(stream_of(name, 1) for name in names):
        return _NOTHING_RUN[0 if case.get("type") == "FileCheck" else 1]  # such as the answers of a quiz
    if not commands:
        if isinstance(case.get("containers"), list) and len(case["containers"]) > 1:
            raise NoCounterpartError("programs in several containers; let one speak with another by `interactor`")
        raise NoCounterpartError("it has no command; for files that are handed in name them under `actual_file`")
    for line in commands:
        if re.match(r"(?:/\S*/)?submitty_|comment_count", line) and not is_count(line):
            raise NoCounterpartError(f"`{one_line(line, 60)}` is a tool of Submitty's; see `source` and `style`")
    return commands


def _sent_input(case: Mapping[str, Any]) -> str | None:
    """Return what `dispatcher_actions` send to the only program, one after the other; None without any."""
    actions = case.get("dispatcher_actions")
    if not actions:
        return None
    every = actions if isinstance(actions, list) else [actions]
    if any(not isinstance(one, dict) or one.get("action") not in ("stdin", "delay") for one in every):
        raise NoCounterpartError("dispatcher_actions that stop or start a container have no counterpart")
    return "".join(str(one.get("string", "")) for one in every if one["action"] == "stdin")


def _script(run: _Run, framed: Sequence[str]) -> Iterator[str]:
    """Yield the lines of a shell: one command is run as it is, of several each writes its own files."""
    for number, line in run.lines:
        place = "" if run.total == 1 else f"_{number}"
        is_alone = len(run.lines) == 1 and not framed
        yield line if is_alone else f"{line} >STDOUT{place}.txt 2>STDERR{place}.txt"
    for name in map(shlex.quote, framed):
        yield f"{{ wc -c <{name} && cat {name}; }} 2>/dev/null || echo -1"


def _of_glob(pattern: str, demand: Criterion) -> Criterion:
    """Return a demand on the only file that is handed in by a glob, which is written to standard output."""
    line = f'set -- {safe_glob(pattern)}; [ $# = 1 ] && cat -- "$1"'
    expect: Data = {"exit": 0} if demand.comparison is None else {"stdout": demand.comparison}
    return Criterion(
        share=demand.share,
        case=DraftCase(command=("sh", "-c", line), tolerate=demand.tolerate, expect=expect),
        is_alone=True,
    )


def _asked(demands: Sequence[Criterion], run: _Run) -> dict[str, Any]:
    """Return what one case expects and tolerates to meet all demands."""
    asked: dict[str, list[Data]] = {}
    only = run.lines[0][0] if run.lines else 0
    for demand in demands:
        if demand.comparison is not None:
            stream = "stdout" if demand.frames else stream_of(demand.file, len(run.lines), only)
            name = stream or safe_path(demand.file)
            if demand.comparison not in asked.setdefault(name, []):
                asked[name].append(demand.comparison)
    joined: dict[str, Data] = {name: some[0] if len(some) == 1 else {"all": some} for name, some in asked.items()}
    expect: dict[str, Data] = {name: joined.pop(name) for name in ("stdout", "stderr") if name in joined}
    for demand in demands:
        expect |= demand.expect
    present = [name for demand in demands for name in demand.present]
    if files := {**({"present": present} if present else {}), **joined}:
        expect["files"] = files
    tolerate = {kind: share for demand in demands for kind, share in demand.tolerate.items()}
    return {"expect": expect or {"exit": plain("any")}, "tolerate": tolerate}


# ---------------------------------------------------------------- how the points of a test case are shared


class _Part(NamedTuple):
    """A test that a test case becomes."""

    places: tuple[int, ...]  # the validators that are asked in it
    share: float  # of the points
    needs: tuple[int, ...] = ()  # places of parts before, which have to be right


def _share_points(demands: Sequence[Criterion], *, is_partial: bool) -> tuple[Sequence[_Part], float | None]:
    """Return the tests, and the share that no validator costs; None where the shares are others than there.

    Without `is_partial`, or where each costs all, everything has to hold.
    """
    shares, every = [demand.share for demand in demands], list(range(len(demands)))
    has_own = [bool(demand.is_alone or demand.frames) for demand in demands]
    total = sum(shares)
    if demands and (not is_partial or min(shares) >= _COSTS_ALL):
        return _all_at_once(every, has_own), 0.0
    if total <= 1 + _NEAR:
        rest = 1 - total if total < 1 - _NEAR else 0.0
        return [_Part((place,), shares[place] / (1 if rest else total)) for place in every], rest
    gates = [place for place in every if shares[place] >= _COSTS_ALL]
    others = [place for place in every if place not in gates]
    less = sum(shares[place] for place in others)
    if not gates:
        return [_Part((place,), shares[place] / total) for place in every], None
    first = _all_at_once(gates, has_own)
    whole = [part._replace(share=part.share * max(0, 1 - less)) for part in first]
    behind = [_Part((place,), shares[place] / max(1, less), (len(first) - 1,)) for place in others]
    return [*whole, *behind], None if less > 1 else 0.0


def _all_at_once(places: Sequence[int], has_own: Sequence[bool]) -> Sequence[_Part]:
    """Return one test for all; where some need their own, a row of which the last has the points."""
    joint = tuple(place for place in places if not has_own[place])
    groups = [*([joint] if joint else []), *((place,) for place in places if has_own[place])]
    last = len(groups) - 1
    return [_Part(group, 0.0) for group in groups[:-1]] + [_Part(groups[last], 1.0, tuple(range(last)))]


# ---------------------------------------------------------------- solutions, whose output is what is right

_FOLDERS = ("instructor_solution", "solution", "provided_code", "test_input")
_ARGS = r"(?P<args>(?:\s+[\w./:=,+-]+)*)(?:\s*<\s*(?P<input>[\w./-]+))?"
_SOLUTION = re.compile(rf"python3?\s+(?P<script>[\w./-]+\.py){_ARGS}\s*>\s*(?P<output>[\w./-]+)\s*")
_STUDENT = re.compile(rf"(?P<start>python3\s+(?:[\w./-]*\*\.py|[\w./-]+\.py)|\./[\w./-]+){_ARGS}\s*")
GENERATOR_HEAD = '''\
"""The input that scripts of the imported assignment generate, each seeded by what a case draws."""

import contextlib
import io
import random as module
import sys


def _written(script, args, random):
    module.seed(random.getrandbits(64))
    output, kept = io.StringIO(), sys.argv
    sys.argv = [script[0], *args]
    try:
        with contextlib.redirect_stdout(output):
            exec(compile(script[1], script[0], "exec"), {"__name__": "__main__"})
    finally:
        sys.argv = kept
    return output.getvalue()
'''


class SolvedCase(NamedTuple):
    """A test case as a spec says it: the program, the reference and the case, with a function that draws the input."""

    program: Sequence[str]
    reference: CourseFile
    case: DraftCase
    generator: str
    """its text; empty where no input is drawn"""


def solved_case(case: Mapping[str, Any], folder: Folder, assignment_id: str, number: int) -> SolvedCase:
    """Read a test case with `solution_commands`; NoCounterpartError for one that does more than run a script."""
    commands = case_commands(case)
    if len(commands) != 1:
        raise NoCounterpartError("solution_commands beside several commands have no counterpart")
    student, solution = _STUDENT.fullmatch(commands[0]), _matched(case.get("solution_commands"))
    if not student or not solution:
        raise NoCounterpartError("solution_commands that do more than to run one script in Python have no counterpart")
    same = (student["args"].split(), student["input"]) == (solution["args"].split(), solution["input"])
    validation = mappings_of(case.get("validation"))
    is_compared = all(
        "iff" in str(one.get("method"))
        and (one.get("actual_file"), one.get("expected_file")) == ("STDOUT.txt", solution["output"])
        for one in validation
    )
    if not (same and validation and is_compared):
        raise NoCounterpartError("solution_commands with another input, or another comparison than of STDOUT.txt")
    script, start, name = solution["script"], student["start"], student["input"] or ""
    reference = CourseFile(name=script.rpartition("/")[2], content=_content(script, folder), folder="reference")
    stdin, generator = _input_of(case, name, folder, f"data/{assignment_id}/generate.py", number)
    return SolvedCase(
        program=("sh", "-c", f'{start} "$@"', "sh") if needs_shell(start) else tuple(shlex.split(start)),
        reference=reference,
        case=DraftCase(
            stdin=stdin,
            expect={"stdout": {"lines": plain("reference"), "credit": plain("share")}},
            keys={"args": student["args"].split() or None},
        ),
        generator=generator,
    )


def _input_of(case: Mapping[str, Any], name: str, folder: Folder, place: str, number: int) -> tuple[Data, str]:
    """Return the standard input of a solved case, and the function at `place` that draws it, where it is drawn."""
    if not name and case.get("input_generation_commands"):
        raise NoCounterpartError("input that is generated for something else than standard input")
    if not name or f"test_input/{name}" in folder.files:
        inner = f"test_input/{name}"
        return {"file": CourseFile(name=inner, content=folder.content(inner))} if name else None, ""
    made, function = _matched(case.get("input_generation_commands")), f"{harmless_name(name)}_{number}"
    if not made or made["output"] != name or made["input"]:
        raise NoCounterpartError("input_generation_commands that do more than to run one script in Python")
    pair = (made["script"], _content(made["script"], folder).decode(errors="replace"))
    generator = f"def {function}(random):\n    return _written({pair!r}, {made['args'].split()!r}, random)\n"
    return {"generate": f"{place}:{function}"}, generator


def _matched(commands: Any) -> re.Match[str] | None:
    lines = words_of(commands)
    return _SOLUTION.fullmatch(re.sub(r"\s1>", " >", lines[0])) if len(lines) == 1 else None


def _content(name: str, folder: Folder) -> bytes:
    found = next((place for one in _FOLDERS if (place := f"{one}/{name}") in folder.files), None)
    if found is None:
        raise NoCounterpartError(f"{name} is in none of {', '.join(_FOLDERS[:2])}: put it there and import again")
    return folder.content(found)
