"""Case -> Execution: the one runner, built on pexpect, for students' programs, builds and references alike."""

from grader.core.run.early_stop import EarlyStop, TimeBudget, budget_of, time_allowed, why_skipped
from grader.core.run.launch import (
    MIN_OUTPUT_BYTES,
    OUTPUT_FACTOR,
    add_options,
    command_text,
    launch_case,
    launch_reference,
    limits_of,
    limits_of_case,
    repeat_text,
    with_record,
)
from grader.core.run.process import SandboxedProcess
from grader.core.run.runner import (
    RetryAllowance,
    WorkerSlots,
    begin,
    execute,
    execute_each,
    finish,
    measure_each,
    start_program,
)

__all__ = [
    "MIN_OUTPUT_BYTES",
    "OUTPUT_FACTOR",
    "EarlyStop",
    "RetryAllowance",
    "SandboxedProcess",
    "TimeBudget",
    "WorkerSlots",
    "add_options",
    "begin",
    "budget_of",
    "command_text",
    "execute",
    "execute_each",
    "finish",
    "launch_case",
    "launch_reference",
    "limits_of",
    "limits_of_case",
    "measure_each",
    "repeat_text",
    "start_program",
    "time_allowed",
    "why_skipped",
    "with_record",
]
