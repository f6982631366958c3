"""Runs of a wrong program under another input, which show what a single run cannot: typed, behind a number, or open.

A program in C that reads on after the end of its input, as `while (x != 0) scanf("%d", &x);` does, is known by two
facts: the sources test the result of no read, and a program that used up its time waits for more when its input stays
open, also after further lines.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from grader.core.kind import kind_of
from grader.core.lazy import lazy_regex
from grader.core.model.execution import Execution, Launch, Runner
from grader.core.model.spec import Case, Step
from grader.core.text import quote

_MIN_SECONDS, _TIME_FACTOR = 1.0, 4.0
"""how many times what the first run took, beyond those seconds, a variation may take"""
_MAX_TYPED_LINES, _SECONDS_PER_LINE = 10, 0.5
"""lines of an input that is typed, and the time for each"""
_MAX_DIGITS, _MAX_SOURCE_BYTES, _MAX_SOURCES = 9, 2**18, 20
_NEW_READER = lazy_regex(rb"\bnew\s+(Scanner|BufferedReader|InputStreamReader)\s*\(")


class Variation(Struct, frozen=True):
    """Further runs of a case, and what they show if the program is right, then wrong, then right again in them."""

    sort: str
    """what is varied"""
    launches: tuple[tuple[Launch, bool], ...]
    """each with whether it must be right in it: in one that it must not, being right was an accident"""
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
        yield Variation("terminal", ((typed, True), (short, False), (typed, True)), _describe_terminal(launch))
    heads = {"test cases": b"1"} | ({"lines": b"%d" % len(lines)} if len(lines) > 1 else {})
    for sort, head in heads.items() if not _begins_with_a_count(lines) else ():
        # Who takes the number for data takes the line at the end too, and who counts ends before it.
        inputs = (head + b"\n" + launch.stdin, head + b"\n", b"\n".join((head, *lines, lines[-1], b"")))
        launches = zip((replace(short, stdin=stdin) for stdin in inputs), (True, False, True), strict=True)
        remark = f"Your program reads the number of {sort} first; the assignment's input has no such line."
        if may_run(sort):
            yield Variation(sort, tuple(launches), f"{remark} With the line {quote(head)} in front it is right.")


def _begins_with_a_count(lines: Sequence[bytes]) -> bool:
    """Whether the first line may be the number of those behind it, or of test cases that have as many lines each."""
    first, rest = lines[0].strip(), sum(bool(line.strip()) for line in lines[1:])
    is_count = first.isdigit() and len(first) <= _MAX_DIGITS and int(first) > 0
    return is_count and rest > 0 and rest % int(first) == 0


def _describe_terminal(launch: Launch) -> str:
    """Say that a program is right on a terminal alone, with the class of Java that reads ahead, if it has one."""
    paths = sorted(launch.folder.rglob("*.java"))[:_MAX_SOURCES] if launch.folder else ()
    plain = (path for path in paths if path.is_file() and not path.is_symlink())
    sources = (path.read_bytes() for path in plain if path.stat().st_size <= _MAX_SOURCE_BYTES)
    found = next(filter(None, map(_NEW_READER.search, sources)), None)
    cause = f": a new {quote(found[1])} for each line reads ahead; make one for all lines" if found else ""
    right = "Your program is right when its input is typed on a terminal."
    return f"{right} The assignment gives it through a pipe, where it is wrong{cause}."


# ---------------------------------------------------------------- an input that stays open

_SUFFIXES = frozenset({".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp"})
_MAX_INPUT_BYTES, _MAX_READS, _MAX_NAME_LENGTH = 2**16, 100, 32
_BUSY = 0.8
"""the least share of its time that a program works which never waits"""
_SECONDS, _FURTHER_LINES = 1.0, 40
"""that the further run takes at most, and that its input is longer"""
_NO_CODE = lazy_regex(
    r"""//[^\n]*|/\*(?:.*?\*/|.*)|(?P<mark>["'])(?P<text>(?:\\.|(?!(?P=mark))[^\\\n])*)(?P=mark)""", re.DOTALL
)
_UNSURE = lazy_regex(
    r"\b(?:EOF|WEOF|cin|getline|feof|ferror|fread|read|getche?|getw?char(?:_unlocked)?|f?getc|wscanf|vscanf|freopen|istream\w*"
    r"|isatty|poll|select|fileno|longjmp|asm)\b|\bR\""
)
"""what may read in another way, or may test whether a read succeeded"""
_READ = lazy_regex(r"(?<![\w.>])(?:std\s*::\s*)?(?P<name>scanf|fscanf|fgets|gets)\s*\(")
_BEGINS_STATEMENT = lazy_regex(r"(?:^|[;{})]|\b(?:else|do)|\b(?:case\b[^?;{}\n]{0,80}|default\s*):)\s*\Z")
_LOOP = lazy_regex(r"\b(?:while|for|do)\b(?P<head>\s*\()?")
_Read = tuple[str, int, str, int]
"""a file, a line, the function that reads there, and where the innermost loop around it begins, or -1"""


