"""Stage 4: facts -> verdict. Nothing here keeps, prints or changes anything."""

from grader.judge.case import charge_repair, judge, judge_test, overall
from grader.judge.runs import join_runs

__all__ = ["charge_repair", "join_runs", "judge", "judge_test", "overall"]
