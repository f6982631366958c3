"""`grader lint`: what is wrong with a spec, before students see it.

Mistakes of the language come first, all at once, as the reader reports them. A spec without mistakes is checked by
the rules below. Some of them run the reference where that is possible.
"""

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from pathlib import Path

from msgspec import Struct
from msgspec.structs import asdict, replace

from grader.check import by_reference, flaws, generated, slips
from grader.check.expected_results import places_to_ask_again, reference_results
from grader.check.sample_results import OWN_SOURCE, facts_of_files
from grader.check.subject import RULE_TABLE, Remark, Subject, finders_in
from grader.core import generate, oracle
from grader.core.cache import file_digests, user_cache
from grader.core.errors import HostError, Problem, SpecError
from grader.core.kind import KINDS, kinds_in, module_of
from grader.core.languages import SYSTEM_PATH
from grader.core.model.spec import Spec
from grader.core.pipeline import prepare
from grader.core.python_packages import OWN_VERSION, libraries_of_course_functions, runs_in_our_python
from grader.core.reader.files import needs
from grader.core.reader.spec_cache import load_cached
from grader.core.text import one_line
from grader.kinds import Flaw
from grader.kinds.unit_tests.junit_jars import JAVA_LIBRARIES

_MAX_REASON = 1000  # bytes of why something was not checked
_OF_KINDS = (module_of(kind, "check") for kind in KINDS.values())
_FINDERS = finders_in(flaws, by_reference, slips, generated, *_OF_KINDS)
LANGUAGE, CIRCLE = "spec", "needs-circle"  # the rules that are about files which are no specs
RULES = {name: rule for name, rule in RULE_TABLE.items() if name not in (LANGUAGE, CIRCLE) and rule.asks != "all"}
RULE_DESCRIPTIONS = {name: (rule.about, rule.level) for name, rule in RULE_TABLE.items() if rule.asks != "all"}
"""name of a rule -> what it is about, and its level"""


class Examination(Struct, frozen=True, kw_only=True):
    """All that was found out about a spec."""

    file: str
    remarks: tuple[Remark, ...]
    spec: Spec | None = None  # None when the file is none
    unchecked: Mapping[str, str] = {}  # rule -> why it was not looked at


Asked = tuple[list[Remark], dict[str, str], bool]
"""what came of the rules for which something of the course is run; what was asked for and not run, and why; and
whether this is the same each time: nothing is wrong, and no machine was to blame"""
Ask = Callable[[Subject], Asked]


def asking(sandbox: str, jobs: int) -> Ask:
    """Return what runs the course of a spec in the sandbox, `jobs` cases at a time, unless nothing it sees has changed.

    A right outcome is cached by content: the spec and all it names, the references, our own source, the system's tools.
    Packages may change while a spec stays the same, and Python code of the course that runs beside us sees everything.
    """
    tools = {Path(name).resolve() for name in (*SYSTEM_PATH.split(":"), str(JAVA_LIBRARIES), "/var/lib/dpkg/status")}
    around = [OWN_VERSION, facts_of_files(OWN_SOURCE, *tools)]

    def ask(subject: Subject) -> Asked:
        spec, find = subject.spec, partial(_ask_course, subject, sandbox, jobs)
        try:
            references = file_digests(oracle.answers.reference_files(spec)) if spec.has_references else {}
            secret = generate.find_secret(spec.root) if spec.seed else ""
        except HostError:
            return find()
        key = ["lint", str(spec.root), spec.digest, references, secret, sandbox, around]
        is_steady = not (spec.requires or spec.packaged or runs_in_our_python(spec))
        return user_cache().get_or_make(key, Asked, find, is_storable=lambda asked: asked[2] and is_steady)  # type: ignore[arg-type]

    return ask


def _ask_course(subject: Subject, sandbox: str, jobs: int) -> Asked:
    """Check a spec by the rules for which something of its course is run."""
    spec = subject.spec
    try:
        libraries_of_course_functions(spec)
    except HostError as error:
        return _collect(subject, dict.fromkeys(("functions", "reference"), one_line(str(error), _MAX_REASON)))
    if failing := flaws.failing_generator(subject):
        return _collect(subject, {"reference": "a generator fails"}, [failing])
    absent = {} if spec.has_references else {"reference": "there is no reference"}
    own = finders_in(*(module_of(kind, "check") for kind in kinds_in(spec)))
    if absent and not any(RULES[name].takes_course for name, _ in own):
        return _collect(subject, absent, is_sure=True)
    try:
        course = prepare(Path(subject.file), sandbox=sandbox, workers=jobs)
        answers = reference_results(course, jobs)
    except HostError as error:
        drawn = flaws.failing_generator_program(subject, str(error))
        return _collect(subject, absent or {"reference": one_line(str(error), _MAX_REASON)}, drawn)
    is_sure = all(answers[at].is_asked_twice for at in places_to_ask_again(answers))  # else the machine failed
    is_sure = is_sure and not any(answer.error for answer in answers)
    return _collect(replace(subject, course=course, answers=() if absent else answers), absent, is_sure=is_sure)


