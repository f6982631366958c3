"""What the submissions of one assignment share, made ready once; and what a single one may use up, and runs again."""

import sys
from collections import Counter
from collections.abc import Callable, Collection, Generator, Mapping, Sequence
from functools import lru_cache, partial
from math import inf
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any, Self

from msgspec import Struct, field
from msgspec.structs import asdict, replace

from grader.core import build, oracle, run
from grader.core.cache import Cache, user_cache
from grader.core.errors import GraderError, HostError
from grader.core.kind import kind_of, kinds_in
from grader.core.languages import TOOLCHAINS_FILE, shown_paths, toolchain, with_own
from grader.core.lazy import lazy_modules
from grader.core.model.execution import Execution, Launch, LaunchContext
from grader.core.model.spec import Case, Spec, Toolchain
from grader.core.model.values import Checks
from grader.core.reader.spec_cache import load_cached, read_data_cached
from grader.core.run.measuring import RetryAllowance, TimeLedger, WorkerSlots
from grader.core.sandbox import choose
from grader.core.sandbox.command import Sandbox
from grader.core.sandbox.self_test import failed_self_tests, trial

if TYPE_CHECKING:
    from grader.core.scoring import Scorer

_Conditions = oracle.answers.AskingConditions | None
_module = lazy_modules("grader.core")


class Course(Struct, frozen=True, kw_only=True):
    """What the submissions of one assignment share: the contract, the tools, the sandbox, the reference's answers."""

    spec: Spec
    toolchain: Toolchain
    versions: Mapping[str, str] = field(default_factory=dict)  # tools and packages of the spec -> their versions
    packages: Mapping[str, str] = field(default_factory=dict)  # those of the packages of Python alone
    all_toolchains: Mapping[str, Toolchain]  # those of all languages
    reference: Mapping[str, bytes] | HostError  # the files of all references, or why there are none
    secret: str = ""  # what is drawn for it comes from
    built: Mapping[str, Mapping[str, bytes] | HostError]  # a program or "" -> what its reference is started among
    sandbox: Sandbox
    checks: Checks  # the instructor's functions that judge where many answers are right
    scorers: "Mapping[str, Scorer]" = field(default_factory=dict)  # a test -> what gives its points
    prepared: Mapping[str, Any] = field(default_factory=dict)  # a kind -> what it made ready for all submissions
    cache: Cache
    slots: WorkerSlots
    cancelled: Event
    on_case_start: Callable[[Case], None] = lambda _: None  # is called with the case of each run when it begins
    work_seconds: float = 0.0  # that all commands of a submission may take together

    def toolchains(self) -> Collection[Toolchain]:
        """Return those of the languages in which the reference may be."""
        return build.artifact.candidate_toolchains(self.spec.reference or (), self.all_toolchains).values()

    def asked_in(self, case: Case) -> Self:
        """Return the same with the reference that answers in a case as its only one."""
        name = self.spec.reference_name(case)
        return self.with_reference(name) if name else self

    def with_reference(self, name: str) -> Self:
        """Return the same with the reference of that other program as its only one."""
        return replace(self, spec=self.spec.with_reference(name), built={"": self.built[name]})

    @property
    def surroundings(self) -> str:
        """What a command finds around it, in the keys of results: the level of the sandbox, and the packages."""
        return " ".join([self.sandbox.info.level, *(f"{name}={version}" for name, version in self.packages.items())])

    def context_of(self, case: Case) -> LaunchContext:
        """Return what the kind of a case needs to know to start the reference in it."""
        return LaunchContext(spec=self.spec, prepared=self.prepared.get(case.kind))

    def with_work_seconds(self, allowed: float | None) -> Self:
        """Return the same with so many seconds for each submission, if somebody says how many."""
        return self if allowed is None else replace(self, work_seconds=allowed)

    def showing(self, paths: Sequence[str]) -> Self:
        """Return the same whose commands see these paths of the machine, and not what the languages need."""
        return replace(self, sandbox=replace(choose(self.sandbox.info.level, paths), packages=self.sandbox.packages))

    def execute(self, launch: Launch) -> Execution:
        """Run one command in the sandbox, in parallel with those of other workers."""
        with self.slots.shared():
            return run.runner.execute(self.sandbox, launch, self.cancelled)

    def measure(self, launch: Launch) -> Execution:
        """Run one command, and again, alone, when the machine may be to blame for how it ended. Raises HostError."""
        (measured,) = self.measure_each((launch,))
        if isinstance(measured, HostError):
            raise measured
        return measured

    def measure_each(self, launches: Sequence[Launch], **how: Any) -> Generator[Execution | HostError, None, None]:
        """Run commands as `run.measuring.measure_each` does, which has the words for `how`."""
        return run.measuring.measure_each(self.sandbox, launches, self.cancelled, self.slots, **how)


