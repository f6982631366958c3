"""Cases that give a program the same: they contradict one another, or give a hidden test away."""

import re
from collections.abc import Iterator

from grader.check.expected_results import given
from grader.check.subject import Flaw, Subject, lint_rule
from grader.core.comparators.tokens import Closeness
from grader.core.deviations.table import KINDS_THAT_KEEP_WORDS
from grader.core.model.spec import Case, Leaf
from grader.core.text import quote

_EXACT = ("text", "lines", "tokens", "numbers")
"""comparators by which two texts of different words cannot both be right"""


@lint_rule(None, "never-passes")
def contradicting_cases(subject: Subject) -> Iterator[Flaw]:
    """Find cases in which a program is given the same as in one before, and must answer otherwise."""
    before: dict[str, list[Case]] = {}
    reported = set()
    for test, case in ((found, case) for _, found in subject.tests() for case in found.cases if not case.is_generated):
        others = before.setdefault(given(case, test), [])
        other = next((one for one in others if _contradict(case, one)), None)
        path = subject.path(case, "expect")
        if other and path not in reported:
            reported.add(path)
            problem = f"{quote(case.id)} is given the same as {quote(other.id)}, and another answer is right"
            yield path, f"{problem}: no program can pass both; mend one of them"
        others.append(case)


def _contradict(case: Case, other: Case) -> bool:
    """Whether no output and no status is right in both of two cases."""
    lenient = {kind for one in (case, other) for kind, share in one.tolerate.items() if share == 1}
    if not lenient.issubset(KINDS_THAT_KEEP_WORDS):
        return False
    statuses, others_statuses = _statuses(case), _statuses(other)
    if statuses is not None and others_statuses is not None and statuses.isdisjoint(others_statuses):
        return True
    texts, others = _texts(case), _texts(other)
    return any(texts[key] != others[key] for key in texts.keys() & others.keys())


def _statuses(case: Case) -> frozenset[int] | None:
    """Return the exit statuses that are right; None for what is open."""
    match case.expect.exit:
        case "success":
            return frozenset({0})
        case "failure":
            return frozenset(range(1, 256))
        case tuple(statuses):
            return frozenset(statuses)
        case _:
            return None


def _texts(case: Case) -> dict[str, list[str]]:
    """Return the numbers, or the sorted characters, of each text of the spec that is compared exactly."""
    streams = [(key, asked) for key, _, _, asked in case.expect.streams if isinstance(asked, Leaf)]
    return {f"{key} {asked.how == 'numbers'}": _characters(asked) for key, asked in streams if _is_exact(asked)}


def _is_exact(asked: Leaf) -> bool:
    return asked.how in _EXACT and asked.want is not None and not asked.is_selective and asked.get(Closeness).is_exact


def _characters(asked: Leaf) -> list[str]:
    if asked.how == "numbers":
        return [repr(float(word)) for word in asked.want or ()]
    return sorted(re.sub(r"\s", "", " ".join(asked.want or ())).casefold())


@lint_rule("warning", "shown-input")
def shown_inputs(subject: Subject) -> Iterator[Flaw]:
    """A hidden test with the input of a visible one finds out nothing about what students cannot have tried."""
    tests = list(subject.tests())
    visible = {given(case, test): case.id for _, test in tests if test.visibility == "visible" for case in test.cases}
    for path, test in tests:
        same = [visible[key] for case in test.cases if (key := given(case, test)) in visible]
        is_empty = not any(case.args or case.stdin or case.files for case in test.cases)
        if test.visibility == "visible" or len(same) < len(test.cases) or is_empty:
            continue
        problem = f"this is hidden, and gives the program the same as {quote(same[0])}, which students see"
        yield f"{path}.visibility", f"{problem}: give it another input, or show it"
