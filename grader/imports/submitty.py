"""Submitty's `config.json` -> a spec.

What compiles is the build. A test case that runs commands becomes a test, or several with the points that its
validators cost: there, it has all its points less what each validator costs, as far as it was not met, and never less
than 0. A validator that no spec can express becomes a check to be written.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

from grader.core.errors import UsageError
from grader.core.text import listed, one_line
from grader.core.yaml.nodes import plain
from grader.imports import Imported, identifier
from grader.imports import submitty_validators as known
from grader.imports.draft import CourseFile, Data, Draft, DraftCase, DraftTest, Loss, OpenCheck, losses_where
from grader.imports.folder import Folder, read_folder, safe_path
from grader.imports.shell_lines import common_program, find_language, to_words
from grader.imports.submitty_validators import Json
from grader.imports.writer import to_imported

_MAX_LIMIT = 2**50  # from which on a limit is none
_RLIMITS: Mapping[str, Callable[[int], dict[str, Data]]] = {  # those that have a counterpart
    "RLIMIT_CPU": lambda seconds: {"cpu": seconds, "time": 2 * seconds + 5},
    "RLIMIT_NPROC": lambda number: {"processes": max(8, number)},
    **dict.fromkeys(("RLIMIT_AS", "RLIMIT_RSS"), lambda size: {"memory": max(16, size >> 20) << 20}),
}
_COSTS_ALL, _NEAR = 0.99, 0.01  # a share that costs all, and by how much shares that are rounded may be off


def import_submitty(path: Path, name: str | None = None) -> Imported:
    """Convert the config folder of an assignment; UsageError for another folder, or for files outside it."""
    path = path.parent if path.name == "config.json" else path
    path = path / "config" if (path / "config" / "config.json").is_file() else path
    folder = read_folder(path, "config.json")
    config = known.read_config(folder)
    cases = known.mappings_of(config["testcases"])
    if not cases:
        raise UsageError(f"{folder.path / 'config.json'} has no test cases")
    named = folder.path.parent.name if folder.path.name == "config" else folder.path.name
    program, language = _program_of(cases)
    validators = known.Validators(folder=folder, id=identifier(name, named), language=language)
    converter = _Cases(validators=validators)
    tests = [test for number, case in enumerate(cases, 1) for test in converter.tests(case, number)]
    if not tests:
        raise UsageError(f"{folder.path / 'config.json'} has no test case that can be carried over")
    counted = [case for case in cases if case.get("extra_credit") is not True and "max_submissions" not in case]
    worth = [max(0.0, known.number_of(case.get("points"), 0)) for case in counted]
    return to_imported(
        Draft(
            id=validators.id,
            format="submitty",
            origin=f"config.json of Submitty ({one_line(named)})",
            language=language,
            program=program,
            keys=_keys(config, cases, validators),
            tests=tests,
            points=sum(map(Fraction, map(str, worth))),
            losses=[*validators.losses, *_losses(config, cases, folder)],
            files=validators.files,
        )
    )


def _program_of(cases: Sequence[Json]) -> tuple[Sequence[str], str]:
    """Return the program of the test cases, and the language of what is compiled, or started, or counted in."""
    lines = [line for case in cases if not known.is_compilation_case(case) for line in known.case_commands(case)]
    runs = [line for line in lines if not (known.runs_junit([line]) or known.is_count(line))]
    program = common_program(runs or ["ls"])
    compiled = [line for case in cases if known.is_compilation_case(case) for line in known.case_commands(case)]
    words = [*program, *(word for line in program for word in line.split())]
    counts = [word for line in filter(known.is_count, lines) for word in line.split()]
    others = [*map(known.SUBMITTY["languages"].get, counts), "java" if known.runs_junit(lines) else None]
    return program, find_language(compiled, (word for word in words if word != "sh"), *others)


def _keys(config: Json, cases: Sequence[Json], validators: known.Validators) -> dict[str, Data]:
    """Return the keys of the spec for the build, the limits and what all cases share."""
    folder = validators.folder
    keys: dict[str, Data] = {"limits": _read_rlimits(config.get("resource_limits"))}
    compiling = [case for case in cases if known.is_compilation_case(case) and not _is_of_course(case, folder)]
    if lines := list(dict.fromkeys(line for case in compiling for line in known.case_commands(case))):
        given = _files("provided_code", folder)
        products = [name for case in compiling for name in known.words_of(case.get("executable_name"))]
        folders = sorted({f"{safe_path(name).rpartition('/')[0]}/*" for name in products if "/" in name})
        keys["build"] = {
            "run": list(map(to_words, lines)),
            "produces": ["*"] if given else ["*", *folders],
            "with": given or None,
        }
    inputs = _files("test_input", folder)
    expect = {"crash": plain("allowed")} if validators.language in known.WITH_EXCEPTIONS else None
    if inputs or expect:
        keys["defaults"] = {"files": inputs or None, "expect": expect}
    return keys


def _files(below: str, folder: Folder) -> dict[str, CourseFile]:
    """Return the files of a folder of the course, but tests for JUnit among the inputs."""
    return {
        name: CourseFile(name=safe_path(f"{below}/{name}"), content=content)
        for name, content in folder.below(below).items()
        if below != "test_input" or not name.endswith("Test.java")
    }


def _losses(config: Json, cases: Sequence[Json], folder: Folder) -> list[Loss]:
    """Return what could not be carried over as it was."""
    validation = [validator for case in cases for validator in known.mappings_of(case.get("validation"))]
    methods = {str(validator.get("method")) for validator in validation}
    compilations = [case for case in cases if known.is_compilation_case(case)]
    graded, limits = config.get("grading_parameters"), config.get("resource_limits")
    other_limits = sorted(map(str, set(limits) - _RLIMITS.keys())) if isinstance(limits, dict) else []
    return losses_where(
        {
            "diff": any("iff" in method for method in methods),
            "tolerance": any(validator.get("tolerance") for validator in validation),
            "warnings": bool(methods & {"warnIfEmpty", "warnIfNotEmpty"}),
            "counts": any(known.is_count(line) for case in cases for line in known.case_commands(case)),
            "build": bool(compilations),
            "junit-build": any(_is_of_course(case, folder) for case in compilations),
            "ta-points": isinstance(graded, dict) and known.number_of(graded.get("TA_POINTS"), 0) != 0,
            **{rule: bool(config.get(key)) for rule, key in known.LEFT_OUT.items()},
            "unknown-keys": listed(list(known.unknown_keys(config, cases)), most=8),
            "limits": listed(other_limits, most=5),
        }
    )


# ---------------------------------------------------------------- test cases


def _read_rlimits(stated: Any) -> dict[str, Data] | None:
    limits: dict[str, Data] = {}
    for name, value in stated.items() if isinstance(stated, dict) else ():
        if name in _RLIMITS and type(value) is int and 0 < value < _MAX_LIMIT:
            limits |= _RLIMITS[name](value)
    return limits or None


def _is_of_course(case: Json, folder: Folder) -> bool:
    """Whether a test case compiles only tests of the course's own."""
    sources = [word for line in known.case_commands(case) for word in line.split() if word.endswith(".java")]
    return bool(sources) and all(known.course_test(source, folder) for source in sources)


