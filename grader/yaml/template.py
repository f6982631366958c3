"""Braces in the texts of a test: `{n}` is the variable `n`, and only a word in braces is special.

`{3}`, `{2, 3}` and `{"a": 1}` stay as they are, so that regular expressions and JSON need no escapes. `{{` is a brace,
and so is the `}}` that closes it; a `}}` that closes none stays, for it may end two objects of JSON.
"""

import re
from collections.abc import Mapping

WORD = r"[A-Za-z_][A-Za-z0-9_-]*"
_BRACES = re.compile(rf"\{{(?={WORD}\}})|\{{\{{+|\}}\}}+")
_SPECIAL = re.compile(rf"\{{\{{|\}}\}}|\{{({WORD})\}}")


def fill(text: str, variables: Mapping[str, str]) -> str:
    """Put the variables' values into a text; KeyError with the word that is none. Values are not filled again."""
    if "{" not in text:
        return text
    unclosed = 0

    def replacement(match: re.Match[str]) -> str:
        nonlocal unclosed
        if match[1]:
            return variables[match[1]]
        if match[0] == "{{":
            unclosed += 1
            return "{"
        unclosed -= 1
        return "}" if unclosed >= 0 else "}}"

    return _SPECIAL.sub(replacement, text)


def escaped(text: str) -> str:
    """Return what `fill` makes this text of, whatever the variables are."""
    unclosed = 0

    def replacement(match: re.Match[str]) -> str:
        nonlocal unclosed
        run = match[0]
        if run[0] == "{":
            unclosed += len(run)
            return run * 2
        closing = min(max(unclosed, 0), len(run))
        # Two are read as one while a brace is open, and as two when none is.
        others = len(run) - closing
        unclosed -= closing + others // 2
        return "}}" * closing + "}" * others

    return _BRACES.sub(replacement, text) if "{" in text else text
