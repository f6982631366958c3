"""A dialogue with the program: what is said to it, and what it must answer, step by step."""

from grader.core.lazy import lazy_call
from grader.kinds.base import Kind

KIND = Kind(
    name="dialogue",
    title="dialogues",
    # ---- lint
    lint_rules=lazy_call("grader.kinds.dialogue.lint", "dialogue_lint_rules"),
    contradictions=lazy_call("grader.kinds.dialogue.lint", "steps_after_end"),
    features=lambda _case: ("a dialogue",),
    text_keys=("dialogue",),
    takes_default=lambda key: key != "stdin",
    asks_more_than_output=True,
    is_on_terminal=True,
)
