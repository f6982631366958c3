"""Record what the reference does in requested runs; everything else in the spec stays as it was.

A run becomes a new case. Where a case exists and disagrees, its expected text is replaced.
"""

import glob
import re
import shlex
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from msgspec.structs import replace

from grader.author.to_yaml import decode, expectation_node, reference_answer, with_answer
from grader.check.by_reference import describe_doubt
from grader.check.expected_results import ReferenceResult, find_doubt
from grader.core.cache import Cache
from grader.core.errors import CannotBeWrittenError, GraderError, HostError, Problem, SpecError, UsageError
from grader.core.kind import KINDS, kind_of
from grader.core.model.execution import Execution
from grader.core.model.spec import ANYTHING, Case, Expectation, ExpectedFiles, Leaf, Payload, Spec, Test
from grader.core.pipeline import Course, judged
from grader.core.reader.files import nodes_by_path
from grader.core.reader.language import TYPES
from grader.core.reader.spec import name_reference, read
from grader.core.run import runner
from grader.core.text import one_line, quote
from grader.core.yaml.dumping import LAST, KeyPath, dump, edited
from grader.core.yaml.nodes import Node, Scalar, entries_of, items_of, listing, plain
from grader.core.yaml.parsing import parse
from grader.core.yaml.types import node_of
from grader.core.yaml.value import fill

_EXACT = Leaf(how="text")
_TYPED = next(kind for kind in KINDS.values() if kind.runs == "conversation")  # the kind of case that a typist records

Typist = Callable[[str, bool], str | None]
"""takes the output since the last line and whether the program waits; returns the next line, None at the end"""


def lines_of(lines: Iterable[str]) -> Typist:
    """Return a typist of known lines. It raises UsageError when the program exits before the last of them."""
    remaining = iter(lines)

    def type_line(_output: str, is_waiting: bool) -> str | None:  # noqa: FBT001 - as a `Typist` is called
        line = next(remaining, None)
        if line is not None and not is_waiting:
            raise UsageError(f"the reference has ended before the line {line!r} was typed: leave out what is not read")
        return line

    return type_line


class Given(NamedTuple):
    """An input of a program: a text, or a file of the course."""

    data: bytes = b""
    file: str = ""  # the path of the course's file; empty when the spec contains the text itself


class Run(NamedTuple):
    """A run of the reference that will be recorded as a case."""

    args: tuple[str, ...] = ()
    stdin: Given = Given()
    files: Mapping[str, Given] = MappingProxyType({})  # name -> what is in its working folder
    written_files: tuple[str, ...] = ()  # that it leaves there; the case then expects them
    typist: Typist | None = None  # types what is recorded; None when there is nothing to record
    payload: Payload | None = None  # what was recorded of what a typist typed

    @property
    def case(self) -> Case:
        """The case without what is expected; on a terminal, both streams are one screen."""
        files = {name: file.data for name, file in self.files.items()}
        case = Case(id=shlex.join(self.args) or "without arguments", args=self.args, stdin=self.stdin.data, files=files)
        case = replace(case, kind=_TYPED.name, payload=self.payload) if self.payload else case
        return replace(case, terminal=kind_of(case).is_on_terminal)


# ---------------------------------------------------------------- the runs that are asked for

_MAX_INLINE_CHARACTERS = 4096  # of an input that is written into the spec; a longer one must stay a file


def make_runs(
    alike: Run, lines: Sequence[str], inputs: Sequence[str], root: Path, typists: Sequence[Callable[[], Typist]] = ()
) -> list[Run]:
    """Return runs that are `alike` but for one thing: each line of arguments with each input, or each of `typists`.

    Paths below the course's `root` keep their names. Raises UsageError when a file cannot be read.
    """
    contents = [_read_content(path, f"--stdin {path}", root) for text in inputs for path in _expand_pattern(text)]
    return [
        alike._replace(args=args, stdin=content, typist=start() if start else None)
        for args in [split_words(line, "--args") for line in lines]
        for content in contents or [Given()]
        for start in typists or (None,)
    ]


