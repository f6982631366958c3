"""The smallest input that shows a mistake, made from the spec's own inputs, for a student who looks for the mistake.

Numbers become smaller, flat lists and standard input shorter, as long as the program fails in the same way, and the
reference ends as it does with the spec's own input, and passes. With `each`, the spec is read again with other values;
else the arguments, the input and the values for a function are changed themselves. No grade is ever changed.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from math import inf
from time import monotonic
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from grader.core import run
from grader.core.errors import GraderError
from grader.core.model.execution import Execution
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

_LINEAR = 12  # up to here every smaller number is tried, from the smallest on
_MAX_TRIES = 60  # inputs tried below the generated inputs for a submission; no seconds: each grading finds the same
_OUT_OF_LIMITS = (Verdict.TIMEOUT, Verdict.MEMORY, Verdict.OUTPUT)  # what takes too long to look for unasked
_NOT_READ_AGAIN = {"needs", "unlike", "weights", "credit", "scoring"}  # keys about other tests, or all cases of a test
_NUMBERED = re.compile(
    r"(?P<name>.+)\[(?P<label>\w+=(?:-|#)?\d{1,9}(?:,\w+=(?:-|#)?\d{1,9})*)\](?P<rest>(?:\[#?\d+\])*)"
)  # the name of a case of a test with `each`, all of it numbers, or the places of such as were drawn
_INTEGER = re.compile(r"(-?\d{1,9})")


def grade_and_search(job: Job, course: Course, seconds: float | None = None) -> Report:
    """Grade a submission as `pipeline.grade` does, and look for smaller inputs for at most so many `seconds`.

    What is being run when they are over comes to its end. Without `seconds`, looks only for smaller
    generated inputs, for a number of tries.
    """
    if not course.spec.has_references or (seconds is None and not course.spec.has_generated_inputs):
        return grade(job, course)
    with bench(job, course) as ready:
        course, results = ready.course, ready.grade_tests()
        report = to_report(ready.judgement(results))
        deadline = monotonic() + (inf if seconds is None else seconds)
        search = replace(ready, course=course.without_budget())
        firsts = [(number, group[0]) for number, test in enumerate(report.tests) for group in describe_groups(test)]
        if seconds is None:
            generated = {show(case.id) for test in course.spec.tests for case in test.cases if case.is_generated}
            firsts = [pair for pair in firsts if pair[1].id in generated and pair[1].verdict not in _OUT_OF_LIMITS]
        tries = _MAX_TRIES / max(len(firsts), 1) if seconds is None else inf
        found = {case.id: _find_smallest(case.id, results[at], search, deadline, tries) for at, case in firsts}
    tests = (
        replace(test, cases=tuple(replace(case, smallest=found.get(case.id) or UNSET) for case in test.cases))
        for test in report.tests
    )
    return replace(report, tests=tuple(tests))


def _find_smallest(
    shown_id: str, result: TestResult, ready: Bench, deadline: float, tries: float
) -> ReportedSmallest | None:
    """Return the smallest input that was found for a case, None when there is none below its own.

    The search goes on from the smallest one found so far, until none below it fails, for so many tries.
    """
    test, course = result.test, ready.course
    case, first = next(pair for pair in zip(test.cases, result.cases, strict=True) if show(pair[0].id) == shown_id)
    right = reference_execution(case, course)
    is_fixed = case.command is not None or test.in_order or bool(case.also)
    is_fixed = is_fixed or (case.payload is not None and case.payload.arguments is None)
    # Without the function, or the class, no input shows more than another.
    if is_fixed or isinstance(right, GraderError) or first.run is None or first.run.lacking:
        return None
    smallest, below, tried = None, _smaller_cases(case, test, course), set[str]()
    while (smaller := next(below, None)) and monotonic() <= deadline and len(tried) < tries:
        given = repr((smaller.args, smaller.stdin, smaller.files, smaller.payload, smaller.generated_numbers))
        if given in tried:
            continue
        tried.add(given)
        if _is_right(smaller, right, course) and (failing := _fails_alike(smaller, first, result.test, ready)):
            command = show(run.runner.command_text(smaller, course.spec))
            message = show(failing.message.text)
            smallest = ReportedSmallest(command=command, stdin=show(smaller.stdin), message=message)
            below = _smaller_cases(smaller, test, course)
    return smallest


def _is_right(case: Case, end: Execution, course: Course) -> bool:
    """Whether a case is one of the assignment's: the reference passes it, and ends as in that `end`."""
    right = reference_execution(case, course)
    if isinstance(right, GraderError) or (right.status, right.signal) != (end.status, end.signal):
        return False
    try:
        return judged(case, right, right, course, of_reference=True).credit == 1
    except GraderError:
        return False


