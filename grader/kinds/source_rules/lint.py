"""What is probably not meant in rules on the source, and in what a style tool is asked."""

from collections.abc import Iterator
from fnmatch import fnmatchcase

from grader.core.errors import HostError
from grader.kinds.source_rules.model import SourceRule
from grader.kinds.style.model import StyleCheck
from grader.kinds.style.tool import find_style_tool
from grader.lint.subject import Flaw, Subject


def rules_about_nothing(subject: Subject) -> Iterator[Flaw]:
    """Find what is forbidden in a function that nothing asks for, so that another name is a way around."""
    cases = [case for test in subject.spec.tests for case in test.cases]
    rules = [case.source for case in cases if isinstance(case.source, SourceRule)]
    named = {rule.name for rule in rules if rule.demand == "require" and rule.what in ("function", "recursion")}
    called = {
        case.functions.call.signature.name for test in subject.spec.tests for case in test.cases if case.functions
    }
    for path, test in subject.tests():
        own = [case.source for case in test.cases if isinstance(case.source, SourceRule)]
        for within in dict.fromkeys(rule.within for rule in own):
            forbids = any(rule.demand == "forbid" for rule in own)
            if forbids and within and within not in named | called:
                told = f"nothing is forbidden to work that has no {within}"
                yield f"{path}.source", f"{told}: ask for that too, under require, with {{function: {within}}}"


def unasked_files(subject: Subject) -> Iterator[Flaw]:
    """Find files that are looked at, and that nobody is asked to hand in."""
    files = subject.spec.files
    known = [name for one in files.required for name in one.names] + list(files.optional)
    for path, test in subject.tests():
        asked = {name for case in test.cases if case.source for name in case.source.files}
        for name in sorted(asked) if known else ():
            if not any(fnmatchcase(name, one) or fnmatchcase(one, name) for one in known):
                key = "style" if isinstance(test.cases[0].source, StyleCheck) else "source"
                yield f"{path}.{key}.files", f"nobody is asked to hand in {name}: is it another name under files?"


def absent_tools(subject: Subject) -> Iterator[Flaw]:
    """Find style tools that this machine has not."""
    for path, check in _checks(subject):
        try:
            find_style_tool(check.tool)
        except HostError as error:
            yield f"{path}.run", f"nothing can be graded here: {error}"


def unsteady_rules(subject: Subject) -> Iterator[Flaw]:
    """Find tools with the rules that they have by themselves, which are others in another version."""
    for path, check in _checks(subject):
        chosen = [option for option in check.options if option not in (*(check.tool.alone or ()), *check.tool.deaf)]
        if check.tool.config and not chosen:
            told = f"which rules {check.tool.name} has by itself depends on its version"
            yield path, f"{told}: name them under select, or in a file of the course under config"


def _checks(subject: Subject) -> Iterator[tuple[str, StyleCheck]]:
    for path, test in subject.tests():
        if isinstance(check := test.cases[0].source, StyleCheck):
            yield f"{path}.style", check
