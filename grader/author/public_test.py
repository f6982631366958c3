"""A test as students may have it: without the word `reference`, and without arguments that are still to be drawn.

A test that asks the reference for nothing stays as the instructor wrote it. Of another one every case is written out,
with what the reference does in it.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from grader.author.literal import literal
from grader.author.needed import checks, imported
from grader.author.written import CannotBeWrittenError, call, decoded, expectation, functions, start, text
from grader.errors import GraderError
from grader.load.language import CASE
from grader.model import Case, Test
from grader.pipeline import Course, answer
from grader.yaml.nodes import Node, Scalar, entries_of, entry, inside, items_of
from grader.yaml.template import WORD
from grader.yaml.writing import listing, plain, quoted, table

_FOR_CASES = frozenset(CASE) - {"limits", "tolerate"}
"""the keys of a test that are written into each of its cases instead"""
_KEPT = "of which a reference is made; share that file if students may have it"
_CASE = re.compile(r"tests\[\d+\]\.cases\[(\d+)\]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """What a public test is made from."""

    course: Course
    private: frozenset[str]
    """names of files that students must not get"""
    paths: Mapping[str, str]
    """a case's id -> the path of what it is written as"""


def public_test(test: Test, node: Node, needs: Sequence[str], source: Source) -> Node:
    """Return a test of the spec, written at `node`, for students, who need those of its `needs` that they have.

    Raises CannotBeWrittenError when there is no such test, and HostError when the reference fails.
    """
    _check_files(test, node, source)
    found = entries_of(node)
    if _is_for_all(test, node):
        kept = {name: value for name, value in found.items() if name not in ("visibility", "needs")}
    else:
        left_out = {*_FOR_CASES, "visibility", "needs", "each", "cases"}
        kept = {name: value for name, value in found.items() if name not in left_out}
        kept |= _cases(test, node, source)
    if needs:
        kept["needs"] = listing(map(quoted, needs))
    return table({name: kept[name] for name in (*(name for name in found if name in kept), *(kept.keys() - found))})


def _check_files(test: Test, node: Node, source: Source) -> None:
    root = source.course.spec.root
    for function in sorted({check.function for case in test.cases for check in checks(case)}):
        file = function.rpartition(":")[0]
        for name in sorted(imported(root, file) & source.private):
            raise CannotBeWrittenError(f"its check {function} needs {name}, {_KEPT}")
    for name in attached(node):
        if name in source.private:
            raise CannotBeWrittenError(f"it needs {name}, {_KEPT}")


def attached(node: Node) -> list[str]:
    """Return the names of the files that are written as `{file: NAME}`."""
    named = (entries_of(part) for part in inside(node))
    files = (found["file"] for found in named if list(found) == ["file"])
    return [file.text for file in files if isinstance(file, Scalar)]


def _is_for_all(test: Test, node: Node) -> bool:
    """Whether a test can stay as it is written."""
    draws = any("generate" in entries_of(part) for part in inside(node))
    varies = any(re.search(rf"\{{{WORD}\}}", name) for name in attached(node))
    return not draws and not varies and not any(case.asks_reference for case in test.cases)


def _cases(test: Test, node: Node, source: Source) -> dict[str, Node]:
    """Write out the cases: as calls of one function where they are that, else one by one."""
    known = [_known(case, source.course) for case in test.cases]
    called = [case.functions for case in known if case.functions]
    alike = {(case.within, case.call.signature, case.any_case) for case in called}
    around = [_around(case, node, source) for case in known]
    if len(called) == len(known) and len(alike) == 1 and not any(around):
        calls = [call(case.functions, case.expect.stdout) for case in known if case.functions]
        return {"functions": functions(called[0], calls)}
    return {"cases": listing(table(_case(case, one)) for case, one in zip(known, around, strict=True))}


def _known(case: Case, course: Course) -> Case:
    if not case.asks_reference:
        return case
    found = answer(case, course)
    if isinstance(found, GraderError):
        raise found
    return literal(case, found)


def _around(case: Case, node: Node, source: Source) -> dict[str, Node]:
    """Write what surrounds a case; its own limits and tolerances are taken over as they are written."""
    match = _CASE.match(source.paths[case.id])
    written = entries_of(items_of(entry(node, "cases"))[int(match[1])]) if match else {}
    own = {key: value for key, value in written.items() if key in ("limits", "tolerate")}
    return {**start(case, lambda data: _content(data, source)), **own}


def _content(data: bytes, source: Source) -> Node:
    known = source.course.spec.attached.items()
    for name, content in known:
        if content and content == data and name not in source.private:
            return table({"file": text(name)})
    return text(decoded(data, "an input"))


def _case(case: Case, around: Mapping[str, Node]) -> dict[str, Node]:
    if case.functions:
        return {**around, "functions": functions(case.functions, [call(case.functions, case.expect.stdout)])}
    expect = expectation(case.expect)
    return {**around, "expect": expect if entries_of(expect) else table({"stdout": plain("any")})}
