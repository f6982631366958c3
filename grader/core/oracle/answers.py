"""The reference and its execution in a case: built once, run once, also under other conditions, and cached."""

import os
import re
import stat
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import Literal, Self

from msgspec import Struct
from msgspec.structs import replace

from grader.core.cache import Cache, content_digest
from grader.core.course_programs import build_program, last_output_lines, program_identity
from grader.core.errors import CourseProgramError, HostError
from grader.core.languages import locate_tool
from grader.core.lazy import lazy_call
from grader.core.model.execution import INTERACTOR_ACCEPTS, INTERACTOR_REFUSES, Execution, Launch, Runner, SandboxPlace
from grader.core.model.layout import java_class_path, matches_glob
from grader.core.model.limits import LimitOverrides, Limits, at_least, limit_sentence
from grader.core.model.spec import Spec, Toolchain
from grader.core.notebook import NotebookError, is_notebook, module_name, read_cells, to_linear_source, written_source
from grader.core.text import closing_line, size

Clock = Literal["past", "present", "idle"]  # the past is 400 days off: each part of a date differs
_CLOCK_SOURCE = Path(__file__).with_name("other_clock.c")
_CLOCK_DEFINITIONS: Mapping[Clock, Sequence[str]] = {
    "past": ("-DSHIFT=-34578431",),
    "present": ("-DSHIFT=0",),
    "idle": ("-DSHIFT=0", "-DALL_PROCESSORS"),  # it changes nothing, and is seen as the others are
}
_CLOCK_FILE = ".grader-clock.so"
_ONE_PROCESSOR = "/usr/bin/taskset"  # starts a program that may use some of the processors alone (util-linux)
_AS_CHILD = ("/bin/sh", "-c", '"$@"; exit $?', "sh")
_COMPILER_LIMITS = Limits(time=60, cpu=60, memory=2**30, processes=64)
_JAVA_HASH_CODES = ("0", "2", "3")  # modes of `-XX:hashCode`; the usual one gives the same codes in each run
# What is in the output of a program that shows its environment or folder, or that does not start with what was added.
# make reports a clock skew, since every file is newer than the other clock.
_CLOCK_MARKS = (b"LD_PRELOAD", _CLOCK_FILE.encode(), b"Clock skew detected")
_MARKS = (b"PYTHONHASHSEED", b"PERL_HASH_SEED", b"PERL_PERTURB", b"MALLOC_PERTURB_", b"VM option")


