"""The smallest input that shows a mistake, made from the spec's own inputs, for a student who looks for the mistake.

Numbers become smaller, flat lists and standard input shorter, as long as the program fails in the same way, and the
reference ends as it does with the spec's own input, and passes. With `each`, the spec is read again with other values;
else the arguments, the input and the values for a function are changed themselves. No grade is ever changed.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import chain
from math import inf
from time import monotonic
from typing import Any, TypeVar

from msgspec.structs import replace

from grader.core import run
from grader.core.errors import GraderError
from grader.core.model.report import CaseResult, Job, Report, ReportedSmallest, TestResult, Verdict
from grader.core.model.spec import Case, GeneratedNumber, Test
from grader.core.model.values import PlainValue
from grader.core.pipeline import Bench, Course, bench, grade, judged, reference_execution
from grader.core.report.json import to_report
from grader.core.report.view import describe_groups
from grader.core.text import show
from grader.core.yaml.dumping import dump
from grader.core.yaml.nodes import entries_of, items_of, listing, plain, table
from grader.core.yaml.parsing import parse

Part = TypeVar("Part")

_LINEAR = 12  # up to here every smaller number is tried, from the smallest on
_MAX_TRIES = 60
"""inputs that are tried below the generated inputs for a submission. Not seconds: each grading finds the same."""
_OUT_OF_LIMITS = (Verdict.TIMEOUT, Verdict.MEMORY, Verdict.OUTPUT)  # what takes too long to look for unasked
_NUMBERED = re.compile(
    r"(?P<name>.+)\[(?P<label>\w+=(?:-|#)?\d{1,9}(?:,\w+=(?:-|#)?\d{1,9})*)\](?P<rest>(?:\[#?\d+\])*)"
)
"""the name of a case of a test with `each`, all of it numbers, or the places of such as were drawn"""
_INTEGER = re.compile(r"-?\d{1,9}")


def grade_with_drawn(job: Job, course: Course) -> Report:
    """Grade a submission as `pipeline.grade` does, and look for smaller generated inputs with the same mistakes."""
    return grade_and_search(job, course) if course.spec.has_generated_inputs else grade(job, course)


def grade_and_search(job: Job, course: Course, seconds: float | None = None) -> Report:
    """Grade a submission as `pipeline.grade` does, and look for smaller inputs for at most so many `seconds`.

    What is being run when they are over comes to its end. Without `seconds`, looks only for smaller
    generated inputs, for a number of tries.
    """
    with bench(job, course) as ready:
        course, results = ready.course, ready.grade_tests()
        report = to_report(ready.judgement(results))
        if not course.spec.has_references:
            return report
        deadline, search = monotonic() + (inf if seconds is None else seconds), ready.without_budget()
        firsts = [(number, group[0]) for number, test in enumerate(report.tests) for group in describe_groups(test)]
        if seconds is None:
            generated = {show(case.id) for test in course.spec.tests for case in test.cases if case.is_generated}
            firsts = [pair for pair in firsts if pair[1].id in generated and pair[1].verdict not in _OUT_OF_LIMITS]
        by_case: dict[str, ReportedSmallest] = {}
        for place, (number, case) in enumerate(firsts):
            share = max(deadline - monotonic(), 0) / (len(firsts) - place)
            tries = _MAX_TRIES / len(firsts) if seconds is None else inf
            if smallest := _Search(search, results[number], case.id, monotonic() + share, tries).smallest():
                by_case[case.id] = smallest
    tests = []
    for test in report.tests:
        cases = (replace(case, smallest=by_case.get(case.id, case.smallest)) for case in test.cases)
        tests.append(replace(test, cases=tuple(cases)))
    return replace(report, tests=tuple(tests))


@dataclass(frozen=True, slots=True)
class _Search:
    """The search for one case; it goes on from the smallest input found so far, until none below it fails."""

    ready: Bench
    result: TestResult
    shown_id: str
    deadline: float
    tries: float  # how many inputs may be tried

    def smallest(self) -> ReportedSmallest | None:
        """Return the smallest input that was found, None when there is none below that of the case."""
        pairs = zip(self.result.test.cases, self.result.cases, strict=True)
        case, first = next(pair for pair in pairs if show(pair[0].id) == self.shown_id)
        course = self.ready.course
        right = reference_execution(case, course)
        is_fixed = case.command is not None or self.result.test.in_order or bool(case.also)
        is_fixed = is_fixed or (case.payload is not None and case.payload.arguments is None)
        # Without the function, or the class, no input shows more than another.
        if is_fixed or isinstance(right, GraderError) or first.run is None or first.run.lacking:
            return None
        end = (right.status, right.signal)
        best: tuple[Case, CaseResult] | None = None
        goes_on, tried = True, set[str]()
        while goes_on:
            goes_on = False
            for smaller in _smaller_cases(best[0] if best else case, self.result.test, course):
                if monotonic() > self.deadline or len(tried) >= self.tries:
                    break
                given = repr((smaller.args, smaller.stdin, smaller.files, smaller.payload, smaller.generated_numbers))
                if given in tried:
                    continue
                tried.add(given)
                if failing := self._judge_smaller(smaller, first, end):
                    best, goes_on = (smaller, failing), True
                    break
        if best is None:
            return None
        command = show(run.runner.command_text(best[0], course.spec))
        return ReportedSmallest(command=command, stdin=show(best[0].stdin), message=show(best[1].message.text))

    def _judge_smaller(self, case: Case, first: CaseResult, end: tuple[int | None, int | None]) -> CaseResult | None:
        """Return what a case comes to if it is one of the assignment's, and fails as the `first` did."""
        course = self.ready.course
        right = reference_execution(case, course)
        if isinstance(right, GraderError) or (right.status, right.signal) != end:
            return None
        try:
            if judged(case, right, right, course, of_reference=True).credit != 1:
                return None
        except GraderError:
            return None
        (again,) = self.ready.grade_test(replace(self.result.test, cases=(case,), needs=()), ()).cases
        kinds = [{(deviation.kind, deviation.stream) for deviation in side.deviations} for side in (again, first)]
        return again if again.verdict == first.verdict and kinds[0] == kinds[1] else None


