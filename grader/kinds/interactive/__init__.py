"""A program of the course that speaks with the student's, and says whether that is right."""

from grader.core.lazy import lazy_call
from grader.kinds.base import Kind

KIND = Kind(
    name="interactive",
    title="conversations with a program of the course",
    # ---- lint
    lint_rules=lazy_call("grader.kinds.interactive.lint", "interaction_lint_rules"),
    features=lazy_call("grader.kinds.interactive.lint", "interaction_features"),
    text_keys=("interactor",),
    asks_more_than_output=True,
)
