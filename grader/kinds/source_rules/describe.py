"""Rules on the source in a handout, a sentence each."""

from collections.abc import Mapping

from grader.core.model import Case, Spec
from grader.core.report.feedback import code
from grader.core.text import count
from grader.kinds.source_rules.model import SourceRule, source_rule_of

_DEMANDS: Mapping[str, str] = {"forbid": "There must not be", "require": "There has to be"}
_ASKED: Mapping[str, str] = {
    "call": "a call of {}",
    "import": "an import of {}",
    "loop": "a loop",
    "recursion": "a function {} that calls itself, directly or through others",
    "function": "a function {}",
}


def describe_case(case: Case, _spec: Spec) -> str:
    """Describe a rule on the source, in a sentence."""
    rule = source_rule_of(case)
    return _describe_rule(rule) if rule else ""


def _describe_rule(rule: SourceRule) -> str:
    where = f" in {' or '.join(map(code, rule.files))}" if rule.files else ""
    if rule.demand == "most":
        what = "A function" if rule.what == "lines-of-function" else "A file"
        return f"{what} has {count(rule.most, 'line')} at most{where}."
    within = f" in the function {code(rule.within)}" if rule.within else ""
    return f"{_DEMANDS[rule.demand]} {_ASKED[rule.what].format(code(rule.name))}{within}{where}."
