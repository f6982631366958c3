"""Inputs that are generated from a seed: numbers, arguments, standard input and files."""

from grader.core.lazy import lazy_call
from grader.kinds.base import Kind

KIND = Kind(
    name="generated-inputs",
    title="cases with generated inputs",
    # ---- what is prepared
    applies=lambda spec: spec.draws_anything,
    prepare_submission=lazy_call("grader.kinds.generated_inputs.generate", "prepare_submission"),
    # ---- lint
    lint_rules=lazy_call("grader.kinds.generated_inputs.lint", "generated_lint_rules"),
)
