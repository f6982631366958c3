"""Find rows of `mistakes.yaml` in sources by tree-sitter, in a process with limits that imports nothing of ours."""

# Its grammars are libraries in C, and a student decides what they read.
import importlib
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache, partial, reduce
from itertools import islice
from pathlib import Path
from typing import Any

SUFFIXES: Mapping[str, tuple[str, ...]] = {  # of the files of a language whose grammar there is
    "python": (".py", ".ipynb"),
    "java": (".java",),
    "javascript": (".js", ".mjs", ".cjs"),
    "c": (".c", ".h"),
    "cpp": (".cpp", ".cc", ".cxx", ".hpp", ".hh", ".h"),
    "lua": (".lua",),
    "ruby": (".rb",),
}
MISTAKES_FILE = Path(__file__).with_name("mistakes.yaml")
# A query takes 3 ms in C++, and long where many of its patterns begin to match, as in a source of 1,000 lines.
_AT_ONCE, _MAX_MATCHES, _PLACES = 25, 500, ("at", "within", "inside", "around", "behind")
# The parts of a pattern: texts, and what opens or ends a choice, a predicate, or a node of a kind that has children.
_PART = re.compile(r'"(?:[^"\\]|\\.)*"|\(#(?!eq\?)|\((?:(?P<kind>[a-z]\w*)(?P<has>\s+(?=[^\s)])(?P<dot>\.)?)?)?|[][)]')
_Found = tuple[Mapping[str, str], Mapping[str, Any]]  # the texts of captures, and the nodes of places


def find_in_files(language: str, rows: Sequence[Mapping[str, Any]], files: Mapping[str, str]) -> list[tuple[Any, ...]]:
    """Return the mistakes in sources, bytes as Latin-1, the plainest first: what a `Mistake` has, but for `source`."""
    library, sources = importlib.import_module("tree_sitter"), {name: files[name].encode("latin-1") for name in files}
    grammar = library.Language(importlib.import_module(f"tree_sitter_{language}").language())
    roots = {name: library.Parser(grammar).parse(sources[name]).root_node for name in files}
    code = re.findall(rb"const [\w$]+ = [\w$]+\[[\w$]+\];|[\w$]+(?:\[[\w$]+\]\()?", b"\n".join(sources.values()))
    there = cache("\n".join((*map(str, roots.values()), *files.values())).replace("(MISSING ", "(").__contains__)
    patterns = cache(lambda query: [*filter(None, map(partial(_cheap, there), re.split(r"\n(?=[(\[])", query)))])
    find = partial(_matches, lambda query: library.QueryCursor(library.Query(grammar, query)).matches, patterns)
    rows = [row for row in rows if all(map(patterns, (row["query"], *row.get("also", ()))))]
    trees = [(name, [it, *roots.values()], find([it], *(row["query"] for row in rows))) for name, it in roots.items()]
    places = (
        [(name, *one) for name, those, of in trees for one in _mistakes(row, of[at], partial(find, those), code)]
        for at, row in enumerate(rows)
    )
    return [one for row, own in zip(rows, places, strict=True) for one in own[row.get("twice", False) :]]


def _cheap(there: Callable[[str], bool], pattern: str) -> str:
    """Return a pattern whose nodes with children are of any kind, captured by their own; "" if its words do not occur.

    tree-sitter takes up to 25 ms to learn the children of a kind, and the parents of a first child that must be there.
    """
    opened, words, is_choice = list[str](), list[str](), pattern.lstrip("(").startswith("[")

    def changed(part: re.Match[str]) -> str:
        text, has, is_inner = part[0], part["has"], "".join(opened).strip("[")
        if text in ")]":
            return f"{text} @is.{kind}" if (kind := opened.pop()).strip("[") else text
        if not text.startswith('"'):
            opened.append("[" if text in ("[", "(#") else part["kind"] if has else "")
        if "[" not in opened and "\\" not in text:
            words.append(text.split()[0].strip('"'))
        if not has or (is_choice and not is_inner):  # a choice of any kinds would fit too often
            return text
        return "(_ ." if part["dot"] else "(_ " if is_inner else "(_ _? "

    return _PART.sub(changed, pattern) * all(map(there, words))