def _fails_alike(case: Case, first: CaseResult, test: Test, ready: Bench) -> CaseResult | None:
    """Return what a case comes to if it fails as the `first` did."""
    (again,) = ready.grade_test(replace(test, cases=(case,), needs=()), ()).cases
    kinds = [{(deviation.kind, deviation.stream) for deviation in side.deviations} for side in (again, first)]
    return again if again.verdict == first.verdict and kinds[0] == kinds[1] else None


# ---------------------------------------------------------------- what is smaller


def _smaller_cases(case: Case, test: Test, course: Course) -> Iterator[Case]:
    """Yield smaller cases, the smallest first; of the generated inputs, such as could have been."""
    payload: Any = case.payload
    if case.generated_numbers or case.generated_inputs or _NUMBERED.fullmatch(case.id):
        yield from _with_smaller_number(case, test, course)
        for place, generator in case.generated_inputs.items():
            yield from _with_fewer_lines(case, place) if generator.shrinks else ()
    elif payload is not None:
        yield from (replace(case, payload=payload.with_args(args)) for args in smaller_parts(payload.arguments))
    else:  # smaller arguments, then fewer lines of standard input, then smaller numbers in it
        yield from (replace(case, args=words) for words in _smaller_values(case.args))
        yield from _with_fewer_lines(case, "stdin")
        parts = _INTEGER.split(case.stdin.decode("latin-1"))  # every byte a character
        yield from (replace(case, stdin="".join(words).encode("latin-1")) for words in smaller_parts(parts))


def _with_smaller_number(case: Case, test: Test, course: Course) -> Iterator[Case]:
    """Yield the case with a smaller number: one that was drawn, in its range, or where nothing was, one of `each`."""
    numbered = _NUMBERED.fullmatch(case.id)
    values = dict(part.split("=") for part in numbered["label"].split(",")) if numbered else {}
    numbers = {number.name: number for number in case.generated_numbers}
    few = 2 if numbers else _LINEAR  # below what was drawn, the tries are for the border
    if not numbers and not case.generated_inputs:  # what is written goes towards 0
        written = {name: int(value) for name, value in values.items() if "#" not in value}
        numbers = {name: GeneratedNumber(name=name, value=value, low=0, high=0) for name, value in written.items()}
    # Read again, the case would be given something else for what is drawn in another place.
    is_variable = numbers.keys() <= values.keys() and not case.generated_inputs
    for name, number in numbers.items():
        for smaller in _smaller_numbers(number.value, min(max(0, number.low), number.high), few):
            changed = {**numbers, name: replace(number, value=smaller)}
            cases: Iterable[Case] = ()
            if name.startswith("args["):
                at = int(name[5:-1])
                cases = [replace(case, args=(*case.args[:at], str(smaller), *case.args[at + 1 :]))]
            elif is_variable and numbered:
                others = {name: str(number.value) for name, number in changed.items()}
                cases = _with_values(test, values | others, numbered["rest"], course)
            yield from (replace(changed_case, generated_numbers=tuple(changed.values())) for changed_case in cases)


def _with_fewer_lines(case: Case, place: str) -> Iterator[Case]:
    """Yield the case with fewer lines, or arguments, in what a place in it has."""
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
    other_keys = {key: value for key, value in entries_of(node).items() if key not in _NOT_READ_AGAIN}
    written = dump(table({**top, "tests": listing([table({**other_keys, "each": parameters})])}), open_levels=1)
    wanted = f"{test.name}[{','.join(f'{name}={value}' for name, value in values.items())}]{rest}"
    read = import_module("grader.core.reader.spec").read  # who looks for nothing needs nothing that reads a spec
    try:
        (again,) = read(written.encode(), course.spec.id, course.spec.root, seed=course.spec.drawn_from).tests
    except GraderError:
        return
    yield from (case for case in again.cases if case.id == wanted)


def _smaller_numbers(value: int, least: int = 0, few: int = _LINEAR) -> list[int]:
    """Return numbers nearer to `least`: the few next to it, then ever closer ones, so few tries find the border."""
    size = abs(value - least)
    sizes = {*range(few + 1), *(size - (size >> part) for part in range(1, size.bit_length() + 1))}
    return [least + (further if value > least else -further) for further in sorted(sizes) if further < size]


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


def _shorten(values: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    """Yield the values without a part of them: halves first, single ones at last."""
    sizes = [len(values) >> halvings for halvings in range(1, len(values).bit_length())] or [1]
    yield from (values[:at] + values[at + size :] for size in sizes for at in range(0, len(values), size))
