"""What a run of the reference says, written into a spec so that all else in it stays as it was.

As a new case; or, where a case is there and says something else, as the text that it says now.
"""

import re
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import replace

from grader import run
from grader.author.written import CannotBeWrittenError, decode, expectation_node, with_answer
from grader.cache import Cache
from grader.comparators.any import ANYTHING
from grader.comparators.base import text_node, text_nodes
from grader.errors import GraderError, HostError, SpecError, UsageError
from grader.load import read, source
from grader.model import Case, Execution, Expectation, Expected, Spec, Test
from grader.pipeline import Course, answer, judged
from grader.text import one_line
from grader.verify.right import Answered
from grader.yaml.dumping import dump
from grader.yaml.editing import with_item, with_value
from grader.yaml.nodes import Node, entry, items_of
from grader.yaml.parsing import parse
from grader.yaml.value import escaped, fill
from grader.yaml.writing import listing, plain, quoted, table

_ANY: Node = table({"stdout": plain("any")})


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A run of the reference that is to become a case."""

    args: tuple[str, ...] = ()
    stdin: bytes = b""
    stdin_file: str = ""
    """the file of the course that `stdin` is the content of; empty when it is written as a text"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """A case that was recorded."""

    data: bytes
    """the spec with it"""
    case: Case
    execution: Execution
    command: str
    """the command of a student's program in it, to be repeated by hand"""
    written: str
    """what was put into the spec"""


def case_node(run: Run, expect: Node | None = None) -> Node:
    """Write a run as an entry of `cases`. Raises CannotBeWrittenError for an input that has no form there."""
    found: dict[str, Node] = {"args": text_nodes(run.args)}
    if run.stdin_file:
        found["stdin"] = table({"file": text_node(run.stdin_file)})
    elif run.stdin:
        found["stdin"] = text_node(decode(run.stdin, "standard input"))
    return table(found | ({"expect": expect} if expect else {}))


def printed_node(execution: Execution | None, *, status: bool = False) -> Node:
    """Write what the reference printed, as texts; without an execution, with the word reference.

    With `status` the exit status counts as well.
    """
    exact = Expected(how="text")
    expect = Expectation(stdout=exact, stderr=exact, exit="reference" if status else "any")
    if execution is None:
        return expectation_node(expect) if status else plain("reference")
    return expectation_node(with_answer(Case(id="", expect=expect), execution).expect)


def ask_twice(case: Case, course: Course) -> Execution:
    """Ask the reference twice, whatever it said before.

    Raises HostError when it fails, or says something else each time: then nobody could be graded by it.
    """
    answers: list[Execution] = []
    for _ in range(2):
        with tempfile.TemporaryDirectory(prefix="grader-") as folder:
            found = answer(case, replace(course, cache=Cache(folder=Path(folder))))
        if isinstance(found, GraderError):
            raise found
        answers.append(found)
    one, other = answers
    if (one.stdout, one.stderr, one.status) != (other.stdout, other.stderr, other.status):
        raise HostError(f"the reference says something else each time in {case.id}: nobody can be graded by it")
    return one


# ---------------------------------------------------------------- a new case


def find_open_test(spec: Spec, name: str | None) -> Test:
    """Return the test that new cases go to. Raises UsageError when it is not known, or cannot have any."""
    nodes = items_of(entry(parse(spec.source_text, spec.id), "tests"))
    closed = {test.name: _why_closed(test, node) for test, node in zip(spec.tests, nodes, strict=True)}
    able = [test for test in spec.tests if not closed[test.name]]
    names = ", ".join(test.name for test in able) or "none"
    if name is None:
        if len(able) == 1:
            return able[0]
        raise UsageError(f"which test is the case for? Name one with --test; there are: {names}")
    found = next((test for test in spec.tests if test.name == name), None)
    if found is None:
        raise UsageError(f"there is no test {name!r}; those that can have more cases are: {names}; --points makes one")
    if why := closed[name]:
        raise UsageError(f"{name!r} {why}; those that can have more cases are: {names}")
    return found


_OTHER_CASES = {
    "unit": "is a unit test, whose cases are its methods",
    "functions": "calls functions, and what they come to is no run of a program",
    "source": "looks at the source, and nothing is run for it",
}
"""what a case has instead of a run of the program -> what is told of that"""


