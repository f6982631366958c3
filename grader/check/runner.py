"""`grader lint`: what is wrong with a spec, before students see it.

Mistakes of the language come first, all at once, as the reader reports them. A spec without mistakes is checked by
the rules below. Some of them run the reference where that is possible.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path

from grader.check import (
    by_reference,
    checks,
    commands,
    flaws,
    generated,
    idle_keys,
    prompts,
    same_input,
    scripts,
    slips,
)
from grader.check.expected_results import ReferenceResult, ask_all
from grader.check.second_answers import ask_again
from grader.check.subject import Flaw, Level, LintRule, Subject, rules_in
from grader.core.errors import HostError, Problem, SpecError
from grader.core.kind import KINDS, kinds_in, module_of
from grader.core.model.spec import Spec
from grader.core.pipeline import Course, prepare
from grader.core.python_packages import libraries_of_course_functions
from grader.core.reader.files import needs, nodes_by_path
from grader.core.reader.spec import load
from grader.core.text import one_line

Ask = Callable[[Path], tuple[Course, tuple[ReferenceResult, ...]]]
"""Asks the reference in every case of a spec; raises HostError when nothing can be run here."""
Needs = Mapping[str, Mapping[str, str]]  # test -> what it needs -> the path where that is stated

_MESSAGE_LIMIT = 1000  # bytes of a message: names in it may be anything


LANGUAGE, CIRCLE = "spec", "needs-circle"
ABOUT: Mapping[str, str] = {
    LANGUAGE: "The file is no spec in the language that this grader knows; nothing is graded with it.",
    CIRCLE: "Tests that need one another are never run.",
}
"""the rules that are about files which are no specs; what they find is always an error"""
_GENERAL = (flaws, same_input, by_reference, commands, slips, scripts, prompts, idle_keys, checks, generated)
"""the modules of the rules for all kinds of cases; those for one kind stand in the `check.py` of its room"""


_FOUND = [item for one in (*_GENERAL, *(module_of(kind, "check") for kind in KINDS.values())) for item in rules_in(one)]
RULES = {name: rule for name, rule in _FOUND if isinstance(rule, LintRule)}
"""name -> rule, in the order in which they are listed"""


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Remark:
    """Something that is wrong: where (`line` and `column` count from 1), by which rule, and what to do about it."""

    file: str
    line: int
    column: int
    path: str
    rule: str
    level: Level
    message: str

    def __str__(self) -> str:
        """`specs/x.yaml:14:7: warning: tests[2]: ... [rule]`, as compilers write it, so that editors can jump there."""
        path = f"{self.path}: " if self.path else ""
        return f"{self.file}:{self.line}:{self.column}: {self.level}: {path}{self.message} [{self.rule}]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Examination:
    """All that was found out about a spec."""

    file: str
    remarks: tuple[Remark, ...]
    spec: Spec | None = None  # None when the file is none
    unchecked: Mapping[str, str] = field(default_factory=dict)  # rule -> why it was not looked at


def asking(sandbox: str, jobs: int) -> Ask:
    """Return what asks references in the sandbox, `jobs` cases at a time."""

    def ask(path: Path) -> tuple[Course, tuple[ReferenceResult, ...]]:
        course = prepare(path, sandbox=sandbox, workers=jobs)
        return course, ask_again(course, ask_all(course, jobs), jobs)

    return ask


def examine(path: Path, ask: Ask | None) -> Examination:
    """Check a spec by all rules. Without `ask`, nothing of the course is run, and some rules are skipped."""
    try:
        spec = load(path)
    except SpecError as error:
        return Examination(file=str(path), remarks=_remark_problems(path, error.problems))
    subject = Subject(spec=spec, file=str(path), nodes=nodes_by_path(spec.source_text, str(path)))
    if ask is None:
        return _examination(subject, {"functions": "nothing was run", "reference": "nothing was run"})
    if stopped := _try_course_functions(subject):
        return stopped
    absent = {} if spec.has_references else {"reference": "there is no reference"}
    if absent and not _takes_course(spec):
        return _examination(subject, absent)
    try:
        course, answers = ask(path)
    except HostError as error:
        failed = checks.failing_generator_program(subject, str(error))
        drawn = [_remark(subject, "course-function", flaw) for flaw in failed]
        return _examination(subject, absent or {"reference": one_line(str(error), _MESSAGE_LIMIT)}, drawn)
    return _examination(replace(subject, course=course, answers=() if absent else answers), absent)


def _takes_course(spec: Spec) -> bool:
    """Whether a rule of one of the kinds in a spec runs something of the course's that is no reference."""
    used = {name for kind in kinds_in(spec) for name, _ in rules_in(module_of(kind, "check"))}
    return any(RULES[name].takes_course for name in used)


