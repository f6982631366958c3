"""The name of a student's folder: readable where it can be, safe always, and another one for every student."""

import hashlib

from grader.text import is_visible, to_bytes

MOST = 200
"""bytes of a name; file systems allow 255, and a suffix may come behind it"""

_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 ,-_.+@()")
# At the start, these hide a file, look like an option, like a formula to a spreadsheet, or like nothing at all.
_NOT_FIRST = frozenset(" -.+@")


def safe_name(student: str) -> str:
    """Name a file after any id: what is not plainly harmless becomes `%2F`, what is too long is cut and gets a digest.

    Two ids never share a name: `%` and `~`, which the escapes start with, are themselves escaped.
    """
    text = to_bytes(student).decode("utf-8", "surrogateescape")
    name = "".join(_quote(character, _is_plain(character)) for character in text)
    if name and name[0] in _NOT_FIRST:
        name = _quote(name[0], plain=False) + name[1:]
    if name.endswith(" "):
        name = name[:-1] + "%20"
    return _shortened(name, text) or "%"


def _is_plain(character: str) -> bool:
    return character in _PLAIN or (not character.isascii() and is_visible(character))


def _quote(character: str, plain: bool) -> str:  # noqa: FBT001  private, and called with the question itself
    return character if plain else "".join(f"%{byte:02X}" for byte in to_bytes(character))


def _shortened(name: str, text: str) -> str:
    raw = name.encode()
    if len(raw) <= MOST:
        return name
    digest = hashlib.sha256(to_bytes(text)).hexdigest()[:32]
    return raw[: MOST - 33].decode("utf-8", "ignore") + "~" + digest
