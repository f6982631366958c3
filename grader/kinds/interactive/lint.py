"""Probable mistakes in tests with an interactor."""

import re
from collections.abc import Iterator, Mapping

from grader.core.model.spec import Case, Test
from grader.core.yaml.value import WORD
from grader.kinds.interactive.model import interactor_of
from grader.lint.subject import Flaw, FlawFinder, LintRule, Subject, lint_rule, rules_in
from grader.verify.samples import read_samples

_SECRETS = re.compile(r"(tests\[\d+\])(?:\.cases\[\d+\])?\.interactor\.(?:args\[\d+\]|input|answer)")


@lint_rule("warning", "unplayed-interactor")
def interactors_without_player(subject: Subject) -> Iterator[Flaw]:
    """An interactor that accepts nobody, or fails, leaves every submission without points, or ungraded."""
    spec = subject.spec
    if spec.has_references or any(sample.is_right(spec) for sample in read_samples(spec)):
        return
    for path, test in subject.tests():
        if found := next(filter(None, map(interactor_of, test.cases)), None):
            who = "validator" if found.is_output_validator else "interactor"
            flaw = f"nobody shows that this {who} accepts a right program"
            yield path, f"{flaw}: name one under reference, or put it among the samples"


@lint_rule("warning", "told-secret")
def secrets_in_names(subject: Subject) -> Iterator[Flaw]:
    """The values of `each` are in the names of cases; what an interactor has to keep to itself is then told."""
    visible = {path: test for path, test in subject.tests() if test.visibility == "visible"}
    for path, text in subject.source.texts.items():
        found = _SECRETS.fullmatch(path)
        variable = re.search(rf"\{{({WORD})\}}", text)
        if found and found[1] in visible and variable and not _is_random(variable[1], visible[found[1]]):
            flaw = f"{{{variable[1]}}} stands in the names of the cases, where students read it"
            yield path, f"{flaw}: write the cases out under cases, or hide the test"


def _is_random(variable: str, test: Test) -> bool:
    """Whether a variable is random: then the names of the cases contain only its number."""
    return any(one.name == variable for case in test.cases for one in case.generated_numbers)


def interaction_features(case: Case) -> tuple[str, ...]:
    """Return what students have to know of: not of a validator, which they never meet."""
    interactor = interactor_of(case)
    return ("a program that speaks with it",) if interactor and not interactor.is_output_validator else ()


def interaction_lint_rules() -> Mapping[str, LintRule | FlawFinder]:
    """Return the rules on tests with an interactor."""
    return rules_in(__name__)
