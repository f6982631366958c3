"""Rules about what has no effect, and about what students cannot know."""

import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import replace

from grader.judge.reach import reachable
from grader.lint.subject import Found, Rule, Subject
from grader.model import DEVIATIONS, Case

_MOST_TOLD = 4


def unreachable_tolerances(subject: Subject) -> Iterator[Found]:
    """Find tolerances of deviations that none of the cases below them can have."""
    cases = [(subject.source.cases[case.id], case) for test in subject.spec.tests for case in test.cases]
    for path in subject.source.places:
        holder, _, kind = path.rpartition(".")
        if kind not in DEVIATIONS or not re.fullmatch(r"(?:.*\.)?tolerate", holder):
            continue
        above = holder.removesuffix("tolerate")
        below = [case for place, case in cases if f"{place}.".startswith(above)]
        if below and not any(kind in reachable(case) for case in below):
            where = "no test" if holder == "tolerate" else "nothing here"
            yield path, f"{where} can have this deviation: drop it, or compare in a way that can tell it"


def repeated_cases(subject: Subject) -> Iterator[Found]:
    """Find cases that are in all but their name the same as one before."""
    first: dict[str, str] = {}
    told: dict[str, list[tuple[str, str]]] = {}
    for test in subject.spec.tests:
        for case in test.cases:
            # Written out, for 1 and true are equal, and other arguments.
            before = first.setdefault(repr(replace(case, id="")), case.id)
            if before != case.id:
                told.setdefault(subject.path(case), []).append((case.id, before))
    for path, pairs in told.items():
        case_id, before = pairs[0]
        others = f", and {len(pairs) - 1} more like it" if len(pairs) > 1 else ""
        yield path, f"`{case_id}` is the same as `{before}`{others}: it tests nothing new; change it or take it out"


def hidden_features(subject: Subject) -> Iterator[Found]:
    """Find what is only asked for where students cannot see it."""
    tests = list(subject.tests())
    shown = [test for _, test in tests if test.visibility == "visible"]
    if not shown:
        yield "tests", "every test is hidden: students see nothing of what is asked; make one visible"
        return
    known = {feature for test in shown for case in test.cases for feature in _features(case)}
    for path, test in tests:
        found = dict.fromkeys(feature for case in test.cases for feature in _features(case) if feature not in known)
        if test.visibility != "visible" and found:
            told = " and ".join(list(found)[:_MOST_TOLD])
            message = f"only hidden tests have {told}, so students cannot know of it: show it in a visible test"
            yield f"{path}.visibility", message


def _features(case: Case) -> Iterator[str]:
    """Iterate over what is special about a case, as far as a student has to know of it."""
    yield from (f"the option {arg}" for arg in case.args if re.match(r"--?[A-Za-z]", arg))
    yield from (f"the environment variable {name}" for name in case.env)
    present = {
        "standard input": case.stdin,
        "files beside the program": case.files,
        "a terminal": case.terminal and not case.dialogue,
        "a dialogue": case.dialogue,
        f"the command `{shlex.join(case.command or ())}`": case.command,
        "an exit status": case.expect.exit != "any",
        "files that the program leaves": case.expect.files,
    }
    yield from (feature for feature, is_there in present.items() if is_there)
    if case.functions:
        yield f"the function `{case.functions.call.signature.name}`"
    for name, stream in (("standard output", case.expect.stdout), ("standard error", case.expect.stderr)):
        if stream and stream.how != "any":
            yield name
            yield f"the comparator {stream.how}"


RULES: Mapping[str, Rule] = {
    "unreachable-tolerance": Rule(
        level="warning",
        about="A tolerance without effect misleads whoever reads the spec about what is forgiven.",
        find=unreachable_tolerances,
    ),
    "repeated-case": Rule(
        level="warning",
        about="A case that is there twice counts twice and tests nothing new; often a variable was forgotten.",
        find=repeated_cases,
    ),
    "hidden-feature": Rule(
        level="warning",
        about="What only hidden tests ask for, students cannot have tried.",
        find=hidden_features,
    ),
}
