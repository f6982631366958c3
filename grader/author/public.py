"""The public copy of a spec: what students may have of it, to be run at home with the same command.

It has no hidden tests, no reference and none of the instructor's comments, since a comment may tell what a hidden test
asks. What the reference says is written out. A copy is proven before anybody gets it: it is read, and the reference's
own executions are judged by it as they are by the spec. A test for which that cannot be done is left out, with the
reason.
"""

import tempfile
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

from grader import oracle
from grader.author.needed import checks, imported, private
from grader.author.public_test import Source, attached, public_test
from grader.author.written import CannotBeWrittenError
from grader.errors import GraderError, HostError, SpecError, UsageError
from grader.load import read, source
from grader.model import Case, Expectation, Spec, Test
from grader.pipeline import Course
from grader.text import one_line, points
from grader.verify.right import Answered, ask_all, judged
from grader.yaml.nodes import Node, Scalar, entries_of, entry, items_of, parse
from grader.yaml.template import fill
from grader.yaml.writing import dump, listing, table

MARK = "# A public copy, made by `grader handout`"
"""how a public copy begins"""

_NOT_FOR_STUDENTS = ("reference", "equivalent", "tests")
_COMMENT_WIDTH = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Public:
    """A public copy, and what became of the rest."""

    text: bytes
    files: Mapping[str, bytes]
    """the files that it needs, by their names below the course root"""
    left_out: Mapping[str, str]
    """the visible tests that are not in it -> why"""
    hidden: int
    """how many tests students must not see"""


def public(course: Course, *, shared: frozenset[str] = frozenset(), jobs: int = 1) -> Public:
    """Make the public copy of the course's spec.

    `shared` are files that students may have, though the reference uses them. Raises UsageError when no test is left,
    and HostError when the reference fails.
    """
    spec = course.spec
    answered = {one.case.id: one for one in ask_all(course, jobs)}
    left_out: dict[str, str] = {}
    kept = _kept(course, private(spec, shared), left_out)
    while kept:
        text = _text(spec, [node for _, node in kept])
        files = _files(spec, text)
        wrong = dict(_unproven(course, [test for test, _ in kept], text, files, answered))
        if not wrong:
            hidden = sum(test.visibility != "visible" for test in spec.tests)
            return Public(text=text, files=files, left_out=left_out, hidden=hidden)
        left_out |= wrong
        kept = _kept(course, private(spec, shared), left_out)
    told = "".join(f"\n  {name}: {why}" for name, why in left_out.items())
    raise UsageError(f"no test of {spec.id} can be made public:{told or ' all are hidden'}")


def _kept(course: Course, withheld: frozenset[str], left_out: dict[str, str]) -> list[tuple[Test, Node]]:
    """Return the tests that students get, as they are written for them; notes why others are `left_out`."""
    spec = course.spec
    made = Source(course=course, private=withheld, paths=source(spec, spec.id).cases)
    nodes = items_of(entry(parse(spec.source_text, spec.id), "tests"))
    kept: list[tuple[Test, Node]] = []
    for test, node in zip(spec.tests, nodes, strict=True):
        if test.visibility != "visible" or test.name in left_out:
            continue
        names = {other.name for other, _ in kept}
        try:
            kept.append((test, public_test(test, node, [need for need in test.needs if need in names], made)))
        except CannotBeWrittenError as why:
            left_out[test.name] = str(why)
    return kept


def _text(spec: Spec, tests: list[Node]) -> bytes:
    top = entries_of(parse(spec.source_text, spec.id))
    head = {name: value for name, value in top.items() if name not in _NOT_FOR_STUDENTS}
    written = [textwrap.indent(dump(listing([test]), open_levels=2), "  ") for test in tests]
    return (_heading(spec, tests) + dump(table(head), open_levels=1) + "\ntests:\n" + "\n".join(written)).encode()


def _heading(spec: Spec, tests: list[Node]) -> str:
    names = {node.text for node in (entry(test, "name") for test in tests) if isinstance(node, Scalar)}
    here = sum((test.points for test in spec.tests if test.name in names and not test.bonus), Fraction(0))
    some = f"the tests that you can run yourself, {points(here)} of {points(spec.max_score)} points"
    told = f"{MARK} from {spec.id}: {'all its tests' if len(names) == len(spec.tests) else some}."
    return "".join(f"# {line}\n" for line in textwrap.wrap(told.removeprefix("# "), _COMMENT_WIDTH)) + "\n"


def _files(spec: Spec, text: bytes) -> dict[str, bytes]:
    """Return the files that a copy needs: those that it names, and what its checks import."""
    copy = read(text, spec.id, spec.root)
    names = {fill(name, {}) for name in attached(parse(text, spec.id))}
    for check in (check for test in copy.tests for case in test.cases for check in checks(case)):
        names |= imported(spec.root, check.function.rpartition(":")[0])
    return {name: (spec.root / name).read_bytes() for name in sorted(names)}


# ---------------------------------------------------------------- proof


def _unproven(
    course: Course, tests: list[Test], text: bytes, files: Mapping[str, bytes], answered: Mapping[str, Answered]
) -> Iterator[tuple[str, str]]:
    """Find the tests that would not judge as those of the spec do, each with the reason."""
    with tempfile.TemporaryDirectory(prefix="grader-") as folder:
        root = Path(folder)
        _write(root, files)
        try:
            copy = read(text, course.spec.id, root)
        except SpecError as error:
            raise HostError(f"a fault of the grader: the public copy is no spec: {error}") from error
        copied = replace(course, spec=copy, checks=oracle.load_checks(root))
        for test, own in zip(tests, copy.tests, strict=True):
            cases = zip(test.cases, own.cases, strict=True)
            faults = (_fault(one, other, copied, answered[one.id]) for one, other in cases)
            if why := next(filter(None, faults), ""):
                yield test.name, why


def _fault(case: Case, copied: Case, course: Course, answered: Answered) -> str:
    """Say in what a case of the copy is not that of the spec; empty when it is."""
    if _started(case) != _started(copied):
        return f"{case.id} cannot be written out"
    try:
        for check in checks(copied):
            course.checks(check)
        if answered.is_apart or not answered.execution or not answered.is_right:
            return ""
        result = judged(copied, answered.execution, None, course, of_reference=True)
    except GraderError as error:
        return f"{case.id}: {one_line(str(error))}"
    return "" if result.credit == 1 else f"{case.id} would be judged otherwise: {one_line(result.message)}"


def _started(case: Case) -> Case:
    """Return a case without what is expected."""
    function = case.functions and replace(case.functions, returns=None, args={}, raises="")
    return replace(case, id="", expect=Expectation(), functions=function)


def _write(root: Path, files: Mapping[str, bytes]) -> None:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
