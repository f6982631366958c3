"""Stage 4: facts -> verdict. Nothing here keeps, prints or changes anything.

What is named here is imported when it is asked for: a program can run before anybody needs what judges it.
"""

from typing import TYPE_CHECKING

from grader.late import import_late

if TYPE_CHECKING:
    from grader.judge.case import judge
    from grader.judge.interaction import heed_validator
    from grader.judge.memory import refuse_unwatched
    from grader.judge.runs import join_runs
    from grader.judge.source import judge_source
    from grader.judge.totals import charge_once, charge_repair, judge_test, meets_need, overall

__all__ = [
    "charge_once",
    "charge_repair",
    "heed_validator",
    "join_runs",
    "judge",
    "judge_source",
    "judge_test",
    "meets_need",
    "overall",
    "refuse_unwatched",
]

__getattr__ = import_late(
    __name__,
    {
        "case": ("judge",),
        "interaction": ("heed_validator",),
        "memory": ("refuse_unwatched",),
        "runs": ("join_runs",),
        "source": ("judge_source",),
        "totals": ("charge_once", "charge_repair", "judge_test", "meets_need", "overall"),
    },
)