class Again(Struct, frozen=True, kw_only=True):
    """How often a command is started again for one reason, and whose time that takes."""

    most: float = inf  # for a submission: of crashes and warnings all runs, of others those that showed nothing
    is_students: bool = False  # whether it takes of the student's time; all take of the machine's
    is_measured: bool = True  # whether it is measured again, alone, when the machine may be to blame for how it ended
    when_scarce: bool = True  # whether also when half of the machine's time is used up: the rest is for the cases


AGAIN: Mapping[str, Again] = {  # why a command is started after the first run of its case, but to measure again
    "together": Again(is_students=True),  # the cases of a test, in one run
    "inverted": Again(),  # one that passed, or is to be judged: in a way in which no honest program passes
    "inverted tests": Again(),  # the compiler of their language
    "inverted together": Again(when_scarce=False),  # the same where it takes as long as all cases
    "chance": Again(is_students=True),  # tests of a student's that noticed a wrong program, and are unsteady
    "watched": Again(),  # under a tool that watches its memory
    "crash": Again(most=5, is_measured=False, when_scarce=False),  # under a tool that sees why a signal ended it
    "warning": Again(most=1, is_measured=False),  # wrong: its sources, by a compiler that warns
    "lines": Again(most=5, is_measured=False, when_scarce=False),  # wrong, with a hint: to see which lines it reached
    "fault of the course": Again(is_measured=False),  # failed: the course's part of it, without the submission
}


class Attempt(Course, frozen=True, kw_only=True):
    """The course for one submission, and what that may use up. All that runs its code runs here."""

    retries: RetryAllowance
    ledger: TimeLedger  # what is left of the student's time, and of the machine's for everything that is started
    token: str = ""  # an unpredictable one for a probe; empty where each run gets another
    tried: Counter[str] = field(default_factory=Counter[str])  # the reason in `AGAIN` -> how often that has counted
    known: dict[str, Any] = field(default_factory=dict[str, Any])  # the reason -> what was found out once for all cases

    @classmethod
    def of(cls, course: Course, *, is_tuned: bool = True, **more: Any) -> Self:
        """Begin an attempt; unless `is_tuned`, without the options that make short programs faster."""
        ledger = TimeLedger.of(course.spec, course.toolchain, work=course.work_seconds)
        return cls(**asdict(course), retries=RetryAllowance(tuned=is_tuned), ledger=ledger, **more)

    def without_budget(self) -> Self:
        """Return the same without budgets, which would stop other cases in runs of other cases or order."""
        return replace(self, ledger=TimeLedger())

    def may_run(self, why: str) -> bool:
        """Whether a command may be started once more for a reason in `AGAIN`."""
        row = AGAIN[why]
        return self.tried[why] < row.most and (row.when_scarce or self.ledger.work_left >= self.ledger.work / 2)

    def run(self, why: str, launch: Launch) -> Execution:
        """Start a command again, for a reason in `AGAIN`, and charge what it takes. Raises HostError."""
        row, launch = AGAIN[why], replace(launch, kept=None)
        measured = self.measure(launch) if row.is_measured else self.execute(launch)
        if row.is_students:
            self.ledger.charge_run(measured)
        return measured

    def execute(self, launch: Launch) -> Execution:
        """Run one command in the sandbox, in parallel with those of other workers, in the time that is left."""
        given = self.ledger.cap(launch)
        return self.ledger.settle(launch, given, super().execute(given))

    def measure_each(self, launches: Sequence[Launch], **how: Any) -> Generator[Execution | HostError, None, None]:
        """Run commands of the submission as `Course.measure_each` does, in the time that is left."""
        return super().measure_each(launches, retries=self.retries, work=self.ledger, **how)


def prepare(
    spec_path: Path,
    *,
    sandbox: str = "auto",
    workers: int = 1,
    abreast: int = 1,
    cancelled: Event | None = None,
    on_load: Callable[[Spec], None] = lambda _: None,  # gets the spec while the sandbox comes up
) -> Course:
    """Make ready all for `workers` submissions, or one with cases `abreast`. Raises SpecError and HostError."""
    cancelled, cache = cancelled or Event(), user_cache()
    known = read_data_cached(TOOLCHAINS_FILE, cache)
    tried = choose(sandbox, shown_paths(toolchain(name, known) for name in known))
    with run.start.begin(run.start.start_program(tried, trial(tried.info.level), cancelled)) as trying:  # meanwhile
        spec = load_cached(spec_path, cache)
        on_load(spec)
        libraries = _module("python_packages").libraries_of_course_functions(spec) if spec.requires else ""
        load_checks = lru_cache(lambda: oracle.checks.load_checks(spec.root, libraries=libraries))
        languages = with_own(known, spec.languages)
        if broken := failed_self_tests(tried.info.level, run.runner.read_to_end(trying)):
            raise HostError(f"the sandbox does not hold here: {'; '.join(broken)}")
    # A thread that computes lets others attend to their programs: 5 ms, which Python has, are as long as a short run.
    sys.setswitchinterval(1e-4 if max(workers, abreast) > 1 else sys.getswitchinterval())
    reference = run.start.or_failure(oracle.answers.reference_files, spec)
    toolchains = {name: toolchain(name, languages) for name in languages}
    course = Course(
        spec=spec,
        toolchain=build.artifact.add_crashes_of_interpreters(toolchains[spec.toolchain], spec, toolchains),
        all_toolchains=toolchains,
        reference=reference,
        secret=_module("generate").find_secret(spec.root) if spec.seed else "",
        built={"": reference},
        checks=lambda asked, facts: load_checks()(asked, facts),  # noqa: PLW0108 - most specs have none
        sandbox=choose(sandbox, shown_paths(toolchains.values())) if spec.languages else tried,
        cache=cache,
        slots=WorkerSlots(workers, abreast if tried.runs_in_parallel else 1),
        cancelled=cancelled,
    )
    ready = generate_for(_with_references(_with_tools(course)))
    return replace(ready, work_seconds=run.measuring.default_work_seconds(ready.spec, ready.toolchain))


