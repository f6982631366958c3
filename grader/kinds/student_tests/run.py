"""The runs of a student's tests with every right program and each wrong one, each in its own sandbox.

Their order is drawn by chance, and each program is disguised, so that nothing but what it does shows which it is. What
the tests write is shown to nobody: it might be the source of the right program. So is which programs there are.
"""

import re
import secrets
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from grader.core import run
from grader.core.errors import HostError
from grader.core.kind import LaunchContext
from grader.core.limits import exceeded_sentence
from grader.core.model.execution import Execution, Launch
from grader.core.model.spec import Case, Spec, Test
from grader.core.model.submission import Artifact
from grader.core.pipeline import Ran
from grader.core.seeded_random import SeededRandom
from grader.kinds.reported_tests.model import REPORT_PLACE
from grader.kinds.reported_tests.report import MAX_REPORT_BYTES, read_test_report
from grader.kinds.student_tests.model import StudentSuite, SuiteFacts, TestedProgram
from grader.kinds.student_tests.suites import CONSOLE_JARS, TYPED_STARTS, disguised, script_of
from grader.kinds.student_tests.suites import suite_packages as packages
from grader.kinds.unit_tests.junit_jars import missing_jar

if TYPE_CHECKING:
    from grader.core.course import Attempt, Course

__all__ = ["packages"]
_REPORT = ".grader-report"
_WHOLE = ""  # the name of a suite of which only the status is known
_NOT_STARTED = (126, 127)
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
    if "pytest" in frameworks:
        found = course.execute(Launch(argv=("python3", "-c", "import pytest")))
        if found.status != 0:
            raise HostError("the python3 of the sandbox has no pytest: apt-get install python3-pytest")
    return course


def launch(case: Case, _context: LaunchContext, around: Callable[[tuple[str, ...]], Launch]) -> Launch:
    """Return what runs the tests with a program, in place of what was handed in under the names of its files."""
    program = TestedProgram.required(case)
    suite = program.suite
    launch = around(("sh", "-c", script_of(suite.commands)))
    is_told = any(REPORT_PLACE in word for words in suite.commands for word in words)
    source = _REPORT if is_told else suite.source
    return replace(
        launch,
        argv=tuple(word.replace(REPORT_PLACE, _REPORT) for word in launch.argv),
        argv_untuned=(),
        files={**launch.files, **suite.right[0], **program.files},
        collect=(source,) if source and suite.format else (),
        collect_limit=2 * MAX_REPORT_BYTES,
    )


def command_text(case: Case, _spec: Spec) -> str:
    """Return the command that runs the tests by hand, with one's own program."""
    suite = TestedProgram.required(case).suite
    if start := TYPED_STARTS.get(suite.framework):
        return f"{start} {suite.has_files[0].removesuffix('.java')}"
    return script_of(suite.commands).replace("exec ", "")


def run_test(test: Test, artifact: Artifact, course: "Attempt") -> Iterator[Ran]:
    """Run the tests with the right programs and, where any of them counts, with the wrong ones."""
    first, *wrong = test.cases
    suite = TestedProgram.required(first).suite
    seed = course.token or secrets.token_hex(16)
    again = [replace(first, payload=TestedProgram(suite=suite, files=suite.right[0]))] * (1 + _FURTHER_RUNS)
    rights = [replace(first, payload=TestedProgram(suite=suite, files=files)) for files in suite.right] + again
    cases = [_disguise(case, f"{seed} {number}") for number, case in enumerate([*rights, *wrong])]
    launches = [_launch(case, artifact, course) for case in cases]
    ran = _run_in_any_order(cases, launches, course, seed=seed, rights=len(rights) - _FURTHER_RUNS)
    happened = [ran[place] for place in range(len(rights) - _FURTHER_RUNS) if place in ran]
    outcomes = [_outcome(one, suite) for one in happened]
    if not any(one.passed | one.others for one in outcomes) or suite.format is None:
        _refuse_unstarted(happened[0], launches[0], course)
    facts = _facts_of_right(suite, happened, outcomes, artifact.folder)
    trusted = frozenset.intersection(*(one.passed for one in outcomes))
    if facts.problem:
        found: list[Execution] = [happened[0]] * len(wrong)
        told = [SuiteFacts(problem=facts.problem)] * len(wrong)
    else:
        found = [ran[place] for place in range(len(rights), len(cases))]
        failing = [_failing(trusted, _outcome(one, suite)) for one in found]
        later = [_outcome(ran[place], suite) for place in range(len(rights) - _FURTHER_RUNS, len(rights))]
        unsteady = trusted - frozenset.intersection(*(one.passed for one in later)) if any(failing) else frozenset()
        failing = _without_chance(trusted, failing, unsteady, cases[len(rights) :], artifact=artifact, course=course)
        facts = _with_unsteady(facts, unsteady, artifact.folder)
        told = [SuiteFacts(problem=facts.problem, is_noticed=bool(one)) for one in failing]
    noticed = sum(one.is_noticed for one in told)
    yield _as_ran(happened[0], launches[0], facts)
    for one, launch, own in zip(found, launches[len(rights) :], told, strict=True):
        yield _as_ran(one, launch, replace(own, noticed=noticed, total=len(wrong)))


