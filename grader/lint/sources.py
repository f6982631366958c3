"""What is probably not meant in rules on the source."""

from collections.abc import Iterator

from grader.lint.subject import Flaw, Subject


def rules_about_nothing(subject: Subject) -> Iterator[Flaw]:
    """Find what is forbidden in a function that nothing asks for, so that another name is a way around."""
    cases = [case for test in subject.spec.tests for case in test.cases]
    rules = [case.source for case in cases if case.source]
    named = {rule.name for rule in rules if rule.demand == "require" and rule.what in ("function", "recursion")}
    called = {
        case.functions.call.signature.name for test in subject.spec.tests for case in test.cases if case.functions
    }
    for path, test in subject.tests():
        for within in dict.fromkeys(case.source.within for case in test.cases if case.source):
            forbids = any(case.source and case.source.demand == "forbid" for case in test.cases)
            if forbids and within and within not in named | called:
                told = f"nothing is forbidden to work that has no {within}"
                yield f"{path}.source", f"{told}: ask for that too, under require, with {{function: {within}}}"
