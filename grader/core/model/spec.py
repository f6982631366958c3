"""What an instructor writes: the contract of an assignment, as `load` reads it."""

from collections.abc import Callable, Collection, Mapping
from fractions import Fraction
from pathlib import Path, PurePosixPath
from typing import Any, Literal, Self, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from grader.core.errors import HostError
from grader.core.model.layout import Adjustment, Build, FileRules, NotebookRules, Repair, read_when_used, unread
from grader.core.model.limits import LimitOverrides

SeedKind = Literal["", "course", "student"]  # of the spec alone, of a secret of the course, or also of the student
SECRET_FILE = "draws.secret"  # noqa: S105 - a file at the course root, which only its owner may read


class OfKind(Struct, frozen=True, kw_only=True):
    """A record of a kind, as `payload` of a case, as `facts` of a run, or among those that `also` has of others."""

    @classmethod
    def of(cls, whole: Any) -> Self | None:
        """Return the record of this class that a case or a run has; None where it has none."""
        own = whole.facts if hasattr(whole, "facts") else whole.payload
        return next((record for record in (own, *whole.also.values()) if isinstance(record, cls)), None)

    @classmethod
    def required(cls, whole: Any) -> Self:
        """Return the record that must be there; raises HostError where it is missing."""
        if (record := cls.of(whole)) is None:
            raise HostError(f"there is no {cls.__name__}: nothing was recorded")
        return record


class Payload(OfKind, frozen=True, kw_only=True):
    """What a kind of case adds to a case; each kind has a record of its own, with properties in place of these."""

    asks_reference = property(lambda _: False)  # whether the reference has to run to know what is expected
    programs = property(lambda _: ())  # the modules, classes or files that it is about, where it starts none
    generated_by = property(lambda _: None)  # what generates a part of it until that is done, by `with_generated`
    texts = property(lambda _: ())  # the key of each further text that it expects, and what that is compared with
    checks = property(lambda _: True)  # whether it checks something where a case has no `expect`
    given = property(lambda self: self)  # the part that a program gets; its `repr` distinguishes cases
    is_secret = property(lambda _: False)  # whether what distinguishes cases with the same command is not for students
    features = property(lambda _: ())  # what is special about it, in a few words each, apart from the input
    called = property(lambda _: ())  # the functions whose behaviour it tests; students have to use these names
    sources = property(lambda _: ())  # the files of a submission, as names or globs, whose source it examines
    shares_run = property(lambda _: False)  # whether one run, with the limits of one case, serves all of a test
    for_one_run = property(lambda _: None)  # the payload for a run that also answers the other cases of its test
    is_timed = property(lambda _: True)  # whether the reference's time predicts that of a program
    reachable = property(lambda _: ("wrong",))  # the deviations that its kind can report, but those of `texts`
    unfit_mutants = property(lambda _: ())  # the families of output mutants, and `crash`, that do not apply to it
    extra_run = property(lambda _: "")  # what a handout says of its further run, after "Every run" or "Some of it"
    why_not_public = property(lambda _: "")  # why a test with it cannot be public; empty when it can
    arguments = property(lambda _: None)  # plain values that it is given; `with_args` puts smaller ones there
    further_seconds = property(lambda _: lambda _limits: 0.0)  # of its further run, as a rule, by the limits of a case
    packages = property(lambda _: ())  # of Debian, that a machine needs for it
    command_text = property(lambda _: lambda _spec: "")  # how students repeat it; empty: by the command of the case
    packaged = property(lambda _: ())  # what installed packages define of it, for the digest of a grade; never cached
    facts_for_checks = property(lambda _: lambda _run: {})  # fields of `Facts` for checks, in place of the program's


class GeneratedNumber(Struct, frozen=True, kw_only=True):
    """A number that was generated for a case, from `low` to `high`, both included."""

    name: str
    value: int
    low: int
    high: int


class GeneratedInput(Struct, frozen=True, kw_only=True):
    """One of the values that a function or a program of the instructor generates from a seed."""

    function: str  # `reference/generators.py:placements`; without a colon it is a program, which prints the value
    seed: str
    index: int
    files: Mapping[str, bytes] = field(default_factory=dict)
    shrinks: bool = False
    by_chance: bool = False  # whether its random numbers are equal in every version of Python


