"""Stage 4: facts -> verdict. Nothing here keeps, prints or changes anything."""

from grader.judge.case import judge
from grader.judge.comparators import COMPARATORS
from grader.judge.score import judge_test, overall

__all__ = ["COMPARATORS", "judge", "judge_test", "overall"]
