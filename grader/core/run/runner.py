"""Launch -> Execution: start a command, read to its end, and record what happened."""

import shlex
from pathlib import PurePosixPath
from threading import Event
from typing import Any, get_args

from msgspec.structs import replace

from grader.core.kind import kind_of
from grader.core.lazy import lazy_call
from grader.core.model.execution import Execution, Launch, LaunchContext
from grader.core.model.layout import java_class_path, size_of, unread
from grader.core.model.limits import LimitOverrides, Limits
from grader.core.model.spec import Case, Permission, Spec, Toolchain
from grader.core.run.process import DialogueEnd, SandboxedProcess, execution_of
from grader.core.run.start import (
    begin,
    check_sanitizer,
    closed_on_failure,
    join_passes,
    next_pass,
    start_program,
    with_interaction,
    with_opinion,
)
from grader.core.sandbox.command import Sandbox
from grader.core.text import posix_word, printf_text, to_bytes

_converse = lazy_call("grader.core.run.dialogue", "converse")  # it imports pexpect
_conversation = lazy_call("grader.core.run.conversation", "Conversation")


def read_to_end(program: SandboxedProcess) -> Execution:
    """Read to the end of the command and of those beside it, and return what happened. Raises as `begin` does."""
    with closed_on_failure(program):
        talked = _conversation(program).hold() if program.beside else None
        end = _converse(program) if program.launch.dialogue else DialogueEnd()
        programs = [program, *program.beside[1:]]
        for running in programs:
            running.drain()
        runs = [execution_of(one, end, has_transcript=bool(talked or one.launch.dialogue)) for one in programs]
        execution = runs[0]
        if talked:
            names = [role.name for role in program.launch.roles]
            execution = with_interaction(runs, read_to_end(program.beside[0]), talked, names)
        program.close()
        return execution


def execute(sandbox: Sandbox, launch: Launch, cancelled: Event) -> Execution:
    """Run one command. Raises as `start_program`, `begin` and `read_to_end` do."""
    return run_all_passes(sandbox, begin(start_program(sandbox, launch, cancelled)), cancelled)


def run_all_passes(sandbox: Sandbox, program: SandboxedProcess, cancelled: Event) -> Execution:
    """Read until the command has ended, and run it again as often as its interactor asks, within its `passes`."""
    execution, launch = _run_pass(sandbox, program, cancelled), program.launch
    while again := next_pass(launch, execution):
        launch = again
        program = begin(start_program(sandbox, launch, cancelled))
        execution = join_passes(execution, _run_pass(sandbox, program, cancelled))
    return execution


def _run_pass(sandbox: Sandbox, program: SandboxedProcess, cancelled: Event) -> Execution:
    """Read to the end of the command; then let what judges it read that, unless the command itself was ended."""
    run, launch = read_to_end(program), program.launch
    check_sanitizer(run, launch, allows_tracing=sandbox.allows_tracing)
    if not (launch.interactor and launch.is_output_validator) or run.limit or run.signal:
        return run
    return with_opinion(run, launch, execute(sandbox, replace(launch.interactor, stdin=run.stdout), cancelled))


# What is started for a case, of the submission and of the reference; and how one writes that, to repeat it by hand.


_MIB = 2**20
MIN_OUTPUT_BYTES = _MIB  # bytes that a run may write to a stream at least, where a spec does not say
OUTPUT_FACTOR = 8
"""how many times what is right it may write then: with lines for debugging, or in a loop that goes on a little"""
_MAX_OUTPUT_BYTES = 64 * _MIB
_MAX_STACK_MIB = 128
_STACK_SHARE = 32
"""of the memory, as the stack of a Java thread; endless recursion that prints takes seconds to fill it"""
_WHOLE = ("text", "lines", "tokens")  # comparators whose values are all that is to be written
MAX_TYPED_CHARACTERS = 200  # characters for an input or a file in the command that repeats a case


def launch_case(case: Case, context: LaunchContext, toolchain: Toolchain, *, right: Execution | None = None) -> Launch:
    """Return what is started of the submission in the folder of `context`; `right` is what the reference does."""
    limits = limits_of_case(case, toolchain, right)

    def around(command: tuple[str, ...] | None = None) -> Launch:
        command = command or _own_command(case, context.spec)
        argv, plain = add_options(toolchain, command, limits), add_options(toolchain, command, limits, fast=False)
        return replace(
            _launch_around(case),
            env={**toolchain.env, **java_class_path(context.spec.build), **case.env},
            argv=argv,
            argv_untuned=plain if plain != argv else (),
            oom_patterns=(*toolchain.out_of_memory, *toolchain.out_of_stack),
            folder=context.folder,
            permits=toolchain.permits,
            limits=limits,
            reserved=toolchain.reserves,
        )

    return kind_of(case).launch(case, context, around)


def launch_reference(case: Case, context: LaunchContext) -> Launch:
    """Return what is started to know what is expected. Raises HostError when there is nothing that could be."""
    spec, work, start = context.spec, context.spec.reference_work, _launch_around(case)
    start = replace(start, env={**java_class_path(spec.build), **start.env})

    def around(command: tuple[str, ...] | None = None) -> Launch:
        if command is not None:
            return replace(start, argv=command)
        is_own = case.command and work and work.is_like_submissions
        argv = _own_command(case, spec) if is_own else (spec.reference or ()) + case.args
        return replace(start, argv=argv, permits=get_args(Permission), limits=limits_of({}, case.limits))

    return kind_of(case).launch(case, context, around)


