"""Probable mistakes in generated inputs."""

from grader.kinds.generated_inputs.lint import generated_lint_rules as lint_rules

__all__ = ["lint_rules"]
