"""The keys of a test that say how its points are shared."""

from collections.abc import Mapping

from grader.core.yaml.value import Key, Keys

SHARE_KEYS: Keys = {
    "weights": Key(
        about="How much cases count, by what stands in brackets behind the name of the test, or by globs of that; the "
        "points are shared in these proportions. A name comes before a glob. All others count 1.",
        kind="case-weights",
        examples=({"n=8": 3, "n=1*": 0.5}, {"3": 2}),
    ),
    "credit": Key(
        about="From how many right cases on the test has which share of its points; below the first step it has none. "
        "`share` is what its cases have by themselves.",
        kind="credit-steps",
        examples=({5: "50%", 7: "80%", 9: "100%"}, {5: "share"}),
    ),
    "costs": Key(
        about="The points that it takes off the whole where it is not right, in part where it is partly right. It "
        "gives none then.",
        kind="points",
        examples=(2,),
    ),
    "scoring": Key(
        about="Programs of the course that give the points, from the verdicts of all cases, and of groups of them.",
        kind="scoring",
        examples=({"program": "data/sums/best.py", "max": 100},),
    ),
}
SCORE_GROUP: Keys = {
    "program": Key(
        about="Its file, below the course root; what lies beside it is there too. It reads a line `VERDICT SCORE` for "
        "each case, or each group, such as `WA 0`, and writes one such line. A group has that of the group around it.",
        kind="path",
        examples=("data/sums/graders/best.py",),
    ),
    "args": Key(about="Its arguments, each as it is written.", kind="arguments", examples=(["min"],)),
    "limits": Key(about="What it may use.", kind="limits"),
    "cases": Key(about="How many of the test's cases, in their order, are in this group.", kind="count"),
    "groups": Key(about="Groups in it, in the order of the cases.", kind="score-groups"),
    "accept": Key(
        about="The score of an accepted case; of a case whose judge has `max_score` it is what that writes.",
        kind="points",
        default=1,
    ),
    "reject": Key(about="The score of any other case.", kind="points", default=0),
    "stop": Key(
        about="Whether the program reads nothing behind the first case or group that is not accepted.", kind="stop"
    ),
}
SCORING: Keys = {
    "max": Key(about="The score that is worth all points of the test.", kind="points", required=True, examples=(100,)),
    **SCORE_GROUP,
}
SHARE_TABLES: Mapping[str, Keys] = {"scoring": SCORING, "score-group": SCORE_GROUP}
"""kind -> the keys of its mapping"""
