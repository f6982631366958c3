"""`scoring`: programs of the course give the points of a test, from the verdicts of its cases and groups of them."""

from grader.core.model.spec import Interactor, ScoreGroup
from grader.core.reader.files_and_build import read_course_program
from grader.core.reader.language import SCORE_GROUP, SCORING
from grader.core.text import count
from grader.core.yaml.types import Found, read_found, refuse
from grader.core.yaml.value import Keys, Value, each_of, fields, unwanted, wrong

_UNFIT = ("all_or_nothing", "credit", "weights", "stop")
_MAX_DEPTH = 8


def read_scoring(test: Found, cases: int) -> ScoreGroup | None:
    """Read `scoring` of a test with so many cases; None where it has none."""
    if "scoring" not in test:
        return None
    value = test["scoring"]
    refuse(test, _UNFIT, "the points of this test come from the programs under scoring: take {} out")
    known = len(value.context.problems)
    group = _read_group(value, SCORING, None, cases)
    if len(value.context.problems) == known and group.size != cases:
        wrong(value, f"its groups have {count(group.size, 'case')}, and the test has {cases}: count them again")
    return group


def _read_group(value: Value, known: Keys, around: Interactor | None, cases: int, depth: int = 0) -> ScoreGroup:
    """Read a group; `around` is the program of the group around it, `cases` what it has where it does not say."""
    found = fields(value, known)
    said = read_found(found, known, value.context)
    own = {name: said.pop(name) for name in ("args", "limits") if name in said}
    if "max" in found and not said["most"]:
        unwanted(found["max"], "a number above 0")
    if said.pop("program", None) is not None:
        around = Interactor(**read_course_program(found["program"]), **own)
    elif around is None:
        wrong(value, "nothing says which program gives the points: name its file under program")
    else:
        refuse(found, own, "{} belong to a program: name it beside them, under program")
    program = around or Interactor(program="")
    if "groups" not in found:
        if "cases" not in found and depth:
            wrong(value, "this group has no cases: say how many under cases")
        return ScoreGroup(program=program, **{"cases": cases, **said})
    if "cases" in found:
        wrong(found["cases"], "a group has cases or groups: put the cases into a group of their own")
    if depth == _MAX_DEPTH:
        unwanted(found["groups"], f"at most {_MAX_DEPTH} groups within one another")
        return ScoreGroup(program=program)
    inner = each_of(lambda item: _read_group(item, SCORE_GROUP, program, 0, depth + 1), "at least one group")
    return ScoreGroup(program=program, **{**said, "cases": 0, "groups": inner(found["groups"])})
