"""Specs as tests of pytest: each case an item, its sentence the failure.

A submission is built once for each spec in each worker. An item runs only its own case, and the tests that it needs: so
`-k` saves time and `-n` shares it. A hidden test is one item that shows its points alone.
"""

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from grader.core.build.staging import check_path
from grader.core.errors import GraderError
from grader.core.judge.totals import judge_test
from grader.core.kind import kinds_in
from grader.core.model.layout import Submission
from grader.core.model.report import Job, ReportedTest, TestResult, Verdict
from grader.core.pipeline import Bench, bench, prepare
from grader.core.reader.files import nodes_by_path
from grader.core.reader.spec import load
from grader.core.report.json import to_report, to_reported_test
from grader.core.report.plain import report_text, test_text
from grader.core.report.view import case_summary, is_shown, test_points
from grader.core.text import inert, sentence


@dataclass(slots=True, kw_only=True)
class _Session:
    """What the items of one pytest process share."""

    submission: Submission
    sandbox: str
    after_due: bool
    stack: ExitStack = field(default_factory=ExitStack)  # resources that are closed at the end
    benches: dict[Path, Bench | GraderError] = field(default_factory=dict)  # by spec: built, or why there is none
    done: dict[tuple[Path, str], TestResult] = field(default_factory=dict)  # by spec and name of the test, the whole


_SESSION = pytest.StashKey[_Session]()
_WITHOUT_POINTS = {
    Verdict.UNGRADED: "ungraded",
    Verdict.NOT_READABLE: "not readable",
    Verdict.SKIPPED: "a test that it needs did not pass",
}


def pytest_sessionstart(session: pytest.Session) -> None:
    """Check that the submission exists."""
    config = session.config
    path = config.invocation_params.dir / config.getoption("submission")
    try:
        check_path(path)
    except GraderError as error:
        raise pytest.UsageError(f"--submission: {error}") from error
    config.stash[_SESSION] = _Session(
        submission=Submission(id=path.resolve().name, path=path),
        sandbox=config.getoption("grader_sandbox"),
        after_due=config.getoption("grader_after_due"),
    )


def pytest_report_header(config: pytest.Config) -> str:
    """Show the submission and, if chosen, the level of the sandbox."""
    level = config.getoption("grader_sandbox")
    graded = inert(f"submission: {sentence(config.getoption('submission'))}")
    return graded if level == "auto" else f"{graded}, sandbox: {sentence(level)}"


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Remove what was built."""
    if shared := session.config.stash.get(_SESSION, None):
        shared.stack.close()


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> "SpecFile | None":
    """Collect a spec given on the command line; other YAML files in the folder of tests are ignored."""
    if file_path.suffix in {".yaml", ".yml"} and parent.session.isinitpath(file_path):
        return SpecFile.from_parent(parent, path=file_path)
    return None


class SpecFile(pytest.File):
    """A spec."""

    def collect(self) -> Iterator["SpecItem"]:
        """Make an item of each case, and of each hidden test."""
        try:
            spec = load(self.path)
        except GraderError as error:
            raise self.CollectError(str(error)) from error
        nodes = nodes_by_path(spec.source_text, str(self.path))
        session = self.config.stash[_SESSION]
        if spec.has_generated_inputs or any(kind.prepare_submission for kind in kinds_in(spec)):  # known only then
            ready = _bench(session, self.path)
            spec = spec if isinstance(ready, GraderError) else ready.course.spec
        for test in spec.tests:
            if not is_shown(test, after_due=session.after_due):
                yield SpecItem.from_parent(self, name=test.name, test=test.name, case=None, line=1)
                continue
            for case in test.cases:
                yield SpecItem.from_parent(self, name=case.id, test=test.name, case=case.id, line=nodes[case.path].line)


class SpecItem(pytest.Item):
    """A case of a submission; with no `case`, a whole test that is hidden."""

    def __init__(self, *, test: str, case: str | None, line: int, **words: Any) -> None:
        """Take the names, and the line in the spec, from 1."""
        super().__init__(**words)
        self.test, self.case, self.line = test, case, line
        self.failure = ""

    def reportinfo(self) -> tuple[Path, int, str]:
        """Return the file, the line (from 0) and the name."""
        return self.path, self.line - 1, self.name

    def setup(self) -> None:
        """Run the case. An ungraded result is an error, not a failure of the student."""
        session = self.config.stash[_SESSION]
        ready = _bench(session, self.path)
        if isinstance(ready, GraderError):
            pytest.fail(inert(f"ungraded: {sentence(str(ready))}"), pytrace=False)
        result = to_reported_test(_result_of(session, self.path, ready, self.test, self.case))
        message = _summarise(result, ready, is_hidden=self.case is None)
        if result.verdict is Verdict.UNGRADED:
            pytest.fail(message, pytrace=False)
        if result.verdict in _WITHOUT_POINTS:
            pytest.skip(message)
        self.failure = "" if result.verdict is Verdict.PASSED else message

    def runtest(self) -> None:
        """Fail with the message, unless it has all its points."""
        if self.failure:
            pytest.fail(self.failure, pytrace=False)


def _bench(session: _Session, path: Path) -> Bench | GraderError:
    """Return the submission built for a spec, or why it is not; the same for all items of the spec."""
    if path not in session.benches:
        job = Job(spec=path, submission=session.submission, sandbox=session.sandbox)
        try:
            ready = session.stack.enter_context(bench(job, prepare(path, sandbox=session.sandbox)))
            session.benches[path] = ready.without_budget()
        except GraderError as error:
            session.benches[path] = error
    return session.benches[path]


def _result_of(session: _Session, path: Path, ready: Bench, name: str, case: str | None = None) -> TestResult:
    """Run a test once, after those that it needs; or one case of it alone."""
    key = (path, name)
    if case is None and key in session.done:
        return session.done[key]
    test = next(test for test in ready.course.spec.tests if test.name == name)
    before = [_result_of(session, path, ready, need) for need in test.follows]
    if case is not None:
        chosen = next(candidate for candidate in test.cases if candidate.id == case)
        done = ready.grade_test(replace(test, cases=(*test.earlier(chosen), chosen)), before).cases[-1:]
        return judge_test(replace(test, cases=(chosen,)), done)
    session.done[key] = result = ready.grade_test(test, before)
    return result


def _summarise(result: ReportedTest, ready: Bench, *, is_hidden: bool) -> str:
    """Return the sentence of the only case; of a hidden test its points, or why there are none."""
    if is_hidden:
        return f"hidden: {_WITHOUT_POINTS.get(result.verdict) or test_points(result)}"
    (case,) = result.cases
    is_built = case.verdict is not Verdict.BUILD_FAILED
    text = test_text(result).split("\n")[2:] if is_built else [report_text(to_report(ready.judgement(())))]
    return "\n".join([inert(f"{case.verdict}: {case_summary(case)}"), *text])
