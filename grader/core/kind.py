"""The kinds of cases: one table of them, and the roles in which other parts of grader ask them for something.

What a kind does stands in its room, in a module for each role, or in one file with the members of all; of what is not
there, that of a plain run of the program holds, which stands here. A module is imported when its role is first asked
for, so that a case loads nothing of the other kinds, and no judging code before the first program has started.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

from msgspec import Struct, field

from grader.core.errors import GraderError
from grader.core.model.execution import CaseFacts, Execution, Launch, Runner
from grader.core.model.generated_inputs import GeneratedInput
from grader.core.model.judgement import CaseResult, Contrast, Deviation, Message, Spot, Verdict
from grader.core.model.payload import Payload
from grader.core.model.spec import Case, Spec, Test
from grader.core.model.submission import Artifact
from grader.core.model.toolchain import Toolchain

if TYPE_CHECKING:
    from grader.check.mutants import Mutant, Scope
    from grader.check.source_mutants import ReferenceProgram
    from grader.core.course import Attempt, Course
    from grader.core.diagnosis import ReadLine
    from grader.core.judge.outputs import CheckFactory
    from grader.core.pipeline import Happened
    from grader.core.yaml.nodes import Node
    from grader.core.yaml.types import Type
    from grader.core.yaml.value import Key, Keys, Value

Settled = tuple[Verdict, Message]  # a verdict that decides a case by itself, and what there is to say of it
AskReference = Callable[[], Execution | GraderError]
"""returns what the reference does in a case, or why that is not known"""
CaseParts = Mapping[str, Any]
"""Keyword arguments of `Case`; under `Kind.key` the value that a kind read; `expect` has those of `Expectation`"""


class Requirement(Struct, frozen=True, kw_only=True):
    """A requirement of grading: `broken` prevents all grading, `missing` only the grading that needs it."""

    name: str
    state: Literal["ok", "missing", "broken"]
    found: str  # what was found, or what is wrong with it
    remedy: str = ""  # what to do about it; empty when nothing is, or when `found` says so


RunnerShowing = Callable[[Sequence[str]], Runner]
"""returns a runner of commands in a sandbox that shows these paths of the machine in addition to the usual ones"""


class LaunchContext(Struct, frozen=True, kw_only=True):
    """The data that a kind needs to start a case."""

    spec: Spec
    folder: Path | None = None  # the built submission; None for the reference
    prepared: Any = None  # the result of `Kind.prepare`, made once for all submissions
    charged: Collection[str] = ()  # `Artifact.charged`
    files: Mapping[str, bytes] = {}  # the result of `Kind.prepare_test`, for the cases of one test: name -> content
    token: str = ""  # an unguessable token for a probe; empty: the kind generates a new one for each launch


class JudgeContext(Struct, frozen=True, kw_only=True):
    """The data that a kind needs to judge a case."""

    toolchain: Toolchain
    read_line: "ReadLine"  # reads a line of a file of the submission
    checks: "CheckFactory"  # makes the course's checks ready for this case


class Inverted(Struct, frozen=True, kw_only=True):
    """A further run of a case, in which no honest program passes: one of its assertions is inverted."""

    case: Case  # the case as it is inverted, which the reference may be asked
    launch: Launch
    place: str  # where, for the staff
    turn: int
    """its place, drawn by chance, among the runs of what is started for the case: below 0 before the one that counts"""
    share: str = ""  # the share of its points that an honest program has there; empty where the method sets none
    doubt: "Callable[[Inverted, CaseResult, CaseResult, AskReference], str]"
    """returns why a case that passed is not believed, for the staff alone, given its result and that when inverted"""
    is_shared: bool = False  # whether it takes as long as all cases of the test, which share their run
    before: Execution | None = None  # what came of it, without its output, where it came first


class Judged(Struct, frozen=True, kw_only=True):
    """How a kind judges the facts of a run that ended by itself."""

    deviations: tuple[Deviation, ...] = ()
    contrasts: tuple[Contrast, ...] = ()
    share: Fraction = Fraction(1)  # of the credit that an interactor or another judge gives, apart from the deviations
    remark: str = ""  # the sentence for a case in which nothing deviates
    compares_outputs: bool = True  # streams, status and files too; False where the failure explains all differences


class KeysRole(Struct, frozen=True, kw_only=True):
    """What a kind adds to the language. Its module is imported before any that reads a spec."""

    beside: Mapping[str, str] = {}
    """a key that has no meaning beside the one of the kind -> the sentence that says so; its default does not apply"""
    goes_with: tuple[str, ...] | None = None
    """the defaults of the spec that apply to the cases of a test with the key of the kind; None: all but `beside`"""
    added: "Mapping[str, Keys]" = field(default_factory=dict)
    """the keys that it adds to `spec`, `test` or `case`, whose keys a test has too"""
    tables: "Mapping[str, Keys]" = field(default_factory=dict)  # kind of value -> the keys of its mapping
    free_names: "Mapping[str, Key]" = field(default_factory=dict)
    """a table that allows free names among its keys -> the value of such a name"""
    types: "Mapping[str, Type]" = field(default_factory=dict)


class LanguageRole(Struct, frozen=True, kw_only=True):
    """How the cases of a kind are read and written."""

    read_test: "Callable[[str, Mapping[str, Value], Callable[[], CaseParts]], Iterator[Case]] | None" = None
    """makes all cases of the test with that name and these keys; the function reads the parts that they share"""
    complete: "Callable[[Value, CaseParts], CaseParts]" = lambda _value, parts: parts
    """builds the payload from the parts of any case, and report keys that do not fit together"""
    write_out: "Callable[[Value, CaseParts], Sequence[CaseParts]]" = lambda _value, parts: [parts]
    """returns the parts of each case that these stand for, with its own `id`"""
    generated: "Callable[[Case], tuple[GeneratedInput, Callable[[object], Payload]] | None]" = lambda *_: None
    """returns what generates a part of the payload, until that is done, and what puts it there, or raises HostError"""
    write: "Callable[[Sequence[Case]], Mapping[str, Node] | None]" = lambda *_: None
    """returns the keys of the kind for cases, None where several need several; CannotBeWrittenError for want of one"""
    freeze: "Callable[[Case, Execution | None], Payload | None]" = lambda case, _execution: case.payload
    """returns the payload with the reference's results for the word `reference`; without them, with no expectations"""
    attached_files: "Callable[[Node], Sequence[str]]" = lambda *_: ()
    """returns the files that a part of a spec names by a key of the kind, instead of `{file: NAME}`"""