def split_words(line: str, option: str) -> tuple[str, ...]:
    """Split a line as a shell does; raises UsageError where that cannot be done."""
    try:
        return tuple(shlex.split(line))
    except ValueError as error:
        raise UsageError(f"{option} {line!r} cannot be split into words: {str(error).lower()}") from error


def _expand_pattern(text: str) -> list[Path]:
    """Return the files that match a pattern, in natural order; a plain path is returned as it is."""
    if Path(text).exists() or not glob.has_magic(text):
        return [Path(text)]
    paths = [path for path in map(Path, glob.glob(text, recursive=True)) if path.is_file()]  # noqa: PTH207 - may begin with /
    if not paths:
        raise UsageError(f"--stdin {text!r}: there is no such file")
    parts = {path: re.split("([0-9]+)", str(path)) for path in paths}
    return sorted(paths, key=lambda path: [int(p) if p.isascii() and p.isdigit() else p for p in parts[path]])


def read_files(texts: Sequence[str], root: Path) -> dict[str, Given]:
    """Read the files of runs: `NAME=PATH`, or a path whose last part is the name."""
    files = {}
    for text in texts:
        name, equals, path = text.partition("=")
        named = Path(path if equals else text)
        files[name if equals else named.name] = _read_content(named, f"--file {text}", root)
    return files


