"""Rules on the source in a handout, a sentence each."""

from collections.abc import Sequence

from grader.core.model.spec import Case, Spec
from grader.core.report.document import code
from grader.core.text import count
from grader.kinds.source_rules.model import SourceRule, name_counted, name_one


def describe_case(case: Case, _spec: Spec) -> str:
    """Describe a rule on the source, in a sentence."""
    rule = SourceRule.required(case)
    where = f" in {' or '.join(map(code, rule.files))}" if rule.files else ""
    within = f" in the function {code(rule.within)}" if rule.within else ""
    least, most, name = rule.needed, rule.most, code(rule.name)
    match rule.what:
        case "depth-of-blocks":
            return f"A function has {count(most, 'block')} within one another at most{where}."
        case "comments-of-function":
            return f"A function has {count(rule.least, 'comment')} at least, in it or directly above{where}."
        case "lines-of-function" | "lines-of-file":
            return f"A {rule.what.removeprefix('lines-of-')} has {count(most, 'line')} at most{where}."
    if most or rule.least > 1:
        number = f"at least {least}" if not most else f"{least} to {most}" if least else f"at most {most}"
        number = str(least) if least == most else number
        start = "There have to be" if least else "There may be"
        return f"{start} {number} {name_counted(rule, most or least, code)}{within}{where}."
    asked = {"token": f"a {name}", "function": f"a function {name}"}.get(rule.what) or name_one(rule, code)
    others = ", directly or through others" if rule.what == "recursion" else ""
    return f"There {'must not' if rule.demand == 'forbid' else 'has to'} be {asked}{others}{within}{where}."


def describe_cases(_cases: Sequence[Case], _spec: Spec) -> str:
    """Return the line above a list of rules."""
    return "Looked at without being run:"