class ProgramKind(Struct, frozen=True, kw_only=True):
    """What is done with a file that is a program."""

    language: str
    start: tuple[str, ...]  # the command; `{file}` stands for the file and `{name}` for that without its ending
    build: tuple[str, ...] = ()


MADE_PROGRAM = ".course-program"  # what a compiler of machine code makes of a program of the course's
_C = ProgramKind(language="c", build=("gcc", "-O2", "-o", MADE_PROGRAM, "{file}", "-lm"), start=(f"./{MADE_PROGRAM}",))
_CPP = ProgramKind(language="cpp", build=("g++", "-O2", "-o", MADE_PROGRAM, "{file}"), start=(f"./{MADE_PROGRAM}",))
PROGRAM_KINDS: Mapping[str, ProgramKind] = {  # by the endings of files
    ".c": _C,
    ".cpp": _CPP,
    ".cc": _CPP,
    ".java": ProgramKind(language="java", build=("javac", "-d", ".", "{file}"), start=("java", "{name}")),
    ".py": ProgramKind(language="python", start=("python3", "{file}")),
    ".sh": ProgramKind(language="shell", start=("sh", "{file}")),
    ".pl": ProgramKind(language="prolog", start=("swipl", "{file}")),
}
INTERACTOR_STARTS: Mapping[str, tuple[str, ...]] = {  # by endings; without buffers where that can be had
    ".py": ("python3", "-u"),
    ".sh": ("sh",),
    ".java": ("java", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData"),
}
INTERACTOR_COMPILED = (".c", ".cpp", ".cc")  # the endings of interactors of which a program is made


class ReferenceWork(Struct, frozen=True, kw_only=True):
    """A reference in a folder of its own, as a submission has one; it may have to be built there."""

    language: str
    folder: str
    files: tuple[str, ...] = ()
    build: tuple[tuple[str, ...], ...] = ()
    beside: Mapping[str, bytes] = field(default_factory=dict)
    is_like_submissions: bool = False  # whether a case's own `command` starts it as it does a submission


def match_program(command: tuple[str, ...], names: Collection[str]) -> str | None:
    """Return which of the `names` of programs a command starts: `unique` for `python3 unique.py`; None for no one."""
    for word in (part for argument in command for part in argument.split()):  # of `sh -c` it is a command
        path = PurePosixPath(word)
        if program := next((name for name in (word, path.name, path.stem) if name in names), None):
            return program
    return None


def own_words(command: tuple[str, ...]) -> set[str]:
    """Return the words that may name a program, the same with other options: `sum.py` of `python3 -O sum.py`."""
    words = [word for place, word in enumerate(command) if not word.startswith("-") and (place or "/" in word)]
    return {name for word in words if (name := PurePosixPath(word).name)}


KEYS: Mapping[str, bytes] = (  # what the keys of a terminal that have a name send (ECMA-48; termios(3))
    {"enter": b"\n", "space": b" ", "tab": b"\t", "backspace": b"\x7f", "escape": b"\x1b"}
    | {"up": b"\x1b[A", "down": b"\x1b[B", "right": b"\x1b[C", "left": b"\x1b[D"}
    | {"ctrl-c": b"\x03", "ctrl-d": b"\x04", "ctrl-z": b"\x1a"}
)
Tolerances = Mapping[str, Fraction]  # deviation -> the share of the credit it leaves, 0 to 1; nothing without a name
Stream = Literal["stdout", "stderr"]
STREAMS: Mapping[Stream, str] = {"stdout": "standard output", "stderr": "standard error"}  # and their names
SCREEN = "the screen"  # how both together are called, in the order in which they were written
ExpectedExit = Literal["any", "success", "failure", "reference"] | tuple[int, ...]
CrashRule = Literal["fails", "allowed"]  # whether an uncaught exception fails a case, or is an exit with its status
MAX_TIMEOUTS_IN_A_ROW = 3  # cases of a test that run out of time, after which the others are skipped
OptionsT = TypeVar("OptionsT", bound="Options")
FoldedT = TypeVar("FoldedT")


class Options(Struct, frozen=True, kw_only=True):
    """How a comparator compares, besides the wanted texts: one with keys of its own has a record of its own."""

    takes: tuple[str, ...] = ()  # the facts of the case that it asks for, by their names in `Facts`


class CheckOptions(Options, frozen=True, kw_only=True):
    """Who decides for `check`: a function of the instructor, or a program."""

    function: str = ""  # `reference/checks.py:boards`
    arguments: Mapping[str, str] = field(default_factory=dict)  # of the function, besides the output
    unwritten: int = 0  # the line of a function that an import left to be written; 0 for one that does something
    validator: "Interactor | None" = None


class Expected(Struct, frozen=True, kw_only=True):
    """What a text is expected to be: a tree of `AnyOf`, `AllOf` and `NoneOf`, with a comparator at each `Leaf`."""

    parts: tuple["Expected", ...] = ()

    def fold(self, leaf: Callable[["Leaf"], FoldedT], **combine: Callable[[list[FoldedT]], FoldedT]) -> FoldedT:
        """Return what `leaf` makes of each leaf, combined as stands above it: by `any_of`, `all_of` or `none_of`."""
        if isinstance(self, Leaf):
            return leaf(self)
        name = {AnyOf: "any_of", AllOf: "all_of", NoneOf: "none_of"}[type(self)]
        return combine[name]([part.fold(leaf, **combine) for part in self.parts])

    def map_leaves(self, change: Callable[["Leaf"], "Expected"]) -> "Expected":
        """Return the tree with other leaves."""
        if isinstance(self, Leaf):
            return change(self)
        return replace(self, parts=tuple(part.map_leaves(change) for part in self.parts))

    @property
    def leaves(self) -> tuple["Leaf", ...]:
        """The comparisons that make a text right, all or some of them; those of `NoneOf` do not."""
        below = () if isinstance(self, NoneOf) else self.parts
        return (self,) if isinstance(self, Leaf) else tuple(leaf for part in below for leaf in part.leaves)

    @property
    def denied(self) -> tuple["Leaf", ...]:
        """The comparisons that make a text wrong."""
        return tuple(leaf for part in self.parts for leaf in (part.leaves if isinstance(self, NoneOf) else part.denied))

    @property
    def is_checked(self) -> bool:
        """Whether anything is asked for: false for the word `any`."""
        return self != ANYTHING

    @property
    def asks_reference(self) -> bool:
        """Whether the reference has to run to know what is expected."""
        takes = {name.partition("_")[0] for leaf in self.leaves for name in leaf.options.takes}
        return "expected" in takes or any(unread(leaf, "want") is None for leaf in self.leaves)


class AnyOf(Expected, frozen=True, kw_only=True):
    """One of the parts holds, or several."""


class AllOf(Expected, frozen=True, kw_only=True):
    """All parts hold."""


class NoneOf(Expected, frozen=True, kw_only=True):
    """No part holds."""


ANYTHING = AllOf()  # whatever it is


class Leaf(Expected, frozen=True, kw_only=True):
    """A comparator and what it compares a text with."""

    how: str
    want: tuple[str, ...] | None = None  # literal; None stands for the reference's output
    options: Options = Options()
    only: str = ""
    skip: str = ""  # the patterns of the lines that are compared, and of those that are not; all are without one
    part: str = ""  # the pattern of the part that is compared of each line in which it matches; whole lines without one

    def get(self, kind: type[OptionsT]) -> OptionsT:
        """Return the options of this kind: the defaults where none were written, or the comparator has others."""
        return self.options if isinstance(self.options, kind) else kind()

    @property
    def is_selective(self) -> bool:
        """Whether only some lines, or parts of lines, are compared."""
        return bool(self.only or self.skip or self.part)


class ExpectedFiles(Struct, frozen=True, kw_only=True):
    """What the working folder is expected to hold after the run. Names may be globs in `present` and `absent`."""

    present: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    contents: Mapping[str, Expected] = field(default_factory=dict)


class Expectation(Struct, frozen=True, kw_only=True):
    """All that a case is compared with. A stream that is None is not checked."""

    stdout: Expected | None = None
    stderr: Expected | None = None
    screen: bool = False
    exit: ExpectedExit = "any"
    crash: CrashRule = "fails"
    files: ExpectedFiles | None = None

    @property
    def streams(self) -> tuple[tuple[str, str, Stream, Expected | None], ...]:
        """For each stream, its key in a spec, its name in a sentence, the stream itself, and its expectation."""
        if self.screen:
            return (("screen", SCREEN, "stdout", self.stdout),)
        return tuple((stream, name, stream, getattr(self, stream)) for stream, name in STREAMS.items())


class Step(Struct, frozen=True, kw_only=True):
    """One step of a dialogue: wait for a text, a pattern or the end of the output, or send a line or a key."""

    do: Literal["expect", "regex", "send", "type", "key", "eof"]  # `type`, in no spec, sends when the program waits
    text: str = ""
    within: float | None = None
    again: bool = False


class Repeat(Struct, frozen=True, kw_only=True):
    """How often a case is run, and which of its runs counts, by their credits."""

    times: int = 1
    counts: Literal["worst", "best", "most"] = "worst"


class Role(Struct, frozen=True, kw_only=True):
    """One of several starts of the student's program in a case, such as `encoder`, and its arguments."""

    name: str
    args: tuple[str, ...] = ()


class Interactor(Payload, frozen=True, kw_only=True):
    """A program of the instructor that speaks with the student's, and says whether that is right."""

    program: str
    files: Mapping[str, bytes] = field(default_factory=dict)
    args: tuple[str, ...] = ()
    input: bytes = b""
    answer: bytes = b""
    roles: tuple[Role, ...] = ()
    passes: int = 1
    is_output_validator: bool = False
    max_score: Fraction | None = None  # what is in `score.txt` for all of the credit; None where that is a share
    limits: LimitOverrides = field(default_factory=dict)

    given = property(lambda self: (self.program, self.args, self.input, self.answer))
    is_secret = property(lambda self: not self.is_output_validator)  # a validator is given what the program is
    why_not_public = property(lambda _: "its interactor is a program of the course's own")
    unfit_mutants = property(lambda _: ("crash",))  # only the interactor can tell whether everything was done then
    features = property(lambda self: ("a program that speaks with it",) if self.is_secret else ())


class Case(Struct, frozen=True, kw_only=True):
    """One execution with its expectations; everything the test and the spec say is already laid under it."""

    id: str  # `usage[2]` (counted from 1), `count[n=8]`, or the test's name when it has one case
    path: str = ""  # where its spec says it: `tests[0].cases[1]`
    kind: str = "program"
    payload: Payload | None = None  # what its kind adds; None for a plain start of the program
    args: tuple[str, ...] = ()
    command: tuple[str, ...] | None = None
    stdin: bytes = b""
    env: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, bytes] = field(default_factory=dict)
    terminal: bool = False
    both: bool = False
    repeat: Repeat = Repeat()
    limits: LimitOverrides = field(default_factory=dict)
    also: Mapping[str, Payload] = field(default_factory=dict)  # by kinds that ask more of the same run
    tolerate: Tolerances = field(default_factory=dict)
    expect: Expectation = Expectation()
    weight: Fraction = Fraction(1)
    generated_numbers: tuple[GeneratedNumber, ...] = ()
    generated_inputs: Mapping[str, GeneratedInput] = field(default_factory=dict)  # of `args`, `stdin`, `files.NAME`

    @property
    def is_generated(self) -> bool:
        """Whether any part of the case is generated."""
        return bool(self.generated_numbers or self.generated_inputs or (self.payload and self.payload.generated_by))

    @property
    def ways(self) -> tuple["Case", ...]:
        """The case as it is run in one way and, where it is, in the other: through pipes, then on a terminal."""
        return (self, replace(self, terminal=True)) if self.both else (self,)

    @property
    def runs(self) -> int:
        """How often it is run in all."""
        return len(self.ways) * self.repeat.times

    @property
    def compared(self) -> tuple[tuple[str, Expected], ...]:
        """The key of each text and what it is compared with: the streams, and what functions come to, written out."""
        streams = ((key, asked) for key, _, _, asked in self.expect.streams if asked is not None)
        files = ((f"files.{name}", asked) for name, asked in (self.expect.files or ExpectedFiles()).contents.items())
        return (*streams, *files, *(self.payload.texts if self.payload else ()))

    @property
    def texts(self) -> tuple[tuple[str, Leaf], ...]:
        """The key of each text and the comparisons that make it right."""
        return tuple((key, leaf) for key, asked in self.compared for leaf in asked.leaves)

    @property
    def asks_reference(self) -> bool:
        """Whether the reference has to run to know what is expected."""
        streams = self.expect.exit == "reference" or any(asked.asks_reference for _, asked in self.compared)
        return streams or (self.payload is not None and bool(self.payload.asks_reference))


