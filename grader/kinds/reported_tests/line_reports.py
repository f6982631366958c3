"""Reports that are lines of a tool's own: `go test -json`, `cargo test`, and Unity for C."""

import json
from codecs import BOM_UTF8
from collections.abc import Iterator, Mapping
from typing import Any

from grader.core.lazy import lazy_regex
from grader.core.text import count
from grader.kinds.reported_tests.model import TestOutcome, TestReport
from grader.kinds.reported_tests.results import (
    MAX_DETAIL_LENGTH,
    MAX_NAME_LENGTH,
    MAX_NESTED_TESTS,
    ResultNode,
    add_result,
    clean_name,
    first_line,
    flatten,
    lines_of_report,
)

_GO_OUTCOMES: Mapping[str, TestOutcome] = {"pass": "passed", "fail": "failed", "skip": "skipped"}
_GO_PLACE = lazy_regex(r"\A\s+(?P<place>[\w.-]+\.go:[0-9]+): (?P<message>.*)")
_GO_PANIC = lazy_regex(r"(?m)^panic: (?P<message>.*)$")
_GO_NOISE = ("=== ", "--- ", "    --- ")


def read_go(data: bytes) -> TestReport:
    """Read what `go test -json` writes. A test that has subtests is a group."""
    nodes: dict[tuple[str, str], list[ResultNode]] = {}
    results: list[ResultNode] = []
    output, packages, events = dict[tuple[str, str], str](), set[str](), 0
    for event in _events(data):
        package, test, action = (_text_of(event, key)[:MAX_NAME_LENGTH] for key in ("Package", "Test", "Action"))
        events += bool(action)
        key = (package, test)
        if action == "output" and test:
            if len(output.get(key, "")) < MAX_DETAIL_LENGTH:
                output[key] = output.get(key, "") + _text_of(event, "Output")[:MAX_DETAIL_LENGTH]
        elif action in _GO_OUTCOMES and not test:
            packages.add(package)
        elif action in _GO_OUTCOMES:
            add_result(results, _go_node(package, test, _GO_OUTCOMES[action], output.get(key, "")))
            nodes.setdefault(key, []).append(results[-1])
        elif action == "run" and test:
            nodes.setdefault(key, [])
    if not events:
        return TestReport(problem="there are no events of `go test -json` in what the command wrote", is_void=True)
    unfinished = next((test for (_, test), found in nodes.items() if not found), None)
    problem = "" if {package for package, _ in nodes} <= packages else "the report breaks off"
    problem = problem if unfinished is None else f"{first_line(unfinished)} was begun and not finished"
    return TestReport(results=tuple(flatten(_go_tree(nodes))), problem=problem)


def _events(data: bytes) -> Iterator[dict[str, Any]]:
    # A byte that is no UTF-8, or a character that JSON forbids in a text, is a character of the text.
    for line in data.removeprefix(BOM_UTF8).split(b"\n"):
        if line.startswith(b"{"):
            try:
                event = json.loads(line.decode("utf-8", "replace"), strict=False)
            except (ValueError, RecursionError):
                continue
            if isinstance(event, dict):
                yield event


def _text_of(event: Mapping[str, Any], key: str) -> str:
    value = event.get(key)
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else ""


def _go_node(package: str, test: str, outcome: TestOutcome, output: str) -> ResultNode:
    lines = [line for line in output.split("\n") if not line.startswith(_GO_NOISE)]
    told = next(filter(None, map(_GO_PLACE.match, lines)), None)
    panic = _GO_PANIC.search(output)
    message = panic["message"] if panic else told["message"] if told else first_line("\n".join(lines))
    return ResultNode(
        name=test,
        prefix=clean_name(package),
        outcome="error" if panic and outcome == "failed" else outcome,
        message=message.strip(),
        detail="\n".join(lines).strip(),
        place=told["place"] if told else "",
    )


def _go_tree(nodes: Mapping[tuple[str, str], list[ResultNode]]) -> list[ResultNode]:
    """Return the tests as they are; where one has subtests, these keep its failure if none of them has one."""
    tops: list[ResultNode] = []
    for (package, test), found in nodes.items():
        parent = test.rpartition("/")[0] if test.count("/") < MAX_NESTED_TESTS else ""
        while parent and (package, parent) not in nodes:
            parent = parent.rpartition("/")[0]
        group = nodes.get((package, parent)) if parent else None
        (group[-1].children if group else tops).extend(found)
        for node in found if group else ():
            node.name = test.removeprefix(f"{parent}/")
    return tops


# ---------------------------------------------------------------- cargo

