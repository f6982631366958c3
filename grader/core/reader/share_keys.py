"""The keys of a test that say how its points are shared."""

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
}
