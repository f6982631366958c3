"""The runs of a student's tests with every right program and each wrong one, each in its own sandbox.

The order is random, and each program is disguised, so that only its behaviour shows which one it is. Nobody sees the
tests' output, which might be the source of the right program, nor which programs there are.
"""

import re
import secrets
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from grader.core import run
from grader.core.errors import HostError
from grader.core.model.execution import Execution, Launch, LaunchContext
from grader.core.model.layout import Artifact
from grader.core.model.limits import exceeded_sentence
from grader.core.model.spec import Case, Test
from grader.core.pipeline import Ran
from grader.core.seeded_random import SeededRandom
from grader.kinds.reported_tests.report import documents_of, read_test_report, why_not_started, with_report
from grader.kinds.sources import plain_files
from grader.kinds.student_tests.model import StudentSuite, SuiteFacts, TestedProgram
from grader.kinds.student_tests.suites import CONSOLE_JARS, disguised, script_of
from grader.kinds.unit_tests.junit_jars import missing_jar

if TYPE_CHECKING:
    from grader.core.course import Attempt, Course

_REPORT = ".grader-report"
_WHOLE = ""  # the name of a suite without a report
_NAME = re.compile(r"\w+")
_ERROR = re.compile(
    r"^(?:E\s+)?(SyntaxError|IndentationError|TabError|ModuleNotFoundError|ImportError|NameError)\b", re.MULTILINE
)
"""what ends the loading of tests; other errors might say something of the right program"""
_PLACE = re.compile(
    r'File "(?:[^"\n]*/)?(?P<file>[\w.-]+)", line (?P<line>\d+)'
    r"|^(?:E\s+)?(?:\./)?(?P<other>[\w.-]+\.\w+):(?P<number>\d+):",
    re.MULTILINE,
)
_MAX_SOURCE_BYTES = 2**20
_FURTHER_RUNS = 2
_MAX_UNSTEADY = 2  # tests that may fail by chance with the right program


class SuiteOutcome(Struct, frozen=True, kw_only=True):
    """What a suite said of one program."""

    passed: frozenset[str] = frozenset()
    others: frozenset[str] = frozenset()  # tests that did not pass
    failed: frozenset[str] = frozenset()  # those of them that were not just skipped
    is_reported: bool = True  # False where there is no report, or it says nothing


def prepare(course: "Course") -> "Course":
    """Return the course; raises HostError where this machine has not what runs the tests."""
    cases = (case for test in course.spec.tests for case in test.cases)
    frameworks = {program.suite.framework for case in cases if (program := TestedProgram.of(case))}
    if "junit" in frameworks and (absent := missing_jar(CONSOLE_JARS)):
        raise HostError(f"tests for JUnit need {absent}: apt-get install junit5 junit4")
    if "pytest" in frameworks and course.execute(Launch(argv=("python3", "-c", "import pytest"))).status != 0:
        raise HostError("the python3 of the sandbox has no pytest: apt-get install python3-pytest")
    return course


def launch(case: Case, _context: LaunchContext, around: Callable[[tuple[str, ...]], Launch]) -> Launch:
    """Return the launch that runs the tests with a program, whose files replace those that were handed in."""
    program = TestedProgram.required(case)
    launch = with_report(around(("sh", "-c", script_of(program.suite.commands))), _REPORT, program.suite.source)
    return replace(launch, files={**launch.files, **program.suite.right[0], **program.files})


