"""Stage 4: facts -> verdict. Nothing here keeps, prints or changes anything.

What is named here is imported when it is asked for: a program can run before anybody needs what judges it.
"""

from typing import TYPE_CHECKING

from grader.core.lazy import lazy_imports

if TYPE_CHECKING:
    from grader.core.judge.case import judge
    from grader.core.judge.runs import join_runs
    from grader.core.judge.totals import charge_once, charge_repair, judge_test, meets_need, overall
    from grader.kinds.interactive.judge import read_validator_result
    from grader.kinds.memory_clean.judge import refuse_unwatched
    from grader.kinds.source_rules.judge import judge_source

__all__ = [
    "charge_once",
    "charge_repair",
    "join_runs",
    "judge",
    "judge_source",
    "judge_test",
    "meets_need",
    "overall",
    "read_validator_result",
    "refuse_unwatched",
]

__getattr__ = lazy_imports(
    __name__,
    {
        "grader.core.judge.case": ("judge",),
        "grader.kinds.interactive.judge": ("read_validator_result",),
        "grader.kinds.memory_clean.judge": ("refuse_unwatched",),
        "grader.core.judge.runs": ("join_runs",),
        "grader.kinds.source_rules.judge": ("judge_source",),
        "grader.core.judge.totals": ("charge_once", "charge_repair", "judge_test", "meets_need", "overall"),
    },
)
