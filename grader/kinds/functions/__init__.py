"""Calls of a student's functions and methods, made by a probe in the sandbox."""

from grader.core.lazy import lazy_call
from grader.kinds.base import Kind

KIND = Kind(
    name="functions",
    title="calls of functions",
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
