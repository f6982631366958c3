"""Rules on the source in a handout, a sentence each."""

from collections.abc import Mapping

from grader.core.model import Case, Spec
from grader.core.report.feedback import code
from grader.core.text import count
from grader.kinds.source_rules.model import STATEMENTS, SourceRule, source_rule_of

_DEMANDS: Mapping[str, str] = {"forbid": "There must not be", "require": "There has to be"}
_ASKED: Mapping[str, str] = {
    "call": "a call of {}",
    "import": "an import of {}",
    "token": "a {}",
    "recursion": "a function {} that calls itself, directly or through others",
    "function": "a function {}",
}


def describe_case(case: Case, _spec: Spec) -> str:
    """Describe a rule on the source, in a sentence."""
    rule = source_rule_of(case)
    return _describe_rule(rule) if rule else ""


def _describe_rule(rule: SourceRule) -> str:
    where = f" in {' or '.join(map(code, rule.files))}" if rule.files else ""
    if rule.what == "depth-of-blocks":
        return f"A function has {count(rule.most, 'block')} within one another at most{where}."
    if rule.what == "comments-of-function":
        return f"A function has {count(rule.least, 'comment')} at least, in it or directly above{where}."
    if rule.demand == "most":
        what = "A function" if rule.what == "lines-of-function" else "A file"
        return f"{what} has {count(rule.most, 'line')} at most{where}."
    within = f" in the function {code(rule.within)}" if rule.within else ""
    asked = _describe_loop(rule) if rule.what == "loop" else _ASKED[rule.what].format(code(rule.name))
    bounds = [f"at least {rule.least}"] if rule.least > 1 else []
    bounds += [f"at most {rule.most}"] if rule.most else []
    if rule.most and not rule.least:
        return f"There may be {asked}{within}{where}: {rule.most} at most."
    number = f": {' and '.join(bounds)}" if bounds else ""
    return f"{_DEMANDS[rule.demand]} {asked}{within}{where}{number}."


def _describe_loop(rule: SourceRule) -> str:
    forms = "" if rule.forms == STATEMENTS else f"{' or '.join(map(code, rule.forms))} "
    deep = f" that is within {count(rule.depth - 1, 'other')}" if rule.depth > 1 else ""
    return f"a {forms}loop{deep}"