def _why_closed(test: Test, node: Node) -> str:
    """Say why a test, written at `node`, can have no more cases; empty when it can."""
    others = (why for kind, why in _OTHER_CASES.items() if any(getattr(case, kind) for case in test.cases))
    if why := next(others, ""):
        return why
    if entry(node, "each"):
        return "has variables, and each value of them would make another case"
    if any(case.command for case in test.cases):
        return "runs another command than the program, which the reference is none for"
    if not entry(node, "cases"):
        return "has no list of cases"
    return ""


def add_case(course: Course, test: Test, run: Run, *, as_text: bool) -> Recorded:
    """Add a case to a test. What the test expects of all its cases holds for this one too, if the reference does it.

    Raises UsageError, with what to write, when the text cannot be edited, and HostError when the reference fails.
    """
    number = [other.name for other in course.spec.tests].index(test.name)
    case = _inheriting_case(course.spec, number, run)
    execution = ask_twice(case, course)
    is_right = case.expect != Expectation(stdout=ANYTHING) and not _why_wrong(case, execution, course)
    if is_right and not (as_text and case.asks_reference):
        node = case_node(run)
    else:
        node = case_node(run, printed_node(execution if as_text else None, status=case.expect.exit != "any"))
    data = with_item(course.spec.source_text, ("tests", number, "cases"), node)
    return _proven_record(course, data, number, node, execution)


def add_test(course: Course, name: str, worth: str, run: Run, *, as_text: bool) -> Recorded:
    """Add a test with one case. Raises as `add_case` does."""
    if any(test.name == name for test in course.spec.tests):
        raise UsageError(f"there is a test {name!r} already: leave out --points to add a case to it")
    written = plain(name) if name.isidentifier() else quoted(name)

    def test_node(expect: Node) -> Node:
        return table({"name": written, "points": plain(worth), "cases": listing([case_node(run, expect)])})

    draft = with_item(course.spec.source_text, ("tests",), test_node(_ANY), open_levels=3)
    if draft is None:
        raise _not_editable(test_node(_ANY))
    case = read(draft, course.spec.id, course.spec.root).tests[-1].cases[-1]
    execution = ask_twice(case, course)
    test = test_node(printed_node(execution if as_text else None))
    data = with_item(course.spec.source_text, ("tests",), test, open_levels=3)
    return _proven_record(course, data, -1, test, execution)


def _inheriting_case(spec: Spec, number: int, run: Run) -> Case:
    """Return the case that comes of a run without expectations of its own, or with none at all if it must have some."""
    for expect in (None, _ANY):
        node = case_node(run, expect)
        data = with_item(spec.source_text, ("tests", number, "cases"), node)
        if data is None:
            raise _not_editable(node)
        try:
            return read(data, spec.id, spec.root).tests[number].cases[-1]
        except SpecError as error:
            last = error
    raise last


def _why_wrong(case: Case, execution: Execution, course: Course) -> str:
    """Say why what the reference does is not right in a case; empty when it is."""
    answer = execution if case.asks_reference else None
    try:
        result = judged(case, execution, answer, course, of_reference=True)
    except GraderError as error:
        return str(error)
    return "" if result.credit == 1 and not result.deviations else result.message or str(result.verdict)


def _proven_record(course: Course, data: bytes | None, number: int, node: Node, execution: Execution) -> Recorded:
    """Return what was recorded, once the case as it is read again is right."""
    if data is None:
        raise _not_editable(node)
    case = read(data, course.spec.id, course.spec.root).tests[number].cases[-1]
    if why := _why_wrong(case, execution, course):
        raise UsageError(f"{case.id}: what the test expects of all its cases does not fit: {one_line(why)}")
    command = run.command_text(case, course.spec)
    return Recorded(data=data, case=case, execution=execution, command=command, written=_as_yaml(node))


def _not_editable(node: Node) -> UsageError:
    return UsageError(
        "the spec is laid out so that no case can be put in without changing more; write this yourself:\n\n"
        + _as_yaml(node)
    )


def _as_yaml(node: Node) -> str:
    return dump(listing([node]), open_levels=4 if entry(node, "cases") else 2)


# ---------------------------------------------------------------- what the spec says otherwise

