"""Case -> Execution: the one runner, built on pexpect, for students' programs, builds and references alike."""

from typing import TYPE_CHECKING

from grader.core.lazy import lazy_imports
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
from grader.core.run.work_budget import WorkBudget, run_within, usual_work_budget

if TYPE_CHECKING:
    from grader.core.run.compiler_warnings import CompilerWarning, is_about_another_line, warning_of_compiler
    from grader.core.run.read_past_end import LANGUAGES_THAT_READ_ON, describe_read_past_end
    from grader.core.run.source_hints import hint_in_source
    from grader.core.run.variations import MAX_VAIN_VARIATIONS, run_variation, variations_of

__all__ = [
    "LANGUAGES_THAT_READ_ON",
    "MAX_VAIN_VARIATIONS",
    "MIN_OUTPUT_BYTES",
    "OUTPUT_FACTOR",
    "CompilerWarning",
    "EarlyStop",
    "RetryAllowance",
    "RunPolicy",
    "SandboxedProcess",
    "TimeBudget",
    "WorkBudget",
    "WorkerSlots",
    "add_options",
    "begin",
    "budget_of",
    "command_text",
    "describe_read_past_end",
    "execute",
    "execute_each",
    "finish",
    "hint_in_source",
    "is_about_another_line",
    "launch_case",
    "launch_reference",
    "limits_of",
    "limits_of_case",
    "measure_each",
    "repeat_text",
    "run_variation",
    "run_within",
    "start_program",
    "time_allowed",
    "usual_work_budget",
    "variations_of",
    "warning_of_compiler",
    "why_skipped",
    "with_record",
]

# Only a wrong case needs these.
__getattr__ = lazy_imports(
    __name__,
    {
        "grader.core.run.compiler_warnings": ("CompilerWarning", "is_about_another_line", "warning_of_compiler"),
        "grader.core.run.read_past_end": ("LANGUAGES_THAT_READ_ON", "describe_read_past_end"),
        "grader.core.run.source_hints": ("hint_in_source",),
        "grader.core.run.variations": ("MAX_VAIN_VARIATIONS", "run_variation", "variations_of"),
    },
)
