"""How cases share the points of a test: by `weights`, by `credit` in steps, or by programs of the course."""

from collections.abc import Sequence
from fractions import Fraction

from msgspec.structs import replace

from grader.core.kind import kind_of
from grader.core.model.spec import Case, CreditStep, Interactor, ScoreGroup
from grader.core.reader.language import TEST
from grader.core.reader.selection import find_weights, match_tests
from grader.core.reader.types import read_course_program
from grader.core.text import count, percent
from grader.core.yaml import value as yaml
from grader.core.yaml.types import Found, Said, read_as, read_found, refuse
from grader.core.yaml.value import Value, boolean, entries, fields, keyword, suggestion, unwanted, wrong

_UNFIT: tuple[tuple[str, str, str], ...] = (  # keys of a test, one beside which they have no meaning, and what to do
    ("weights", "unit", "unit has weights of its own: put them there"),
    ("weights", "all_or_nothing", "{1} gives all points or none, however much a case counts: take one of them out"),
    ("credit", "all_or_nothing", "{1} is credit for all cases alone: take one of them out"),
    ("points bonus scoring", "costs", "costs takes points off, and this test gives none: take {0} or costs out"),
    ("all_or_nothing credit weights stop", "scoring", "the points of this test come from {1}: take {0} out"),
    ("in-order", "scoring", "the groups of {1} may end early, each by itself: take one of the two out"),
)


def check_shares(found: Found, said: Said, cases: Sequence[Case]) -> None:
    """Check the keys of a test that say what it gives, or takes off: then it gives nothing."""
    if said["in_order"] and not {kind_of(case).runs for case in cases} <= {"program", "conversation"}:
        wrong(found["in-order"], "only runs of the program, and dialogues, share a folder: make a test of their own")
    meant = {key for key in found if said.get(TEST[key].into, True)}
    for keys, other, why in _UNFIT:
        for key in meant.intersection(keys.split()) if other in meant else ():
            wrong(found[key], why.format(key, other))
    if "stop" in found and not said["all_or_nothing"]:
        wrong(found["stop"], "each case of this test has points of its own, which it would lose: add all_or_nothing")
    if "costs" in found:
        said["points"] = Fraction(0)
        if not said["costs"]:
            wrong(found["costs"], "this takes nothing off: leave it out")


def weigh_cases(name: str, found: Found, cases: tuple[Case, ...]) -> tuple[Case, ...]:
    """Return the cases of the test of that name with the weights that it gives them."""
    if "weights" not in found or "unit" in found:
        return cases
    value = found["weights"]
    labels = {case.id.removeprefix(name).removeprefix("[").removesuffix("]"): case for case in cases}
    written = {pattern: read_as("points")(entry) for pattern, (_, entry) in entries(value).items()}
    weights = find_weights([*labels], written.items())
    if len(cases) <= 1:
        wrong(value, "a test with one case has nothing to share: take weights out")
    elif unknown := [pattern for pattern in written if not match_tests([*labels], pattern)]:
        wrong(entries(value)[unknown[0]][0], f"there is no such case{suggestion(unknown[0], labels)}")
    elif len(weights) == len(labels) and not any(weights.values()):
        wrong(value, "every case counts 0: give one a weight")
    else:
        return tuple(replace(case, weight=weights.get(label, case.weight)) for label, case in labels.items())
    return cases


def read_credit(found: Found, cases: Sequence[Case]) -> tuple[CreditStep, ...]:
    """Read `credit`: from how many right cases on a test has which share of its points."""
    if "credit" not in found:
        return ()
    value = found["credit"]
    known, weights = len(value.context.problems), sorted(case.weight for case in cases if case.weight)
    whole = sum(weights) or Fraction(1)
    before, *steps = [CreditStep(right=0, share=Fraction(0))]
    for written, (key, entry) in entries(value).items():
        number = yaml.parse_count(written) or 0
        share = None if keyword(entry) == "share" else read_as("share")(entry)
        # What there is with so many right, and with one less, none of the others being partly right.
        least = sum(weights[:number]) / whole if share is None else share
        most = sum(weights[1 - number :]) / whole if before.share is None else before.share
        if not number:
            unwanted(key, "a number of right cases, such as 5")
        elif number > len(weights):
            wrong(key, f"{count(len(weights), 'case')} at most can be right, and not {number}")
        elif number <= before.right:
            wrong(key, f"the steps go up, and {before.right} is not less than {number}: put them in order")
        elif least < most:
            wrong(entry, f"with {number} right cases there may be fewer points than with {number - 1}: give more")
        before = CreditStep(right=number, share=share)
        steps.append(before)
    if not steps:
        unwanted(value, "at least one step, such as {5: 50%, 9: 100%}")
    elif len(value.context.problems) == known and before.share not in (None, 1):
        reached = f"all {len(weights)} right cases have {percent(before.share or Fraction(0))} of the points"
        wrong(value, f"{reached}: add {{{len(weights)}: 100%}}")
    return tuple(steps)


def check_steps(value: Value, test: Found, parts: str, right: str) -> None:
    """Report at `value` a share for some of the `parts` that has no effect: what is partly right is not `right`."""
    if "all_or_nothing" in test and boolean(test["all_or_nothing"]):
        wrong(value, f"all_or_nothing gives nothing for a share of the {parts}: take one of them out")
    elif "credit" in test and not any(keyword(step) == "share" for _, step in entries(test["credit"]).values()):
        wrong(value, f"credit counts {right}, and none of its steps gives a share of these")


def read_scoring(value: Value, cases: int = 0, kind: str = "scoring", around: Interactor | None = None) -> ScoreGroup:
    """Read `scoring` of a test with so many cases; or a group in it, `around` which is another with that program."""
    known, before = value.context.types[kind].keys, len(value.context.problems)
    found = fields(value, known)
    said = {"cases": cases, **read_found(found, known, value.context)}
    own = {name: said.pop(name) for name in ("args", "limits") if name in said}
    if "max" in found and not said["most"]:
        unwanted(found["max"], "a number above 0")
    if said.pop("program", None) is not None:
        around = Interactor(**read_course_program(found["program"]), **own)
    elif around is None:
        wrong(value, "nothing says which program gives the points: name its file under program")
    else:
        refuse(found, own, "{} belong to a program: name it beside them, under program")
    if "groups" in found:
        inner = yaml.each_of(lambda item: read_scoring(item, 0, "score-group", around), "at least one group")
        said |= {"cases": 0, "groups": inner(found["groups"])}
        refuse(found, ["cases"], "a group has cases or groups: put the cases into a group of their own")
    elif not said["cases"] and kind == "score-group":
        wrong(value, "this group has no cases: say how many under cases")
    group = ScoreGroup(program=around or Interactor(program=""), **said)
    if len(value.context.problems) == before and kind == "scoring" and group.size != cases:
        wrong(value, f"its groups have {count(group.size, 'case')}, and the test has {cases}: count them again")
    return group
