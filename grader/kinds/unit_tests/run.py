"""What is needed and started for its cases."""

from grader.kinds.unit_tests.faults import find_course_fault
from grader.kinds.unit_tests.launch import (
    command,
    command_text,
    complete_launch,
    launch_reference,
    prepare,
    prepare_test,
    read_record,
)
from grader.kinds.unit_tests.probe import find_frameworks as requirements
from grader.kinds.unit_tests.probe import framework_packages as packages
from grader.kinds.unit_tests.recheck import doubt, invert
from grader.kinds.unit_tests.shipped import holds_hidden
from grader.kinds.unit_tests.suites import prepare_submission
from grader.kinds.unit_tests.together import run_test, shares_run

__all__ = [
    "command",
    "command_text",
    "complete_launch",
    "doubt",
    "find_course_fault",
    "holds_hidden",
    "invert",
    "launch_reference",
    "packages",
    "prepare",
    "prepare_submission",
    "prepare_test",
    "read_record",
    "requirements",
    "run_test",
    "shares_run",
]
shares_limits = False
