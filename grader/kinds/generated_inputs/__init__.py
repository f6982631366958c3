"""Numbers, arguments, input and files that are generated anew for each student or course; any case may have some."""

from grader.core.lazy import lazy_call
from grader.kinds.base import Kind

KIND = Kind(
    name="generated-inputs",
    title="generated inputs",
    # ---- lint
    lint_rules=lazy_call("grader.kinds.generated_inputs.lint", "generated_lint_rules"),
)
