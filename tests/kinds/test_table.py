"""The table of kinds: what is collected from it stands in a fixed order, and nothing is lost."""

import pytest

from grader.core.kind import KINDS
from grader.lint.runner import RULES
from grader.verify.output_mutants import FAMILIES, list_with_followers


@pytest.mark.parametrize(
    ("follows", "listed"),
    [
        ({}, "a b"),
        ({"x": "a", "y": "b", "z": "a"}, "a x z b y"),
        ({"x": "y", "y": "a"}, "a y x b"),
        ({"x": "nothing", "y": "", "z": "a"}, "a z b x y"),
    ],
)
def test_a_follower_is_listed_behind_its_leader_and_others_last(follows: dict[str, str], listed: str) -> None:
    assert list_with_followers(["a", "b"], follows) == listed.split()


@pytest.mark.parametrize("name", KINDS)
def test_what_a_kind_brings_is_listed_behind_what_there_is(name: str) -> None:
    kind = KINDS[name]
    assert kind.name == name
    assert kind.check.lint_rules().keys() <= RULES.keys()
    assert kind.check.mutants is None or {name, kind.check.mutants_follow} <= FAMILIES.keys()
    assert kind.check.unfit_mutants <= {*FAMILIES, "crash"}
