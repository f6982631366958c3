"""The public copy of a spec: what students may have of it, to be run at home with the same command.

It has no hidden tests, no reference and no comments of the instructor: a comment may reveal a hidden test. The
reference's output is written out. Each copy is verified before it is published: it is loaded, and must judge the
reference's executions as the spec does. A test for which that fails is omitted, with the reason.
"""

import ast
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from msgspec.structs import replace

from grader.author.to_yaml import decode, expectation_node, freeze_text, reference_answer, start_nodes, with_answer
from grader.check.expected_results import ReferenceResult, ask_all
from grader.check.source_mutants import imported_modules
from grader.core import generate, oracle
from grader.core.errors import CannotBeWrittenError, GraderError, HostError, SpecError, UsageError
from grader.core.kind import KINDS, kind_of
from grader.core.model.spec import ANYTHING, Case, CheckOptions, Expectation, Spec, Test
from grader.core.model.values import Facts
from grader.core.notebook import written_source
from grader.core.pipeline import Course, generate_for, judged
from grader.core.python_packages import libraries_of_course_functions
from grader.core.reader.language import CASE
from grader.core.reader.locate import COPY_MARK
from grader.core.reader.spec import load, read
from grader.core.report.json import write_files
from grader.core.text import count_points, one_line, points
from grader.core.yaml.dumping import dump_spec
from grader.core.yaml.nodes import Node, Scalar, Table, entries_of, inside, items_of, listing, quoted, table
from grader.core.yaml.parsing import parse
from grader.core.yaml.types import node_of
from grader.core.yaml.value import TOOLCHAINS_NAME, WORD, fill

_NOT_FOR_STUDENTS = ("reference", "references", "equivalent", "adjustments", "defaults", "seed", "tests")


class Public(NamedTuple):
    """A public copy, and what became of the rest."""

    text: bytes
    files: Mapping[str, bytes]  # that it needs, by their names below the course root
    left_out: Mapping[str, str]  # the visible tests that are not in it -> why
    hidden: int  # how many tests students must not see


class _Original(NamedTuple):
    """What a public copy is made from."""

    course: Course
    withheld: frozenset[str]  # names of files that students must not get
    top: Mapping[str, Node]  # the keys of the spec

    @property
    def defaults(self) -> Node:
        """What the spec says for all cases, which is written out with them."""
        return self.top.get("defaults", table({}))


def make_public(course: Course, *, shared: frozenset[str] = frozenset(), jobs: int = 1) -> Public:
    """Make the public copy of the course's spec.

    `shared` are files that students may have, though the reference uses them. Raises UsageError when no test
    remains, and HostError when the reference fails.
    """
    course = generate_for(course, generate.NOBODY)
    spec = course.spec
    answers = {answer.case.id: answer for answer in ask_all(course, jobs)}
    original = _Original(course, _withheld_files(spec, shared), entries_of(parse(spec.source_text, spec.id)))
    for key in original.top.keys() - {*_NOT_FOR_STUDENTS, "repairs"}:
        for name in sorted(original.withheld.intersection(_attached_files(original.top[key], spec))):
            raise UsageError(
                f"{spec.id} has no public copy: `{key}` adds {name}, of which a reference is made; "
                "have it add a file that students may read"
            )
    hidden = sum(test.visibility != "visible" for test in spec.tests)
    omitted: dict[str, str] = {}
    # A test that is left out may be one that others need, so what remains is proven again.
    while remaining := _provable_tests(original, omitted):
        text = _copy_text(original, remaining)
        public = Public(text, _needed_files(spec, text), omitted, hidden)
        wrong = dict(_unproven(course, [test for test, _ in remaining], public, answers))
        if not wrong:
            return public
        omitted |= wrong
    reasons = "".join(f"\n  {name}: {why}" for name, why in omitted.items())
    raise UsageError(f"no test of {spec.id} can be made public:{reasons or ' all are hidden'}")


def _provable_tests(original: _Original, omitted: dict[str, str]) -> list[tuple[Test, Node]]:
    """Return the tests that students get, as they are written for them; notes why others are `omitted`."""
    remaining: list[tuple[Test, Node]] = []
    for test, node in zip(original.course.spec.tests, items_of(original.top.get("tests")), strict=True):
        if test.visibility != "visible" or test.name in omitted:
            continue
        names = {kept.name for kept, _ in remaining}
        unlike = test.unlike if names.issuperset(test.unlike) else ()  # with some of these it would be another rule
        known = {"needs": [name for name in test.needs if name in names], "unlike": [*unlike]}
        try:
            remaining.append((test, _public_test(test, node, known, original)))
        except CannotBeWrittenError as why:
            omitted[test.name] = str(why)
    return remaining


