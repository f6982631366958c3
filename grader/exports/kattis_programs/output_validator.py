"""Compares an output as the assignment does of which this package was made.

It is started as `main.py INPUT ANSWER FEEDBACK HOW [NAME=VALUE]...`, with the output on standard input, and ends with
42 where that is right and 43 where it is wrong. HOW is the comparison; in a value, everything but letters, digits and
`_.-~,:/` is written as in a URL:

    any                    every output is right
    text, lines            the answer, line by line; order=any, ignore=KIND,KIND
    tokens, numbers        its words or its numbers; tolerance=N, relative=N
    contains, regex        each text, or the pattern, of want=...
    check                  the function FILE:NAME of function=..., with the options option.NAME=...; takes=FACT,FACT
    only=, skip=, part=    patterns of the lines that are compared, and of the part of a line

The kinds that can be ignored: final-newline, line-endings, trailing-space, leading-space, inner-space, blank-lines,
letter-case. `grader-run=N` has no effect; it tells apart the runs of an input that is there several times.

Judges may start it with PyPy, so it is Python 3.9; a check of the course may need a newer Python.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, InvalidOperation
from importlib import import_module
from inspect import signature
from itertools import zip_longest
from pathlib import Path
from typing import Any
from urllib.parse import unquote

_RIGHT, _WRONG = 42, 43
_BYTES = "surrogateescape"
_SHOWN = 60
_NUMBER = re.compile(
    rb"(?:(?<![\w.)\]])[-+])?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?"
    rb"|(?:(?<![\w.)\]])[-+])?\b(?i:nan|inf(?:inity)?)\b"
)
_INNER = rb"[ \t](?<=\S.)"
_WORD = rb"[\w\x80-\xff]"
_NEXT = rb"(?:" + _WORD + rb"|[-+]?\.?\d)"
_REWRITINGS = {
    "line-endings": ((rb"\r\n", b"\n"),),
    "trailing-space": ((rb"(?<![ \t])[ \t]+(?=\r?(?:\n|\Z))", b""),),
    "leading-space": ((rb"(?m)^[ \t]+", b""),),
    "inner-space": (  # none where words or numbers stay apart without, else one
        (
            _INNER + rb"(?:(?<=" + _WORD + rb".)(?![ \t]*" + _NEXT + rb")|(?<!" + _WORD + rb".)"
            rb"(?!(?<=\d\..)[ \t]*\d))[ \t]*(?=\S)",
            b"",
        ),
        (_INNER + rb"(?:(?<=" + _WORD + rb".)[ \t]*(?=" + _NEXT + rb")|(?<=\d\..)[ \t]*(?=\d))", b" "),
    ),
    "blank-lines": ((rb"(?m)^\n+|^[ \t]*\r?\n|^[ \t]+\r?\Z", b""),),
}
_ROUGH = Context(prec=50, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[])


def explain_mistake(words: Sequence[str], output: bytes, answer: bytes, given: bytes = b"") -> str:
    """Return why an output is wrong; nothing when it is right. `given` is the input, `words` begin with HOW."""
    how, *rest = words
    pairs = [(name, unquote(value)) for name, _, value in (word.partition("=") for word in rest)]
    options, wants = dict(pairs), [value for name, value in pairs if name == "want"]
    chosen, kinds = _choose_lines(output, options), set(options.get("ignore", "").split(","))
    if how == "any":
        return ""
    if how == "check":
        facts = {"output": chosen, "stdout": output, "input": given, "expected": answer, "expected_stdout": answer}
        return _check(options, facts)
    if how == "contains":
        form = _normal(chosen, kinds)
        form = _ended(form) if "final-newline" in kinds else form
        parts = [want.encode(errors=_BYTES) for want in wants]
        absent = next((part for part in parts if _normal(part, kinds) not in form), None)
        return "" if absent is None else f"{_shown(absent)} does not occur in the output."
    if how == "regex":
        found = re.search(wants[0], chosen.decode(errors=_BYTES))
        return "" if found else "Nothing in the output matches what is asked for."
    wanted = _choose_lines(answer, options)
    if how == "lines":
        chosen, wanted = _ended(chosen), _ended(wanted)
    return _compare(how, _normal(chosen, kinds), _normal(wanted, kinds), options, level="final-newline" in kinds)


def _choose_lines(text: bytes, options: Mapping[str, str]) -> bytes:
    for name in ("only", "skip", "part"):
        if name in options:
            text = b"".join(_chosen(text, name, re.compile(options[name])))
    return text


def _chosen(text: bytes, name: str, pattern: re.Pattern[str]) -> Iterator[bytes]:
    for line in re.findall(rb"[^\n]*\n|[^\n]+", text):
        found = pattern.search(line.rstrip(b"\r\n").decode(errors=_BYTES))
        if name != "part":
            if (found is not None) == (name == "only"):
                yield line
        elif found is not None:
            part = found[1] if pattern.groups else found.string[found.end() :].strip(" \t")
            if part is not None:
                yield part.encode(errors=_BYTES) + b"\n"


def _normal(text: bytes, kinds: set[str]) -> bytes:
    text = text.decode(errors=_BYTES).lower().encode(errors=_BYTES) if "letter-case" in kinds else text
    for kind, steps in _REWRITINGS.items():
        for pattern, replacement in steps if kind in kinds else ():
            text = re.sub(pattern, replacement, text)
    return text


def _ended(text: bytes) -> bytes:
    return text if not text or text.endswith(b"\n") else text + b"\n"


def _compare(how: str, have: bytes, want: bytes, options: Mapping[str, str], *, level: bool) -> str:
    """Compare words, numbers or lines one after the other, or lines in any order."""
    noun = {"tokens": "Word", "numbers": "Number"}.get(how, "Line")
    if noun != "Line":
        find = bytes.split if noun == "Word" else _NUMBER.findall
        found, wanted = find(have), find(want)
    else:
        more = [len(text) - len(text.rstrip(b"\n")) for text in (have, want)] if level else [0, 0]
        # Overlook one newline more at the end of either text.
        found = (have + b"\n" * (more[1] - more[0] == 1)).split(b"\n")
        wanted = (want + b"\n" * (more[0] - more[1] == 1)).split(b"\n")
        if options.get("order") == "any":
            is_right = sorted(found) == sorted(wanted)
            return "" if is_right else "The lines are not those that are asked for, in any order."
    for at, (one, right) in enumerate(zip_longest(found, wanted), 1):
        if one is None or right is None or not _is_same(noun, one, right, options):
            return f"{noun} {at} is {_shown(one)}; {_shown(right)} is expected."
    return ""


def _is_same(noun: str, have: bytes, want: bytes, options: Mapping[str, str]) -> bool:
    if have == want or noun == "Number":
        return have == want or _is_close(have, want, options)
    if noun == "Line" or not {"tolerance", "relative"} & options.keys():
        return False
    (around, numbers), (around_wanted, wanted) = _taken_apart(have), _taken_apart(want)
    return around == around_wanted and all(_is_close(*pair, options) for pair in zip(numbers, wanted))  # noqa: B905


def _taken_apart(word: bytes) -> tuple[list[bytes], list[bytes]]:
    """Split a word into the parts around its numbers and the numbers; a digit behind a letter belongs to a name."""
    around, numbers, end = [], [], 0
    for match in _NUMBER.finditer(word):
        before = word[max(match.start() - 1, 0) : match.start()]
        if not (before.isalnum() or before == b"_"):
            around.append(word[end : match.start()])
            numbers.append(match[0])
            end = match.end()
    return [*around, word[end:]], numbers


def _is_close(have: bytes, want: bytes, options: Mapping[str, str]) -> bool:
    try:
        one, other = Decimal(have.decode()), Decimal(want.decode())
    except InvalidOperation:  # an exponent beyond all bounds
        return have == want
    if not (one.is_finite() and other.is_finite()):
        return one == other or (one.is_nan() and other.is_nan())
    off = _ROUGH.abs(_ROUGH.subtract(one, other))
    share = _ROUGH.multiply(_ROUGH.abs(other), Decimal(options.get("relative", "0")))
    return one == other or off <= Decimal(options.get("tolerance", "0")) or (share > 0 and off <= share)


def _check(options: Mapping[str, str], facts: Mapping[str, bytes]) -> str:
    module, _, name = options["function"].partition(":")
    function = getattr(import_module(module), name)
    takes = list(filter(None, options.get("takes", "").split(",")))
    own = {key.removeprefix("option."): value for key, value in options.items() if key.startswith("option.")}
    named: dict[str, Any] = {**own, **{fact: facts[fact] for fact in takes}}
    is_named = next(iter(signature(function).parameters), "") in named
    first = () if takes and is_named else (facts["output"],)
    try:
        found = function(*first, **named)
    except Exception as error:
        if type(error).__name__ != "Wrong":
            raise  # a fault of the check, and so the judge's
        return str(error) or "The output is not right."
    return "" if found is None or Decimal(str(found[0])) == 1 else str(found[1])


def _shown(part: bytes | None) -> str:
    if part is None:
        return "missing"
    text = part[:_SHOWN].decode(errors="backslashreplace")
    return f"`{text}{'...' if len(part) > _SHOWN else ''}`"


def _main(given: str, answer: str, feedback: str, *words: str) -> int:
    """Judge standard input; the reason goes into the feedback for judges."""
    files = [Path(name).read_bytes() for name in (answer, given)]
    reason = explain_mistake(words, sys.stdin.buffer.read(), *files)
    if reason:
        (Path(feedback) / "judgemessage.txt").write_text(f"{reason}\n", encoding="utf-8", errors="backslashreplace")
    return _WRONG if reason else _RIGHT


if __name__ == "__main__":
    sys.exit(_main(*sys.argv[1:]))
