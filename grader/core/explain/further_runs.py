"""Runs of a wrong program under another input, which show what a single run cannot: one typed, or one left open.

A program in C that reads on after the end of its input, as `while (x != 0) scanf("%d", &x);` does, is known by two
facts: the sources test the result of no read, and a program that used up its time waits for more when its input stays
open, also after further lines.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec.structs import replace

from grader.core.kind import kind_of
from grader.core.lazy import lazy_regex
from grader.core.model.execution import Execution, Launch, Runner
from grader.core.model.spec import Case, Step
from grader.core.text import quote

_MIN_SECONDS, _TIME_FACTOR = 1.0, 4.0
"""how many times what the first run took, beyond those seconds, such a run may take"""
_MAX_TYPED_LINES, _SECONDS_PER_LINE = 10, 0.5  # lines of an input that is typed, and the time for each
_MAX_SOURCE_BYTES, _MAX_SOURCES = 2**18, 20
_NEW_READER = lazy_regex(rb"\bnew\s+(Scanner|BufferedReader|InputStreamReader)\s*\(")


def typed_runs(case: Case, launch: Launch, execution: Execution) -> tuple[tuple[Launch, bool], ...]:
    """Return runs of a wrong program with its input typed, and through a pipe once more, and whether it is right then.

    None where it reads no input, or did not end by itself. What is typed is wrong through a pipe, else it was chance.
    """
    kind, lines = kind_of(case), launch.stdin.splitlines()
    is_plain = kind.prints_answer and not kind.has_input and not (case.command or case.also or launch.terminal)
    is_known = not (execution.limit or execution.is_inconclusive)
    if not (is_plain and is_known and launch.stdin.strip() and 1 < len(lines) <= _MAX_TYPED_LINES) or case.both:
        return ()
    limits, time = launch.limits, _MIN_SECONDS + _TIME_FACTOR * execution.time
    limits = replace(limits, time=min(limits.time, time), cpu=min(limits.cpu, time))
    piped = replace(launch, argv=launch.argv_untuned or launch.argv, argv_untuned=(), limits=limits)
    more = _SECONDS_PER_LINE * len(lines)  # each is typed when the program waits: Java takes all that is there
    longer = replace(limits, time=limits.time + more, cpu=limits.cpu + more)
    steps = tuple(Step(do="type", text=line.decode(errors="replace")) for line in lines)
    typed = replace(piped, stdin=b"", terminal=True, dialogue=steps, limits=longer)
    return (typed, True), (piped, False), (typed, True)


def describe_typed(launch: Launch) -> str:
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
_BUSY = 0.8  # the least share of its time that a program works which never waits
_SECONDS, _FURTHER_LINES = 1.0, 40  # that the further run takes at most, and that its input is longer
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
_Read = tuple[str, int, str]  # a file, a line, and the function that reads there


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
    file, line, name = reads[0]
    place = quote(f"{file}:{line}" if len(reads) == 1 else file, most=_MAX_NAME_LENGTH)
    place = place if len({read[0] for read in reads}) == 1 else "Your program"
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
    for found in _READ.finditer(code):
        depth, end = 1, len(code)
        for mark in re.compile("[()]").finditer(code, found.end()):
            depth += 1 if mark[0] == "(" else -1
            if not depth:
                end = mark.end()
                break
        if found["name"] in ("fscanf", "fgets") and not re.search(r"\bstdin\b", code[found.end() : end]):
            continue
        is_whole = _BEGINS_STATEMENT.search(code[: found.start()][-200:]) and code[end:][:200].lstrip().startswith(";")
        yield (name, code.count("\n", 0, found.start()) + 1, found["name"]) if is_whole else None