def _disguise(case: Case, secret: str) -> Case:
    """Return a case with all files of its program disguised."""
    program = TestedProgram.required(case)
    files = disguised({**program.suite.right[0], **program.files}, secret)
    return replace(case, payload=replace(program, files=files))


def _run_in_any_order(
    cases: Sequence[Case], launches: Sequence[Launch], course: "Attempt", *, seed: str, rights: int
) -> dict[int, Execution]:
    """Run the programs in an order drawn by chance, and return what came of each by its place.

    The first so many are `rights`; nothing more is run once no test passes with all of these that have been.
    """
    order = SeededRandom(seed).sample(range(len(cases)), len(cases))
    suite, found = TestedProgram.required(cases[0]).suite, dict[int, Execution]()
    trusted: frozenset[str] | None = None
    with closing(_measure([cases[at] for at in order], [launches[at] for at in order], course)) as executions:
        for at, one in zip(order, executions, strict=True):
            found[at] = one
            if at < rights:
                passed = _outcome(one, suite).passed
                trusted = passed if trusted is None else trusted & passed
                if not trusted:
                    return found
    return found


def _as_ran(execution: Execution, launch: Launch, facts: SuiteFacts) -> Ran:
    # How the command ended is in the facts: that tests fail with a wrong program is what they are for.
    shown = replace(execution.bare, status=0, signal=None, limit=None, facts=facts)
    return Ran(execution=shown, expected=None, launch=launch)


def _launch(case: Case, artifact: Artifact, course: "Course") -> Launch:
    context = LaunchContext(spec=course.spec, folder=artifact.folder)
    return run.launch.launch_case(case, context, course.toolchain)


def _measure(cases: Sequence[Case], launches: Sequence[Launch], course: "Attempt") -> Generator[Execution, None, None]:
    """Run all of them. Raises HostError when one cannot be run, or the time for the submission is used up."""
    with closing(course.measure_each(launches, on_start=lambda at: course.on_case_start(cases[at]))) as executions:
        for one in executions:
            if isinstance(one, HostError):
                raise one
            course.ledger.charge_run(_conclusive(one))
            yield one


def _conclusive(execution: Execution) -> Execution:
    if execution.is_inconclusive:
        raise HostError("the machine had too little processor time or memory for the tests")
    return execution


def _outcome(execution: Execution, suite: StudentSuite) -> SuiteOutcome:
    """Return which tests passed and which did not; of a command without a report, whether all did."""
    if suite.format is None:
        is_good = execution.status == 0 and not execution.limit
        one = frozenset({_WHOLE})
        return SuiteOutcome(passed=one) if is_good else SuiteOutcome(others=one, failed=one)
    documents = tuple(one for _, one in sorted(execution.files.items()) if one.strip())
    if not documents and execution.stdout.strip() and not suite.source and not suite.framework:
        documents = (execution.stdout,)
    report = read_test_report(suite.format, documents) if documents else None
    if report is None or report.is_void:
        return SuiteOutcome(is_reported=False)
    others = frozenset(one.full for one in report.results if one.outcome != "passed")
    failed = frozenset(one.full for one in report.results if one.outcome in ("failed", "error"))
    return SuiteOutcome(passed=frozenset(one.full for one in report.results) - others, others=others, failed=failed)


def _failing(trusted: frozenset[str], outcome: SuiteOutcome) -> frozenset[str]:
    """Return the tests that count and fail, or do not come to their end; one that is skipped says nothing."""
    return trusted - outcome.passed - (outcome.others - outcome.failed)


def _without_chance(
    trusted: frozenset[str],
    failing: Sequence[frozenset[str]],
    unsteady: frozenset[str],
    wrong: Sequence[Case],
    *,
    artifact: Artifact,
    course: "Attempt",
) -> list[frozenset[str]]:
    """Return the tests that fail with each wrong program, without those that do so by chance.

    Many tests that fail now and then notice every program: so the right one is run more often. Where a test is
    `unsteady` in these runs, all others have to fail twice; where that is so of several, none counts.
    """
    if not unsteady:
        return list(failing)
    if len(unsteady) > _MAX_UNSTEADY:
        return [frozenset() for _ in wrong]
    suite = TestedProgram.required(wrong[0]).suite
    found = (course.run("chance", _launch(one, artifact, course)) for one in wrong)
    twice = [_failing(trusted - unsteady, _outcome(_conclusive(one), suite)) for one in found]
    return [once & more for once, more in zip(failing, twice, strict=True)]


