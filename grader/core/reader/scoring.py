"""`scoring`: programs of the course give the points of a test, from the verdicts of its cases and groups of them."""

from collections.abc import Mapping
from fractions import Fraction

from msgspec.structs import replace

from grader.core.model.spec import Interactor, ScoreGroup
from grader.core.reader.course_program import read_course_program
from grader.core.reader.files_and_build import read_program_word
from grader.core.reader.limits import read_limits
from grader.core.reader.share_keys import SCORE_GROUP, SCORING
from grader.core.text import count
from grader.core.yaml.value import (
    Value,
    choice,
    each_of,
    fields,
    get,
    items,
    parse_count,
    parse_points,
    parsed,
    unwanted,
    wrong,
)

_SCORE = parsed(parse_points, "a number, 0 or more", Fraction(0))
_MOST = parsed(lambda written: parse_points(written) or None, "a number above 0", Fraction(1))
_COUNT = parsed(parse_count, "a number of cases, such as 5", 1)
_STOP = choice(("first-failure",), "end of a group")
_UNFIT = ("all_or_nothing", "credit", "weights", "stop")
_MAX_DEPTH = 8


def read_scoring(found: Mapping[str, Value], cases: int) -> ScoreGroup | None:
    """Read `scoring` of a test with so many cases; None where it has none."""
    if "scoring" not in found:
        return None
    value = found["scoring"]
    for key in _UNFIT:
        if key in found:
            wrong(found[key], f"the points of this test come from the programs under scoring: take {key} out")
    known = len(value.context.problems)
    inner = fields(value, SCORING)
    group = replace(_read_group(value, inner, None, cases), most=get(inner, "max", _MOST, Fraction(1)))
    if len(value.context.problems) == known and group.size != cases:
        wrong(value, f"its groups have {count(group.size, 'case')}, and the test has {cases}: count them again")
    return group


def _read_group(
    value: Value, found: Mapping[str, Value], around: Interactor | None, cases: int, depth: int = 0
) -> ScoreGroup:
    """Read a group; `around` is the program of the group around it, `cases` what it has where it does not say."""
    program = around or Interactor(program="")
    if "program" in found:
        program = Interactor(
            **read_course_program(found["program"]),
            args=get(found, "args", each_of(read_program_word), ()),
            limits=get(found, "limits", read_limits, {}),
        )
    elif around is None:
        wrong(value, "nothing says which program gives the points: name its file under program")
    else:
        for key in ("args", "limits"):
            if key in found:
                wrong(found[key], f"{key} belong to a program: name it beside them, under program")
    if "cases" in found and "groups" in found:
        wrong(found["cases"], "a group has cases or groups: put the cases into a group of their own")
    groups: tuple[ScoreGroup, ...] = ()
    if "groups" in found:
        if depth == _MAX_DEPTH:
            unwanted(found["groups"], f"at most {_MAX_DEPTH} groups within one another")
        else:
            groups = tuple(
                _read_group(item, fields(item, SCORE_GROUP), program, 0, depth + 1) for item in items(found["groups"])
            )
            if not groups:
                unwanted(found["groups"], "at least one group")
    elif "cases" not in found and depth:
        wrong(value, "this group has no cases: say how many under cases")
    return ScoreGroup(
        program=program,
        groups=groups,
        cases=0 if "groups" in found else get(found, "cases", _COUNT, cases),
        accept=get(found, "accept", _SCORE, Fraction(1)),
        reject=get(found, "reject", _SCORE, Fraction(0)),
        stops=get(found, "stop", _STOP, "") == "first-failure",
    )
