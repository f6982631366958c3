"""`scoring`: programs of the course give the points of a test, from the verdicts of its cases and groups of them."""

from collections.abc import Mapping

from msgspec.structs import replace

from grader.core.model.spec import Interactor, ScoreGroup
from grader.core.reader.files_and_build import read_course_program
from grader.core.reader.language import SCORE_GROUP, SCORING
from grader.core.text import count
from grader.core.yaml.types import read_found
from grader.core.yaml.value import (
    Value,
    fields,
    get,
    items,
    unwanted,
    wrong,
)

_OF_PROGRAM = {name: SCORE_GROUP[name] for name in ("args", "limits")}
_SCORES = {name: SCORE_GROUP[name] for name in ("accept", "reject")}
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
    most = read_found(inner, {"max": SCORING["max"]}, value.context)["max"]
    if "max" in inner and not most:
        unwanted(inner["max"], "a number above 0")
    group = replace(_read_group(value, inner, None, cases), most=most)
    if len(value.context.problems) == known and group.size != cases:
        wrong(value, f"its groups have {count(group.size, 'case')}, and the test has {cases}: count them again")
    return group


def _read_group(
    value: Value, found: Mapping[str, Value], around: Interactor | None, cases: int, depth: int = 0
) -> ScoreGroup:
    """Read a group; `around` is the program of the group around it, `cases` what it has where it does not say."""
    program = around or Interactor(program="")
    if "program" in found:
        program = Interactor(**read_course_program(found["program"]), **read_found(found, _OF_PROGRAM, value.context))
    elif around is None:
        wrong(value, "nothing says which program gives the points: name its file under program")
    else:
        for key in _OF_PROGRAM:
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
        cases=0 if "groups" in found else get(found, "cases", value.context.types["count"].read, cases),
        **read_found(found, _SCORES, value.context),
        stops="stop" in found and bool(value.context.types["stop"].read(found["stop"])),
    )
