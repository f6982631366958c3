"""What a kind of case is: everything that the parts of grader ask of one, in one record.

A case is a start of the program unless its kind says otherwise: calls of functions, a dialogue, a unit test,
a rule on the source. The reader asks a kind for its keys, the pipeline what to prepare, launch and read back, the judge
what its facts are worth, verify how they can be wrong, lint what cannot be meant, and authors how it is written and
described. Every field has a default that fits a plain start of the program, so that a kind says only what it does
differently.

The functions are named here and imported when they are called (`grader.core.lazy.lazy_call`): a case of one kind loads
nothing of the others, and nothing that judges is loaded before the first program has started.

A kind that adds to another, as `memory-clean` does, is named in `Case.also`; the others in `Case.kind`.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from grader.core.errors import GraderError
from grader.core.model import (
    Artifact,
    Case,
    CaseFacts,
    CaseResult,
    Contrast,
    Deviation,
    Examined,
    Execution,
    Launch,
    Payload,
    Spec,
    Spot,
    Test,
    Toolchain,
    Verdict,
)

if TYPE_CHECKING:
    from grader.core.comparators.base import Siblings
    from grader.core.course import Course
    from grader.core.diagnosis import ReadLine
    from grader.core.judge.outputs import CheckFactory
    from grader.core.model import DrawnNumber, Expected
    from grader.core.yaml.json_schema_parts import JsonSchema
    from grader.core.yaml.nodes import Node
    from grader.core.yaml.value import Key, Keys, Value
    from grader.lint.subject import Flaw, FlawFinder, LintRule, Subject
    from grader.verify.expected_results import Scene
    from grader.verify.mutants import Mutant, Scope
    from grader.verify.source_mutants import ReferenceProgram

Ending = tuple[Verdict, str]
"""a verdict that settles a case by itself, and its sentence"""


CaseParts = Mapping[str, Any]
"""Keyword arguments of `Case`, and under `Kind.key` what a kind read; `expect` holds those of `Expectation`."""


class AddedKey(Struct, frozen=True, kw_only=True):
    """A key that a kind adds to a table of the language."""

    table: str
    """`spec`, `test` or `case`, whose keys a test has too"""
    name: str
    after: str = ""
    """the key of core that it stands behind; empty: at the end"""
    key: "Key"


class KindKeys(Struct, frozen=True, kw_only=True):
    """What a kind adds to the language, as tables."""

    added: tuple[AddedKey, ...] = ()
    tables: "Mapping[str, Keys]" = field(default_factory=dict)
    """kind of value -> the keys of its mapping"""
    free_names: "Mapping[str, Key]" = field(default_factory=dict)
    """a table in which names stand beside its keys -> what such a name is"""
    schemas: "Mapping[str, JsonSchema]" = field(default_factory=dict)
    """kind of value -> its JSON Schema"""
    aliases: tuple[tuple[str, str, str], ...] = ()
    """words of other tools for keys, as in `grader.core.reader.key_aliases`"""


def only_wrong(_case: Case) -> frozenset[str]:
    """Return the one deviation of a kind that is right or wrong."""
    return frozenset({"wrong"})


class LaunchContext(Struct, frozen=True, kw_only=True):
    """What a kind needs to know to start a case."""

    spec: Spec
    folder: Path | None = None
    """what was built; None for the reference"""
    prepared: Any = None
    """what `Kind.prepare` made ready once for all submissions"""
    files: Mapping[str, bytes] = field(default_factory=dict)
    """what `Kind.prepare_test` made ready for the cases of one test"""
    token: str = ""
    """what nobody can guess, given to a probe; without one, the kind draws another each time"""


class JudgeContext(Struct, frozen=True, kw_only=True):
    """What a kind needs to know to judge a case."""

    toolchain: Toolchain
    read_line: "ReadLine"
    """reads a line of what the student handed in"""
    checks: "CheckFactory"
    """makes the course's checks ready for this case"""


class Judged(Struct, frozen=True, kw_only=True):
    """What a kind says of the facts of a run that came to an end of its own."""

    deviations: tuple[Deviation, ...] = ()
    contrasts: tuple[Contrast, ...] = ()
    share: Fraction = Fraction(1)
    """the share of the credit that somebody else than the deviations gives, such as an interactor"""
    remark: str = ""
    """the sentence for a case in which nothing deviates"""
    compares_outputs: bool = True
    """whether streams, status and files are compared too; not where all of that follows from what went wrong"""


