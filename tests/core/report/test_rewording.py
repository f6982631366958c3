"""Sentences are for people alone: when all are reworded, causes, groups, references and points stay."""

import random
import re
import string
from collections.abc import Callable, Sequence
from fractions import Fraction

import pytest
from msgspec.structs import replace

from grader.core.judge.totals import charge_once, hint_across_cases, judge_test
from grader.core.model.report import CaseResult, Message, Report, TestResult
from grader.core.model.spec import Case, Test
from grader.core.report.json import to_report
from grader.core.report.view import cause_of, describe_groups
from tests.core.judge.test_every_sentence import sentences
from tests.support.report_samples import report_of

WORD = re.compile(r"`[^`]*`|[A-Za-z]+")
Reword = Callable[[str], str]


def reworder(seed: int) -> Reword:
    """Return what puts another word for each, always the same for the same; what is quoted stays."""
    chance, known = random.Random(seed), dict[str, str]()  # noqa: S311 - nothing is secret

    def other(found: re.Match[str]) -> str:
        word = found[0]
        if word.startswith("`"):
            return word
        new = known.setdefault(word.lower(), f"{''.join(chance.choices(string.ascii_lowercase, k=8))}{len(known)}q")
        return new.capitalize() if word[0].isupper() else new

    return lambda text: WORD.sub(other, re.sub(r"\b[\w.]+:\d+", lambda place: f"`{place[0]}`", text))


def in_other_words(case: CaseResult, reword: Reword) -> CaseResult:
    before, after = (
        tuple((name, reword(text)) for name, text in some) for some in (case.message.before, case.message.after)
    )
    message = Message(reword(case.message.sentence), case.message.key, before, after)
    deviations = tuple(replace(one, message=reword(one.message)) for one in case.deviations)
    return replace(case, message=message, deviations=deviations)


def judged(cases: Sequence[CaseResult]) -> list[TestResult]:
    """Return three tests: each case is in two of them, so that causes are seen in other tests and in their own."""
    tests = []
    for number in range(3):
        own = [
            replace(one, id=f"t{number}[{place}]")
            for place, one in enumerate(cases)
            if place % 3 != number or not place
        ]
        test = Test(name=f"t{number}", points=Fraction(7), cases=tuple(Case(id=one.id) for one in own))
        tests.append(judge_test(test, tuple(own)))
    return tests


def seen(cases: Sequence[CaseResult]) -> tuple[object, ...]:
    """Return all of a report that no word may change."""
    tests = hint_across_cases(charge_once(judged(cases), ["letter-case", "final-newline"]))
    report: Report = to_report(report_of(*tests))
    every = [case for test in report.tests for case in test.cases]
    causes = [cause_of(case) for case in every]
    return (
        [(test.score, test.verdict, [group[0].id for group in describe_groups(test)]) for test in report.tests],
        [[case.id for case in group] for test in report.tests for group in describe_groups(test)],
        [(case.verdict, case.credit, case.cause, [one.keeps for one in case.deviations]) for case in every],
        [causes.index(cause) if cause[0] else None for cause in causes],
        report.cause and (report.cause.kind, report.cause.tests),
    )


@pytest.mark.parametrize("seed", range(5))
def test_no_word_matters(seed: int) -> None:
    reword = reworder(seed)
    cases = [one for _, one in sentences() if isinstance(one, CaseResult)]
    other = [in_other_words(case, reword) for case in cases]
    assert [case.message.text for case in other] != [case.message.text for case in cases]
    assert seen(other) == seen(cases)
    # Nor does it where nearly everything crashed, so that this is the cause of the submission.
    crashed = [case for case in cases if case.cause]
    assert seen(crashed)[-1]
    assert seen([in_other_words(case, reword) for case in crashed]) == seen(crashed)
