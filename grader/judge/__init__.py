"""Stage 4: facts -> verdict. Nothing here keeps, prints or changes anything."""

from grader.judge.case import charge_repair, judge, judge_test, overall

__all__ = ["charge_repair", "judge", "judge_test", "overall"]
