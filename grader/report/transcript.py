"""A dialogue as people read it: when, who, what. Hostile bytes are escaped as everywhere."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from grader.model import KEYS, Turn
from grader.report.diff import excerpt
from grader.text import show

TURNS = 16
"""turns that are shown, the last ones: a dialogue that stops, stops at its end"""

TURN_LINES = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Speech:
    """A turn as it is shown: `4.13 s`, `program`, and the lines that were said, `…` for those left out."""

    time: str
    who: str
    lines: Sequence[str]


_NAMES = {key: name for name, key in KEYS.items()}


def speaker(turn: Turn) -> str:
    """Who said it: `grader` or `program`."""
    return "grader" if turn.stream == "stdin" else "program"


def said(turn: Turn) -> str:
    """Show what was said; a key by its name, `[ctrl-d]`."""
    if turn.stream != "stdin":
        return show(turn.text)
    if not turn.text:
        return "[end of input]"
    return f"[{_NAMES[turn.text]}]" if turn.text in _NAMES else show(turn.text)


def speeches(turns: Sequence[Turn]) -> list[Speech]:
    """Show the end of a dialogue."""
    return [Speech(time=f"{turn.time:.2f} s", who=speaker(turn), lines=list(_lines(turn))) for turn in turns[-TURNS:]]


def earlier(turns: Sequence[Turn]) -> str:
    """Say how much of a dialogue is not shown; empty when all of it is."""
    left_out = len(turns) - TURNS
    return f"… {left_out} earlier turns" if left_out > 0 else ""


def transcript(turns: Sequence[Turn]) -> list[str]:
    """Lay out the end of a dialogue in lines, each of them ` 0.12 s  program  Enter n: `."""
    lines = [f"  {left_out}"] if (left_out := earlier(turns)) else []
    for speech in speeches(turns):
        head = f"{speech.time:>8}  {speech.who:7}  "
        for line in speech.lines:
            lines.append(head + line)
            head = " " * len(head)
    return lines


def _lines(turn: Turn) -> Iterator[str]:
    if turn.stream == "stdin" and (not turn.text or turn.text in _NAMES):
        yield said(turn)
        return
    yield from excerpt(turn.text, most=TURN_LINES, width=60) or [""]
