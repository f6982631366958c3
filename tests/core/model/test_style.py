"""What findings of a style tool cost, and what it is asked about."""

from fractions import Fraction

from grader.kinds.style.model import STYLE_TOOLS, StyleCheck
from tests.support.rows import each_row

RUFF = STYLE_TOOLS["ruff"]


def check(free: int = 0, costs: str = "", at_most: str = "", points: str = "10") -> StyleCheck:
    return StyleCheck(
        tool=RUFF,
        options=(),
        free=free,
        costs=Fraction(costs) if costs else None,
        at_most=Fraction(at_most) if at_most else None,
        points=Fraction(points),
    )


@each_row
def test_what_findings_leave(asked: StyleCheck, shares: list[str]) -> None:
    assert [asked.credit(findings) for findings in range(len(shares))] == [Fraction(share) for share in shares]


def test_what_is_looked_at() -> None:
    everything = StyleCheck(tool=RUFF, options=("--isolated",))
    assert (everything.asked, everything.text) == (("*.py",), "ruff check --isolated *.py")
    named = StyleCheck(tool=RUFF, options=(), files=("a.py", "b.py"))
    assert (named.asked, named.text) == (("a.py", "b.py"), "ruff check a.py b.py")


def test_what_a_check_is_that_says_no_more() -> None:
    check = StyleCheck(tool=RUFF, options=())
    assert (check.heeds_comments, check.free, check.points) == (False, 0, Fraction(1))
    assert (check.costs, check.at_most) == (None, None)


@each_row
def test_with_which_statuses_a_tool_has_done_its_work(name: str, done: tuple[int, ...]) -> None:
    assert STYLE_TOOLS[name].done == done


@each_row
def test_how_a_tool_is_called_and_installed(name: str, remedy: str) -> None:
    assert (STYLE_TOOLS[name].name, STYLE_TOOLS[name].remedy) == (name, remedy)