def _mistakes(row: Mapping[str, Any], matches: Collection[_Found], find: Any, code: Any) -> Iterator[tuple[Any, ...]]:
    """Yield what is returned of the places of a mistake in a file, without its name."""
    also, unless = (cache(partial(find, *row.get(key, ()))) for key in ("also", "unless"))
    for match in (one for one in matches if "ERROR" in row["query"] or not one[1]["at"].has_error):
        # Each match with each of the others, but no further than to the first way.
        ways = reduce(lambda to, more: (it for a in to for b in more if (it := _joined(a, b))), also(), iter([match]))
        for words, nodes in islice(ways, 1):
            if not any(_joined((words, nodes), excuse) for excuses in unless() for excuse in excuses):
                says = row["says"].format_map({**row.get("words", {}), **words})
                shows = row.get("shows", "").format_map({name: re.escape(word) for name, word in words.items()})
                place = nodes["at"].start_point.row + 1, says, row.get("always", False), row.get("needs", ""), shows
                yield *place, *_functions_around(nodes["at"], code)


def _matches(compiled: Any, patterns: Any, roots: Sequence[Any], *queries: str) -> Sequence[Collection[_Found]]:
    """Return the matches of each query in the first file, and those without a place in the others; each text once."""
    matches = [dict[Any, _Found]() for _ in queries]
    pairs = [(target, one) for target, query in zip(matches, queries, strict=True) for one in patterns(query)]
    for part in (pairs[at : at + _AT_ONCE] for at in range(0, len(pairs), _AT_ONCE)):
        matches_in = compiled("\n".join(pattern for _, pattern in part))
        for root, (number, captures) in ((it, match) for it in roots for match in matches_in(it)):
            nodes = {key: those[0] for key, those in captures.items() if key[:3] != "is."}
            is_it = all(f"is.{it.type}" == key for key, those in captures.items() if key[:3] == "is." for it in those)
            places = {key: node for key, node in nodes.items() if key in _PLACES}
            if is_it and len(target := part[number][0]) < _MAX_MATCHES and (root is roots[0] or not places):
                texts = {key: it.text[:80].decode(errors="replace") for key, it in nodes.items() if key not in _PLACES}
                target[tuple(texts.items()), tuple(places.items())] = texts, places
    return [target.values() for target in matches]


def _joined(match: _Found, more: _Found) -> _Found | None:
    """Return two matches as one; None where their texts differ, or their nodes do not lie inside one another."""
    (words, nodes), (further, places) = match, more
    at, outer, block, behind = nodes["at"], places.get("around"), nodes.get("within", nodes["at"]), places.get("behind")
    is_before = behind and behind.start_byte < block.end_byte
    is_same = outer != at and not is_before and all(words.get(name, text) == text for name, text in further.items())
    inside = ((places.get("inside"), block), (at, outer), (behind, block.parent))
    is_there = all(not a or not b or b.start_byte <= a.start_byte <= a.end_byte <= b.end_byte for a, b in inside)
    return ({**words, **further}, nodes) if is_same and is_there else None


def _functions_around(node: Any, code: Sequence[bytes]) -> tuple[list[str], bool]:
    """Return the functions around a node, and whether each is named elsewhere too, or may be called by a key."""
    names = list[bytes]()
    while (node := node.parent) is not None:
        name = next(filter(None, map(node.child_by_field_name, ("name", "declarator", "key", "left"))), None)
        made = node.child_by_field_name("value") or node.child_by_field_name("right") or node
        if name and re.search("function(?!_call)|method(?!_invocation)", made.type):
            names += re.findall(rb"[\w$]+(?![\w$.])", name.text)[:1]
    is_used = all(code.count(own) > 1 or re.fullmatch(rb"main|constructor|__\w+", own) for own in names)
    return [own.decode().strip("_") for own in names], is_used or any(it.endswith((b"](", b"];")) for it in code)