def _with_tools(course: Course) -> Course:
    """Return the course with the versions of the tools that its spec needs, its packages and its own programs."""
    spec, level = course.spec, course.sandbox.info.level
    tools = build.artifact.check_tools(spec, course.toolchain, course.cache, course.execute, level)
    if spec.requires:
        own, version = _module("python_packages"), tools.get(course.toolchain.version[0], "")
        packages = own.require_packages(spec, own.version_of_python(version))
        sandbox = replace(course.sandbox, packages=str(packages.folder))
        course = replace(course, packages=packages.versions, sandbox=sandbox)
    versions = {**{name: f"{name} {version}" for name, version in course.packages.items()}, **tools}
    course = replace(course, versions=versions)
    for kind in kinds_in(spec):
        course = kind.prepare(course)
    tests, around = [test for test in course.spec.tests if test.scoring], (course.cache, course.execute)
    if spec.has_validators:
        course = replace(course, checks=_module("validators").with_validators(course.checks, *around))
    return replace(course, scorers=_module("scoring").prepare_scorers(tests, *around)) if tests else course


def _with_references(course: Course) -> Course:
    """Return the course with its references built."""
    names = ("", *course.spec.references)
    return replace(course, built={name: run.start.or_failure(_build_reference, course, name) for name in names})


def _build_reference(course: Course, name: str) -> Mapping[str, bytes]:
    """Return the files among which the reference for the program of that name is started; empty is `reference`."""
    spec = course.spec.with_reference(name)
    around: dict[str, Any] = {"level": course.surroundings, "cache": course.cache, "run": course.execute}
    files = oracle.answers.reference_files(spec) if name or course.spec.references else course.reference
    if isinstance(files, HostError):
        raise files
    built = oracle.answers.build_reference(spec, files, **around)
    for kind in kinds_in(course.spec) if not name else ():
        built = {**built, **kind.prepare_build(course, built)}
    return built


def reference_execution(case: Case, course: Course, conditions: _Conditions = None) -> Execution | GraderError:
    """Return the reference's execution in `case`, under these `conditions`, even unasked; or why there is none."""
    own = partial(Course.execute, course)  # what the course runs is not the student's
    try:
        launch, files = _launch_reference(case, course)
        ask: dict[str, Any] = {"files": files, "run": own, "level": course.surroundings, "cache": course.cache}
        how: dict[str, Any] = {"toolchains": course.toolchains, "may_crash": case.expect.crash == "allowed"}
        ways = (earlier.ways[-1] for test in course.spec.tests for earlier in test.earlier(case))
        how["before"] = [_launch_reference(way, course) for way in ways if course.spec.reference_name(way) is not None]
        answer = oracle.answers.ask_reference(launch, conditions=conditions, **how, **ask)
        reads_input = not conditions and launch.stdin and launch.stdin == case.stdin
        prompts = _module("deviations.sentences") if reads_input and case.tolerate.get("prompt") else None
        if prompts and prompts.may_have_prompt(answer.stdout, case.stdin):
            answer = replace(answer, prompt=prompts.open_prompt(oracle.answers.output_without_input(launch, **ask)))
        return kind_of(case).read_record(answer, case, launch)
    except GraderError as error:
        return error


def _launch_reference(case: Case, course: Course) -> tuple[Launch, Mapping[str, bytes]]:
    """Return what is started of the reference in a case, and its own files. Raises HostError where there is none."""
    asked = course.asked_in(case)
    if isinstance(files := asked.built[""], HostError):
        raise files
    return run.runner.launch_reference(case, asked.context_of(case)), files


def generate_for(course: Course, student: str = "") -> Course:
    """Return the course with all that is drawn for the submission of that id, or for none. Raises HostError."""
    if course.spec.has_generated_inputs:
        course = _module("generate").generate_for_submission(course, student)
    for kind in kinds_in(course.spec):
        course = kind.prepare_submission(course, student) if kind.prepare_submission else course
    return course