_NO_TEXT = "this is no text that could be exchanged: mend one of the two"
_SHARED = "the text holds for several cases, and the reference does not say the same in all: write them apart"
_MADE_OF_VARIABLES = "the text is made of variables: mend it yourself"
_LAID_OUT = "the spec is laid out so that it cannot be changed without changing more: write it yourself"
_STEP = re.compile(r"([^.\[\]]+)|\[(\d+)\]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Disagreement:
    """Something that the reference does otherwise than the spec says."""

    case: Case
    what: str
    """`standard output`, `standard error`, `exit status`, or another expectation"""
    before: bytes = b""
    after: bytes = b""
    key: str = ""
    """where it stands below the case or its test, `expect.stdout`; empty when it is no text of the spec's"""
    message: str = ""
    """what is wrong, where there are no two texts to compare"""


def find_disagreements(answered: Sequence[Answered]) -> list[Disagreement]:
    """Find where the reference does not do what is written out in the spec."""
    found: list[Disagreement] = []
    for one in answered:
        if one.is_wrong and one.execution and one.result:
            message = one_line(one.result.message)
            other = Disagreement(case=one.case, what="an expectation", message=message)
            found += _other_texts(one.case, one.execution) or [other]
    return found


def _other_texts(case: Case, execution: Execution) -> list[Disagreement]:
    found: list[Disagreement] = []
    for name, what, stream, expected in case.expect.streams:
        key, output = f"expect.{name}", execution.stdout if stream == "stdout" else execution.stderr
        if expected and expected.how == "text" and expected.want and expected.want[0].encode() != output:
            before = expected.want[0].encode()
            found.append(Disagreement(case=case, what=what, before=before, after=output, key=key))
    status = case.expect.exit
    if isinstance(status, tuple) and execution.status not in status:
        before = ", ".join(map(str, status)).encode() + b"\n"
        after = f"{execution.status}\n".encode()
        key = "expect.exit" if len(status) == 1 and execution.status is not None else ""
        found.append(Disagreement(case=case, what="exit status", before=before, after=after, key=key))
    return found


def accept(spec: Spec, found: Sequence[Disagreement]) -> tuple[bytes, list[tuple[Disagreement, str]]]:
    """Return the spec's text with what the reference says now, and what could not be changed, with the reason."""
    data = spec.source_text
    left: list[tuple[Disagreement, str]] = []
    places: dict[str, list[Disagreement]] = {}
    for one in found:
        if one.key:
            places.setdefault(_path_of_text(spec, one.case, one.key), []).append(one)
    for path, some in places.items():
        changed, why = _with_text_exchanged(spec, data, path, some)
        data = changed or data
        left += [(one, why) for one in some] if changed is None else []
    left += [(one, _NO_TEXT) for one in found if not one.key]
    read(data, spec.id, spec.root)
    return data, left


def _path_of_text(spec: Spec, case: Case, key: str) -> str:
    """Return the path at which something is written that holds for a case: in the case, or in its test."""
    written = source(spec, spec.id)
    start = written.cases[case.id]
    paths = [f"{holder}.{key}" for holder in (start, start.partition(".")[0])]
    found = next((path for path in paths if path in written.places), paths[0])
    return f"{found}.text" if f"{found}.text" in written.places else found


def _with_text_exchanged(spec: Spec, data: bytes, path: str, some: Sequence[Disagreement]) -> tuple[bytes | None, str]:
    """Exchange one text of the spec, if that is right for all cases that it holds for; else None, and say why."""
    one = some[0]
    written = source(spec, spec.id).texts.get(path)
    test = next(test for test in spec.tests if one.case in test.cases)
    sharing = [case for case in test.cases if _path_of_text(spec, case, one.key) == path]
    if len({each.after for each in some}) > 1 or len(sharing) > len(some):
        return None, _SHARED
    if written is None:
        return None, _MADE_OF_VARIABLES
    if one.what == "exit status":
        value = plain(one.after.decode().strip())
    else:
        try:
            if fill(written, {}).encode() != one.before:
                return None, _MADE_OF_VARIABLES
            value = quoted(escaped(decode(one.after, one.what)))
        except KeyError:
            return None, _MADE_OF_VARIABLES
        except CannotBeWrittenError as error:
            return None, str(error)
    steps = tuple(int(index) if index else name for name, index in _STEP.findall(path))
    return with_value(data, steps, value), _LAID_OUT