class RunRole(Struct, frozen=True, kw_only=True):
    """What a kind needs, and what is started for its cases."""

    run_test: "Callable[[Test, Artifact, Attempt], Iterable[Happened]] | None" = None
    """yields what happened in each run of a test; None where each case is run by itself. HostError, or `Unprepared`"""
    launch: "Callable[[Case, LaunchContext, Callable[..., Launch]], Launch]" = lambda _case, _context, around: around()
    """returns what is started for a case, which the function makes of a command, that of the spec without any"""
    command_text: Callable[[Case, Spec], str] | None = None  # the case as a student can type it; None for the command
    invert: "Callable[[Sequence[tuple[Case, Launch]], Course], Sequence[Inverted | None]] | None" = None
    """returns for each of the runs that are planned one in which no honest program passes; None where there is none"""
    prepare_submission: "Callable[[Course, str], Course] | None" = None
    """prepares what the submission with that id needs, such as its cases; an empty id is the course itself"""
    find_course_fault: "Callable[[Case, Launch, Execution, Course, AskReference], str] | None" = None
    """why a case failed by the course's own fault, whatever is handed in; "" where no run without it proves that"""
    requirements: "Callable[[RunnerShowing | None], Iterator[Requirement]]" = lambda *_: iter(())
    """looks for what the kind needs of this machine, for `grader doctor`, and try it where there is a runner"""
    packages: "Callable[[Case], Sequence[str]]" = lambda *_: ()  # of Debian, that a machine needs for such a case
    prepare: "Callable[[Course], Course]" = lambda course: course
    """adds what all submissions share to `prepared`, and further tools to `versions`; HostError where anything lacks"""
    prepare_build: "Callable[[Course, Artifact | Mapping[str, bytes]], Mapping[str, bytes]]" = lambda *_: {}
    """makes files of what was built, for `Artifact.made` or beside the files of the reference"""
    prepare_test: "Callable[[Test, Artifact, Course], Mapping[str, bytes]]" = lambda *_: {}
    """makes the files that the cases of a test need; raises `Unprepared` where the submission is at fault"""
    read_record: "Callable[[Execution, Case, Launch], Execution]" = lambda execution, _case, _launch: execution
    """reads the probe's record into `Execution.facts`; raises HostError when the probe itself did not start"""
    holds_hidden: "Callable[[Case, Test, Spec], bool]" = lambda *_: False
    """whether code of tests which fewer people see than this one is in the process of the program"""