def _own_command(case: Case, spec: Spec) -> tuple[str, ...]:
    return (case.command or spec.program) + case.args


def _launch_around(case: Case) -> Launch:
    takes_files = any({"files", "expected_files"}.intersection(leaf.options.takes) for _, leaf in case.texts)
    return Launch(
        argv=(),
        files=case.files,
        stdin=unread(case, "stdin"),
        env=case.env,
        terminal=case.terminal,
        screen=case.expect.screen,
        list_files=case.expect.files is not None,
        collect=("*",) if takes_files else tuple(case.expect.files.contents) if case.expect.files else (),
    )


def limits_of(toolchain: LimitOverrides, asked: LimitOverrides) -> Limits:
    """Merge the limits of a spec over those of a toolchain; processor time follows a `time` that is set alone."""
    values: dict[str, Any] = {**toolchain, **asked}
    if "time" in asked:
        values["cpu"] = asked.get("cpu", asked["time"])
    elif "cpu" in asked:
        values["time"] = max(values.get("time", 0), asked["cpu"] * 3)
    whole = {name: int(value) for name, value in values.items() if isinstance(getattr(Limits(), name), int)}
    return Limits(**values | whole)


def limits_of_case(case: Case, toolchain: Toolchain, right: Execution | None = None) -> Limits:
    """Return the limits of a run of a case; without a limit of the spec, it may write a multiple of what is `right`."""
    limits = limits_of(toolchain.limits, case.limits)
    if "output" in case.limits or not kind_of(case).prints_answer:
        return limits
    checked = [stream for _, _, _, stream in case.expect.streams if stream and stream.is_checked]
    leaves = [leaf for stream in checked for leaf in (*stream.leaves, *stream.denied)]
    if right is not None:
        longest = max(len(right.stdout), len(right.stderr))
    elif leaves and all(leaf.how in _WHOLE and not leaf.is_selective for leaf in leaves):
        longest = max(sum(len(to_bytes(text)) + 1 for text in leaf.want or ()) for leaf in leaves)
    else:
        return limits  # a pattern or a function decides
    return replace(limits, output=min(max(MIN_OUTPUT_BYTES, OUTPUT_FACTOR * longest), _MAX_OUTPUT_BYTES))


def add_options(toolchain: Toolchain, argv: tuple[str, ...], limits: Limits, *, fast: bool = True) -> tuple[str, ...]:
    """Put the interpreter's options behind its name; unless `fast` without those that only make it faster."""
    if PurePosixPath(argv[0]).name != toolchain.interpreter:
        return argv
    heap = max(1, limits.memory * 3 // 4 // _MIB)  # the rest is for code, threads and the collector
    stack = min(max(1, limits.memory // _STACK_SHARE // _MIB), _MAX_STACK_MIB)
    short = toolchain.start_short if fast and limits.cpu < toolchain.short else ()
    options = (word.replace("{heap}", str(heap)).replace("{stack}", str(stack)) for word in (*toolchain.start, *short))
    return (argv[0], *options, *argv[1:])


# ---------------------------------------------------------------- as one writes it


def command_text(case: Case, spec: Spec) -> str:
    """Return the command, or the calls, to be repeated by hand."""
    text = case.payload.command_text(spec) if case.payload else ""
    return text or shlex.join(_own_command(case, spec))


def repeat_text(case: Case, spec: Spec) -> str:
    """Return the command with all that a case gives it, as a line for a POSIX shell in a copy of the work.

    It begins with the cases that leave something for this one.
    """
    before = (earlier for test in spec.tests for earlier in test.earlier(case))
    return "; ".join(_repeat_text(step, spec) for step in (*before, case))


def _repeat_text(case: Case, spec: Spec) -> str:
    if not kind_of(case).is_typed:
        return command_text(case, spec)
    files = [_write_file(name, data) for name, data in case.files.items() if _is_short(data)]
    words = " ".join(map(posix_word, _own_command(case, spec)))
    is_plain = all(name.isascii() and name.isidentifier() for name in case.env)  # else no assignment of a shell
    given = [f"{name if is_plain else posix_word(name)}={posix_word(value)}" for name, value in case.env.items()]
    words = " ".join([*([] if is_plain else ["env"]), *given, words])
    stdin = unread(case, "stdin")
    if size_of(stdin):  # what is too long to be typed is in a file that has to be there
        is_short = isinstance(stdin, bytes) and _is_short(stdin)
        words = f"printf {printf_text(stdin)} | {words}" if is_short else f"{words} < stdin.txt"
    return " && ".join([*files, words])


def _is_short(data: bytes) -> bool:
    return len(data) <= MAX_TYPED_CHARACTERS and len(printf_text(data)) <= MAX_TYPED_CHARACTERS


def _write_file(name: str, data: bytes) -> str:
    folder = PurePosixPath(name).parent
    make = "" if folder == PurePosixPath() else f"mkdir -p {posix_word(f'./{folder}')} && "
    return f"{make}printf {printf_text(data)} > {posix_word(f'./{name}' if name.startswith('-') else name)}"
