"""`feedback.html`: a document in HTML, in one file that loads nothing and in which only our own style can act.

It is written without a template: a student waits for it, and Jinja2 takes longer to import than a small program to run.

Three fences stand around what students wrote. `grader.core.text` has made it printable; `_fill` escapes whatever is
not markup of ours; and the page's policy lets the browser use no style and no script but those whose hash it
names, and fetch nothing at all. So no page has a `style` attribute or an `on…` attribute, and nothing marks a text as
safe: only `_fill` does for the patterns that stand here, and `frame` for the style and the script.
"""

from collections.abc import Iterable, Mapping
from itertools import chain, cycle, groupby, repeat
from types import MappingProxyType

from markupsafe import Markup

from grader.core.report.blocks import Block, Document, Heading, Lines, Share, TableCell, Text, TextTable
from grader.core.report.frame import frame, read_asset
from grader.core.report.prose import prose_pieces
from grader.core.report.view import QUOTATION
from grader.core.text import capital

_PAGE = """\
<header>
<p class="quiet theirs">{}</p>
<h1 class="theirs">{}</h1>
</header>
<main id="main" tabindex="-1">
<section class="result" aria-label="Result">
<p class="student theirs"><bdi>{}</bdi></p>
<p class="score"><strong>{}</strong> {} {}</p>
{}</section>
{}</main>
<footer>
{}</footer>
"""
_PARTS = (("ours",), ("cause",), ("after",), ("findings",), ("work",), ("build",), ("table", "signs"))
_TEXTS = {
    "item": '<li><div class="theirs">{1}</div></li>\n',
    "command": '<p class="command">{0}<code class="theirs">{1}</code></p>\n',
}
_PIECES = {"text": "{}", "code": "<code>{}</code>", "link": '<a href="{0}" rel="noreferrer">{0}</a>'}
_MARKS = {"-": ("span", " expected"), "+": ("mark", " yours"), "@": ("span", " place")}
"""how a line of a difference starts -> its element and class"""
_CELLS = {"": '<td class="theirs">{}{}</td>', "took": '<td class="took">{}{}</td>'}
_CELLS |= {"col": '<th scope="col" class="theirs">{}{}</th>', "row": '<th scope="row" class="theirs">{}{}</th>'}


def _fill(pattern: str, *values: object) -> Markup:
    """Fill a pattern, which stands in the source; what is not markup already is escaped."""
    return Markup(pattern).format(*values)  # noqa: S704 - a text of ours


_join = Markup("").join


def to_html(document: Document) -> bytes:
    """Render a document as a page."""
    parts = [*(document.of(*names) for names in _PARTS), *document.tests]
    sections = [_fill("<section>\n{}</section>\n", _body(part)) for part in parts if part]
    if costs := document.of("costs"):
        title, took = _body(costs[:1]), _body(costs[1:])
        sections.append(_fill("<details>\n<summary>{}</summary>\n{}</details>\n", title, took))
    page = _fill(
        _PAGE,
        document.course,
        document.title,
        document.student,
        document.score,
        document.unit if document.score else "",
        _word(document.word),
        _meter(document.share),
        _join(sections),
        _body(document.of("about")),
    )
    return frame(f"{document.student}: {document.title}", page, read_asset("page.css")).encode()


def exhibits(blocks: Iterable[Block]) -> Markup:
    """Write the lines among blocks, for the staff's pages."""
    return _body(block for block in blocks if isinstance(block, Lines))


def _body(blocks: Iterable[Block]) -> Markup:
    groups = groupby(blocks, lambda block: isinstance(block, Text) and block.role == "item")
    written = ((is_list, _join(map(_block, group))) for is_list, group in groups)
    return _join(_fill("<ul>\n{}</ul>\n", text) if is_list else text for is_list, text in written)


def _block(block: Block) -> Markup:
    match block:
        case Heading(level=2):
            pattern = '<h2 id="{}" tabindex="-1" class="theirs"><bdi>{}</bdi>{}</h2>\n'
            return _fill(pattern, block.anchor, block.text, f": {block.points}" if block.points else "")
        case Heading():
            return _fill('<h3 class="theirs"><bdi>{}</bdi> {}</h3>\n', block.text, _word(block.word))
        case Text():
            pattern = _TEXTS.get(block.role, '<p class="theirs {2}">{0}{1}</p>\n')
            label = _fill("<b>{}:</b> ", block.label) if block.label else ""
            return _fill(pattern, label, _inline(block.text, is_prose=block.role == "hint"), block.role)
        case TextTable():
            return _table(block)
        case Lines(title=""):
            pattern = '<pre class="theirs scroll" role="region" aria-label="{}" tabindex="0">\n{}</pre>\n'
            return _fill(pattern, block.label, _lines(block.lines))
    turn = '<li class="{0}">\n<p class="quiet">{1} <b>{0}</b></p>\n<pre class="theirs wrap">\n{2}</pre>\n</li>\n'
    turns = _join(_fill(turn, who, time, _lines(lines)) for time, who, lines in block.said)
    lines = _fill('<pre class="theirs wrap">\n{}</pre>\n', _lines(block.lines, _MARKS))
    shown = _fill('<ol class="dialogue">\n{}</ol>\n', turns) if turns else lines
    return _fill("<figure>\n<figcaption>{}</figcaption>\n{}</figure>\n", capital(block.title), shown)


def _lines(lines: Iterable[str], marks: Mapping[str, tuple[str, str]] = MappingProxyType({})) -> Markup:
    pattern = '<{0} class="line{1}">{2}\n</{0}>'
    return _join(_fill(pattern, *marks.get(line[:1], ("span", "")), line) for line in lines)


def _inline(text: str, *, is_prose: bool) -> Markup:
    """Mark quotations, with their backticks; or in the prose of an instructor code and addresses."""
    pieces = prose_pieces(text) if is_prose else zip(cycle(("text", "code")), QUOTATION.split(text), strict=False)
    return _join(_fill(_PIECES[kind], piece) for kind, piece in pieces)


def _table(table: TextTable) -> Markup:
    names = _row(table, [*map(TableCell, table.head)], "col", "col")
    first, others = ("row", "took" if table.is_wide else "") if table.title else ("", "")
    rows = _join(_row(table, row, first, others) for row in table.rows)
    head = _fill("<thead>\n{}</thead>\n", names) if table.head else ""
    body = _fill("{}<tbody>\n{}</tbody>\n</table>\n", head, rows)
    if table.is_wide:
        pattern = '<div class="wide" role="region" aria-label="{}" tabindex="0">\n<table>\n{}</div>\n'
        return _fill(pattern, table.title or "Table", body)
    return _fill('<table class="points">\n<caption>{}</caption>\n{}', table.title, body)


def _row(table: TextTable, cells: Iterable[TableCell], first: str, others: str) -> Markup:
    written = []
    for cell, kind in zip(cells, chain([first], repeat(others)), strict=False):
        shown = _word(cell.text) if cell.is_word else _inline(cell.text, is_prose=not table.title)
        shown = _fill('<a href="#{}">{}</a>', cell.anchor, shown) if cell.anchor else shown
        written.append(_fill(_CELLS[kind], shown, _meter(cell.share)))
    return _fill("<tr>{}</tr>\n", _join(written))


def _meter(share: Share | None) -> Markup:
    pattern = '<meter aria-hidden="true" min="0" max="{1}" value="{0}"></meter>\n'
    return _fill(pattern, *share) if share else Markup()


def _word(word: str) -> Markup:
    return _fill('<span class="verdict {}">{}</span>', word.replace(" ", "-"), word)
