"""The requirements on the source of a submission: no program runs for them."""

from typing import Literal

from grader.core.model import Case, Payload, Spec

GRAMMARS = ("c", "cpp", "java", "python")
"""the languages whose sources can be looked at"""

Demand = Literal["forbid", "require", "most"]


class SourceRule(Payload, frozen=True, kw_only=True):
    """Something that the source must not have, has to have, or may have so much of."""

    demand: Demand
    what: str
    """`call`, `import`, `loop`, `recursion`, `function`; of `most`: `lines-of-function`, `lines-of-file`"""
    name: str = "*"
    """a glob of the called, imported or defined name; a qualifier, such as a class, may be omitted"""
    within: str = ""
    """the only function in which it counts; empty for everywhere"""
    most: int = 0
    """of `most`: the number that is allowed"""
    files: tuple[str, ...] = ()
    """names or globs of the files that are looked at"""
    language: str

    @property
    def text(self) -> str:
        """The rule on a line, much as it stands in a spec."""
        if self.demand == "most":
            return f"most {self.what}: {self.most}"
        named = self.what if self.what == "loop" else f"{self.what} {self.name}"
        return f"{self.demand} {named}{f' in {self.within}' if self.within else ''}"


def source_rule_of(case: Case) -> SourceRule | None:
    """Return the rule on the source that a case is; None for a case of another kind."""
    return case.payload if isinstance(case.payload, SourceRule) else None


def command_text(case: Case, _spec: Spec) -> str:
    """Return the rule on a line, in place of a command."""
    rule = source_rule_of(case)
    return rule.text if rule else ""
