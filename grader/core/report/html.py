"""`feedback.html`: a document in HTML, in one file that loads nothing and in which only our own style can act.

The pages of a class are filled by `fill_page` of `templates.py`. This one is written without a template: a student
waits for it, and Jinja2 takes longer to import than a small program takes to run. MarkupSafe, which Jinja2 escapes
with, is small.

Three fences stand around what students wrote. `grader.core.text` has made it printable; `_fill` escapes whatever is
not markup of ours; and the page's policy lets the browser use no style and no script but those whose hash it
names, and fetch nothing at all. So no page has a `style` attribute or an `on…` attribute, and nothing marks a text as
safe: only `_fill` does for the patterns that stand here, and `frame` for the style and the script.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from markupsafe import Markup, escape

from grader.core.report.blocks import (
    Block,
    Conversation,
    Document,
    Heading,
    Lines,
    Share,
    TableCell,
    Text,
    TextTable,
    is_item,
)
from grader.core.report.frame import frame, read_asset
from grader.core.report.prose import prose_pieces
from grader.core.report.view import QUOTATION
from grader.core.text import capital

_PARTS = ("cause", "after", "findings", "work", "table", "signs", "tests", "costs")

DIFF_CLASSES = {"-": "expected", "+": "yours", "@": "place"}
"""how a line of a difference starts -> what it is"""

_PAGE = """\
<header>
{}<h1 class="theirs">{}</h1>
</header>
<main id="main" tabindex="-1">
<section class="result" aria-label="Result">
<p class="student theirs"><bdi>{}</bdi></p>
<p class="score">{}{}</p>
{}{}</section>
{}</main>
<footer>
{}</footer>
"""
_TABLE = """\
<table>
{}{}<tbody>
{}</tbody>
</table>
"""


def _fill(pattern: str, *values: object) -> Markup:
    """Fill a pattern, which stands in the call; what is not markup already is escaped."""
    return Markup(pattern.format(*map(escape, values)))  # noqa: S704 - a text of ours, and what was escaped


_join = Markup("").join


def to_html(document: Document) -> bytes:
    """Render a document as a page."""
    score = _fill("<strong>{}</strong> {} ", document.score, document.unit) if document.score else ""
    page = _fill(
        _PAGE,
        _fill('<p class="quiet theirs">{}</p>\n', document.course) if document.course else "",
        document.title,
        document.student,
        score,
        _word(document.word),
        _meter(document.share),
        _body(document.of("ours")),
        _body(document.of(*_PARTS)),
        _body(document.of("about")),
    )
    return frame(f"{document.student}: {document.title}", page, read_asset("page.css")).encode()


def _body(blocks: Iterable[Block]) -> Markup:
    """Write blocks, each in the section or the details that the heading before it opens."""
    written: list[Markup] = []
    ends: list[tuple[int, Markup]] = []
    for is_list, group in groupby(blocks, is_item):
        if is_list:
            written.append(_fill("<ul>\n{}</ul>\n", _join(map(_block, group))))
            continue
        for block in group:
            level, start, end = _opened_by(block)
            while start and ends and ends[-1][0] >= level:
                written.append(ends.pop()[1])
            ends += [(level, end)] if start else []
            written += [start, _block(block)]
    return _join([*written, *(end for _, end in reversed(ends))])


def _opened_by(block: Block) -> tuple[int, Markup, Markup]:
    """Return the level of what a block opens, its start and its end; empty where it opens nothing."""
    if isinstance(block, Heading) and block.level == 2:  # noqa: PLR2004 - a part of the page
        return 2, _fill('<section aria-labelledby="{}">\n', block.anchor), _fill("</section>\n")
    if isinstance(block, Heading):
        return 3, _fill("<details open>\n"), _fill("</details>\n")
    if isinstance(block, TextTable) and not block.is_wide:
        return 2, _fill("<section>\n"), _fill("</section>\n")
    if isinstance(block, Text) and block.role == "hint" and block.label:
        return 3, _fill('<div class="notice hint">\n'), _fill("</div>\n")
    return 4, Markup(), Markup()


def _block(block: Block) -> Markup:
    match block:
        case Heading(level=2):
            points = _fill(": {}", block.points) if block.points else ""
            pattern = '<h2 id="{0}" tabindex="-1" class="theirs"><bdi>{1}</bdi>{2}</h2>\n'
            return _fill(pattern, block.anchor, block.text, points)
        case Heading():
            pattern = '<summary><h3 class="theirs"><bdi>{}</bdi> {}</h3></summary>\n'
            return _fill(pattern, block.text, _word(block.word))
        case Text():
            return _text(block)
        case TextTable():
            return _table(block)
        case Lines(title=""):
            pattern = '<pre class="theirs scroll" role="region" aria-label="{}" tabindex="0">\n{}</pre>\n'
            return _fill(pattern, block.label, _spans(block.lines))
    shown = _dialogue(block) if isinstance(block, Conversation) else _difference(block.lines)
    return _fill("<figure>\n<figcaption>{}</figcaption>\n{}</figure>\n", capital(block.title), shown)


_PIECES = {"text": "{}", "code": "<code>{}</code>", "link": '<a href="{0}" rel="noreferrer">{0}</a>'}
_TEXTS = {
    "item": '<li><div class="theirs">{1}</div></li>\n',
    "command": '<p class="command">{0}<code class="theirs">{1}</code></p>\n',
    "ours": '<p class="notice ours">{1}</p>\n',
}


def _text(block: Text) -> Markup:
    label = _fill("<strong>{}:</strong> ", block.label) if block.role == "hint" and block.label else ""
    if block.role in {"command", "quiet"} and block.label:
        label = _fill("{}: ", block.label)
    shown = escape(block.text) if block.role == "command" else _join(_pieces(block))
    if block.role in _TEXTS:
        return _fill(_TEXTS[block.role], label, shown)
    return _fill('<p class="{}">{}{}</p>\n', f"theirs {block.role}".rstrip(), label, shown)


def _pieces(block: Text) -> Iterator[Markup]:
    """Mark the quotations in a text. They include their backticks: one may have its own."""
    if block.role == "hint":
        yield from _inline(block.text)
        return
    for number, part in enumerate(QUOTATION.split(block.text)):  # each second one is a quotation
        yield _fill(_PIECES["code" if number % 2 else "text"], part)


def _inline(text: str) -> Iterator[Markup]:
    """Mark the code and the addresses that an instructor wrote."""
    return (_fill(_PIECES[kind], piece) for kind, piece in prose_pieces(text))


def _table(table: TextTable) -> Markup:
    rows = [_row(table, row, is_head=False) for row in table.rows]
    names = _row(table, [*map(TableCell, table.head)], is_head=True) if table.head else ""
    head = _fill("<thead>\n{}</thead>\n", names) if names else ""
    if not table.is_wide:
        return _fill(_TABLE, _fill("<caption>{}</caption>\n", table.title), head, _join(rows))
    pattern = '<div class="wide" role="region" aria-label="{}" tabindex="0">\n{}</div>\n'
    return _fill(pattern, table.title or "Table", _fill(_TABLE, "", head, _join(rows)))


def _row(table: TextTable, cells: Sequence[TableCell], *, is_head: bool) -> Markup:
    written = []
    for place, cell in enumerate(cells):
        shown = _join(_inline(cell.text)) if not table.title else cell.text
        is_amount = bool(table.is_wide and table.title and place and not is_head)
        shown = shown if is_amount or (is_head and table.title) else _fill("<bdi>{}</bdi>", shown)
        shown = _fill('<a href="#{}">{}</a>', cell.anchor, shown) if cell.anchor else shown
        shown = _word(cell.text) if cell.is_word else shown
        tag, scope = ("th", "col") if is_head else ("td", "") if place or not table.title else ("th", "row")
        kind = "number" if table.last_right and place == len(cells) - 1 else "took" if is_amount else "theirs"
        start = _fill('<{} scope="{}" class="{}">', tag, scope, kind) if scope else _fill('<td class="{}">', kind)
        written.append(_fill("{}{}{}</{}>", start, shown, _meter(cell.share), tag))
    return _fill("<tr>{}</tr>\n", _join(written))


def _difference(lines: Sequence[str]) -> Markup:
    kinds = [(DIFF_CLASSES.get(line[:1], ""), line) for line in lines]
    written = (
        _fill('<{0} class="line {1}">{2}\n</{0}>', "mark" if kind == "yours" else "span", kind, line)
        for kind, line in kinds
    )
    return _fill('<pre class="theirs wrap">\n{}</pre>\n', _join(written))


def exhibits(blocks: Iterable[Block]) -> list[dict[str, object]]:
    """Return lines with their classes and titles, for the templates of the staff's pages."""
    shown = (block for block in blocks if isinstance(block, Lines | Conversation))
    return [
        {
            "title": capital(block.title or "drawing").replace("yours", "theirs"),
            "lines": [(line, DIFF_CLASSES.get(line[:1], "") if block.title else "") for line in block.lines],
        }
        for block in shown
    ]


def _dialogue(dialogue: Conversation) -> Markup:
    turn = '<li class="{0}">\n<p class="quiet">{1} <b>{0}</b></p>\n<pre class="theirs wrap">\n{2}</pre>\n</li>\n'
    left_out = _fill('<p class="quiet">{}</p>\n', dialogue.left_out) if dialogue.left_out else ""
    turns = _join(_fill(turn, who, time, _spans(lines)) for time, who, lines in dialogue.said)
    return _fill('{}<ol class="dialogue">\n{}</ol>\n', left_out, turns)


def _meter(share: Share | None) -> Markup:
    """Write a bar for points; nothing when they are not known."""
    if share is None:
        return Markup()
    return _fill('<meter aria-hidden="true" min="0" max="{1}" value="{0}"></meter>\n', *share)


def _word(word: str) -> Markup:
    return _fill('<span class="verdict {}">{}</span>', word.replace(" ", "-"), word)


def _spans(lines: Iterable[str]) -> Markup:
    return _join(_fill('<span class="line">{}\n</span>', line) for line in lines)