def _collect(
    subject: Subject, unchecked: Mapping[str, str], drawn: Iterable[Flaw] = (), *, is_sure: bool = False
) -> Asked:
    remarks = [*_remarks(subject, unchecked, runs=True), *(subject.remark("course-function", flaw) for flaw in drawn)]
    is_sure = is_sure and not subject.faults and not any(remark.level == "error" for remark in remarks)
    return remarks, dict(unchecked), is_sure


def _remarks(subject: Subject, unchecked: Mapping[str, str], *, runs: bool) -> Iterator[Remark]:
    """Check a spec by the rules that look at what was run, or by the others, and not by those that are `unchecked`."""
    for name, find in _FINDERS:
        if RULES[name].runs == runs and RULES[name].asks not in unchecked:
            yield from find(subject)


_run_nothing: Ask = partial(_collect, unchecked=dict.fromkeys(("functions", "reference"), "nothing was run"))


def examine(path: Path, ask: Ask | None, ignore: Collection[str] = ()) -> Examination:
    """Check a spec by all rules but some. Without `ask`, nothing of the course is run, and more rules are skipped."""
    try:
        spec = load_cached(path, user_cache())
    except SpecError as error:
        return Examination(file=str(path), remarks=_remark_problems(path, error.problems))
    subject = Subject.of(spec, str(path))
    remarks, unchecked, _ = (ask or _run_nothing)(subject)
    cached = (replace(remark, file=subject.file) for remark in remarks)  # perhaps of another name of the file
    remarks = sorted({each for each in (*_remarks(subject, {}, runs=False), *cached) if each.rule not in ignore})
    asked = {name: rule.asks for name, rule in RULES.items() if name not in ignore}
    unchecked = {name: unchecked[what] for name, what in asked.items() if what in unchecked}
    return Examination(file=str(path), remarks=tuple(remarks), spec=spec, unchecked=unchecked)


# ---------------------------------------------------------------- files that are no specs


def _remark_problems(path: Path, problems: tuple[Problem, ...]) -> tuple[Remark, ...]:
    """Make remarks of mistakes in the language; of needs that go round, one that says why no order helps."""
    told: Mapping[str, str] = {}
    with suppress(SpecError, OSError):
        told = circle(needs(path.read_bytes(), str(path)))
    circular = {where: {"message": message, "rule": CIRCLE} for where, message in told.items()}
    fields = [problem._asdict() | circular.get(problem.path, {"rule": LANGUAGE}) for problem in problems]
    return tuple(sorted(Remark(**each, level="error") for each in fields if each["message"]))


def circle(needs: Mapping[str, Mapping[str, str]]) -> Mapping[str, str]:
    """Return the paths of the first circle among the needs of tests, one with what to say of it, the others with "".

    Given test -> what it needs -> the path where that is stated; empty without a circle. `load` refuses needs that look
    forward; this says why no order helps.
    """
    order = [*needs]
    graph = {name: [need for need in own if need in needs and need != name] for name, own in needs.items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        trail = error.args[1][:0:-1]
        first = trail.index(min(trail, key=order.index))
        trail = [*trail[first:], *trail[:first], trail[first]]
        paths = [needs[test][need] for test, need in pairwise(trail) if order.index(need) > order.index(test)]
        return dict.fromkeys(paths, "") | {paths[0]: RULE_TABLE[CIRCLE].say(tests=trail)}
    return {}


# ---------------------------------------------------------------- for programs


def remarks_to_json(remarks: Iterable[Remark]) -> str:
    """Return a list of all remarks."""
    return json.dumps([asdict(remark) for remark in remarks], indent=2, ensure_ascii=False)


def finding_rows(examinations: Iterable[Examination], root: Path) -> Iterator[tuple[str, str, str, int, str, int]]:
    """Yield rule, message, file (relative to `root` where it lies below it), line, level and column of all remarks.

    A rule that was not checked is a note without a file.
    """
    for examination in examinations:
        for name, why in examination.unchecked.items():
            yield name, f"{examination.file}: {name} was not checked: {why}", "", 0, "note", 1
        for remark in examination.remarks:
            path = Path(remark.file).resolve()
            file = str(path.relative_to(root) if path.is_relative_to(root) else path)
            message = f"{remark.path}: {remark.message}" if remark.path else remark.message
            yield remark.rule, message, file, remark.line, remark.level, remark.column
