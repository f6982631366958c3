"""`grader lint`: what is wrong with a spec, before students see it.

Mistakes of the language come first, all at once, as `load` tells them. A spec without such is held against the rules
below; some of them run the reference, which is done wherever it can be.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Literal

from grader import oracle
from grader.errors import HostError, Problem, SpecError
from grader.lint import flaws, reference
from grader.lint.flaws import Flaw, Subject
from grader.load import fits, load, needs, source
from grader.model import Spec
from grader.pipeline import Course, prepare
from grader.text import one_line
from grader.verify.right import Answered, ask_all

Ask = Callable[[Path], tuple[Course, tuple[Answered, ...]]]
"""Asks the reference in every case of a spec; raises HostError when nothing can be run here."""
Needs = Mapping[str, Mapping[str, str]]
"""test -> what it needs -> the path where that is said"""
Level = Literal["error", "warning"]

_MESSAGE_LIMIT = 1000
"""bytes of a message: names in it may be anything"""


@dataclass(frozen=True, slots=True, kw_only=True)
class LintRule:
    """A rule that specs are held against."""

    level: Level
    find: Callable[[Subject], Iterable[Flaw]]
    about: str
    """what is wrong with a spec that breaks it, and why that matters"""
    asks: Literal["nothing", "functions", "reference"] = "nothing"
    """what has to be run for it: the instructor's functions, or the reference in the sandbox"""


LANGUAGE, CIRCLE = "spec", "needs-circle"
ABOUT: Mapping[str, str] = {
    LANGUAGE: "The file is no spec in the language that this grader knows; nothing is graded with it.",
    CIRCLE: "Tests that need one another are never run.",
}
"""the rules that are about files which are no specs; what they find is always an error"""
RULES: Mapping[str, LintRule] = {
    "never-fails": LintRule(
        level="warning",
        about="A test that every program passes gives points away and tells nobody anything.",
        find=flaws.tests_that_never_fail,
    ),
    "never-passes": LintRule(
        level="error",
        about="A test that contradicts itself costs points that nobody can get.",
        find=flaws.tests_that_never_pass,
    ),
    "ignored-expectation": LintRule(
        level="warning",
        about="Something is asked for that is never looked at, so that the test is weaker than it reads.",
        find=flaws.ignored_expectations,
    ),
    "typographic": LintRule(
        level="warning",
        about=(
            "A dash, blank or quotation mark of a word processor in a text for programs: students type the plain one, "
            "and lose the points."
        ),
        find=flaws.typographic_characters,
    ),
    "points-told": LintRule(
        level="warning",
        about="The description tells students another number of points than they can get.",
        find=flaws.wrong_points_told,
    ),
    "no-points": LintRule(level="warning", about="Nobody can get a point.", find=flaws.no_points),
    "unreachable-tolerance": LintRule(
        level="warning",
        about="A tolerance without effect misleads whoever reads the spec about what is forgiven.",
        find=flaws.unreachable_tolerances,
    ),
    "repeated-case": LintRule(
        level="warning",
        about="A case that is there twice counts twice and tests nothing new; often a variable was forgotten.",
        find=flaws.repeated_cases,
    ),
    "hidden-feature": LintRule(
        level="warning",
        about="What only hidden tests ask for, students cannot have tried.",
        find=flaws.hidden_features,
    ),
    "course-function": LintRule(
        level="error",
        about="A check or a generator that cannot be called leaves every submission ungraded.",
        find=reference.uncallable_functions,
        asks="functions",
    ),
    "reference-fails": LintRule(
        level="error",
        about="Where the reference fails, nobody knows what is expected, and every submission is ungraded.",
        find=reference.reference_failures,
        asks="reference",
    ),
    "reference-differs": LintRule(
        level="error",
        about="The reference does not satisfy the spec: one of the two is wrong, and students pay for it.",
        find=reference.reference_differences,
        asks="reference",
    ),
    "tight-limit": LintRule(
        level="warning",
        about="A limit below three times what the reference takes fails right programs on a slower machine.",
        find=reference.tight_limits,
        asks="reference",
    ),
}
"""name -> rule, in the order in which they are told about; a rule is a function and an entry"""


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
    spec: Spec | None = None
    """None when the file is none"""
    unchecked: Mapping[str, str] = field(default_factory=dict)
    """rule -> why it was not looked at"""


