"""What the submissions of one assignment share, made ready once: the first stage of the pipeline, and all it needs."""

import sys
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any, Self

from msgspec import Struct, field
from msgspec.structs import replace

from grader.core import build, oracle, run
from grader.core.cache import Cache, user_cache
from grader.core.errors import HostError
from grader.core.kind import KINDS, LaunchContext, kinds_in
from grader.core.languages import TOOLCHAINS_FILE, shown_paths, toolchain, with_own
from grader.core.lazy import lazy_modules
from grader.core.model.checks import Checks
from grader.core.model.execution import Execution, Launch
from grader.core.model.spec import Case, Spec
from grader.core.model.toolchain import Toolchain
from grader.core.reader.spec_cache import load_cached, read_data_cached
from grader.core.sandbox import choose
from grader.core.sandbox.interface import Sandbox
from grader.core.sandbox.self_test import failed_self_tests, trial

if TYPE_CHECKING:
    from grader.core.scoring import Scorer

_module = lazy_modules("grader.core")


class Course(Struct, frozen=True, kw_only=True):
    """What the submissions of one assignment share: the contract, the tools, the sandbox, the reference's answers."""

    spec: Spec
    toolchain: Toolchain
    versions: Mapping[str, str] = field(default_factory=dict)
    """the tools and packages that the spec needs -> their versions"""
    packages: Mapping[str, str] = field(default_factory=dict)  # those of the packages of Python alone
    all_toolchains: Mapping[str, Toolchain]  # those of all languages
    reference: Mapping[str, bytes] | HostError  # the files of all references, or why there are none
    secret: str = ""  # what is drawn for it comes from
    built: Mapping[str, Mapping[str, bytes] | HostError]
    """the name of a program, or "" -> the files among which its reference is started, or why there are none"""
    sandbox: Sandbox
    checks: Checks  # the instructor's functions that judge where many answers are right
    scorers: "Mapping[str, Scorer]" = field(default_factory=dict)
    """the name of a test -> the programs that give its points"""
    prepared: Mapping[str, Any] = field(default_factory=dict)
    """the name of a kind of case -> what it made ready for all submissions, such as a compiled probe"""
    cache: Cache
    slots: run.measuring.WorkerSlots
    cancelled: Event
    on_case_start: Callable[[Case], None] = lambda _: None  # hears of each run of a case when it begins
    work_seconds: float | None = None
    """the seconds that all commands of a submission may take together; None for what its limits come to"""

    @property
    def toolchains(self) -> Mapping[str, Toolchain]:
        """Those of the languages in which the reference may be."""
        return build.toolchains.candidate_toolchains(self.spec.reference or (), self.all_toolchains)

    @property
    def reference_built(self) -> Mapping[str, bytes] | HostError:
        """The files among which the spec's `reference` is started, or why there are none."""
        return self.built[""]

    def asked_in(self, case: Case) -> Self:
        """Return the same with the reference that answers in a case as its only one."""
        return self.with_reference(self.spec.reference_name(case) or "")

    def with_reference(self, name: str) -> Self:
        """Return the same with the reference of another program as its only one; an empty name is the program's own."""
        return replace(self, spec=self.spec.with_reference(name), built={"": self.built[name]}) if name else self

    @property
    def surroundings(self) -> str:
        """What a command finds around it, in the keys of results: the level of the sandbox, and the packages."""
        return " ".join([self.sandbox.info.level, *(f"{name}={version}" for name, version in self.packages.items())])

    def context_of(self, case: Case) -> LaunchContext:
        """Return what the kind of a case needs to know to start the reference in it."""
        return LaunchContext(spec=self.spec, prepared=self.prepared.get(case.kind))

    def with_work_seconds(self, allowed: float | None) -> "Course":
        """Return the same with so many seconds for each submission; None for what its limits come to."""
        return replace(self, work_seconds=allowed)

    def showing(self, paths: Sequence[str]) -> Self:
        """Return the same whose commands see these paths of the machine, and not what the languages need."""
        shown = choose(self.sandbox.info.level, paths)
        return replace(self, sandbox=replace(shown, packages=self.sandbox.packages))

    def execute(self, launch: Launch) -> Execution:
        """Run one command in the sandbox, in parallel with those of other workers."""
        with self.slots.shared():
            return run.runner.execute(self.sandbox, launch, self.cancelled)

    def measure(self, launch: Launch) -> Execution:
        """Run one command, and again, alone, when the machine may be to blame for how it ended. Raises HostError."""
        (found,) = self.measure_each((launch,))
        if isinstance(found, HostError):
            raise found
        return found

    def measure_each(
        self, launches: Sequence[Launch], policy: run.measuring.RunPolicy | None = None, **charged: Any
    ) -> Generator[Execution | HostError, None, None]:
        """Run commands as `run.measuring.measure_each` does; `charged` are what they may use up."""
        return run.measuring.measure_each(self.sandbox, launches, self.cancelled, self.slots, policy=policy, **charged)


_SWITCH_SECONDS = 1e-4
"""after which a thread that computes lets another one go on, which has to attend to its program; Python's own 5 ms,
several times for each case, are as long as a short program runs"""


