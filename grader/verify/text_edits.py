"""What may be wrong with a text: edits, each with the deviation that it should be named with.

An edit is a function from the right text to a wrong one, or to None where it has nothing to do there, and an entry in
`EDITS`. Those of `WHOLE` are for texts that are compared line by line; the others are wrong however a text is compared.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from grader.verify.listing import NUMBER, Listing, inverse, lines, listing, renumbered, shifted, spoilt
from grader.verify.scope import Rule

_WORD = re.compile(rb"[A-Za-z]{5,}")
_FOREIGN = b"Welcome to my program.\n"
_PROMPT = b"Enter a number: "
_FEWEST = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """A way in which a text can be wrong."""

    name: str
    about: str
    change: Callable[[bytes], bytes | None]
    named: tuple[str, ...] = ()
    rule: Rule = "visible"
    whole: bool = True
    """whether it is wrong only where every line of a text is compared"""


def _layout(name: str, about: str, change: Callable[[bytes], bytes | None]) -> Edit:
    return Edit(name=name, about=about, change=change, named=(name,), rule="layout")


def _lines(name: str, about: str, change: Callable[[bytes], bytes | None], *named: str) -> Edit:
    return Edit(name=name, about=about, change=change, named=named or (name,))


def _any(name: str, about: str, change: Callable[[bytes], bytes | None], *named: str) -> Edit:
    return Edit(name=name, about=about, change=change, named=named, whole=False)


# ---------------------------------------------------------------- blanks, line ends and capitals


def _without_newline(text: bytes) -> bytes:
    return text.removesuffix(b"\n")


def _doubled_blanks(text: bytes) -> bytes:
    return re.sub(rb"(?<=[^ \n]) (?=[^ \n])", b"  ", text)


def _at_line_ends(text: bytes) -> bytes:
    return text.replace(b"\n", b" \n")


def _indented(text: bytes) -> bytes:
    return b"".join(b"  " + line for line in lines(text))


# ---------------------------------------------------------------- lines


def _swapped(items: list[bytes]) -> list[bytes] | None:
    at = next((at for at in range(1, len(items)) if items[at] != items[0]), None)
    if at is not None:
        items[0], items[at] = items[at], items[0]
    return None if at is None else items


def _first_lines_swapped(text: bytes) -> bytes | None:
    found = _swapped([line if line.endswith(b"\n") else line + b"\n" for line in lines(text)])
    return None if found is None else b"".join(found)


def _without_last_line(text: bytes) -> bytes | None:
    found = lines(text)
    return b"".join(found[:-1]) if len(found) >= _FEWEST else None


def _foreign_first(text: bytes) -> bytes | None:
    return _FOREIGN + text if text else None


def _foreign_last(text: bytes) -> bytes | None:
    return text + _FOREIGN if text.endswith(b"\n") else None


def _after_prompt(text: bytes) -> bytes | None:
    return _PROMPT + text if text else None


def _misspelt(text: bytes) -> bytes | None:
    words = [word for word in _WORD.finditer(text) if word[0][2:3] != word[0][3:4]]
    if not words:
        return None
    word = words[-1]
    middle = word.start() + 2
    return text[:middle] + text[middle + 1 : middle + 2] + text[middle : middle + 1] + text[middle + 2 :]


# ---------------------------------------------------------------- things that are listed


def _listed(change: Callable[[Listing], bytes | None]) -> Callable[[bytes], bytes | None]:
    def edit(text: bytes) -> bytes | None:
        found = listing(text)
        return None if found is None else change(found)

    return edit


def _each(change: Callable[[bytes], bytes | None]) -> Callable[[bytes], bytes | None]:
    """Change every thing that is listed, if every one can be changed: numbers in a line."""

    def edit(found: Listing) -> bytes | None:
        if any(len(NUMBER.findall(item)) < _FEWEST or len(lines(item)) > 1 for item in found.items):
            return None
        changed = [change(item) for item in found.items]
        return found.having([item for item in changed if item is not None]) if all(changed) else None

    return _listed(edit)


def _backwards(item: bytes) -> bytes:
    return renumbered(item, NUMBER.findall(item)[::-1])


def _two_swapped(found: Listing) -> bytes | None:
    items = _swapped(list(found.items))
    return None if items is None else found.having(items)


def _last_number(text: bytes, by: int, start: int = 0) -> bytes | None:
    numbers = list(NUMBER.finditer(text, start))
    if not numbers:
        return None
    number = numbers[-1]
    return text[: number.start()] + b"%d" % (int(number[0]) + by) + text[number.end() :]


def _count(by: int) -> Callable[[bytes], bytes | None]:
    """Change the number that is told behind a list."""

    def edit(found: Listing) -> bytes | None:
        text = found.having(found.items)
        return _last_number(text, by, len(text) - len(found.after))

    return _listed(edit)


def _number(by: int) -> Callable[[bytes], bytes | None]:
    """Change the last number of a text that lists nothing."""
    return lambda text: None if listing(text) else _last_number(text, by)


def _items(change: Callable[[tuple[bytes, ...]], tuple[bytes, ...]]) -> Callable[[bytes], bytes | None]:
    return _listed(lambda found: found.having(change(found.items)))


def _half(text: bytes) -> bytes | None:
    return text[: len(text) // 2] if len(text) >= _FEWEST else None


EDITS: tuple[Edit, ...] = (
    _layout("final-newline", "no newline at the end", _without_newline),
    _layout("line-endings", "CR LF for LF", lambda text: text.replace(b"\n", b"\r\n")),
    _layout("trailing-space", "a blank at the end of each line", _at_line_ends),
    _layout("leading-space", "every line indented", _indented),
    _layout("inner-space", "two blanks for one", _doubled_blanks),
    _layout("blank-lines", "an empty line first", lambda text: b"\n" + text if text else None),
    _layout("letter-case", "all letters small", bytes.lower),
    _lines("order", "two lines swapped", _first_lines_swapped),
    _lines("extra-lines-first", "a line of greeting first", _foreign_first, "extra-lines"),
    _lines("extra-lines-last", "a line of greeting last", _foreign_last, "extra-lines"),
    _lines("prompt", "a prompt in front of it", _after_prompt),
    _lines("wording", "a word misspelt", _misspelt),
    _lines("zero-based", "all numbers of the list one less", _each(lambda item: shifted(item, -1))),
    _lines("one-based", "all numbers of the list one more", _each(lambda item: shifted(item, 1))),
    _lines("reversed", "all that is listed backwards", _each(_backwards), "reversed", "order"),
    _lines("transposed", "columns for rows in the list", _each(inverse), "transposed", "order"),
    _lines("last-to-first", "the list from its end", _items(lambda items: items[::-1]), "order"),
    _lines("last-line-missing", "the last line missing", _without_last_line, "missing-lines"),
    _any("one-missing-first", "the first of the list missing", _items(lambda items: items[1:]), "missing-lines"),
    _any("one-missing-last", "the last of the list missing", _items(lambda items: items[:-1]), "missing-lines"),
    _any("only-first", "the first of the list and no more", _items(lambda items: items[:1]), "missing-lines"),
    _any("one-repeated", "the first of the list twice", _items(lambda items: items[:1] + items), "duplicates"),
    _any("two-swapped", "two of the list swapped", _listed(_two_swapped), "order"),
    _any("one-invalid-first", "the first of the list spoilt", _items(lambda items: (spoilt(items[0]), *items[1:]))),
    _any("one-invalid-last", "the last of the list spoilt", _items(lambda items: (*items[:-1], spoilt(items[-1])))),
    _any("count-more", "the number behind the list one more", _count(1), "wrong-count"),
    _any("count-less", "the number behind the list one less", _count(-1), "wrong-count"),
    _any("number-more", "the last number one more", _number(1)),
    _any("number-less", "the last number one less", _number(-1)),
    _any("half", "only the first half of it", _half),
    _any("nothing", "nothing at all", lambda _: b""),
    _any("something-else", "a line of greeting instead", lambda _: _FOREIGN),
)
