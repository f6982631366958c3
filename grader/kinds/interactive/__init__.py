"""A program of the course that speaks with the student's, and says whether that is right."""

from grader.core.lazy import lazy_call
from grader.kinds.base import Kind

KIND = Kind(
    name="interactive",
    title="conversations with a program of the course",
    # ---- verify
    given=lazy_call("grader.kinds.interactive.mutants", "given_to_players"),
    unfit_mutants=frozenset({"crash"}),  # whether all was done then, only the other side can tell
    run_mutants=lazy_call("grader.kinds.interactive.mutants", "interaction_mutants"),
    # ---- lint
    lint_rules=lazy_call("grader.kinds.interactive.lint", "interaction_lint_rules"),
    features=lazy_call("grader.kinds.interactive.lint", "interaction_features"),
    text_keys=("interactor",),
    asks_more_than_output=True,
)