# ---------------------------------------------------------------- what is smaller


def _smaller_cases(case: Case, test: Test, course: Course) -> Iterator[Case]:
    """Yield smaller cases, the smallest first; of the generated inputs, such as could have been."""
    payload: Any = case.payload
    if case.generated_numbers or case.generated_inputs:
        yield from _smaller_drawn_cases(case, test, course)
    elif numbered := _NUMBERED.fullmatch(case.id):
        values = dict(part.split("=") for part in numbered["label"].split(","))
        for name, value in values.items():
            for smaller in _smaller_numbers(int(value)):
                yield from _with_values(test, {**values, name: str(smaller)}, numbered["rest"], course)
    elif payload is not None:
        yield from (replace(case, payload=payload.with_args(args)) for args in smaller_parts(payload.arguments))
    else:  # smaller arguments, then fewer lines of standard input, then smaller numbers in it
        yield from (replace(case, args=words) for words in _smaller_values(case.args))
        text = case.stdin.decode(errors="surrogateescape")
        shorter = ("".join(lines) for lines in _shorten(tuple(text.splitlines(keepends=True))))
        pairs = ((at, str(smaller)) for at in _INTEGER.finditer(text) for smaller in _smaller_numbers(int(at[0])))
        numbers = (text[: at.start()] + number + text[at.end() :] for at, number in pairs)
        yield from (replace(case, stdin=shrunk.encode(errors="surrogateescape")) for shrunk in chain(shorter, numbers))


def _smaller_drawn_cases(case: Case, test: Test, course: Course) -> Iterator[Case]:
    """Yield the case with another number for one that was drawn, as an argument or for a variable; or fewer lines."""
    numbered = _NUMBERED.fullmatch(case.id)
    # Not where the case is also given what is drawn otherwise: read again, it would be given something else.
    if numbered and (len(case.generated_numbers) != numbered["label"].count("#") or case.generated_inputs):
        numbered = None
    for place, draw in enumerate(case.generated_numbers):
        for value in _smaller_drawn(draw):
            numbers = (
                *case.generated_numbers[:place],
                replace(draw, value=value),
                *case.generated_numbers[place + 1 :],
            )
            if draw.name.startswith("args["):
                at = int(draw.name[5:-1])
                args = (*case.args[:at], str(value), *case.args[at + 1 :])
                yield replace(case, args=args, generated_numbers=numbers)
            elif numbered:
                known = {number.name: str(number.value) for number in numbers}
                values = {**dict(part.split("=") for part in numbered["label"].split(",")), **known}
                for again in _with_values(test, values, numbered["rest"], course):
                    yield replace(again, id=case.id, generated_numbers=numbers)
    for name, generator in case.generated_inputs.items():
        if generator.shrinks:
            yield from _with_fewer_lines(case, name)


