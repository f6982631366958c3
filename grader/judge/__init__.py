"""Stage 4: facts -> verdict. Nothing here keeps, prints or changes anything."""

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
