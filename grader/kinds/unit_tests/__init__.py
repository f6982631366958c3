"""Unit tests of the course, each of whose methods is a case."""

from grader.core.lazy import lazy_call
from grader.kinds.base import Kind, only_wrong

_LAUNCH = "grader.kinds.unit_tests.launch"

KIND = Kind(
    name="unit",
    # ---- what is prepared
    requirements=lazy_call("grader.kinds.unit_tests.probe", "find_frameworks"),
    prepare=lazy_call(_LAUNCH, "prepare"),
    prepare_submission=lazy_call("grader.kinds.unit_tests.suites", "complete_cases"),
    prepare_test=lazy_call(_LAUNCH, "prepare_test"),
    # ---- what is started
    run_test=lazy_call("grader.kinds.unit_tests.together", "run_test"),
    shares_run=lazy_call("grader.kinds.unit_tests.together", "shares_run"),
    shares_limits=False,
    command=lazy_call(_LAUNCH, "command"),
    complete_launch=lazy_call(_LAUNCH, "complete_launch"),
    launch_reference=lazy_call(_LAUNCH, "launch_reference"),
    read_record=lazy_call(_LAUNCH, "read_record"),
    # ---- how it is judged
    invert=lazy_call("grader.kinds.unit_tests.audit", "invert"),
    doubt=lazy_call("grader.kinds.unit_tests.audit", "doubt"),
    find_course_fault=lazy_call("grader.kinds.unit_tests.run_faults", "find_course_fault"),
    settle=lazy_call("grader.kinds.unit_tests.judge", "settle"),
    judge=lazy_call("grader.kinds.unit_tests.judge", "judge"),
    reachable=only_wrong,
    prints_answer=False,
    has_input=True,
    # ---- how it is shown
    command_text=lazy_call(_LAUNCH, "command_text"),
    is_typed=False,
    holds_hidden=lazy_call("grader.kinds.unit_tests.shipped", "holds_hidden"),
    # ---- the language
    keys=lazy_call("grader.kinds.unit_tests.keys", "keys"),
    key="unit",
    read_test=lazy_call("grader.kinds.unit_tests.reader", "read_test"),
    packages=lazy_call("grader.kinds.unit_tests.probe", "framework_packages"),
    # ---- authors
    describe_cases=lazy_call("grader.kinds.unit_tests.describe", "describe_cases"),
    why_not_recorded="is a unit test, whose cases are its methods",
    why_not_public="its unit test is a file of the course's own",
    # ---- verify
    given=lazy_call("grader.kinds.unit_tests.mutants", "given_to_method"),
    silence=lazy_call("grader.kinds.unit_tests.mutants", "silence_method"),
    excuse_reference=lazy_call("grader.kinds.unit_tests.mutants", "excuse_without_files"),
    times_reference=lazy_call("grader.kinds.unit_tests.mutants", "is_run_as_compiled"),
    entry_points=lazy_call("grader.kinds.unit_tests.mutants", "names_in_test"),
    # ---- lint
    lint_rules=lazy_call("grader.kinds.unit_tests.lint", "unit_lint_rules"),
    takes_default=lambda key: key in ("env", "files", "stdin"),
)
