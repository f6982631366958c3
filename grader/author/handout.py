"""The contract of an assignment as students read it, in Markdown: what is asked, what it is worth, what is tolerated.

It is made of the spec and of what the reference does, so that it cannot promise anything else than what is graded. Of a
hidden test there is nothing but its points.
"""

import shlex
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product

from grader import run
from grader.author.handout_test import told_test
from grader.author.handout_words import limits_told, shares
from grader.author.session import sample_session
from grader.judge.reach import reachable
from grader.model import DEVIATIONS, Case, FileRules, Limits, Spec, Test, Tolerances
from grader.pipeline import Course
from grader.report.markdown import code, inline
from grader.text import points


def handout(course: Course) -> str:
    """Write the handout of the course's spec. Raises HostError when the reference cannot be asked."""
    spec = course.spec
    shown = [test for test in spec.tests if test.visibility == "visible"]
    cases = [case for test in shown for case in test.cases]
    limits = _usual([_limits(test, course) for test in shown]) or run.limits_of(course.toolchain.limits, {})
    tolerate = _mostly(shown)
    parts = (
        _head(spec),
        _files(spec.files),
        _making(spec, cases),
        sample_session(course, shown),
        _points(spec, shown),
        *(told_test(test, spec, tolerate, _other(_limits(test, course), limits)) for test in shown),
        ["## Limits", "", f"One run may use {limits_told(limits)}. A program that goes on is ended, and gets nothing."],
        _tolerated(tolerate),
        _at_home(spec),
    )
    return "\n\n".join(filter(None, ("\n".join(part).strip("\n") for part in parts))) + "\n"


def _limits(test: Test, course: Course) -> Limits | None:
    """Return the limits that most cases of a test have."""
    return _usual([run.limits_of(course.toolchain.limits, case.limits) for case in test.cases])


def _usual(found: Sequence[Limits | None]) -> Limits | None:
    counted = Counter(found).most_common(1)
    return counted[0][0] if counted else None


def _other(own: Limits | None, usual: Limits) -> Limits | None:
    return None if own == usual else own


def _mostly(tests: Sequence[Test]) -> Tolerances:
    """Return what most of the tests tolerate in which that can happen."""
    kept: dict[str, Fraction] = {}
    for kind in DEVIATIONS:
        able = [case for test in tests for case in test.cases[:1] if kind in reachable(case)]
        found = Counter(case.tolerate.get(kind, Fraction(0)) for case in able)
        if found and (share := found.most_common(1)[0][0]):
            kept[kind] = share
    return kept


def _head(spec: Spec) -> Iterator[str]:
    yield f"# {inline(spec.title)}"
    if told := ": ".join(filter(None, (spec.course, spec.source))):
        yield from ("", inline(told))
    if spec.about:
        yield from ("", inline(spec.about))


def _files(rules: FileRules) -> Iterator[str]:
    listed = (
        ("Required", rules.required, "Without these nothing can be graded."),
        ("Allowed as well", rules.optional, ""),
        ("Not allowed", rules.forbidden, "A submission with one of these is not graded."),
        ("Removed before the build", rules.discard, "There is no need to hand these in."),
    )
    if any(names for _, names, _ in listed):
        yield from ("## What to hand in", "")
    for title, names, note in listed:
        if names:
            yield f"- {title}: {', '.join(map(code, names))}. {note}".rstrip()


def _making(spec: Spec, cases: Sequence[Case]) -> Iterator[str]:
    yield from ("## How it is built and started", "")
    if spec.build:
        commands = " and then ".join(code(shlex.join(command)) for command in spec.build.run)
        made = f", which has to make {', '.join(map(code, spec.build.produces))}" if spec.build.produces else ""
        yield f"It is built with {commands}{made}."
    else:
        yield "There is nothing to build."
    if any(case.command is None and case.functions is None for case in cases):
        yield f"It is started with {code(shlex.join(spec.program))}; the arguments follow."
    yield "Every run has a new folder of its own, and no network."


def _points(spec: Spec, shown: Sequence[Test]) -> Iterator[str]:
    yield from ("## Points", "", "| test | points |", "|:--|--:|")
    for test in shown:
        yield f"| {inline(test.name)} | {_worth([test])} |"
    for name, found in _not_shown(spec):
        yield f"| {name} | {_worth(found)} |"
    yield f"| **all** | **{points(spec.max_score)}** |"


def _not_shown(spec: Spec) -> Iterator[tuple[str, list[Test]]]:
    """Group the tests that students do not see, each group with what may be said of it."""
    whens = {"hidden": "not shown", "after-due": "shown after the due date"}
    for (visibility, when), bonus in product(whens.items(), (False, True)):
        found = [test for test in spec.tests if test.visibility == visibility and test.bonus == bonus]
        if found:
            yield f"{len(found)} more {'test' if len(found) == 1 else 'tests'}, {when}", found


def _worth(tests: Sequence[Test]) -> str:
    bonus = " (bonus)" if tests[0].bonus else ""
    return points(sum((test.points for test in tests), Fraction(0))) + bonus


def _tolerated(tolerate: Tolerances) -> Iterator[str]:
    yield from ("## What is tolerated", "")
    if not tolerate:
        yield "Nothing: what a program writes has to be exactly what is asked for, unless a test says otherwise."
        return
    yield from ("| if this is all that differs | a case keeps |", "|:--|--:|")
    yield from (f"| {inline(told)} | {share} |" for told, share in shares(tolerate))
    yield from ("", "Of two of these the shares are multiplied. Whatever else differs keeps nothing.")


def _at_home(spec: Spec) -> Iterator[str]:
    yield from ("## To check it yourself", "")
    yield f"With {code('grader')} and the public copy, in the folder that has {code(f'specs/{spec.id}.yaml')} in it:"
    yield from ("", "```", f"grader run YOUR-FOLDER --spec {spec.id}", "```")
