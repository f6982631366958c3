"""Whether `queens(N, Qs)` of COMP 333 has the right answers, as `ask_queens.pl` or a session at the prompt tells them.

The hand-out asks for no particular list. An answer is a number for each queen or a pair of numbers, in whatever
brackets and from whichever end; rows and columns count from 0 or from 1.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from boards import Board, require_solution
from queens import Placement, count

from grader import Wrong

NUMBER = re.compile(r"(?<!\d)-\d+|\d+", re.ASCII)
VARIABLE = re.compile(r"(?<![\w'])[A-Z_]\w*", re.ASCII)
SHOWN = re.compile(r"\bQs = (?=\[)")
ERROR = re.compile(r"^ERROR: (.*:\nERROR: .*|.*)", re.MULTILINE)
FOLDER = re.compile(r"/\S*/")
MARK = "ask: "
FIRST = "ask: token "
LONGEST = 160
DIGITS = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What `ask_queens.pl` wrote: the answers, and how it ended."""

    answers: Sequence[str]
    error: str
    is_complete: bool


def ready(output: bytes) -> None:
    """Ask that the program was loaded and Prolog is still there to ask it; which predicates it has is left open."""
    _said(output)


def loads(errors: bytes) -> None:
    """Ask that the program was loaded without an error; `errors` is standard error. Warnings are no errors."""
    found = ERROR.search(_text(errors))
    if found:
        words = " ".join(found[1].replace("ERROR:", " ").split())
        raise Wrong(f"SWI-Prolog says: {_shortened(FOLDER.sub('', words))}.")


def some(output: bytes, n: str) -> None:
    """Ask that there is an answer, and that the first one is right."""
    asked = read(output)
    if not asked.answers:
        raise Wrong(f"queens({n}, Qs) has no answer; {_there_are(count(int(n)))}.{_ending(asked)}")
    placement(asked.answers[0], int(n), f"The first answer of queens({n}, Qs)")


def none(output: bytes, n: str) -> None:
    """Ask that there is no answer, and that the program finds that out by itself."""
    asked = read(output)
    if asked.answers:
        raise Wrong(f"queens({n}, Qs) has the answer {_shortened(asked.answers[0])}; there is none.")
    if not asked.is_complete:
        raise Wrong(f"queens({n}, Qs) should fail.{_ending(asked)}")


def every(output: bytes, n: str) -> None:
    """Ask for all solutions and nothing else, each as often as you like."""
    asked = read(output)
    found = _placements(asked, n)
    total = count(int(n))
    if len(set(found)) < total:
        raise Wrong(f"queens({n}, Qs) has {_number(found)}; {_there_are(total)}.{_ending(asked)}")


def once(output: bytes, n: str) -> None:
    """Ask that no answer comes again, and that they come to an end."""
    asked = read(output)
    found = _placements(asked, n)
    seen: set[Placement] = set()
    for board, answer in zip(found, asked.answers, strict=True):
        if board in seen:
            told = f"answer {len(seen) + 1}, {_shortened(answer)}, was there before"
            raise Wrong(f"queens({n}, Qs) has {_number(found)}: {told}.")
        seen.add(board)
    if not found or not asked.is_complete:
        raise Wrong(f"queens({n}, Qs) has {_number(found)}.{_ending(asked)}")


def session(output: bytes, n: str) -> None:
    """Ask that every `Qs = …` of a session is a solution. What lies within the list of another is part of that."""
    text, end = _text(output), 0
    for found in SHOWN.finditer(text):
        if found.start() < end:
            continue  # reading lists within lists again and again would take quadratic time
        written = _list(text, found.end())
        end = found.end() + len(written)
        placement(" ".join(written.split()), int(n), f"The answer to queens({n}, Qs)")


def read(output: bytes) -> Asked:
    """Read what `ask_queens.pl` wrote, between what the program itself writes."""
    said = _said(output)
    last = dict(said)
    if "missing" in last:
        others = _shortened(last["missing"].strip("[]").replace(",", ", "))
        raise Wrong(f"queens.pl has no predicate queens/2; it has {others or 'none at all'}.")
    return Asked(
        answers=[rest for word, rest in said if word == "answer"],
        error=last.get("error", ""),
        is_complete="end" in last,
    )


def _said(output: bytes) -> list[tuple[str, str]]:
    """Return the first word that each line of `ask_queens.pl` says, and the rest of the line."""
    lines = _text(output).splitlines()
    # A token in the first line was told before the program was loaded: lines without it are the program's own.
    mark = f"{lines[0].removeprefix(FIRST).strip()} {MARK}" if lines and lines[0].startswith(FIRST) else MARK
    told = [line.removeprefix(mark) for line in lines if line.startswith(mark)]
    if "loaded" not in told:
        raise Wrong("SWI-Prolog ended while it was loading queens.pl, before queens/2 could be asked.")
    return [(line.partition(" ")[0], line.partition(" ")[2]) for line in told[told.index("loaded") :]]


def placement(answer: str, n: int, who: str) -> Placement:
    """Read an answer for `n` queens; Wrong, which begins with `who`, when it is no solution."""
    shown = f"{who}, {_shortened(answer)},"
    if VARIABLE.search(answer):
        raise Wrong(f"{shown} leaves a variable without a value. With clpfd, label/1 finds the values.")
    rows = _from_one(_places(answer, n, shown))
    if not set(rows) <= set(range(1, n + 1)):
        raise Wrong(f"{shown} puts a queen beside a board of {n} rows.")
    require_solution(Board(n=n, queens=tuple((row, column) for column, row in enumerate(rows, start=1))), shown)
    return rows


def _list(text: str, start: int) -> str:
    """Return the list that begins at `start`, which Prolog may have broken into lines."""
    depth = 0
    for at in range(start, len(text)):
        depth += (text[at] == "[") - (text[at] == "]")
        if not depth:
            return text[start : at + 1]
    return text[start:]


def _places(answer: str, n: int, shown: str) -> Placement:
    """Return one number for each queen; of pairs the second, in the order of the first."""
    numbers = tuple(int(number[:DIGITS]) for number in NUMBER.findall(answer))
    if len(numbers) == n:
        return numbers
    if len(numbers) != 2 * n:
        raise Wrong(f"{shown} has {len(numbers)} numbers; {n} queens take {n}, or {n} pairs.")
    pairs = sorted(zip(numbers[::2], numbers[1::2], strict=True))
    if _from_one([first for first, _ in pairs]) != tuple(range(1, n + 1)):
        raise Wrong(f"{shown} does not have one queen in each of {n} columns.")
    return tuple(second for _, second in pairs)


def _from_one(numbers: Sequence[int]) -> Placement:
    return tuple(number + 1 for number in numbers) if 0 in numbers else tuple(numbers)


def _placements(asked: Asked, n: str) -> list[Placement]:
    return [
        placement(answer, int(n), f"Answer {number} of queens({n}, Qs)")
        for number, answer in enumerate(asked.answers, start=1)
    ]


def _number(found: Sequence[Placement]) -> str:
    different = len(set(found))
    answers = "no answer" if not found else "1 answer" if len(found) == 1 else f"{len(found)} answers"
    return answers if different == len(found) else f"{answers}, of which {different} differ"


def _there_are(total: int) -> str:
    return f"there {'is' if total == 1 else 'are'} {total}"


def _ending(asked: Asked) -> str:
    """Say what stopped the answers, if something did."""
    if asked.error:
        return f" Then it ended with the exception {_shortened(asked.error)}."
    return "" if asked.is_complete else " It went on, and was asked for no more."


def _text(output: bytes) -> str:
    return output.decode(errors="replace")


def _shortened(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
