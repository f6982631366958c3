"""Launch -> Execution: start a command, read to its end, and record what happened."""

import signal
from threading import Event
from typing import Any

from msgspec.structs import replace

from grader.core.lazy import lazy_call
from grader.core.model.execution import Doubt, Execution, Launch
from grader.core.model.limits import LimitName
from grader.core.run.conversation import Conversation
from grader.core.run.interaction import join_passes, next_pass, with_interaction, with_opinion
from grader.core.run.process import DialogueEnd, SandboxedProcess
from grader.core.run.sanitizers import check_sanitizer
from grader.core.run.start import begin, closed_on_failure, start_program
from grader.core.sandbox.folder import code_stamps, collect, copy_out, names_in
from grader.core.sandbox.interface import Sandbox

_converse = lazy_call("grader.core.run.dialogue", "converse")  # it imports pexpect
_NEAR = 0.9  # from this share of a limit on, a SIGKILL came from the kernel, and not from the command itself
_OF_ENDING = {"cpu_starved": "time", "killed_by_host": None, "memory_unconfirmed": "memory"}
"""a doubt -> the only ending to which it applies; the others apply to all"""


def read_to_end(program: SandboxedProcess) -> Execution:
    """Read to the end of the command and of those beside it, and return what happened. Raises as `begin` does."""
    with closed_on_failure(program):
        talked = Conversation(program).hold() if program.beside else None
        end = _converse(program) if program.launch.dialogue else DialogueEnd()
        programs = [program, *program.beside[1:]]
        for one in programs:
            one.drain()
        found = [_execution_of(one, end, has_transcript=bool(talked or one.launch.dialogue)) for one in programs]
        execution = found[0]
        if talked:
            names = [role.name for role in program.launch.roles]
            execution = with_interaction(found, read_to_end(program.beside[0]), talked, names)
        program.close()
        return execution


def _execution_of(program: SandboxedProcess, end: DialogueEnd, *, has_transcript: bool) -> Execution:
    """Return what a command did that was read to its end."""
    launch, work, outcome = program.launch, program.work, program.outcome
    files, uncollected = collect(work, launch.collect, launch.collect_limit) if launch.collect else ({}, {})
    if launch.kept:
        copy_out(work, launch.kept)
    stdout, stderr = program.captured()
    limit = _passed_limit(program, end)
    reported: dict[str, Any] = {wire.fact: wire.finished() for wire in program.wires.values()}
    now = code_stamps(work) if program.sealed else {}
    return Execution(
        stdout=stdout,
        stderr=outcome.message or stderr,
        status=outcome.status,
        signal=outcome.signal,
        limit=limit,
        limits=launch.limits,
        time=program.elapsed,
        cpu=program.peak.cpu,
        waited=program.waited,
        slept=program.delay.slept,
        memory=program.peak.memory,
        doubts=_doubts_of(program, limit, end),
        names=names_in(work) if launch.list_files else (),
        files=files,
        uncollected=uncollected,
        transcript=program.transcript.turns(stdout, stderr) if has_transcript else (),
        stop=end.stop,
        asked=end.asked,
        output_when_script_ended=end.output_when_script_ended,
        screen=launch.screen,
        is_code_changed=any(now.get(path) != stamp for path, stamp in program.sealed.items()),
        **reported,
    )


def _passed_limit(program: SandboxedProcess, end: DialogueEnd) -> LimitName | None:
    """Return the limit that a command passed, also when it ended by itself or by the kernel's count."""
    limits, peak = program.launch.limits, program.peak
    time = program.elapsed - program.time_credit
    ended_by = None if "killed_by_host" in program.doubts else program.outcome.signal
    is_killed = ended_by == signal.SIGKILL
    if program.limit not in {None, "time"}:
        return program.limit
    if peak.memory > limits.memory * (_NEAR if is_killed else 1):
        return "memory"
    # The time that we waited for a text is not the command's when it waited for us.
    if end.stop and not end.stop.ended and (end.asked or time < limits.time):
        return None
    if program.limit:
        return program.limit
    # Not by the signal alone, which anybody can send himself: when the kernel sends it, there was so much work.
    if peak.cpu > limits.cpu * (_NEAR if is_killed or ended_by == signal.SIGXCPU else 1):
        return "cpu"
    return "time" if time > limits.time else None


def _doubts_of(program: SandboxedProcess, limit: LimitName | None, end: DialogueEnd) -> frozenset[Doubt]:
    """Return the doubts that matter for how a command ended: a limit that it passed for certain is not in doubt."""
    doubts = frozenset(doubt for doubt in program.doubts if _OF_ENDING.get(doubt, limit) == limit)
    is_starved = end.stop and end.stop.cpu_starved and limit in {None, "time"}
    return doubts | {"cpu_starved"} if is_starved else doubts


def execute(sandbox: Sandbox, launch: Launch, cancelled: Event) -> Execution:
    """Run one command. Raises as `start_program`, `begin` and `read_to_end` do."""
    return run_all_passes(sandbox, begin(start_program(sandbox, launch, cancelled)), cancelled)


def run_all_passes(sandbox: Sandbox, program: SandboxedProcess, cancelled: Event) -> Execution:
    """Read to the end of the command, and run it again as often as its interactor asks for that and may."""
    found, launch = _run_pass(sandbox, program, cancelled), program.launch
    while again := next_pass(launch, found):
        launch = again
        program = begin(start_program(sandbox, launch, cancelled))
        found = join_passes(found, _run_pass(sandbox, program, cancelled))
    return found


def _run_pass(sandbox: Sandbox, program: SandboxedProcess, cancelled: Event) -> Execution:
    """Read to the end of the command; then let what judges it read that, unless the command itself was ended."""
    found, launch = read_to_end(program), program.launch
    check_sanitizer(found, launch, allows_tracing=sandbox.allows_tracing)
    if not (launch.interactor and launch.is_output_validator) or found.limit or found.signal:
        return found
    return with_opinion(found, launch, execute(sandbox, replace(launch.interactor, stdin=found.stdout), cancelled))
