"""Probable mistakes in rules on the source."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from grader.core.lint import lint_rule
from grader.kinds.source_rules.model import SourceRule

if TYPE_CHECKING:
    from grader.check.subject import Flaw, Subject


@lint_rule("warning", "dodged-rule")
def rules_about_nothing(subject: "Subject") -> "Iterator[Flaw]":
    """What is forbidden in a function that nobody asks for, another name is a way around."""
    cases = [case for test in subject.spec.tests for case in test.cases]
    rules = [rule for case in cases if (rule := SourceRule.of(case))]
    named = {rule.name for rule in rules if rule.demand == "require" and rule.what in ("function", "recursion")}
    called = {name for case in cases if case.payload for name in case.payload.called}
    for path, test in subject.tests():
        own = [rule for case in test.cases if (rule := SourceRule.of(case))]
        forbids = any(rule.demand == "forbid" for rule in own)
        for within in dict.fromkeys(rule.within for rule in own):
            if forbids and within and within not in named | called:
                flaw = f"nothing is forbidden to work that has no {within}"
                yield f"{path}.source", f"{flaw}: ask for that too, under require, with {{function: {within}}}"
