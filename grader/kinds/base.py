"""One record for a kind of case, with all the functions and data that other parts of grader ask for.

By default a case runs the program. Its kind may ask for something else: calls of functions, a dialogue, a unit test, a
rule on the source. The reader asks a kind for its keys. The pipeline asks how to prepare and launch a case, and how to
read its record. The judge asks for a judgement, verify for mutants, lint for rules, and the authors' commands for texts
and descriptions. Every field has a default that fits a plain run of the program, so a kind defines only what differs.

Functions are named here and imported when they are called (`grader.core.lazy.lazy_call`). A case of one kind loads
nothing of the other kinds, and no judging code is loaded before the first program has started.

A kind that adds to another, such as `memory-clean`, is named in `Case.also`. All other kinds are named in `Case.kind`.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct, field

from grader.core.errors import GraderError
from grader.core.model.execution import CaseFacts, Execution, Launch, Runner
from grader.core.model.judgement import CaseResult, Contrast, Deviation, Examined, Message, Spot, Verdict
from grader.core.model.limits import Limits
from grader.core.model.spec import Case, Payload, Spec, Test
from grader.core.model.submission import Artifact
from grader.core.model.toolchain import Toolchain

if TYPE_CHECKING:
    from grader.core.attempt import Attempt
    from grader.core.comparators.base import Siblings
    from grader.core.course import Course
    from grader.core.diagnosis import ReadLine
    from grader.core.judge.outputs import CheckFactory
    from grader.core.model.generated_inputs import GeneratedNumber
    from grader.core.model.spec import Leaf
    from grader.core.running_tests import Happened
    from grader.core.yaml.nodes import Node
    from grader.core.yaml.types import Type
    from grader.core.yaml.value import Key, Keys, Value
    from grader.lint.subject import Flaw, FlawFinder, LintRule, Subject
    from grader.verify.expected_results import Scene
    from grader.verify.mutants import Mutant, Scope
    from grader.verify.source_mutants import ReferenceProgram

Settled = tuple[Verdict, Message]
"""a verdict that decides a case by itself, and what there is to say of it"""


AskReference = Callable[[], Execution | GraderError]
"""returns what the reference does in a case, or why that is not known"""
CaseParts = Mapping[str, Any]
"""Keyword arguments of `Case`; under `Kind.key` the value that a kind read; `expect` has those of `Expectation`"""


class Requirement(Struct, frozen=True, kw_only=True):
    """A requirement of grading: `broken` prevents all grading, `missing` only the grading that needs it."""

    name: str
    state: Literal["ok", "missing", "broken"]
    found: str
    """what was found, or what is wrong with it"""
    remedy: str = ""
    """what to do about it; empty when nothing is, or when `found` says so"""


RunnerShowing = Callable[[Sequence[str]], Runner]
"""returns a runner of commands in a sandbox that shows these paths of the machine in addition to the usual ones"""


class AddedKey(Struct, frozen=True):
    """A key that a kind adds to a table of the language."""

    table: str
    """`spec`, `test` or `case`; a test has the keys of a case too"""
    name: str
    key: "Key"
    after: str = ""
    """the key of core behind which it is listed; empty: at the end"""


class KindKeys(Struct, frozen=True, kw_only=True):
    """The keys, tables and types that a kind adds to the language."""

    added: tuple[AddedKey, ...] = ()
    tables: "Mapping[str, Keys]" = field(default_factory=dict)
    """kind of value -> the keys of its mapping"""
    free_names: "Mapping[str, Key]" = field(default_factory=dict)
    """a table that allows free names among its keys -> the value of such a name"""
    types: "Mapping[str, Type]" = field(default_factory=dict)
    aliases: tuple[tuple[str, str, str], ...] = ()
    """other tools' words for keys, as in `grader.core.reader.language.ELSEWHERE`"""


def only_wrong(_case: Case) -> frozenset[str]:
    """Return the only deviation of a kind whose result is right or wrong."""
    return frozenset({"wrong"})


