"""Stage 4: facts -> verdict. Nothing here keeps, prints or changes anything.

What is named here is imported when it is asked for: a program can run before anybody needs what judges it.
"""

from typing import TYPE_CHECKING

from grader.core.lazy import lazy_imports

if TYPE_CHECKING:
    from grader.core.judge.across_cases import hint_across_cases
    from grader.core.judge.case import judge
    from grader.core.judge.hidden_text import finder_of_hidden_text
    from grader.core.judge.runs import join_runs
    from grader.core.judge.totals import (
        charge_once,
        charge_repair,
        judge_test,
        least_share_lost,
        meets_need,
        overall,
        refuse_constant_output,
        share_lost,
        with_share,
    )

__all__ = [
    "charge_once",
    "charge_repair",
    "finder_of_hidden_text",
    "hint_across_cases",
    "join_runs",
    "judge",
    "judge_test",
    "least_share_lost",
    "meets_need",
    "overall",
    "refuse_constant_output",
    "share_lost",
    "with_share",
]

__getattr__ = lazy_imports(
    __name__,
    {
        "grader.core.judge.across_cases": ("hint_across_cases",),
        "grader.core.judge.case": ("judge",),
        "grader.core.judge.hidden_text": ("finder_of_hidden_text",),
        "grader.core.judge.runs": ("join_runs",),
        "grader.core.judge.totals": (
            "charge_once",
            "charge_repair",
            "judge_test",
            "least_share_lost",
            "meets_need",
            "overall",
            "refuse_constant_output",
            "share_lost",
            "with_share",
        ),
    },
)
