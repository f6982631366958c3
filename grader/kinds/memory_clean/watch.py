"""The further run of a program under valgrind."""

from grader.kinds.memory_clean.crash import explain_crash
from grader.kinds.memory_clean.judge import confirm, remark_on_ending, spots
from grader.kinds.memory_clean.model import further_seconds, unknown
from grader.kinds.memory_clean.valgrind import after_run

__all__ = [
    "after_run",
    "confirm",
    "explain_crash",
    "extra_run",
    "further_seconds",
    "remark_on_ending",
    "spots",
    "unknown",
]

extra_run = (
    "is repeated under valgrind: memory that is not the program's, values that were never set, and what is never "
    "freed are faults"
)