def prepare(
    spec_path: Path,
    *,
    sandbox: str = "auto",
    workers: int = 1,
    abreast: int = 1,
    cancelled: Event | None = None,
    on_load: Callable[[Spec], None] = lambda _: None,
) -> Course:
    """Load the spec and make ready all that grading needs, for `workers` submissions, or one with cases `abreast`.

    `on_load` gets the spec while the sandbox still comes up. Raises SpecError, and HostError when a tool is missing.
    """
    cancelled, cache = cancelled or Event(), user_cache()
    known = read_data_cached(TOOLCHAINS_FILE, cache)
    tried = choose(sandbox, shown_paths(toolchain(name, known) for name in known))
    with _sandbox_tried(tried, cancelled):
        spec = load_cached(spec_path, cache)
        on_load(spec)
        libraries = _module("python_packages").libraries_of_course_functions(spec) if spec.requires else ""
        checks = oracle.checks.load_checks(spec.root, libraries=libraries)
        languages = with_own(known, spec.languages)
    sys.setswitchinterval(_SWITCH_SECONDS if max(workers, abreast) > 1 else sys.getswitchinterval())
    reference = run.start.or_failure(oracle.reference.reference_files, spec)
    toolchains = {name: toolchain(name, languages) for name in languages}
    course = Course(
        spec=spec,
        toolchain=build.toolchains.add_crashes_of_interpreters(toolchain(spec.toolchain, languages), spec, toolchains),
        all_toolchains=toolchains,
        reference=reference,
        secret=_module("generate").find_secret(spec.root) if spec.seed else "",
        built={"": reference},
        checks=checks,
        sandbox=choose(sandbox, shown_paths(toolchains.values())),
        cache=cache,
        slots=run.measuring.WorkerSlots(workers, abreast if tried.runs_in_parallel else 1),
        cancelled=cancelled,
    )
    return generate_for(with_references(_with_tools(course)))


@contextmanager
def _sandbox_tried(sandbox: Sandbox, cancelled: Event) -> Iterator[None]:
    """Try the sandbox while the block is done, and from before it; raise HostError behind it when it does not hold."""
    level = sandbox.info.level
    with run.start.begin(run.start.start_program(sandbox, trial(level), cancelled)) as trying:
        yield
        tried = run.runner.read_to_end(trying)
    if broken := failed_self_tests(level, tried):
        raise HostError(f"the sandbox does not hold here: {'; '.join(broken)}")


def _with_tools(course: Course) -> Course:
    """Return the course with the tools that its spec needs, each of which was found, and with what it runs in them."""
    kinds, spec = kinds_in(course.spec), course.spec
    level = course.sandbox.info.level
    found = build.toolchains.check_tools(spec, course.toolchain, course.cache, course.execute, level)
    if spec.requires:
        own, version = _module("python_packages"), found.get(course.toolchain.version[0], "")
        packages = own.require_packages(spec, own.version_of_python(version))
        course = replace(
            course, packages=packages.versions, sandbox=replace(course.sandbox, packages=str(packages.folder))
        )
    versions = {**{name: f"{name} {version}" for name, version in course.packages.items()}, **found}
    for kind in kinds:
        versions |= kind.run.versions(course)
    course = replace(course, versions=versions)
    for kind in kinds:
        course = kind.run.prepare(course)
    tests, around = [test for test in course.spec.tests if test.scoring], (course.cache, course.execute)
    if spec.has_validators:
        course = replace(course, checks=_module("validators").with_validators(course.checks, *around))
    return replace(course, scorers=_module("scoring").prepare_scorers(tests, *around)) if tests else course


def with_references(course: Course, conditions: oracle.conditions.AskingConditions | None = None) -> Course:
    """Return the course with its references built; under `conditions` once more, as far as that succeeds."""
    built = {
        name: run.start.or_failure(_build_reference, course, name, conditions) for name in ("", *course.spec.references)
    }
    if conditions:
        built = {name: course.built[name] if isinstance(files, HostError) else files for name, files in built.items()}
    return replace(course, built=built)


def _build_reference(
    course: Course, name: str, conditions: oracle.conditions.AskingConditions | None
) -> Mapping[str, bytes]:
    """Return the files among which the reference for the program of that name is started; empty is `reference`."""
    spec = course.spec.with_reference(name)
    around: dict[str, Any] = {"level": course.surroundings, "cache": course.cache, "run": course.execute}
    files = oracle.reference.reference_files(spec)
    built = oracle.reference.build_reference(spec, files, conditions=conditions, **around)
    for kind in kinds_in(course.spec) if not name else ():
        built = {**built, **kind.run.prepare_build(course, built)}
    return built


def default_work_seconds(spec: Spec, toolchain: Toolchain) -> float:
    """Return how long a worker is busy with one submission at most, where nobody says how long."""
    cases = [case for test in spec.tests for case in test.cases]
    limits = [(case, run.launch.limits_of(toolchain.limits, case.limits)) for case in cases]
    build_limits = run.launch.limits_of(toolchain.build_limits, spec.build.limits if spec.build else {})
    further = sum(
        case.runs * KINDS[name].watch.further_seconds(case, own) for case, own in limits for name in case.also
    )
    # A case that passed may be run once more, and as long.
    further += sum(own.time for case, own in limits if KINDS[case.kind].run.invert)
    builds = build_limits.time if spec.build or spec.notebook else 0.0
    return run.ledger.usual_work(builds, run.ledger.time_allowed(spec, toolchain), further)


def generate_for(course: Course, student: str = "") -> Course:
    """Return the course with all that is drawn for the submission of that id, or for none. Raises HostError."""
    if course.spec.has_generated_inputs:
        course = _module("generate").generate_for_submission(course, student)
    for kind in kinds_in(course.spec):
        course = kind.run.prepare_submission(course, student) if kind.run.prepare_submission else course
    return course
