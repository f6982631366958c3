"""Mistakes of beginners in the sources of a program that failed: rows of `mistakes.yaml`, as tree-sitter finds them.

Grammars are libraries in C, and a student decides what they read: `serve_mistakes` runs in a process of its own, with
limits on time and memory. So it imports nothing but them and the standard library.
"""

import importlib
import json
import re
import sys
from bisect import bisect
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, reduce
from itertools import accumulate, islice
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
    """Answer a request on standard input, JSON: `language`, `rows` (of that language) and `files` (name -> source)."""
    json.dump(find_in_files(**json.load(sys.stdin)), sys.stdout)


def find_in_files(language: str, rows: Sequence[Mapping[str, Any]], files: Mapping[str, str]) -> list[tuple[Any, ...]]:
    """Return the mistakes in sources, which are texts that have their bytes as Latin-1 has them, the plainest first.

    Of each: file, line, what is said, `always`, `needs`, `shows`, its functions, and whether these are used.
    """
    library, sources = importlib.import_module("tree_sitter"), {name: files[name].encode("latin-1") for name in files}
    grammar = library.Language(importlib.import_module(f"tree_sitter_{language}").language())
    said = b"\n".join(sources.values())
    rows = [row for row in rows if re.search(row.get("only", "").encode(), said)]
    roots = {name: library.Parser(grammar).parse(sources[name]).root_node for name in files}
    every = [(name, root, _found(grammar, tuple(row["query"] for row in rows), root)) for name, root in roots.items()]
    found = []
    for at, row in enumerate(rows):
        places = [(name, *one) for name, root, of in every for one in _mistakes(row, grammar, root, of[at], said)]
        found += places[1:] if row.get("twice") else places
    return found


def _mistakes(
    row: Mapping[str, Any], grammar: Any, root: Any, every: Collection[_Found], said: bytes
) -> Iterator[tuple[Any, ...]]:
    """Yield what is returned of the places of a mistake in a file, without its name."""
    also, unless = (_found(grammar, tuple(row.get(key, ())) if every else (), root) for key in ("also", "unless"))
    for found in every:
        for words, nodes in islice(reduce(_each_with, also, iter([found])), 1):
            if not any(_joined((words, nodes), other) for excuses in unless for other in excuses):
                says = row["says"].format_map({**row.get("words", {}), **words})
                facts = says, row.get("always", False), row.get("needs", ""), row.get("shows", "").format_map(words)
                yield nodes["at"].start_point.row + 1, *facts, *_functions_around(nodes["at"], said)


def _found(grammar: Any, patterns: tuple[str, ...], root: Any) -> Sequence[Collection[_Found]]:
    """Return the matches of each pattern in a file, at most so many; of those without a place, each text once."""
    every = [dict[Any, _Found]() for _ in patterns]
    cursor, places_of = _cursor(grammar, patterns)
    for number, captures in cursor.matches(root):
        if len(found := every[places_of[number]]) < _MAX_MATCHES:
            nodes = {name: those[0] for name, those in captures.items()}
            texts = {name: one.text[:80].decode(errors="replace") for name, one in nodes.items() if name not in _PLACES}
            places = {name: one for name, one in nodes.items() if name in _PLACES}
            found[tuple(texts.items()), tuple(places.items())] = texts, places
    return [found.values() for found in every]


def _each_with(ways: Iterable[_Found], others: Collection[_Found]) -> Iterator[_Found]:
    """Join each match with each of the others, as far as that is asked for."""
    return (joint for way in ways for more in others if (joint := _joined(way, more)))


def _joined(one: _Found, more: _Found) -> _Found | None:
    """Return two matches as one; None where they are not about the same, or not in the place that is asked for."""
    (words, nodes), (others, places) = one, more
    at, inner, outer = nodes["at"], places.get("inside"), places.get("around")
    is_same = all(words.get(name, text) == text for name, text in others.items())
    is_there = is_same and (not inner or _is_in(inner, nodes.get("within", at)))
    return ({**words, **others}, nodes) if is_there and (not outer or (outer != at and _is_in(at, outer))) else None


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
def _cursor(grammar: Any, patterns: tuple[str, ...]) -> tuple[Any, Sequence[int]]:
    """Return one query of all patterns, as each alone takes twice the time, and of which each of its matches is."""
    library = importlib.import_module("tree_sitter")
    query = library.Query(grammar, "\n".join(patterns))
    ends = [*accumulate(len(pattern.encode()) + 1 for pattern in patterns)]
    starts = map(query.start_byte_for_pattern, range(query.pattern_count))
    return library.QueryCursor(query), [bisect(ends, start) for start in starts]


def rows_of(table: Mapping[str, Any], language: str) -> Sequence[Mapping[str, Any]]:
    """Return what the table has for a language, each with its sentence, in its order."""
    return [{"says": row["says"], **row[language]} for row in table.values() if language in row]
