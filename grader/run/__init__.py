"""Case -> Execution: the one runner, built on pexpect, for students' programs, builds and references alike."""

from grader.run import calls
from grader.run.program import Program
from grader.run.runner import begin, finish, prepare, run, run_each
from grader.run.writing import call_text

__all__ = ["Program", "begin", "call_text", "calls", "finish", "prepare", "run", "run_each"]
