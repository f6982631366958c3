"""Looking for what a step of a dialogue waits for.

A text is searched for here; a regular expression in a process of its own, which lives as long as the step: Python's
`re` cannot be interrupted, and a harmless `a+b` takes seconds in a few kilobytes of `a`.
"""

import select
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

from grader.errors import HostError
from grader.model import Step
from grader.sandbox import FORKING

Finder = Callable[[bytes], tuple[int, int] | None]
"""Start and end of the first occurrence"""

_LONGEST = 10.0
"""seconds for one search"""
_SEARCH = """
import re, sys, warnings
warnings.simplefilter("ignore")
source, errors = sys.stdin.buffer, "surrogateescape"
pattern = re.compile(source.read(int(source.readline())).decode(errors="surrogatepass"))
while length := source.readline():
    text = source.read(int(length)).decode(errors=errors)
    found = pattern.search(text)
    places = [len(text[:place].encode(errors=errors)) for place in found.span()] if found else []
    print(*places, flush=True)
"""


@contextmanager
def finder(step: Step) -> Iterator[Finder]:
    """Make ready to look for what `step` waits for. Raises HostError when a search takes too long."""
    if step.do != "regex":
        yield partial(_find_text, step.text.encode())
        return
    try:
        with FORKING:
            process = subprocess.Popen(
                [sys.executable, "-I", "-S", "-c", _SEARCH], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
            )
    except OSError as error:
        raise HostError(f"no process to search for a pattern: {error}") from error
    with process:
        try:
            _put(process, step.text.encode(errors="surrogatepass"))
            yield partial(_find_pattern, process, step.text)
        finally:
            process.kill()


def _find_text(wanted: bytes, text: bytes) -> tuple[int, int] | None:
    start = text.find(wanted)
    return None if start < 0 else (start, start + len(wanted))


def _find_pattern(process: "subprocess.Popen[bytes]", pattern: str, text: bytes) -> tuple[int, int] | None:
    shown = f"the pattern `{pattern}` of a dialogue"
    try:
        _put(process, text)
    except OSError as error:
        raise HostError(f"{shown} could not be searched for: {error.strerror}") from error
    if not process.stdout or not select.select([process.stdout], [], [], _LONGEST)[0]:
        raise HostError(f"{shown} took over {_LONGEST:g} s; write it with fewer repeats")
    answer = process.stdout.readline()
    if not answer:
        raise HostError(f"{shown} could not be searched for")
    places = answer.split()
    return (int(places[0]), int(places[1])) if places else None


def _put(process: "subprocess.Popen[bytes]", data: bytes) -> None:
    if process.stdin:
        process.stdin.write(b"%d\n" % len(data))
        process.stdin.write(data)
