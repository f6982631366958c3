"""The one cause of a submission that was not read, built or started, or that crashed: found when a report is made.

What keeps everything from running is the cause of all of it. A crash is the cause where at least half of the lost
points are lost by it: a program that is wrong in most cases, and crashes in another, has no one cause. Of several
crashes the one counts that loses most.
"""

from collections.abc import Sequence

import msgspec

from grader.core.model.judgement import CauseKind, Verdict
from grader.core.model.report import Report, ReportedCase, ReportedCause, ReportedTest
from grader.core.text import full_sentence

_MIN_SHARE = 0.5
"""of the lost points, that a crash has to explain"""
_NOTHING_RAN: tuple[CauseKind, ...] = ("unreadable", "cannot-start")

Crash = tuple[CauseKind, tuple[str, ...]]
"""the kind of a cause, and the key of what is said of it"""
_Crashes = Sequence[Crash | None]


def with_cause(report: Report, crashes: Sequence[Sequence[Crash | None]]) -> Report:
    """Return the report with its cause, if it has one; `crashes` are those of the cases of each test."""
    if not report.build.ok:
        return _with_build_as_cause(report)
    lost, visible = _lost_by_crash(report, crashes)
    if not lost:
        return report
    cause = min(lost, key=lambda crash: (crash[0] not in _NOTHING_RAN, crash not in visible, -lost[crash]))
    if cause[0] not in _NOTHING_RAN and lost[cause] < _MIN_SHARE * _lost_points(report):
        return report
    tests = tuple(_decided(test, of_test, cause) for test, of_test in zip(report.tests, crashes, strict=True))
    decided = [case for test in tests for case in test.cases if case.cause]
    names = tuple(test.name for test in tests if any(case.cause for case in test.cases))
    return msgspec.structs.replace(
        report, tests=tests, cause=ReportedCause(kind=cause[0], message=decided[0].message, tests=names)
    )


def _with_build_as_cause(report: Report) -> Report:
    kind: CauseKind = "unreadable" if report.verdict is Verdict.NOT_READABLE else "not-built"
    names = tuple(
        test.name
        for test in report.tests
        if any(case.verdict in {Verdict.BUILD_FAILED, Verdict.NOT_READABLE} for case in test.cases)
    )
    if not names:  # the build did not fail: we failed to make one
        return report
    message = full_sentence(report.build.message or "the build failed")
    return msgspec.structs.replace(report, cause=ReportedCause(kind=kind, message=message, tests=names))


def _worth_of_case(test: ReportedTest, case: ReportedCase) -> float:
    """Return the points of a case; those of a test that has none count a little, so that crashes in it do."""
    return (test.points or 0.01) * case.counts / sum(each.counts for each in test.cases)


def _lost_by_crash(report: Report, crashes: Sequence[_Crashes]) -> tuple[dict[Crash, float], set[Crash]]:
    """Return the points that each crash loses, and the crashes of tests that students see."""
    lost: dict[Crash, float] = {}
    visible: set[Crash] = set()
    for test, of_test in zip(report.tests, crashes, strict=True):
        for case, crash in zip(test.cases, of_test, strict=True):
            if crash is None:
                continue
            lost[crash] = lost.get(crash, 0.0) + _worth_of_case(test, case)
            if test.visibility == "visible":
                visible.add(crash)
    return lost, visible


def _lost_points(report: Report) -> float:
    return sum(_worth_of_case(test, case) * (1 - case.credit) for test in report.tests for case in test.cases)


def _decided(test: ReportedTest, crashes: _Crashes, cause: Crash) -> ReportedTest:
    """Return the test with the kind of the cause in each case that it decides."""
    if cause not in crashes:
        return test
    cases = (
        msgspec.structs.replace(case, cause=cause[0]) if crash == cause else case
        for case, crash in zip(test.cases, crashes, strict=True)
    )
    return msgspec.structs.replace(test, cases=tuple(cases))
