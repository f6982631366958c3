"""What can only be told by running something: the instructor's functions, or the reference."""

from collections.abc import Iterator, Mapping

from grader import oracle, run
from grader.errors import HostError
from grader.lint.flaws import Flaw, Subject
from grader.model import Expected
from grader.text import listed, one_line
from grader.verify.right import ROOM, Answered, NearestLimit, nearest_limit


def uncallable_functions(subject: Subject) -> Iterator[Flaw]:
    """Find checks of the course that are not there, or cannot be called."""
    checks = oracle.load_checks(subject.spec.root)
    told = set()
    for case in (case for _, test in subject.tests() for case in test.cases):
        texts: Mapping[str, Expected | None] = {
            "expect.stdout": case.expect.stdout,
            "expect.stderr": case.expect.stderr,
            "expect.returns": case.functions.returns.text if case.functions and case.functions.returns else None,
        }
        for key, asked in texts.items():
            if asked is None or asked.how != "check":
                continue
            try:
                checks(asked)
            except HostError as error:
                flaw = subject.path(case, key, "expect"), one_line(str(error))
                if flaw not in told:
                    told.add(flaw)
                    yield flaw


def reference_failures(subject: Subject) -> Iterator[Flaw]:
    """Find where the reference fails, so that nobody can be graded."""
    failed = [answered for answered in subject.answers if answered.error and not answered.is_apart]
    errors = {answered.error for answered in failed}
    if len(errors) == 1 and len(failed) > 1:
        yield "reference", f"{one_line(errors.pop())}: nobody can be graded; mend it"
        return
    for path, some in _by_expectation(subject, failed).items():
        told = listed([one_line(some[0].error)], total=len(some))
        yield path, f"`{some[0].case.id}`: {told}: nobody can be graded; mend it"


def reference_differences(subject: Subject) -> Iterator[Flaw]:
    """Find where the reference does not do what is expected."""
    differing = [answered for answered in subject.answers if answered.is_wrong and answered.result]
    for path, some in _by_expectation(subject, differing).items():
        message = one_line(some[0].result.message if some[0].result else "")
        told = listed([f"`{some[0].case.id}`"], total=len(some))
        yield path, f"the reference is not right in {told}: {message} Mend one of the two"


def _by_expectation(subject: Subject, some: list[Answered]) -> Mapping[str, list[Answered]]:
    paths: dict[str, list[Answered]] = {}
    for answered in some:
        paths.setdefault(subject.path(answered.case, "expect"), []).append(answered)
    return paths


def tight_limits(subject: Subject) -> Iterator[Flaw]:
    """Find time limits that leave a student's program less than three times what the reference takes."""
    tightest: dict[str, tuple[NearestLimit, str]] = {}
    for answered in subject.answers:
        if answered.execution is None or subject.course is None or answered.is_apart:
            continue
        limits = run.limits_of(subject.course.toolchain.limits, answered.case.limits)
        nearest = nearest_limit(answered.execution, limits)
        path = subject.path(answered.case, "limits")
        if "limits" not in path and "limits" in subject.source.places:
            path = "limits"
        if nearest.is_tight and (path not in tightest or nearest.ratio < tightest[path][0].ratio):
            tightest[path] = nearest, answered.case.id
    for path, (nearest, case_id) in tightest.items():
        told = f"the reference takes {nearest.taken:.2g} s {nearest.clock}, and the limit is {nearest.limit:g} s"
        yield path, f"in `{case_id}` {told}: give students at least {ROOM} times what it takes"
