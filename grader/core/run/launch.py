"""What is started for a case: the student's program, or what calls its functions; and the reference.

And how one writes it: the command, or the calls in the language at hand, so that a student can repeat them.
"""

import json
import re
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import Any, get_args

from msgspec.structs import replace

from grader.core.errors import HostError
from grader.core.model import (
    Argument,
    Case,
    Execution,
    Interactor,
    Launch,
    LimitOverrides,
    Limits,
    MapValue,
    NewObject,
    Permission,
    PlainValue,
    SetValue,
    Spec,
    Toolchain,
)
from grader.core.run.interaction import launch_interactor, launch_validator
from grader.core.text import joined, posix_word, printf_text, to_bytes
from grader.kinds.functions import probe as calls
from grader.kinds.functions.model import FunctionCall, FunctionCase, Signature
from grader.kinds.unit_tests import probe as units

_MIB = 2**20
MIN_OUTPUT_BYTES = _MIB
"""bytes that a run may write to a stream at least, where a spec does not say"""
OUTPUT_FACTOR = 8
"""how many times what is right it may write then: with lines for debugging, or in a loop that goes on a little"""
_MAX_OUTPUT_BYTES = 64 * _MIB
_WHOLE = ("text", "lines", "tokens")
"""comparators whose values are all that is to be written"""
MAX_TYPED_CHARACTERS = 200
"""characters for an input or a file in the command that repeats a case"""
_OBJECT = "a"
"""what an object is called whose methods are called"""
_JAVA_WORDS = {None: "null", True: "true", False: "false"}


def launch_case(
    case: Case,
    spec: Spec,
    toolchain: Toolchain,
    folder: Path,
    probe: calls.Probe | None,
    *,
    right: Execution | None = None,
    unit_files: Mapping[str, bytes] = MappingProxyType({}),
    token: str = "",
) -> Launch:
    """Return what is started of the submission built in `folder`; `probe` makes the calls, where there are some.

    `right` is what the reference does, where that was asked; `unit_files` are what a unit test needs. A probe gets the
    `token`, which nobody must be able to guess; without one, another each time.
    """
    limits = limits_of_case(case, toolchain, right)
    if case.unit:
        command = units.unit_command(case.unit, folder, spec)
    elif case.functions and probe:
        command = calls.probe_command(probe, folder, spec.build.produces if spec.build else ())
    else:
        command = _own_command(case, spec)
    argv, plain = add_options(toolchain, command, limits), add_options(toolchain, command, limits, fast=False)
    launch = replace(
        _launch_around(case),
        env={**toolchain.env, **case.env},
        argv=argv,
        plain=plain if plain != argv else (),
        exhausted=(*toolchain.out_of_memory, *toolchain.out_of_stack),
        folder=folder,
        permits=toolchain.permits,
        limits=limits,
        reserved=toolchain.reserves,
    )
    if case.unit:
        return units.with_unit_request(launch, case.unit, spec, unit_files, token)
    return calls.with_request(launch, case.functions, probe, token) if case.functions and probe else launch


def launch_reference(
    case: Case,
    spec: Spec,
    probe: calls.Probe | None = None,
    unit_files: Mapping[str, bytes] = MappingProxyType({}),
) -> Launch:
    """Return what is started to know what is expected; `probe` makes calls in the language of the submissions.

    Raises HostError when there is nothing that could be.
    """
    reference, work = spec.reference or (), spec.reference_work
    if case.unit:
        return units.with_reference_unit(_launch_around(case), case.unit, spec, unit_files)
    if case.functions is None:
        return replace(
            _launch_around(case),
            argv=reference + case.args,
            permits=get_args(Permission),
            limits=limits_of({}, case.limits),
        )
    if work and probe and work.language == spec.language:
        launch = replace(_launch_around(case), argv=calls.probe_command(probe), limits=limits_of({}, case.limits))
        return calls.with_request(launch, case.functions, probe, token=calls.REFERENCE_TOKEN)
    files = [word for word in reference if PurePosixPath(word).suffix == ".py"]
    if not files:
        languages = joined(sorted({"Python", spec.language.capitalize()}), "or")
        raise HostError(
            f"the reference, {shlex.join(reference)}, has no functions that could be called: name a file in {languages}"
        )
    launch = replace(_launch_around(case), argv=calls.probe_command(calls.PYTHON))
    return calls.with_reference_request(launch, case.functions, files[0])


def with_record(execution: Execution, case: Case, launch: Launch) -> Execution:
    """Return what happened with what the probe of `launch` told, where it was one that was started.

    Raises HostError when the probe did not start.
    """
    if case.unit:
        return units.with_unit(execution, case.unit, launch)
    return calls.with_calls(execution, case.functions, launch)


def _own_command(case: Case, spec: Spec) -> tuple[str, ...]:
    return (case.command or spec.program) + case.args


