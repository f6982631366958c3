"""`feedback.html`: a document in HTML, in one file that loads nothing; and the frame of all pages.

It is written without a template: a student waits for it, and Jinja2 takes longer to import than a small program to run.
What students wrote is printable already; `_fill` escapes whatever is not markup of ours; and the page's policy lets the
browser use no style and no script but those whose hash it names, and fetch nothing at all.
"""

import hashlib
from binascii import b2a_base64
from collections.abc import Iterable, Sequence
from functools import cache, partial
from importlib import import_module
from itertools import chain, groupby, repeat
from pathlib import Path
from typing import Any

from markupsafe import Markup, escape

from grader.core.report.document import Document, inline_pieces
from grader.core.report.view import Block, Heading, Lines, TableCell, Text, TextTable
from grader.core.text import capital

_ROOMS = ("core/report", "decisions", "results", "review", "check", "author")
ASSETS_IN = [Path(__file__).parents[2] / room for room in _ROOMS]

_PAGE = '<header>\n{}</header>\n<main id="main" tabindex="-1">\n{}</main>\n<footer>\n{}</footer>\n'
_PARTS = (("total", "ours"), ("cause",), ("after",), ("findings",), ("work",), ("table", "left_out"))
_PIECES = {"text": "{}", "code": "<code>{}</code>", "link": '<a href="{0}" rel="noreferrer">{0}</a>'}
_MARKS = {"-": ("span", " expected"), "+": ("mark", " yours"), "@": ("span", " place")}  # a line's start -> its element
_COLUMN, _CELL = '<th scope="col" class="theirs{2}">{0}{1}</th>', '<td class="theirs{2}">{0}{1}</td>'
_ROW = '<th scope="row" class="theirs{2}">{0}{1}</th>'
_MAX_WORD = 16  # characters of a word that is not broken in a table
_METER = '<meter aria-hidden="true" min="0" max="{1}" value="{0}"></meter>'


def _fill(pattern: str, *values: object) -> Markup:
    """Fill a pattern, which stands in the source; what is not markup already is escaped."""
    return Markup(pattern.format(*map(escape, values)))  # noqa: S704 - a text of ours


_join = Markup("").join


def to_html(document: Document) -> bytes:
    """Render a document as a page."""
    parts = [*(document.of(*names) for names in _PARTS), *document.tests]
    sections = [_fill("<section>\n{}</section>\n", to_markup(part)) for part in parts if part]
    if costs := document.of("costs"):
        sections.append(
            _fill("<details>\n<summary>{}</summary>\n{}</details>\n", *map(to_markup, (costs[:1], costs[1:])))
        )
    page = _fill(_PAGE, to_markup(document.of("head")), _join(sections), to_markup(document.of("about")))
    return frame(document.title, page, read_asset("page.css")).encode()


def to_markup(blocks: Iterable[Block]) -> Markup:
    """Write blocks."""
    groups = groupby(blocks, lambda block: isinstance(block, Text) and block.role == "item")
    written = ((is_list, _join(map(_block, group))) for is_list, group in groups)
    return _join(_fill("<ul>\n{}</ul>\n", text) if is_list else text for is_list, text in written)


def _block(block: Block) -> Markup:
    match block:
        case Heading():
            anchor = _fill(' id="{}" tabindex="-1"', block.anchor) if block.anchor else ""
            points = f": {block.points}" if block.points else ""
            word = _fill(" {}", _word(block.word)) if block.word else ""
            pattern = '<h{0}{1} class="theirs"><bdi>{2}</bdi>{3}{4}</h{0}>\n'
            return _fill(pattern, block.level, anchor, block.text, points, word)
        case Text():
            label = _fill("<strong>{}:</strong> ", block.label) if block.label else ""
            shown = said(block.text, is_prose=block.role == "hint")
            shown = _fill("<code>{}</code>", block.text) if block.role == "command" else shown
            pattern = '<{0} class="theirs {1}">{2}{3}</{0}>\n'
            return _fill(pattern, "li" if block.role == "item" else "p", block.role, label, shown)
        case TextTable():
            return _table(block)
        case Lines(title=""):
            pattern = '<pre class="theirs scroll" role="region" aria-label="{}" tabindex="0">\n{}</pre>\n'
            return _fill(pattern, block.label, _lines(block.lines))
    pattern = '<figure>\n<figcaption>{}</figcaption>\n<pre class="theirs wrap">\n{}</pre>\n</figure>\n'
    return _fill(pattern, capital(block.title), _lines(block.lines, are_marked=True))


