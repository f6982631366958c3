"""Probable mistakes in the spec's calls of functions."""

import re
from collections.abc import Iterator, Mapping

from grader.core.model.spec import Case
from grader.core.model.values import PlainValue, Wildcard
from grader.core.text import one_line, quote
from grader.kinds.functions.call_text import display_value
from grader.kinds.functions.compare_values import has_whatever
from grader.kinds.functions.model import ExpectedValue, Outcome, functions_of
from grader.kinds.functions.values import fits, is_plain_type
from grader.lint.subject import Flaw, FlawFinder, LintRule, Subject, breaks_rule, rules_in
from grader.verify.expected_results import given

_DECLARED = re.compile(r".*\.functions\.declare\[\d+\]")
_STRUCTURES = re.compile(r".*\.functions\.structures\[\d+\]")


def impossible_values(subject: Subject, case: Case) -> Iterator[Flaw]:
    """Find values of another type than the function has there."""
    function = functions_of(case)
    if function is None or function.raises not in ("", "reference"):
        return
    call = function.call.signature
    place = subject.path(case, "expect")
    wanted = [
        (_path_of_outcome(subject, case, at, "returns"), leaf, function.calls[at].signature.returns)
        for at, outcome in function.outcomes.items()
        for leaf in _whole_values(outcome.returns)
    ]
    wanted += [
        (f"{place}.args.{at}", leaf, call.parameters[at].type)
        for at, value in function.args.items()
        for leaf in _whole_values(value)
    ]
    for path, value, kind in wanted:
        if not is_plain_type(kind):
            continue
        # A comparator takes any value, written out; what the reference comes to is not known before it runs.
        if not (value.text or value.reference or _fits_as_compared(value.want, kind)):
            shown = one_line(display_value(value.want, is_python=False))
            yield path, f"{shown} is no {kind}, which {call.text} has there: expect a value of that type"


def _path_of_outcome(subject: Subject, case: Case, at: int, key: str) -> str:
    """Return the path of what is expected of one of the calls."""
    steps = _own_steps(case)
    below = f"steps[{steps.index(at)}].expect" if at in steps else "expect"
    return f"{subject.path(case, below, 'expect')}.{key}"


def _own_steps(case: Case) -> tuple[int, ...]:
    """Return the places, among its calls, of the steps of a case."""
    function = functions_of(case)
    return () if function is None or function.steps is None else (*function.steps, len(function.before))


def _whole_values(value: ExpectedValue | None) -> tuple[ExpectedValue, ...]:
    """Return what the whole of a value may be: not what some cells of it are."""
    if value is None or value.cells:
        return ()
    return tuple(whole for one in value.either for whole in _whole_values(one)) or (value,)


def _fits_as_compared(value: PlainValue, kind: str) -> bool:
    """Whether some Java value of the type can be equal to this one; as in comparisons, 1 is 1.0 and true."""
    if isinstance(value, Wildcard):
        return True
    if isinstance(value, tuple) and kind.endswith("[]"):
        return all(_fits_as_compared(item, kind.removesuffix("[]")) for item in value)
    same = [value]
    if isinstance(value, bool | int | float) and value == value // 1:
        same += [int(value), *([bool(value)] if value in (0, 1) else [])]
    return any(fits(one, kind) for one in same)


@breaks_rule("ignored-expectation")
def unseen_results(subject: Subject) -> Iterator[Flaw]:
    """Find results of calls that must end with an exception, and steps after which nothing is looked at."""
    for case in (case for test in subject.spec.tests for case in test.cases):
        function = functions_of(case)
        if function is None:
            continue
        for at, outcome in function.outcomes.items():
            has_args = at == len(function.before) and function.args
            if outcome.raises not in ("", "reference") and (outcome.returns or has_args):
                key = "returns" if outcome.returns else "args"
                path = _path_of_outcome(subject, case, at, key)
                yield path, f"a call that must end with an exception has no result: take {key} out, or raises"
        steps = _own_steps(case)
        if steps and not (case.expect.stdout or function.outcomes[steps[-1]] != Outcome()):
            path = subject.path(case, f"steps[{len(steps) - 1}]")
            yield path, "nothing is looked at after this step: expect what comes of it, or take it out"


@breaks_rule("idle-key")
def idle_declarations(subject: Subject) -> Iterator[Flaw]:
    """Find functions that are declared among several and never called, and structures to which nothing points."""
    found = [function for test in subject.spec.tests for case in test.cases if (function := functions_of(case))]
    signatures = [call.signature for function in found for call in function.calls]
    called = {signature.text for signature in signatures}
    used = {structure.text for signature in signatures for structure in signature.structures}
    for path, text in subject.source.texts.items():
        heading = " ".join(text.strip(" ;\n").split())
        if _DECLARED.fullmatch(path) and heading not in called:
            yield path, "no call is of this function: call it, or take it out"
        if _STRUCTURES.fullmatch(path) and heading not in used:
            yield path, "no function that is called takes or returns a pointer to it: take it out"


@breaks_rule("never-passes")
def contradicting_calls(subject: Subject) -> Iterator[Flaw]:
    """Find calls that are the same as those of a case before, and must return another value."""
    before: dict[str, tuple[str, Mapping[int, PlainValue]]] = {}
    for case in (case for _, test in subject.tests() for case in test.cases if not case.is_generated):
        if functions_of(case) is None:
            continue
        wanted = _wanted_values(case)
        name, others = before.setdefault(given(case), (case.id, wanted))
        at = next((at for at in wanted.keys() & others.keys() if wanted[at] != others[at]), None)
        if at is not None:
            problem = f"{quote(case.id)} calls the same as {quote(name)}, and another value is right"
            yield (
                _path_of_outcome(subject, case, at, "returns"),
                f"{problem}: no program can pass both; mend one of them",
            )


def _wanted_values(case: Case) -> Mapping[int, PlainValue]:
    """Return the values that calls have to return exactly, by the places of the calls."""
    function = functions_of(case)
    returned = {at: outcome.returns for at, outcome in function.outcomes.items()} if function else {}
    return {
        at: one.want
        for at, one in returned.items()
        if one and not (one.text or one.reference or one.either or one.cells) and not has_whatever(one.want)
    }


def called_functions(case: Case) -> tuple[str, ...]:
    """Return the name of the function that a case is about."""
    function = functions_of(case)
    return (function.call.signature.name,) if function else ()


def function_lint_rules() -> Mapping[str, LintRule | FlawFinder]:
    """Return the rules on calls of functions."""
    return rules_in(__name__)
