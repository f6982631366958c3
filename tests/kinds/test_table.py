"""The table of kinds: what is collected from it stands in a fixed order, and nothing is lost."""

import pytest

from grader.core.kind import KINDS
from grader.lint.runner import RULES
from grader.verify.output_mutants import FAMILIES


@pytest.mark.parametrize("name", KINDS)
def test_what_a_kind_brings_is_listed_behind_what_there_is(name: str) -> None:
    kind = KINDS[name]
    assert kind.name == name
    assert kind.check.lint_rules().keys() <= RULES.keys()
    assert kind.check.mutants is None or name in FAMILIES
    assert kind.check.unfit_mutants <= {*FAMILIES, "crash"}
