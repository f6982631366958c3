"""Rules on the source of a submission, by its syntax trees; nothing is run."""

from grader.core.lazy import lazy_call
from grader.kinds.base import Kind, only_wrong

_EXAMINE = "grader.kinds.source_rules.examine"

KIND = Kind(
    name="source",
    # ---- what is prepared
    require=lazy_call(_EXAMINE, "require_grammars"),
    requirements=lazy_call(_EXAMINE, "find_grammars"),
    # ---- what is started
    run_test=lazy_call(_EXAMINE, "run_test"),
    examines_source=True,
    has_answer=False,
    # ---- how it is judged
    judge_source=lazy_call("grader.kinds.source_rules.judge", "judge_source"),
    reachable=only_wrong,
    # ---- how it is shown
    command_text=lazy_call("grader.kinds.source_rules.model", "command_text"),
    is_typed=False,
    # ---- the language
    keys=lazy_call("grader.kinds.source_rules.keys", "keys"),
    key="source",
    read_test=lazy_call("grader.kinds.source_rules.reader", "read_test"),
    # ---- authors
    list_heading=lambda _cases, _spec: "Looked at without being run:",
    describe_case=lazy_call("grader.kinds.source_rules.describe", "describe_case"),
    states_expectation=True,
    why_not_recorded="looks at the source, and nothing is run for it",
    # ---- verify
    given=lambda case: case.payload,
    # ---- lint
    lint_rules=lazy_call("grader.kinds.source_rules.lint", "source_lint_rules"),
    source_files=lazy_call("grader.kinds.source_rules.lint", "files_with_rules"),
)
