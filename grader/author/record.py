"""Cases recorded from a run of the reference, written into a spec so that all else in it stays as it was."""

import tempfile
from dataclasses import dataclass
from pathlib import Path

from grader import oracle, run
from grader.author.literal import literal
from grader.author.written import decoded, expectation, text, texts
from grader.cache import Cache
from grader.comparators.any import ANYTHING
from grader.errors import GraderError, HostError, SpecError, UsageError
from grader.load import read
from grader.model import Case, Execution, Expectation, Expected, Spec, Test
from grader.pipeline import Course
from grader.text import one_line
from grader.verify.right import judged
from grader.yaml.editing import with_item
from grader.yaml.nodes import Node, entry, items_of, parse
from grader.yaml.writing import dump, listing, plain, quoted, table

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


def item(run: Run, expect: Node | None = None) -> Node:
    """Write a run as an entry of `cases`. Raises CannotBeWrittenError for an input that has no form there."""
    found: dict[str, Node] = {"args": texts(run.args)}
    if run.stdin_file:
        found["stdin"] = table({"file": text(run.stdin_file)})
    elif run.stdin:
        found["stdin"] = text(decoded(run.stdin, "standard input"))
    return table(found | ({"expect": expect} if expect else {}))


def expected(execution: Execution | None, *, status: bool = False) -> Node:
    """Write what the reference printed, as texts; without an execution, with the word reference.

    With `status` the exit status counts as well.
    """
    exact = Expected(how="text")
    expect = Expectation(stdout=exact, stderr=exact, exit="reference" if status else "any")
    if execution is None:
        return expectation(expect) if status else plain("reference")
    return expectation(literal(Case(id="", expect=expect), execution).expect)


def ask(case: Case, course: Course) -> Execution:
    """Ask the reference twice, whatever it said before.

    Raises HostError when it fails, or says something else each time: then nobody could be graded by it.
    """
    if isinstance(course.reference, HostError):
        raise course.reference
    launch = run.launch_reference(case, course.spec)
    answers: list[Execution] = []
    for _ in range(2):
        with tempfile.TemporaryDirectory(prefix="grader-") as folder:
            cache = Cache(folder=Path(folder))
            answers.append(
                oracle.ask_reference(
                    launch, files=course.reference, crash=course.crash, run=course.execute, cache=cache
                )
            )
    one, other = answers
    if (one.stdout, one.stderr, one.status) != (other.stdout, other.stderr, other.status):
        raise HostError(f"the reference says something else each time in {case.id}: nobody can be graded by it")
    return one


# ---------------------------------------------------------------- a new case


def place_of(spec: Spec, name: str | None) -> Test:
    """Return the test that new cases go to. Raises UsageError when it is not known, or cannot have any."""
    nodes = _nodes(spec)
    able = [test for test in spec.tests if not _why_not(test, nodes[test.name])]
    names = ", ".join(test.name for test in able) or "none"
    if name is None:
        if len(able) == 1:
            return able[0]
        raise UsageError(f"which test is the case for? Name one with --test; there are: {names}")
    found = next((test for test in spec.tests if test.name == name), None)
    if found is None:
        raise UsageError(f"there is no test {name!r}; those that can have more cases are: {names}; --points makes one")
    if why := _why_not(found, nodes[name]):
        raise UsageError(f"{name!r} {why}; those that can have more cases are: {names}")
    return found


def _nodes(spec: Spec) -> dict[str, Node]:
    nodes = items_of(entry(parse(spec.source_text, spec.id), "tests"))
    return {test.name: node for test, node in zip(spec.tests, nodes, strict=True)}


def _why_not(test: Test, node: Node) -> str:
    if any(case.functions for case in test.cases):
        return "calls functions, and what they come to is no run of a program"
    if entry(node, "each"):
        return "has variables, and each value of them would make another case"
    if any(case.command for case in test.cases):
        return "runs another command than the program, which the reference is none for"
    if not entry(node, "cases"):
        return "has no list of cases"
    return ""


def add(course: Course, test: Test, run: Run, *, as_text: bool) -> Recorded:
    """Add a case to a test. What the test expects of all its cases holds for this one too, if the reference does it.

    Raises UsageError, with what to write, when the text cannot be edited, and HostError when the reference fails.
    """
    number = [other.name for other in course.spec.tests].index(test.name)
    case = _inherited(course.spec, number, run)
    execution = ask(case, course)
    is_right = case.expect != Expectation(stdout=ANYTHING) and not _fault(case, execution, course)
    if is_right and not (as_text and case.asks_reference):
        node = item(run)
    else:
        node = item(run, expected(execution if as_text else None, status=case.expect.exit != "any"))
    data = with_item(course.spec.source_text, ("tests", number, "cases"), node)
    return _recorded(course, data, number, node, execution)


def add_test(course: Course, name: str, worth: str, run: Run, *, as_text: bool) -> Recorded:
    """Add a test with one case. Raises as `add` does."""
    if any(test.name == name for test in course.spec.tests):
        raise UsageError(f"there is a test {name!r} already: leave out --points to add a case to it")
    execution = ask(Case(id=name, args=run.args, stdin=run.stdin), course)
    case = item(run, expected(execution if as_text else None))
    written = plain(name) if name.isidentifier() else quoted(name)
    test = table({"name": written, "points": plain(worth), "cases": listing([case])})
    data = with_item(course.spec.source_text, ("tests",), test, open_levels=3)
    return _recorded(course, data, -1, test, execution)


def _inherited(spec: Spec, number: int, run: Run) -> Case:
    """Return the case that comes of a run without expectations of its own, or with none at all if it must have some."""
    for expect in (None, _ANY):
        node = item(run, expect)
        data = with_item(spec.source_text, ("tests", number, "cases"), node)
        if data is None:
            raise _not_edited(node)
        try:
            return read(data, spec.id, spec.root).tests[number].cases[-1]
        except SpecError as error:
            last = error
    raise last


def _fault(case: Case, execution: Execution, course: Course) -> str:
    """Say why what the reference does is not right in a case; empty when it is."""
    answer = execution if case.asks_reference else None
    try:
        result = judged(case, execution, answer, course, of_reference=True)
    except GraderError as error:
        return str(error)
    return "" if result.credit == 1 and not result.deviations else result.message or str(result.verdict)


def _recorded(course: Course, data: bytes | None, number: int, node: Node, execution: Execution) -> Recorded:
    if data is None:
        raise _not_edited(node)
    case = read(data, course.spec.id, course.spec.root).tests[number].cases[-1]
    if why := _fault(case, execution, course):
        raise UsageError(f"{case.id}: what the test expects of all its cases does not fit: {one_line(why)}")
    return Recorded(
        data=data,
        case=case,
        execution=execution,
        command=run.command_text(case, course.spec),
        written=_written(node),
    )


def _not_edited(node: Node) -> UsageError:
    return UsageError(
        "the spec is laid out so that no case can be put in without changing more; write this yourself:\n\n"
        + _written(node)
    )


def _written(node: Node) -> str:
    return dump(listing([node]), open_levels=4 if entry(node, "cases") else 2)