def run_test(test: Test, artifact: Artifact, course: "Attempt") -> Iterator[Ran]:
    """Run the tests with the right programs and, where any of them counts, with the wrong ones."""
    first, *wrong = test.cases
    suite = TestedProgram.required(first).suite
    seed, once = course.token or secrets.token_hex(16), len(suite.right) + 1
    rights = [replace(first, payload=TestedProgram(suite=suite, files=files)) for files in suite.right]
    rights += [replace(first, payload=TestedProgram(suite=suite, files=suite.right[0]))] * (1 + _FURTHER_RUNS)
    cases = [_disguise(case, f"{seed} {number}") for number, case in enumerate([*rights, *wrong])]
    launches = [_launch(case, artifact, course) for case in cases]
    ran = _run_in_any_order(cases, launches, course, seed=seed, rights=once)
    right_runs = [ran[place] for place in range(once) if place in ran]
    outcomes = [_outcome(execution, suite) for execution in right_runs]
    if not any(outcome.passed | outcome.others for outcome in outcomes) or suite.format is None:
        _refuse_unstarted(right_runs[0], launches[0], course)
    facts = _facts_of_right(suite, right_runs, outcomes, artifact.folder)
    wrong_runs, failing = [right_runs[0]] * len(wrong), [frozenset[str]()] * len(wrong)
    if not facts.problem:
        trusted = frozenset.intersection(*(outcome.passed for outcome in outcomes))
        wrong_runs = [ran[place] for place in range(len(rights), len(cases))]
        failing = [_failing_tests(trusted, _outcome(execution, suite)) for execution in wrong_runs]
        later = [_outcome(ran[place], suite).passed for place in range(once, len(rights))]
        unsteady = trusted - frozenset.intersection(*later) if any(failing) else frozenset()
        if len(unsteady) in range(1, _MAX_UNSTEADY + 1):  # all others have to fail twice
            more = (course.run("chance", _launch(case, artifact, course)) for case in cases[len(rights) :])
            twice = [_failing_tests(trusted - unsteady, _outcome(_conclusive(execution), suite)) for execution in more]
            failing = [first & second for first, second in zip(failing, twice, strict=True)]
        facts = _with_unsteady(facts, unsteady, artifact.folder)
    noticed = [bool(tests) and not facts.problem for tests in failing]
    yield _as_ran(right_runs[0], launches[0], facts)
    for execution, launch, is_noticed in zip(wrong_runs, launches[len(rights) :], noticed, strict=True):
        case_facts = SuiteFacts(problem=facts.problem, is_noticed=is_noticed, noticed=sum(noticed), total=len(wrong))
        yield _as_ran(execution, launch, case_facts)


def _disguise(case: Case, secret: str) -> Case:
    """Return a case with all files of its program disguised."""
    program = TestedProgram.required(case)
    return replace(case, payload=replace(program, files=disguised({**program.suite.right[0], **program.files}, secret)))


def _run_in_any_order(
    cases: Sequence[Case], launches: Sequence[Launch], course: "Attempt", *, seed: str, rights: int
) -> dict[int, Execution]:
    """Run the programs in a random order: place -> execution; none once no test passes all `rights`. Or HostError."""
    order = SeededRandom(seed).sample(range(len(cases)), len(cases))
    suite, ran, passed = TestedProgram.required(cases[0]).suite, dict[int, Execution](), list[frozenset[str]]()
    mixed = [launches[at] for at in order]
    with closing(course.measure_each(mixed, on_start=lambda at: course.on_case_start(cases[order[at]]))) as executions:
        for at, execution in zip(order, executions, strict=True):
            if isinstance(execution, HostError):
                raise execution
            course.ledger.charge_run(_conclusive(execution))
            ran[at] = execution
            passed += [_outcome(execution, suite).passed] if at < rights else []
            if passed and not frozenset.intersection(*passed):
                break
    return ran


def _as_ran(execution: Execution, launch: Launch, facts: SuiteFacts) -> Ran:
    # How the command ended is in the facts: that tests fail with a wrong program is what they are for.
    shown = replace(execution.bare, status=0, signal=None, limit=None, facts=facts)
    return Ran(execution=shown, expected=None, launch=launch)


def _launch(case: Case, artifact: Artifact, course: "Course") -> Launch:
    return run.runner.launch_case(case, LaunchContext(spec=course.spec, folder=artifact.folder), course.toolchain)


def _conclusive(execution: Execution) -> Execution:
    if execution.is_inconclusive:
        raise HostError("the machine had too little processor time or memory for the tests")
    return execution


def _outcome(execution: Execution, suite: StudentSuite) -> SuiteOutcome:
    """Return which tests passed and which did not; of a command without a report, whether all did."""
    if suite.format is None:
        is_good = execution.status == 0 and not execution.limit
        whole = frozenset({_WHOLE})
        return SuiteOutcome(passed=whole) if is_good else SuiteOutcome(others=whole, failed=whole)
    documents = documents_of(execution, is_file=bool(suite.source or suite.framework or execution.files))
    report = read_test_report(suite.format, documents) if documents else None
    if report is None or report.is_void:
        return SuiteOutcome(is_reported=False)
    names = frozenset(result.full for result in report.results)
    others = frozenset(result.full for result in report.results if result.outcome != "passed")
    failed = frozenset(result.full for result in report.results if result.outcome in ("failed", "error"))
    return SuiteOutcome(passed=names - others, others=others, failed=failed)