class LaunchContext(Struct, frozen=True, kw_only=True):
    """The data that a kind needs to start a case."""

    spec: Spec
    folder: Path | None = None
    """the built submission; None for the reference"""
    prepared: Any = None
    """the result of `Kind.prepare`, made once for all submissions"""
    charged: Collection[str] = ()
    """`Artifact.charged`"""
    files: Mapping[str, bytes] = field(default_factory=dict)
    """the result of `Kind.prepare_test`, for the cases of one test: name -> content"""
    token: str = ""
    """an unguessable token for a probe; empty: the kind generates a new one for each launch"""


class JudgeContext(Struct, frozen=True, kw_only=True):
    """The data that a kind needs to judge a case."""

    toolchain: Toolchain
    read_line: "ReadLine"
    """reads a line of a file of the submission"""
    checks: "CheckFactory"
    """makes the course's checks ready for this case"""


class Inverted(Struct, frozen=True, kw_only=True):
    """A further run of a case, in which no honest program passes: one of its assertions is inverted."""

    case: Case
    """the case as it is inverted, which the reference may be asked"""
    launch: Launch
    place: str
    """where, for the staff"""
    turn: int
    """its place, drawn by chance, among the runs of what is started for the case: below 0 before the one that counts"""
    share: str = ""
    """the share of its points that an honest program has there; empty where the method sets none"""
    before: Execution | None = None
    """what came of it, without its output, where it came first"""


class Judged(Struct, frozen=True, kw_only=True):
    """How a kind judges the facts of a run that ended by itself."""

    deviations: tuple[Deviation, ...] = ()
    contrasts: tuple[Contrast, ...] = ()
    share: Fraction = Fraction(1)
    """the share of the credit that an interactor or another judge gives, apart from the deviations"""
    remark: str = ""
    """the sentence for a case in which nothing deviates"""
    compares_outputs: bool = True
    """whether streams, status and files are compared too; False where the failure explains all their differences"""


def _nothing_to_judge(case: Case, _found: Examined, _command: str) -> CaseResult:
    raise TypeError(f"{case.id}: its kind looks at no source")


