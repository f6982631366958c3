"""Mistakes of beginners in the sources of a program that failed: rows of `mistakes.yaml`, as tree-sitter finds them.

Grammars are libraries in C, and a student decides what they read: `serve_mistakes` runs in a process of its own, with
limits on time and memory. So it imports nothing but them and the standard library.
"""

import importlib
import json
import re
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache, partial, reduce
from itertools import chain, islice
from pathlib import Path
from typing import Any

SUFFIXES: Mapping[str, tuple[str, ...]] = {  # of the files of a language whose grammar there is
    "python": (".py", ".ipynb"),
    "java": (".java",),
    "javascript": (".js", ".mjs", ".cjs"),
    "c": (".c", ".h"),
    "cpp": (".cpp", ".cc", ".cxx", ".hpp", ".hh", ".h"),
}
MISTAKES_FILE = Path(__file__).with_name("mistakes.yaml")
_MAX_MATCHES, _PLACES = 500, ("at", "within", "inside", "around")
# What need not be in a source for a pattern; of what one word has to be; and of the rest, each kind of node and text.
_FREE = re.compile(r'\[(?:[^][\"]|"[^"]*")*]|\(#(?!eq\?)(?:[^"()]|"(?:[^"\\]|\\.)*")*\)|\([^()]*\)[?*]')
_ONE_OF = re.compile(r'#(?:any-of\?|match\?(?= @\w+ "[\w|()?:^$ ]+"\))) @\w+((?:\s+"[^"\\]*")+)\)')
_WORD, _NEEDED = re.compile(r'[^"\s|()?:^$]+'), re.compile(r'(?:\w+: )?\([a-z]\w*|"(?:[^"\\]|\\.)*"')
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
    roots = {name: library.Parser(grammar).parse(sources[name]).root_node for name in files}
    said = b"\n".join(sources.values())
    there = cache("\n".join((*map(str, roots.values()), *files.values())).replace("(MISSING ", "(").__contains__)
    find = partial(_found, grammar, patterns := cache(partial(_possible, there)))
    rows = [row for row in rows if all(map(patterns, (row["query"], *row.get("also", ()))))]
    every, found = [(name, root, find(root, *(row["query"] for row in rows))) for name, root in roots.items()], []
    for at, row in enumerate(rows):
        places = [(name, *one) for name, root, of in every for one in _mistakes(row, of[at], partial(find, root), said)]
        found += places[1:] if row.get("twice") else places
    return found


def _possible(there: Callable[[str], bool], query: str) -> Sequence[str]:
    """Return those patterns of a query of which all is there: it takes a processor up to 25 ms to make one ready."""
    before, needed = [""], (patterns := re.split(r"\n(?=[(\[])", query))
    while before != needed:
        before, needed = needed, [_FREE.sub("", one) for one in needed]
    every = ([one.strip('"') for one in _NEEDED.findall(needs) if "\\" not in one] for needs in needed)
    some = ([it for one in _ONE_OF.findall(each) if (it := _WORD.findall(one))] for each in patterns)
    asked = ([*([one] for one in each), *others] for each, others in zip(every, some, strict=True))
    return [one for one, words in zip(patterns, asked, strict=True) if all(any(map(there, each)) for each in words)]


def _mistakes(row: Mapping[str, Any], every: Collection[_Found], find: Any, said: bytes) -> Iterator[tuple[Any, ...]]:
    """Yield what is returned of the places of a mistake in a file, without its name."""
    also, unless = (cache(partial(find, *row.get(key, ()))) for key in ("also", "unless"))
    for found in every:
        # Each match with each of the others, but no further than to the first way.
        ways = reduce(lambda to, more: (it for a in to for b in more if (it := _joined(a, b))), also(), iter([found]))
        for words, nodes in islice(ways, 1):
            if not any(_joined((words, nodes), other) for excuses in unless() for other in excuses):
                says, shows = map(
                    str.format_map,
                    (row["says"], row.get("shows", "")),
                    ({**row.get("words", {}), **words}, {name: re.escape(word) for name, word in words.items()}),
                )
                place = nodes["at"].start_point.row + 1, says, row.get("always", False), row.get("needs", ""), shows
                yield *place, *_functions_around(nodes["at"], said)


def _found(grammar: Any, patterns: Any, root: Any, *queries: str) -> Sequence[Collection[_Found]]:
    """Return the matches of each query in a file, at most so many; of those without a place, each text once."""
    every, parts = [dict[Any, _Found]() for _ in queries], [*map(patterns, queries)]
    owners = [found for found, own in zip(every, parts, strict=True) for _ in own]
    cursor = importlib.import_module("tree_sitter").QueryCursor(_query(grammar, "\n".join(chain(*parts))))
    for number, captures in cursor.matches(root):
        if len(found := owners[number]) < _MAX_MATCHES:
            nodes = {name: those[0] for name, those in captures.items()}
            texts = {name: one.text[:80].decode(errors="replace") for name, one in nodes.items() if name not in _PLACES}
            places = {name: one for name, one in nodes.items() if name in _PLACES}
            found[tuple(texts.items()), tuple(places.items())] = texts, places
    return [found.values() for found in every]


def _joined(one: _Found, more: _Found) -> _Found | None:
    """Return two matches as one; None where they are not about the same, or not in the place that is asked for."""
    (words, nodes), (others, places) = one, more
    at, outer = nodes["at"], places.get("around")
    is_same = outer != at and all(words.get(name, text) == text for name, text in others.items())
    inside = ((places.get("inside"), nodes.get("within", at)), (at, outer))
    is_there = all(not a or not b or b.start_byte <= a.start_byte <= a.end_byte <= b.end_byte for a, b in inside)
    return ({**words, **others}, nodes) if is_same and is_there else None


def _functions_around(node: Any, said: bytes) -> tuple[list[str], bool]:
    """Return the functions that a node is in, and whether each but `main` and such is named where it is not defined."""
    names, is_used = [], True
    while (node := node.parent) is not None:
        name = node.child_by_field_name("name") or node.child_by_field_name("declarator")
        for own in re.findall(rb"[\w$]+", name.text)[:1] if name and re.search("function|method", node.type) else ():
            names.append(own.decode().strip("_"))
            places = re.finditer(rb"(?<![\w$])%b(?![\w$])" % re.escape(own), said)
            is_used = is_used and bool(re.fullmatch(rb"main|constructor|__\w+", own) or any(islice(places, 1, None)))
    return names, is_used


@cache
def _query(grammar: Any, patterns: str) -> Any:
    """Return one query of all patterns, as each alone takes twice the time."""
    return importlib.import_module("tree_sitter").Query(grammar, patterns)
