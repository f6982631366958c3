"""The kinds of cases: one table of them, and what other parts of grader ask of each.

What a kind does stands in its room: a module for each role, imported when it is first asked, or one file. What is not
there is that of a plain run of the program, which stands here.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct

from grader.core.errors import GraderError
from grader.core.model.execution import CaseFacts, Execution, Launch, LaunchContext, Runner
from grader.core.model.layout import Artifact
from grader.core.model.report import CaseResult, Judged, Settled, Spot
from grader.core.model.spec import Case, Expected, Payload, Requirement, Spec, Test, Toolchain

if TYPE_CHECKING:
    from grader.check.mutants import Mutant, Scope
    from grader.check.source_mutants import ReferenceProgram
    from grader.core.course import Attempt, Course
    from grader.core.diagnosis import ReadLine
    from grader.core.judge.case import CheckFactory
    from grader.core.pipeline import Happened, Inverted
    from grader.core.yaml.nodes import Node
    from grader.core.yaml.types import Type
    from grader.core.yaml.value import Keys, Value

AskReference = Callable[[], Execution | GraderError]  # returns what the reference does, or why that is not known
RunnerShowing = Callable[[Sequence[str]], Runner]  # returns one whose sandbox shows these paths, too
FreezeText = Callable[[Expected | None, bytes, str], Expected | None]  # returns an expectation with that output
CaseParts = Mapping[str, Any]  # keyword arguments of `Case`, with what a kind read under its key; `expect` likewise


class JudgeContext(Struct, frozen=True, kw_only=True):
    """The data that a kind needs to judge a case."""

    toolchain: Toolchain
    read_line: "ReadLine"  # reads a line of a file of the submission
    checks: "CheckFactory"  # makes the course's checks ready for this case
    stopped: Settled | None = None  # the ending that a limit is, if the run came to one


@cache
def module_of(kind: "Kind", role: str) -> ModuleType | None:
    """Return the module of a room for a role, which may be the whole room; None where there is none."""
    home, name = import_module(kind.room), f"{kind.room}.{role}"
    file = Path(*getattr(home, "__path__", ()), f"{role}.py")
    return home if not hasattr(home, "__path__") else import_module(name) if file.exists() else None


class _Member:
    """What the module of a role has under this name, or the default."""

    def __init__(self, role: str, default: Any) -> None:
        self.role, self.default, self.name = role, default, ""

    def __set_name__(self, _owner: object, name: str) -> None:
        self.name = name

    def __get__(self, kind: "Kind", _owner: object = None) -> Any:
        return getattr(module_of(kind, self.role), self.name, self.default)


_ROLES: Any = (partial(_Member, role) for role in ("keys", "language", "run", "judge", "author", "check", "watch"))
_keys, _language, _run, _judge, _author, _check, _watch = _ROLES


class Roles:
    """What a kind is asked, by the module of its room that has it."""

    # What it adds to the language; this module is imported before any that reads a spec.
    beside: Mapping[str, str] = _keys({})  # a key without meaning or default beside its own, or `*` -> the sentence
    goes_with: tuple[str, ...] | None = _keys(None)  # with `read_test`: keys beside its own, and its defaults
    added: "Mapping[str, Keys]" = _keys({})  # the keys that it adds to `spec`, `test` or `case`; `*`: to free names
    tables: "Sequence[Any]" = _keys(())  # rows as in `core/reader/language.py`: a head for each mapping, and its keys
    types: "Mapping[str, Type]" = _keys({})

    read_test: "Callable[[str, Mapping[str, Value], Callable[[], CaseParts]], Iterator[Case]] | None" = _language(None)
    """makes all cases of the test with that name and these keys; the function reads the parts that they share"""
    complete: "Callable[[Value, CaseParts], CaseParts]" = _language(lambda _value, parts: parts)
    """builds the payload from the parts of a case, or several; reports keys that do not fit together"""
    write: "Callable[[Sequence[Case]], Mapping[str, Node] | None]" = _language(lambda _cases: None)
    """returns the keys of the kind for cases, None where several need several; CannotBeWrittenError for want of one"""
    freeze: "Callable[[Case, Execution | None, FreezeText], Payload | None]" = _language(lambda case, *_: case.payload)
    """returns the payload with the reference's results for the word `reference`; without them, with no expectations"""
    attached_files: "Callable[[Node], Sequence[str]]" = _language(lambda _node: ())  # named by a key, not by `file`

    # What it needs, and what is started for its cases; HostError where anything lacks or fails.
    requirements: "Callable[[RunnerShowing | None], Iterator[Requirement]]" = _run(lambda _: iter(()))  # for `doctor`
    prepare: "Callable[[Course], Course]" = _run(lambda course: course)  # adds what all submissions share, and versions
    prepare_submission: "Callable[[Course, str], Course] | None" = _run(None)  # of that id; empty: the course itself
    prepare_build: "Callable[[Course, Artifact | Mapping[str, bytes]], Mapping[str, bytes]]" = _run(lambda *_: {})
    """makes files of what was built, for `Artifact.made` or beside the files of the reference"""
    prepare_test: "Callable[[Test, Artifact, Course], Mapping[str, bytes]]" = _run(lambda *_: {})
    """makes the files that the cases of a test need; raises `Unprepared` where the submission is at fault"""
    run_test: "Callable[[Test, Artifact, Attempt], Iterable[Happened]] | None" = _run(None)  # None: each case by itself
    launch: "Callable[[Case, LaunchContext, Callable[..., Launch]], Launch]" = _run(lambda *given: given[-1]())
    """returns what is started for a case, which the function makes of a command, that of the spec without any"""
    read_record: "Callable[[Execution, Case, Launch], Execution]" = _run(lambda execution, *_: execution)
    """reads the probe's record into `Execution.facts`; raises HostError when the probe itself did not start"""
    invert: "Callable[[Sequence[tuple[Case, Launch]], Course], Sequence[Inverted | None]] | None" = _run(None)
    """returns for each of the runs that are planned one in which no honest program passes; None where there is none"""
    find_course_fault: "Callable[[Case, Launch, Execution, Course, AskReference], str] | None" = _run(None)
    """why a case failed by the course's own fault, whatever is handed in; "" where no run without it proves that"""
    holds_hidden: "Callable[[Case, Test, Spec], bool]" = _run(lambda *_: False)  # whether a run has such tests in it

    judge: Callable[[Case, Execution, Execution | None, JudgeContext], Judged | Settled] | None = _judge(None)
    """returns the ending that decides the case, or its deviations but of outputs; None: a limit or crash decides"""

    describe_cases: Callable[[Sequence[Case], Spec], Iterable[str]] = _author(lambda *_: "Started as")
    """returns lines of Markdown about cases of a test, or the line above a list of them"""
    describe_case: Callable[[Case, Spec], str] = _author(lambda *_: "")  # an item, behind the command where it is typed
    recording: "tuple[Payload, Callable[[Case, Any, Callable[..., Execution]], Payload | None]] | None" = _author(None)
    """what a case has before; and what records an author while the reference runs, by the last argument, if anything"""

    mutants: "Callable[[Scope], Iterator[Mutant]] | None" = _check(None)  # of outputs; some may change nothing
    excuse_reference: "Callable[[Case, Spec, Execution | GraderError], str]" = _check(lambda *_: "")
    """returns why the reference, by its run, is no sample program where no case uses its answer; "" where it can be"""
    entry_points: "Callable[[Case, ReferenceProgram], frozenset[str]]" = _check(lambda _case, program: program.top)
    """returns the functions of a reference in Python that a case calls itself, without those called by them"""
    look_at_reference: "Callable[[Course, Path], Iterator[str]]" = _check(lambda *_: iter(()))  # notes, in a folder

    # A further run of cases of other kinds, whose facts are in `Execution.also`.
    after_run: "Callable[[Execution, Case, Launch, Attempt, str], CaseFacts | None]" = _watch(lambda *_: None)
    """returns the facts of a further run; the text is why that run is known to be useless"""
    explain_crash: "Callable[[Execution, Launch, Runner, ReadLine], str]" = _watch(lambda *_: "")  # of any kind's run
    describe: "Callable[[Execution, ReadLine], tuple[str, tuple[Spot, ...]]]" = _watch(lambda *_: ("", ()))
    """returns a sentence to add to that of a run that failed at a limit or in a crash, and the places of the facts"""
    confirm: "Callable[[CaseResult, Any, Callable[[Execution], CaseResult]], None]" = _watch(lambda *_: None)
    """raises HostError where the facts are too incomplete to confirm the result"""


