"""Interactors: programs of the course that talk to the student's and judge it. Also validators."""

from grader.core.lazy import lazy_call
from grader.kinds.base import Kind, only_wrong

_DESCRIBE = "grader.kinds.interactive.describe"
_JUDGE = "grader.kinds.interactive.judge"
_LAUNCH = "grader.kinds.interactive.launch"

KIND = Kind(
    name="interactive",
    # ---- what is prepared
    applies=lazy_call("grader.kinds.interactive.model", "uses_validators"),
    prepare=lazy_call("grader.kinds.interactive.validator", "prepare_validators"),
    prepare_submission=lazy_call(_LAUNCH, "prepare_interactors"),
    # ---- what is started
    surround=lazy_call(_LAUNCH, "surround"),
    # ---- how it is judged
    settle=lazy_call(_JUDGE, "settle"),
    judge=lazy_call(_JUDGE, "judge_interaction"),
    reachable=only_wrong,
    has_input=True,
    # ---- the language
    keys=lazy_call("grader.kinds.interactive.keys", "keys"),
    key="interactor",
    is_merged=True,
    unfit_defaults=lambda parts: ("stdin", "terminal", "both", "expect") if parts.get("interactor") else (),
    complete=lazy_call("grader.kinds.interactive.reader", "complete"),
    checks=lambda parts: bool(parts.get("interactor")),
    read_check=lazy_call("grader.kinds.interactive.validator_reader", "read_check"),
    # ---- authors
    describe_case=lazy_call(_DESCRIBE, "describe_case"),
    is_input_secret=lazy_call(_DESCRIBE, "is_input_secret"),
    speaker="other",
    why_not_public="its interactor is a program of the course's own",
    # ---- verify
    given=lazy_call("grader.kinds.interactive.mutants", "given_to_players"),
    unfit_mutants=frozenset({"crash"}),  # only the interactor can tell whether everything was done then
    run_mutants=lazy_call("grader.kinds.interactive.mutants", "interaction_mutants"),
    # ---- lint
    lint_rules=lazy_call("grader.kinds.interactive.lint", "interaction_lint_rules"),
    features=lazy_call("grader.kinds.interactive.lint", "interaction_features"),
    text_keys=("interactor",),
    asks_more_than_output=True,
)
