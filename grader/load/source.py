"""Where in its file each thing of a spec is written: for what is said about a spec that has no mistakes."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from grader.model import Spec
from grader.yaml.nodes import Listing, Node, Scalar, Table, entry, items_of, parse
from grader.yaml.value import key_path


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A spec's file, as a map."""

    file: str
    """its name for messages"""
    places: Mapping[str, tuple[int, int]]
    """path (`tests[2].args`) -> line and column of its value, from 1"""
    texts: Mapping[str, str]
    """path -> the characters that were written there, of single values"""
    cases: Mapping[str, str]
    """a case's id -> the path of what it is written as: the test, an entry of its `cases`, or a call"""


def source(spec: Spec, file: str) -> Source:
    """Return where the parts of a spec that was loaded are in its file."""
    top = parse(spec.source_text, file)
    paths = [tuple(_case_paths(node, f"tests[{index}]")) for index, node in enumerate(items_of(entry(top, "tests")))]
    cases = {
        case.id: written[index % len(written)]  # each combination of variables goes through all of them
        for test, written in zip(spec.tests, paths, strict=True)
        for index, case in enumerate(test.cases)
    }
    nodes = dict(_walk(top, ""))
    return Source(
        file=file,
        places={path: (node.line, node.column) for path, node in nodes.items()},
        texts={path: node.text for path, node in nodes.items() if isinstance(node, Scalar)},
        cases=cases,
    )


def needs(data: bytes, file: str) -> Mapping[str, Mapping[str, str]]:
    """Return what each test of a spec needs, right or not: its name -> what it needs -> the path where that is said."""
    tests = items_of(entry(parse(data, file), "tests"))
    return {
        name.text: {
            need.text: f"tests[{index}].needs[{place}]"
            for place, need in enumerate(items_of(entry(test, "needs")))
            if isinstance(need, Scalar)
        }
        for index, test in enumerate(tests)
        if isinstance(name := entry(test, "name"), Scalar)
    }


def _walk(node: Node, path: str) -> Iterator[tuple[str, Node]]:
    yield path, node
    match node:
        case Listing(items=items):
            for index, item in enumerate(items):
                yield from _walk(item, f"{path}[{index}]")
        case Table(pairs=pairs):
            for key, value in pairs:
                yield from _walk(value, key_path(path, key.text))
        case Scalar():
            pass


def _case_paths(node: Node, path: str) -> Iterator[str]:
    listed = items_of(entry(node, "cases"))
    if not listed:
        yield from _of_calls(entry(node, "functions"), path)
        return
    for index, item in enumerate(listed):
        calls = entry(item, "functions") or entry(node, "functions")
        own = f"{path}.cases[{index}]"
        yield from _of_calls(calls, own if entry(item, "functions") else path, own)


def _of_calls(functions: Node | None, holder: str, otherwise: str = "") -> Iterator[str]:
    if functions is None:
        yield otherwise or holder
        return
    for index, call in enumerate(items_of(entry(functions, "calls"))):
        count = entry(call, "count")
        times = int(count.text) if isinstance(count, Scalar) else 1
        yield from [f"{holder}.functions.calls[{index}]"] * times