@dataclass(slots=True, kw_only=True)
class _Cases:
    """The conversion of all test cases of an assignment."""

    validators: known.Validators
    titles: Counter[str] = field(default_factory=Counter)

    def tests(self, case: Json, number: int) -> Iterator[DraftTest]:
        """Yield the tests that a test case becomes."""
        title = one_line(str(case.get("title", f"Test {number}")), 100) or f"Test {number}"
        self.titles[title] += 1
        if self.titles[title] > 1:
            title = f"{title} #{self.titles[title]}"
        worth = known.number_of(case.get("points"), 0)
        if worth < 0 or "max_submissions" in case:
            self.validators.losses.append(Loss(rule="penalty", where=title))
            return
        keys: dict[str, Data] = {
            "bonus": True if case.get("extra_credit") is True else None,
            "limits": _read_rlimits(case.get("resource_limits")),
        }
        is_hidden = case.get("hidden") is True
        if is_hidden and case.get("release_hidden_details"):
            keys["visibility"], is_hidden = "after-due", False
        about = one_line(str(case.get("details") or ""), 300)
        test = DraftTest(name=title, points=Fraction(str(worth)), about=about, hidden=is_hidden, keys=keys)
        place = f"(testcases[{number - 1}] of config.json)"
        open_check = OpenCheck(name=title, reason=place, source=json.dumps(case, indent=1)[:8000])
        try:
            demands = self._demands(case, open_check)
        except known.NoCounterpartError as reason:
            yield replace(test, cases=replace(open_check, reason=f"{reason} {place}"))
        else:
            yield from self._parts(test, demands, case)

    # ------------------------------------------------------------ what is asked

    def _demands(self, case: Json, open_check: OpenCheck) -> list[known.Criterion]:
        """Return what the validators of a test case ask for."""
        for key, why in known.SUBMITTY["no_counterpart_keys"].items():
            if case.get(key):
                raise known.NoCounterpartError(f"{key}: {why}")
        validation = known.mappings_of(case.get("validation"))
        if known.is_compilation_case(case):
            return self._demands_of_build(case, validation, open_check)
        if case.get("type") == "FileCheck":
            validation = validation or [{key: case[key] for key in ("actual_file", "one_of") if key in case}]
            validation = [{"method": "fileExists", **validator} for validator in validation]
        if not validation:
            raise known.NoCounterpartError("it has no validators")
        commands = _checked_commands(case, validation)
        whole = {} if _is_partial(case) else {"partial_credit": False}
        demands: list[known.Criterion] = []
        for validator, share in zip(validation, known.validator_shares(validation), strict=True):
            try:
                demands += self.validators.demands({**validator, **whole}, share, commands) if share > 0 else ()
            except known.NoCounterpartError as reason:
                demands.append(_open_demand(share, open_check, str(reason)))
        return demands

    def _demands_of_build(self, case: Json, validation: Sequence[Json], open_check: OpenCheck) -> list[known.Criterion]:
        """Return what a compilation has to leave behind."""
        products = known.words_of(case.get("executable_name"))
        if not products or validation:
            raise known.NoCounterpartError("a compilation without executable_name, or with validators of its own")
        if _is_of_course(case, self.validators.folder):
            first = known.junit_demands(known.case_commands(case), self.validators.folder)[0]
            return [replace(first, share=1.0, keys={**first.keys, "credit": {"1": "100%"}})]
        demands: list[known.Criterion] = []
        for product in products:
            expect = {**self.validators.succeeds, "files": {"present": [safe_path(product)]}}
            demands.append(known.Criterion(share=1 / len(products), case=DraftCase(command=["ls"], expect=expect)))
        cost = min(1.0, known.number_of(case.get("warning_deduction"), 0))
        return demands + [_open_demand(cost, open_check, "warnings of the compiler cost nothing here")] * (cost > 0)

    # ------------------------------------------------------------ points

    def _parts(self, test: DraftTest, demands: Sequence[known.Criterion], case: Json) -> Iterator[DraftTest]:
        """Yield the tests of a test case, each with its part of the points."""
        worth, losses, is_partial = Fraction(test.points or 0), self.validators.losses, _is_partial(case)
        total = sum(demand.share for demand in demands)
        parts = _share_points(demands, total, is_partial=is_partial)
        rest = 1 - sum(part.share for part in parts)
        if not parts and not worth:
            losses.append(Loss(rule="no-points", where=test.name))
            return
        if is_partial and total > 1 + _NEAR and min(demand.share for demand in demands) < _COSTS_ALL:
            losses.append(Loss(rule="scaled", where=test.name, detail=f"{total:.0%}"))
        parts += [_Part([known.Criterion(case=known.FREE)], rest)] * (rest > _NEAR)
        remaining = worth
        for number, part in enumerate(parts, 1):
            own = remaining if number == len(parts) else round(worth * Fraction(part.share), 2)
            remaining -= own
            keys = {**test.keys, **{key: value for demand in part.demands for key, value in demand.keys.items()}}
            keys["all_or_nothing"] = None if is_partial else True
            yield replace(
                test,
                name=f"{test.name} ({number})" if len(parts) > 1 else test.name,
                points=own,
                needs=[f"{test.name} ({part.needs})"] if part.needs else (),
                keys=keys,
                cases=self._cases(case, part.demands),
            )
        if rest > _NEAR:
            losses.append(Loss(rule="rest", where=test.name, detail=f"{rest:.0%}"))

    # ------------------------------------------------------------ what is run

    def _cases(self, case: Json, demands: Sequence[known.Criterion]) -> Sequence[DraftCase]:
        """Return the case that runs the commands of a test case and meets all demands; none for rules and units."""
        if demands[0].is_alone:
            return [demand.case for demand in demands[:1] if demand.case]
        lines = {place: line for place, line in enumerate(known.case_commands(case)) if not known.is_count(line)}
        if len(lines) > 1:  # each writes its own files
            script = "\n".join(f"{line} >STDOUT_{place}.txt 2>STDERR_{place}.txt" for place, line in lines.items())
            return [DraftCase(command=("sh", "-c", script), **_join_demands(demands, -1))]
        place, line = next(iter(lines.items()), (0, "true"))  # such as for the answers of a quiz
        start, files = DraftCase(command=to_words(line)), self.validators.folder.files
        redirected = re.fullmatch(r"([^<>|;&]+?)\s*<\s*([\w./-]+)", line)
        if redirected and (name := f"test_input/{redirected[2]}") in files:
            stdin = CourseFile(name=safe_path(name), content=files[name])
            start = DraftCase(command=to_words(redirected[1]), stdin=stdin)
        return [replace(start, **_join_demands(demands, place))]