class CreditStep(Struct, frozen=True, kw_only=True):
    """From how many right cases on a test has which share of its points, until the next step."""

    right: int
    share: Fraction | None


class ScoreGroup(Struct, frozen=True, kw_only=True):
    """Cases of a test, or groups of them; a program of the course makes one verdict and score of theirs."""

    program: Interactor
    cases: int = 0  # how many of the test's cases, in their order, lie in it; 0 where it has groups
    groups: tuple["ScoreGroup", ...] = ()
    accept: Fraction = Fraction(1)
    reject: Fraction = Fraction(0)
    stops: bool = False  # whether the program is given nothing behind the first case or group that is not accepted
    most: Fraction = Fraction(0)  # of the outermost: the score that gives a test all of its points

    @property
    def size(self) -> int:
        """How many cases lie in it and in its groups."""
        return self.cases + sum(group.size for group in self.groups)


class Test(Struct, frozen=True, kw_only=True):
    """A named group of cases with points, which its cases share by their weights unless `all_or_nothing`."""

    name: str
    points: Fraction
    cases: tuple[Case, ...]
    about: str = ""
    costs: Fraction | None = None  # what it takes off the whole where it is not right; then it has no points
    bonus: bool = False
    needs: tuple[str, ...] = ()
    unlike: tuple[str, ...] = ()  # earlier tests; without points there, what is written there is not right here
    visibility: Literal["visible", "hidden", "after-due"] = "visible"
    hint: Mapping[str, str] = field(default_factory=dict)
    all_or_nothing: bool = False
    credit: tuple[CreditStep, ...] = ()  # by their numbers; without any, the cases share the points
    stops: bool = False  # whether cases behind the first that has not all points are skipped
    scoring: ScoreGroup | None = None
    in_order: bool = False  # whether its cases share one working folder, one after the other
    patience: int | None = MAX_TIMEOUTS_IN_A_ROW  # time-outs in a row; None when all are run

    def earlier(self, case: Case) -> tuple[Case, ...]:
        """Return the cases that run before this one in the same working folder, in their order."""
        place = next((at for at, candidate in enumerate(self.cases) if candidate.id == case.id), 0)
        return self.cases[:place] if self.in_order else ()

    @property
    def follows(self) -> tuple[str, ...]:
        """The earlier tests whose results decide about this one."""
        return (*self.needs, *(name for name in self.unlike if name not in self.needs))


