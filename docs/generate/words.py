"""Markdown: text that means nothing to it, code, tables."""

from collections.abc import Iterable, Sequence

MADE = "<!-- Made by `python -m docs.generate` (`make golden`); a change here would be lost. -->"


def plain(text: str) -> str:
    """Return text without anything that would be a tag or the end of a cell; code in it stays code."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("|", r"\|")


def code(text: str) -> str:
    """Return text as code, also in a cell."""
    return f"`{text}`".replace("|", r"\|")


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def page(*parts: str) -> str:
    """Return a page of parts, with a blank line between them."""
    title, *others = parts
    return "\n\n".join([title, MADE, *others]) + "\n"
