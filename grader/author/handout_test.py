"""One test as students read of it: what is started, and what must come of it."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from grader import run
from grader.author.handout_words import expected_told, limits_told, percent, result_told
from grader.judge.reach import reachable
from grader.load.language import DEVIATION_MEANINGS
from grader.model import Case, Limits, Spec, Step, Test, Tolerances
from grader.report.markdown import code, inline
from grader.text import points

_MOST = 12
"""cases that are written out"""


def told_test(test: Test, spec: Spec, tolerate: Tolerances, limits: Limits | None) -> Iterator[str]:
    """Tell of a visible test. `tolerate` is told elsewhere; `limits` are those that other tests have not."""
    scored = f"{points(test.points)} points{', as a bonus' if test.bonus else ''}" if test.points else "not scored"
    yield f"## {inline(test.name)}: {scored}"
    if told := " ".join([inline(test.about), *_rules(test, spec)]).strip():
        yield from ("", told)
    for expected, cases in _groups(test).items():
        yield from ("", *_cases(cases, spec))
        if expected:
            yield from ("", "Expected:", "", *expected)
    yield from _others(test, tolerate, limits)


def _rules(test: Test, spec: Spec) -> Iterator[str]:
    if test.all_or_nothing and len(test.cases) > 1:
        yield "All of it has to be right: there are no points for a part."
    shown = [other.name for other in spec.tests if other.name in test.needs and other.visibility == "visible"]
    if shown:
        yield f"It is run only when {' and '.join(map(inline, shown))} passed."


def _groups(test: Test) -> dict[tuple[str, ...], list[Case]]:
    """Group the cases of a test by what is told of their expectations; calls tell that themselves."""
    groups: dict[tuple[str, ...], list[Case]] = {}
    for case in test.cases:
        told = () if case.functions else tuple(expected_told(case.expect))
        groups.setdefault(told, []).append(case)
    return groups


def _cases(cases: Sequence[Case], spec: Spec) -> Iterator[str]:
    first = cases[0]
    if first.functions:
        within = "module" if spec.language == "python" else "class"
        heading = first.functions.call.signature.text
        yield f"{code(heading)} in the {within} {code(first.functions.within)}:"
        yield ""
        yield from (f"- {_call(case, spec)}" for case in cases[:_MOST])
    else:
        yield "Started as"
        yield ""
        yield from (f"- {_start(case, spec)}" for case in cases[:_MOST])
    if len(cases) > _MOST:
        yield f"- and {len(cases) - _MOST} more"


def _start(case: Case, spec: Spec) -> str:
    told = code(run.command_text(case, spec))
    if case.env:
        told += f", with {', '.join(code(f'{name}={value}') for name, value in case.env.items())}"
    if case.stdin:
        told += f", with {code(case.stdin.decode(errors='backslashreplace'))} on standard input"
    if case.files:
        told += f", beside {', '.join(map(code, sorted(case.files)))}"
    if case.dialogue:
        told += f": {'; '.join(map(_step, case.dialogue))}"
    return told


def _step(step: Step) -> str:
    """Tell a step of a dialogue."""
    told = {
        "expect": "it says",
        "regex": "it says what matches",
        "send": "you type",
        "key": "you press",
        "eof": "it ends",
    }[step.do]
    within = f" within {step.within:g} s" if step.within else ""
    return f"{told} {code(step.text)}{within}" if step.text else f"{told}{within}"


def _call(case: Case, spec: Spec) -> str:
    function = case.functions
    if function is None:
        return _start(case, spec)
    return f"{code(run.command_text(case, spec))} {result_told(function, case.expect.stdout, spec.language)}"


def _others(test: Test, tolerate: Tolerances, limits: Limits | None) -> Iterator[str]:
    """Tell what is tolerated otherwise than in most tests, if it can happen here, and the limits that are others."""
    for kind in DEVIATION_MEANINGS:
        found = {case.tolerate.get(kind, Fraction(0)) for case in test.cases if kind in reachable(case)}
        if len(found) == 1 and found != {tolerate.get(kind, Fraction(0))}:
            yield from ("", f"Tolerated here: {inline(DEVIATION_MEANINGS[kind])} This keeps {percent(*found)}.")
    if limits is not None:
        yield from ("", f"Here one run may use {limits_told(limits)}.")
