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


def transcript_lines(turns: Sequence[ReportedTurn]) -> list[tuple[str, str, list[str]]]:
    """Show the end of a dialogue: `4.13 s`, `program`, and the lines of the text, `…` for omitted ones."""
    return [
        (f"{turn.time:.2f} s", _speaker_of(turn), excerpt(turn.text.encode(), most=TURN_LINES, width=60) or [""])
        for turn in turns[-TURNS:]
    ]


def _speaker_of(turn: ReportedTurn) -> str:
    """Name who said something; of several programs each by its name, and `> encoder` for what it was given."""
    if turn.role is msgspec.UNSET:
        return turn.who
    return turn.role if turn.who == "program" else f"> {turn.role}"


def earlier(turns: Sequence[ReportedTurn]) -> str:
    """Say how much of a dialogue is not shown; empty when all of it is."""
    left_out = len(turns) - TURNS
    return f"… {left_out} earlier turns" if left_out > 0 else ""


def transcript(turns: Sequence[ReportedTurn]) -> list[str]:
    """Lay out the end of a dialogue in lines, each of them ` 0.12 s  program  Enter n: `."""
    lines = [f"  {left_out}"] if (left_out := earlier(turns)) else []
    said = transcript_lines(turns)
    width = max((len(who) for _, who, _ in said), default=0)
    for time, who, texts in said:
        head = f"{time:>8}  {who:{max(width, _MIN_SPEAKER)}}  "
        for line in texts:
            lines.append(head + line)
            head = " " * len(head)
    return lines


def describe_roles(case: ReportedCase) -> list[str]:
    """Show what several programs used that ran at the same time, and all of them together; empty for a single one."""
    if case.roles is msgspec.UNSET:
        return []
    together = RoleEnd(
        name="together",
        time=sum(one.time for one in case.roles),
        cpu=sum(one.cpu for one in case.roles),
        memory=sum(one.memory for one in case.roles),
    )
    shown = (*case.roles, together)
    width = max(len(one.name) for one in shown)
    return [
        f"  {one.name:{width}}  {one.time:.2f} s, of which {one.cpu:.2f} s on a processor; {size(one.memory)}"
        for one in shown
    ]