_CARGO_TEST = lazy_regex(
    r"\Atest (?P<name>.{1,500}?)(?: - should panic)? \.\.\. (?P<outcome>ok|FAILED|ignored)\b(?P<why>.*)\Z"
)
_CARGO_START = lazy_regex(r"\Arunning (?P<number>[0-9]{1,7}) tests?\Z")
_CARGO_DETAIL = lazy_regex(r"\A---- (?P<name>.{1,500}) stdout ----\Z")
_CARGO_PANIC = lazy_regex(r"panicked at (?:'(?P<old>.*)', )?(?P<place>[\w./-]+\.rs:[0-9]+)(?::[0-9]+)?")
_CARGO_OUTCOMES: Mapping[str, TestOutcome] = {"ok": "passed", "FAILED": "failed", "ignored": "skipped"}


def read_cargo(data: bytes) -> TestReport:
    """Read what `cargo test` writes to standard output, of one or several targets."""
    nodes: list[ResultNode] = []
    failed: dict[str, ResultNode] = {}
    announced = 0
    current: ResultNode | None = None
    is_cargo = False
    for line in lines_of_report(data):
        if start := _CARGO_START.match(line):
            announced += int(start["number"])
            is_cargo, current, failed = True, None, {}
        elif found := _CARGO_TEST.match(line):
            node = ResultNode(name=found["name"], outcome=_CARGO_OUTCOMES[found["outcome"]])
            node.message = found["why"].removeprefix(",").strip() if node.outcome == "skipped" else ""
            failed[node.name] = node
            add_result(nodes, node)
        elif detail := _CARGO_DETAIL.match(line):
            current = failed.get(detail["name"])
        elif line in ("failures:", "test result: ok.") or line.startswith("test result:"):
            current = None
        elif current is not None and len(current.detail) < MAX_DETAIL_LENGTH:
            current.detail += f"{line}\n"
    if not is_cargo:
        return TestReport(problem="there are no results of `cargo test` in what the command wrote", is_void=True)
    for node in nodes:
        _read_panic(node)
    return _counted_report(nodes, announced)


def _counted_report(nodes: list[ResultNode], announced: int) -> TestReport:
    is_off, tests = announced != len(nodes), count(announced, "test")
    problem = f"the report announces {tests} and has {len(nodes)}" if is_off else ""
    return TestReport(results=tuple(flatten(nodes)), problem=problem)


def _read_panic(node: ResultNode) -> None:
    node.detail = node.detail.partition("stack backtrace:")[0].strip()
    if panic := _CARGO_PANIC.search(node.detail):
        after = node.detail[panic.end() :].partition("\n")[2]
        lines = [line.strip() for line in after.split("\n") if line.strip() and not line.startswith("note:")]
        node.message = panic["old"] or " ".join(lines)
        node.place = panic["place"].rpartition("/")[2]


# ---------------------------------------------------------------- Unity

_UNITY_COLOR = r"(?:\x1b\[[0-9;]{1,9}m)?"
_UNITY = lazy_regex(
    r"(?<=[^:\n]):(?P<line>[0-9]{1,7}):(?P<name>[^:\n]{1,300}):"
    rf"{_UNITY_COLOR}(?P<outcome>PASS(?={_UNITY_COLOR}\Z)|FAIL|IGNORE){_UNITY_COLOR}(?::\s?(?P<why>.*))?\Z"
)
"""searched for: what a program has written without a line's end stands before it, and nothing stands after `PASS`"""
_UNITY_END = lazy_regex(
    r"\A(?P<number>[0-9]{1,7}) Tests (?P<failed>[0-9]{1,7}) Failures (?P<ignored>[0-9]{1,7}) Ignored"
)
_UNITY_OUTCOMES: Mapping[str, TestOutcome] = {"PASS": "passed", "FAIL": "failed", "IGNORE": "skipped"}
_UNITY_VALUES = lazy_regex(
    r"\A\s*Expected (?P<wanted>.{1,400}?) Was (?P<found>'.{0,400}'|.{1,400}?)(?:\.\s+(?P<why>.*))?\Z"
)


def read_unity(data: bytes) -> TestReport:
    """Read what Unity for C writes: a line for each test, and its counts at the end."""
    nodes: list[ResultNode] = []
    announced: int | None = None
    for line in lines_of_report(data):
        if found := _UNITY.search(line):
            node = ResultNode(name=found["name"], outcome=_UNITY_OUTCOMES[found["outcome"]], message=found["why"] or "")
            file = line[: found.start()].rpartition(":")[2].rpartition("/")[2]
            node.place = f"{file[-100:].strip()}:{found['line']}"
            if values := _UNITY_VALUES.match(node.message):
                node.found, node.wanted, node.message = values["found"], values["wanted"], values["why"] or ""
            node.detail = line
            add_result(nodes, node)
        elif end := _UNITY_END.match(line):
            announced = (announced or 0) + int(end["number"])
    if not nodes and announced is None:
        return TestReport(problem="there are no results of Unity in what the command wrote", is_void=True)
    if announced is None:
        return TestReport(results=tuple(flatten(nodes)), problem="the report breaks off")
    return _counted_report(nodes, announced)
