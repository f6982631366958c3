"""Runs of a wrong program under another input, typed or behind a number, which show what a single run cannot."""

from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from grader.core.kind import kind_of
from grader.core.lazy import lazy_regex
from grader.core.model.execution import Execution, Launch
from grader.core.model.spec import Case, Step
from grader.core.text import quote

_MIN_SECONDS, _TIME_FACTOR = 1.0, 4.0
"""how many times what the first run took, beyond those seconds, a variation may take"""
_MAX_TYPED_LINES, _SECONDS_PER_LINE = 10, 0.5
"""lines of an input that is typed, and the time for each"""
_MAX_DIGITS, _MAX_SOURCE_BYTES, _MAX_SOURCES = 9, 2**18, 50
_NEW_READER = lazy_regex(rb"\bnew\s+(Scanner|BufferedReader|InputStreamReader)\s*\(")


class Variation(Struct, frozen=True):
    """Further runs of a case, and what they show if the program is right, then wrong, then right again in them."""

    sort: str
    """what is varied"""
    launches: tuple[Launch, Launch, Launch]
    """one in which it may be right; one in which it must be wrong, or that was an accident; one as the first"""
    remark: str


def variations_of(
    case: Case, launch: Launch, execution: Execution, may_run: Callable[[str], bool] = lambda _sort: True
) -> Iterator[Variation]:
    """Yield the further runs that may show why a program is wrong that read an input and ended by itself."""
    kind, lines = kind_of(case), launch.stdin.splitlines()
    is_plain = kind.prints_answer and not kind.has_input and not (case.command or case.also or launch.terminal)
    if not (is_plain and launch.stdin.strip()) or execution.limit or execution.is_inconclusive:
        return
    limits, time = launch.limits, _MIN_SECONDS + _TIME_FACTOR * execution.time
    limits = replace(limits, time=min(limits.time, time), cpu=min(limits.cpu, time))
    short = replace(launch, argv=launch.argv_untuned or launch.argv, argv_untuned=(), limits=limits)
    if 1 < len(lines) <= _MAX_TYPED_LINES and not case.both and may_run("terminal"):
        steps = tuple(Step(do="type", text=line.decode(errors="replace")) for line in lines)
        more = _SECONDS_PER_LINE * len(lines)  # each is typed when the program waits: Java takes all that is there
        longer = replace(limits, time=limits.time + more, cpu=limits.cpu + more)
        typed = replace(short, stdin=b"", terminal=True, dialogue=steps, limits=longer)
        yield Variation("terminal", (typed, short, typed), _describe_terminal(launch))
    heads = {"test cases": b"1"} | ({"lines": b"%d" % len(lines)} if len(lines) > 1 else {})
    for sort, head in heads.items() if not _begins_with_a_count(lines) else ():
        # Who takes the number for data takes the line at the end too, and who counts ends before it.
        inputs = (head + b"\n" + launch.stdin, head + b"\n", b"\n".join((head, *lines, lines[-1], b"")))
        first, control, confirmation = (replace(short, stdin=stdin) for stdin in inputs)
        remark = f"Your program reads the number of {sort} first; the assignment's input has no such line. "
        remark += f"With the line {quote(head)} in front it is right."
        if may_run(sort):
            yield Variation(sort, (first, control, confirmation), remark)


def _begins_with_a_count(lines: Sequence[bytes]) -> bool:
    """Whether the first line may be the number of those behind it, or of test cases that have as many lines each."""
    first, rest = lines[0].strip(), sum(bool(line.strip()) for line in lines[1:])
    is_count = first.isdigit() and len(first) <= _MAX_DIGITS and int(first) > 0
    return is_count and rest > 0 and rest % int(first) == 0


def _describe_terminal(launch: Launch) -> str:
    """Say that a program is right on a terminal alone, with the class of Java that reads ahead, if it has one."""
    cause = ""
    paths = sorted(launch.folder.rglob("*.java"))[:_MAX_SOURCES] if launch.folder else ()
    for path in (path for path in paths if path.is_file() and not path.is_symlink()):
        with path.open("rb") as file:
            if found := _NEW_READER.search(file.read(_MAX_SOURCE_BYTES)):
                cause = f": a new {quote(found[1])} for each line reads ahead; make one for all lines"
                break
    right = "Your program is right when its input is typed on a terminal."
    return f"{right} The assignment gives it through a pipe, where it is wrong{cause}."