class AskingConditions(Struct, frozen=True, kw_only=True):
    """What is different when the reference is asked once more; without any of it, that is a plain further run."""

    turn: int = 1  # distinguishes runs under conditions that are otherwise the same
    place: SandboxPlace = SandboxPlace()  # only at the level `full`; elsewhere each run has another folder anyway
    hash_seed: int | None = None
    """decides the order of hash tables in Python and Perl, and the identity hash codes of Java; None leaves them"""
    fill: int | None = None  # the byte in memory that was never set, with the GNU C library; None leaves it
    reverses_files: bool = False  # whether its files are made, and so listed, in the other order
    processors: str = ""  # the numbers of the processors that it may use; empty for all
    is_child: bool = False  # whether a shell starts it and waits for it, so that its process has another number
    locale: str = ""  # the value of LANG; empty for the usual one
    clock: Clock | None = None
    clock_library: bytes = b""  # what shows that time to a program; see `clock_library_for`

    @property
    def key(self) -> object:
        """What distinguishes answers under these conditions from others, besides the launch itself."""
        return [self.turn, self.place, self.clock, self.reverses_files]

    @property
    def env(self) -> dict[str, str]:
        """The environment variables that bring the conditions about."""
        seed = "" if self.hash_seed is None else str(self.hash_seed)
        variables = {
            **({"PYTHONHASHSEED": seed, "PERL_HASH_SEED": seed, "PERL_PERTURB_KEYS": "0"} if seed else {}),
            "MALLOC_PERTURB_": "" if self.fill is None else str(self.fill),
            "LANG": self.locale,
            "LD_PRELOAD": f"{self.place.work}/{_CLOCK_FILE}" if self.clock_library else "",
        }
        return {name: value for name, value in variables.items() if value}

    def apply(self, launch: Launch) -> Launch:
        """Return what is started under these conditions; what a case itself sets in the environment stays."""
        argv, files = launch.argv, dict(launch.files)
        if self.hash_seed is not None and PurePosixPath(argv[0]).name == "java":
            mode = _JAVA_HASH_CODES[self.hash_seed % len(_JAVA_HASH_CODES)]
            argv = (argv[0], "-XX:+UnlockExperimentalVMOptions", f"-XX:hashCode={mode}", *argv[1:])
        if self.reverses_files:
            files = dict(reversed(files.items()))
        if self.processors:
            argv = (_ONE_PROCESSOR, "--cpu-list", self.processors, *argv)
        # The shell would be ended by Ctrl-C too, and has the streams open that the program closes.
        if self.is_child and not (launch.terminal or launch.dialogue or launch.interactor):
            argv = (*_AS_CHILD, *argv)
        if self.clock_library:
            files[_CLOCK_FILE] = self.clock_library
        return replace(launch, argv=argv, preload="", files=files, env={**self.env, **launch.env}, place=self.place)

    def restore(self, execution: Execution) -> Execution:
        """Return what happened without the file that was added to the working folder."""
        if not self.clock_library:
            return execution
        files = {name: content for name, content in execution.files.items() if name != _CLOCK_FILE}
        return replace(execution, names=tuple(name for name in execution.names if name != _CLOCK_FILE), files=files)

    def hidden_from(self, text: bytes) -> Self:
        """Return the conditions without those of which the output of a program, `text`, has traces."""
        clock = {"clock": None, "clock_library": b""} if any(mark in text for mark in _CLOCK_MARKS) else {}
        rest = {"hash_seed": None, "fill": None, "locale": ""} if any(mark in text for mark in _MARKS) else {}
        return replace(self, **clock, **rest)


def one_processor() -> str:
    """Return the number of one processor that we may use; empty where there is only one."""
    ours = os.sched_getaffinity(0)
    return str(max(ours)) if len(ours) > 1 and os.access(_ONE_PROCESSOR, os.X_OK) else ""


def clock_library_for(clock: Clock, *, level: str, cache: Cache, run: Runner) -> bytes:
    """Return the library that shows another time to a program; nothing where this machine cannot compile it."""
    compiler = next((name for name in ("gcc", "cc", "clang") if locate_tool(name)), "")
    if not compiler:
        return b""
    flags = ("-shared", "-fPIC", "-O1", *_CLOCK_DEFINITIONS[clock])
    try:
        built = build_program(
            "the clock of the reference",
            [(compiler, *flags, "-o", _CLOCK_FILE, _CLOCK_SOURCE.name, "-ldl")],
            {_CLOCK_SOURCE.name: _CLOCK_SOURCE.read_bytes()},
            produces=(_CLOCK_FILE,),
            limits=_COMPILER_LIMITS,
            level=level,
            cache=cache,
            run=run,
        )
    except HostError:
        return b""
    return built[_CLOCK_FILE].ljust(2**16, b"\0")  # as long whatever it changes: a program may look at the sizes


_WIDE_LIMITS = Limits(time=120, cpu=120, memory=2 * 2**30, output=64 * 2**20, processes=256)
"""wide, and the same for every case, but where a spec allows more: how long it takes is no student's concern"""
_STEP_PATIENCE = 10.0  # seconds for one step of a dialogue that sets no time itself
_PROMPT_LIMITS = Limits(time=10, cpu=5, memory=2 * 2**30, output=2**20, processes=256)  # of a run without any input
_DECISIVE = (  # the fields of a launch on which the answer depends, besides its files and environment
    *("argv", "stdin", "terminal", "dialogue", "screen", "interactor", "is_output_validator", "passes", "roles"),
    *("collect", "list_files", "limits"),
)
_NOT_STARTED = (126, 127)
_digest_of = lru_cache(maxsize=64)(content_digest)


