"""Specs as tests of pytest: each case an item, its sentence the failure.

A submission is built once for each spec in each worker. An item runs only its own case, and the tests that it needs: so
`-k` saves time and `-n` shares it. A hidden test is one item that shows its points alone.
"""

from collections.abc import Iterator
from contextlib import ExitStack
from functools import cached_property
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
from grader.core.model.spec import Case, Test
from grader.core.pipeline import Bench, bench, prepare
from grader.core.reader.files import nodes_by_path
from grader.core.reader.spec import load
from grader.core.report.json import to_report, to_reported_test
from grader.core.report.plain import report_text, test_text
from grader.core.report.view import case_summary, is_shown, test_points
from grader.core.text import inert, sentence

_WITHOUT_POINTS = {
    Verdict.UNGRADED: "ungraded",
    Verdict.NOT_READABLE: "not readable",
    Verdict.SKIPPED: "a test that it needs did not pass",
}


def _submission(config: pytest.Config) -> Submission:
    path = config.invocation_params.dir / config.getoption("submission")
    return Submission(id=path.resolve().name, path=path)


def pytest_sessionstart(session: pytest.Session) -> None:
    """Check that the submission exists."""
    try:
        check_path(_submission(session.config).path)
    except GraderError as error:
        raise pytest.UsageError(f"--submission: {error}") from error


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> "SpecFile | None":
    """Collect a spec given on the command line; other YAML files in the folder of tests are ignored."""
    if file_path.suffix in {".yaml", ".yml"} and parent.session.isinitpath(file_path):
        return SpecFile.from_parent(parent, path=file_path)
    return None


class SpecFile(pytest.File):
    """A spec."""

    def collect(self) -> Iterator["SpecItem"]:
        """Make an item of each case, and of each hidden test."""
        self._done: dict[str, TestResult] = {}  # by the name of the test, the whole
        try:
            spec = load(self.path)
        except GraderError as error:
            raise self.CollectError(str(error)) from error
        nodes = nodes_by_path(spec.source_text, str(self.path))
        if spec.has_generated_inputs or any(kind.prepare_submission for kind in kinds_in(spec)):  # known only then
            spec = spec if isinstance(self.ready, GraderError) else self.ready.course.spec
        for test in spec.tests:
            is_open = is_shown(test, after_due=self.config.getoption("grader_after_due"))
            for case in test.cases if is_open else (None,):
                name, line = (case.id, nodes[case.path].line) if case else (test.name, 1)
                yield SpecItem.from_parent(self, name=name, spec=self, test=test, case=case, line=line)

    @cached_property
    def ready(self) -> Bench | GraderError:
        """The submission built for the spec, or why it is not."""
        job = Job(spec=self.path, submission=_submission(self.config), sandbox=self.config.getoption("grader_sandbox"))
        stack = ExitStack()
        self.config.add_cleanup(stack.close)
        try:
            limited = stack.enter_context(bench(job, prepare(self.path, sandbox=job.sandbox)))
            return replace(limited, course=limited.course.without_budget())
        except GraderError as error:
            return error

    def result_of(self, ready: Bench, test: Test, case: Case | None = None) -> TestResult:
        """Run a test once, after those that it needs; or one case of it alone."""
        if case is None and test.name in self._done:
            return self._done[test.name]
        before = [self.result_of(ready, need) for need in ready.course.spec.tests if need.name in test.follows]
        if case:
            done = ready.grade_test(replace(test, cases=(*test.earlier(case), case)), before).cases[-1:]
            return judge_test(replace(test, cases=(case,)), done)
        self._done[test.name] = result = ready.grade_test(test, before)
        return result


class SpecItem(pytest.Item):
    """A case of a submission; with no `case`, a whole test that is hidden."""

    def __init__(self, *, spec: SpecFile, test: Test, case: Case | None, line: int, **words: Any) -> None:
        """Take what it runs, and the line in the spec, from 1."""
        super().__init__(**words)
        self.spec, self.test, self.case, self.line = spec, test, case, line
        self.failure = ""

    def reportinfo(self) -> tuple[Path, int, str]:
        """Return the file, the line (from 0) and the name."""
        return self.path, self.line - 1, self.name

    def setup(self) -> None:
        """Run the case. An ungraded result is an error, not a failure of the student."""
        ready = self.spec.ready
        if isinstance(ready, GraderError):
            pytest.fail(inert(f"ungraded: {sentence(str(ready))}"), pytrace=False)
        result = to_reported_test(self.spec.result_of(ready, self.test, self.case))
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


def _summarise(result: ReportedTest, ready: Bench, *, is_hidden: bool) -> str:
    """Return the sentence of the only case; of a hidden test its points, or why there are none."""
    if is_hidden:
        return f"hidden: {_WITHOUT_POINTS.get(result.verdict) or test_points(result)}"
    (case,) = result.cases
    is_built = case.verdict is not Verdict.BUILD_FAILED
    text = test_text(result).split("\n")[2:] if is_built else [report_text(to_report(ready.judgement(())))]
    return "\n".join([inert(f"{case.verdict}: {case_summary(case)}"), *text])
