"""Inputs that are generated from a seed: numbers, arguments, standard input and files."""

from grader.core.lazy import lazy_call
from grader.kinds.base import Kind

KIND = Kind(
    name="generated-inputs",
    # ---- what is prepared
    applies=lambda spec: spec.has_generated_inputs,
    prepare_submission=lazy_call("grader.kinds.generated_inputs.generate", "prepare_submission"),
    # ---- the language
    keys=lazy_call("grader.kinds.generated_inputs.keys", "keys"),
    write_out=lazy_call("grader.kinds.generated_inputs.reader", "write_out"),
    read_variable=lazy_call("grader.kinds.generated_inputs.reader", "read_variable"),
    # ---- lint
    lint_rules=lazy_call("grader.kinds.generated_inputs.lint", "generated_lint_rules"),
)