def _copy_text(original: _Original, tests: Sequence[tuple[Test, Node]]) -> bytes:
    spec, head = original.course.spec, {key: node for key, node in original.top.items() if key not in _NOT_FOR_STUDENTS}
    here = sum((test.points for test, _ in tests if not test.bonus), Fraction(0))
    part = f"the tests that you can run yourself, {points(here)} of {count_points(spec.max_score)}"
    title = f"{COPY_MARK} from {spec.id}: {'all its tests' if len(tests) == len(spec.tests) else part}."
    if not original.withheld.isdisjoint(_attached_files(head.get("repairs", table({})), spec)):
        del head["repairs"]
    return dump_spec({**head, "tests": listing(node for _, node in tests)}, [title.removeprefix("# ")]).encode()


# ---------------------------------------------------------------- files: what a copy needs, and what it must not have


def with_imports(root: Path, name: str) -> frozenset[str]:
    """Return a Python file of the course and all that it imports from its own folder, as names below `root`.

    That is read off the source: what instructors write is imported at the top, by its plain name.
    """
    files, waiting = set[str](), [name]
    while waiting:
        if (file := waiting.pop()) in files:
            continue
        files.add(file)
        path = root / file
        with suppress(OSError, SyntaxError, ValueError):  # loading the check reports the error
            tree = ast.parse(path.read_bytes() if path.suffix == ".py" else b"")
            modules = [path.parent / module.partition(".")[0] for module in imported_modules(tree)]
            found = (part for at in modules for part in (at.with_suffix(".py"), *sorted(at.rglob("*"))))
            used = (part for part in found if part.is_file() and "__pycache__" not in part.parts)
            waiting += [part.relative_to(root).as_posix() for part in used]
    return frozenset(files)


def _checks_of(case: Case) -> list[CheckOptions]:
    """Return the functions of the instructor that judge in a case."""
    return [check for _, leaf in case.texts if (check := leaf.get(CheckOptions)).function]


def _attached_files(node: Node, spec: Spec) -> list[str]:
    """Return the names of the files that are written as `{file: NAME}` or are in a `{folder: NAME}`, or by a kind."""
    named = [entries_of(part) for part in inside(node)]
    files = [entry["file"] for entry in named if "file" in entry and entry.keys() <= {"file", "only", "skip", "part"}]
    own = [name for part in inside(node) for kind in KINDS.values() for name in kind.attached_files(part)]
    folders = [entry["folder"] for entry in named if entry.keys() == {"folder"}]
    places = tuple(f"{folder.text.rstrip('/')}/" for folder in folders if isinstance(folder, Scalar))
    own += [name for name in spec.attached if name.startswith(places)]
    return [*own, *(file.text for file in files if isinstance(file, Scalar))]


def _needed_files(spec: Spec, text: bytes) -> dict[str, bytes]:
    """Return the files that a copy needs: those that it names, what its checks import, and the course's languages."""
    copy = read(text, spec.id, spec.root)
    names = {fill(name, {}) for name in _attached_files(parse(text, spec.id), spec)}
    names |= {*(copy.build.jars if copy.build else ()), *(spec.attached.keys() & {TOOLCHAINS_NAME})}
    for check in (check for test in copy.tests for case in test.cases for check in _checks_of(case)):
        names |= with_imports(spec.root, check.function.rpartition(":")[0])
    return {name: (spec.root / name).read_bytes() for name in sorted(names)}


def _withheld_files(spec: Spec, shared: frozenset[str]) -> frozenset[str]:
    """Return the files that students must not get, but those that are shared; the reference itself cannot be."""
    own, theirs = _files_of_reference(spec), set[str]()
    for path in sorted(filter(Path.is_file, (spec.root / "specs").glob("*.yaml"))):
        with suppress(SpecError):  # one with mistakes says nothing about its reference
            theirs |= _files_of_reference(load(path))
    return own | theirs.union(*(with_imports(spec.root, file) for file in own)) - shared