class Kind(Roles, Struct, frozen=True):
    """One kind of case."""

    name: str  # in `Case.kind` and `Case.also`
    key: str  # selects it, of a case, or with `read_test` of a test; its part is the value read, and then the payload
    runs: Literal["program", "conversation", "partner", "harness", "tests", "source", "watcher"]
    """what runs: the program, alone, in a conversation, or beside another; the student's tests; nothing; or it again"""
    room: str  # the package or module that has its roles

    is_typed = property(lambda self: self.runs not in ("harness", "tests", "source"))  # one command repeats a case
    prints_answer = property(lambda self: self.runs not in ("harness", "tests"))  # the program's output is it
    has_input = property(lambda self: self.runs in ("conversation", "partner", "harness", "tests"))  # of the kind's own
    has_answer = property(lambda self: self.runs not in ("tests", "source"))  # the reference is asked
    is_on_terminal = property(lambda self: self.runs == "conversation")  # by default
    has_payload = property(lambda self: bool(self.key) and self.goes_with is None)  # of a case, by its key


_TABLE = (
    Kind("program", "", "program", "grader.kinds"),
    Kind("dialogue", "dialogue", "conversation", "grader.kinds.dialogue"),
    Kind("interactive", "interactor", "partner", "grader.kinds.interactive"),
    Kind("functions", "functions", "harness", "grader.kinds.functions"),
    Kind("unit", "unit", "harness", "grader.kinds.unit_tests"),
    Kind("reported", "", "harness", "grader.kinds.reported_tests"),
    Kind("student-tests", "student-tests", "tests", "grader.kinds.student_tests"),
    Kind("source", "source", "source", "grader.kinds.source_rules"),
    Kind("style", "style", "source", "grader.kinds.style"),
    Kind("memory-clean", "memory-clean", "watcher", "grader.kinds.memory_clean"),
)
KINDS: Mapping[str, Kind] = {kind.name: kind for kind in _TABLE}  # in the order in which the language describes them


def kind_of(case: Case) -> Kind:
    """Return the kind of a case."""
    return KINDS[case.kind]


def kinds_in(spec: Spec) -> tuple[Kind, ...]:
    """Return the kinds that a spec uses, each once, in the order of the table."""
    used = {name for test in spec.tests for case in test.cases for name in (case.kind, *case.also)}
    return tuple(kind for kind in KINDS.values() if kind.name in used)
