"""Case -> Execution: the one runner, built on pexpect, for students' programs, builds and references alike."""

from grader.run import calls
from grader.run.interaction import build_interactors, program_maker
from grader.run.launch import (
    add_options,
    call_text,
    command_text,
    launch_case,
    launch_reference,
    limits_of,
    repeat_text,
)
from grader.run.patience import Budget, Patience, budget_of, time_allowed
from grader.run.program import Program
from grader.run.runner import Doubts, Room, begin, execute, execute_each, finish, measure_each, start_program
from grader.run.validator import ask_validator

__all__ = [
    "Budget",
    "Doubts",
    "Patience",
    "Program",
    "Room",
    "add_options",
    "ask_validator",
    "begin",
    "budget_of",
    "build_interactors",
    "call_text",
    "calls",
    "command_text",
    "execute",
    "execute_each",
    "finish",
    "launch_case",
    "launch_reference",
    "limits_of",
    "measure_each",
    "program_maker",
    "repeat_text",
    "start_program",
    "time_allowed",
]
