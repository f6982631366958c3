"""Commands: a string is split into words as a shell splits it, and no shell ever sees it."""

import shlex

from grader.yaml.nodes import Listing
from grader.yaml.value import Value, each_of, filled, items, text, unwanted, with_variables, wrong


def command(value: Value) -> tuple[str, ...]:
    """Read a command, a string or a list of words. Variables are filled after the split: a value stays one word."""
    if isinstance(value.node, Listing):
        words = each_of(argument)(value)
    else:
        words = tuple(_checked(value, filled(value, word)) for word in _split(value))
    if not words or not words[0]:
        unwanted(value, "a command")
    return words


def commands(value: Value) -> tuple[tuple[str, ...], ...]:
    """Read one command as a string, or a list of commands."""
    if not isinstance(value.node, Listing):
        return (command(value),)
    if not value.node.items:
        unwanted(value, "at least one command")
    return tuple(command(item) for item in items(value))


def argument(value: Value) -> str:
    """Read a text that can be handed to a program: one without the character NUL."""
    return _checked(value, text(value))


def _checked(value: Value, word: str) -> str:
    if "\0" in word:
        wrong(value, "no program can be given the character U+0000 here: leave it out")
    return word


def _split(value: Value) -> list[str]:
    written = text(with_variables(value, None))
    try:
        return shlex.split(written)
    except ValueError as error:
        wrong(value, f"this command cannot be split into words: {str(error).lower()}")
        return []
