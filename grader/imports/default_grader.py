"""How problem packages score a group of test data unless they have a grader of their own.

It reads the verdicts and scores of what is in the group, and writes one of each; the flags are those that the problem
package format has for this. `grader import kattis` puts a copy of this file beside the data, where it is a program.
"""

import sys
from collections.abc import Sequence

_WORST_FIRST = ("JE", "RTE", "MLE", "TLE", "OLE", "WA")
_OF_VERDICTS = ("worst_error", "no_errors", "first_error", "always_accept")


def grade_results(results: Sequence[tuple[str, float]], flags: Sequence[str]) -> tuple[str, float]:
    """Return the verdict and the score of a group; of several flags of one kind the last counts."""
    results = results[-1:] if "ignore_sample" in flags else results
    failed, scores = [verdict for verdict, _ in results if verdict != "AC"], [score for _, score in results]
    how = next((flag for flag in reversed(flags) if flag in _OF_VERDICTS), "worst_error")
    if not failed or how == "always_accept" or ("accept_if_any_accepted" in flags and len(failed) < len(results)):
        verdict = "AC"
    else:
        verdict = failed[0] if how == "first_error" else min(failed, key=_WORST_FIRST.index)
    combine = next((flag for flag in reversed(flags) if flag in ("sum", "avg", "min", "max")), "sum")
    total = sum(scores) / (len(scores) if combine == "avg" else 1)
    return verdict, {"min": min(scores), "max": max(scores)}.get(combine, total)


if __name__ == "__main__":
    words = sys.stdin.read().split()
    verdict, score = grade_results(list(zip(words[::2], map(float, words[1::2]), strict=True)), sys.argv[1:])
    sys.stdout.write(f"{verdict} {score:f}\n")
