"""Mistakes of beginners in the sources of a program that failed: rows of `mistakes.yaml`, as tree-sitter finds them.

Grammars are libraries in C, and a student decides what they read: `serve_mistakes` runs in a process of its own, with
limits on time and memory. So it imports nothing but them and the standard library.
"""

import importlib
import json
import re
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, reduce
from itertools import islice
from pathlib import Path
from typing import Any

SUFFIXES: Mapping[str, tuple[str, ...]] = {
    "python": (".py", ".ipynb"),
    "java": (".java",),
    "javascript": (".js", ".mjs", ".cjs"),
    "c": (".c", ".h"),
    "cpp": (".cpp", ".cc", ".cxx", ".hpp", ".hh", ".h"),
}
"""how the names of the files of a language end, whose grammars there are"""
MISTAKES_FILE = Path(__file__).with_name("mistakes.yaml")
_MAX_MATCHES = 500
_FUNCTION = re.compile(r"function|method")
_BY_OTHERS = re.compile(rb"(?:main|constructor|__\w+)$")  # what the language calls
_NAMES = re.compile(rb"[\w$]+")
_PLACES = ("at", "within", "inside", "around")
_Found = tuple[Mapping[str, str], Mapping[str, Any]]  # the texts of captures, and the nodes of places


def serve_mistakes() -> None:
    """Answer a request on standard input, JSON: `language`, `rows` (of that language) and `files` (name -> source).

    The answer is the mistakes found, the plainest first: the file, the line, what is said, `always`, `needs`, `shows`,
    the functions that it is in, and whether they are used.
    """
    json.dump(find_in_files(**json.load(sys.stdin)), sys.stdout)


def find_in_files(language: str, rows: Sequence[Mapping[str, Any]], files: Mapping[str, str]) -> list[tuple[Any, ...]]:
    """Return the answer to a request; a source is a text that has its bytes, as Latin-1 has them."""
    sources = {name: text.encode("latin-1") for name, text in files.items()}
    said = b"\n".join(sources.values())
    parser = importlib.import_module("tree_sitter").Parser(_grammar(language))
    trees = {name: parser.parse(text).root_node for name, text in sources.items()}
    found = []
    for row in rows:
        places = [(name, *one) for name, root in trees.items() for one in _mistakes(row, language, root, said)]
        for name, line, words, *used in places[1:] if row.get("twice") else places:
            more = (row.get("always", False), row.get("needs", ""), row.get("shows", ""))
            found.append((name, line + 1, row["says"].format_map(words), *more, *used))
    return found


def _mistakes(row: Mapping[str, Any], language: str, root: Any, said: bytes) -> Iterator[tuple[Any, ...]]:
    """Yield the places of a mistake: its line from 0, its words, and what `_functions_around` returns."""
    also, unless = ([_found(language, one, root) for one in row.get(key, ())] for key in ("also", "unless"))
    for found in _found(language, row["query"], root):
        one: Iterable[_Found] = (found,)
        for words, nodes in islice(reduce(_each_with, also, one), 1):
            at = nodes["at"]
            if not any(_joined((words, nodes), more) for excuses in unless for more in excuses):
                yield at.start_point.row, {**row.get("words", {}), **words}, *_functions_around(at, said)


def _found(language: str, pattern: str, root: Any) -> Collection[_Found]:
    """Return the matches of a pattern in a file, at most so many; of those without a place, each text once."""
    found = dict[Any, _Found]()
    for _, captures in _cursor(language, pattern).matches(root)[:_MAX_MATCHES]:
        nodes = {name: every[0] for name, every in captures.items()}
        texts = {name: node.text[:80].decode(errors="replace") for name, node in nodes.items() if name not in _PLACES}
        places = {name: node for name, node in nodes.items() if name in _PLACES}
        found[tuple(texts.items()), tuple(places.items())] = texts, places
    return found.values()


def _each_with(ways: Iterable[_Found], others: Collection[_Found]) -> Iterable[_Found]:
    """Join each match with each of the others, as far as that is asked for."""
    return (joint for way in ways for more in others if (joint := _joined(way, more)))


def _joined(one: _Found, more: _Found) -> _Found | None:
    """Return two matches as one; None where they are not about the same, or not in the place that is asked for."""
    (words, nodes), (others, places) = one, more
    if any(words.get(name, text) != text for name, text in others.items()):
        return None
    if (inner := places.get("inside")) and not _is_in(inner, nodes.get("within", nodes["at"])):
        return None
    if (outer := places.get("around")) and (outer == nodes["at"] or not _is_in(nodes["at"], outer)):
        return None
    return {**words, **others}, nodes


def _is_in(inner: Any, outer: Any) -> bool:
    return bool(outer.start_byte <= inner.start_byte and inner.end_byte <= outer.end_byte)


def _functions_around(node: Any, said: bytes) -> tuple[list[str], bool]:
    """Return the functions that a node is in, and whether each but `main` and such is named where it is not defined."""
    names, is_used = [], True
    while (node := node.parent) is not None:
        name = node.child_by_field_name("name") or node.child_by_field_name("declarator")
        if name and _FUNCTION.search(node.type) and (own := next(iter(_NAMES.findall(name.text)), b"")):
            names.append(own.decode().strip("_"))
            places = re.finditer(rb"(?<![\w$])%b(?![\w$])" % re.escape(own), said)
            is_used = is_used and bool(_BY_OTHERS.match(own) or any(islice(places, 1, None)))
    return names, is_used


@cache
def _grammar(language: str) -> Any:
    library = importlib.import_module("tree_sitter")
    return library.Language(importlib.import_module(f"tree_sitter_{language}").language())


@cache
def _cursor(language: str, pattern: str) -> Any:
    library = importlib.import_module("tree_sitter")
    return library.QueryCursor(library.Query(_grammar(language), pattern))


def rows_of(table: Mapping[str, Any], language: str) -> Sequence[Mapping[str, Any]]:
    """Return what the table has for a language, each with its sentence, in its order."""
    return [{"says": row["says"], **row[language]} for row in table.values() if language in row]
