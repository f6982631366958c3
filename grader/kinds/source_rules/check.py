"""Probable mistakes in rules on the source."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from grader.kinds import Flaw, flaw, lint_rule
from grader.kinds.source_rules.model import SourceRule

if TYPE_CHECKING:
    from grader.check.subject import Subject


@lint_rule("dodged-rule")
def _rules_about_nothing(subject: "Subject") -> Iterator[Flaw]:
    cases = [case for test in subject.spec.tests for case in test.cases]
    rules = [rule for case in cases if (rule := SourceRule.of(case))]
    named = {rule.name for rule in rules if rule.demand == "require" and rule.what in ("function", "recursion")}
    called = {name for case in cases if case.payload for name in case.payload.called}
    for path, test in subject.tests():
        own = [rule for case in test.cases if (rule := SourceRule.of(case))]
        forbids = any(rule.demand == "forbid" for rule in own)
        for within in dict.fromkeys(rule.within for rule in own):
            if forbids and within and within not in named | called:
                yield flaw(f"{path}.source", within=within)
