"""A dialogue as people read it: when, who, what. Hostile bytes are escaped as everywhere."""

from collections.abc import Iterator, Sequence

from grader.model import KEYS, Turn
from grader.report.diff import excerpt
from grader.report.text import show

TURNS = 16
"""turns that are shown, the last ones: a dialogue that stops, stops at its end"""

TURN_LINES = 6

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


def transcript(turns: Sequence[Turn]) -> list[str]:
    """Lay out the end of a dialogue in lines, each of them ` 0.12 s  program  Enter n: `."""
    left_out = len(turns) - TURNS
    lines = [f"  … {left_out} earlier turns"] if left_out > 0 else []
    for turn in turns[-TURNS:]:
        head = f"{turn.time:6.2f} s  {speaker(turn):7}  "
        for line in _lines(turn):
            lines.append(head + line)
            head = " " * len(head)
    return lines


def _lines(turn: Turn) -> Iterator[str]:
    if turn.stream == "stdin" and (not turn.text or turn.text in _NAMES):
        yield said(turn)
        return
    yield from excerpt(turn.text, most=TURN_LINES, width=60) or [""]
