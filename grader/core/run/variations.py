"""Runs of a wrong program under another input, which show why it is wrong where a single run cannot.

A program is right when somebody types the input, and wrong when it comes through a pipe: a terminal hands out a line at
a time, and a pipe all that there is, so that whoever makes a new reader for each line loses what the last one has read
ahead. Another program reads the number of test cases first, as programs for contests do. Either is said only when a
further run has shown it. Such a run changes no verdict: the contract of an assignment is the input that it gives.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from grader.core.lazy import lazy_regex
from grader.core.model.execution import Execution, Launch, Runner
from grader.core.model.limits import Limits
from grader.core.model.spec import Case, Step
from grader.core.text import quote
from grader.kinds import kind_of

MAX_VAIN_VARIATIONS = 2
"""per submission and sort of variation: runs that show nothing, before no more of that sort are made"""
_MIN_SECONDS = 1.0
_TIME_FACTOR = 4.0
"""how many times what the first run took, beyond those seconds, a variation may take"""
_MAX_TYPED_LINES = 10
_SECONDS_PER_LINE = 0.5
"""at most, for a line that is typed when the program waits for it"""
_MAX_DIGITS = 9
_MAX_SOURCE_BYTES = 2**18
_MAX_SOURCES = 50
_NEW_READER = lazy_regex(rb"\bnew\s+(Scanner|BufferedReader|InputStreamReader)\s*\(")


class Variation(Struct, frozen=True, kw_only=True):
    """A further run of a case, and what it shows if the program is right in it."""

    sort: str
    """what is varied, of which so many runs are made in vain"""
    launch: Launch
    control: Launch
    """a run in which it must still be wrong, or else it was right by accident"""
    confirmation: Launch
    """a run in which it must be right as well"""
    remark: str


def variations_of(case: Case, launch: Launch, execution: Execution, vain: Counter[str]) -> Iterator[Variation]:
    """Yield the further runs that may show why a program is wrong, without those sorts that were in `vain` too often.

    There are some only for a program that reads an input and ended by itself.
    """
    kind = kind_of(case)
    is_plain = kind.prints_answer and not kind.has_input and not (case.command or case.also or launch.terminal)
    if not (is_plain and launch.stdin.strip()) or execution.limit or execution.is_inconclusive:
        return
    short = replace(launch, argv=launch.argv_untuned or launch.argv, argv_untuned=(), limits=_short(launch, execution))
    for found in _every_variation(case, short):
        if vain[found.sort] < MAX_VAIN_VARIATIONS:
            yield found


def _short(launch: Launch, execution: Execution) -> Limits:
    limits = launch.limits
    time = _MIN_SECONDS + _TIME_FACTOR * execution.time
    return replace(limits, time=min(limits.time, time), cpu=min(limits.cpu, time))


def _every_variation(case: Case, launch: Launch) -> Iterator[Variation]:
    lines = launch.stdin.splitlines()
    if 1 < len(lines) <= _MAX_TYPED_LINES and not case.both:
        typed = _typed(launch, lines)
        remark = _describe_terminal(launch)
        yield Variation(sort="terminal", launch=typed, control=launch, confirmation=typed, remark=remark)
    heads = {"test cases": b"1"} | ({"lines": b"%d" % len(lines)} if len(lines) > 1 else {})
    for what, head in heads.items() if not _begins_with_a_count(lines) else ():
        yield Variation(
            sort=what,
            launch=replace(launch, stdin=head + b"\n" + launch.stdin),
            control=replace(launch, stdin=head + b"\n"),
            # Who takes the number for data takes this line too, and who counts ends before it.
            confirmation=replace(launch, stdin=b"\n".join((head, *lines, lines[-1], b""))),
            remark=f"Your program reads the number of {what} first; the assignment's input has no such line. "
            f"With the line {quote(head)} in front it is right.",
        )


def _begins_with_a_count(lines: Sequence[bytes]) -> bool:
    """Whether the first line may be the number of those behind it, or of test cases that have as many lines each."""
    first, rest = lines[0].strip(), sum(map(bool, map(bytes.strip, lines[1:])))
    is_count = first.isdigit() and len(first) <= _MAX_DIGITS and int(first) > 0
    return is_count and rest > 0 and rest % int(first) == 0


def _typed(launch: Launch, lines: Sequence[bytes]) -> Launch:
    """Return a start on a terminal in which each line of the input is typed when the program waits for it.

    A runtime takes whatever is there at once, from a terminal as well: Java's System.in does.
    """
    steps = tuple(Step(do="type", text=line.decode(errors="replace")) for line in lines)
    more = _SECONDS_PER_LINE * len(lines)
    limits = replace(launch.limits, time=launch.limits.time + more, cpu=launch.limits.cpu + more)
    return replace(launch, stdin=b"", terminal=True, dialogue=steps, limits=limits)


def run_variation(launch: Launch, execute: Runner) -> Execution:
    """Return what happened in a variation, as of a plain run: an input that is typed is no dialogue of the case."""
    return replace(execute(launch), transcript=(), stop=None, asked=False, output_when_script_ended=None)


def _describe_terminal(launch: Launch) -> str:
    """Say that a program is right on a terminal alone, with the cause where its source shows that."""
    reader = _reader_in(launch.folder)
    cause = f": a new {quote(reader)} for each line reads ahead; make one for all lines" if reader else ""
    right = "Your program is right when its input is typed on a terminal."
    return f"{right} The assignment gives it through a pipe, where it is wrong{cause}."


def _reader_in(folder: Path | None) -> str:
    """Return the class of which the sources in Java make objects to read with; empty when there is none."""
    for path in sorted(folder.rglob("*.java"))[:_MAX_SOURCES] if folder else ():
        if path.is_file() and not path.is_symlink():
            with path.open("rb") as file:
                found = _NEW_READER.search(file.read(_MAX_SOURCE_BYTES))
            if found:
                return found[1].decode()
    return ""
