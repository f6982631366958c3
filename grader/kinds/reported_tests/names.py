"""Which tests there are: those that the spec names, or those in the report of the reference, which is asked once."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from grader.core.diagnosis import find_cause
from grader.core.errors import GraderError
from grader.core.model.execution import Execution
from grader.core.model.spec import Case, Test
from grader.core.pipeline import reference_execution
from grader.core.reader.selection import select_tests, weigh_tests
from grader.core.text import quote
from grader.kinds.reported_tests.model import (
    IDLE_OUTCOMES,
    NAMELESS,
    ReportedOutcome,
    ReportedTestCase,
    TestOutcome,
    TestReport,
    TestsRun,
)

if TYPE_CHECKING:
    from grader.core.course import Course

_OUTCOMES: Mapping[TestOutcome, str] = {
    "failed": "fails",
    "error": "ends with an error",
    "skipped": "is skipped",
    "todo": "is marked as TODO",
}


def prepare_submission(course: "Course", _student: str) -> "Course":
    """Return the course with a case for each test in the reference's report, of the tests that wait for it."""

    def named(test: Test) -> Test:
        first = ReportedTestCase.of(test.cases[0])
        if first is None or first.unavailable or first.full or (first.name and course.spec.reference is None):
            return test
        try:
            cases = tuple(_known_cases(test, first, course))
        except LookupError as error:
            cases = tuple(_with(one, unavailable=error.args[0]) for one in test.cases)
        return replace(test, cases=cases)

    return replace(course, spec=replace(course.spec, tests=tuple(map(named, course.spec.tests))))


def _known_cases(test: Test, first: ReportedTestCase, course: "Course") -> Iterator[Case]:
    """Yield the cases with what the reference's run has shown. Raises LookupError where nothing can be graded."""
    if course.spec.reference is None:
        raise LookupError(f"The names of the tests are not known: {NAMELESS}")
    found = reference_execution(_with(test.cases[0], name="", full=""), course)
    report, ended = _usable_report(found)
    labels, outcomes = _label_tests(report.results), {one.full: one.outcome for one in reversed(report.results)}
    live = {one.full for one in report.results if one.outcome not in IDLE_OUTCOMES}
    idle = {} if first.name else {name: outcomes[full] for name, full in labels.items() if full not in live}
    known = {"total": report.finished, "plans": report.plans, "idle": tuple(idle.items())}
    status = ended if report.is_all_passed else 0
    for case in test.cases if first.name else _cases(test, labels, idle):
        yield _with(case, **_facts_of(ReportedTestCase.required(case), report), **known, status=status)


def _with(case: Case, **facts: Any) -> Case:
    return replace(case, payload=replace(ReportedTestCase.required(case), **facts))


def _usable_report(found: Execution | GraderError) -> tuple[TestReport, int]:
    """Return the report of the reference, and its status. LookupError where it has none, or none that can be used."""
    run = None if isinstance(found, GraderError) else TestsRun.of(found)
    if isinstance(found, GraderError) or run is None:
        why = str(found)
    elif not run.is_written:
        said = find_cause(found.stderr.strip() or found.stdout).error
        why = f"it wrote no report, and ended with status {found.status}{f' ({quote(said)})' if said else ''}."
    elif run.report.is_void or (run.report.problem and not run.results):
        why = f"{run.report.problem}."
    elif run.results:
        return run.report, found.status or 0
    else:
        why = "its report has no tests."
    raise LookupError(f"The tests cannot be run with the reference: {why}")


def _facts_of(payload: ReportedTestCase, report: TestReport) -> Mapping[str, Any]:
    """Return what the reference's report has of one test."""
    own = report.find(payload.name, payload.full)
    live = [one for one in own if one.outcome not in IDLE_OUTCOMES]
    wrong, broken = next((one for one in live or own if one.outcome != "passed"), None), ""
    if wrong or not own:
        how = _OUTCOMES[wrong.outcome] if wrong else "is not in the report"
        broken = f"{quote(payload.name)} does not pass with the reference either: there it {how}. Mend the test."
    return {"times": len(live) or 1, "skips": len(own) - len(live), "broken": broken}


def _cases(test: Test, labels: Mapping[str, str], idle: Mapping[str, TestOutcome]) -> Iterator[Case]:
    """Yield the cases. Raises LookupError where a name or glob means none of them, or there are too many."""
    model = test.cases[0]
    payload, names = ReportedTestCase.required(model), [name for name in labels if name not in idle]
    if not names:
        raise LookupError("Every test in the reference's report is skipped or marked as TODO: none is a case.")
    try:
        chosen, weights = select_tests(names, payload.only), weigh_tests(names, payload.weights)
    except LookupError as error:
        raise LookupError(_why_no_case(error.args[0], idle)) from error
    if not any(weights[name] for name in chosen):
        raise LookupError("Every test in the reference's report counts 0: give one a weight.")
    for name in chosen:
        yield _with(replace(model, id=f"{test.name}[{name}]", weight=weights[name]), name=name, full=labels[name])


def _why_no_case(pattern: str, idle: Mapping[str, TestOutcome]) -> str:
    """Return why a name or glob of the spec means no test that is a case."""
    try:
        name = select_tests([*idle], [pattern])[0]
    except LookupError:
        return f"No test in the reference's report is called {quote(pattern)}."
    how = f"{quote(name)} {_OUTCOMES[idle[name]]} with the reference, so it is no case"
    return f"{how}: let it run there, or take {quote(pattern)} out of the spec."


def _label_tests(results: Sequence[ReportedOutcome]) -> Mapping[str, str]:
    """Return what each test is called among the cases -> its full name."""
    short = {one.full: one.name for one in results}
    shared = Counter(short.values())
    return {(name if shared[name] == 1 else full): full for full, name in short.items()}
