"""Text for people: quotations, lists, counts and quantities.

What a student wrote is hostile: it leaves grader through `show`, `one_line` or `sentence`, and then a format's quoting.
"""

import shlex
from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING, AnyStr

from grader.core.lazy import lazy_call, lazy_regex

if TYPE_CHECKING:
    from fractions import Fraction  # takes time to import, and `--help` has no points

TEXT_LIMIT = 64 * 2**10  # bytes of a text that a report keeps, unless it says otherwise
LINE_LIMIT = 300  # bytes of a text that has to fit one line
_SANITIZER_SUMMARY = lazy_regex(rb"(?m)^SUMMARY: (\w{1,40}Sanitizer: [^\n]{1,400})$")
_SUSPECT = lazy_regex(r"[^\n\t\x20-\x7e]")
# Letters and marks by their category, but drawn as nothing: fillers, joiners, variation selectors.
_BLANK = lazy_regex("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2065\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]")
_SHORT = {"\r": r"\r", "\n": r"\n", "\t": r"\t"}
_CONTINUATION = range(0x80, 0xC0)
_COMMAND = lazy_regex(r"##(?=\w*\[)")


def is_visible(character: str) -> bool:
    """Whether a character shows as itself: no control, format or unassigned one, and no blank but the space."""
    return character.isprintable() and (character.isascii() or not _BLANK.match(character))


def _escape(character: str) -> str:
    r"""Format one character as a visible escape, unless it is visible: `\r`, `\x1b`, `\u202e`, `\U000e0001`."""
    code = ord(character)
    if is_visible(character):
        return character
    if character.isascii():
        return _SHORT.get(character, f"\\x{code:02x}")
    return f"\\u{code:04x}" if character <= "\uffff" else f"\\U{code:08x}"


def to_bytes(data: bytes | str) -> bytes:
    """Get the bytes behind a text, file names that are no UTF-8 included; never fails."""
    if isinstance(data, bytes):
        return data
    try:
        return data.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return data.encode("utf-8", "surrogatepass")


def show(data: bytes | str, limit: int = TEXT_LIMIT) -> str:
    r"""Escape `data` for display; newlines and tabs stay. A cut after `limit` bytes states the missing bytes."""
    raw = to_bytes(data)
    end = align(raw, limit)
    text = _SUSPECT.sub(lambda match: _escape(match[0]), raw[:end].decode("utf-8", "backslashreplace"))
    return f"{text}… {len(raw) - end} more bytes" if end < len(raw) else text


def one_line(data: bytes | str, limit: int = LINE_LIMIT) -> str:
    r"""Show on a single line, with newlines and tabs as `\n` and `\t`."""
    return show(data, limit).replace("\n", r"\n").replace("\t", r"\t")


_PRINTF = {"\n": r"\n", "\t": r"\t", "\\": r"\\", "%": "%%", "'": r"'\''"}


def printf_text(data: bytes | str) -> str:
    r"""Format bytes as the arguments of a POSIX shell's `printf`: `'4\n'`, in visible characters only."""
    text = to_bytes(data).decode("utf-8", "surrogateescape")
    written = "".join(_PRINTF.get(char) or (char if is_visible(char) else _octal(char)) for char in text)
    ends_options = "-- " * text.startswith("-")
    return f"{ends_options}'{written}'".replace("##", "#" + _octal("#"))


def _octal(character: str) -> str:
    return "".join(f"\\{byte:03o}" for byte in to_bytes(character))


def posix_word(word: str) -> str:
    """Write a word as a POSIX shell reads it, in visible characters only."""
    at_end = '"${IFS#??}"' * (len(word) - len(word.rstrip("\n")))  # newlines, which `$(...)` drops: IFS ends with one
    is_plain = all(map(is_visible, word)) and "##" not in word
    return shlex.quote(word) if is_plain else f'"$(printf {printf_text(word)})"{at_end}'


def sentence(data: bytes | str, limit: int = LINE_LIMIT * 4) -> str:
    """Show prose on a single line; blanks stay as they are, since a quotation may be about them."""
    return " ".join(line.strip() for line in show(data, limit).split("\n")).strip()