def _try_course_functions(subject: Subject) -> Examination | None:
    """Return what can be said where packages are missing, or a generator fails; None where all is there."""
    try:
        libraries_of_course_functions(subject.spec)
    except HostError as error:
        why = one_line(str(error), _MESSAGE_LIMIT)
        return _examination(subject, {"functions": why, "reference": why})
    if flaw := checks.failing_generator(subject):
        return _examination(subject, {"reference": "a generator fails"}, [_remark(subject, "course-function", flaw)])
    return None


def _examination(subject: Subject, unchecked: Mapping[str, str], drawn: Sequence[Remark] = ()) -> Examination:
    """Hold a spec against the rules, but for those that ask for what is `unchecked`, with the reason."""
    found = [
        _remark(subject, name, flaw)
        for name, rule in _FOUND
        if RULES[name].asks not in unchecked
        for flaw in (rule.find if isinstance(rule, LintRule) else rule)(subject)
    ]
    return Examination(
        file=subject.file,
        remarks=tuple(sorted({*found, *drawn})),
        spec=subject.spec,
        unchecked={name: unchecked[rule.asks] for name, rule in RULES.items() if rule.asks in unchecked},
    )


def _remark(subject: Subject, rule: str, flaw: Flaw) -> Remark:
    """Tell of a flaw where its path is, or the nearest above it that is written in the file."""
    written = flaw[0]
    while written not in subject.nodes:
        written = written[: max(written.rfind("."), written.rfind("["), 0)]
    return Remark(
        file=subject.file,
        line=subject.nodes[written].line,
        column=subject.nodes[written].column,
        path=flaw[0],
        rule=rule,
        level=RULES[rule].level,
        message=one_line(flaw[1], _MESSAGE_LIMIT),
    )


# ---------------------------------------------------------------- files that are no specs


def _remark_problems(path: Path, problems: tuple[Problem, ...]) -> tuple[Remark, ...]:
    """Make remarks of mistakes in the language; of needs that go round, one that says why no order helps."""
    try:
        round_trips = tuple(circles(needs(path.read_bytes(), str(path))))
    except (SpecError, OSError):
        round_trips = ()
    explained_problems: list[tuple[Problem, str]] = []
    explained: set[str] = set()
    places = {problem.path: problem for problem in problems}
    for (where, message), paths in round_trips:
        if where in places:
            explained |= paths
            explained_problems.append((places[where]._replace(message=message), CIRCLE))
    explained_problems += [(problem, LANGUAGE) for problem in problems if problem.path not in explained]
    return tuple(sorted(Remark(**problem._asdict(), rule=rule, level="error") for problem, rule in explained_problems))


def circles(needs: Needs) -> Iterator[tuple[Flaw, frozenset[str]]]:
    """Iterate over the circles among the needs of tests: what to say of each, and the paths of the needs in it.

    `load` refuses needs that look forward; this says why no order helps.
    """
    places = {name: place for place, name in enumerate(needs)}
    reported: set[frozenset[str]] = set()
    for start in needs:
        trail = _way_back(needs, start)
        paths = frozenset(needs[one][other] for one, other in pairwise(trail))
        if not trail or paths in reported:
            continue
        reported.add(paths)
        forward = next(pair for pair in pairwise(trail) if places[pair[1]] > places[pair[0]])
        round_trip = " needs ".join(f'"{name}"' for name in trail)
        message = f"{round_trip}: none of them can ever run; take one of these needs out"
        yield (needs[forward[0]][forward[1]], message), paths


def _way_back(needs: Needs, start: str) -> list[str]:
    """Return a shortest way from a test over its needs back to itself; nothing when there is none."""
    ways = [[start]]
    seen: set[str] = set()
    while ways:
        way = ways.pop(0)
        for need in needs[way[-1]]:
            if need == start and len(way) > 1:
                return [*way, start]
            if need in needs and need not in seen and need != start:
                seen.add(need)
                ways.append([*way, need])
    return []
