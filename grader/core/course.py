"""What the submissions of one assignment share, made ready once: the first stage of the pipeline, and all it needs."""

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from grader.core import build, oracle, run
from grader.core.cache import Cache, user_cache
from grader.core.errors import HostError
from grader.core.model import (
    Case,
    Checks,
    Execution,
    Launch,
    Spec,
    StyleTool,
    Toolchain,
)
from grader.core.reader.spec_cache import can_be_given, load_cached, load_generated, read_data_cached
from grader.core.sandbox import Sandbox, choose, failed_self_tests, trial
from grader.kinds import source_rules as review
from grader.kinds.interactive.judge import read_validator_result

if TYPE_CHECKING:
    from grader.core.run.run_cache import RunCache


class Course(Struct, frozen=True, kw_only=True):
    """What the submissions of one assignment share: the contract, the tools, the sandbox, the reference's answers."""

    spec: Spec
    toolchain: Toolchain
    versions: Mapping[str, str]
    toolchains: Mapping[str, Toolchain]
    """those of the languages in which the reference may be"""
    reference: Mapping[str, bytes] | HostError
    """its files, or why there are none"""
    secret: str = ""
    """what is drawn for it comes from"""
    reference_built: Mapping[str, bytes] | HostError
    """the files among which it is started, or why there are none"""
    sandbox: Sandbox
    checks: Checks
    """the instructor's functions that judge where many answers are right"""
    probe: run.calls.Probe | None
    """what calls functions; None when the spec asks for no calls"""
    cache: Cache
    room: run.WorkerSlots
    unit_probe: Mapping[str, bytes] = field(default_factory=dict)
    """what runs unit tests, where that had to be compiled"""
    cancelled: Event = field(default_factory=Event)
    begun: Callable[[Case], None] = lambda _: None
    """hears of each run of a case when it begins"""
    doubts: run.RetryAllowance | None = None
    """what is left of them for the submission at hand; None for whoever works on no single one"""
    budget: run.TimeBudget | None = None
    """what is left of it for the submission at hand; None for whoever runs other cases, or in another order"""
    recall: "RunCache | None" = None
    """what the commands of the submission at hand came to before; None for whoever has them all run"""

    def execute(self, launch: Launch) -> Execution:
        """Run one command in the sandbox, beside what others run."""
        return self.recall.execute(launch, self._execute) if self.recall else self._execute(launch)

    def _execute(self, launch: Launch) -> Execution:
        with self.room.shared():
            return run.execute(self.sandbox, launch, self.cancelled)

    def measure(self, launch: Launch, tool: StyleTool | None = None) -> Execution:
        """Run one command as `execute` does, and again, alone, when the machine may be to blame for how it ended.

        A `tool` sees of the machine what it needs itself.
        """
        if tool:
            sandbox = choose(self.sandbox.info.level, review.shown_to_tool(tool))
            (found,) = run.measure_each(sandbox, (launch,), self.cancelled, self.room)
        else:
            (found,) = replace(self, doubts=None).measure_each((launch,))
        if isinstance(found, HostError):
            raise found
        return found

    def measure_each(
        self,
        launches: Sequence[Launch],
        begun: Callable[[int], None] = lambda _: None,
        enough: Callable[[Sequence[Execution | HostError]], bool] = lambda _: False,
    ) -> Generator[Execution | HostError, None, None]:
        """Run commands of the submission at hand as `run.measure_each` does."""
        measure = partial(run.measure_each, self.sandbox, cancelled=self.cancelled, room=self.room, doubts=self.doubts)
        if self.recall is None:
            return measure(launches, begun=begun, enough=enough)
        return self.recall.measure_each(launches, lambda left, begun: measure(left, begun=begun), begun, enough)


def prepare(
    spec_path: Path, *, sandbox: str = "auto", workers: int = 1, abreast: int = 1, cancelled: Event | None = None
) -> Course:
    """Load the spec and make ready all that grading needs, for `workers` submissions at a time.

    A single one may run so many cases `abreast`, where the sandbox keeps them apart. Raises SpecError for a spec with
    mistakes, and HostError when the sandbox or a tool is missing.
    """
    cancelled, cache = cancelled or Event(), user_cache()
    level = choose(sandbox).info.level
    with _sandbox_tried(sandbox, cancelled):
        spec = load_cached(spec_path, cache)
        checks = oracle.load_checks(spec.root)
        languages = build.with_own(read_data_cached(build.TOOLCHAINS_FILE, cache), spec.languages)
    reference = _reference_files(spec)
    toolchains = {name: build.toolchain(name, languages) for name in languages}
    course = Course(
        spec=spec,
        toolchain=build.toolchain(spec.language, languages),
        versions={},
        toolchains=build.candidate_toolchains(spec.reference or (), toolchains),
        reference=reference,
        secret=oracle.find_secret(spec.root) if spec.seed else "",
        reference_built=reference,
        checks=checks,
        # What every language has to see of the machine, since the reference may be in another one.
        sandbox=choose(sandbox, tuple(path for toolchain in toolchains.values() for path in toolchain.show)),
        probe=None,
        cache=cache,
        room=run.WorkerSlots(workers, abreast if level == "full" else 1),
        cancelled=cancelled,
    )
    course = _with_tools(course)
    return generate_for(replace(course, reference_built=_built_reference(course)))


@contextmanager
def _sandbox_tried(sandbox: str, cancelled: Event) -> Iterator[None]:
    """Try the sandbox, which comes up while the block is done; raise HostError behind it when it does not hold."""
    level = choose(sandbox).info.level
    with run.start_program(choose(sandbox), trial(level), cancelled) as trying:
        yield
        tried = run.finish(run.begin(trying))
    if broken := failed_self_tests(level, tried):
        raise HostError(f"the sandbox does not hold here: {'; '.join(broken)}")


def _with_tools(course: Course) -> Course:
    """Return the course with the tools that its spec needs, each of which was found, and with what it runs in them."""
    spec, level = course.spec, course.sandbox.info.level
    review.check_grammars(spec)
    run.check_watching(spec, level)
    versions = {
        **build.check_tools(spec, course.toolchain, course.cache, course.execute, level),
        **review.style_versions(spec, course.cache, lambda tool: partial(course.measure, tool=tool)),
    }
    return replace(
        course,
        versions=versions,
        probe=run.calls.ready_probe(spec, versions, course.cache, course.execute),
        unit_probe=run.units.ready_units(spec, versions, course.cache, course.execute),
        checks=run.with_validators(course.checks, read_validator_result, course.cache, course.execute),
    )


def generate_for(course: Course, student: str = "") -> Course:
    """Return the course with all that is drawn for the submission of that id, or for none.

    Raises HostError when something of the course that draws fails.
    """
    spec = load_generated(course.spec, oracle.seed_for(course.spec, course.secret, student))
    spec = oracle.draw(spec, can_be_given, course.execute, course.cache)
    return replace(course, spec=run.build_interactors(spec, course.cache, course.execute))


def _reference_files(spec: Spec) -> Mapping[str, bytes] | HostError:
    try:
        return oracle.reference_files(spec)
    except HostError as error:
        return error


def _built_reference(course: Course) -> Mapping[str, bytes] | HostError:
    if isinstance(course.reference, HostError):
        return course.reference
    level, cache, execute = course.sandbox.info.level, course.cache, course.execute
    try:
        built = oracle.build_reference(course.spec, course.reference, level=level, cache=cache, run=execute)
        return run.with_libraries(course.spec, built, cache, execute)
    except HostError as error:
        return error
