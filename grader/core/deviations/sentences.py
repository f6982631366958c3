"""One sentence for each deviation, as a student reads it; of a long text an excerpt is looked at."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from decimal import ROUND_DOWN, Decimal
from fractions import Fraction
from functools import partial
from itertools import islice, zip_longest
from operator import ne
from typing import Any

from msgspec import Struct

from grader.core.deviations.search import (
    MAX_SEARCHED,
    SAME,
    bare,
    bare_rows,
    credit,
    each_line,
    equal_ends,
    is_blank,
    newlines_at_end,
    normal,
    numbered,
    rank,
    surplus_lines,
)
from grader.core.deviations.table import DEVIATIONS, RANKS, TABLE, TEXT_KINDS, Kinds, Mended
from grader.core.lazy import lazy_call, lazy_regex
from grader.core.model.spec import STREAMS, Tolerances
from grader.core.text import capital, common_length, count, listed, quote, quote_difference

_mended_summary = lazy_call("grader.core.deviations.listings", "mended_summary")
_MAX_PROMPTS, _MAX_FIRST_LINE = 1000, 200  # prompts that are remembered; bytes of a line that is looked at
_END = lazy_regex(rb"(?:[:?>]|(?<![!<>=])=(?!=)|\xef\xbc[\x9a\x9d-\x9f]|\xd8\x9f)[ \t]*+")
"""what an answer can stand behind; also the signs in full width, and the Arabic question mark"""
_LETTER, _DIGIT, _GLUED = map(lazy_regex, (rb"[A-Za-z\x80-\xff]", rb"\d", rb"(?<=\d)[:=>?](?=\d)"))
_DECIMALS, _CUT_OFF = lazy_regex(rb"\d\.\d*[1-9]"), " (integer division?)."  # as it ends a sentence
# words that ask, in the languages of courses
_REQUEST = lazy_regex(
    rb"(?i)\b(?:enter|input|type|give|insert|please|choose|select|how (?:many|large|big|long)"
    rb"|entrez|saisir|saisissez|donnez|ingrese|introduzca|introduce|escriba|digite|insira|inserisci|digita"
    rb"|eingabe|eingeben|geben sie|gib|voer|podaj|wpisz|zadejte|unesite|girin(?:iz)?)\b|"
    + "ведите|请输入|輸入|入力|입력".encode()
)
_QUESTION_MARKS = (b"?", "\uff1f".encode(), "\u061f".encode())
# the name of what is asked for, as in `n = `, which may as well be a part of the answer
_NAME = lazy_regex(
    rb"(?i)(?:\b(?:number|size|value|name|age|height|weight|integer|dimension|rows?|columns?)\b[^\d]*|\b[a-z])"
    rb"[ \t]*[:=][ \t]*\Z"
)
_WORDS, _INDENTED = lazy_regex(rb"[\w\x80-\xff]+"), lazy_regex(rb"(?m)^[ \t]+\S")
# words of an answer, and not of what is asked for
_LABEL = lazy_regex(rb"(?i)\b(?:solutions?|results?|answers?|outputs?|totals?|sums?|counts?|found|has|have|is|are)\b")
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
            unprompted = _remove_prompts(actual, partial(_answer_start, wanted=wanted, lengths=lengths, blanks=blanks))
            if (unprompted.prompts or wish.prompts) and not _hides_a_line(unprompted, wish.text):
                yield unprompted.text, wish.text, partial(_describe_prompts, unprompted.prompts, wish.prompts)


def _hides_a_line(unprompted: _Unprompted, expected: bytes) -> bool:
    """Whether a line that was taken for a prompt may be a missing line, written wrong, and not a final question."""
    *before, (asked, answer) = unprompted.prompts or ((b"", b"x"),)
    is_open = not all(behind for _, behind in before) or not (answer or _REQUEST.search(asked))
    have, want = (sum(map(bool, bare_rows(text))) for text in (unprompted.text, expected))
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
    unprompted = _remove_prompts(text, partial(_question_end, known=known, prompt=prompt))
    is_certain = unprompted.text.strip() and len(unprompted.prompts) <= len(stdin.split()) + 1
    return unprompted if is_certain else _Unprompted(text)


def possible_prompt(text: bytes, stdin: bytes, prompt: bytes = b"") -> bytes:
    """Return what may be a prompt on the first line of the answer of a program that read `stdin`, or a part of it.

    Empty where neither can be confused with the other.
    """
    line = without_questions(text, stdin, prompt).text.lstrip().partition(b"\n")[0][:_MAX_FIRST_LINE]
    beginning = line[: end.end()] if (end := _END.search(line)) else b""
    return beginning.strip() if line[len(beginning) :].strip() and _NAME.search(beginning) else b""


def asks_for_input(text: bytes) -> bool:
    """Whether the first line that is not empty asks for something, as in `Enter a number: `."""
    first = text[:_MAX_EXCERPT].lstrip()[:_MAX_FIRST_LINE].partition(b"\n")[0]
    return bool((request := _REQUEST.search(first)) and _END.search(first, request.end()))


def last_request(text: bytes) -> bytes:
    """Return the question in the last line of a text, such as `Enter a number: `; empty when it asks nothing."""
    text = text[-_MAX_EXCERPT:]
    end = len(text.rstrip())
    start = max(text.rfind(b"\n", 0, end) + 1, end - _MAX_FIRST_LINE)
    is_open = end > 0 and b"\n" not in text[end : end + _MAX_FIRST_LINE]
    last = _SEAM.split(text[start:end])[-1].strip()
    is_request = _REQUEST.search(last) is not None
    if not last.endswith((b":", b"?", b">", b"=")):
        return last if is_open and is_request and not _END.search(last) else b""
    is_name = _NAME.search(last) and not _LABEL.search(last)
    return last if is_request or (is_open and (is_name or last.endswith((b"?", b">")))) else b""


def _remove_prompts(text: bytes, find_start: Callable[[bytes, bytes], int]) -> _Unprompted:
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
    rest, start = len(row), 0
    for end in _prompt_ends(line):
        rest -= len(bare(line[start:end]))
        start = end
        if not rest:
            return len(line)
        if rest in lengths and row[-rest:] in wanted:
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
    words = _WORDS.findall(part.lower())
    marks = _QUESTION_MARKS if words else (b">", *_QUESTION_MARKS)
    return bool(_REQUEST.search(part)) or (part.endswith(marks) and known.isdisjoint(words))


def _describe_prompts(prompts: tuple[tuple[bytes, bytes], ...], own: tuple[tuple[bytes, bytes], ...]) -> str:
    """Say which prompt there is and, where the reference asks as well, which it asks with."""
    if not own:
        prompt, answer = prompts[0]
        advice = f"Print {quote(answer)} without the prompt {quote(prompt)}."
        return advice if answer else f"{quote(prompt)} is a prompt; the assignment asks for none."
    for (have, _), (want, _) in zip_longest(prompts, own, fillvalue=(b"", b"")):
        if bare(have) != bare(want):
            return f"The prompt is {quote(have) if have else 'missing'}, expected {quote(want) if want else 'none'}."
    return f"Spaces or line breaks around the prompt {quote(own[0][0])} differ."


_QUOTED, _MAX_ROWS = 3, 200  # lines quoted as examples; behind the first wrong one, those that are looked at too
_MAX_EXCERPT, _WINDOW = 2**16, 2**10  # bytes of a long text that are looked at; before the difference of a long line
_AMOUNTS = {"duplicates": ("repeats", "line"), "extra-lines": ("has", "extra line"), "missing-lines": ("lacks", "line")}
EXCHANGED: Kinds = frozenset({"duplicates", "missing-lines"})  # a line that is expected, but elsewhere
_Row = tuple[int, bytes, bytes]  # the number of a line, the line, and its normal form


def _excerpt(actual: bytes, expected: bytes) -> tuple[int, tuple[bytes, ...]]:
    """Return two texts from the line on in which they first differ, and how many lines come before that."""
    start, _ = equal_ends(actual, expected)
    before, most = actual.count(b"\n", 0, start), MAX_SEARCHED
    if max(len(actual), len(expected)) - start > MAX_SEARCHED:
        start, most = max(start, common_length(actual, expected) - _WINDOW), _MAX_EXCERPT
    return before, tuple(text[start : start + most] for text in (actual, expected))


def _rows(actual: bytes, expected: bytes, overlooked: Kinds) -> Iterator[Iterator[_Row]]:
    before, texts = _excerpt(actual, expected)
    return (numbered(text, overlooked, before) for text in texts)


def describe_kinds(
    actual: bytes, expected: bytes, kinds: Kinds, where: str, *, written: bytes | None = None
) -> Iterator[tuple[str, str]]:
    """Iterate over `kinds`, in their order, each with its sentence; of a mended text, quote what was `written`."""
    for kind in sorted(kinds, key=RANKS.__getitem__):
        yield kind, _describe(kind, (actual, expected), kinds, where, written)


def _describe(kind: str, texts: tuple[bytes, bytes], kinds: Kinds, where: str, written: bytes | None) -> str:
    overlooked, quoting = kinds & TEXT_KINDS, written is None
    if kind == "order":
        if not (quoting and kinds <= TEXT_KINDS | {"order"}):
            return "The lines are in the wrong order."
        rows = ([line.strip() for _, line, _ in islice(own, _MAX_ROWS)] for own in _rows(*texts, overlooked))
        parting = _describe_parting(where, *_rows(*texts, overlooked), moved=True)
        return f"The lines are in the wrong order{remark_on_order(*rows)}: {parting}"
    if kind in _AMOUNTS:
        verb, noun = _AMOUNTS[kind]
        lines = surplus_lines(*(texts[::-1] if kind == "missing-lines" else texts), overlooked)
        have, want = (normal(text, overlooked) for text in texts)
        early = "stops early; it " if kind == "missing-lines" and want.startswith(have) else ""
        examples = [it for it in lines[:_QUOTED] if kind == "missing-lines" or written is None or it.strip() in written]
        return f"{capital(where)} {early}{verb} {_name(lines, examples, noun)}."
    if not (label := DEVIATIONS[kind].label):
        return _describe_line_ends(kind, texts, overlooked, where)
    if quoting and (pair := _pair(kind, texts, overlooked)):
        number, line, wanted = pair
        shown, expected = quote_difference(line, wanted, blanks=kind != "letter-case")
        tabs = " (→ is a tab)" if b"\t" in line + wanted and "→" in shown + expected else ""
        return f"{label}{tabs}: line {number} of {where} is {shown}, expected {expected}."
    return f"{label} in {where}."


def _describe_line_ends(kind: str, texts: tuple[bytes, bytes], overlooked: Kinds, where: str) -> str:
    if kind == "line-endings":
        ends = ["a newline alone", "carriage return and newline"]
        written, asked = reversed(ends) if b"\r\n" in texts[0] else ends
        return f"Lines of {where} end with {written}; the assignment asks for {asked}."
    if kind == "blank-lines":
        have, want = (sum(map(bytes.isspace, each_line(text))) for text in texts)
        amount = f"{count(abs(have - want), 'empty line')} too {'many' if have > want else 'few'}"
        return f"{capital(where)} has {amount if have != want else 'empty lines in the wrong places'}."
    have, want = (newlines_at_end(text, overlooked - {kind}) for text in texts)
    lacks, more = f"The last line of {where} has no newline at its end.", "There is one newline too many at the end of"
    return lacks if have < want else f"{more} {where}."


def _name(lines: Sequence[bytes], examples: Sequence[bytes], noun: str = "line") -> str:
    """Name lines: their number and a few of them."""
    return count(len(lines), noun) + (f" ({listed([*map(quote, examples)], total=len(lines))})" if examples else "")


def _pair(kind: str, texts: tuple[bytes, bytes], overlooked: Kinds) -> _Row | None:
    """Return the number of a line, the line and the expected one in its place, two that are the same but for `kind`."""
    rows = *_rows(*texts, overlooked), *_rows(*texts, overlooked - {kind})
    pairs = (one[:2] for one in zip(*rows, strict=False) if one[0][2] == one[1][2] != b"\n" and one[2][2] != one[3][2])
    return next(((*have[:2], want[1]) for have, want in pairs), None)


def only_wrong_line(actual: bytes, expected: bytes) -> bool:
    """Whether two texts differ in a single line, blanks and capitals ignored, which stands for another one."""
    haves, wants = ([form for *_, form in numbered(text, TEXT_KINDS)] for text in (actual, expected))
    return len(haves) == len(wants) and sum(map(ne, haves, wants)) == 1


def wrong_text(actual: bytes, expected: bytes, where: str, *, forgiven: Kinds = frozenset()) -> str:
    """Say where a text that nothing explains first goes wrong, and not at a prompt if prompts are `forgiven`."""
    if is_blank(expected) and not is_blank(actual):
        return f"{capital(where)} has {_lines_in(actual)}, where nothing is expected."
    if is_blank(actual) and not is_blank(expected):
        return describe_empty(where, _lines_in(expected))
    told = capital(_first_fault(actual, expected, where, may_ask="prompt" in forgiven))
    right = {*each_line(actual[:_MAX_EXCERPT])} & {*each_line(expected[:_MAX_EXCERPT])}
    return f"{told.removesuffix(_CUT_OFF)}." if told.endswith(_CUT_OFF) and any(map(_DECIMALS.search, right)) else told


def _lines_in(text: bytes) -> str:
    total = line_count(text)
    return f"{count(total, 'line')}, {listed([quote(next(filter(bytes.strip, each_line(text))))], total=total)}"


def _first_fault(actual: bytes, expected: bytes, where: str, *, may_ask: bool) -> str:
    """Say where two texts first differ, and not at a prompt where the program `may_ask`."""
    before, texts = _excerpt(actual, expected)
    haves, wants = (numbered(text, TEXT_KINDS, before) for text in texts)
    is_cut = [len(text) == _MAX_EXCERPT for text in texts]
    want = next(wants, None)
    for have in haves:
        row, goal = bare(have[1]).strip(), bare(want[1]).strip() if want else b""
        start = _answer_start(have[1], row, wanted={goal}, lengths={len(goal)}, blanks=None) if may_ask else 0
        if start == len(have[1]):
            continue
        if want is None:
            return _describe_parting(where, [] if is_cut[1] else [have], [])
        if have[2] != want[2] and not start:
            return _describe_fault(where, [have, *islice(haves, _MAX_ROWS)], [want, *islice(wants, _MAX_ROWS)])
        want = next(wants, None)
    return _describe_parting(where, [], [want] if want and not is_cut[0] else [])


def _describe_fault(where: str, haves: Sequence[_Row], wants: Sequence[_Row]) -> str:
    """Say what is wrong with the first of these lines, which stands for another one, by the lines behind it."""
    (have, want), joined = (haves[0], wants[0]), b"".join(bare(row[1]).strip() for row in wants[:2])
    if wants[1:] and bare(have[1]).startswith(joined):
        return f"the newline after {quote(want[1])} is missing: line {have[0]} of {where} is {quote(have[1])}."
    ours, theirs = ([_NUMBER.sub(b"\0", form[:_MAX_EXCERPT]) for *_, form in rows] for rows in (haves, wants))
    if ours[0] == theirs[0]:  # else the lines differ in words, so their numbers do not matter
        ours, theirs = ([form for *_, form in rows] for rows in (haves, wants))
    if ours[:2] == theirs[1:3]:
        return f"line {want[0]} of {where}, {quote(want[1])}, is missing: {quote(have[1])} is in its place."
    if ours[1:3] == theirs[:2]:
        return f"line {have[0]} of {where}, {quote(have[1])}, is one too many before {quote(want[1])}."
    return _describe_parting(where, [have], [want])


def _describe_parting(where: str, haves: Iterable[_Row], wants: Iterable[_Row], *, moved: bool = False) -> str:
    """Say where two texts first differ: "line 3 of it is `a`, expected `b`."; and why, unless lines are `moved`."""
    for have, want in zip_longest(haves, wants):
        if have is None:
            return f"{where} ends where line {want[0]}, {quote(want[1])}, is expected."
        if want is None:
            return f"line {have[0]} of {where} is {quote(have[1])}, where nothing more is expected."
        if have[2] != want[2]:
            shown, wanted = quote_difference(have[1], want[1])
            remark = "" if moved else remark_on_line(have[1], want[1])
            return f"line {have[0]} of {where} is {shown}, expected {wanted}{remark}."
    return f"{where} is not what the assignment asks for."


def describe_empty(where: str, wanted: str) -> str:
    """Say that a text is empty, or nothing but blanks, where something is wanted."""
    begin = f"Your program wrote nothing to {where}" if where in STREAMS.values() else f"{capital(where)} is empty"
    return f"{begin}; expected: {wanted}."


def wrong_lines(actual: bytes, expected: bytes, where: str) -> str:
    """Say what is wrong with lines whose order does not count."""
    if is_blank(actual) or is_blank(expected):
        return wrong_text(actual, expected, where)
    if max(len(actual), len(expected)) > MAX_SEARCHED:
        return f"{capital(where)} does not contain the expected lines."
    lacking, more = (surplus_lines(*pair, TEXT_KINDS) for pair in ((expected, actual), (actual, expected)))
    return f"{capital(where)} lacks {_name(lacking, lacking[:_QUOTED])}; unexpected: {_name(more, more[:_QUOTED])}."


_NUMBER = lazy_regex(rb"(?<![\w.])-?[0-9]{1,15}(?:\.[0-9]{1,12})?(?![\w.]*[0-9])")
_FIELD = lazy_regex(rb"(?<!\w)-?[0-9]{1,15}(?:\.[0-9]{1,12})?|[\w\x80-\xff]+")
_ZEROS, _NO_NUMBER = lazy_regex(rb"(?<![\w.])0+(?=[0-9])"), lazy_regex(rb"[^0-9.]+|(?=.*[A-DF-Za-df-z])[\w ]{2,9}")
_NO_TEXT = lazy_regex(rb"[\0-\x06\x0e-\x1a\x7f\xf8-\xff]|[\xc0-\xf7](?![\x80-\xbf])|(?<![\x80-\xff])[\x80-\xbf]")


def remark_on_line(line: bytes, wanted: bytes) -> str:
    """Say how a line is related to the expected one, for the end of a sentence with both; "" where unknown."""
    line, wanted = line.strip(), wanted.strip()
    if max(len(line), len(wanted)) > 2 * _MAX_FIRST_LINE or line == wanted:
        return ""
    is_by_numbers = b"\0" not in line + wanted and _NUMBER.sub(b"\0", line) == _NUMBER.sub(b"\0", wanted)
    own, right = (_NUMBER.findall(text) if is_by_numbers else [] for text in (line, wanted))
    pairs = (tuple(Decimal(number.decode()) for number in pair) for pair in zip(own, right, strict=True))
    remarks = {remark_on_decimals(*pair) for pair in pairs if str(pair[0]) != str(pair[1])}
    words, others = (_FIELD.findall(text) for text in (line, wanted))
    is_order = words != others and sorted(words) == sorted(others) and {*words} - {*b"true false True False".split()}
    how = remark_on_order(words, others) if is_order else ""
    long, start, n = max(line, wanted, key=len), common_length(line, wanted), abs(len(line) - len(wanted))
    part, what = long[start : start + n].strip(), "should not be there" if long == line else "is missing"
    known = (
        (wanted.isascii() and _NO_TEXT.search(line), ": it has bytes that are no text, as behind an array's end"),
        (line.replace(b",", b".") == wanted, ": it has a comma where the decimal point is expected"),
        (_ZEROS.sub(b"", wanted) == line, ": zeros are missing before its numbers"),
        (_ZEROS.sub(b"", line) == wanted, ": zeros stand before its numbers (is a text joined to 0?)"),
        (any(remarks), "".join(remarks) if len(remarks) == 1 else ""),
        (_LETTER.sub(lambda sign: b"%d" % sign[0][0], wanted) == line, ": it has the codes of letters in their place"),
        (is_order and (how or not (is_by_numbers or all(map(_NUMBER.fullmatch, words)))), f": in another order{how}"),
        (long[:start] + long[start + n :] in (line, wanted) and _NO_NUMBER.fullmatch(part), f": {quote(part)} {what}"),
    )
    return next((remark for is_so, remark in known if is_so), "")


def remark_on_order(haves: Sequence[bytes], wants: Sequence[bytes]) -> str:
    """Say how elements in another order are sorted, by the first column of those in other places that sorts them."""
    places = [at for at, pair in enumerate(zip(haves, wants, strict=False)) if ne(*pair)] or [0]
    tables = ([_FIELD.findall(row) for row in rows[places[0] : places[-1] + 1]] for rows in (haves, wants))
    for ours, theirs in zip(*(zip(*table, strict=False) for table in tables), strict=False):
        key: Callable[[bytes], Any] = float if all(map(_NUMBER.fullmatch, ours + theirs)) else bytes.lower
        own, right = (list(map(key, column)) for column in (ours, theirs))
        up, down, first, last = right == sorted(right), right == sorted(right)[::-1], quote(ours[0]), quote(ours[-1])
        known = (
            (own == right and len({*own}) < len(own), f" among those with {first}"),
            (own == right[::-1] and sorted({*own})[2:], f" (the other way round, from {first} to {last})"),
            ([*ours] == sorted(ours, reverse=down) and own[2 * down :], f" (sorted as texts: {first} before {last})"),
        )
        if up != down and (own != right or len({*own}) < len(own)):
            return next((how for is_so, how in known if is_so), "")
    return ""


def remark_on_decimals(number: Decimal, wanted: Decimal) -> str:
    """Say that a number is the expected one with more decimals, or a whole number that is it without; else ""."""
    have, want = (len(str(value).partition(".")[2]) for value in (number, wanted))
    is_near = min(have, want) > 0 and have != want and abs(number - wanted) * 2 <= Decimal(1).scaleb(-min(have, want))
    known = (
        (is_near, f": it has {count(have, 'decimal')}, expected {want}"),
        (number == 0 < wanted < 1, ": it is 0 (integer division, or never set?)"),
        (number == wanted.to_integral_value(ROUND_DOWN) != wanted, ": its decimals are missing (integer division?)"),
        (number == 0 > wanted, ": a number below zero is expected (does a largest value begin at 0?)"),
        (number.is_finite() and want > have == 0, ": it is a whole number; decimals are expected"),
    )
    return next((remark for is_so, remark in known if is_so), "")


Explain = Callable[[bytes, bytes], Kinds | None]  # returns the smallest set that explains how an output differs
Restored = tuple[tuple[str, Mended] | None, Kinds | None]  # what was taken back, and the kinds that explain the rest


def restored(
    actual: bytes, expected: bytes, tolerate: Tolerances, explain: Explain, *, stdin: bytes = b"", prompt: bytes = b""
) -> Restored:
    """Return the best explanation: what is wrong with a whole answer is taken back, and the rest explained as always.

    `stdin` is what the program read whose answer is expected, if its own prompts are no part of that; `prompt` is one
    that it is known to have.
    """
    kinds = explain(actual, expected)
    is_text = kinds is not None and kinds <= TEXT_KINDS
    if is_text or is_blank(actual) or max(len(actual), len(expected)) > MAX_SEARCHED:
        return None, kinds
    best, kinds = _restored_by_kind((actual, expected, stdin, prompt), kinds, tolerate, explain)
    union = None if kinds is None else kinds | ({best[0]} if best else set())
    if tolerate.get("wrong-count") and (union is None or not credit(union, tolerate)):
        for mended in _mended_summary(actual, expected):
            rest = explain(mended[0], expected)
            if rest is not None and credit(rest | {"wrong-count"}, tolerate):
                return ("wrong-count", mended), rest
    return best, kinds


def _restored_by_kind(
    texts: tuple[bytes, bytes, bytes, bytes], kinds: Kinds | None, tolerate: Tolerances, explain: Explain
) -> Restored:
    best: tuple[str, Mended] | None = None
    limit = (len(TABLE), Fraction(0), list[int]()) if kinds is None else rank(kinds, tolerate)
    kept = Fraction(0) if kinds is None else credit(kinds, tolerate)
    # Where every expected line is there, no other set is smaller: one of that size may only keep more.
    is_complete = kinds is not None and "missing-lines" not in kinds
    is_empty = is_blank(texts[1])

    def is_worth(kind: str) -> bool:
        if is_empty:  # then any output is wrong, unless prompts are free
            return kind == "prompt" and kind in tolerate
        return rank({kind}, tolerate) < limit and bool(not is_complete or tolerate.get(kind))

    for kind in TABLE:
        for mended in kind.mend(*texts) if kind.mend and is_worth(kind.name) else ():
            rest = explain(*mended[:2])
            union = {kind.name, *(rest or ())}
            if rest is not None and rank(union, tolerate) < limit and credit(union, tolerate) >= kept:
                best, kinds, limit = (kind.name, mended), rest, rank(union, tolerate)
            if rest == SAME:
                break  # no other way to take it back leaves less
    return best, kinds


def line_count(text: bytes) -> int:
    """Return the number of lines; the last one needs no newline."""
    return text.count(b"\n") + (text[-1:] not in (b"\n", b""))
