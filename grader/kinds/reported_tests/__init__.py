"""Tests of the course in any framework, run by a command that reports them; each is a case."""

from grader.core.lazy import lazy_call
from grader.kinds.base import Kind, only_wrong

_LAUNCH = "grader.kinds.reported_tests.launch"

KIND = Kind(
    name="reported",
    # ---- what is prepared
    requirements=lazy_call("grader.kinds.reported_tests.frameworks", "find_runners"),
    prepare_submission=lazy_call("grader.kinds.reported_tests.names", "prepare_submission"),
    prepare_test=lazy_call(_LAUNCH, "prepare_test"),
    # ---- what is started
    run_test=lazy_call(_LAUNCH, "run_test"),
    shares_run=lambda _case: True,
    command=lazy_call(_LAUNCH, "command"),
    complete_launch=lazy_call(_LAUNCH, "complete_launch"),
    launch_reference=lazy_call(_LAUNCH, "launch_reference"),
    read_record=lazy_call(_LAUNCH, "read_record"),
    is_output_limited=False,
    # ---- how it is judged
    settle=lazy_call("grader.kinds.reported_tests.judge", "settle"),
    find_course_fault=lazy_call(_LAUNCH, "find_course_fault"),
    reachable=only_wrong,
    prints_answer=False,
    has_input=True,
    # ---- how it is shown
    command_text=lazy_call(_LAUNCH, "command_text"),
    is_typed=False,
    packages=lazy_call("grader.kinds.reported_tests.frameworks", "runner_packages"),
    # ---- authors
    describe_cases=lazy_call("grader.kinds.reported_tests.describe", "describe_cases"),
    why_not_recorded="is run by a command with tests of its own, which are its cases",
    why_not_public="its tests are files of the course's own",
    # ---- verify
    given=lazy_call(_LAUNCH, "given_to_test"),
    # ---- lint
    lint_rules=lazy_call("grader.kinds.reported_tests.lint", "reported_lint_rules"),
    takes_default=lambda key: key in ("env", "files", "stdin"),
)
