"""Prompts: what a program asks, before its answer on the same line or on a line of its own.

A prompt is any text that ends with `:`, `?`, `>` or `=`, perhaps with blanks; behind it is a whole expected line, or
nothing. So it never contains a word of the answer: `not prime` is not `prime`. A line of its own is a prompt only if no
line of the answer is missing: it may be that line, written wrong. Numbers alone are no prompt (`8: 92`), nor is a sign
between two digits (`12:30`), nor a comparison (`!=`, `<=`, `==`).

The prompts of the reference are free as well, where they are certain: by a word such as `enter`, by a question mark, as
signs alone, or by a run without input, which ends where the first of them waits for an answer.
"""

from collections.abc import Callable, Collection, Iterator
from functools import partial
from itertools import zip_longest

from msgspec import Struct

from grader.core.deviations.normalise import bare, bare_rows, each_line
from grader.core.deviations.table import Mended
from grader.core.lazy import lazy_regex
from grader.core.text import quote

_MAX_PROMPTS = 1000  # prompts that are kept for a sentence
_MAX_FIRST_LINE = 200  # bytes of a line in which a question is looked for
_END = lazy_regex(rb"(?:[:?>]|(?<![!<>=])=(?!=)|\xef\xbc[\x9a\x9d-\x9f]|\xd8\x9f)[ \t]*+")
"""what an answer can stand behind; also the signs in full width, and the Arabic question mark"""
_LETTER = lazy_regex(rb"[A-Za-z\x80-\xff]")
_DIGIT = lazy_regex(rb"\d")
_GLUED = lazy_regex(rb"(?<=\d)[:=>?](?=\d)")
_REQUEST = lazy_regex(
    rb"(?i)\b(?:enter|input|type|give|insert|please|choose|select|how (?:many|large|big|long)"
    rb"|entrez|saisir|saisissez|donnez|ingrese|introduzca|introduce|escriba|digite|insira|inserisci|digita"
    rb"|eingabe|eingeben|geben sie|gib|voer|podaj|wpisz|zadejte|unesite|girin(?:iz)?)\b|"
    + "ведите|请输入|輸入|入力|입력".encode()
)
"""words that ask, in the languages of courses"""
_QUESTION_MARKS = (b"?", "\uff1f".encode(), "\u061f".encode())
_NAME = lazy_regex(
    rb"(?i)(?:\b(?:number|size|value|name|age|height|weight|integer|dimension|rows?|columns?)\b[^\d]*|\b[a-z])"
    rb"[ \t]*[:=][ \t]*\Z"
)
"""the name of what is asked for, as in `n = `, which may as well be a part of the answer"""
_WORDS = lazy_regex(rb"[\w\x80-\xff]+")
_INDENTED = lazy_regex(rb"(?m)^[ \t]+\S")
_LABEL = lazy_regex(rb"(?i)\b(?:solutions?|results?|answers?|outputs?|totals?|sums?|counts?|found|has|have|is|are)\b")
"""words of an answer, and not of what is asked for"""
_SEAM = lazy_regex(rb"(?<=[:?>])[ \t]+(?=[A-Za-z])")  # where one prompt ends and the next begins on the same line


class _Unprompted(Struct, frozen=True):
    """A text without its prompts, and the prompts, each with the answer behind it on its line."""

    text: bytes
    prompts: tuple[tuple[bytes, bytes], ...] = ()


def mended_prompts(actual: bytes, expected: bytes, stdin: bytes, prompt: bytes) -> Iterator[Mended]:
    """Take every prompt out of `actual`, and out of what is expected of a program that read `stdin`."""
    own = without_questions(expected, stdin, prompt) if stdin else _Unprompted(expected)
    for wish in [_Unprompted(expected), own] if own.prompts else [own]:
        wanted = set(filter(None, bare_rows(wish.text)))
        lengths = set(map(len, wanted))
        # The blanks behind a prompt are its own, unless an answer may begin with some.
        for blanks in (None, 1) if _INDENTED.search(wish.text) else (None,):
            found = _without(actual, partial(_answer_start, wanted=wanted, lengths=lengths, blanks=blanks))
            if (found.prompts or wish.prompts) and not _hides_a_line(found, wish.text):
                yield found.text, wish.text, partial(_describe_prompts, found.prompts, wish.prompts)


def _hides_a_line(found: _Unprompted, expected: bytes) -> bool:
    """Whether a line that was taken for a prompt may be a missing one, written wrong, and no question at the end."""
    *before, (asked, answer) = found.prompts or ((b"", b"x"),)
    is_open = not all(behind for _, behind in before) or not (answer or _REQUEST.search(asked))
    have, want = (sum(map(bool, bare_rows(text))) for text in (found.text, expected))
    return is_open and have < want


def open_prompt(text: bytes) -> bytes:
    """Return what a program that had no input asked in the end; empty where that is not certain."""
    last = text.rpartition(b"\n")[2]
    is_short = len(last) <= _MAX_FIRST_LINE and _LETTER.search(last)
    return last if is_short and any(end.end() == len(last) for end in _END.finditer(last)) else b""


def may_have_prompt(text: bytes, stdin: bytes) -> bool:
    """Whether the answer of a program that read `stdin` may have prompts that are not recognised by their words."""
    return bool(_END.search(text)) and not without_questions(text, stdin).prompts


def without_questions(text: bytes, stdin: bytes, prompt: bytes = b"") -> _Unprompted:
    """Return the answer of a program that read `stdin` without its own prompts, where it is certain that these ask.

    A program asks at most once for each word that it reads, and once in vain. Something of its answer is left.
    """
    known = frozenset(map(bytes.lower, _WORDS.findall(stdin)))
    found = _without(text, partial(_question_end, known=known, prompt=prompt))
    is_certain = found.text.strip() and len(found.prompts) <= len(stdin.split()) + 1
    return found if is_certain else _Unprompted(text)