class JudgeRole(Struct, frozen=True, kw_only=True):
    """How the cases of a kind are judged."""

    judge: Callable[[Case, Execution, Execution | None, JudgeContext], Judged] | None = None
    """the deviations other than those of streams, status and files"""
    settle: Callable[[Case, Execution, Execution | None, Settled | None, JudgeContext], Settled | None] | None = None
    """the ending that decides the case, or None, given that at a limit; without it, a limit or a crash decides"""


class AuthorRole(Struct, frozen=True, kw_only=True):
    """How the cases of a kind stand in a handout, and how they are recorded."""

    describe_cases: Callable[[Sequence[Case], Spec], Iterable[str]] = lambda *_: "Started as"
    """returns lines of Markdown about cases of a test, or the line above a list of them"""
    describe_case: Callable[[Case, Spec], str] | None = None
    """an item of that list, in Markdown; None for the command with its dialogue or interactor"""
    recording: "tuple[Payload, Callable[[Case, Any, Callable[[Case], Execution]], Payload | None]] | None" = None
    """what a case has before; and what records an author while the reference runs, by the last argument, if anything"""


class CheckRole(Struct, frozen=True, kw_only=True):
    """What verify asks of the cases of a kind."""

    mutants: "Callable[[Scope], Iterator[Mutant]] | None" = None
    """yields the output mutants of the kind for a test; those that change nothing are dropped later"""
    excuse_reference: "Callable[[Case, Spec, Execution | GraderError], str]" = lambda *_: ""
    """returns why the reference, by its run, is no sample program where no case uses its answer; "" where it can be"""
    entry_points: "Callable[[Case, ReferenceProgram], frozenset[str]]" = lambda _case, program: program.top
    """returns the functions of a reference in Python that a case calls itself, without those called by them"""
    look_at_reference: "Callable[[Course, Path], Iterator[str]]" = lambda *_: iter(())
    """yields sentences with notes on the reference; the empty folder may hold temporary files"""


class WatchRole(Struct, frozen=True, kw_only=True):
    """A further run of cases of other kinds, whose facts are in `Execution.also`."""

    after_run: "Callable[[Execution, Case, Launch, Attempt, str], CaseFacts | None]" = lambda *_: None
    """returns the facts of a further run; the text is why that run is known to be useless"""
    explain_crash: "Callable[[Execution, Launch, Runner, ReadLine], str]" = lambda *_: ""
    """returns why a signal ended a run of any kind, for `Execution.crash_cause`; may run it again"""
    describe: "Callable[[Execution, ReadLine], tuple[str, tuple[Spot, ...]]]" = lambda *_: ("", ())
    """returns a sentence to add to that of a run that failed at a limit or in a crash, and the places of the facts"""
    confirm: "Callable[[CaseResult, Any, Callable[[Execution], CaseResult]], None]" = lambda *_: None
    """raises HostError where the facts are too incomplete to confirm the result"""


