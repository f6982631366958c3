"""A tool that looks at the style of the source; nothing is run."""

from grader.core.lazy import lazy_call
from grader.kinds.base import Kind, only_wrong

_TOOL = "grader.kinds.style.tool"

KIND = Kind(
    name="style",
    # ---- what is prepared
    versions=lazy_call(_TOOL, "versions"),
    requirements=lazy_call(_TOOL, "try_style_tools"),
    packaged=lazy_call("grader.kinds.style.model", "packaged_tools"),
    # ---- what is started
    run_test=lazy_call(_TOOL, "run_test"),
    examines_source=True,
    has_answer=False,
    # ---- how it is judged
    judge_source=lazy_call("grader.kinds.style.judge", "judge_style"),
    reachable=only_wrong,
    # ---- how it is shown
    command_text=lazy_call("grader.kinds.style.model", "command_text"),
    is_typed=False,
    # ---- the language
    keys=lazy_call("grader.kinds.style.keys", "keys"),
    key="style",
    read_test=lazy_call("grader.kinds.style.reader", "read_test"),
    # ---- authors
    describe_cases=lazy_call("grader.kinds.style.describe", "describe_cases"),
    states_expectation=True,
    attached_files=lazy_call("grader.kinds.style.reader", "own_config_files"),
    why_not_recorded="looks at the source, and nothing is run for it",
    # ---- verify
    given=lambda case: case.payload,
    look_at_reference=lazy_call("grader.kinds.style.reference", "look_at_style"),
    # ---- lint
    lint_rules=lazy_call("grader.kinds.style.lint", "style_lint_rules"),
    source_files=lazy_call("grader.kinds.style.lint", "files_for_tool"),
)
