"""The one cause of a submission that was not read, built or started, or that crashed: found when a report is made.

What keeps everything from running is the cause of all of it. A crash is the cause where at least half of the lost
points are lost by it: a program that is wrong in most cases, and crashes in another, has no one cause. Of several
crashes the one counts that loses most.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from grader.core.model.judgement import CauseKind, Verdict
from grader.core.model.report import Report, ReportedCase, ReportedCause
from grader.core.text import full_sentence

_MIN_SHARE = 0.5
"""of the lost points, that a crash has to explain"""
_NOTHING_RAN: tuple[CauseKind, ...] = ("unreadable", "cannot-start")

Crash = tuple[CauseKind, tuple[str, ...]]
"""the kind of a cause, and the key of what is said of it"""


def with_cause(report: Report, crashes: Sequence[Sequence[Crash | None]]) -> Report:
    """Return the report with its cause, if it has one; `crashes` are those of the cases of each test."""
    if not report.build.ok:
        return _with_build_as_cause(report)
    lost, visible, total = dict[Crash, float](), set[Crash](), 0.0
    for test, of_test in zip(report.tests, crashes, strict=True):
        weights = sum(case.counts for case in test.cases)
        for case, crash in zip(test.cases, of_test, strict=True):
            # In a test without points cases count a little, so that crashes in it do.
            worth = (test.points or 0.01) * case.counts / weights
            total += worth * (1 - case.credit)
            if crash:
                lost[crash] = lost.get(crash, 0.0) + worth
                visible |= {crash} if test.visibility == "visible" else set()
    cause = min(lost, key=lambda one: (one[0] not in _NOTHING_RAN, one not in visible, -lost[one]), default=None)
    if cause is None or (cause[0] not in _NOTHING_RAN and lost[cause] < _MIN_SHARE * total):
        return report

    def decided(case: ReportedCase, crash: Crash | None) -> ReportedCase:
        return replace(case, cause=cause[0]) if crash == cause else case

    tests = tuple(
        replace(test, cases=tuple(map(decided, test.cases, of_test)))
        for test, of_test in zip(report.tests, crashes, strict=True)
    )
    messages = {test.name: case.message for test in tests for case in reversed(test.cases) if case.cause}
    message = next(iter(messages.values()))
    return replace(report, tests=tests, cause=ReportedCause(kind=cause[0], message=message, tests=tuple(messages)))


def _with_build_as_cause(report: Report) -> Report:
    kind: CauseKind = "unreadable" if report.verdict is Verdict.NOT_READABLE else "not-built"
    not_built = {Verdict.BUILD_FAILED, Verdict.NOT_READABLE}
    names = tuple(test.name for test in report.tests if any(case.verdict in not_built for case in test.cases))
    if not names:  # the build did not fail: we failed to make one
        return report
    message = full_sentence(report.build.message or "the build failed")
    return replace(report, cause=ReportedCause(kind=kind, message=message, tests=names))