def _files_of_reference(spec: Spec) -> frozenset[str]:
    """Return the files that the reference's command names, below the course root."""
    if spec.references:
        views = [spec.with_reference(name) for name in ("", *spec.references)]
        return frozenset(file for view in views for file in _files_of_reference(view))
    work, words = spec.reference_work, spec.reference or ()
    if work and not work.files:
        return frozenset(oracle.answers.reference_files(spec))
    words = work.files if work else words
    named = {word: written_source(spec.root / word) for word in words}
    return frozenset(
        PurePosixPath(word).with_suffix(path.suffix).as_posix() for word, path in named.items() if path.is_file()
    )


# ---------------------------------------------------------------- a test as students may have it
#
# A test that asks the reference for nothing, and draws nothing, stays as the instructor wrote it. Of another one every
# case is written out, with what the reference does.

_KEYS_AS_WRITTEN = frozenset({"limits", "tolerate", "repeat"})  # of a test or a case
_KEYS_OF_CASES = frozenset(CASE) - _KEYS_AS_WRITTEN  # of a test, which are written into each of its cases instead
_WITHHELD = "of which a reference is made; share that file if students may have it"
_NUMBER_OF_CASE = re.compile(r"tests\[\d+\]\.cases\[(\d+)\]")


def _public_test(test: Test, node: Node, known: Mapping[str, Sequence[str]], original: _Original) -> Node:
    """Return a test of the spec, written at `node`, for students, with the other tests that it names and they have.

    Raises CannotBeWrittenError when there is no such test, and HostError when the reference fails.
    """
    spec = original.course.spec
    attached = [*_attached_files(node, spec), *_attached_files(original.defaults, spec)]
    _refuse_secrets(test, attached, original)
    fields, draws = entries_of(node), any({"generate", "random"} & entries_of(part).keys() for part in inside(node))
    varies = isinstance(fields.get("cases"), Table) or any(re.search(rf"\{{{WORD}\}}", name) for name in attached)
    is_varied = draws or varies or entries_of(original.defaults) or any(case.asks_reference for case in test.cases)
    if is_varied and not any(kind_of(case).runs == "source" for case in test.cases):
        keys = {name: value for name, value in fields.items() if name not in {*_KEYS_OF_CASES, "each", "cases"}}
        keys |= _cases_written_out(test, node, original)
    else:
        keys = dict(fields)
    keys = {name: value for name, value in keys.items() if name not in ("visibility", *known)}
    keys |= {name: listing(map(quoted, names)) for name, names in known.items() if names}
    return table({name: keys[name] for name in (*(name for name in fields if name in keys), *(keys.keys() - fields))})


def _refuse_secrets(test: Test, attached: Sequence[str], original: _Original) -> None:
    """Raise CannotBeWrittenError for a test that needs what students must not get."""
    reasons = [case.payload.why_not_public for case in test.cases if case.payload]
    if any(leaf.get(CheckOptions).validator for case in test.cases for _, leaf in case.texts):
        reasons.append("its validator is a program of the course's own")
    for function in sorted({check.function for case in test.cases for check in _checks_of(case)}):
        files = with_imports(original.course.spec.root, function.rpartition(":")[0])
        reasons += [f"its check {function} needs {name}, {_WITHHELD}" for name in sorted(files & original.withheld)]
    reasons += [f"it needs {name}, {_WITHHELD}" for name in attached if name in original.withheld]
    if why := next(filter(None, reasons), ""):
        raise CannotBeWrittenError(why)


def _cases_written_out(test: Test, node: Node, original: _Original) -> dict[str, Node]:
    """Write out the cases: as calls of one function where they are that, else one by one."""
    known = [_with_known_answer(case, original.course) for case in test.cases]
    around = [_keys_around(case, node, original) for case in known]
    kind = kind_of(known[0])
    if not any(around) and not kind.is_typed and (together := kind.write(known)):
        return dict(together)
    cases: list[Node] = []
    for case, keys in zip(known, around, strict=True):
        asked = Expectation(stdout=ANYTHING) if case.expect == Expectation() else case.expect
        states_own = not kind_of(case).is_typed
        own = kind_of(case).write([case]) if states_own else {"expect": expectation_node(asked)}
        cases.append(table({**keys, **(own or {})}))
    return {"cases": listing(cases)}


