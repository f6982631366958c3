"""A dialogue with the program: the input that is sent to it, and its expected answers, step by step."""

from grader.core.lazy import lazy_call
from grader.core.model.spec import Step
from grader.kinds.base import Kind
from grader.kinds.dialogue.model import Dialogue

_JUDGE = "grader.kinds.dialogue.judge"
_LAUNCH = "grader.kinds.dialogue.launch"

KIND = Kind(
    name="dialogue",
    # ---- what is started
    surround=lazy_call(_LAUNCH, "surround"),
    # ---- how it is judged
    settle=lazy_call(_JUDGE, "settle"),
    judge=lazy_call(_JUDGE, "judge_dialogue"),
    reachable=lazy_call(_JUDGE, "reachable_in_dialogue"),
    explains_limit=False,
    has_input=True,
    # ---- the language
    keys=lazy_call("grader.kinds.dialogue.keys", "keys"),
    key="dialogue",
    unfit_defaults=lambda parts: ("stdin",) if parts.get("dialogue") else (),
    complete=lazy_call("grader.kinds.dialogue.reader", "complete"),
    checks=lazy_call("grader.kinds.dialogue.reader", "checks"),
    # ---- authors
    describe_case=lazy_call("grader.kinds.dialogue.describe", "describe_case"),
    write_case=lazy_call("grader.kinds.dialogue.reader", "write_case"),
    record=lazy_call("grader.kinds.dialogue.record", "record_dialogue"),
    draft=Dialogue(steps=(Step(do="send"), Step(do="eof"))),
    # ---- verify
    given=lazy_call("grader.kinds.dialogue.model", "dialogue_of"),
    mutants=lazy_call("grader.kinds.dialogue.mutants", "mutate_dialogues"),
    mutants_follow="functions",
    unfit_mutants=frozenset({"texts", "denied", "streams", "answers"}),  # the parts of a dialogue depend on each other
    # ---- lint
    lint_rules=lazy_call("grader.kinds.dialogue.lint", "dialogue_lint_rules"),
    contradictions=lazy_call("grader.kinds.dialogue.lint", "steps_after_end"),
    features=lambda _case: ("a dialogue",),
    text_keys=("dialogue",),
    takes_default=lambda key: key != "stdin",
    asks_more_than_output=True,
    is_on_terminal=True,
)
