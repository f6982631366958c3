"""Case -> Execution: the one runner, built on pexpect, for students' programs, builds and references alike."""

from grader.run.program import Program
from grader.run.runner import begin, finish, prepare, run, run_each

__all__ = ["Program", "begin", "finish", "prepare", "run", "run_each"]