def describe_read_past_end(case: Case, launch: Launch, execution: Execution, execute: Runner) -> str:
    """Say that a program that never ended reads on after the end of its input; "" where that is not certain."""
    kind = kind_of(case)
    if not kind.prints_answer or kind.has_input or case.command or launch.terminal or launch.interactor:
        return ""
    is_busy = execution.cpu >= _BUSY * (execution.time - execution.waited)
    never_waited = execution.limit in ("cpu", "memory", "output") or (execution.limit == "time" and is_busy)
    if not never_waited or execution.is_inconclusive or len(launch.stdin) > _MAX_INPUT_BYTES or launch.folder is None:
        return ""
    reads = _untested_reads(launch.folder)
    if not reads or not _waits_while_open(launch, execute):
        return ""
    inside = [read for read in reads if read[-1] >= 0] or reads
    file, line, name, _ = inside[0]
    is_one_place = len(inside) == 1 or len({(file, loop) for file, _, _, loop in inside}) == 1
    place = quote(f"{file}:{line}" if is_one_place else file, most=_MAX_NAME_LENGTH)
    remedy = f"test what `{name}` returns" if name.endswith("scanf") else f"test whether `{name}` returns `NULL`"
    return f"{place} goes on reading after the input has ended: {remedy}."


def _waits_while_open(launch: Launch, execute: Runner) -> bool:
    """Whether a program waits for more where its input, with further lines, does not end."""
    lines = launch.stdin.decode(errors="replace").splitlines()
    more = [next((line for line in reversed(lines) if line.strip()), "1")] * _FURTHER_LINES
    limits = replace(launch.limits, time=min(launch.limits.time, _SECONDS), cpu=min(launch.limits.cpu, _SECONDS))
    argv, steps = launch.argv_untuned or launch.argv, (Step(do="send", text="\n".join([*lines, *more])),)
    found = execute(replace(launch, argv=argv, argv_untuned=(), stdin=b"", dialogue=steps, limits=limits))
    # A dialogue ends the input, and records that, only after the program has waited for more.
    return any(turn.stream == "stdin" and not turn.text for turn in found.transcript)


def _untested_reads(folder: Path) -> Sequence[_Read]:
    """Return the reads of standard input in all sources; none where the result of one may be tested."""
    paths = sorted(path for path in folder.rglob("*") if path.suffix in _SUFFIXES)
    found: list[_Read] = []
    for path in paths:
        if path.is_symlink() or not path.is_file() or path.stat().st_size > _MAX_SOURCE_BYTES:
            return ()
        code = _NO_CODE.sub(_blank, path.read_bytes().decode(errors="replace"))
        reads = list(_reads_in(path.name, code))
        if len(paths) > _MAX_SOURCES or _UNSURE.search(code) or None in reads or len(reads) > _MAX_READS:
            return ()
        found += filter(None, reads)
    return found


def _blank(found: re.Match[str]) -> str:
    """Replace a comment or the inside of a text by spaces, so that every place stays where it was."""
    blank = re.sub(r"[^\n]", " ", found[0])
    return f"{found['mark']}{blank[1:-1]}{found['mark']}" if found["mark"] else blank


def _reads_in(name: str, code: str) -> Iterator[_Read | None]:
    """Yield the untested reads of standard input, each a statement of its own; None for one that may be tested."""
    loops = []
    for one in _LOOP.finditer(code):  # it ends with its brace, or its one statement
        body = _closing(code, one.end(), "()") if one["head"] else one.end()
        loops.append((one.start(), _closing(code, body, "{}", depth=0)))
    for found in _READ.finditer(code):
        end = _closing(code, found.end(), "()")
        if found["name"] in ("fscanf", "fgets") and not re.search(r"\bstdin\b", code[found.end() : end]):
            continue
        is_whole = _BEGINS_STATEMENT.search(code[: found.start()][-200:]) and code[end:][:200].lstrip().startswith(";")
        around = [start for start, stop in loops if start < found.start() < stop]
        line = code.count("\n", 0, found.start()) + 1
        yield (name, line, found["name"], max(around, default=-1)) if is_whole else None


def _closing(code: str, start: int, pair: str, depth: int = 1) -> int:
    """Return where what was opened before `start` is closed; with a `depth` of 0 also behind the first `;`."""
    for found in re.compile(f"[{pair}{'' if depth else ';'}]").finditer(code, start):
        depth += {pair[0]: 1, pair[1]: -1}.get(found[0], 0)
        if depth <= 0:
            return found.end()
    return len(code)
