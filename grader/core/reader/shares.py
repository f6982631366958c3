"""How the points of a test are shared: by `weights` of its cases, and by `credit`, in steps of how many are right."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from msgspec.structs import replace

from grader.core.model.spec import Case, CreditStep
from grader.core.reader.selection import weigh_tests
from grader.core.text import count, percent
from grader.core.yaml import value as yaml
from grader.core.yaml.value import Value, boolean, entries, get, keyword, parse_count, parse_points, unwanted, wrong

_WEIGHT = yaml.parsed(parse_points, "a weight, such as 2 or 0.5", Fraction(1))
_SHARE = "share"


def weigh_cases(name: str, found: Mapping[str, Value], cases: Sequence[Case]) -> tuple[Case, ...]:
    """Return the cases of the test of that name with the weights that it gives them."""
    if "weights" not in found:
        return tuple(cases)
    value = found["weights"]
    labels = {label_of(case, name): case for case in cases}
    written = tuple((pattern, _WEIGHT(entry)) for pattern, (_, entry) in entries(value).items())
    if "unit" in found:
        wrong(value, "unit has weights of its own: put them there")
    elif get(found, "all_or_nothing", boolean, default=False):
        wrong(value, "all_or_nothing gives all points or none, however much a case counts: take one of them out")
    elif len(cases) < 2:  # noqa: PLR2004 - nothing is shared by one
        wrong(value, "a test with one case has nothing to share: take weights out")
    else:
        try:
            weights = weigh_tests(list(labels), written)
        except LookupError as error:
            wrong(entries(value)[error.args[0]][0], f"there is no such case{yaml.suggestion(error.args[0], labels)}")
            return tuple(cases)
        if not any(weights.values()):
            wrong(value, "every case counts 0: give one a weight")
        return tuple(replace(case, weight=weights[label]) for label, case in labels.items())
    return tuple(cases)


def label_of(case: Case, test: str) -> str:
    """Return what stands in brackets behind the name of the test: `n=8`, `2`."""
    return case.id.removeprefix(test).removeprefix("[").removesuffix("]")


def read_credit(found: Mapping[str, Value], cases: Sequence[Case]) -> tuple[CreditStep, ...]:
    """Read `credit`: from how many right cases on a test has which share of its points."""
    if "credit" not in found:
        return ()
    value = found["credit"]
    if get(found, "all_or_nothing", boolean, default=False):
        wrong(value, "all_or_nothing is credit for all cases alone: take one of them out")
    weights = sorted(case.weight for case in cases if case.weight)
    steps: list[CreditStep] = []
    known = len(value.context.problems)
    for written, (key, entry) in entries(value).items():
        number = parse_count(written)
        if number is None:
            unwanted(key, "a number of right cases, such as 5")
            continue
        share = None if keyword(entry) == _SHARE else value.context.types["share"].read(entry)
        if number > len(weights):
            wrong(key, f"{count(len(weights), 'case')} at most can be right, and not {number}")
        elif steps and number <= steps[-1].right:
            wrong(key, f"the steps go up, and {steps[-1].right} is not less than {number}: put them in order")
        elif steps and _reached(share, weights[:number], weights) < _reached(
            steps[-1].share, weights[len(weights) - number + 1 :], weights
        ):
            wrong(entry, f"with {number} right cases there may be fewer points than with {number - 1}: give more")
        steps.append(CreditStep(right=number, share=share))
    if not steps and len(value.context.problems) == known:
        unwanted(value, "at least one step, such as {5: 50%, 9: 100%}")
    if steps and len(value.context.problems) == known and steps[-1].share not in (None, 1):
        whole = f"all {len(weights)} right cases have {percent(steps[-1].share or Fraction(0))} of the points"
        wrong(value, f"{whole}: add {{{len(weights)}: 100%}}")
    return tuple(steps)


def check_steps(value: Value, test: Mapping[str, Value], parts: str, right: str) -> None:
    """Report at `value` a share for some of the `parts` that has no effect: what is partly right is not `right`."""
    if get(test, "all_or_nothing", boolean, default=False):
        wrong(value, f"all_or_nothing gives nothing for a share of the {parts}: take one of them out")
    elif "credit" in test and not any(keyword(step) == _SHARE for _, step in entries(test["credit"]).values()):
        wrong(value, f"credit counts {right}, and none of its steps gives a share of these")


def _reached(share: Fraction | None, right: Sequence[Fraction], weights: Sequence[Fraction]) -> Fraction:
    """Return what a step gives with right cases of these weights, none of the others being partly right."""
    return share if share is not None else sum(right, Fraction(0)) / sum(weights)
