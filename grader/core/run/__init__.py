"""Case -> Execution: the one runner, built on pexpect, for students' programs, builds and references alike."""

from grader.core.run.interaction import build_interactors
from grader.core.run.launch import (
    MIN_OUTPUT_BYTES,
    OUTPUT_FACTOR,
    add_options,
    call_text,
    command_text,
    launch_case,
    launch_reference,
    limits_of,
    limits_of_case,
    repeat_text,
    with_record,
)
from grader.core.run.measuring import (
    EarlyStop,
    RetryAllowance,
    RunPolicy,
    TimeBudget,
    WorkerSlots,
    budget_of,
    execute_each,
    measure_each,
    time_allowed,
    why_skipped,
)
from grader.core.run.process import SandboxedProcess
from grader.core.run.runner import begin, execute, finish, start_program
from grader.kinds.functions import probe as calls
from grader.kinds.functions.native import put_libraries, with_libraries
from grader.kinds.interactive.validator import with_validators
from grader.kinds.memory_clean.valgrind import VALGRIND, check_watching, try_watching, with_watched
from grader.kinds.unit_tests import probe as units

__all__ = [
    "MIN_OUTPUT_BYTES",
    "OUTPUT_FACTOR",
    "VALGRIND",
    "EarlyStop",
    "RetryAllowance",
    "RunPolicy",
    "SandboxedProcess",
    "TimeBudget",
    "WorkerSlots",
    "add_options",
    "begin",
    "budget_of",
    "build_interactors",
    "call_text",
    "calls",
    "check_watching",
    "command_text",
    "execute",
    "execute_each",
    "finish",
    "launch_case",
    "launch_reference",
    "limits_of",
    "limits_of_case",
    "measure_each",
    "put_libraries",
    "repeat_text",
    "start_program",
    "time_allowed",
    "try_watching",
    "units",
    "why_skipped",
    "with_libraries",
    "with_record",
    "with_validators",
    "with_watched",
]
