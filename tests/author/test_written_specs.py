"""What is written of a case is read as the same case: for all shipped specs, whatever the kinds of their cases."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from grader.author.to_yaml import expectation_node, start_nodes
from grader.core.errors import CannotBeWrittenError
from grader.core.kind import KINDS, kind_of
from grader.core.model.spec import Case, Spec, Test
from grader.core.reader.spec import load, read
from grader.core.yaml.dumping import dump
from grader.core.yaml.nodes import Node, entries_of, items_of, listing, table
from grader.core.yaml.parsing import parse
from grader.core.yaml.types import node_of

ROOT = Path(__file__).parents[2]
FOLDERS = ("specs", "examples/*/specs", "tests/first_sentences/specs")
SPECS = sorted(path for folder in FOLDERS for path in ROOT.glob(f"{folder}/*.yaml"))
KEPT = ("limits", "memory-clean", "tolerate", "repeat")
"""keys of a case that are taken over as they are written"""


def _rewritten(test: Test, node: Node) -> Node | None:
    """Write a test with all its cases; None where its kind makes them of a key of the test."""
    is_read_whole = any(kind.read_test and entries_of(node).get(kind.key) for kind in KINDS.values())
    if is_read_whole or any(case.kind == "interactive" or case.is_generated or case.also for case in test.cases):
        return None
    cases = []
    for case in test.cases:
        keys = start_nodes(case, lambda data: node_of(data.decode()))
        own = kind_of(case).write([case]) if not kind_of(case).is_typed else {}
        cases.append(table({**keys, **(own or {"expect": expectation_node(case.expect)})}))
    kept = {key: value for key, value in entries_of(node).items() if key in ("name", *KEPT)}
    return table({**kept, "cases": listing(cases)})


def _compared(case: Case) -> Case:
    return replace(
        case, id="", path="", weight=1, generated_numbers=(), limits={}, tolerate={}, repeat=Case(id="").repeat
    )


def _again(spec: Spec, tests: list[Node]) -> Spec:
    top = {**entries_of(parse(spec.source_text, spec.id)), "tests": listing(tests)}
    return read(dump(table(top), open_levels=1).encode(), spec.id, spec.root)


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_written_cases_are_read_as_they_were(path: Path) -> None:
    spec = load(path)
    for test, node in zip(spec.tests, items_of(entries_of(parse(spec.source_text, spec.id)).get("tests")), strict=True):
        try:
            written = _rewritten(test, node)
        except (CannotBeWrittenError, UnicodeDecodeError):
            continue
        if written is not None:
            [again] = _again(spec, [written]).tests
            assert list(map(_compared, again.cases)) == list(map(_compared, test.cases))
