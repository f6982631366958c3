"""A search for an instructor's pattern in a student's output, in a process of its own.

Python's `re` cannot be interrupted, and a harmless `a+b` takes minutes in a megabyte of `a`. A process can be ended.
"""

import re
import subprocess
import sys
import warnings

from grader.errors import HostError

_LONGEST = 10.0
"""seconds for one search"""
_FOUND, _ABSENT = 10, 11  # none that Python itself ends with
_SEARCH = f"""
import re, sys, warnings
warnings.simplefilter("ignore")
length = int(sys.stdin.buffer.readline())
pattern = sys.stdin.buffer.read(length).decode(errors="surrogatepass")
text = sys.stdin.buffer.read().decode(errors="backslashreplace")
sys.exit({_FOUND} if re.search(pattern, text) else {_ABSENT})
"""


def search(pattern: bytes, text: bytes) -> bool:
    """Whether the regular expression matches somewhere in `text`; bytes that are no UTF-8 read as their escapes.

    Raises HostError when it is no regular expression, or takes too long.
    """
    _check(pattern)
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-c", _SEARCH],
            input=b"%d\n%b%b" % (len(pattern), pattern, text),
            capture_output=True,
            timeout=_LONGEST,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise HostError(
            f"{_shown(pattern)} took over {_LONGEST:g} s on an output; write it with fewer repeats"
        ) from error
    except OSError as error:
        raise HostError(f"no process to search for a pattern: {error}") from error
    if done.returncode not in (_FOUND, _ABSENT):
        raise HostError(f"{_shown(pattern)} could not be searched for: {done.stderr.decode(errors='backslashreplace')}")
    return done.returncode == _FOUND


def _check(pattern: bytes) -> None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            re.compile(pattern.decode(errors="surrogatepass"))
    except (re.error, OverflowError, RecursionError) as error:
        raise HostError(f"{_shown(pattern)} is no regular expression: {error}; mend it in the spec") from error


def _shown(pattern: bytes) -> str:
    return f"the pattern `{pattern.decode(errors='backslashreplace')}`"
