"""Searches for an instructor's pattern in what a program wrote, each in a process, as `re` cannot be interrupted."""

import re
import warnings
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from typing import Literal

from grader.core.errors import HostError, Wrong
from grader.core.helper_process import Answer, Helper, HelperProcess, ask_once
from grader.core.model.execution import LARGE_OUTPUT_BYTES
from grader.core.model.spec import Step

# A byte that is no UTF-8 counts as one character, which `.` matches, so places are places of bytes.
_BEGINNING = """
import re, signal, sys, warnings
warnings.simplefilter("ignore")
source, errors = sys.stdin.buffer, "surrogateescape"
pattern = re.compile(source.read(int(source.readline())).decode(errors="surrogatepass"))
"""
_CHOICE = """
signal.setitimer(signal.ITIMER_PROF, arguments[0])
wanted = source.readline().decode().strip()
for line in source:
    found = pattern.search(line.rstrip(b"\\r\\n").decode(errors=errors))
    if wanted != "part":
        if (found is not None) == (wanted == "matching"):
            sys.stdout.buffer.write(line)
    elif found is not None:
        part = found[1] if pattern.groups else found.string[found.end():].strip(" \\t")
        if part is not None:
            sys.stdout.buffer.write(part.encode(errors=errors) + b"\\n")
"""
_SEARCH = """
while length := source.readline():
    signal.setitimer(signal.ITIMER_PROF, arguments[0])
    text = source.read(int(length)).decode(errors=errors)
    found = pattern.search(text)
    places = [len(text[:place].encode(errors=errors)) for place in found.span()] if found else []
    print(*places, flush=True)
"""
LineChoice = Literal["matching", "others", "part"]  # of the former, what the group holds, else what follows the match
Finder = Callable[[bytes], tuple[int, int] | None]  # returns start and end of the first occurrence

MAX_SEARCH_SECONDS = 10.0  # of processor time, for one search
_FILTER_LINES = Helper(task="choose the lines in which a pattern matches", code=_BEGINNING + _CHOICE)
_FIND_PLACES = Helper(task="search for a pattern", code=_BEGINNING + _SEARCH)


def fault_of(pattern: str) -> str:
    """Return why a text is no regular expression; nothing when it is one."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        return str(error)
    return ""


def pattern_matches(pattern: str, text: bytes) -> bool:
    """Whether a pattern matches in `text`; HostError if it is none or takes too long, Wrong if the text is too long."""
    if fault := fault_of(pattern):
        raise HostError(f"{_shown_pattern(pattern)} is no regular expression: {fault}; mend it in the spec")
    with searching(pattern, on=" on an output") as find, _charged_for(text):
        return find(text) is not None


@contextmanager
def _charged_for(text: bytes) -> Iterator[None]:
    """Raise Wrong where a search fails in a very long text: the student's program wrote it."""
    try:
        yield
    except HostError as error:
        if len(text) <= LARGE_OUTPUT_BYTES:
            raise
        raise Wrong(f"The text is too long to search ({len(text):,} bytes); far less is expected.") from error


def choose_lines(pattern: str, text: bytes, wanted: LineChoice) -> bytes:
    """Return the chosen lines, or the parts of them, each as a line. Raises as `pattern_matches` does."""
    request = b"%b%b\n%b" % (_sized(pattern.encode(errors="surrogatepass")), wanted.encode(), text)
    with _charged_for(text):
        answer = ask_once(_FILTER_LINES, request, MAX_SEARCH_SECONDS)
        if answer.status:
            raise _failed_search(answer, _shown_pattern(pattern), " on the lines of an output")
    return answer.output


def lines_that_count(text: bytes, *, only: str, skip: str, part: str = "") -> bytes:
    """Return the lines in which `only` matches, but for those in which `skip` does; of each that `part`."""
    text = choose_lines(only, text, "matching") if only else text
    text = choose_lines(skip, text, "others") if skip else text
    return choose_lines(part, text, "part") if part else text


@contextmanager
def searching(pattern: str, *, of: str = "", on: str = "") -> Iterator[Finder]:
    """Make ready to look for a pattern `of` something, `on` another, as often as asked; that may raise HostError."""
    with closing(HelperProcess(_FIND_PLACES, MAX_SEARCH_SECONDS)) as process:

        def search(text: bytes) -> tuple[int, int] | None:
            if places := process.ask(_sized(text)):
                start, end = map(int, places.split() or (-1, -1))
                return (start, end) if end >= 0 else None
            raise _failed_search(process.finish(), f"{_shown_pattern(pattern)}{of}", on)

        process.send(_sized(pattern.encode(errors="surrogatepass")))
        yield search


def finder(step: Step) -> AbstractContextManager[Finder]:
    """Make ready to look for what a step waits for. A search raises HostError when it takes too long."""
    if step.do == "regex":
        return searching(step.text, of=" of a dialogue")
    wanted = step.text.encode()
    return nullcontext(lambda text: (at, at + len(wanted)) if (at := text.find(wanted)) >= 0 else None)


def _failed_search(answer: Answer, shown: str, on: str) -> HostError:
    if answer.is_out_of_time:
        return HostError(f"{shown} took over {MAX_SEARCH_SECONDS:g} s{on}; write it with fewer repeats")
    return HostError(f"{shown} could not be searched for: {answer.errors.decode(errors='backslashreplace').strip()}")


def _sized(data: bytes) -> bytes:
    return b"%d\n%b" % (len(data), data)


def _shown_pattern(pattern: str) -> str:
    return f"the pattern `{pattern.encode(errors='surrogatepass').decode(errors='backslashreplace')}`"