def _with_unsteady(facts: SuiteFacts, unsteady: frozenset[str], folder: Path) -> SuiteFacts:
    """Return what came of the tests with the right programs, with those that failed only when these were run again."""
    if _WHOLE in unsteady:
        return SuiteFacts(problem="Your tests pass and fail by chance with the right program, so they do not count.")
    if len(unsteady) > _MAX_UNSTEADY:
        why = f"{len(unsteady)} of your tests pass and fail by chance with the right program, and so would notice any"
        return SuiteFacts(problem=f"{why}: none of your tests counts.")
    names = [_name_in_sources(one, folder) for one in sorted(unsteady)]
    named = tuple(dict.fromkeys((*facts.false_alarms, *filter(None, names))))
    return replace(facts, false_alarms=named, unnamed_alarms=0 if named else facts.unnamed_alarms + len(unsteady))


def _facts_of_right(
    suite: StudentSuite, happened: Sequence[Execution], outcomes: Sequence[SuiteOutcome], folder: Path
) -> SuiteFacts:
    """Return what came of the tests with the right programs."""
    known = frozenset.union(*(one.passed | one.failed for one in outcomes))
    trusted = frozenset.intersection(*(one.passed for one in outcomes))
    stopped = next((one for one in happened if one.limit), None)
    if trusted:
        alarms = sorted(known - trusted)
        names = list(dict.fromkeys(name for one in alarms if (name := _name_in_sources(one, folder))))
        return SuiteFacts(false_alarms=tuple(names), unnamed_alarms=0 if names else len(alarms))
    if stopped and stopped.limit:
        went = exceeded_sentence(stopped.limit, stopped.limits)
        return SuiteFacts(problem=f"With the right program the run of your tests {went}.")
    return SuiteFacts(problem=_why_none_counts(suite, happened[0], outcomes, folder))


def _why_none_counts(suite: StudentSuite, execution: Execution, outcomes: Sequence[SuiteOutcome], folder: Path) -> str:
    """Return why no test counts: all fail with the right program, or none was run."""
    if suite.format is None:
        return "Your tests fail with the right program, so they do not count."
    why = _why_not(execution, folder)
    if any(one.passed | one.failed for one in outcomes):
        return f"All your tests fail with the right program, so none of them counts{why}."
    if any(one.others for one in outcomes):
        return "All your tests are skipped with the right program, so none of them counts."
    if not why and all(one.is_reported for one in outcomes):
        return "Your file has no tests, or none that is run."
    return f"None of your tests could be run{why}."


def _refuse_unstarted(execution: Execution, launch: Launch, course: "Attempt") -> None:
    """Raise HostError where the command itself is not there, without anything that was handed in."""
    if execution.status not in _NOT_STARTED:
        return
    alone = course.run("fault of the course", replace(launch, folder=None))
    if alone.status in _NOT_STARTED:
        said = alone.stderr.decode(errors="backslashreplace").strip().rpartition("\n")[2]
        raise HostError(f"the tests of students cannot be run: {said or 'the command was not found'}")


def _why_not(execution: Execution, folder: Path) -> str:
    """Return why no test could be loaded, in words of which none can come from the right program."""
    written = (execution.stdout + b"\n" + execution.stderr)[-(2**20) :].decode("utf-8", "replace")
    error = _ERROR.search(written)
    places = [*_PLACE.finditer(written, 0, error.start() if error else len(written))]
    named = [(one["file"] or one["other"], one["line"] or one["number"]) for one in places]
    place = next((f"{file}:{line}" for file, line in reversed(named) if (folder / file).is_file()), "")
    if error:
        return f": {error[1]}{f' ({place})' if place else ''}"
    return f": there is an error at {place}" if place and "error:" in written else ""


def _name_in_sources(full: str, folder: Path) -> str:
    """Return the name of a test as the student has written it; "" where it may be made of something else."""
    words = [word for word in _NAME.findall(re.sub(r"\[.*|\(.*", "", full)) if not word.isdigit()]
    name = words[-1] if words else ""
    left = _MAX_SOURCE_BYTES
    for path in sorted(folder.rglob("*")) if name else ():
        if path.is_file() and not path.is_symlink() and path.stat().st_size <= left:
            data = path.read_bytes()
            left -= len(data)
            if b"\0" not in data and re.search(rf"\b{re.escape(name)}\b", data.decode("utf-8", "replace")):
                return name
    return ""