def wide_limits(asked: LimitOverrides) -> Limits:
    """Return the limits of the reference, where a spec asks for some: never less than is wide."""
    return at_least(_WIDE_LIMITS, asked)


def ask_reference(
    launch: Launch,
    *,
    files: Mapping[str, bytes],
    before: Sequence[tuple[Launch, Mapping[str, bytes]]] = (),
    toolchains: Callable[[], Iterable[Toolchain]] = tuple,
    may_crash: bool = False,
    run: Runner,
    level: str = "full",
    cache: Cache,
    conditions: AskingConditions | None = None,
) -> Execution:
    """Return what the reference does with the arguments, input and files of `launch`, perhaps under other conditions.

    `files` are the reference's own; `before` is run first, in the same working folder; `toolchains` returns those that
    recognise an uncaught exception, which is an answer where it `may_crash`; `level` is the sandbox's: an answer
    without one is not used within one. Raises HostError, with what it wrote on standard error, when it fails.
    """
    steps = [*before, (launch, files)]
    started = [_reference_launch(step, own, conditions) for step, own in steps]
    keys = [
        _key_of_answer(asked, own, level, program=step.argv[0], may_crash=may_crash)
        for asked, (step, own) in zip(started, steps, strict=True)
    ]
    asked, key = started[-1], keys if before else keys[0]

    def find() -> Execution:
        execution = _run_in_order(started, [own for _, own in steps], run) if before else run(asked)
        execution, languages = conditions.restore(execution) if conditions else execution, tuple(toolchains())
        if fault := _describe_fault(execution, languages, may_crash=may_crash):
            if crash := _describe_crash_of_interactor(execution, asked, languages):
                raise CourseProgramError(*crash)
            place = _own_line(execution.complaints, files, languages)
            output = last_output_lines(execution.complaints)
            raise CourseProgramError(f"the reference failed ({' '.join(asked.argv)}): {fault}{place}", output)
        return execution

    return cache.get_or_make([key, conditions.key] if conditions else key, Execution, find)


def _reference_launch(launch: Launch, own: Mapping[str, bytes], conditions: AskingConditions | None) -> Launch:
    """Return what is started among the reference's own files, with much room, under the conditions."""
    dialogue = tuple(replace(step, within=step.within or _STEP_PATIENCE) for step in launch.dialogue)
    limits = wide_limits({name: getattr(launch.limits, name) for name in Limits.__struct_fields__})
    asked = replace(launch, folder=None, files={**launch.files, **own}, dialogue=dialogue, limits=limits)
    return conditions.apply(asked) if conditions else asked


def _run_in_order(launches: Sequence[Launch], own: Sequence[Mapping[str, bytes]], run: Runner) -> Execution:
    """Run commands in one working folder, each with its own files; return what the last, or an inconclusive one did."""
    known = dict[str, bytes]()  # with contents: another reference may have files of the same names
    with lazy_call("tempfile", "TemporaryDirectory")(prefix="grader-") as folder:
        for place, (launch, files) in enumerate(zip(launches, own, strict=True)):
            given = {name: data for name, data in launch.files.items() if name not in files or known.get(name) != data}
            before, after = (Path(folder, str(number % 2)) for number in (place - 1, place))
            execution = run(replace(launch, files=given, folder=before if place else None, kept=after))
            known |= given
            if execution.is_inconclusive:
                break
    return execution


