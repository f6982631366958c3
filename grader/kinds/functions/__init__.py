"""Calls of a student's functions and methods, made by a probe in the sandbox."""

from grader.core.lazy import lazy_call
from grader.kinds.base import Kind

_KEYS = "grader.kinds.functions.keys"
_DESCRIBE = "grader.kinds.functions.describe"
_JUDGE = "grader.kinds.functions.judge"
_PROBE = "grader.kinds.functions.probe"
_WRITE = "grader.kinds.functions.write"

KIND = Kind(
    name="functions",
    # ---- what is prepared
    prepare=lazy_call(_PROBE, "prepare"),
    prepare_build=lazy_call("grader.kinds.functions.native", "prepare_build"),
    prepare_reference=lazy_call("grader.kinds.functions.native", "prepare_reference"),
    prepare_test=lambda _test, artifact, _course: artifact.made,
    # ---- what is started
    command=lazy_call(_PROBE, "command"),
    complete_launch=lazy_call(_PROBE, "complete_launch"),
    launch_reference=lazy_call(_PROBE, "launch_reference"),
    read_record=lazy_call(_PROBE, "read_record"),
    is_output_limited=False,
    # ---- how it is judged
    settle=lazy_call(_JUDGE, "settle"),
    judge=lazy_call(_JUDGE, "judge_functions"),
    facts_for_checks=lazy_call(_JUDGE, "facts_for_checks"),
    reachable=lazy_call(_JUDGE, "reachable_in_calls"),
    prints_answer=False,
    has_input=True,
    # ---- how it is shown
    command_text=lazy_call("grader.kinds.functions.call_text", "command_text"),
    is_typed=False,
    # ---- the language
    keys=lazy_call(_KEYS, "keys"),
    key="functions",
    unfit_defaults=lazy_call(_KEYS, "unfit_defaults"),
    complete=lazy_call(_KEYS, "complete"),
    checks=lambda parts: "functions" in parts,
    write_out=lazy_call(_KEYS, "write_out"),
    # ---- authors
    list_heading=lazy_call(_DESCRIBE, "list_heading"),
    describe_case=lazy_call(_DESCRIBE, "describe_case"),
    states_expectation=True,
    generated_part="what the function is given",
    write_case=lazy_call(_WRITE, "write_case"),
    write_test=lazy_call(_WRITE, "write_test"),
    freeze=lazy_call(_WRITE, "freeze"),
    without_expectations=lazy_call(_WRITE, "without_expectations"),
    why_not_recorded="calls functions, and what they come to is no run of a program",
    # ---- verify
    given=lazy_call("grader.kinds.functions.mutants", "given_to_functions"),
    excuse_reference=lazy_call("grader.kinds.functions.mutants", "excuse_without_function"),
    mutants=lazy_call("grader.kinds.functions.mutants", "mutate_calls"),
    unfit_mutants=frozenset({"streams", "answers"}),
    silence=lazy_call("grader.kinds.functions.mutants", "silence_calls"),
    entry_points=lazy_call("grader.kinds.functions.mutants", "called_names"),
    # ---- smaller inputs
    smaller=lazy_call("grader.kinds.functions.smaller", "smaller_calls"),
    # ---- lint
    lint_rules=lazy_call("grader.kinds.functions.lint", "function_lint_rules"),
    contradictions=lazy_call("grader.kinds.functions.lint", "impossible_values"),
    called_functions=lazy_call("grader.kinds.functions.lint", "called_functions"),
    text_keys=("functions",),
    takes_default=lambda key: key in ("env", "files", "stdin"),
    asks_more_than_output=True,
)
