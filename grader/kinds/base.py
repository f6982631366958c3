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

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from grader.core.errors import GraderError
from grader.core.model import (
    Artifact,
    Case,
    CaseFacts,
    Contrast,
    Deviation,
    Examined,
    Execution,
    Launch,
    Spec,
    Spot,
    Test,
    Toolchain,
    Verdict,
)

if TYPE_CHECKING:
    from grader.core.course import Course
    from grader.core.diagnosis import ReadLine
    from grader.core.judge.outputs import CheckFactory
    from grader.core.pipeline import NotRun
    from grader.lint.subject import Flaw, FlawFinder, LintRule, Subject
    from grader.verify.expected_results import Scene
    from grader.verify.mutants import Mutant, Scope
    from grader.verify.source_mutants import ReferenceProgram

Ending = tuple[Verdict, str]
"""a verdict that settles a case by itself, and its sentence"""


class LaunchContext(Struct, frozen=True, kw_only=True):
    """What a kind needs to know to start a case."""

    spec: Spec
    toolchain: Toolchain
    folder: Path | None
    """what was built; None for the reference"""
    prepared: Any = None
    """what `Kind.prepare` made ready once for all submissions"""
    files: Mapping[str, bytes] = field(default_factory=dict)
    """what `Kind.prepare_test` made ready for the cases of one test"""
    token: str = ""
    """what nobody can guess, given to a probe; with none, the kind draws another each time"""


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
    """the share of the credit that is given by somebody else than the deviations, such as an interactor"""
    remark: str = ""
    """the sentence for a case in which nothing deviates"""
    compares_outputs: bool = True
    """whether streams, status and files are compared as well; not where all of it follows from what went wrong"""


class Kind(Struct, frozen=True, kw_only=True):
    """One kind of case."""

    name: str
    """as `Case.kind` and `Case.also` have it"""
    title: str
    """how a sentence calls cases of this kind: "calls of functions" """

    # ---- what is prepared and started

    is_run: bool = True
    """whether the program is run; else the source alone is looked at, by `inspect`"""
    inspect: "Callable[[Test, Artifact, Course], Iterator[NotRun | Examined]] | None" = None
    """looks at the source for the cases of a test, instead of running them"""
    prepare: "Callable[[Course], Any] | None" = None
    """makes ready what all submissions share, once; HostError when a tool is missing. Kept in `Course.prepared`"""
    versions: "Callable[[Course], Mapping[str, str]] | None" = None
    """the tools that the kind needs beside the toolchain -> their versions; they belong to the digest of a grade"""
    prepare_test: "Callable[[Test, Artifact, Course], Mapping[str, bytes] | NotRun] | None" = None
    """makes ready the files that the cases of a test need beside the built work"""
    command: Callable[[Case, LaunchContext], tuple[str, ...]] | None = None
    """what is started instead of the program"""
    complete_launch: Callable[[Launch, Case, LaunchContext], Launch] | None = None
    """adds to the launch what the kind hands in: a request, a dialogue, who speaks with it"""
    launch_reference: Callable[[Launch, Case, LaunchContext], Launch] | None = None
    """makes the launch of the reference of what surrounds it; HostError where the reference has nothing to start"""
    read_record: Callable[[Execution, Case, Launch], Execution] | None = None
    """reads what the started probe wrote into `Execution.facts`; HostError when the probe itself did not start"""
    after_run: "Callable[[Execution, Case, Launch, Course], CaseFacts] | None" = None
    """of a kind in `Case.also`: what comes of a further run, kept in `Execution.also`"""

    # ---- how it is judged

    settle: Callable[[Case, Execution, Ending | None, Execution | None, JudgeContext], Ending | None] | None = None
    """returns the ending that settles the case: the one found so far (a limit), another, or None"""
    judge: "Callable[[Case, Execution, Execution | None, JudgeContext], Judged] | None" = None
    """what deviates beside streams, status and files"""
    spots: "Callable[[Execution, ReadLine], tuple[Spot, ...]] | None" = None
    """the places in the student's files that the facts name"""
    reachable: Callable[[Case], frozenset[str]] = lambda _case: frozenset()
    """the deviations that the kind itself can name"""
    prints_answer: bool = True
    """whether what the program prints is what it is for, so that a limit's sentence quotes it"""
    reads_keyboard: bool = True
    """whether a program that waits for input may be waiting for nobody"""

    # ---- how it is shown

    command_text: Callable[[Case, Spec], str] | None = None
    """the case as one types it, for a report; None for the command"""
    is_typed: bool = True
    """whether the case can be repeated as one command with its input and files"""
    packages: Callable[[Case], Sequence[str]] = lambda _case: ()
    """the Debian packages that a machine needs to grade such a case"""

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
