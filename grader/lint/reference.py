"""Rules that have to run something: the instructor's functions, or the reference."""

from collections.abc import Iterator, Mapping

from grader import oracle, run
from grader.errors import HostError
from grader.lint.subject import Found, Rule, Subject
from grader.model import Case, Checks, Expected, Limits
from grader.text import one_line
from grader.verify.right import Answered

_ROOM = 3
"""how many times as much as the reference a student's program may need"""
_LEAST = 0.1
"""seconds: a reference that takes less says nothing about time limits"""


def functions(subject: Subject) -> Iterator[Found]:
    """Find checks and generators of the course that are not there, or cannot be called."""
    checks = oracle.load_checks(subject.spec.root)
    told = set()
    for _, test in subject.tests():
        for case in test.cases:
            for key, asked in _checks(case):
                path = subject.path(case, key, "expect")
                message = _fault(checks, asked)
                if message and (path, message) not in told:
                    told.add((path, message))
                    yield path, message


def _checks(case: Case) -> Iterator[tuple[str, Expected]]:
    texts = {
        "expect.stdout": case.expect.stdout,
        "expect.stderr": case.expect.stderr,
        "expect.returns": case.functions.returns.text if case.functions and case.functions.returns else None,
    }
    return ((key, text) for key, text in texts.items() if text and text.how == "check")


def _fault(checks: Checks, asked: Expected) -> str:
    try:
        checks(asked)
    except HostError as error:
        return one_line(str(error))
    return ""


def failures(subject: Subject) -> Iterator[Found]:
    """Find where the reference fails, so that nobody can be graded."""
    failed = [answered for answered in subject.answers if answered.error and not answered.is_apart]
    errors = {answered.error for answered in failed}
    if len(errors) == 1 and len(failed) > 1:
        yield "reference", f"{one_line(errors.pop())}: nobody can be graded; mend it"
        return
    for path, some in _by_path(subject, failed, "expect").items():
        yield path, f"`{some[0].case.id}`: {one_line(some[0].error)}{_more(some)}: nobody can be graded; mend it"


def differences(subject: Subject) -> Iterator[Found]:
    """Find where the reference does not do what is expected."""
    differing = [answered for answered in subject.answers if answered.is_wrong and answered.result]
    for path, some in _by_path(subject, differing, "expect").items():
        told = one_line(some[0].result.message if some[0].result else "")
        yield path, f"the reference is not right in `{some[0].case.id}`{_more(some)}: {told} Mend one of the two"


def tight_limits(subject: Subject) -> Iterator[Found]:
    """Find time limits that leave a student's program less than three times what the reference takes."""
    told: dict[str, tuple[float, str]] = {}
    for answered in subject.answers:
        path = subject.path(answered.case, "limits")
        if "limits" not in path and "limits" in subject.source.places:
            path = "limits"
        share, message = _used(answered, subject)
        if share > told.get(path, (1.0, ""))[0]:
            told[path] = share, message
    yield from ((path, message) for path, (_, message) in told.items())


def _used(answered: Answered, subject: Subject) -> tuple[float, str]:
    """Return the share of what the reference may take, and what to say if that is more than all."""
    execution = answered.execution
    if execution is None or subject.course is None or answered.is_apart:
        return 0.0, ""
    limits: Limits = run.limits_of(subject.course.toolchain.limits, answered.case.limits)
    used = {"of processor time": (execution.cpu, limits.cpu)}
    if not execution.transcript:  # in a dialogue somebody waits
        used["on the wall"] = (execution.time, limits.time)
    what, (taken, most) = max(used.items(), key=lambda item: item[1][0] / item[1][1])
    if taken < _LEAST:
        return 0.0, ""
    case = answered.case.id
    return _ROOM * taken / most, (
        f"in `{case}` the reference takes {taken:.2g} s {what}, and the limit is {most:g} s: "
        f"give students at least {_ROOM} times what it takes"
    )


def _by_path(subject: Subject, some: list[Answered], key: str) -> Mapping[str, list[Answered]]:
    paths: dict[str, list[Answered]] = {}
    for answered in some:
        paths.setdefault(subject.path(answered.case, key), []).append(answered)
    return paths


def _more(some: list[Answered]) -> str:
    return f" and {len(some) - 1} more" if len(some) > 1 else ""


RULES: Mapping[str, Rule] = {
    "course-function": Rule(
        level="error",
        about="A check or a generator that cannot be called leaves every submission ungraded.",
        find=functions,
        asks="functions",
    ),
    "reference-fails": Rule(
        level="error",
        about="Where the reference fails, nobody knows what is expected, and every submission is ungraded.",
        find=failures,
        asks="reference",
    ),
    "reference-differs": Rule(
        level="error",
        about="The reference does not satisfy the spec: one of the two is wrong, and students pay for it.",
        find=differences,
        asks="reference",
    ),
    "tight-limit": Rule(
        level="warning",
        about="A limit below three times what the reference takes fails right programs on a slower machine.",
        find=tight_limits,
        asks="reference",
    ),
}
