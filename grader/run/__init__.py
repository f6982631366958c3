"""Case -> Execution: the one runner, built on pexpect, for students' programs, builds and references alike."""

from grader.run import calls, units
from grader.run.interaction import build_interactors
from grader.run.launch import (
    LEAST_OUTPUT,
    TIMES_RIGHT,
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
from grader.run.library import put_libraries, with_libraries
from grader.run.memory import VALGRIND, check_watching, try_watching, with_watched
from grader.run.patience import Budget, Patience, budget_of, time_allowed, why_skipped
from grader.run.program import Program
from grader.run.runner import Doubts, Room, begin, execute, execute_each, finish, measure_each, start_program
from grader.run.validator import with_validators

__all__ = [
    "LEAST_OUTPUT",
    "TIMES_RIGHT",
    "VALGRIND",
    "Budget",
    "Doubts",
    "Patience",
    "Program",
    "Room",
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
