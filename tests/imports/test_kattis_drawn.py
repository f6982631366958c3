"""Packages of drawn groups: the tests that are made of them give what the format gives, read anew from its text."""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

from grader.core.errors import UsageError
from grader.core.model.layout import ContentsByName
from grader.imports.kattis_package import Package
from grader.imports.kattis_programs import DataGroup, read_groups
from tests.support.examples import examples

SAMPLE = "sample/1"


class InMemory(Package):
    """A package of which no file lies on a disk."""

    def data(self, name: str) -> Mapping[str, Any]:
        found: Mapping[str, Any] = json.loads(self.files.get(name, b"{}"))
        return found


@dataclass(kw_only=True)
class Node:
    name: str
    how: str
    most: int
    needs: str
    data: list[str]


def draw(random: Random) -> list[Node]:
    """The secret data and its groups, of which each has its own inputs; or none, where it has inputs itself."""
    groups: list[Node] = []
    for number in range(random.choice((0, 1, 2, 4))):
        name, how = f"secret/g{number}", random.choice(("sum", "min", "pass-fail"))
        whole = [one.name for one in groups if one.how == "pass-fail"]
        needs = random.choice(["sample", *whole]) if random.random() < 0.3 else ""
        data = [f"{name}{random.choice(('', '/deep'))}/{place}" for place in range(random.randint(1, 3))]
        groups.append(Node(name=name, how=how, most=random.choice((5, 10, 20)), needs=needs, data=data))
    data = [] if groups else [f"secret/{number}" for number in range(random.randint(1, 3))]
    how = random.choice(("sum", "sum", "min", "pass-fail"))
    if how == "pass-fail":
        groups = [replace(one, how=how, needs="") for one in groups]
    return [Node(name="secret", how=how, most=random.choice((60, 90)), needs="", data=data), *groups]


def package_of(nodes: list[Node]) -> Package:
    files = {}
    for node in nodes:
        said = {"max_score": node.most, "score_aggregation": node.how, "require_pass": node.needs}
        files[f"data/{node.name}/test_group.yaml"] = json.dumps({key: one for key, one in said.items() if one}).encode()
    names = [SAMPLE, *(name for node in nodes for name in node.data)]
    files |= {f"data/{name}.{ending}": b"" for name in names for ending in ("in", "ans")}
    problem = {"type": "scoring", "problem_format_version": "2025-09"}
    return InMemory(path=Path("drawn"), problem=problem, files=ContentsByName(files), links=())


def by_the_format(nodes: list[Node], failing: set[str]) -> Fraction:
    """What the format says that a submission gets."""
    secret, *groups = nodes
    passed = {node.name: failing.isdisjoint(node.data) for node in groups} | {"sample": SAMPLE not in failing}

    def score(node: Node) -> Fraction:
        right = sum(one not in failing for one in node.data)
        if node.needs and not is_open(node.needs):
            return Fraction(0)
        return (
            Fraction(node.most * right, len(node.data))
            if node.how == "sum"
            else node.most * Fraction(passed[node.name])
        )

    def is_open(name: str) -> bool:
        own = next((one.needs for one in groups if one.name == name), "")
        return passed[name] and (not own or is_open(own))

    if not groups:
        right = Fraction(sum(one not in failing for one in secret.data), len(secret.data))
        return secret.most * (right if secret.how == "sum" else Fraction(int(right)))
    if secret.how == "pass-fail":
        return Fraction(secret.most if all(failing.isdisjoint(one.data) for one in groups) else 0)
    return sum(map(score, groups), Fraction(0))


def by_the_tests(groups: Collection[DataGroup], failing: Collection[str]) -> Fraction:
    """What the tests give, as totals are counted here."""
    passed: set[str] = set()
    total = Fraction(0)
    for group in groups:
        if not passed.issuperset(group.needs):
            continue
        right = sum(datum.name not in failing for datum in group.data)
        if right == len(group.data):
            passed.add(group.name)
        share = Fraction(right, len(group.data))
        total += group.points * (share if not group.all_or_nothing else int(share))
    return total


def test_what_is_imported_has_the_points_of_the_format_whatever_fails() -> None:
    random = Random(15)  # noqa: S311 - no secret
    taken = 0
    for _ in range(examples(800)):
        nodes = draw(random)
        package = package_of(nodes)
        try:
            groups = read_groups(package, [], [])
        except UsageError:
            continue
        taken += 1
        names = [SAMPLE, *(name for node in nodes for name in node.data)]
        for share in (0, 0.1, 0.3, 0.6, 1):
            failing = {name for name in names if random.random() < share}
            assert by_the_tests(groups, failing) == by_the_format(nodes, failing), (nodes, failing)
    assert taken > examples(800) // 3
