"""The comparison that problem packages use unless they have a validator of their own, as a check of a spec.

Words are compared one by one, whatever blanks are between them, and capital letters do not count; the options are the
arguments that the problem package format has for this. `grader import kattis` puts a copy of this file beside the
answers.
"""

import re
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path

from grader import Wrong

_WORDS = re.compile(rb"\S+")
_WORDS_AND_BLANKS = re.compile(rb"\S+|\s+")
_FLOAT = re.compile(rb"[+-]?(?:[0-9]{0,400}\.[0-9]{1,400}|[0-9]{1,400}\.?)(?:[eE][+-]?[0-9]{1,6})?")
_SHOWN = 40


def compare(
    output: bytes,
    *,
    answer: str,
    case_sensitive: str = "",
    space_change_sensitive: str = "",
    float_relative_tolerance: str = "",
    float_absolute_tolerance: str = "",
) -> None:
    """Hold an output against the file `answer` beside this one; raises Wrong with the first difference."""
    wanted = (Path(__file__).parent / answer).read_bytes()
    if output == wanted:  # as nearly all that is right; word by word takes 75 times as long
        return
    pattern = _WORDS_AND_BLANKS if space_change_sensitive else _WORDS
    tolerances = (float_relative_tolerance, float_absolute_tolerance)
    pairs = zip_longest(_parts(pattern, output), _parts(pattern, wanted))
    number = 0
    for have, want in pairs:
        number += not (have or want or b"").isspace()
        if number == 1 and not output.strip():
            raise Wrong(f"Nothing is written where {_shown(want or b'')} is expected.")
        if have is None:
            raise Wrong(f"The output ends where word {number}, {_shown(want)}, is expected.")
        if want is None:
            raise Wrong(f"The output goes on with {_shown(have)} where nothing more is expected.")
        if have != want and not _same(have, want, tolerances, is_exact=bool(case_sensitive)):
            raise Wrong(f"Word {number} of the output is {_shown(have)}; {_shown(want)} is expected.")


def _parts(pattern: re.Pattern[bytes], text: bytes) -> Iterator[bytes]:
    return (match[0] for match in pattern.finditer(text))


def _same(have: bytes, want: bytes, tolerances: tuple[str, str], *, is_exact: bool) -> bool:
    if any(tolerances) and _FLOAT.fullmatch(want):
        return _FLOAT.fullmatch(have) is not None and _close(float(have), float(want), *tolerances)
    return not is_exact and have.lower() == want.lower()


def _close(have: float, want: float, relative: str, absolute: str) -> bool:
    difference = abs(have - want)
    return difference <= float(absolute or -1) or difference <= float(relative or -1) * abs(want)


def _shown(word: bytes) -> str:
    if word.isspace():
        return f"the blanks {word[:_SHOWN]!r}"[:-1].replace("b'", "`") + "`"
    text = word[:_SHOWN].decode(errors="backslashreplace")
    return f"`{text}{'…' if len(word) > _SHOWN else ''}`"