class Spec(Struct, frozen=True, kw_only=True):
    """The contract of one assignment."""

    id: str
    title: str
    root: Path
    digest: str  # SHA-256 of the file's bytes and of every file that it names, hexadecimal
    shared_digest: str = ""  # the same without what was decided for single submissions
    tests: tuple[Test, ...]
    program: tuple[str, ...]
    reference: tuple[str, ...] | None = None
    reference_work: ReferenceWork | None = None  # what that is started in, where it is no command at the course root
    references: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # by program: the two above
    language: str = "shell"
    notebook: NotebookRules | None = None
    requires: tuple[str, ...] = ()
    course: str = ""
    source: str = ""
    about: str = ""
    files: FileRules = FileRules()
    build: Build | None = None
    repairs: tuple[Repair, ...] = ()
    max_repairs: int = 3  # how many are combined
    adjustments: Mapping[str, Adjustment] = field(default_factory=dict)
    source_text: bytes = b""
    attached: Mapping[str, bytes] = field(default_factory=dict)
    languages: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    once: tuple[str, ...] = ()
    budget: float | None = None
    equivalent: Mapping[str, str] = field(default_factory=dict)
    seed: SeedKind = ""
    drawn_from: str = ""  # the seed itself, which no student may see; empty where it is the spec's id

    @property
    def toolchain(self) -> str:
        """The name of the toolchain of the submissions."""
        return "notebook" if self.notebook else self.language

    @property
    def packaged(self) -> list[Any]:
        """What installed packages define of its cases."""
        return [entry for test in self.tests for case in test.cases if case.payload for entry in case.payload.packaged]

    @property
    def has_generated_inputs(self) -> bool:
        """Whether any case has generated inputs."""
        return any(case.is_generated for test in self.tests for case in test.cases)

    @property
    def has_validators(self) -> bool:
        """Whether a program of the course judges a text in any case."""
        cases = (case for test in self.tests for case in test.cases)
        return any(leaf.get(CheckOptions).validator for case in cases for _, leaf in case.texts)

    def reference_name(self, case: Case) -> str | None:
        """Return the name of the reference that answers in a case; empty for `reference`, None for no one."""
        if case.command is None:
            programs = case.payload.programs if case.payload and self.references else ()
            spellings = {*programs, *(PurePosixPath(name).stem for name in programs)}
            is_own = self.reference is not None and match_program(self.program, spellings) is not None
            named = None if is_own else match_program(programs, self.references)
            return named if named is not None or self.reference is None else ""
        name = match_program(case.command, self.references)
        if name is not None or self.reference is None:
            return name
        is_its_own = self.reference_work is not None and self.reference_work.is_like_submissions
        return "" if is_its_own or own_words(case.command) == own_words(self.program) else None

    def with_reference(self, name: str) -> "Spec":
        """Return the same with the reference of that name as its only one."""
        if not name:
            return replace(self, references={}) if self.references else self
        return replace(self, **{"reference_work": None, "references": {}, **self.references[name]})

    @property
    def has_references(self) -> bool:
        """Whether there is any reference."""
        return self.reference is not None or bool(self.references)

    @property
    def max_score(self) -> Fraction:
        """The points of all tests but the bonus ones; fixed before anything runs."""
        return sum((test.points for test in self.tests if not test.bonus), Fraction(0))


