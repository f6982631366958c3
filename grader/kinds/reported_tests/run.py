"""The run of the tests, once for all cases; and which tests there are, by the spec or by the reference's report."""

import hashlib
import secrets
import shlex
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from grader.core.diagnosis import find_cause
from grader.core.errors import GraderError, HostError
from grader.core.kind import AskReference, RunnerShowing
from grader.core.languages import locate_tool
from grader.core.model.execution import Execution, Launch, LaunchContext
from grader.core.model.layout import Artifact
from grader.core.model.limits import Limits, at_least
from grader.core.model.spec import Case, Requirement, Spec, Test
from grader.core.pipeline import NotRun, Ran, as_ran, plan_cases, reference_execution
from grader.core.reader.selection import match_tests, selected_tests
from grader.core.text import quote
from grader.kinds.reported_tests.model import (
    IDLE_OUTCOMES,
    NAMELESS,
    RUNNERS,
    ReportedOutcome,
    ReportedTestCase,
    TestOutcome,
    TestReport,
    TestsRun,
)
from grader.kinds.reported_tests.report import documents_of, read_test_report, why_not_started, with_report

if TYPE_CHECKING:
    from grader.core.course import Attempt, Course

CONFIGURATIONS = (
    *("jest.config.*", "vitest.config.*", "vitest.workspace.*", "vite.config.*", ".mocharc.*", "babel.config.*"),
    *(".babelrc", ".rspec", ".rspec-local", ".busted", ".cargo", "node_modules", "go.work", "CTestTestfile.cmake"),
)
"""files and folders by which a submission could decide how its tests are run: taken away, unless the spec names them"""
_JEST_SAYS_WHY = {"JEST_JUNIT_REPORT_TEST_SUITE_ERRORS": "true"}  # a file cannot be loaded
_REFERENCE_LIMITS = Limits(time=120, cpu=120, memory=2 * 2**30, processes=512)
_END_BYTES = 8_000  # of each stream, for a case without a result


def requirements(_runner_showing: RunnerShowing | None) -> Iterator[Requirement]:
    """Yield which programs that run tests there are."""
    ready = [name for name in RUNNERS if locate_tool(name)]
    lacking = f"; missing: {', '.join(absent)}" if (absent := [name for name in RUNNERS if name not in ready]) else ""
    remedy, found = f"apt-get install {' '.join(RUNNERS.values())}", f"tests run by {', '.join(ready)}{lacking}"
    ok = Requirement(name="test reports", state="ok", found=found)
    yield ok if ready else replace(ok, state="missing", found="none", remedy=remedy)


def run_test(test: Test, artifact: Artifact, attempt: "Attempt") -> Iterator[Ran | NotRun]:
    """Run the command that all cases of a test share, as often as they are repeated."""
    if why := ReportedTestCase.required(test.cases[0]).unavailable:
        raise HostError(why)
    ((first, launch, _),) = plan_cases(test.cases[:1], test, artifact, attempt)
    if isinstance(launch, GraderError):
        raise HostError(str(launch))

    def start_all(_place: int) -> None:
        for case in test.cases:
            attempt.on_case_start(case)

    executions = list(attempt.measure_each([launch] * first.repeat.times, on_start=start_all))
    for execution in executions:
        attempt.ledger.charge_run(execution)
    for case in test.cases:
        for execution in executions:
            begun = time.monotonic()
            ran = as_ran(case, launch, execution, attempt)
            attempt.ledger.charge(time.monotonic() - begun)  # a report may be long
            yield ran


def launch(case: Case, context: LaunchContext, around: Callable[[tuple[str, ...]], Launch]) -> Launch:
    """Return what runs the commands with the course's files, and with a name for the report."""
    payload, spec, secret = ReportedTestCase.required(case), context.spec, context.token or secrets.token_hex(16)
    within = "." if context.folder else folder_of_reference(spec)
    launch = around(_shell(payload, within, spec))
    if context.folder is None:
        launch, secret = replace(launch, limits=at_least(_REFERENCE_LIMITS, case.limits)), "reference"
    files = {str(PurePosixPath(within, path)): content for path, content in payload.files.items()}
    env = {**(_JEST_SAYS_WHY if "JEST_JUNIT_OUTPUT_FILE" in launch.env else {}), **launch.env}
    launch = replace(launch, env=env, files={**launch.files, **files})
    name = f".grader-{hashlib.sha256(f'report {secret}'.encode()).hexdigest()[:16]}"
    return with_report(launch, name, payload.source, within)


def folder_of_reference(spec: Spec) -> str:
    """Return the folder of the reference in which the files are that a submission has in its own."""
    # One that is built is so in its folder. The name of an interpreter may have a dot too, as lua5.4 has: no folder.
    words = () if spec.reference_work else spec.reference or ()
    named = (PurePosixPath(word) for word in words if "/" in word and not word.startswith("-"))
    return next((str(path.parent) for path in named if path.suffix), ".")


def _shell(payload: ReportedTestCase, within: str, spec: Spec) -> tuple[str, ...]:
    named = {part for name in (*spec.files.required_names, *payload.files) for part in PurePosixPath(name).parts}
    removed = [name for name in CONFIGURATIONS if not any(PurePosixPath(part).match(name) for part in named)]
    if payload.source:
        removed.append(f"./{payload.source}")
    # The patterns are ours, and of letters that mean nothing else.
    steps = [f"rm -rf {' '.join(removed)}" if within == "." else f"cd {shlex.quote(within)}"]
    *before, last = payload.commands
    return ("sh", "-c", " && ".join((*steps, *map(shlex.join, before), f"exec {shlex.join(last)}")))


