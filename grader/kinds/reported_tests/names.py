"""Which tests there are: those that the spec names, or those in the report of the reference, which is asked once."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from grader.core.diagnosis import find_cause
from grader.core.errors import GraderError
from grader.core.model import Case, Execution, Test
from grader.core.pipeline import reference_execution
from grader.core.reader.selection import select_tests, weigh_tests
from grader.core.text import count, quote
from grader.kinds.reported_tests.launch import payload_of
from grader.kinds.reported_tests.main_return import build_end_library
from grader.kinds.reported_tests.model import (
    NAMELESS,
    ReportedOutcome,
    ReportedTestCase,
    SelectedTests,
    TestOutcome,
    TestsRun,
    reported_test_of,
    tests_run_of,
)

if TYPE_CHECKING:
    from grader.core.course import Course

_OUTCOMES: Mapping[TestOutcome, str] = {
    "failed": "fails",
    "error": "ends with an error",
    "skipped": "is skipped",
    "todo": "is marked as TODO",
}
MAX_TESTS = 2_000
"""tests of one report that are cases: each stands in every report of a student"""


def prepare_submission(course: "Course", _student: str) -> "Course":
    """Return the course with a case for each test in the reference's report, of the tests that wait for it."""
    tests = tuple(_named(test, course) if reported_test_of(test.cases[0]) else test for test in course.spec.tests)
    return replace(course, spec=replace(course.spec, tests=tests))


def _named(test: Test, course: "Course") -> Test:
    first = payload_of(test.cases[0])
    if course.spec.reference is None and not first.name:
        return _unavailable(test, f"The names of the tests are not known: {NAMELESS}")
    if course.spec.reference is None or first.unavailable or (not first.name and first.total) or first.full:
        return test
    found = reference_execution(replace(test.cases[0], payload=replace(first, name="", full="")), course)
    run = None if isinstance(found, GraderError) else tests_run_of(found)
    if isinstance(found, GraderError) or run is None or (why := _why_unusable(found, run)):
        why = str(found) if isinstance(found, GraderError) else why
        return _unavailable(test, f"The tests cannot be run with the reference: {why}")
    known = _with_end(
        replace(
            first,
            total=len(run.results),
            status=_status_of_passes(found, run),
            plans=run.report.plans,
        ),
        run,
        test.cases[0],
        course,
    )
    if first.name:
        return replace(test, cases=tuple(_with_facts(test.cases, known, run.results)))
    try:
        cases = tuple(_cases(test, run.results, first.selected))
    except LookupError as error:
        return _unavailable(test, error.args[0])
    return replace(test, cases=tuple(_with_facts(cases, known, run.results)))


def _with_facts(cases: Iterable[Case], known: ReportedTestCase, results: Sequence[ReportedOutcome]) -> Iterator[Case]:
    """Yield the cases with what the reference's run has shown."""
    for one in cases:
        payload = replace(
            payload_of(one),
            total=known.total,
            status=known.status,
            plans=known.plans,
            end=known.end,
            end_library=known.end_library,
            broken=_why_broken(payload_of(one), results),
        )
        yield replace(one, payload=payload)


def _why_broken(payload: ReportedTestCase, results: Sequence[ReportedOutcome]) -> str:
    """Return what keeps the reference from passing a test; "" where it passes."""
    own = [one for one in results if payload.full in ("", one.full) and payload.name in (one.name, one.full)]
    wrong = next((one for one in own if one.outcome != "passed"), None)
    if own and wrong is None:
        return ""
    how = _OUTCOMES[wrong.outcome] if wrong else "is not in the report"
    return f"{quote(payload.name)} does not pass with the reference either: there it {how}. Mend the test."


def _with_end(payload: ReportedTestCase, run: TestsRun, case: Case, course: "Course") -> ReportedTestCase:
    """Return the test so that the end of the program that runs the tests is watched, where the reference shows it.

    It is run once more for that: where the results are others with the library, the program is left without it.
    """
    library = build_end_library(course) if run.report.is_all_passed else b""
    if not library:
        return payload
    asked = replace(payload, name="", full="", end_library=library)
    found = reference_execution(replace(case, payload=asked), course)
    watched = None if isinstance(found, GraderError) else tests_run_of(found)
    if isinstance(found, GraderError) or watched is None or watched.end is None or found.status != payload.status:
        return payload
    first, second = (sorted((one.full, one.outcome) for one in each.results) for each in (run, watched))
    if first != second:  # in whatever order: some frameworks shuffle their tests
        return payload
    return replace(payload, end=watched.end, end_library=library)


def _why_unusable(found: Execution, run: TestsRun) -> str:
    if not run.is_written:
        said = find_cause(found.stderr.strip() or found.stdout).error
        return f"it wrote no report, and ended with status {found.status}{f' ({quote(said)})' if said else ''}."
    if run.report.is_void or (run.report.problem and not run.results):
        return f"{run.report.problem}."
    return "" if run.results else "its report has no tests."


def _status_of_passes(found: Execution, run: TestsRun) -> int:
    """Return with which status the command ends when all tests pass: that of the reference, if they do there."""
    return found.status or 0 if run.report.is_all_passed else 0


def _unavailable(test: Test, why: str) -> Test:
    cases = (replace(one, payload=replace(payload_of(one), unavailable=why)) for one in test.cases)
    return replace(test, cases=tuple(cases))


def _cases(test: Test, results: Sequence[ReportedOutcome], selected: SelectedTests) -> Iterator[Case]:
    """Yield the cases. Raises LookupError where a name or glob means none of them, or there are too many."""
    labels = _label_tests(results)
    names = list(labels)
    try:
        chosen, weights = set(select_tests(names, selected.only)), weigh_tests(names, selected.weights)
    except LookupError as error:
        raise LookupError(f"No test in the reference's report is called {quote(error.args[0])}.") from error
    if len(chosen) > MAX_TESTS:
        too_many = f"The reference's report has {count(len(chosen), 'test')}, and {MAX_TESTS} may be cases"
        raise LookupError(f"{too_many}: name those that count under `only`.")
    if not any(weights[name] for name in chosen):
        raise LookupError("Every test in the reference's report counts 0: give one a weight.")
    model = test.cases[0]
    kept = [name for name in names if name in chosen]
    for place, name in enumerate(kept):
        full, times = labels[name]
        payload = replace(payload_of(model), name=name, full=full, times=times, is_first=place == 0)
        yield replace(model, id=f"{test.name}[{name}]", payload=payload, weight=weights[name])


def _label_tests(results: Sequence[ReportedOutcome]) -> Mapping[str, tuple[str, int]]:
    """Return what each test is called among the cases -> its full name, and how many results it has."""
    times: dict[str, int] = {}
    of_name: dict[str, set[str]] = {}
    short: dict[str, str] = {}
    for one in results:
        times[one.full] = times.get(one.full, 0) + 1
        of_name.setdefault(one.name, set()).add(one.full)
        short[one.full] = one.name
    return {(short[full] if len(of_name[short[full]]) == 1 else full): (full, number) for full, number in times.items()}