def _describe_crash_of_interactor(
    execution: Execution, asked: Launch, languages: Iterable[Toolchain]
) -> tuple[str, str] | None:
    """Return how the interactor crashed and what it wrote, where that ended the reference; None where it did not."""
    interaction, interactor = execution.interaction, asked.interactor
    decided = (INTERACTOR_ACCEPTS, INTERACTOR_REFUSES, None)  # or was ended
    if not interaction or not interactor or interaction.first != "interactor" or interaction.status in decided:
        return None
    last = interaction.stderr.decode(errors="backslashreplace").strip().rpartition("\n")[2]
    name = next((word for word in interactor.argv if word in interactor.files), interactor.argv[0])
    sentence = f"the interactor {name} crashed: {last or f'it ended with status {interaction.status}'}"
    return sentence + _own_line(interaction.stderr, interactor.files, languages), last_output_lines(interaction.stderr)


def output_without_input(
    launch: Launch, *, files: Mapping[str, bytes], run: Runner, level: str = "full", cache: Cache
) -> bytes:
    """Return what the reference writes without any input; nothing if it does not end then."""
    asked = replace(launch, folder=None, files={**launch.files, **files}, stdin=b"", limits=_PROMPT_LIMITS)

    def find() -> bytes:
        execution = run(asked)
        if execution.limit or execution.is_inconclusive:
            raise CourseProgramError("the reference does not end without input", "")
        return execution.stdout

    try:
        key = _key_of_answer(asked, files, level, program=asked.argv[0], may_crash=True)
        return cache.get_or_make(["prompt", key], bytes, find)
    except CourseProgramError:
        return b""


def _key_of_answer(asked: Launch, own: Mapping[str, bytes], level: str, *, program: str, may_crash: bool) -> object:
    """Return everything on which the reference's answer depends; `program` is what is started in the end."""
    return {
        **{name: getattr(asked, name) for name in _DECISIVE},
        "env": dict(asked.env),
        # The reference's own files are there for all cases: their digests are stored.
        "files": {name: (_digest_of if name in own else content_digest)(data) for name, data in asked.files.items()},
        "level": level,
        "interpreter": program_identity(program),
        "may_crash": may_crash,
    }


def _own_line(errors: bytes, files: Mapping[str, bytes], toolchains: Iterable[Toolchain]) -> str:
    """Return the innermost line of its files that an exception names: ", in line 7 of reference/a.py"."""
    names = {name.rpartition("/")[2]: name for name in files}
    for toolchain in toolchains:
        frames = [match for pattern in toolchain.frames for match in re.finditer(pattern.encode(), errors)]
        for frame in reversed(frames) if toolchain.frames_inwards else frames:
            if name := names.get(frame["file"].decode(errors="replace")):
                return f", in line {frame['line'].decode()} of {name}"
    return ""


def _describe_fault(execution: Execution, toolchains: Iterable[Toolchain], *, may_crash: bool) -> str | None:
    execution = execution.truncated_to_script_end  # how it ends once we closed its input is no failure
    last = closing_line(execution.complaints.strip()).decode(errors="backslashreplace")
    if stop := execution.stop:
        awaited = "the end of its output" if stop.step.do == "eof" else f"`{stop.step.text}`"
        return f"step {stop.number} of the dialogue failed: {awaited} did not come"
    if execution.limit:
        most = size(execution.limits.output)
        excess = f"wrote more than {most}; set `output` under the test's `limits` to what it needs"
        return f"it {excess if execution.limit == 'output' else limit_sentence(execution.limit)}"
    if execution.signal is not None:
        return f"ended by signal {execution.signal}"
    if execution.status in _NOT_STARTED:
        return last or "it could not be started"
    errors = execution.complaints if execution.status else b""
    patterns = (pattern for tool in toolchains for pattern in (tool.unreadable if may_crash else tool.crash))
    match = next(filter(None, (re.search(pattern.encode(), errors, re.MULTILINE) for pattern in patterns)), None)
    if not match or not last[:1].isspace():
        return last if match else None
    # If an exception begins with its name, and not with its place, that line is reported.
    return errors[errors.rfind(b"\n", 0, match.start()) + 1 :].partition(b"\n")[0].decode(errors="backslashreplace")


# ---------------- The reference itself: its files, and what is built of them


