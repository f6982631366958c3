"""Probable mistakes in the requests to a style tool."""

from collections.abc import Iterator, Mapping

from grader.core.errors import HostError
from grader.core.model.spec import Case
from grader.kinds.style.model import StyleCheck, style_check_of
from grader.kinds.style.tool import find_style_tool
from grader.lint.subject import Flaw, FlawFinder, LintRule, Subject, lint_rule, rules_in


@lint_rule("warning", "absent-tool")
def absent_tools(subject: Subject) -> Iterator[Flaw]:
    """Without the tool that looks at the style, the tests that need it are ungraded."""
    for path, check in _checks(subject):
        try:
            find_style_tool(check.tool)
        except HostError as error:
            yield f"{path}.run", f"this test is ungraded on this machine: {error}"


@lint_rule("warning", "unsteady-rules")
def unsteady_rules(subject: Subject) -> Iterator[Flaw]:
    """Rules that a tool has by itself are others in its next version, and so is what students get."""
    for path, check in _checks(subject):
        chosen = [option for option in check.options if option not in (*(check.tool.alone or ()), *check.tool.deaf)]
        if check.tool.config and not chosen:
            flaw = f"which rules {check.tool.name} has by itself depends on its version"
            yield path, f"{flaw}: name them under select, or in a file of the course under config"


def _checks(subject: Subject) -> Iterator[tuple[str, StyleCheck]]:
    for path, test in subject.tests():
        if check := style_check_of(test.cases[0]):
            yield f"{path}.style", check


def files_for_tool(case: Case) -> tuple[str, ...]:
    """Return the files that a style tool looks at."""
    check = style_check_of(case)
    return check.files if check else ()


def style_lint_rules() -> Mapping[str, LintRule | FlawFinder]:
    """Return the rules on style tools."""
    return rules_in(__name__)