def _is_partial(case: Json) -> bool:
    """Whether meeting some of the demands gives some of the points."""
    return case.get("partial_credit") is not False and case.get("allow_partial_credit") is not False


def _checked_commands(case: Json, validation: Sequence[Json]) -> Sequence[str]:
    commands = known.case_commands(case)
    names = [name for validator in validation for name in known.words_of(validator.get("actual_file"))]
    if not commands and (case.get("containers") or not names or {*known.WRITTEN_STREAMS} & {*names}):
        raise known.NoCounterpartError("it has no command, or programs in several containers; see `interactor`")
    for line in commands:
        if re.match(r"(?:/\S*/)?submitty_|comment_count", line) and not known.is_count(line):
            raise known.NoCounterpartError(f"`{one_line(line, 60)}` is a tool of Submitty's; see `source` and `style`")
    return commands


def _open_demand(share: float, open_check: OpenCheck, reason: str) -> known.Criterion:
    check = replace(open_check, reason=f"{reason} {open_check.reason}")
    return known.Criterion(share=share, case=DraftCase(expect={"stdout": check}))


def _join_demands(demands: Sequence[known.Criterion], only: int) -> dict[str, Any]:
    """Return what one case expects and tolerates to meet all demands; `only` is the place of the only command."""
    asked: dict[str, list[Data]] = {}
    for demand in demands:
        if demand.comparison is not None:
            match = re.fullmatch(r"STD(OUT|ERR)(?:_(\d{1,3}))?\.txt", demand.file)
            name = f"std{match[1].lower()}" if match and int(match[2] or 0) == only else safe_path(demand.file)
            some = asked.setdefault(name, [])
            some += [demand.comparison] if demand.comparison not in some else []
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

    demands: Sequence[known.Criterion]
    share: float  # of the points
    needs: int = 0  # the number of the part before that has to be right


def _share_points(demands: Sequence[known.Criterion], total: float, *, is_partial: bool) -> list[_Part]:
    """Return the tests of a test case; what their shares leave no validator costs."""
    # Without `is_partial`, everything has to hold; what costs all has to hold for the others to count.
    gates = [demand for demand in demands if not is_partial or demand.share >= _COSTS_ALL]
    others = [demand for demand in demands if demand not in gates]
    scale = total if total > 1 - _NEAR else 1.0
    if not gates or (others and total <= 1 + _NEAR):
        return [_Part([demand], demand.share / scale) for demand in demands]
    less = sum(demand.share for demand in others)
    joint = [demand for demand in gates if not demand.is_alone]
    groups = [*([joint] if joint else []), *([demand] for demand in gates if demand.is_alone)]
    parts = [_Part(group, 0.0, place) for place, group in enumerate(groups)]
    parts[-1] = parts[-1]._replace(share=max(0.0, 1 - less))
    return parts + [_Part([demand], demand.share / max(1, less), len(parts)) for demand in others]