def _failing_tests(trusted: frozenset[str], outcome: SuiteOutcome) -> frozenset[str]:
    """Return the tests that count and fail, or do not come to their end; one that is skipped says nothing."""
    return trusted - outcome.passed - (outcome.others - outcome.failed)


def _with_unsteady(facts: SuiteFacts, unsteady: frozenset[str], folder: Path) -> SuiteFacts:
    """Add the tests that failed only when the right programs were run again; where many did, none counts."""
    if _WHOLE in unsteady:
        return SuiteFacts(problem="Your tests pass and fail by chance with the right program, so they do not count.")
    if len(unsteady) > _MAX_UNSTEADY:
        why = f"{len(unsteady)} of your tests pass and fail by chance with the right program, and so would notice any"
        return SuiteFacts(problem=f"{why}: none of your tests counts.")
    named = tuple(dict.fromkeys((*facts.false_alarms, *_names_in_sources(unsteady, folder))))
    return replace(facts, false_alarms=named, unnamed_alarms=0 if named else facts.unnamed_alarms + len(unsteady))


def _facts_of_right(
    suite: StudentSuite, happened: Sequence[Execution], outcomes: Sequence[SuiteOutcome], folder: Path
) -> SuiteFacts:
    """Return what came of the tests with the right programs."""
    known = frozenset.union(*(outcome.passed | outcome.failed for outcome in outcomes))
    if trusted := frozenset.intersection(*(outcome.passed for outcome in outcomes)):
        names = _names_in_sources(known - trusted, folder)
        return SuiteFacts(false_alarms=names, unnamed_alarms=0 if names else len(known - trusted))
    for execution in happened:
        if execution.limit:
            went = exceeded_sentence(execution.limit, execution.limits)
            return SuiteFacts(problem=f"With the right program the run of your tests {went}.")
    return SuiteFacts(problem=_why_none_counts(suite, happened[0], outcomes, folder))


def _why_none_counts(suite: StudentSuite, execution: Execution, outcomes: Sequence[SuiteOutcome], folder: Path) -> str:
    """Return why no test counts: all fail with the right program, or none was run."""
    if suite.format is None:
        return "Your tests fail with the right program, so they do not count."
    why = _why_not(execution, folder)
    if any(outcome.passed | outcome.failed for outcome in outcomes):
        return f"All your tests fail with the right program, so none of them counts{why}."
    if any(outcome.others for outcome in outcomes):
        return "All your tests are skipped with the right program, so none of them counts."
    if not why and all(outcome.is_reported for outcome in outcomes):
        return "Your file has no tests, or none that is run."
    return f"None of your tests could be run{why}."


def _refuse_unstarted(execution: Execution, launch: Launch, course: "Attempt") -> None:
    """Raise HostError where the command itself is not there, without anything that was handed in."""
    alone = replace(launch, folder=None)
    if why_not_started(execution) and (why := why_not_started(course.run("fault of the course", alone))):
        raise HostError(f"the tests of students cannot be run: {why}")


def _why_not(execution: Execution, folder: Path) -> str:
    """Return why no test could be loaded, in words of which none can come from the right program."""
    written = (execution.stdout + b"\n" + execution.stderr)[-(2**20) :].decode("utf-8", "replace")
    error = _ERROR.search(written)
    places = [*_PLACE.finditer(written, 0, error.start() if error else len(written))]
    named = [(match["file"] or match["other"], match["line"] or match["number"]) for match in places]
    place = next((f"{file}:{line}" for file, line in reversed(named) if (folder / file).is_file()), "")
    if error:
        return f": {error[1]}{f' ({place})' if place else ''}"
    return f": there is an error at {place}" if place and "error:" in written else ""


def _names_in_sources(tests: Collection[str], folder: Path) -> tuple[str, ...]:
    """Return the names of tests as the student wrote them, without names that may be generated."""
    named = [_NAME.findall(re.sub(r"\[.*|\(.*", "", test)) for test in sorted(tests)]
    names = dict.fromkeys(words[-1] for parts in named if (words := [word for word in parts if not word.isdigit()]))
    budget, written = _MAX_SOURCE_BYTES, set[str]()
    for path in plain_files(folder).values() if names else ():
        if path.stat().st_size <= budget:
            data = path.read_bytes()
            budget -= len(data)
            written |= set() if b"\0" in data else {*_NAME.findall(data.decode("utf-8", "replace"))}
    return tuple(name for name in names if name in written)
