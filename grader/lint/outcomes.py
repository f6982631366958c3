"""Rules about tests whose outcome is fixed: whatever a student hands in, they are passed, or they are not."""

from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase

from grader.build.layout import covering
from grader.judge.reach import reachable
from grader.judge.values import written
from grader.lint.subject import Found, Rule, Subject
from grader.load import fits
from grader.model import Case, Expected, ExpectedFiles, ExpectedValue, FunctionCase, Test, Value
from grader.text import one_line

_GLOB = "*?["


def never_fails(subject: Subject) -> Iterator[Found]:
    """Find tests, and single cases, that are passed by any program that starts and ends."""
    for path, test in subject.tests():
        sure = [case for case in test.cases if all(case.tolerate.get(kind) == 1 for kind in reachable(case))]
        if len(sure) == len(test.cases):
            yield path, f"{_passed(sure[0])}: only a crash or a limit can fail this test; expect what a wrong one lacks"
            continue
        for place, case in {subject.path(case): case for case in sure}.items():
            yield place, f"{_passed(case)}: only a crash or a limit can fail this case; expect what a wrong one lacks"


def _passed(case: Case) -> str:
    if reachable(case):
        return "everything that may be wrong keeps all of the credit"
    return "any output of any program is right"


def never_passes(subject: Subject) -> Iterator[Found]:
    """Find what contradicts itself, so that not even a right program gets all points."""
    yield from _never_built(subject)
    hopeless: set[str] = set()
    for path, test in subject.tests():
        for place, need in enumerate(test.needs):
            if need in hopeless:
                yield (
                    f"{path}.needs[{place}]",
                    f'"{need}" can never pass, so this test is always skipped: mend that one',
                )
        found = dict(_of_cases(subject, test))
        yield from found.items()
        if found or not hopeless.isdisjoint(test.needs):
            hopeless.add(test.name)


def _never_built(subject: Subject) -> Iterator[Found]:
    files = subject.spec.files
    for place, name in enumerate(files.required):
        is_glob = any(mark in name for mark in _GLOB)
        if not is_glob and covering(name, files.forbidden):
            yield f"files.required[{place}]", f'"{name}" is forbidden as well, so that nothing is ever built: drop one'
        elif is_glob and name in files.discard:
            yield f"files.required[{place}]", f'"{name}" is discarded before it is looked for: drop one of the two'


def _of_cases(subject: Subject, test: Test) -> Iterator[Found]:
    for case in test.cases:
        yield from _of_files(subject, case)
        yield from _of_dialogue(subject, case)
        yield from _of_output(subject, case)
        if case.functions:
            yield from _of_values(subject, case, case.functions)


def _of_files(subject: Subject, case: Case) -> Iterator[Found]:
    files = case.expect.files or ExpectedFiles()
    for pattern in files.absent:
        there = next((name for name in (*files.present, *files.same) if _is_covered(name, pattern)), None)
        if there is not None:
            message = f'"{there}" must be there and, by "{pattern}", must not: take one of the two out'
            yield subject.path(case, "expect.files.absent", "expect.files"), message


def _is_covered(name: str, pattern: str) -> bool:
    return name == pattern or (not any(mark in name for mark in _GLOB) and fnmatchcase(name, pattern))


def _of_dialogue(subject: Subject, case: Case) -> Iterator[Found]:
    ended = False
    for place, step in enumerate(case.dialogue):
        if ended and step.do in ("expect", "regex"):
            yield f"{subject.path(case, 'dialogue')}[{place}]", "nothing can come after the end of the output: move eof"
            return
        ended = ended or step.do == "eof"


def _of_output(subject: Subject, case: Case) -> Iterator[Found]:
    most = case.limits.get("output")
    if most is None or 1 in case.tolerate.values():
        return
    for name, stream in (("stdout", case.expect.stdout), ("stderr", case.expect.stderr)):
        least = _least(stream) if stream else 0
        if least > most:
            message = (
                f"the expected text has {least} bytes, and the limit of the output is {int(most)}: raise the limit"
            )
            yield subject.path(case, f"expect.{name}", "expect"), message


def _least(stream: Expected) -> int:
    """Return how many bytes the shortest right output has, without what every tolerance may leave out."""
    if stream.want is None or stream.how not in ("text", "lines"):
        return 0
    return sum(len(text.encode(errors="surrogatepass")) for text in stream.want)


# ---------------------------------------------------------------- functions


def _of_values(subject: Subject, case: Case, function: FunctionCase) -> Iterator[Found]:
    call = function.call.signature
    place = subject.path(case, "expect")
    wanted = [(f"{place}.returns", function.returns, call.returns)]
    wanted += [(f"{place}.args.{at}", value, call.parameters[at].type) for at, value in function.args.items()]
    if function.raises not in ("", "reference"):
        return
    for path, value, kind in wanted:
        if value is not None and kind and not _could_be(value, kind):
            shown = "a text" if value.text else one_line(written(value.want, is_python=False))
            yield path, f"{shown} is no {kind}, which {call.text} has there: expect a value of that type"


def _could_be(value: ExpectedValue, kind: str) -> bool:
    """Whether a Java value of the type can be what is expected; 1 is 1.0 and true, as values are compared."""
    if value.text is not None:
        return kind in ("String", "Object", "CharSequence") or kind not in _STAND_INS
    return value.reference or _fits(value.want, kind)


def _fits(value: Value, kind: str) -> bool:
    if isinstance(value, tuple) and kind.endswith("[]"):
        return all(_fits(item, kind.removesuffix("[]")) for item in value)
    return any(fits(same, kind) for same in (value, *_alike(value)))


def _alike(value: Value) -> Iterator[Value]:
    if isinstance(value, bool | int | float) and value == value // 1:
        yield int(value)
        if value in (0, 1):
            yield bool(value)


_STAND_INS = ("boolean", "byte", "short", "int", "long", "float", "double", "Boolean", "Integer", "Long", "Double")
"""types whose values are no texts"""


def ignored(subject: Subject) -> Iterator[Found]:
    """Find what is expected but never looked at."""
    for _, test in subject.tests():
        for case in test.cases:
            function = case.functions
            if function and function.raises not in ("", "reference") and (function.returns or function.args):
                key = "returns" if function.returns else "args"
                path = f"{subject.path(case, 'expect')}.{key}"
                yield path, f"a call that must end with an exception has no result: take {key} out, or raises"
            yield from _late_steps(subject, case)


def _late_steps(subject: Subject, case: Case) -> Iterator[Found]:
    most = case.limits.get("time")
    for place, step in enumerate(case.dialogue):
        if most is not None and step.within is not None and step.within > most:
            path = f"{subject.path(case, 'dialogue')}[{place}].within"
            yield path, f"the case ends after {most:g} s, before this time is over: raise limits.time, or wait less"


RULES: Mapping[str, Rule] = {
    "never-fails": Rule(
        level="warning",
        about="A test that every program passes gives points away and tells nobody anything.",
        find=never_fails,
    ),
    "never-passes": Rule(
        level="error",
        about="A test that contradicts itself costs points that nobody can get.",
        find=never_passes,
    ),
    "ignored-expectation": Rule(
        level="warning",
        about="Something is asked for that is never looked at, so that the test is weaker than it reads.",
        find=ignored,
    ),
}
