"""`python -m grader` is `grader`."""

from grader.cli import run_as_program

run_as_program()
