"""Prompts: what a program asks, in front of its answer on the same line.

Standard input is not typed, so nothing ends the line of `Enter a number: `, and the answer stands behind it. That it is
expected without these words shows where they end; that they ask, and are no label of the answer, the words themselves.
"""

import re
from collections.abc import Callable, Collection, Iterator
from functools import partial

from grader.deviations.normal import bare, each_line
from grader.text import quote

_MOST_PROMPTS = 3
"""different prompts of one program"""
_LONGEST_PROMPT = 200
"""bytes of a prompt"""
_LONGEST_LINE = 2**16
_PROMPT_END = re.compile(rb"[:?>=][ \t]*|[ \t]+|\.{3}[ \t]*")
"""what an answer can stand behind"""
_REQUEST = re.compile(
    rb"(?i)\b(?:enter|input|type|give|insert|please|choose|select|how (?:many|large|big|long))\b|[?>][ \t]*\Z"
)
_ASKED_NAME = re.compile(
    rb"(?i)(?:\b(?:number|size|value|name|integer|dimension|rows?|columns?)\b[^\d]*|\bn)[ \t]*[:=][ \t]*\Z"
)
"""the name of what is asked for, as in `n = `"""
_LABEL = re.compile(rb"(?i)\b(?:solutions?|results?|answers?|outputs?|totals?|sums?|counts?|found|has|have|is|are)\b")
_INDENTED = re.compile(rb"(?m)^[ \t]+\S")


def mended_prompts(actual: bytes, expected: bytes) -> Iterator[tuple[bytes, Callable[[], str]]]:
    """Take every prompt out of `actual`, also one at the end that nothing answers any more."""
    wanted = frozenset(bare(line).strip() for line in each_line(expected)) - {b""}
    # The blanks behind a prompt are its own, unless an answer may begin with some.
    for blanks in (rb"[ \t]*+", rb"[ \t]?+") if _INDENTED.search(expected) else (rb"[ \t]*+",):
        text, first = actual, _prompt(actual, wanted)
        found = first
        for _ in range(_MOST_PROMPTS):
            if found is None:
                break
            asked = re.escape(found[1].strip(b" \t"))
            text, times = re.subn(rb"(?m)^[ \t]*+(?:" + asked + blanks + rb")++", b"", text)
            if times > 1 and not _REQUEST.search(found[1]):
                return
            found = _prompt(text, wanted)
        if first is not None:
            yield text, partial(_tell_prompt, *first)


def _tell_prompt(line: bytes, prompt: bytes) -> str:
    asked, answer = quote(prompt.strip(b" \t")), quote(line[len(prompt) :])
    return f"{asked} stands before {answer} on its line; only the answer is asked for."


def _prompt(text: bytes, wanted: Collection[bytes]) -> tuple[bytes, bytes] | None:
    """Return the first line that is not expected, and the prompt in front of it, if it is expected without that."""
    for line in each_line(text):
        row = bare(line).strip()
        if row and row not in wanted:
            prompts = _beginnings(line) if len(line) <= _LONGEST_LINE else iter(())
            return next(((line, prompt) for prompt in prompts if bare(line[len(prompt) :]).strip() in wanted), None)
    return None


def _beginnings(line: bytes) -> Iterator[bytes]:
    """Iterate over what may be a prompt at the beginning of a line, the shortest first."""
    for end in _PROMPT_END.finditer(line, 0, _LONGEST_PROMPT):
        beginning = line[: end.end()]
        if _REQUEST.search(beginning) or (_ASKED_NAME.search(beginning) and not _LABEL.search(beginning)):
            yield beginning
