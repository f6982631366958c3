"""Stage 4: facts -> verdict. Nothing here keeps, prints or changes anything."""

from grader.judge.case import judge, judge_test, overall

__all__ = ["judge", "judge_test", "overall"]