def _lines(lines: Iterable[str], *, are_marked: bool = False) -> Markup:
    marked = ((*_MARKS.get(line[:1] if are_marked else "", ("span", "")), line) for line in lines)
    return _join(_fill('<{0} class="line{1}">{2}\n</{0}>', *line) for line in marked)


def said(text: str, *, is_prose: bool = False) -> Markup:
    """Write quotations as code; in the prose of an instructor code and addresses."""
    return _join(_fill(_PIECES[kind], piece) for kind, piece in inline_pieces(text, is_prose=is_prose))


def _table(table: TextTable) -> Markup:
    caption = _fill("<caption>{}</caption>\n", table.title) if table.title else ""
    names = _row([*map(TableCell, table.head)], [_COLUMN], is_prose=not table.title)
    head = _fill("<thead>\n{}</thead>\n", names) if table.head else ""
    rows = _join(_row(row, [_ROW, _CELL] if table.title else [_CELL], is_prose=not table.title) for row in table.rows)
    return _fill('<table class="told">\n{}{}<tbody>\n{}</tbody>\n</table>\n', caption, head, rows)


def _row(cells: Iterable[TableCell], patterns: Sequence[str], *, is_prose: bool) -> Markup:
    written = []
    for cell, pattern in zip(cells, chain(patterns, repeat(patterns[-1])), strict=False):
        shown = _word(cell.text) if cell.is_word else said(cell.text, is_prose=is_prose)
        shown = _fill('<a href="#{}">{}</a>', cell.anchor, shown) if cell.anchor else shown
        long = " long" if max(map(len, cell.text.split()), default=0) > _MAX_WORD else ""
        written.append(_fill(pattern, shown, _fill(_METER, *cell.share) if cell.share else "", long))
    return _fill("<tr>{}</tr>\n", _join(written))


def _word(word: str) -> Markup:
    return _fill('<span class="verdict {}">{}</span>', word.replace(" ", "-"), word)


# ---------------------------------------------------------------- all pages


@cache
def read_asset(name: str) -> str:
    """Read a style, a script or a template that belongs to a page."""
    return next(folder / name for folder in ASSETS_IN if (folder / name).exists()).read_text(encoding="utf-8")


def frame(
    title: str, page: Markup, style: str, script: str = "", *, forms: str = "'none'", referrer: str = "no-referrer"
) -> Markup:
    """Put the content of a page into the frame of all pages; its forms may be sent to `forms`."""
    ours = {"style": style, "script": script}
    digests = {name: hashlib.sha256(text.encode()).digest() for name, text in ours.items()}
    hashed = (f"{name}-src 'sha256-{b2a_base64(digests[name], newline=False).decode()}'" for name in ours if ours[name])
    policy = "; ".join(["default-src 'none'", *hashed, "base-uri 'none'", f"form-action {forms}"])
    parts = {name: _fill("<{0}>{1}</{0}>\n", name, Markup(text)) if text else "" for name, text in ours.items()}  # noqa: S704
    filled = Markup(read_asset("frame.html"))  # noqa: S704 - a text of ours
    return filled.format(policy=policy, referrer=referrer, title=title, page=page, **parts)


def fill_in(template: str, style: str = "", script: str = "", *, forms: str = "'none'", **values: object) -> bytes:
    """Fill a template, a page that extends `layout.html` or a `.txt`; a value it asks for must be given."""
    page = partial(frame, style=style, script=script, forms=forms)
    return str(template_of(template).render(values, said=said, frame=page)).encode()


@cache
def template_of(name: str = "", *, text: str = "") -> Any:
    """Return a template, a file beside the code or a text of ours; the functions of `core/text.py` are its filters."""
    jinja2 = import_module("jinja2")  # takes longer to import than a small program takes to run
    options = {"trim_blocks": True, "lstrip_blocks": True, "autoescape": lambda name: f"{name}".endswith(".html")}
    loader = jinja2.FileSystemLoader(ASSETS_IN)
    environment = jinja2.Environment(loader=loader, undefined=jinja2.StrictUndefined, **options)
    environment.filters |= vars(import_module("grader.core.text"))
    return environment.get_template(name) if name else environment.from_string(text)
