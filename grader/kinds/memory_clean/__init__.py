"""A further run under a tool that watches how the program handles its memory."""

from grader.core.lazy import lazy_call
from grader.kinds.base import Kind

_JUDGE = "grader.kinds.memory_clean.judge"
_VALGRIND = "grader.kinds.memory_clean.valgrind"

KIND = Kind(
    name="memory-clean",
    # ---- what is prepared
    require=lazy_call(_VALGRIND, "require_watching"),
    requirements=lazy_call(_VALGRIND, "find_valgrind"),
    # ---- what is started
    after_run=lazy_call(_VALGRIND, "after_run"),
    explain_crash=lazy_call("grader.kinds.memory_clean.crash", "explain_crash"),
    unknown=lazy_call("grader.kinds.memory_clean.model", "unknown"),
    further_seconds=lazy_call("grader.kinds.memory_clean.model", "usual_watched_seconds"),
    # ---- how it is judged
    judge=lazy_call(_JUDGE, "judge_memory"),
    remark_on_ending=lazy_call(_JUDGE, "describe_memory_fault"),
    confirm=lazy_call(_JUDGE, "refuse_unwatched"),
    spots=lazy_call(_JUDGE, "memory_spots"),
    reachable=lambda _case: frozenset({"memory-fault", "memory-leak"}),
    # ---- the language
    keys=lazy_call("grader.kinds.memory_clean.keys", "keys"),
    key="memory-clean",
    is_addition=True,
    unfit_defaults=lazy_call("grader.kinds.memory_clean.reader", "unfit_defaults"),
    complete=lazy_call("grader.kinds.memory_clean.reader", "complete"),
    checks=lambda parts: bool(parts.get("memory-clean")),
    # ---- how it is shown
    packages=lambda _case: ("valgrind",),
    # ---- authors
    extra_run=(
        "is repeated under valgrind: memory that is not the program's, values that were never set, and what is never "
        "freed are faults"
    ),
    tool_of=lambda toolchain: toolchain.memory_tool or "",
    # ---- verify
    mutants=lazy_call("grader.kinds.memory_clean.mutants", "mutate_memory"),
    mutants_follow="files",
    # ---- smaller inputs
    smaller=None,  # under a tool that watches the memory each of many tries would take a second or more
    # ---- lint
    lint_rules=lazy_call("grader.kinds.memory_clean.lint", "memory_lint_rules"),
)
