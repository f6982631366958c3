"""Packages of drawn groups: the tests that are made of them give what the format gives, read anew from its text."""

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

from grader.core.errors import UsageError
from grader.core.model.layout import ContentsByName
from grader.imports.kattis_package import DataGroup, Package
from grader.imports.kattis_points import read_groups
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
    said: dict[str, Any]
    score: int | None = None
    needs: str = ""
    data: list[str] = field(default_factory=list)
    parts: list["Node"] = field(default_factory=list)

    def walk(self) -> Iterator["Node"]:
        yield self
        for part in self.parts:
            yield from part.walk()


def draw(random: Random, name: str, depth: int, earlier: list[Node]) -> Node:
    usual = "sum" if name == "secret" else "pass-fail"
    how = random.choice((None, "sum", "min", "pass-fail"))
    score = random.choice((None, 60, 90) if name == "secret" else (None, None, 5, 10, 20))
    node = Node(name=name, how=how or usual, said={}, score=score)
    if name != "secret" and random.random() < 0.2:
        whole = [one.name for one in earlier if one.how == "pass-fail" and not name.startswith(f"{one.name}/")]
        node.needs = random.choice(["sample", *whole])
    pairs = {"aggregation": how, "score": score, "require_pass": node.needs or None}
    node.said = {"scoring": {key: value for key, value in pairs.items() if value is not None}}
    earlier.append(node)
    for number in range(random.randint(1, 3) if depth and random.random() < 0.6 else 0):
        node.parts.append(draw(random, f"{name}/g{number}", depth - 1, earlier))
    if not node.parts or random.random() < 0.25:
        node.data = [f"{name}/{number}" for number in range(random.randint(1, 3))]
    return node


def package_of(root: Node) -> Package:
    files = {f"data/{node.name}/test_group.yaml": json.dumps(node.said).encode() for node in root.walk()}
    names = [SAMPLE, *(name for node in root.walk() for name in node.data)]
    files |= {f"data/{name}.{ending}": b"" for name in names for ending in ("in", "ans")}
    problem = {"type": "scoring", "problem_format_version": "2023-07-draft"}
    return InMemory(path=Path("drawn"), problem=problem, files=ContentsByName(files), links=())


def by_the_format(root: Node, failing: Collection[str]) -> Fraction:
    """What the draft says that a submission gets."""
    nodes = {node.name: node for node in root.walk()}

    def is_right(name: str) -> bool:
        data = [SAMPLE] if name == "sample" else [one for node in nodes[name].walk() for one in node.data]
        return not any(one in failing for one in data) and (name == "sample" or is_open(nodes[name]))

    def is_open(node: Node) -> bool:
        return not node.needs or is_right(node.needs)

    def score(node: Node, most: Fraction) -> Fraction:
        if not is_open(node):
            return Fraction(0)
        if node.how == "pass-fail":
            return most if is_right(node.name) else Fraction(0)
        known = [part.score for part in node.parts]
        takers = len(node.data) + known.count(None)
        left = most - sum(one or 0 for one in known)
        each = most if node.how == "min" else left / takers if takers else Fraction(0)
        scores = [Fraction(0) if one in failing else each for one in node.data]
        scores += [score(part, each if part.score is None else Fraction(part.score)) for part in node.parts]
        return min(scores) if node.how == "min" else sum(scores, Fraction(0))

    return score(root, Fraction(root.score or 100))


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
        root = draw(random, "secret", 3, [])
        package = package_of(root)
        try:
            groups = read_groups(package, [], [])
        except UsageError:
            continue
        taken += 1
        names = [SAMPLE, *(name for node in root.walk() for name in node.data)]
        for share in (0, 0.1, 0.3, 0.6, 1):
            failing = {name for name in names if random.random() < share}
            assert by_the_tests(groups, failing) == by_the_format(root, failing), (root, failing)
    assert taken > examples(800) // 3
