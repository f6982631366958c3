"""Stage 4: facts -> verdict. Nothing here keeps, prints or changes anything."""

from grader.judge.case import judge
from grader.judge.totals import charge_once, judge_test, meets_need, overall

__all__ = ["charge_once", "judge", "judge_test", "meets_need", "overall"]
