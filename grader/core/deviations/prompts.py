"""Prompts: what a program asks, before its answer on the same line or on a line of its own.

Standard input is not typed, so nothing ends the line of `Enter a number: `, and the answer follows on that line. A
program may ask with any words: a prompt is any text that ends with `:`, `?`, `>` or `=`, perhaps with blanks. What
follows shows where it ends: a whole expected line, or nothing. So a prompt never contains a word of the answer: of
`Enter a number: not prime` only `Enter a number:` can be one, and `not prime` is not `prime`.

A line of its own is a prompt only if no line of the answer is missing: it may be that line, written wrong. Numbers
alone are no prompt (`8: 92`), nor is a sign between two digits (`12:30`), nor a comparison (`!=`, `<=`, `==`).

The prompts of the reference are free as well. They are recognised only where they are certain: by a word such as
`enter`, by a question mark, as signs alone, or by a run without input, which ends where the first of them waits for an
answer. In `Sum: 5` the word belongs to the answer.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import partial
from itertools import zip_longest

from msgspec import Struct

from grader.core.deviations.normalise import bare, bare_rows, each_line
from grader.core.deviations.table import Mended
from grader.core.lazy import lazy_regex
from grader.core.text import quote

_MAX_PROMPTS = 1000
"""prompts that are kept for a sentence"""
_MAX_FIRST_LINE = 200
"""bytes of a line in which a question is looked for"""
_WIDE_SIGNS = [sign.encode() for sign in "\uff1a\uff1f\uff1e\uff1d\u061f"]
"""the same signs in full width, and the Arabic question mark"""
_SIGN = rb"(?:[:?>]|(?<![!<>=])=(?!=)|%b)" % b"|".join(_WIDE_SIGNS)
_END = lazy_regex(_SIGN + rb"[ \t]*+")
"""what an answer can stand behind"""
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
_QUESTION = lazy_regex(rb"(?i)\b(?:enter|input|type|give|insert|please|choose|how many)\b[^\n]*[:?>=]")
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
_SIGNS = (b":", b"?", b">", b"=")
_ANSWERED = lazy_regex(rb"[:?>=][ \t]*\S")
_SEAM = lazy_regex(rb"(?<=[:?>])[ \t]+(?=[A-Za-z])")
"""where one prompt ends and the next begins on the same line"""


class _Unprompted(Struct, frozen=True):
    """A text without its prompts, and the prompts, each with the answer behind it on its line."""

    text: bytes
    prompts: tuple[tuple[bytes, bytes], ...]


def mended_prompts(actual: bytes, expected: bytes, stdin: bytes, prompt: bytes) -> Iterator[Mended]:
    """Take every prompt out of `actual`, also one at the end that nothing answers any more.

    Where `expected` is of a program that read `stdin`, its own prompts are taken out of that as well, such as the
    `prompt` with which it is known to ask.
    """
    own = without_questions(expected, stdin, prompt) if stdin else _Unprompted(expected, ())
    for wish in [_Unprompted(expected, ()), own] if own.prompts else [own]:
        wanted = _by_length(bare_rows(wish.text))
        # The blanks behind a prompt are its own, unless an answer may begin with some.
        for blanks in (None, 1) if _INDENTED.search(wish.text) else (None,):
            found = _without(actual, partial(_answer_start, wanted=wanted, blanks=blanks))
            if (found.prompts or wish.prompts) and not _hides_a_line(found, wish.text):
                yield found.text, wish.text, partial(_describe_prompts, found.prompts, wish.prompts, actual)


def _by_length(rows: Iterable[bytes]) -> Mapping[int, Collection[bytes]]:
    """Group lines, but for empty ones: of a line with many signs, what follows is not copied for each."""
    found: dict[int, set[bytes]] = {}
    for row in filter(None, rows):
        found.setdefault(len(row), set()).add(row)
    return found


def _hides_a_line(found: _Unprompted, expected: bytes) -> bool:
    """Whether a line that was taken for a prompt may stand for one that is missing: it may be that one, written wrong.

    Of a question at the end it is clear that it is one: the program went no further.
    """
    last = found.prompts[-1:] and not found.prompts[-1][1] and _REQUEST.search(found.prompts[-1][0])
    lines = [answer for _, answer in (found.prompts[:-1] if last else found.prompts)]
    return not all(lines) and _row_count(found.text) < _row_count(expected)


def _row_count(text: bytes) -> int:
    return sum(map(bool, bare_rows(text)))


def open_prompt(text: bytes) -> bytes:
    """Return what a program that had no input asked in the end; empty where that is not certain."""
    last = text.rpartition(b"\n")[2]
    ends = [end.end() for end in _END.finditer(last)] if len(last) <= _MAX_FIRST_LINE else []
    return last if ends and ends[-1] == len(last) and _LETTER.search(last) else b""


def may_have_prompt(text: bytes, stdin: bytes) -> bool:
    """Whether the answer of a program that read `stdin` may have prompts that are not recognised by their words."""
    return bool(_END.search(text)) and not without_questions(text, stdin).prompts


def without_questions(text: bytes, stdin: bytes, prompt: bytes = b"") -> _Unprompted:
    """Return the answer of a program that read `stdin` without its own prompts, where it is certain that these ask.

    A program asks at most once for each word that it reads, and once in vain. Something of its answer is left.
    """
    known = frozenset(map(bytes.lower, _WORDS.findall(stdin)))
    found = _without(text, partial(_question_end, known=known, prompt=prompt))
    if not found.text.strip() or len(found.prompts) > len(stdin.split()) + 1:
        return _Unprompted(text, ())
    return found


def possible_prompt(text: bytes, stdin: bytes, prompt: bytes = b"") -> bytes:
    """Return what may be a prompt on the first line of the answer of a program that read `stdin`, or a part of it.

    Empty where neither can be confused with the other.
    """
    line = without_questions(text, stdin, prompt).text.lstrip().partition(b"\n")[0][:_MAX_FIRST_LINE]
    end = _END.search(line)
    beginning = line[: end.end()] if end else b""
    return beginning.strip() if line[len(beginning) :].strip() and _NAME.search(beginning) else b""


def answer_of_line(line: bytes, wanted: bytes) -> bytes | None:
    """Return what follows a prompt on a line, if that is the wanted line; None if not. Blanks and capitals are free."""
    start = _answer_start(line, bare(line).strip(), wanted=_by_length([bare(wanted).strip()]), blanks=None)
    return line[start:] if 0 < start < len(line) else None


def is_prompt(line: bytes) -> bool:
    """Whether a line can be a prompt and nothing else."""
    return _answer_start(line, bare(line).strip(), wanted={}, blanks=None) == len(line) > 0


def asks_for_input(text: bytes) -> bool:
    """Whether the first line that is not empty asks for something, as in `Enter a number: `."""
    first = text.lstrip()[:_MAX_FIRST_LINE].partition(b"\n")[0]
    return bool(_QUESTION.search(first))


def last_request(text: bytes) -> bytes:
    """Return what a text asks for in the end, as in `Enter a number: `; empty when it ends with something else.

    That is the last line: what is typed does not end it, so it may hold several requests, of which the last counts.
    """
    end = len(text.rstrip())
    start = max(text.rfind(b"\n", 0, end) + 1, end - _MAX_FIRST_LINE)
    is_open = end > 0 and b"\n" not in text[end : end + _MAX_FIRST_LINE]
    last = _SEAM.split(text[start:end])[-1].strip()
    if last[-1:] not in _SIGNS:
        asks = is_open and not _ANSWERED.search(last) and bool(_REQUEST.search(last))
    else:
        is_name = _NAME.search(last) and not _LABEL.search(last)
        asks = bool(_QUESTION.search(last) or (is_open and (is_name or _REQUEST.search(last) or last[-1:] in b"?>")))
    return last if asks else b""


def _without(text: bytes, find_start: Callable[[bytes, bytes], int]) -> _Unprompted:
    """Return a text without what stands before the answer on each line, and without lines that have no answer."""
    done = bytearray()  # a list of the parts would take four times as much
    prompts: list[tuple[bytes, bytes]] = []
    copied = begin = 0
    for line, row in zip(each_line(text), bare_rows(text), strict=True):
        start = find_start(line, row)
        if start:
            done += text[copied:begin]
            copied = begin + start
            if len(prompts) < _MAX_PROMPTS:
                prompts.append((line[:start].strip(), line[start:].strip()))
        begin += len(line)
    return _Unprompted(bytes(done + text[copied:]) if prompts else text, tuple(prompts))


def _answer_start(line: bytes, row: bytes, *, wanted: Mapping[int, Collection[bytes]], blanks: int | None) -> int:
    """Return where the answer begins on a line, behind a prompt: 0 when there is none, its end when nothing follows."""
    if not row or row in wanted.get(len(row), ()):
        return 0
    behind = start = 0
    for end in _prompt_ends(line):
        behind += len(bare(line[start:end]))
        start = end
        left = len(row) - behind
        if not left:
            return len(line)
        if left in wanted and row[behind:] in wanted[left]:
            return end if blanks is None else min(len(line[:end].rstrip(b" \t")) + blanks, end)
    return 0


def _prompt_ends(line: bytes) -> Iterator[int]:
    """Iterate over the places in a line where a prompt may end."""
    seen = 0
    has_letter = has_digit = False
    for end in _END.finditer(line):
        has_letter = has_letter or bool(_LETTER.search(line, seen, end.start()))
        has_digit = has_digit or bool(_DIGIT.search(line, seen, end.start()))
        seen = end.start()
        if (has_letter or not has_digit) and (
            not _GLUED.match(line, seen) or ((word := _REQUEST.search(line)) and word.start() < seen)
        ):
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


def _describe_prompts(
    found: tuple[tuple[bytes, bytes], ...], own: tuple[tuple[bytes, bytes], ...], actual: bytes
) -> str:
    """Say which prompt there is and, where the reference asks as well, which it asks with."""
    if not own:
        prompt, answer = found[0]
        if answer:
            return f"Print {quote(answer)} without the prompt {quote(prompt)}."
        return f"{quote(prompt)} is a prompt; the assignment asks for none."
    for number, (have, want) in enumerate(zip_longest(found, own, fillvalue=(b"", b"")), 1):
        which = f"Prompt {number}" if max(len(found), len(own)) > 1 else "The prompt"
        if not have[0]:
            is_elsewhere = want[0] in actual
            return f"{which}, {quote(want[0])}, {'does not stand before the answer' if is_elsewhere else 'is missing'}."
        if not want[0]:
            return f"{which}, {quote(have[0])}, is not expected."
        if bare(have[0]) != bare(want[0]):
            return f"{which} is {quote(have[0])}, expected {quote(want[0])}."
    return f"Spaces or line breaks around the prompt {quote(own[0][0])} differ."
