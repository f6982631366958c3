"""Case -> Execution: the one runner, built on pexpect, for students' programs, builds and references alike."""

from grader.run.program import Program
from grader.run.runner import finish, prepare, run, run_each

__all__ = ["Program", "finish", "prepare", "run", "run_each"]