def _nothing_to_judge(case: Case, _found: Examined, _command: str) -> CaseResult:
    raise TypeError(f"{case.id}: its kind looks at no source")


class Kind(Struct, frozen=True, kw_only=True):
    """One kind of case."""

    name: str
    """as `Case.kind` and `Case.also` have it"""
    title: str
    """what a sentence calls its cases: "calls of functions" """

    # ---- what is prepared

    applies: Callable[[Spec], bool] | None = None
    """whether a spec uses it although no case is of it, as validators are used; None where the cases say it"""
    require: "Callable[[Course], None] | None" = None
    """raises HostError where this machine or this level of the sandbox cannot do what the spec asks"""
    versions: "Callable[[Course], Mapping[str, str]] | None" = None
    """the tools that the kind needs beside the toolchain, with their versions; they enter the digest of a grade"""
    packaged: Callable[[Spec], Sequence[Any]] = lambda _spec: ()
    """what installed packages define of it, such as a tool; that enters the digest of a grade, and is not cached"""
    prepare: "Callable[[Course], Course] | None" = None
    """makes ready what all submissions share, mostly in `Course.prepared`; raises HostError when that fails"""
    prepare_submission: "Callable[[Course, str], Course] | None" = None
    """makes ready what one submission, of that id, needs of its own; no id stands for the course itself"""
    prepare_build: "Callable[[Course, Path], None] | None" = None
    """adds to the folder in which a submission was built"""
    prepare_reference: "Callable[[Course, Mapping[str, bytes]], Mapping[str, bytes]] | None" = None
    """adds to the files among which the reference is started"""
    prepare_test: "Callable[[Test, Artifact, Course], Mapping[str, bytes]] | None" = None
    """makes ready the files that the cases of a test need; raises `Unprepared` where the submission is to blame"""

    # ---- what is started

    inspect: "Callable[[Test, Artifact, Course], Iterator[Examined]] | None" = None
    """looks at the source for each case of a test, instead of running the program; raises HostError"""
    surround: Callable[[Launch, Case], Launch] | None = None
    """adds what stands around the program and the reference alike: a dialogue, an interactor"""
    command: Callable[[Case, LaunchContext], tuple[str, ...]] | None = None
    """what is started instead of the program"""
    complete_launch: Callable[[Launch, Case, LaunchContext], Launch] | None = None
    """adds what the kind hands to that command: the request for a probe"""
    launch_reference: Callable[[Launch, Case, LaunchContext], Launch] | None = None
    """makes the launch of the reference of what surrounds it; HostError where it has nothing to be started"""
    read_record: Callable[[Execution, Case, Launch], Execution] | None = None
    """reads what the probe wrote into `Execution.facts`; HostError when the probe itself did not start"""
    after_run: "Callable[[Execution, Case, Launch, Course, str], CaseFacts | None] | None" = None
    """of a kind in `Case.also`: what a further run shows; the text says why that is known to be in vain"""
    unknown: Callable[[CaseFacts], str] = lambda _facts: ""
    """why nobody knows what `after_run` was to show; empty when it is known"""
    is_output_limited: bool = True
    """whether the output limit follows from the expected output where the spec sets none"""

    # ---- how it is judged

    settle: Callable[[Case, Execution, Execution | None, Ending | None, JudgeContext], Ending | None] | None = None
    """the ending that settles the case, if any; it is given that of a limit. Without it, a limit or a crash settles"""
    judge: Callable[[Case, Execution, Execution | None, JudgeContext], Judged] | None = None
    """what deviates beside streams, status and files"""
    judge_source: Callable[[Case, Examined, str], CaseResult] = _nothing_to_judge
    """judges what `inspect` found; the text is the command to repeat it"""
    remark_on_ending: "Callable[[Execution, ReadLine], str] | None" = None
    """of a kind in `Case.also`: a sentence behind the one for a run that came to no good end"""
    confirm: Callable[[CaseResult, CaseFacts, Callable[[Execution], CaseResult]], None] | None = None
    """of a kind in `Case.also`: raises HostError where the result cannot stand, since too little is known"""
    spots: "Callable[[Execution, ReadLine], tuple[Spot, ...]] | None" = None
    """the places in the student's files that the facts name"""
    facts_for_checks: Callable[[Case, Execution], Mapping[str, Any]] = lambda _case, _execution: {}
    """fields of `Facts` of which a check of the course is told, over those of a start of the program"""
    reachable: Callable[[Case], frozenset[str]] = lambda _case: frozenset()
    """the deviations that the kind itself can name"""
    explains_limit: bool = True
    """whether the sentence about a limit says how far the program came; not where a transcript does"""
    prints_answer: bool = True
    """whether what the program prints is what it is for"""
    is_silence_odd: bool = True
    """whether printing nothing until a limit points to an endless loop"""
    has_input: bool = False
    """whether the kind gives the program its input, so that it may read the keyboard"""

    # ---- how it is shown

    command_text: Callable[[Case, Spec], str] | None = None
    """the case as one types it; None for the command"""
    is_typed: bool = True
    """whether one command with its input and files repeats the case"""
    packages: Callable[[Case], Sequence[str]] = lambda _case: ()
    """the Debian packages that a machine needs to grade such a case"""

    # ---- the language

    keys: "Callable[[], KindKeys] | None" = None
    """what the kind adds to the tables of the language"""
    key: str = ""
    """the key that asks for the kind: of a case, or with `read_test` of a test. The parts of a case have under it what
    was read, and at last the payload"""
    is_addition: bool = False
    """whether the kind asks something more of cases of other kinds, and has its payload in `Case.also`"""
    is_merged: bool = False
    """whether what a case says under `key` is laid over what its test says, key by key"""
    readers: "Mapping[str, Callable[[Value], Any]]" = field(default_factory=dict)
    """key of a case -> its reader: of the kind's own key, and of those that it reads in the place of core"""
    unfit_defaults: Callable[[CaseParts], Collection[str]] = lambda _parts: ()
    """the parts of the spec's defaults that do not apply to a case"""
    complete: "Callable[[Value, CaseParts], CaseParts] | None" = None
    """makes the payload of the parts of a case, and notes what does not go with it; called for cases of every kind"""
    checks: Callable[[CaseParts], bool] = lambda _parts: False
    """whether a case checks something by what the kind asks, without `expect`"""
    write_out: "Callable[[Value, CaseParts], Sequence[CaseParts]] | None" = None
    """makes several cases of one: returns the parts of each, with an `id` of its own; called for every case"""
    read_variable: "Callable[[Value, str, str], Mapping[str, DrawnNumber] | None] | None" = None
    """reads the values of a variable of that test and name, each with where it comes from; None for plain values"""
    read_check: "Callable[[Value, Siblings], Expected] | None" = None
    """reads a `check` that is a mapping, with the keys beside it"""
    read_test: "Callable[[str, Mapping[str, Value], Callable[[], CaseParts]], Iterator[Case]] | None" = None
    """makes all cases of the test of that name and keys; the function reads the parts that they share"""
    # ---- authors: the handout

    describe_cases: Callable[[Sequence[Case], Spec], Iterator[str]] | None = None
    """lines of Markdown about cases of a test; None for a list, with `list_heading` above it"""
    list_heading: Callable[[Sequence[Case], Spec], str] = lambda _cases, _spec: "Started as"
    """the line above a list of cases, made for the kind of the first"""
    describe_case: Callable[[Case, Spec], str] | None = None
    """an item of that list, in Markdown; None for the command and what surrounds it"""
    is_input_secret: Callable[[Case], bool] = lambda _case: False
    """whether only what students must not see tells cases with the same command apart"""
    states_expectation: bool = False
    """whether what is expected stands among the keys of the kind, and in the items of the list"""
    generated_part: str = ""
    """what of its cases can be generated beside arguments, input and files, in a few words"""
    extra_run: str = ""
    """of a kind in `Case.also`: what a sentence says of the further run, behind "Every run" or "Some of it" """
    speaker: str = "you"
    """who speaks with the program, in seven characters at most, for a sample session"""

    # ---- authors: specs

    write_case: "Callable[[Case], Mapping[str, Node]]" = lambda _case: {}
    """the keys of the kind for a case; raises CannotBeWrittenError when they have no form in a spec"""
    write_test: "Callable[[Sequence[Case]], Mapping[str, Node] | None]" = lambda _cases: None
    """the keys of a test that has these cases; None where each has to be written apart. Raises as `write_case`"""
    freeze: Callable[[Case, Execution], Payload | None] = lambda case, _execution: case.payload
    """the payload with what the reference did in place of the word `reference`; raises as `write_case`"""
    without_expectations: Callable[[Case], Payload | None] = lambda case: case.payload
    """the payload without all that is expected, by which two cases start the same"""
    attached_files: "Callable[[Node], Sequence[str]]" = lambda _node: ()
    """the names of files that a part of a spec names by a key of the kind, and not as `{file: NAME}`"""
    record: "Callable[[Case, Any, Callable[[Case], Execution]], Payload | None] | None" = None
    """records what an author enters while the reference runs, which the last asks; None when that is nothing"""
    draft: Payload | None = None
    """a payload for a case that is still to be recorded"""
    why_not_recorded: str = ""
    """why a recorded run is no case of this kind, as the predicate of its test; empty when it can be one"""
    why_not_public: str = ""
    """why students cannot have a test with such a case; empty when they can"""

    # ---- authors: machines

    tool_of: Callable[[Toolchain], str] = lambda _toolchain: ""
    """the program that watches or runs cases in a language; the program, and its Debian package; empty for none"""
    # ---- verify

    given: Callable[[Case], object] = lambda _case: None
    """what of its payload a program is given, and not only what is expected: its `repr` tells cases apart"""
    excuse_reference: Callable[[Case, Spec, Execution | GraderError], str] = lambda *_: ""
    """why the reference cannot stand for a program where nobody asks for its answer, by what came of asking it

    Empty where it should stand for one.
    """
    times_reference: Callable[[Case], bool] = lambda _case: True
    """whether the time of the reference says what a program takes"""
    mutants: "Callable[[Scope], Iterator[Mutant]] | None" = None
    """makes the output mutants of the kind for a test; what changes nothing there is left out later"""
    mutants_follow: str = "answers"
    """the family of output mutants behind which its own are listed; theirs has the name of the kind"""
    unfit_mutants: frozenset[str] = frozenset()
    """the families of output mutants, and `crash`, that say nothing about such a case"""
    run_mutants: "Callable[[Course, Sequence[Scene]], Iterator[Mutant]] | None" = None
    """makes wrong programs that have to be run, since nobody can tell what comes of them otherwise"""
    silence: Callable[[CaseFacts | None], CaseFacts | None] = lambda _facts: None
    """returns the facts of a program that does nothing of what it is asked"""
    entry_points: "Callable[[Case, ReferenceProgram], frozenset[str]]" = lambda _case, program: program.top
    """the names of the functions of a reference in Python that a case calls itself, before those call others"""
    look_at_reference: "Callable[[Course, Path], Iterator[str]] | None" = None
    """what is good to know of the reference, in sentences; the folder is empty, for whatever is needed"""

    # ---- smaller inputs

    smaller: Callable[[Case], Iterator[Case]] | None = None
    """makes smaller cases of one, the smallest first; None where no input can be smaller, or trying takes too long"""

    # ---- lint

    lint_rules: "Callable[[], Mapping[str, LintRule | FlawFinder]]" = dict
    """the name of a rule -> the rule of its own, or, of a rule that all kinds have, what else breaks it"""
    contradictions: "Callable[[Subject, Case], Iterator[Flaw]] | None" = None
    """what no program can do in a case, whatever it does"""
    features: Callable[[Case], Iterable[str]] = lambda _case: ()
    """what is special about a case beside what it is given, in a few words each: students have to know of it"""
    called_functions: Callable[[Case], Sequence[str]] = lambda _case: ()
    """the functions, by name, that a case calls for what they do; students have to write them under that name"""
    source_files: Callable[[Case], Sequence[str]] = lambda _case: ()
    """the files of a submission, by names or globs, whose source a case looks at"""
    text_keys: tuple[str, ...] = ()
    """its keys below which there are texts that programs get, or that are compared with what they write"""
    takes_default: Callable[[str], bool] = lambda _key: True
    """whether a case has a use for a key of `defaults`"""
    asks_more_than_output: bool = False
    """whether a silent program may fail though all that is expected of streams, status and files is met"""
    is_on_terminal: bool = False
    """whether it runs on a terminal without being told to"""


class Unprepared(Exception):  # noqa: N818 - it says of the submission that it is not ready
    """A test cannot be run with what was handed in; the text says why, for the student."""
