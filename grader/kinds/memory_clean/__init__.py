"""A further run under a tool that watches how the program handles its memory."""

from grader.core.lazy import lazy_call
from grader.kinds.base import Kind

KIND = Kind(
    name="memory-clean",
    title="runs in which the memory is watched",
    # ---- verify
    mutants=lazy_call("grader.kinds.memory_clean.mutants", "mutate_memory"),
    mutants_follow="files",
    # ---- smaller inputs
    smaller=None,  # under a tool that watches the memory each of many tries would take a second or more
    # ---- lint
    lint_rules=lazy_call("grader.kinds.memory_clean.lint", "memory_lint_rules"),
)