class Kind(Struct, frozen=True, kw_only=True):
    """One kind of case."""

    name: str
    """its name in `Case.kind` and `Case.also`"""

    # ---- what is prepared

    applies: Callable[[Spec], bool] | None = None
    """whether a spec uses the kind although no case has it, as with validators; None where only the cases decide"""
    require: "Callable[[Course], None] | None" = None
    """raises HostError where this machine or this sandbox level cannot run what the spec asks for"""
    versions: "Callable[[Course], Mapping[str, str]] | None" = None
    """the tools that the kind needs in addition to the toolchain, with their versions; part of the digest of a grade"""
    requirements: "Callable[[RunnerShowing | None], Iterator[Requirement]] | None" = None
    """looks for what the kind needs of this machine, for `grader doctor`, and tries it where there is a runner"""
    packaged: Callable[[Spec], Sequence[Any]] = lambda _spec: ()
    """definitions in installed packages that the kind uses, such as a tool; part of the digest of a grade, never
    cached"""
    prepare: "Callable[[Course], Course] | None" = None
    """prepares what all submissions share, mostly in `Course.prepared`; raises HostError on failure"""
    prepare_submission: "Callable[[Course, str], Course] | None" = None
    """prepares what the submission with that id needs; an empty id is the course itself"""
    prepare_build: "Callable[[Course, Artifact], Mapping[str, bytes]] | None" = None
    """makes files of what was built, for `Artifact.made`"""
    prepare_reference: "Callable[[Course, Mapping[str, bytes]], Mapping[str, bytes]] | None" = None
    """returns the files of the reference, with those that the kind adds"""
    prepare_test: "Callable[[Test, Artifact, Course], Mapping[str, bytes]] | None" = None
    """prepares the files that the cases of a test need; raises `Unprepared` where the submission is at fault"""

    # ---- what is started

    run_test: "Callable[[Test, Artifact, Attempt], Iterable[Happened]] | None" = None
    """yields what happened in each run of the cases of a test; None where each case is run by itself. Raises HostError,
    and `Unprepared` where the submission is at fault"""
    examines_source: bool = False
    """whether the source is examined for each case instead of a run of the program"""
    has_answer: bool = True
    """whether the reference is asked in a case; False where the source, or the tests of a student, are examined"""
    shares_run: Callable[[Case], bool] = lambda _case: False
    """whether one run of the command serves all cases of the test, each of which reads its own part of the record"""
    shares_limits: bool = True
    """whether such a run has the limits of one case, and not those of each"""
    surround: Callable[[Launch, Case], Launch] | None = None
    """adds to the launch of program and reference alike: a dialogue, an interactor"""
    command: Callable[[Case, LaunchContext], tuple[str, ...]] | None = None
    """the command that is started instead of the program"""
    complete_launch: Callable[[Launch, Case, LaunchContext], Launch] | None = None
    """adds the input for that command, such as the request for a probe"""
    launch_reference: Callable[[Launch, Case, LaunchContext], Launch] | None = None
    """turns the launch from `surround` into that of the reference; raises HostError where nothing can be started"""
    read_record: Callable[[Execution, Case, Launch], Execution] | None = None
    """reads the probe's record into `Execution.facts`; raises HostError when the probe itself did not start"""
    after_run: "Callable[[Execution, Case, Launch, Course, str], CaseFacts | None] | None" = None
    """for a kind in `Case.also`: the facts of a further run; the text is why that run is known to be useless"""
    explain_crash: "Callable[[Execution, Launch, Runner, ReadLine], str] | None" = None
    """for a kind that has a tool for it: why a signal ended a run, for `Execution.crash_cause`; may run it again"""
    unknown: Callable[[CaseFacts], str] = lambda _facts: ""
    """why the facts of `after_run` are not known; empty when they are"""
    further_seconds: Callable[[Case, Limits], float] = lambda _case, _limits: 0.0
    """how long the further run of a case with these limits may usually take, in the budget of a submission"""
    is_output_limited: bool = True
    """whether the output limit is derived from the expected output where the spec sets none"""

    # ---- how it is judged

    settle: Callable[[Case, Execution, Execution | None, Settled | None, JudgeContext], Settled | None] | None = None
    """the ending that decides the case, or None; it gets the ending at a limit. Without it, a limit or a crash
    decides"""
    judge: Callable[[Case, Execution, Execution | None, JudgeContext], Judged] | None = None
    """the deviations other than those of streams, status and files"""
    judge_source: Callable[[Case, Examined, str], CaseResult] = _nothing_to_judge
    """judges the result of an examination; the text is the command that repeats it"""
    remark_on_ending: "Callable[[Execution, ReadLine], str] | None" = None
    """for a kind in `Case.also`: a sentence to add to that of a run that failed at a limit or in a crash"""
    confirm: Callable[[CaseResult, CaseFacts, Callable[[Execution], CaseResult]], None] | None = None
    """for a kind in `Case.also`: raises HostError where the facts are too incomplete to confirm the result"""
    invert: "Callable[[Sequence[tuple[Case, Launch]], Course], Sequence[Inverted | None]] | None" = None
    """returns for each of the runs that are planned one in which no honest program passes; None where there is none"""
    doubt: Callable[[Inverted, CaseResult, CaseResult, AskReference], str] = lambda *_: ""
    """for a case that passed, or in part, and its result when inverted: why it is not believed, for the staff alone

    The function asks the reference in the inverted case. Empty when the result is believed, and when nothing is known.
    """
    find_course_fault: "Callable[[Case, Launch, Execution, Course, AskReference], str] | None" = None
    """for a case that failed: why the course's own part of it fails, whatever is handed in; "" where that is not proved

    The function asks the reference. No code of the submission may have a part in the proof.
    """
    spots: "Callable[[Execution, ReadLine], tuple[Spot, ...]] | None" = None
    """the places in the student's files to which the facts refer"""
    facts_for_checks: Callable[[Case, Execution], Mapping[str, Any]] = lambda _case, _execution: {}
    """further fields of `Facts` for the course's checks; they replace those of a run of the program"""
    reachable: Callable[[Case], frozenset[str]] = lambda _case: frozenset()
    """the deviations that the kind itself can report"""
    explains_limit: bool = True
    """whether the sentence about a limit states the progress of the program; False where a transcript shows it"""
    prints_answer: bool = True
    """whether the program's output is its answer"""
    has_input: bool = False
    """whether the kind provides the program's input, so that the program may read the keyboard"""

    # ---- how it is shown

    command_text: Callable[[Case, Spec], str] | None = None
    """the case as text that a student can type; None for the command"""
    is_typed: bool = True
    """whether one command with its input and files repeats the case"""
    packages: Callable[[Case], Sequence[str]] = lambda _case: ()
    """the Debian packages that a machine needs to grade such a case"""

    holds_hidden: Callable[[Case, Test, Spec], bool] = lambda *_: False
    """whether code of tests which fewer people see than this one is in the process of the program"""

    # ---- the language

    keys: "Callable[[], KindKeys] | None" = None
    """returns the keys, tables and types that the kind adds to the language"""
    key: str = ""
    """the key that selects the kind: of a case, or with `read_test` of a test. The parts of a case have the value
    that was read under it, and finally the payload"""
    is_addition: bool = False
    """whether the kind adds a requirement to cases of other kinds, with its payload in `Case.also`"""
    is_merged: bool = False
    """whether the value of `key` in a case is merged into that of its test, key by key"""
    unfit_defaults: Callable[[CaseParts], Collection[str]] = lambda _parts: ()
    """the parts of the spec's defaults that do not apply to a case"""
    complete: "Callable[[Value, CaseParts], CaseParts] | None" = None
    """builds the payload from the parts of a case, and reports keys that do not fit together; called for every kind"""
    checks: Callable[[CaseParts], bool] = lambda _parts: False
    """whether the kind's own keys already check something in a case without `expect`"""
    write_out: "Callable[[Value, CaseParts], Sequence[CaseParts]] | None" = None
    """expands one case into several: returns the parts of each, with its own `id`; called for every case"""
    read_variable: "Callable[[Value, str, str], Mapping[str, GeneratedNumber] | None] | None" = None
    """reads the values of a variable, given its test and its name, each with its origin; None for plain values"""
    read_check: "Callable[[Value, Siblings], Leaf] | None" = None
    """reads a `check` that is a mapping, with the keys next to it"""
    read_test: "Callable[[str, Mapping[str, Value], Callable[[], CaseParts]], Iterator[Case]] | None" = None
    """makes all cases of the test with that name and these keys; the function reads the parts that they share"""
    # ---- authors: the handout

    describe_cases: Callable[[Sequence[Case], Spec], Iterator[str]] | None = None
    """yields lines of Markdown about cases of a test; None for a list, with `list_heading` above it"""
    list_heading: Callable[[Sequence[Case], Spec], str] = lambda _cases, _spec: "Started as"
    """the line above a list of cases, from the kind of the first case"""
    describe_case: Callable[[Case, Spec], str] | None = None
    """an item of that list, in Markdown; None for the command with its dialogue or interactor"""
    is_input_secret: Callable[[Case], bool] = lambda _case: False
    """whether cases with the same command differ only in details that students must not see"""
    states_expectation: bool = False
    """whether the keys of the kind, and the items of the list, contain the expectation"""
    generated_part: str = ""
    """which further part of its cases can be generated, in a few words; arguments, input and files always can"""
    extra_run: str = ""
    """for a kind in `Case.also`: the rest of a sentence about the further run, after "Every run" or "Some of it" """
    speaker: str = "you"
    """the name of the program's partner in a sample session; at most seven characters"""

    # ---- authors: specs

    write_case: "Callable[[Case], Mapping[str, Node]]" = lambda _case: {}
    """the keys of the kind for a case; raises CannotBeWrittenError when a spec has no form for them"""
    write_test: "Callable[[Sequence[Case]], Mapping[str, Node] | None]" = lambda _cases: None
    """the keys of a test with these cases; None where each is written separately. Raises as `write_case`"""
    freeze: Callable[[Case, Execution], Payload | None] = lambda case, _execution: case.payload
    """the payload with the reference's results in place of the word `reference`; raises as `write_case`"""
    without_expectations: Callable[[Case], Payload | None] = lambda case: case.payload
    """the payload without its expectations, which two cases with the same start have in common"""
    attached_files: "Callable[[Node], Sequence[str]]" = lambda _node: ()
    """the files that a part of a spec names by a key of the kind, instead of `{file: NAME}`"""
    record: "Callable[[Case, Any, Callable[[Case], Execution]], Payload | None] | None" = None
    """records what an author enters while the reference runs; the last argument runs it. None for an empty recording"""
    draft: Payload | None = None
    """the payload of a case that is not recorded yet"""
    why_not_recorded: str = ""
    """why a recorded run cannot be a case of this kind, as a predicate; empty when it can"""
    why_not_public: str = ""
    """why a test with such a case cannot be public; empty when it can"""

    # ---- authors: machines

    tool_of: Callable[[Toolchain], str] = lambda _toolchain: ""
    """the program that watches or runs cases of a language, and its Debian package; empty for none"""
    # ---- verify

    given: Callable[[Case], object] = lambda _case: None
    """the part of the payload that a program gets, without the expectations; its `repr` distinguishes cases"""
    excuse_reference: Callable[[Case, Spec, Execution | GraderError], str] = lambda *_: ""
    """why the reference cannot serve as a sample program where no case uses its answer, or empty where it can

    The last argument is the reference's run, or the error that prevented it.
    """
    times_reference: Callable[[Case], bool] = lambda _case: True
    """whether the reference's time predicts that of a program"""
    mutants: "Callable[[Scope], Iterator[Mutant]] | None" = None
    """yields the output mutants of the kind for a test; those that change nothing are dropped later"""
    mutants_follow: str = "answers"
    """the family of output mutants behind which those of the kind are listed; its own family has the kind's name"""
    unfit_mutants: frozenset[str] = frozenset()
    """the families of output mutants, and `crash`, that do not apply to such a case"""
    run_mutants: "Callable[[Course, Sequence[Scene]], Iterator[Mutant]] | None" = None
    """yields wrong programs that have to be run, because their results cannot be predicted"""
    silence: Callable[[CaseFacts | None], CaseFacts | None] = lambda _facts: None
    """returns the facts of a program that does none of its tasks"""
    entry_points: "Callable[[Case, ReferenceProgram], frozenset[str]]" = lambda _case, program: program.top
    """the functions of a reference in Python that a case calls directly, without those called by them"""
    look_at_reference: "Callable[[Course, Path], Iterator[str]] | None" = None
    """yields sentences with notes on the reference; the empty folder may hold temporary files"""

    # ---- smaller inputs

    smaller: Callable[[Case], Iterator[Case]] | None = None
    """yields smaller variants of a case, the smallest first; None where no input can shrink, or trying takes too
    long"""

    # ---- lint

    lint_rules: "Callable[[], Mapping[str, LintRule | FlawFinder]]" = dict
    """the name of a rule -> the kind's own rule, or what else breaks a rule that all kinds share"""
    contradictions: "Callable[[Subject, Case], Iterator[Flaw]] | None" = None
    """yields what no program can do in a case"""
    features: Callable[[Case], Iterable[str]] = lambda _case: ()
    """the special features of a case, in a few words each, apart from its input; students have to know them"""
    called_functions: Callable[[Case], Sequence[str]] = lambda _case: ()
    """the names of the functions whose behaviour a case tests; students have to use these names"""
    source_files: Callable[[Case], Sequence[str]] = lambda _case: ()
    """the files of a submission, as names or globs, whose source a case examines"""
    text_keys: tuple[str, ...] = ()
    """its keys with texts that programs get, or with which their output is compared"""
    takes_default: Callable[[str], bool] = lambda _key: True
    """whether a key of `defaults` applies to a case"""
    asks_more_than_output: bool = False
    """whether a silent program may fail even if streams, status and files are as expected"""
    is_on_terminal: bool = False
    """whether it runs on a terminal by default"""


class Unprepared(Exception):  # noqa: N818 - it describes a submission that is not ready
    """A test cannot be run with this submission; the text gives the reason, for the student."""