def _launch_around(case: Case) -> Launch:
    takes_files = any({"files", "expected_files"}.intersection(asked.takes) for _, asked in case.texts)
    return Launch(
        argv=(),
        files=case.files,
        stdin=case.stdin,
        env=case.env,
        terminal=case.terminal,
        dialogue=case.dialogue,
        interactor=_launch_beside(case, case.interactor) if case.interactor else None,
        afterwards=case.interactor is not None and case.interactor.afterwards,
        passes=case.interactor.passes if case.interactor else 1,
        screen=case.expect.screen,
        list_files=case.expect.files is not None,
        collect=("*",) if takes_files else tuple(case.expect.files.contents) if case.expect.files else (),
    )


def _launch_beside(case: Case, other: Interactor) -> Launch:
    return launch_validator(other, case.stdin, other.answer) if other.afterwards else launch_interactor(other)


def limits_of(toolchain: LimitOverrides, asked: LimitOverrides) -> Limits:
    """Lay what a spec asks for over what the toolchain gives; processor time follows the wall when only that is set."""
    values: dict[str, Any] = {**toolchain, **asked}
    if "time" in asked and "cpu" not in asked:
        values["cpu"] = asked["time"]
    if "cpu" in asked and "time" not in asked:
        values["time"] = max(values.get("time", 0), asked["cpu"] * 3)
    for name in values.keys() & {"memory", "output", "processes"}:
        values[name] = int(values[name])
    return replace(Limits(), **values)


def limits_of_case(case: Case, toolchain: Toolchain, right: Execution | None = None) -> Limits:
    """Return the limits of a run of a case, of which the reference does what is `right`.

    Where a spec does not say how much it may write, that is a multiple of what is right. Where nobody knows how much
    that is, since a pattern or a function decides, it is the usual limit.
    """
    limits = limits_of(toolchain.limits, case.limits)
    if "output" in case.limits or case.functions:
        return limits
    if right is not None:
        longest = max(len(right.stdout), len(right.stderr))
    else:
        checked = [stream for _, _, _, stream in case.expect.streams if stream and stream.is_checked]
        streams = [one for stream in checked for one in stream.alternatives]
        if not streams or not all(one.how in _WHOLE and not (one.only or one.skip) for one in streams):
            return limits
        longest = max(sum(len(to_bytes(text)) + 1 for text in one.want or ()) for one in streams)
    return replace(limits, output=min(max(MIN_OUTPUT_BYTES, OUTPUT_FACTOR * longest), _MAX_OUTPUT_BYTES))


