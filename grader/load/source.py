"""Where in its file each thing of a spec is written: for what is said about a spec that has no mistakes."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from grader.model import Spec
from grader.yaml.nodes import Listing, Node, Scalar, Table, parse
from grader.yaml.value import key_path

Place = tuple[int, int]
"""line and column, from 1"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A spec's file, as a map."""

    file: str
    """its name for messages"""
    places: Mapping[str, Place]
    """path (`tests[2].args`) -> where its value is"""
    texts: Mapping[str, str]
    """path -> the characters that were written there, of single values"""
    cases: Mapping[str, str]
    """a case's id -> the path of what it is written as: the test, an entry of its `cases`, or a call"""


def source(spec: Spec, file: str) -> Source:
    """Return where the parts of a spec that was loaded are in its file."""
    top = parse(spec.source_text, file)
    paths = [tuple(_case_paths(node, f"tests[{index}]")) for index, node in enumerate(_items(_entry(top, "tests")))]
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
    tests = _items(_entry(parse(data, file), "tests"))
    return {
        name.text: {
            need.text: f"tests[{index}].needs[{place}]"
            for place, need in enumerate(_items(_entry(test, "needs")))
            if isinstance(need, Scalar)
        }
        for index, test in enumerate(tests)
        if isinstance(name := _entry(test, "name"), Scalar)
    }


def _walk(node: Node, path: str) -> Iterator[tuple[str, Node]]:
    yield path, node
    match node:
        case Listing(items=items):
            for index, item in enumerate(items):
                yield from _walk(item, f"{path}[{index}]")
        case Table(pairs=pairs):
            for key, entry in pairs:
                yield from _walk(entry, key_path(path, key.text))
        case Scalar():
            pass


def _case_paths(node: Node, path: str) -> Iterator[str]:
    listed = _items(_entry(node, "cases"))
    if not listed:
        yield from _of_calls(_entry(node, "functions"), path)
        return
    for index, item in enumerate(listed):
        calls = _entry(item, "functions") or _entry(node, "functions")
        own = f"{path}.cases[{index}]"
        yield from _of_calls(calls, own if _entry(item, "functions") else path, own)


def _of_calls(functions: Node | None, holder: str, otherwise: str = "") -> Iterator[str]:
    if functions is None:
        yield otherwise or holder
        return
    for index, call in enumerate(_items(_entry(functions, "calls"))):
        count = _entry(call, "count")
        times = int(count.text) if isinstance(count, Scalar) else 1
        yield from [f"{holder}.functions.calls[{index}]"] * times


def _entry(node: Node | None, name: str) -> Node | None:
    pairs = node.pairs if isinstance(node, Table) else ()
    return next((entry for key, entry in pairs if key.text == name), None)


def _items(node: Node | None) -> tuple[Node, ...]:
    return node.items if isinstance(node, Listing) else ()
