"""Rules on the source in a handout, a sentence each."""

from collections.abc import Mapping, Sequence

from grader.core.model.spec import Case, Spec
from grader.core.report.feedback import code
from grader.core.text import count
from grader.kinds.source_rules.model import SourceRule, name_counted, source_rule_of

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
    if rule.most or rule.least > 1:
        least, most = rule.needed, rule.most
        number = f"at least {least}" if not most else f"{least} to {most}" if least else f"at most {most}"
        number = str(least) if least == most else number
        there = "There have to be" if least else "There may be"
        return f"{there} {number} {name_counted(rule, most or least, code)}{within}{where}."
    asked = _ASKED.get(rule.what, f"a {name_counted(rule, 1, code)}").format(code(rule.name))
    return f"{_DEMANDS[rule.demand]} {asked}{within}{where}."


def describe_cases(_cases: Sequence[Case], _spec: Spec) -> str:
    """Return the line above a list of rules."""
    return "Looked at without being run:"