_Members = TypeVar("_Members", bound=Struct)


class _Asked(Generic[_Members]):
    """A role of a kind, with the members that its room has in the module of that name, or in its one file."""

    def __init__(self, role: type[_Members]) -> None:
        self.role, self.filled = role, dict[str, _Members]()

    def __get__(self, kind: "Kind", _owner: object = None) -> _Members:
        if kind.room not in self.filled:  # its module is imported now
            module = kind.module(self.role.__name__.removesuffix("Role").lower())
            members = {name: getattr(module, name) for name in self.role.__struct_fields__ if hasattr(module, name)}
            self.filled[kind.room] = self.role(**members)
        return self.filled[kind.room]


CaseRuns = Literal["program", "conversation", "partner", "harness", "tests", "source", "watcher"]
"""what runs: the program, alone, in a conversation, or beside another; the student's tests; nothing; or it again"""


class Kind(Struct, frozen=True):
    """One kind of case."""

    name: str  # in `Case.kind` and `Case.also`
    key: str  # selects it, of a case, or with `read_test` of a test; its part is the value read, and then the payload
    runs: CaseRuns
    room: str  # the package or module that has its roles

    is_typed = property(lambda self: self.runs not in ("harness", "tests", "source"))  # one command repeats a case
    prints_answer = property(lambda self: self.runs not in ("harness", "tests"))  # the program's output is it
    has_input = property(lambda self: self.runs in ("conversation", "partner", "harness", "tests"))  # of the kind's own
    has_answer = property(lambda self: self.runs not in ("tests", "source"))  # the reference is asked
    is_on_terminal = property(lambda self: self.runs == "conversation")  # by default
    states_expectation = property(lambda self: not self.is_typed)  # in its keys, and in a handout

    has_payload = property(lambda self: bool(self.key) and self.language.read_test is None)  # of a case, by its key

    keys = _Asked(KeysRole)
    language = _Asked(LanguageRole)
    run = _Asked(RunRole)
    judge = _Asked(JudgeRole)
    author = _Asked(AuthorRole)
    check = _Asked(CheckRole)
    watch = _Asked(WatchRole)

    def module(self, role: str) -> ModuleType | None:
        """Return the module of its room with a role, which may be the whole room; None where it has none."""
        home, name = import_module(self.room), f"{self.room}.{role}"
        return home if not hasattr(home, "__path__") else import_module(name) if find_spec(name) else None

    def takes(self, default: str) -> bool:
        """Whether a key of `defaults` applies to its cases."""
        goes_with, beside = self.keys.goes_with, self.keys.beside
        if default == "run":
            return "terminal" not in beside
        return default not in beside if goes_with is None else default in goes_with


KINDS: Mapping[str, Kind] = {
    kind.name: kind
    for kind in (
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
}
"""in the order in which the language describes them"""


def kind_of(case: Case) -> Kind:
    """Return the kind of a case."""
    return KINDS[case.kind]


def kinds_of(case: Case) -> tuple[Kind, ...]:
    """Return the kind of a case, and those that ask something more of the same run."""
    return (kind_of(case), *(KINDS[name] for name in case.also))


def kinds_in(spec: Spec) -> tuple[Kind, ...]:
    """Return the kinds that a spec uses, each once, in the order of the table."""
    used = {name for test in spec.tests for case in test.cases for name in (case.kind, *case.also)}
    return tuple(kind for kind in KINDS.values() if kind.name in used)


def packaged_in(spec: Spec) -> list[Any]:
    """Return what installed packages define of the cases of a spec."""
    return [one for test in spec.tests for case in test.cases if case.payload for one in case.payload.packaged]


class Unprepared(Exception):  # noqa: N818 - it describes a submission that is not ready
    """A test cannot be run with this submission; the text gives the reason, for the student."""
