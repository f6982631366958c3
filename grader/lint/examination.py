"""`grader lint`: what is wrong with a spec, before students see it.

Mistakes of the language come first, all at once, as `load` tells them. A spec without such is held against the rules
below; some of them run the reference, which is done wherever it can be.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from grader import oracle
from grader.errors import HostError, Problem, SpecError
from grader.lint import outcomes as lint_outcomes
from grader.lint import reference as lint_reference
from grader.lint import sense as lint_sense
from grader.lint import wording as lint_wording
from grader.lint.needs import circles
from grader.lint.subject import Level, Rule, Subject
from grader.load import fits, load, needs, source
from grader.model import Spec
from grader.pipeline import Course, prepare
from grader.text import one_line
from grader.verify.right import Answered, ask_all

Ask = Callable[[Path], tuple[Course, tuple[Answered, ...]]]
"""Asks the reference in every case of a spec; raises HostError when nothing can be run here."""

_LONGEST = 1000
"""bytes of a message: names in it may be anything"""
LANGUAGE, CIRCLE = "spec", "needs-circle"
ABOUT: Mapping[str, str] = {
    LANGUAGE: "The file is no spec in the language that this grader knows; nothing is graded with it.",
    CIRCLE: "Tests that need one another are never run.",
}
"""the rules that are about files which are no specs; what they find is always an error"""
RULES: Mapping[str, Rule] = {
    **lint_outcomes.RULES,
    **lint_wording.RULES,
    **lint_sense.RULES,
    **lint_reference.RULES,
}
"""name -> rule; a rule is a function and an entry"""


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
        return Examination(file=str(path), remarks=_of_problems(path, error.problems))
    subject = Subject(spec=spec, source=source(spec, str(path)))
    if ask is None:
        return _examination(subject, {"functions": "nothing was run", "reference": "nothing was run"})
    drawn = _drawn(subject)
    if drawn or spec.reference is None:
        return _examination(subject, {"reference": "a generator fails" if drawn else "there is no reference"}, drawn)
    try:
        course, answers = ask(path)
    except HostError as error:
        return _examination(subject, {"reference": one_line(str(error), _LONGEST)})
    return _examination(replace(subject, course=course, answers=answers), {})


def _examination(subject: Subject, unchecked: Mapping[str, str], drawn: Sequence[Remark] = ()) -> Examination:
    """Hold a spec against the rules, but for those that ask for what is `unchecked`, with the reason."""
    found = [
        _remark(subject, name, path, message)
        for name, rule in RULES.items()
        if rule.asks not in unchecked
        for path, message in rule.find(subject)
    ]
    return Examination(
        file=subject.source.file,
        remarks=tuple(sorted({*found, *drawn})),
        spec=subject.spec,
        unchecked={name: unchecked[rule.asks] for name, rule in RULES.items() if rule.asks in unchecked},
    )


def _remark(subject: Subject, name: str, path: str, message: str) -> Remark:
    line, column = _place(subject, path)
    return Remark(
        file=subject.source.file,
        line=line,
        column=column,
        path=path,
        rule=name,
        level=RULES[name].level,
        message=one_line(message, _LONGEST),
    )


def _place(subject: Subject, path: str) -> tuple[int, int]:
    """Return where a path is, or the nearest above it that is written in the file."""
    places = subject.source.places
    while path not in places:
        path = path[: max(path.rfind("."), path.rfind("["), 0)]
    return places[path]


def _drawn(subject: Subject) -> list[Remark]:
    try:
        oracle.draw(subject.spec, fits)
    except HostError as error:
        return [_remark(subject, "course-function", "tests", f"{error}: mend the generator, or ask for fewer calls")]
    return []


# ---------------------------------------------------------------- files that are no specs


def _of_problems(path: Path, problems: tuple[Problem, ...]) -> tuple[Remark, ...]:
    found: list[Remark] = []
    explained: set[str] = set()
    places = {problem.path: problem for problem in problems}
    for (where, message), paths in circles(_needs(path)):
        if where in places:
            explained |= paths
            found.append(_error(replace(places[where], message=message), CIRCLE))
    found += [_error(problem, LANGUAGE) for problem in problems if problem.path not in explained]
    return tuple(sorted(found))


def _needs(path: Path) -> Mapping[str, Mapping[str, str]]:
    try:
        return needs(path.read_bytes(), str(path))
    except (SpecError, OSError):
        return {}


def _error(problem: Problem, rule: str) -> Remark:
    return Remark(
        file=problem.file,
        line=problem.line,
        column=problem.column,
        path=problem.path,
        rule=rule,
        level="error",
        message=problem.message,
    )