def _smaller_drawn(number: GeneratedNumber) -> list[int]:
    """Return numbers of the same range that are nearer to zero, or to the end nearest to zero."""
    # First come the nearest few, then numbers ever closer to the present one, so few tries find the border.
    least = min(max(0, number.low), number.high)
    size = abs(number.value - least)
    sizes = {0, 1, 2, *(size - (size >> part) for part in range(1, size.bit_length() + 1))}
    return [least + (further if number.value > least else -further) for further in sorted(sizes) if further < size]


def _with_fewer_lines(case: Case, place: str) -> Iterator[Case]:
    """Yield the case with fewer lines, or arguments, in what was generated for a place in it."""
    if place == "args":
        yield from (replace(case, args=words) for words in _shorten(case.args))
        return
    name = place.removeprefix("files.")
    data = case.stdin if place == "stdin" else case.files[name]
    for lines in _shorten(tuple(data.splitlines(keepends=True))):
        less = b"".join(lines)
        yield replace(case, stdin=less) if place == "stdin" else replace(case, files={**case.files, name: less})


def _with_values(test: Test, values: dict[str, str], rest: str, course: Course) -> Iterator[Case]:
    """Read the test again with other values of `each`, and yield the matching case if it can be read."""
    top = entries_of(parse(course.spec.source_text, course.spec.id))
    node = items_of(top["tests"])[[known.name for known in course.spec.tests].index(test.name)]
    parameters = table({name: listing([plain(value)]) for name, value in values.items()})
    other_keys = {key: value for key, value in entries_of(node).items() if key != "needs"}
    written = dump(table({**top, "tests": listing([table({**other_keys, "each": parameters})])}), open_levels=1)
    wanted = f"{test.name}[{','.join(f'{name}={value}' for name, value in values.items())}]{rest}"
    read = import_module("grader.core.reader.spec").read  # who looks for nothing needs nothing that reads a spec
    try:
        (again,) = read(written.encode(), course.spec.id, course.spec.root, seed=course.spec.drawn_from).tests
    except GraderError:
        return
    yield from (case for case in again.cases if case.id == wanted)


def _smaller_numbers(number: int) -> list[int]:
    """Return numbers of the same sign that are nearer to nought: the first few, and some in between."""
    size = abs(number)
    sizes = {*range(min(size, _LINEAR + 1)), size // 8, size // 4, size // 2, max(size - 2, 0), max(size - 1, 0)}
    return [smaller if number >= 0 else -smaller for smaller in sorted(sizes - {size})]


def smaller_parts(values: Sequence[PlainValue]) -> Iterator[tuple[PlainValue, ...]]:
    """Yield the values with one of them smaller; as many as before."""
    for place, value in enumerate(values):
        for smaller in _smaller_values(value):
            yield (*values[:place], smaller, *values[place + 1 :])


def _smaller_values(value: PlainValue) -> Iterator[PlainValue]:
    if isinstance(value, tuple):
        if not any(isinstance(part, tuple) for part in value):
            yield from _shorten(value)
        yield from smaller_parts(value)
    elif isinstance(value, int) and not isinstance(value, bool):
        yield from _smaller_numbers(value)
    elif isinstance(value, str) and _INTEGER.fullmatch(value):
        yield from map(str, _smaller_numbers(int(value)))


def _shorten(values: tuple[Part, ...]) -> Iterator[tuple[Part, ...]]:
    """Yield the values without a part of them: halves first, single ones at last."""
    size = len(values)
    while size := size // 2 or (len(values) == 1 and size == 1):
        yield from (values[:start] + values[start + size :] for start in range(0, len(values), size))
        if size == 1:
            return