# ---------------- What a language needs to build, run and understand its programs, as data


_LANGUAGES = """java python c cpp prolog shell javascript typescript go rust csharp kotlin ruby haskell ocaml lua perl
pascal r fortran bash sql
notebook"""
LANGUAGES = tuple(_LANGUAGES.split())  # those of `build/toolchains.yaml`; a course can have others
Permission = Literal["shared-memory", "tracing"]  # System V shared memory; ptrace, also for what finds leaks


class Hello(Struct, frozen=True, kw_only=True):
    """A small program that shows whether a toolchain works: built and run, it prints the word `hello`."""

    files: Mapping[str, str]
    run: tuple[str, ...]
    build: tuple[str, ...] = ()  # none when there is nothing to build


class Toolchain(Struct, frozen=True, kw_only=True):
    """A language of `build/toolchains.yaml`; `OWN_LANGUAGE` in `reader/files.py` says what each key means."""

    name: str
    title: str = ""  # how people call it
    like: str = ""
    version: tuple[str, ...] = ()
    package: str = ""
    show: tuple[str, ...] = ()
    permits: tuple[Permission, ...] = ()
    memory_tool: Literal["valgrind"] | None = None
    hello: Hello | None = None
    interpreter: str = ""
    starters: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    env: Mapping[str, str] = field(default_factory=dict)
    limits: LimitOverrides = field(default_factory=dict)
    build_limits: LimitOverrides = field(default_factory=dict)
    reserves: int = 0
    build_env: Mapping[str, str] = field(default_factory=dict)
    start: tuple[str, ...] = ()
    start_short: tuple[str, ...] = ()
    short: float = 0.0
    crash: tuple[str, ...] = ()
    unreadable: tuple[str, ...] = ()
    crash_by_name: tuple[str, ...] = ()
    names_program: tuple[str, ...] = ()
    uncaught: tuple[str, ...] = ()
    load_errors: tuple[str, ...] = ()
    crash_status: tuple[int, ...] = ()
    cannot_start: tuple[str, ...] = ()
    no_main: tuple[str, ...] = ()
    no_class: tuple[str, ...] = ()
    no_module: tuple[str, ...] = ()
    end_of_input: tuple[str, ...] = ()
    frames: tuple[str, ...] = ()
    frames_inwards: bool = False
    out_of_memory: tuple[str, ...] = ()
    out_of_stack: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()
    noise: tuple[str, ...] = ()
    template: Mapping[str, Any] = field(default_factory=dict)


class Requirement(Struct, frozen=True, kw_only=True):
    """A requirement of grading: `broken` prevents all grading, `missing` only the grading that needs it."""

    name: str
    state: Literal["ok", "missing", "broken"]
    found: str  # what was found, or what is wrong with it
    remedy: str = ""  # what to do about it; empty when nothing is, or when `found` says so


read_when_used(Leaf, "want")
read_when_used(Interactor, "input", "answer")
read_when_used(Case, "stdin")
