"""The student's own tests, run with the course's right program and wrong ones, each of which is a case."""

from grader.core.lazy import lazy_call
from grader.kinds.base import Kind, only_wrong

_RUN = "grader.kinds.student_tests.run"

KIND = Kind(
    name="student-tests",
    # ---- what is prepared
    prepare=lazy_call(_RUN, "prepare"),
    # ---- what is started
    run_test=lazy_call(_RUN, "run_test"),
    has_answer=False,
    command=lazy_call(_RUN, "command"),
    complete_launch=lazy_call(_RUN, "complete_launch"),
    is_output_limited=False,
    # ---- how it is judged
    settle=lazy_call("grader.kinds.student_tests.judge", "settle"),
    reachable=only_wrong,
    prints_answer=False,
    has_input=True,
    # ---- how it is shown
    command_text=lazy_call("grader.kinds.student_tests.describe", "command_text"),
    is_typed=False,
    packages=lazy_call("grader.kinds.student_tests.suites", "suite_packages"),
    # ---- the language
    keys=lazy_call("grader.kinds.student_tests.keys", "keys"),
    key="student-tests",
    read_test=lazy_call("grader.kinds.student_tests.reader", "read_test"),
    # ---- authors
    describe_cases=lazy_call("grader.kinds.student_tests.describe", "describe_cases"),
    why_not_recorded="runs tests that a student wrote",
    why_not_public="its programs are files of the course's own",
    # ---- verify
    given=lambda case: case.id,
    # ---- lint
    lint_rules=lazy_call("grader.kinds.student_tests.lint", "student_tests_lint_rules"),
    takes_default=lambda key: key == "env",
)