def add_options(toolchain: Toolchain, argv: tuple[str, ...], limits: Limits, *, fast: bool = True) -> tuple[str, ...]:
    """Put the interpreter's options behind its name; a command that starts something else stays as it is.

    Without `fast` those are left out that only make a short program faster.
    """
    if PurePosixPath(argv[0]).name != toolchain.interpreter:
        return argv
    heap = max(1, limits.memory * 3 // 4 // _MIB)  # the rest is for code, threads and the collector
    short = toolchain.start_short if fast and limits.cpu < toolchain.short else ()
    return (argv[0], *(option.replace("{heap}", str(heap)) for option in (*toolchain.start, *short)), *argv[1:])


# ---------------------------------------------------------------- as one writes it


def command_text(case: Case, spec: Spec) -> str:
    """Return the command, or the calls, to be repeated by hand."""
    if case.unit:
        return units.unit_text(case.unit)
    if case.source:
        return case.source.text
    return call_text(case.functions, spec.language) if case.functions else shlex.join(_own_command(case, spec))


def repeat_text(case: Case, spec: Spec) -> str:
    """Return the command with all that a case gives it, as one line for a POSIX shell: files first, then input.

    It is to be run in a copy of the work. What is too long to be typed is in a file that has to be there.
    """
    if case.functions or case.unit or case.source:
        return command_text(case, spec)
    files = [_write_file(name, data) for name, data in case.files.items() if _is_short(data)]
    words = " ".join(map(posix_word, _own_command(case, spec)))
    settings = [f"{name}={posix_word(value)}" for name, value in case.env.items()]
    if all(re.fullmatch(r"[A-Za-z_]\w*", name, re.ASCII) for name in case.env):
        words = " ".join([*settings, words])
    else:
        words = " ".join(["env", *(posix_word(f"{name}={value}") for name, value in case.env.items()), words])
    if case.stdin:
        words = f"printf {printf_text(case.stdin)} | {words}" if _is_short(case.stdin) else f"{words} < stdin.txt"
    return " && ".join([*files, words])


def _is_short(data: bytes) -> bool:
    return len(data) <= MAX_TYPED_CHARACTERS and len(printf_text(data)) <= MAX_TYPED_CHARACTERS


def _write_file(name: str, data: bytes) -> str:
    folder = PurePosixPath(name).parent
    made = "" if folder == PurePosixPath() else f"mkdir -p {posix_word(f'./{folder}')} && "
    return f"{made}printf {printf_text(data)} > {posix_word(f'./{name}' if name.startswith('-') else name)}"


def call_text(case: FunctionCase, language: str) -> str:
    """Write the calls of a case: `placeQueen(new int[5][5], 2, 4)`, several with semicolons between them.

    What more than one call is given is a variable, called like the parameter.
    """
    if case.draw:
        return f"{case.call.signature.name}(...)"
    shared = {arg.position for call in case.calls for arg in call.args if isinstance(arg, Argument)}
    main = replace(
        case.call,
        args=tuple(Argument(position=at) if at in shared else arg for at, arg in enumerate(case.call.args)),
    )
    names = [parameter.name for parameter in case.call.signature.parameters]
    variables = []
    for at in sorted(shared):
        parameter = case.call.signature.parameters[at]
        value = _write_value(case.call.args[at], parameter.type, language)
        variables.append(f"{parameter.type} {parameter.name} = {value}".strip())
    calls = (*case.before, main, *case.then)
    maker = next((call.signature for call in calls if call.makes), None)
    written = [_write_call(call, names, language, maker) for call in calls]
    if maker and len(calls) > 1:
        made = f"{maker.name} {_OBJECT} = " if language == "java" else f"{_OBJECT} = "
        written = [f"{made if call.makes else f'{_OBJECT}.'}{one}" for call, one in zip(calls, written, strict=True)]
    return "; ".join([*variables, *written])


def _write_call(call: FunctionCall, names: Sequence[str], language: str, maker: Signature | None = None) -> str:
    """Write a call; `maker` makes the objects that are among its arguments."""
    types = [parameter.type for parameter in call.signature.parameters]
    args = [
        names[arg.position] if isinstance(arg, Argument) else _write_value(arg, kind, language, maker)
        for arg, kind in zip(call.args, types, strict=False)
    ]
    if call.sets:
        return f"{call.signature.name} = {args[0]}"
    made = "new " if call.makes and language in {"java", "javascript"} else ""
    return f"{made}{call.signature.name}({', '.join(args)})"


def _write_value(value: PlainValue, kind: str, language: str, maker: Signature | None = None) -> str:
    if isinstance(value, NewObject) and maker:
        return _write_call(FunctionCall(signature=maker, args=value.args, makes=True), (), language, maker)
    if language in calls.NATIVE and isinstance(value, tuple):
        return f"({kind.replace('String', 'char *').replace('[]', '', kind.count('[]') - 1)}){_braces(value, kind)}"
    if language == "javascript":
        return _script_text(value)
    return _python_text(value) if language == "python" else _java_text(value, kind)


def _java_text(value: PlainValue, kind: str) -> str:
    if value is None or isinstance(value, bool):
        return _JAVA_WORDS[value]
    if isinstance(value, tuple):
        sizes = _zero_array_shape(value)
        element = kind.replace("[]", "")
        if sizes and kind.count("[]") == len(sizes):
            return f"new {element}{''.join(f'[{size}]' for size in sizes)}"
        return f"new {kind} {_braces(value, kind)}"
    if isinstance(value, str) and kind == "char":
        return f"'{value}'" if value not in "'\\" else f"'\\{value}'"
    return json.dumps(value, ensure_ascii=False) + ("L" if kind.lower() == "long" else "")


def _script_text(value: PlainValue) -> str:
    match value:
        case tuple():
            return f"[{', '.join(map(_script_text, value))}]"
        case SetValue(items=members):
            return f"new Set([{', '.join(map(_script_text, members))}])"
        case MapValue(items=pairs) if all(isinstance(key, str) for key, _ in pairs):
            return f"{{{', '.join(f'{_script_text(key)}: {_script_text(one)}' for key, one in pairs)}}}"
        case MapValue(items=pairs):
            return f"new Map([{', '.join(f'[{_script_text(key)}, {_script_text(one)}]' for key, one in pairs)}])"
        case _:
            return json.dumps(value, ensure_ascii=False)


def _braces(value: PlainValue, kind: str) -> str:
    inner = kind.removesuffix("[]")
    parts = [_braces(item, inner) if isinstance(item, tuple) else _java_text(item, inner) for item in value]
    return f"{{{', '.join(parts)}}}"


def _python_text(value: PlainValue) -> str:
    if isinstance(value, MapValue):
        return f"{{{', '.join(f'{_python_text(key)}: {_python_text(one)}' for key, one in value.items)}}}"
    if isinstance(value, SetValue):
        return f"{{{', '.join(map(_python_text, value.items))}}}" if value.items else "set()"
    if not isinstance(value, tuple):
        return repr(value)
    match _zero_array_shape(value):
        case (int(rows), int(columns)) if rows > 1:
            return f"[[0] * {columns} for _ in range({rows})]"
        case _:
            return f"[{', '.join(map(_python_text, value))}]"


def _zero_array_shape(value: PlainValue) -> tuple[int, ...]:
    """Return the lengths of an array of noughts; nothing for any other value."""
    sizes: tuple[int, ...] = ()
    while isinstance(value, tuple) and value and all(item == value[0] for item in value):
        sizes = (*sizes, len(value))
        value = value[0]
    return sizes if type(value) is int and value == 0 else ()
