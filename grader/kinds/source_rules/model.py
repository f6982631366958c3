"""The requirements on the source of a submission: no program runs for them."""

from collections.abc import Callable
from typing import Literal

from grader.core.model.spec import Payload
from grader.core.text import joined

GRAMMARS = ("c", "cpp", "java", "python")
"""the languages whose sources can be looked at"""

Demand = Literal["forbid", "require", "most", "least"]
LoopForm = Literal["for", "while", "do", "comprehension"]
STATEMENTS: tuple[LoopForm, ...] = ("for", "while", "do")
"""the forms of a loop that are meant where a rule names none"""


class SourceRule(Payload, frozen=True, kw_only=True):
    """Something that the source must not have, has to have, or may have so much of."""

    demand: Demand
    what: str
    """`call`, `import`, `loop`, `token`, `recursion`, `function`; of `most`: `lines-of-function`, `lines-of-file`,
    `depth-of-blocks`; of `least`: `comments-of-function`"""
    name: str = "*"
    """a glob of the called, imported or defined name; a qualifier, such as a class, may be omitted; or the token"""
    within: str = ""  # the only function in which it counts; empty for everywhere
    forms: tuple[LoopForm, ...] = STATEMENTS  # of a loop: which are meant
    depth: int = 1  # of a loop: how deep it is among those that are meant, at least; 2 for a loop within a loop
    least: int = 0  # how many there have to be; 0 in `require`: one, or any number with `most`
    most: int = 0  # how many there may be; 0 for any number, and for what is forbidden
    files: tuple[str, ...] = ()  # names or globs of the files that are looked at
    language: str

    sources = property(lambda self: self.files)
    command_text = property(lambda self: lambda _spec: self.text)
    needed = property(lambda self: self.least or (0 if self.most else 1))  # how many there have to be of the required

    @property
    def text(self) -> str:
        """The rule on a line, much as it stands in a spec."""
        if self.demand in ("most", "least"):
            return f"{self.demand} {self.what}: {self.most if self.demand == 'most' else self.least}"
        forms = "" if self.forms == STATEMENTS else f" {' or '.join(self.forms)}"
        text = f"{self.demand} {self.what}{forms if self.what == 'loop' else f' {self.name}'}"
        text += f" in {self.within}" if self.within else ""
        numbers = (("depth", self.depth, 1), ("at least", self.least, 1), ("at most", self.most, 0))
        return text + "".join(f", {word} {number}" for word, number, usual in numbers if number > usual)


def name_counted(rule: SourceRule, number: int, mark: Callable[[str], str]) -> str:
    """Name what a rule counts, after its number; `mark` marks names as code."""
    s, name = "" if number == 1 else "s", mark(rule.name)
    around = rule.depth - 1
    deep = f" within {'another' if around == 1 else f'{around} others'}" if around else ""
    match rule.what:
        case "loop":
            forms = "" if rule.forms == STATEMENTS else f"{joined([mark(form) for form in rule.forms], 'or')} "
            return f"comprehension{s}{deep}" if rule.forms == ("comprehension",) else f"{forms}loop{s}{deep}"
        case "recursion":
            return f"function{s} {name} that {'calls itself' if number == 1 else 'call themselves'}"
        case what:
            named = f" {'of ' if what in ('call', 'import') else ''}{name}"
            return f"{what}{s}{'' if rule.name == '*' and what == 'function' else named}"


def name_one(rule: SourceRule, mark: Callable[[str], str]) -> str:
    """Name one of what a rule is about: "a call of `exit`"."""
    return f"{'an' if rule.what == 'import' else 'a'} {name_counted(rule, 1, mark)}"