def _with_known_answer(case: Case, course: Course) -> Case:
    """Return the case with what the reference does, in all ways in which it is run."""
    ways = case.ways if case.asks_reference else ()
    texts = [with_answer(case, reference_answer(way, course)) for way in ways]
    if any(text != texts[0] for text in texts):
        raise CannotBeWrittenError("the right answer on a terminal is not the one through a pipe")
    return texts[0] if texts else case


def _keys_around(case: Case, node: Node, original: _Original) -> dict[str, Node]:
    """Write what surrounds a case; its own limits, tolerances and runs are taken over as written."""

    def content(data: bytes) -> Node:
        for name, known in original.course.spec.attached.items():
            if known and known == data and name not in original.withheld:
                return node_of({"file": name})
        return node_of(decode(data, "an input"))

    match = _NUMBER_OF_CASE.match(case.path)
    written = entries_of(items_of(entries_of(node).get("cases"))[int(match[1])]) if match else {}
    own = {key: value for key, value in written.items() if key in _KEYS_AS_WRITTEN}
    return {**start_nodes(case, content), **own}


# ---------------------------------------------------------------- proof


def _unproven(
    course: Course, tests: list[Test], public: Public, answers: Mapping[str, ReferenceResult]
) -> Iterator[tuple[str, str]]:
    """Find the tests that would not judge as those of the spec do, each with the reason."""
    with tempfile.TemporaryDirectory(prefix="grader-") as folder:
        target, *_ = write_public(public, Path(folder) / "specs" / f"{course.spec.id}.yaml")
        try:
            copy = load(target)
        except SpecError as error:
            raise HostError(f"a fault of the grader: the public copy is no spec: {error}") from error
        checks = oracle.checks.load_checks(copy.root, libraries=libraries_of_course_functions(copy))
        copied = replace(course, spec=copy, checks=checks)
        for test, own in zip(tests, copy.tests, strict=True):
            cases = zip(test.cases, own.cases, strict=True)
            faults = (_why_unlike(case, copy, copied, answers.get(case.id)) for case, copy in cases)
            if why := next(filter(None, faults), ""):
                yield test.name, why


def _why_unlike(case: Case, copied: Case, course: Course, answer: ReferenceResult | None) -> str:
    """Say in what a case of the copy is not that of the spec; empty when it is. Source rules are not run."""
    plain = Case(id="")
    same = {name: getattr(plain, name) for name in ("id", "path", "expect", "generated_numbers", "generated_inputs")}
    start, own = (
        replace(side, payload=kind_of(side).freeze(side, None, freeze_text), **same) for side in (case, copied)
    )
    if start != own:
        return f"{case.id} cannot be written out"
    try:
        for check in _checks_of(copied):
            course.checks(check, Facts())
        if answer is None or answer.is_apart or not answer.execution or not answer.is_right:
            return ""
        result = judged(copied, answer.execution, None, course, of_reference=True)
    except GraderError as error:
        return f"{case.id}: {one_line(str(error))}"
    return "" if result.credit == 1 else f"{case.id} would be judged otherwise: {one_line(result.message.text)}"


# ---------------------------------------------------------------- where it goes: never over anything but an earlier one


def place_of_copy(spec: Spec, target: Path) -> Path:
    """Return where the copy goes. Raises UsageError when something else is there."""
    if target.is_dir():
        target = target / "specs" / f"{spec.id}.yaml"
    is_copy = target.is_file() and target.read_bytes().startswith(COPY_MARK.encode())
    if target.exists() and not is_copy:
        raise UsageError(f"{target} is there, and is no public copy: name another file")
    return target


def write_public(public: Public, target: Path) -> list[Path]:
    """Write the copy and the files that it needs, with the permissions of any new file; return where they are.

    Raises UsageError, and writes nothing, when there are files that no earlier copy has put there; HostError when they
    cannot be written.
    """
    folder = target.absolute().parent
    root = folder.parent if folder.name == "specs" else folder  # what the names in a spec are relative to
    files = {root / name: content for name, content in public.files.items()}
    differing = [path for path, content in files.items() if not path.is_file() or path.read_bytes() != content]
    if (existing := [path.relative_to(root).as_posix() for path in differing if path.exists()]) and not target.exists():
        raise UsageError(f"{', '.join(existing)} in {root}: there already, and different; name a folder of its own")
    for path in differing:
        write_files({path.name: files[path]}, path.parent, "the public copy", mode=0o666)
    write_files({target.name: public.text}, target.parent, "the public copy", mode=0o666)
    return [target, *files]