_MAX_REFERENCE_BYTES = 32 * 2**20
_BUILT = (b"\x7fELF", b"\xca\xfe\xba\xbe")  # how programs and classes begin


def reference_files(spec: Spec) -> Mapping[str, bytes]:
    """Return the files of all references, in the folders of the files that their commands name; raises HostError."""
    files: dict[str, bytes] = {}
    room = _MAX_REFERENCE_BYTES
    views = (spec.with_reference(name) for name in ("", *spec.references))
    for path in dict.fromkeys(path for view in views for path in _named_files(view)):
        try:
            content = path.read_bytes()
        except OSError as error:
            raise HostError(f"{path}, a file of the reference, cannot be read: {error.strerror}") from error
        if (room := room - len(content)) < 0:
            raise HostError(f"{path.parent} holds more than 32 MiB; a reference needs a folder of its own")
        files[path.relative_to(spec.root).as_posix()] = content
    return {**_modules_of(files), **files}


def _modules_of(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return a module for each notebook of a reference: its cells one below the other. Raises HostError."""
    modules = {}
    for name in filter(is_notebook, files):
        try:
            modules[module_name(name)] = to_linear_source(read_cells(files[name]))
        except NotebookError as error:
            raise HostError(f"{name}, a file of the reference, cannot be read: {error}") from error
    return modules


def _named_files(spec: Spec) -> Iterable[Path]:
    if work := spec.reference_work:
        for name in work.files:
            if not (spec.root / name).is_file():
                raise HostError(f"the reference is missing: there is no {name} in {spec.root}")
        yield from _all_inside(spec.root / work.folder) if work.folder else [spec.root / name for name in work.files]
        return
    folders: set[Path] = set()
    for word in spec.reference or ():
        path = written_source(Path(os.path.normpath(spec.root / word)))
        if "/" in word and not path.exists() and path.is_relative_to(spec.root):
            raise HostError(f"the reference is missing: there is no {word} in {spec.root}")
        if path.is_file() and path.is_relative_to(spec.root):
            folders.add(path.parent if path.parent != spec.root else path)
    for folder in sorted(folders):
        yield from _all_inside(folder) if folder.is_dir() else [folder]


def _all_inside(folder: Path) -> Iterable[Path]:
    inside = (path for path in sorted(folder.rglob("*")) if "__pycache__" not in path.parts)
    return (path for path in inside if stat.S_ISREG(path.lstat().st_mode))


def _without_products(spec: Spec, files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Leave out earlier products of the build: they are as new as their sources here, so `make` would keep them."""
    products = (*(spec.build.produces if spec.build else ()), *(word.removeprefix("./") for word in spec.program[:1]))
    built = (name for name, content in files.items() if content.startswith(_BUILT))
    stale = {name for name in built if any(matches_glob(name, pattern) for pattern in products)}
    return {name: content for name, content in files.items() if name not in stale}


def build_reference(
    spec: Spec, files: Mapping[str, bytes], *, level: str, cache: Cache, run: Runner
) -> Mapping[str, bytes]:
    """Return what the reference is started among: its `files`, or the folder in which it is built.

    Raises HostError, with what its build wrote, when that fails.
    """
    work = spec.reference_work
    jars = {name: spec.build.files[name] for name in spec.build.jars} if spec.build else {}
    if work is None:
        return {**files, **jars}
    inside = f"{work.folder}/" if work.folder else ""
    own = {**{name.removeprefix(inside): content for name, content in files.items()}, **work.beside, **jars}
    if not work.build:
        return own
    name = " ".join(work.files or (work.folder,))
    own = _without_products(spec, own) if work.is_like_submissions else own
    built = build_program(
        f"the reference {name}",
        work.build,
        own,
        produces=("*",),
        limits=wide_limits(spec.build.limits if spec.build else {}),
        level=level,
        cache=cache,
        run=run,
        env=java_class_path(spec.build),
    )
    return {**own, **built}
