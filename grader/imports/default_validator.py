"""The comparison that problem packages use unless they have a validator of their own, as a check of a spec.

Words are compared one by one, whatever blanks are between them, and capital letters do not count; `flags` are the
arguments that the problem package format has for this. `grader import kattis` puts a copy of this file beside the
answers.
"""

import re
from itertools import pairwise, zip_longest
from pathlib import Path

from grader import Wrong

_WORDS = re.compile(rb"\S+")
_FLOAT = re.compile(rb"[+-]?(?:[0-9]{0,400}\.[0-9]{1,400}|[0-9]{1,400}\.?)(?:[eE][+-]?[0-9]{1,6})?")
_SHOWN = 40


def compare(output: bytes, *, answer: str, flags: str = "") -> None:
    """Hold an output against the file `answer` beside this one; raises Wrong with the first difference."""
    wanted = (Path(__file__).parent / answer).read_bytes()
    if output == wanted:  # as nearly all that is right; word by word takes 75 times as long
        return
    words = flags.split()
    bounds = {name: float(bound) for name, bound in pairwise(words) if name.startswith("float")}
    pairs = zip_longest(*((found[0] for found in _WORDS.finditer(text)) for text in (output, wanted)))
    for number, (have, want) in enumerate(pairs, 1):
        if have is None and number == 1:
            raise Wrong(f"Nothing is written where {_shown(want)} is expected.")
        if have is None:
            raise Wrong(f"The output ends where word {number}, {_shown(want)}, is expected.")
        if want is None:
            raise Wrong(f"The output goes on with {_shown(have)} where nothing more is expected.")
        if have != want and not _same(have, want, bounds, is_exact="case_sensitive" in words):
            raise Wrong(f"Word {number} of the output is {_shown(have)}; {_shown(want)} is expected.")


def _same(have: bytes, want: bytes, bounds: dict[str, float], *, is_exact: bool) -> bool:
    if not bounds or not _FLOAT.fullmatch(want):
        return not is_exact and have.lower() == want.lower()
    if not _FLOAT.fullmatch(have):
        return False
    both = bounds.get("float_tolerance", -1.0)
    difference, size = abs(float(have) - float(want)), abs(float(want))
    relative, absolute = (bounds.get(f"float_{kind}_tolerance", both) for kind in ("relative", "absolute"))
    return difference <= absolute or difference <= relative * size


def _shown(word: bytes) -> str:
    text = word[:_SHOWN].decode(errors="backslashreplace")
    return f"`{text}{'…' if len(word) > _SHOWN else ''}`"