def inert(text: str, *, anywhere: bool = False) -> str:
    r"""Neutralise commands that a CI system could find in a text.

    `##[error]` counts wherever it stands, `::error::` at the start of a line: what may come to be there is `anywhere`.
    """
    text = _COMMAND.sub(r"#\\x23", text)
    return text.replace("::", r":\x3a") if anywhere else text


def align(raw: bytes, cut: int) -> int:
    """Return the last position at or before `cut` that splits no UTF-8 character; at most the length."""
    starts = (place for place in range(cut, max(cut - 4, -1), -1) if raw[place] not in _CONTINUATION)
    return len(raw) if cut >= len(raw) else next(starts, cut)


def round_score(score: "Fraction | float", most: "Fraction | float", parts: int = 100) -> int:
    """Round a score of so many points half up, in parts of a point, but never up to the maximum or down to 0."""
    rounded, maximum = (int((value * 2 * parts + 1) // 2) for value in (score, most))
    if 0 < score < most:
        return max(min(rounded, maximum - 1), min(maximum, 1))
    return rounded


def points(value: "Fraction | float", most: "Fraction | float | None" = None) -> str:
    """Format points: rounded half up to two places, without trailing zeros; a score of `most` by `round_score`."""
    rounded = round_score(value, value if most is None else most)
    whole, rest = divmod(abs(rounded), 100)
    return f"{'-' * (rounded < 0)}{whole}.{rest:02}".rstrip("0").rstrip(".")


def count_points(value: "Fraction | float") -> str:
    """Format a number of points: "1 point", "2.5 points"."""
    return f"{points(value)} {point_word(value)}"


def point_word(value: "Fraction | float") -> str:
    """Return "point" for 1, and "points" for any other number of them; of `0 of 1 point`, the last number decides."""
    return "point" if points(value) == "1" else "points"


def signed(change: "Fraction") -> str:
    """Format a change of points: `+2`, `-0.5`."""
    return f"{'-' if change < 0 else '+'}{points(abs(change))}"


QUOTED = 60  # characters of a quotation, at most
_UNITS = ((2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB"))
_BEFORE = 20
_STEP = 2**16  # bytes of two texts that are compared at a time
_MAX_ALIKE, _MAX_ALIKE_BYTES = 4, 64  # characters, and bytes, that are looked at where two texts differ
_normalize, _combining = lazy_call("unicodedata", "normalize"), lazy_call("unicodedata", "combining")
# Letters of Cyrillic and of Greek, dashes and quotation marks -> what they look like.
_LOOKS_LIKE = str.maketrans(
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0455\u0458\u04bb"
    "\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0423\u0425\u0406\u0405\u0408"
    "\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7"
    "\u03bf\u03bd\u03c1\u03c5\u03ba\u03b9"
    "\u2010\u2012\u2013\u2014\u2015\u2212"
    "\u2018\u2019\u201b\u02bc"
    "\u201c\u201d\u201e\u201f",
    "aeopcyxisjhABEKMHOPCTYXISJABEZHIKMNOPTYXovpuki------''''\"\"\"\"",
)


def quote(text: bytes | str, start: int = 0, most: int = QUOTED, *, blanks: bool = False) -> str:
    """Quote one line, cut to `most` characters from the byte `start` on; `blanks` are shown as dots, tabs as arrows."""
    if isinstance(text, str):
        text = text.encode(errors="backslashreplace")
    start = align(text, start)
    shown = text[start : start + 4 * most].rstrip(b"\r\n").decode(errors="backslashreplace")
    if blanks:
        shown = shown.replace(" ", "·").replace("\t", "→")
    cut = len(shown) > most or start + 4 * most < len(text)
    return f"`{'…' if start else ''}{shown[:most]}{'…' if cut else ''}`"


def quote_difference(first: bytes, second: bytes, *, blanks: bool = False) -> tuple[str, str]:
    """Quote two different lines so that their first difference is visible, in how they end as well."""
    same = common_length(first, second)
    start = 0 if same < QUOTED // 2 else same - _BEFORE
    shown = quote(first, start, blanks=blanks), quote(second, start, blanks=blanks)
    if shown[0] != shown[1]:
        return name_lookalikes(shown, first, second)
    endings = (text[start:].decode(errors="backslashreplace") for text in (first, second))
    quoted = [f"`{'…' if start else ''}{text}`".replace("\r", r"\r").replace("\n", r"\n") for text in endings]
    return quoted[0], quoted[1]


def name_lookalikes(shown: tuple[str, str], first: bytes, second: bytes) -> tuple[str, str]:
    """Add to the quotations of two texts which characters first differ, where these look alike, as of two scripts."""
    if first.isascii() and second.isascii():
        return shown
    place = common_length(first, second)
    texts = [text[align(text, place) :][:_MAX_ALIKE_BYTES].decode(errors="replace") for text in (first, second)]
    for ends in product(range(1, _MAX_ALIKE + 1), repeat=2):
        pair = [text[:end] for text, end in zip(texts, ends, strict=True)]
        behind = [text[end : end + 1] for text, end in zip(texts, ends, strict=True)]
        forms = {_normalize("NFKC", part).translate(_LOOKS_LIKE) for part in pair}
        if pair[0] != pair[1] and len(forms) == 1 and not any(map(_combining, filter(None, behind))):
            names = [f"{quote(part)} is {' '.join(f'U+{ord(sign):04X}' for sign in part)}" for part in pair]
            return f"{shown[0]} ({names[0]})", f"{shown[1]} ({names[1]})"
    return shown


def common_length(first: AnyStr, second: AnyStr) -> int:
    """Return the length of the common start."""
    low, high = 0, min(len(first), len(second))
    while low < high:
        middle = min(low + _STEP, (low + high + 1) // 2)
        if first[low:middle] == second[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def common_end(first: bytes, second: bytes) -> int:
    """Return the length of the common end, without a copy of both."""
    most, done = min(len(first), len(second)), 0
    while step := min(_STEP, most - done):
        a, b = (text[len(text) - done - step : len(text) - done] for text in (first, second))
        if a != b:
            return done + common_length(a[::-1], b[::-1])
        done += step
    return done


def tidy_lines(text: str) -> str:
    """Take superfluous blanks out of what somebody typed; its line breaks stay."""
    return "\n".join(" ".join(line.split()) for line in text.strip().splitlines())


def full_sentence(text: str) -> str:
    """Return a text on one line, as `sentence` does, with a full stop where it has no end."""
    shown = sentence(text)
    return shown if shown.endswith((".", "!", "?", "…")) else f"{shown}."


def listed(names: Sequence[str], *, most: int | None = None, total: int | None = None) -> str:
    """Join at most `most` of `total` names: "`a`, `b` and 7 more"."""
    shown = names[:most]
    more = (len(names) if total is None else total) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more > 0 else "")


def joined(names: Sequence[str], word: str = "and") -> str:
    """Join names as a sentence does: "a, b and c"."""
    return f" {word} ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def closing_line(output: bytes) -> bytes:
    """Return the line that says why a program failed: the last, or the summary of a sanitizer, above its memory."""
    match = _SANITIZER_SUMMARY.search(output)
    return match[1] if match else output.rstrip().rpartition(b"\n")[2]


def count(number: int, noun: str) -> str:
    """Format a count: "1 line", "2 lines"."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def seconds(time: float) -> str:
    """Format a time in seconds: "9.8 s"."""
    return f"{time:.2g} s" if time < 1 else f"{round(time, 1):g} s"


def duration(time: float) -> str:
    """Format a longer duration in seconds: "1 min 4 s"."""
    minutes, rest = divmod(int(time), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


def size(octets: int, digits: int = 4) -> str:
    """Format a size in bytes, to so many significant digits: "8 MiB"."""
    sizes = (f"{octets / unit:.{digits}g} {name}" for unit, name in _UNITS if octets >= unit)
    return next(sizes, "") or count(octets, "byte")


def percent(share: "Fraction | float") -> str:
    """Format a share of 1: "50 %"; 100 % is all of it, and 0 % nothing."""
    return f"{points(share * 100, 100)} %"


def capital(sentence: str) -> str:
    """Begin a sentence with a capital letter, and leave the rest as it is."""
    return sentence[:1].upper() + sentence[1:]
