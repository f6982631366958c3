"""Dialogues as lines: who said what, and what programs used that ran at the same time."""

from collections.abc import Sequence

import msgspec

from grader.core.model.execution import RoleEnd
from grader.core.model.report import ReportedCase, ReportedTurn
from grader.core.report.differences import excerpt
from grader.core.text import size

_MIN_SPEAKER = 7
"""characters for the name of a speaker"""
TURNS = 16
"""turns of a dialogue that are shown, the last ones: a dialogue that stops, stops at its end"""

TURN_LINES = 6

Said = tuple[str, str, Sequence[str]]
"""`4.13 s`, `program`, and the lines of the text, `…` for omitted ones"""


def said_last(turns: Sequence[ReportedTurn]) -> list[Said]:
    """Show the end of a dialogue."""
    return [
        (f"{turn.time:.2f} s", _speaker_of(turn), excerpt(turn.text.encode(), most=TURN_LINES, width=60) or [""])
        for turn in turns[-TURNS:]
    ]


def _speaker_of(turn: ReportedTurn) -> str:
    """Name who said something; of several programs each by its name, and `> encoder` for what it was given."""
    if turn.role is msgspec.UNSET:
        return turn.who
    return turn.role if turn.who == "program" else f"> {turn.role}"


def transcript(said: Sequence[Said], left_out: str) -> list[str]:
    """Lay out a dialogue in lines, each of them ` 0.12 s  program  Enter n: `."""
    width = max([_MIN_SPEAKER, *(len(who) for _, who, _ in said)])
    lines = [f"  {left_out}"] if left_out else []
    for time, who, (first, *rest) in said:
        head = f"{time:>8}  {who:{width}}  "
        lines += [head + first, *(" " * len(head) + line for line in rest)]
    return lines


def describe_roles(case: ReportedCase) -> list[str]:
    """Show what several programs used that ran at the same time, and all of them together; empty for a single one."""
    if case.roles is msgspec.UNSET:
        return []
    time, cpu, memory = (sum(getattr(one, what) for one in case.roles) for what in ("time", "cpu", "memory"))
    shown = (*case.roles, RoleEnd(name="together", time=time, cpu=cpu, memory=memory))
    width = max(len(one.name) for one in shown)
    return [
        f"  {one.name:{width}}  {one.time:.2f} s, of which {one.cpu:.2f} s on a processor; {size(one.memory)}"
        for one in shown
    ]
