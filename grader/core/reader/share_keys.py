"""The keys of a test that say how its points are shared."""

from collections.abc import Mapping

from grader.core.yaml.types import key_of
from grader.core.yaml.value import Keys

SHARE_KEYS: Keys = {
    "weights": key_of("case-weights", examples=({"n=8": 3, "n=1*": 0.5}, {"3": 2}))(
        "How much cases count, by what stands in brackets behind the name of the test, or by globs of that; the "
        "points are shared in these proportions. A name comes before a glob. All others count 1."
    ),
    "credit": key_of("credit-steps", examples=({5: "50%", 7: "80%", 9: "100%"}, {5: "share"}))(
        "From how many right cases on the test has which share of its points; below the first step it has none. "
        "`share` is what its cases have by themselves."
    ),
    "costs": key_of("points", examples=(2,))(
        "The points that it takes off the whole where it is not right, in part where it is partly right. It gives "
        "none then."
    ),
    "scoring": key_of("scoring", examples=({"program": "data/sums/best.py", "max": 100},))(
        "Programs of the course that give the points, from the verdicts of all cases, and of groups of them."
    ),
}
SCORE_GROUP: Keys = {
    "program": key_of("path", examples=("data/sums/graders/best.py",))(
        "Its file, below the course root; what lies beside it is there too. It reads a line `VERDICT SCORE` for each "
        "case, or each group, such as `WA 0`, and writes one such line. A group has that of the group around it."
    ),
    "args": key_of("arguments", examples=(["min"],))("Its arguments, each as it is written."),
    "limits": key_of("limits")("What it may use."),
    "cases": key_of("count")("How many of the test's cases, in their order, are in this group."),
    "groups": key_of("score-groups")("Groups in it, in the order of the cases."),
    "accept": key_of("points", default=1)(
        "The score of an accepted case; of a case whose judge has `max_score` it is what that writes."
    ),
    "reject": key_of("points", default=0)("The score of any other case."),
    "stop": key_of("stop")("Whether the program reads nothing behind the first case or group that is not accepted."),
}
SCORING: Keys = {
    "max": key_of("points", required=True, examples=(100,))("The score that is worth all points of the test."),
    **SCORE_GROUP,
}
SHARE_TABLES: Mapping[str, Keys] = {"scoring": SCORING, "score-group": SCORE_GROUP}
"""kind -> the keys of its mapping"""
