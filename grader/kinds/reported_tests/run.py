"""What is needed and started for its cases."""

from grader.core.model.spec import Case
from grader.kinds.reported_tests.frameworks import find_runners as requirements
from grader.kinds.reported_tests.frameworks import runner_packages as packages
from grader.kinds.reported_tests.launch import (
    command,
    command_text,
    complete_launch,
    find_course_fault,
    launch_reference,
    prepare_test,
    read_record,
    run_test,
)
from grader.kinds.reported_tests.names import prepare_submission

__all__ = [
    "command",
    "command_text",
    "complete_launch",
    "find_course_fault",
    "launch_reference",
    "packages",
    "prepare_submission",
    "prepare_test",
    "read_record",
    "requirements",
    "run_test",
]


def shares_run(_case: Case) -> bool:
    """Whether one run serves all cases of a test: it always does."""
    return True
