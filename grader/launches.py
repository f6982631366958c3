"""What is started for a case: the student's program, or what calls its functions; and the reference."""

import shlex
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any

from grader import build
from grader.errors import HostError
from grader.model import Case, Execution, Launch, LimitOverrides, Limits, Spec, Toolchain
from grader.run import call_text, calls


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


def own(case: Case, spec: Spec, toolchain: Toolchain, folder: Path, probe: calls.Probe | None) -> Launch:
    """Return what is started of the submission built in `folder`; `probe` makes the calls, where there are some."""
    limits = limits_of(toolchain.limits, case.limits)
    if case.functions and probe:
        argv = calls.command(probe, folder, spec.build.produces if spec.build else ())
    else:
        argv = _argv(case, spec)
    launch = replace(_around(case), argv=build.start(toolchain, argv, limits), folder=folder, limits=limits)
    return calls.asked(launch, case.functions, probe) if case.functions and probe else launch


def of_reference(case: Case, spec: Spec) -> Launch:
    """Return what is started to know what is expected. Raises HostError when there is nothing that could be."""
    reference = spec.reference or ()
    if case.functions is None:
        return replace(_around(case), argv=reference + case.args)
    files = [word for word in reference if PurePosixPath(word).suffix == ".py"]
    if not files:
        raise HostError(f"the reference, {shlex.join(reference)}, has no functions: name a Python file in its command")
    launch = replace(_around(case), argv=calls.command(calls.PYTHON))
    return calls.asked_of_reference(launch, case.functions, files[0])


def told(execution: Execution, case: Case, launch: Launch) -> Execution:
    """Return the execution, with what became of the calls when there were some. Raises HostError if nobody knows."""
    return calls.told(execution, case.functions, launch) if case.functions else execution


def text(case: Case, spec: Spec) -> str:
    """Return the command, or the calls, to be repeated by hand."""
    return call_text(case.functions, spec.language) if case.functions else shlex.join(_argv(case, spec))


def _argv(case: Case, spec: Spec) -> tuple[str, ...]:
    return (case.command or spec.program) + case.args


def _around(case: Case) -> Launch:
    return Launch(
        argv=(),
        files=case.files,
        stdin=case.stdin,
        env=case.env,
        terminal=case.terminal,
        dialogue=case.dialogue,
        survey=case.expect.files is not None,
        collect=tuple(case.expect.files.same) if case.expect.files else (),
    )