def read_record(execution: Execution, case: Case, launch: Launch) -> Execution:
    """Return what happened, with the report's part on the test. HostError where no command is there by itself."""
    payload, documents = ReportedTestCase.required(case), documents_of(execution, is_file=bool(launch.collect))
    if not documents and launch.folder is None and (why := why_not_started(execution)):
        raise HostError(f"the tests cannot be run: {why}")
    report = read_test_report(payload.format, documents) if documents else TestReport()
    results = report.find(payload.name, payload.full) if payload.name else report.results
    facts = TestsRun(results=results, report=report, is_written=bool(documents))
    # Of what was written that part is shown which is about the test: there may be many.
    stdout, stderr = execution.stdout[-_END_BYTES:], execution.stderr[:_END_BYTES]
    if results:
        detail = "\n".join(result.detail for result in results if result.outcome != "passed") if payload.name else ""
        stdout, stderr = detail.encode("utf-8", "surrogateescape"), b""
    return replace(execution, files={}, facts=facts, stdout=stdout, stderr=stderr)


def find_course_fault(
    case: Case, launch: Launch, execution: Execution, attempt: "Attempt", _reference: AskReference
) -> str:
    """Return that the command is not there, without anything that was handed in either; "" where it is."""
    alone = replace(launch, folder=None)
    try:
        if why_not_started(execution):
            read_record(attempt.run("fault of the course", alone), case, alone)
    except HostError as error:
        return str(error)
    return ""


# ---------------------------------------------------------------- which tests there are

_OUTCOMES = {"failed": "fails", "error": "ends with an error", "skipped": "is skipped", "todo": "is marked as TODO"}


def prepare_submission(course: "Course", _student: str) -> "Course":
    """Return the course with a case for each test in the reference's report, of the tests that wait for it."""

    def named(test: Test) -> Test:
        first = ReportedTestCase.of(test.cases[0])
        if first is None or first.unavailable or first.full or (first.name and course.spec.reference is None):
            return test
        try:
            cases = tuple(_known_cases(test, first, course))
        except LookupError as error:
            cases = tuple(_with_facts(case, unavailable=error.args[0]) for case in test.cases)
        return replace(test, cases=cases)

    return replace(course, spec=replace(course.spec, tests=tuple(map(named, course.spec.tests))))


def _known_cases(test: Test, first: ReportedTestCase, course: "Course") -> Iterator[Case]:
    """Yield the cases with what the reference's run has shown. Raises LookupError where nothing can be graded."""
    if course.spec.reference is None:
        raise LookupError(f"The names of the tests are not known: {NAMELESS}")
    report, ended = _usable_report(reference_execution(_with_facts(test.cases[0], name="", full=""), course))
    labels = _label_tests(report.results)
    outcomes = {result.full: result.outcome for result in reversed(report.results)}
    live = {result.full for result in report.results if result.outcome not in IDLE_OUTCOMES}
    idle = {} if first.name else {name: outcomes[full] for name, full in labels.items() if full not in live}
    known = {"total": len(report.live), "plans": report.plans, "idle": tuple(idle.items())}
    status = ended if report.is_all_passed else 0
    for case in test.cases if first.name else _cases(test, labels, idle):
        yield _with_facts(case, **_facts_of(ReportedTestCase.required(case), report), **known, status=status)


def _with_facts(case: Case, **facts: Any) -> Case:
    return replace(case, payload=replace(ReportedTestCase.required(case), **facts))


def _usable_report(reference: Execution | GraderError) -> tuple[TestReport, int]:
    """Return the report of the reference, and its status. LookupError where it has none, or none that can be used."""
    run = None if isinstance(reference, GraderError) else TestsRun.of(reference)
    if isinstance(reference, GraderError) or run is None:
        why = str(reference)
    elif not run.is_written:
        error = find_cause(reference.stderr.strip() or reference.stdout).error
        why = f"it wrote no report, and ended with status {reference.status}{f' ({quote(error)})' if error else ''}."
    elif run.report.is_void or (run.report.problem and not run.results):
        why = f"{run.report.problem}."
    elif run.results:
        return run.report, reference.status or 0
    else:
        why = "its report has no tests."
    raise LookupError(f"The tests cannot be run with the reference: {why}")


def _facts_of(payload: ReportedTestCase, report: TestReport) -> Mapping[str, Any]:
    """Return what the reference's report has of one test."""
    own = report.find(payload.name, payload.full)
    live = [result for result in own if result.outcome not in IDLE_OUTCOMES]
    wrong, broken = next((result for result in live or own if result.outcome != "passed"), None), ""
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
        weights = selected_tests(names, payload.only, payload.weights)
    except LookupError as error:
        raise LookupError(_why_no_case(error.args[0], idle)) from error
    if not any(weights.values()):
        raise LookupError("Every test in the reference's report counts 0: give one a weight.")
    for name, weight in weights.items():
        yield _with_facts(replace(model, id=f"{test.name}[{name}]", weight=weight), name=name, full=labels[name])


def _why_no_case(pattern: str, idle: Mapping[str, TestOutcome]) -> str:
    """Return why a name or glob of the spec means no test that is a case."""
    if not (name := next(iter(match_tests([*idle], pattern)), "")):
        return f"No test in the reference's report is called {quote(pattern)}."
    how = f"{quote(name)} {_OUTCOMES[idle[name]]} with the reference, so it is no case"
    return f"{how}: let it run there, or take {quote(pattern)} out of the spec."


def _label_tests(results: Sequence[ReportedOutcome]) -> Mapping[str, str]:
    """Return what each test is called among the cases -> its full name."""
    short = {result.full: result.name for result in results}
    shared = Counter(short.values())
    return {(name if shared[name] == 1 else full): full for full, name in short.items()}