def possible_prompt(text: bytes, stdin: bytes, prompt: bytes = b"") -> bytes:
    """Return what may be a prompt on the first line of the answer of a program that read `stdin`, or a part of it.

    Empty where neither can be confused with the other.
    """
    line = without_questions(text, stdin, prompt).text.lstrip().partition(b"\n")[0][:_MAX_FIRST_LINE]
    end = _END.search(line)
    beginning = line[: end.end()] if end else b""
    return beginning.strip() if line[len(beginning) :].strip() and _NAME.search(beginning) else b""


def answer_start(line: bytes, wanted: bytes) -> int:
    """Return where the wanted line begins behind a prompt on a line, or the end of one that is nothing but a prompt."""
    row, want = (bare(text).strip() for text in (line, wanted))
    return _answer_start(line, row, wanted={want}, lengths={len(want)}, blanks=None)


def asks_for_input(text: bytes) -> bool:
    """Whether the first line that is not empty asks for something, as in `Enter a number: `."""
    first = text.lstrip()[:_MAX_FIRST_LINE].partition(b"\n")[0]
    request = _REQUEST.search(first)
    return request is not None and _END.search(first, request.end()) is not None


def last_request(text: bytes) -> bytes:
    """Return what the last line of a text asks for, as in `Enter a number: `; empty when that is something else."""
    end = len(text.rstrip())
    start = max(text.rfind(b"\n", 0, end) + 1, end - _MAX_FIRST_LINE)
    is_open = end > 0 and b"\n" not in text[end : end + _MAX_FIRST_LINE]
    last = _SEAM.split(text[start:end])[-1].strip()
    is_request = _REQUEST.search(last) is not None
    if not last.endswith((b":", b"?", b">", b"=")):
        return last if is_open and is_request and not _END.search(last) else b""
    is_name = _NAME.search(last) and not _LABEL.search(last)
    return last if is_request or (is_open and (is_name or last.endswith((b"?", b">")))) else b""


def _without(text: bytes, find_start: Callable[[bytes, bytes], int]) -> _Unprompted:
    """Return a text without what stands before the answer on each line, and without lines that have no answer."""
    done = bytearray()
    prompts: list[tuple[bytes, bytes]] = []
    for line, row in zip(each_line(text), bare_rows(text), strict=True):
        start = find_start(line, row)
        done += line[start:]
        if start and len(prompts) < _MAX_PROMPTS:
            prompts.append((line[:start].strip(), line[start:].strip()))
    return _Unprompted(bytes(done), tuple(prompts))


def _answer_start(
    line: bytes, row: bytes, *, wanted: Collection[bytes], lengths: Collection[int], blanks: int | None
) -> int:
    """Return where the answer begins on a line, behind a prompt: 0 when there is none, its end when nothing follows.

    Of a line with many signs, what follows is copied only where it is as long as a wanted line.
    """
    if not row or row in wanted:
        return 0
    left, start = len(row), 0
    for end in _prompt_ends(line):
        left -= len(bare(line[start:end]))
        start = end
        if not left:
            return len(line)
        if left in lengths and row[-left:] in wanted:
            return end if blanks is None else min(len(line[:end].rstrip(b" \t")) + blanks, end)
    return 0


def _prompt_ends(line: bytes) -> Iterator[int]:
    """Iterate over the places in a line where a prompt may end."""
    if not _END.search(line):
        return
    firsts = (pattern.search(line) for pattern in (_LETTER, _DIGIT, _REQUEST))
    letter, digit, request = (first.start() if first else len(line) for first in firsts)
    for end in _END.finditer(line):
        at = end.start()
        if (letter < at or at <= digit) and (request < at or not _GLUED.match(line, at)):
            yield end.end()


def _question_end(line: bytes, row: bytes, *, known: frozenset[bytes], prompt: bytes) -> int:
    """Return where the questions end with which a line of the reference begins."""
    start = len(prompt) if line.startswith(prompt) else 0
    for end in _END.finditer(line, start) if row else ():
        if not _asks(line[start : end.end()].strip(), known):
            break
        start = end.end()
    return len(line) if start and not line[start:].strip() else start


def _asks(part: bytes, known: frozenset[bytes]) -> bool:
    """Whether a text can be nothing but a question of the reference, which repeats no word that was read."""
    if _REQUEST.search(part):
        return True
    words = _WORDS.findall(part.lower())
    if not words:
        return part.endswith((b">", *_QUESTION_MARKS))
    return part.endswith(_QUESTION_MARKS) and known.isdisjoint(words)


def _describe_prompts(found: tuple[tuple[bytes, bytes], ...], own: tuple[tuple[bytes, bytes], ...]) -> str:
    """Say which prompt there is and, where the reference asks as well, which it asks with."""
    if not own:
        prompt, answer = found[0]
        advice = f"Print {quote(answer)} without the prompt {quote(prompt)}."
        return advice if answer else f"{quote(prompt)} is a prompt; the assignment asks for none."
    for (have, _), (want, _) in zip_longest(found, own, fillvalue=(b"", b"")):
        if not have:
            return f"The prompt {quote(want)} is missing before the answer."
        if not want:
            return f"The prompt {quote(have)} is not expected."
        if bare(have) != bare(want):
            return f"The prompt is {quote(have)}, expected {quote(want)}."
    return f"Spaces or line breaks around the prompt {quote(own[0][0])} differ."