def _read_content(path: Path, option: str, root: Path) -> Given:
    """Read an input file: a file of the course is referred to by name, a short text from elsewhere is inlined."""
    try:
        data = path.read_bytes()
        if path.is_file() and path.resolve().is_relative_to(root):
            return Given(data, path.resolve().relative_to(root).as_posix())
        if len(data.decode()) <= _MAX_INLINE_CHARACTERS:
            return Given(data)
    except OSError as error:
        raise UsageError(f"{option} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError:
        pass
    raise UsageError(f"{option} is too long, or no text: put it below {root}, so that the spec can refer to it")


def find_case(spec: Spec, test: str | None, run: Run) -> Case | None:
    """Return the existing case of a run, in that test or in any; None for a dialogue, not known before it runs."""
    for known in spec.tests if run.typist is None else ():
        shared_files = {*known.cases[0].files.items()}.intersection(*(case.files.items() for case in known.cases))
        for case in known.cases if test in (None, known.name) else ():
            finds = run.case.files.items() <= case.files.items() if run.files else shared_files == {*case.files.items()}
            contents = case.expect.files.contents if case.expect.files else {}
            start = (case.command, case.kind, case.args, case.stdin)
            is_same = start == (None, "program", run.args, run.stdin.data) and {*run.written_files} <= contents.keys()
            if is_same and finds:
                return case
    return None


# ---------------------------------------------------------------- what a run is as a case


_WriteRun = Callable[[Run, Node | None], Node]  # writes a run with what is expected, None for nothing of its own


class Recorded(NamedTuple):
    """A recorded case."""

    data: bytes  # the text of the spec with the new case
    case: Case
    execution: Execution
    command: str  # that runs a student's program in this case
    written: str  # the YAML that was added to the spec


def case_node(run: Run, expect: Node | None = None) -> Node:
    """Write a run as an entry of `cases`. Raises CannotBeWrittenError for an input that a spec cannot express."""
    stdin, *files = (
        {"file": given.file} if given.file else decode(given.data, "an input")
        for given in (run.stdin, *run.files.values())
    )
    start = {"args": node_of(run.args), "stdin": stdin, "files": dict(zip(run.files, files, strict=True))}
    return TYPES["case"].write({**start, "expect": expect, **(kind_of(run.case).write([run.case]) or {})})


def _expecting(files: Iterable[str] = (), **expect: Any) -> Expectation:
    """Return an expectation, with the files of these names."""
    contents = dict.fromkeys(files, _EXACT)
    return Expectation(**expect, files=ExpectedFiles(contents=contents) if contents else None)


def _expecting_all(files: Iterable[str], *, screen: bool, status: bool) -> Expectation:
    """Return what expects everything that a program writes; on a terminal, both streams are one screen."""
    exit_, stderr = "reference" if status else "any", None if screen else _EXACT
    return _expecting(files, stdout=_EXACT, stderr=stderr, screen=screen, exit=exit_)


def printed_node(run: Run, execution: Execution | None, *, status: bool = False) -> Node:
    """Write the expectations of a run: its output and files as texts, or the word `reference` without an execution.

    With `status`, the exit status is expected as well.
    """
    expect = _expecting_all(run.written_files, screen=run.case.terminal, status=status)
    if execution is None:
        return expectation_node(expect) if status or run.written_files else plain("reference")
    return expectation_node(with_answer(Case(id="", expect=expect), execution.truncated_to_script_end).expect)


def _unknown_node(run: Run, **output: Any) -> Node | None:
    """Write the expectations of a run that is not recorded: its files, and what is said of its `output`."""
    expect = _expecting(run.written_files, **output)
    return expectation_node(expect) if output or expect.files else None


def _ask_anew(case: Case, course: Course) -> Execution:
    """Run the reference without the cache. Raises HostError when it fails."""
    with tempfile.TemporaryDirectory(prefix="grader-") as folder:
        return reference_answer(case, replace(course, cache=Cache(folder=Path(folder))))


def ask_twice(case: Case, course: Course) -> Execution:
    """Run the reference without the cache, and again under other conditions.

    Raises HostError when it fails, or when the two runs differ, so that no submission could be graded by it.
    """
    execution, expect = _ask_anew(case, course), case.expect
    texts = expect.files.contents if expect.files else {}
    names = [name for name, content in texts.items() if isinstance(content, Leaf) and content.how == "text"]
    exactly = replace(case, expect=_expecting_all(names, screen=expect.screen, status=True), tolerate={})
    if doubt := find_doubt(exactly, execution, course):
        raise HostError(f"nobody can be graded by the reference in {case.id}: {describe_doubt(doubt)}")
    return execution


# ---------------------------------------------------------------- a new case


def find_open_test(spec: Spec, name: str | None) -> Test:
    """Return the test for new cases. Raises UsageError when it does not exist, is ambiguous, or cannot take any."""
    nodes = items_of(entries_of(parse(spec.source_text, spec.id)).get("tests"))
    closed = {test.name: _why_closed(spec, test, node) for test, node in zip(spec.tests, nodes, strict=True)}
    able = [test for test, why in closed.items() if not why]
    names = ", ".join(able) or "none"
    if name is None and len(able) != 1:
        raise UsageError(f"which test is the case for? Name one with --test; there are: {names}")
    name = able[0] if name is None else name
    if name not in closed:
        raise UsageError(f"there is no test {name!r}; those that can have more cases are: {names}; --points makes one")
    if why := closed[name]:
        raise UsageError(f"{name!r} {why}; those that can have more cases are: {names}")
    return next(test for test in spec.tests if test.name == name)


def _why_closed(spec: Spec, test: Test, node: Node) -> str:
    """Return why a test, written at `node`, cannot take more cases; empty when it can."""
    if any(not kind_of(case).is_typed for case in test.cases):
        return "asks for something else than runs of the program"
    if entries_of(node).get("each"):
        return "has variables, and each value of them would make another case"
    for command in (case.command for case in test.cases if case.command and spec.reference_name(case) is None):
        reference = f"`references: {{{name_reference(command)}: ...}}`"
        return f"starts {quote(shlex.join(command))}, for which there is no reference; name one under {reference} first"
    return "" if entries_of(node).get("cases") else "has no list of cases"


def add_case(course: Course, test: Test, run: Run, *, as_text: bool) -> Recorded:
    """Add a case to a test. It inherits the expectations of the test if the reference meets them.

    Raises UsageError, with the YAML to insert, when the spec cannot be edited, and HostError when the reference fails.
    """
    place = ("tests", [known.name for known in course.spec.tests].index(test.name), "cases")
    last = _draft_case(course.spec, place, case_node, run)  # in order, it finds what those before it leave
    tests = (replace(one, cases=(*one.cases, last)) if one.name == test.name else one for one in course.spec.tests)
    ordered = replace(course, spec=replace(course.spec, tests=tuple(tests)))
    return _record(ordered, place, case_node, run, as_text=as_text)


def add_test(course: Course, name: str, worth: str, run: Run, *, as_text: bool) -> Recorded:
    """Add a test with one case. Raises as `add_case` does."""
    if any(test.name == name for test in course.spec.tests):
        raise UsageError(f"there is a test {name!r} already: leave out --points to add a case to it")
    head = {"name": node_of(name, filled=False), "points": plain(worth)}

    def test_node(run: Run, expect: Node | None) -> Node:
        return TYPES["test"].write({**head, "cases": [case_node(run, expect)]})

    return _record(course, ("tests",), test_node, run, as_text=as_text)


def _record(course: Course, place: KeyPath, write: _WriteRun, run: Run, *, as_text: bool) -> Recorded:
    """Record a run at a place of the spec, where the run of the reference passes it as it is read again."""
    draft = partial(_draft_case, course.spec, place, write)
    run = _with_recording(run, draft, course)
    case = draft(run)
    execution = ask_twice(case, course)
    shared = case.expect if len(place) > 1 else Expectation()  # a new test says itself all that it expects
    expect = replace(shared, screen=False, files=None if run.written_files else shared.files)
    inherits = expect not in (Expectation(), Expectation(stdout=ANYTHING)) and not _why_wrong(case, execution, course)
    if kind_of(case).is_on_terminal and not (inherits or case.expect.screen):
        case = replace(case, expect=replace(case.expect, stdout=ANYTHING, stderr=None, screen=True))
        execution = ask_twice(case, course)
    if missing := [name for name in run.written_files if name not in execution.files]:
        raise HostError(f"nothing was recorded: the reference leaves no file {missing[0]}")
    if inherits and not (as_text and case.asks_reference):
        node = write(run, _unknown_node(run))
    else:
        node = write(run, printed_node(run, execution if as_text else None, status=shared.exit != "any"))
    data, case = _add_case(course.spec, place, node)
    if why := _why_wrong(case, execution, course):
        raise UsageError(f"{case.id}: what the test expects of all its cases does not fit: {one_line(why)}")
    return Recorded(data, case, execution, runner.command_text(case, course.spec), written=_as_yaml(node))


def _add_case(spec: Spec, place: KeyPath, node: Node) -> tuple[bytes, Case]:
    """Return the spec with a further item in the list at a place, and the case that it has then at its end."""
    data = edited(spec.source_text, (*place, LAST), node, open_levels=1 if len(place) > 1 else 3)
    if data is None:
        problem = "the spec is laid out so that no case can be put in without changing more; write this yourself"
        raise UsageError(f"{problem}:\n\n{_as_yaml(node)}")
    return data, read(data, spec.id, spec.root).tests[int(place[1]) if len(place) > 1 else -1].cases[-1]


def _with_recording(run: Run, draft: Callable[[Run], Case], course: Course) -> Run:
    """Return the run with what is recorded while its typist types, if it has one; `draft` makes a case of a run."""
    if run.typist is None or _TYPED.recording is None:
        return run
    empty, record = _TYPED.recording
    payload = record(draft(run._replace(payload=empty)), run.typist, lambda asked: _ask_anew(asked, course))
    return run._replace(typist=None, payload=payload)


def _draft_case(spec: Spec, place: KeyPath, write: _WriteRun, run: Run) -> Case:
    """Return the case of a run with the expectations of its test; with any output where the test has none.

    Raises UsageError for what was asked for and cannot stand in a spec, such as a name.
    """
    any_output = _unknown_node(run, stdout=ANYTHING, screen=run.case.terminal)
    problems: tuple[Problem, ...] = ()
    for expect in (_unknown_node(run), any_output):
        try:
            return _add_case(spec, place, write(run, expect))[1]
        except SpecError as error:
            problems = error.problems
    raise UsageError("\n".join(f"nothing was recorded: {problem.path}: {problem.message}" for problem in problems))


def _why_wrong(case: Case, execution: Execution, course: Course) -> str:
    """Return why a run of the reference does not pass a case; empty when it passes."""
    answer = execution if case.asks_reference else None
    try:
        result = judged(case, execution, answer, course, of_reference=True)
    except GraderError as error:
        return str(error)
    return "" if result.credit == 1 and not result.deviations else result.message.text or str(result.verdict)


def _as_yaml(node: Node) -> str:
    return dump(listing([node]), open_levels=4 if entries_of(node).get("cases") else 2)


# ---------------------------------------------------------------- disagreements of spec and reference

_STEP = re.compile(r"([^.\[\]]+)|\[(\d+)\]")


class Disagreement(NamedTuple):
    """A difference between the reference's run and the spec."""

    case: Case
    what: str  # `standard output`, `standard error`, `exit status`, or another expectation
    before: bytes = b""
    after: bytes = b""
    key: str = ""  # below the case or its test, such as `expect.stdout`; empty when the spec has no such text
    message: str = ""  # a sentence, when there are no two texts to compare


def find_disagreements(answers: Sequence[ReferenceResult]) -> list[Disagreement]:
    """Find the expectations written in the spec that the reference does not meet."""
    disagreements: list[Disagreement] = []
    for answer in answers:
        if answer.is_wrong and answer.execution and answer.result:
            texts = [Disagreement(answer.case, *text) for text in _other_texts(answer.case.expect, answer.execution)]
            message = one_line(answer.result.message.text)
            disagreements += texts or [Disagreement(answer.case, "an expectation", message=message)]
    return disagreements


def _other_texts(expect: Expectation, execution: Execution) -> Iterator[tuple[str, bytes, bytes, str]]:
    for name, what, stream, expected in expect.streams:
        output = execution.stdout if stream == "stdout" else execution.stderr
        want = expected.want if isinstance(expected, Leaf) and expected.how == "text" else None
        if want and want[0].encode() != output:
            yield what, want[0].encode(), output, f"expect.{name}"
    if isinstance(expect.exit, tuple) and execution.status not in expect.exit:
        before, after = (f"{', '.join(map(str, values))}\n".encode() for values in (expect.exit, (execution.status,)))
        is_one = len(expect.exit) == 1 and execution.status is not None
        yield "exit status", before, after, "expect.exit" if is_one else ""


def accept(spec: Spec, disagreements: Sequence[Disagreement]) -> tuple[bytes, list[tuple[Disagreement, str]]]:
    """Return the spec's text with the reference's present results, and the disagreements left, each with the reason."""
    data, unwritten = spec.source_text, list[tuple[Disagreement, str]]()
    nodes = nodes_by_path(spec.source_text, spec.id)
    for disagreement in disagreements:
        try:
            data = _with_text_exchanged(spec, data, disagreement, nodes, disagreements)
            read(data, spec.id, spec.root)
        except CannotBeWrittenError as why:
            unwritten.append((disagreement, str(why)))
    return data, unwritten


def _with_text_exchanged(
    spec: Spec, data: bytes, one: Disagreement, nodes: Mapping[str, Node], others: Sequence[Disagreement]
) -> bytes:
    """Replace one text of the spec. Raises CannotBeWrittenError unless the new one fits all cases that share it."""
    if not one.key:
        raise CannotBeWrittenError("this is no text that could be replaced: correct the spec or the reference")

    def path_of(case: Case) -> str:  # of the key in the case itself, or in its test
        paths = [f"{holder}.{one.key}" for holder in (case.path, case.path.partition(".")[0])]
        place = next((path for path in paths if path in nodes), paths[0])
        return f"{place}.text" if f"{place}.text" in nodes else place

    path = path_of(one.case)
    test = next(test for test in spec.tests if one.case in test.cases)
    alike = {other.case.id for other in others if (other.key, other.after) == (one.key, one.after)}
    if any(path_of(case) == path and case.id not in alike for case in test.cases):
        why = "several cases share the text, and the reference does not print the same in all: write one for each"
        raise CannotBeWrittenError(why)
    value, written = plain(one.after.decode().strip()) if one.what == "exit status" else None, nodes.get(path)
    with suppress(KeyError):
        if isinstance(written, Scalar) and (value or fill(written.text, {}).encode() == one.before):
            steps = tuple(int(index) if index else name for name, index in _STEP.findall(path))
            if content := edited(data, steps, value or node_of(decode(one.after, one.what))):
                return content
            raise CannotBeWrittenError(
                "the layout of the spec does not allow to change this text alone: edit it yourself"
            )
    raise CannotBeWrittenError("the text contains variables: correct it yourself")