def asking(sandbox: str, jobs: int) -> Ask:
    """Return what asks references in the sandbox, `jobs` cases at a time."""

    def ask(path: Path) -> tuple[Course, tuple[Answered, ...]]:
        course = prepare(path, sandbox=sandbox, workers=jobs)
        return course, ask_all(course, jobs)

    return ask


def examine(path: Path, ask: Ask | None) -> Examination:
    """Hold a spec against all rules. Without `ask`, nothing of the course is run, and some rules are left out."""
    try:
        spec = load(path)
    except SpecError as error:
        return Examination(file=str(path), remarks=_remark_problems(path, error.problems))
    subject = Subject(spec=spec, source=source(spec, str(path)))
    if ask is None:
        return _examination(subject, {"functions": "nothing was run", "reference": "nothing was run"})
    drawn = _undrawable(subject)
    if drawn or spec.reference is None:
        return _examination(subject, {"reference": "a generator fails" if drawn else "there is no reference"}, drawn)
    try:
        course, answers = ask(path)
    except HostError as error:
        return _examination(subject, {"reference": one_line(str(error), _MESSAGE_LIMIT)})
    return _examination(replace(subject, course=course, answers=answers), {})


def _examination(subject: Subject, unchecked: Mapping[str, str], drawn: Sequence[Remark] = ()) -> Examination:
    """Hold a spec against the rules, but for those that ask for what is `unchecked`, with the reason."""
    found = [
        _remark(subject, name, flaw)
        for name, rule in RULES.items()
        if rule.asks not in unchecked
        for flaw in rule.find(subject)
    ]
    return Examination(
        file=subject.source.file,
        remarks=tuple(sorted({*found, *drawn})),
        spec=subject.spec,
        unchecked={name: unchecked[rule.asks] for name, rule in RULES.items() if rule.asks in unchecked},
    )


def _remark(subject: Subject, rule: str, flaw: Flaw) -> Remark:
    """Tell of a flaw where its path is, or the nearest above it that is written in the file."""
    path, message = flaw
    written, places = path, subject.source.places
    while written not in places:
        written = written[: max(written.rfind("."), written.rfind("["), 0)]
    line, column = places[written]
    return Remark(
        file=subject.source.file,
        line=line,
        column=column,
        path=path,
        rule=rule,
        level=RULES[rule].level,
        message=one_line(message, _MESSAGE_LIMIT),
    )


def _undrawable(subject: Subject) -> list[Remark]:
    """Draw what the course's generators give, and remark the first that fails."""
    try:
        oracle.draw(subject.spec, fits)
    except HostError as error:
        flaw = "tests", f"{error}: mend the generator, or ask for fewer calls"
        return [_remark(subject, "course-function", flaw)]
    return []


# ---------------------------------------------------------------- files that are no specs


def _remark_problems(path: Path, problems: tuple[Problem, ...]) -> tuple[Remark, ...]:
    """Make remarks of mistakes in the language; of needs that go round, one that says why no order helps."""
    try:
        round_trips = tuple(circles(needs(path.read_bytes(), str(path))))
    except (SpecError, OSError):
        round_trips = ()
    told: list[tuple[Problem, str]] = []
    explained: set[str] = set()
    places = {problem.path: problem for problem in problems}
    for (where, message), paths in round_trips:
        if where in places:
            explained |= paths
            told.append((replace(places[where], message=message), CIRCLE))
    told += [(problem, LANGUAGE) for problem in problems if problem.path not in explained]
    return tuple(
        sorted(
            Remark(
                file=problem.file,
                line=problem.line,
                column=problem.column,
                path=problem.path,
                rule=rule,
                level="error",
                message=problem.message,
            )
            for problem, rule in told
        )
    )


def circles(needs: Needs) -> Iterator[tuple[Flaw, frozenset[str]]]:
    """Iterate over the circles among the needs of tests: what to say of each, and the paths of the needs in it.

    `load` refuses needs that look forward; this says why no order helps.
    """
    places = {name: place for place, name in enumerate(needs)}
    told: set[frozenset[str]] = set()
    for start in needs:
        trail = _way_back(needs, start)
        paths = frozenset(needs[one][other] for one, other in pairwise(trail))
        if not trail or paths in told:
            continue
        told.add(paths)
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
