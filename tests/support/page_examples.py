"""The examples of the pages: read out of the page itself, completed by a frame, and graded with programs.

A table in `tests/page_examples/` has entries. Each has a `spec`, `files` of the course, and programs: `right` ones,
which get all points, and `wrong` ones, which get less. In all these `<<PAGE n>>` is the nth example of a how-to page,
and `<<TABLE.KEY n>>` the nth example of a key in `docs/reference/spec.md`; its further lines are indented as the first.
`page` puts the files that a page shows beside them, but for its submissions; a program that is a text is a folder of
these. `student` is the name of what is handed in, `loses` what an adjustment takes from a right program, and `needs`
names tools.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from tests.support.layouts import ROOT
from tests.support.rows import read_yaml
from tests.support.shown_commands import blocks

TABLES = ROOT / "tests" / "page_examples"
HOW_TO, SPEC_PAGE = ROOT / "docs" / "how-to", ROOT / "docs" / "reference" / "spec.md"
_PLACE = re.compile(r"(?P<indent>[ \t]*(?:- )?)?<<(?P<name>[\w.*-]+ \d+)>>")
_INDENTED = re.compile(r"(?m)(?:^    (?:[\w-]+:|- ).*\n)(?:^ {4,}.*\n)*")
_SECTION = re.compile(r"#+ .*\{#([\w-]+)\}")
_ROW = re.compile(r"(?:\| `([\w-]+)` \||Beside these:).*Such as (.*)")


@cache
def examples() -> Mapping[str, str]:
    """Return all examples of the pages, by their names: those of how-to pages in YAML, those of keys as they stand."""
    found: dict[str, str] = {}
    for page in sorted(HOW_TO.glob("*.md")):
        text = page.read_text(encoding="utf-8")
        fenced = ["\n".join(block.lines) for block in blocks(text) if block.language == "yaml"]
        plain = re.sub(r"(?ms)^ *```.*?^ *```$", "", text)
        indented = [re.sub(r"(?m)^    ", "", one) for one in _INDENTED.findall(plain)]
        found |= {f"{page.stem} {number}": one.rstrip() for number, one in enumerate(fenced + indented, 1)}
    section = ""
    for line in SPEC_PAGE.read_text(encoding="utf-8").splitlines():
        if new := _SECTION.match(line):
            section = new[1]
        elif row := _ROW.match(line):
            parts = enumerate(re.findall(r"`([^`]+)`", row[2]), 1)
            found |= {f"{section}.{row[1] or '*'} {number}": one for number, one in parts}
    return found


def shown_files(page: str) -> Mapping[str, str]:
    """Return the files that a page shows with their names, the first of each name."""
    text = (HOW_TO / f"{page}.md").read_text(encoding="utf-8")
    titled = [(block.title, "\n".join([*block.lines, ""])) for block in blocks(text) if block.title]
    return dict(reversed(titled))


def entries() -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Iterate over the entries of all tables, with a name for each."""
    for table in sorted(TABLES.glob("*.yaml")):
        for number, entry in enumerate(read_yaml(table)["tried"], 1):
            yield f"{table.stem}-{entry.get('name', number)}", entry


def not_tried() -> Mapping[str, str]:
    """Return the examples that are in no spec, each with the reason."""
    tables = [read_yaml(table) for table in sorted(TABLES.glob("*.yaml"))]
    return {name: why for table in tables for why, names in table.get("not tried", {}).items() for name in names}


def names_in(text: str) -> set[str]:
    """Return the names of the examples that a text asks for."""
    return {place["name"] for place in _PLACE.finditer(text)}


def complete(text: str) -> str:
    """Return the text with the examples in their places."""

    def put(place: re.Match[str]) -> str:
        indent = place["indent"] or ""
        is_first = place.start() == 0 or text[place.start() - 1] == "\n"
        further = " " * len(indent) if is_first else ""
        return indent + examples()[place["name"]].replace("\n", f"\n{further}")

    return _PLACE.sub(put, text)


def write(folder: Path, files: Mapping[str, str]) -> None:
    """Write files with their examples below a folder."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(complete(text), encoding="utf-8")
