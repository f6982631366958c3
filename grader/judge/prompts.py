"""Prompts: what a program asks, in front of its answer on the same line.

Standard input is not typed, so nothing ends the line of `Enter a number: `, and the answer stands behind it. That it is
expected without these words shows where they end; that they ask, and are no label of the answer, the words themselves.
"""

import re
from collections.abc import Collection, Iterator
from functools import partial

from grader.judge.mending import Mended
from grader.judge.normal import bare, lines
from grader.text import quote

_MOST = 3
"""different prompts of one program"""
_LONGEST = 200
"""bytes of a prompt"""
_LONGEST_LINE = 2**16
_END = re.compile(rb"[:?>=][ \t]*|[ \t]+|\.{3}[ \t]*")
"""what an answer can stand behind"""
_REQUEST = re.compile(
    rb"(?i)\b(?:enter|input|type|give|insert|please|choose|select|how (?:many|large|big|long))\b|[?>][ \t]*\Z"
)
_NAME = re.compile(
    rb"(?i)(?:\b(?:number|size|value|name|integer|dimension|rows?|columns?)\b[^\d]*|\bn)[ \t]*[:=][ \t]*\Z"
)
"""the name of what is asked for, as in `n = `"""
_LABEL = re.compile(rb"(?i)\b(?:solutions?|results?|answers?|outputs?|totals?|sums?|counts?|found|has|have|is|are)\b")
_INDENTED = re.compile(rb"(?m)^[ \t]+\S")


def mended_prompts(actual: bytes, expected: bytes) -> Iterator[Mended]:
    """Take every prompt out of `actual`, also one at the end that nothing answers any more."""
    wanted = frozenset(bare(line).strip() for line in lines(expected)) - {b""}
    # The blanks behind a prompt are its own, unless an answer may begin with some.
    for blanks in (rb"[ \t]*+", rb"[ \t]?+") if _INDENTED.search(expected) else (rb"[ \t]*+",):
        text, first = actual, _prompt(actual, wanted)
        found = first
        for _ in range(_MOST):
            if found is None:
                break
            text, times = _without(text, found[1], blanks)
            if times > 1 and not _REQUEST.search(found[1]):
                return
            found = _prompt(text, wanted)
        if first is not None:
            yield Mended(kind="prompt", text=text, tell=partial(_message, *first))


def _message(line: bytes, prompt: bytes) -> str:
    asked, answer = quote(prompt.strip(b" \t")), quote(line[len(prompt) :])
    return f"{asked} stands before {answer} on its line; only the answer is asked for."


def _prompt(text: bytes, wanted: Collection[bytes]) -> tuple[bytes, bytes] | None:
    """Return the first line that is not expected, and the prompt in front of it, if it is expected without that."""
    for line in lines(text):
        row = bare(line).strip()
        if row and row not in wanted:
            prompts = _beginnings(line) if len(line) <= _LONGEST_LINE else iter(())
            return next(((line, prompt) for prompt in prompts if bare(line[len(prompt) :]).strip() in wanted), None)
    return None


def _beginnings(line: bytes) -> Iterator[bytes]:
    """Iterate over what may be a prompt at the beginning of a line, the shortest first."""
    for end in _END.finditer(line, 0, _LONGEST):
        beginning = line[: end.end()]
        if _REQUEST.search(beginning) or (_NAME.search(beginning) and not _LABEL.search(beginning)):
            yield beginning


def _without(text: bytes, prompt: bytes, blanks: bytes) -> tuple[bytes, int]:
    """Return `text` without the prompt at the beginning of any line, and at how many it was."""
    asked = re.escape(prompt.strip(b" \t"))
    return re.subn(rb"(?m)^[ \t]*+(?:" + asked + blanks + rb")++", b"", text)
