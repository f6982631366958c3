"""Pages in HTML: one file each, that loads nothing, and in which only our own style and script can act.

`feedback.html`, what a student reads in a browser, is made here; it has the content of `feedback.md`, from the same
functions. Of a test that is not shown there is its name and its score. The pages of a class are filled by `fill_page`
of `templates.py`. This one is written without a template: a student waits for it, and Jinja2 takes longer to import
than a small program takes to run. MarkupSafe, which Jinja2 escapes with, is small.

Three fences stand around what students wrote. `grader.core.text` has made it printable; `_fill` escapes whatever is
not markup of ours; and the page's policy lets the browser use no style and no script but those whose hash it
names, and fetch nothing at all. So no page has a `style` attribute or an `on…` attribute, and nothing marks a text as
safe: only `_fill` does for the patterns that stand here, and `frame` for the style and the script.
"""

from collections.abc import Iterable, Mapping, Sequence

from markupsafe import Markup, escape

from grader.core.lazy import lazy_imports
from grader.core.model.report import Report, ReportedCase, ReportedTest, ReportedTurn
from grader.core.report.costs import describe_costs
from grader.core.report.dialogues import earlier, transcript_lines
from grader.core.report.differences import plain_excerpt
from grader.core.report.final_score import describe_with_code
from grader.core.report.frame import frame, read_asset
from grader.core.report.prose import Block, Piece, blocks
from grader.core.report.view import (
    COMMAND_LIMIT,
    NAME_LIMIT,
    QUOTATION,
    Evidence,
    ShownCause,
    can_repeat,
    describe_cause,
    describe_decided,
    describe_group,
    describe_groups,
    describe_once,
    describe_work,
    drawings,
    evidence,
    findings_for_student,
    is_shown,
    names,
    out_of,
    test_points,
    word_for_case,
    word_for_report,
    word_for_test,
)
from grader.core.text import capital, one_line, point_word, points, sentence

PAGE_LOG_LINES = 40
"""lines of the build's log"""

DIGITS = 12
"""digits of a digest: enough to identify a submission"""

DIFF_CLASSES = {"-": "expected", "+": "yours", "@": "place"}
"""how a line of a difference starts -> what it is"""


_FAULT_OF_OURS = """\
<p class="notice ours">The grader failed on this submission, so there is no score yet; nothing is lost.</p>
"""
_TESTS = """\
<table>
<caption>Tests</caption>
<thead>
<tr><th scope="col">Test</th><th scope="col">Verdict</th><th scope="col" class="number">Points</th></tr>
</thead>
<tbody>
{}</tbody>
</table>
"""
_OF_HIDDEN_TESTS = """\
<p class="quiet">Of a hidden test, only the points are shown.</p>
"""
_WIDE = """\
<div class="wide" role="region" aria-label="{}" tabindex="0">
{}</div>
"""
_TABLE_OF_COSTS = (
    "<table>\n<thead>\n<tr>"
    '<th scope="col">Case</th><th scope="col">Time</th><th scope="col">Processor time</th><th scope="col">Memory</th>'
    "</tr>\n</thead>\n<tbody>\n{}</tbody>\n</table>\n"
)
_COST = """\
<tr>
<th scope="row" class="theirs"><bdi>{}</bdi></th>
<td class="took">{}</td><td class="took">{}</td><td class="took">{}</td>
</tr>
"""
_MAX_COSTS = 200
"""cases whose costs a page shows"""
_SIGNS = """\
<p class="quiet">In what follows, <code>·</code> is a space, <code>→</code> a tab, <code>⏎</code> the end of a line, and
<code>…</code> something left out.</p>
"""

# Names that stood here before, for those who import them from here.
__getattr__ = lazy_imports(
    __name__,
    {
        "grader.core.report.frame": ("FOLDERS", "policy"),
        "grader.core.report.templates": ("ENVIRONMENT", "fill_page"),
    },
)


def _fill(pattern: str, *values: object) -> Markup:
    """Fill a pattern, which stands in the call; what is not markup already is escaped."""
    return Markup(pattern.format(*map(escape, values)))  # noqa: S704 - a text of ours, and what was escaped


_join = Markup("").join


# ---------------------------------------------------------------- feedback.html


def to_page(report: Report, *, course: str = "", after_due: bool = False) -> bytes:
    """Write the page, in a course of this name; `after_due` shows also the tests that are hidden until then."""
    report = describe_once(report, after_due=after_due)
    title, student = sentence(report.spec.title), one_line(report.submission.id, NAME_LIMIT)
    shown = {n: test for n, test in enumerate(report.tests, 1) if is_shown(test, after_due=after_due)}
    anchors = {n: f"test-{n}" for n, test in shown.items() if _has_section(test)}
    sections = _join(_section(anchor, shown[n]) for n, anchor in anchors.items())
    findings = (_item(sentence(finding.message)) for finding in findings_for_student(report, after_due=after_due))
    page = [
        _fill("<header>\n"),
        _fill('<p class="quiet theirs">{}</p>\n', sentence(course)) if course else "",
        _fill('<h1 class="theirs">{}</h1>\n</header>\n<main id="main" tabindex="-1">\n', title),
        _result(report, student),
        _cause(describe_cause(report, after_due=after_due, most=PAGE_LOG_LINES)),
        _list("after", "After the grading", (_item(*one) for one in describe_with_code(report))),
        _list("findings", "Noticed in the submission", findings),
        _list("work", "The work as a whole", map(_item, describe_work(report))),
        _build(report),
        _table_of_tests(report, shown, anchors),
        _fill(_SIGNS) if "<figure>" in sections else "",
        sections,
        _costs(report, after_due=after_due),
        _fill('</main>\n<footer>\n<dl class="quiet">\n'),
        *(_fill('<div><dt>{}</dt><dd class="theirs">{}</dd></div>\n', *one) for one in _about(report)),
        _fill("</dl>\n</footer>\n"),
    ]
    return frame(f"{student}: {title}", _join(page), read_asset("page.css")).encode()


def _result(report: Report, student: str) -> Markup:
    most, verdict = report.max_score, _badge(word_for_report(report))
    score = _fill('<p class="score">{}</p>\n', verdict)
    if not report.is_excused:
        reached, bar = out_of(report.counted, most), _meter(report.counted, most)
        score = _fill('<p class="score"><strong>{}</strong> {} {}</p>\n{}\n', reached, point_word(most), verdict, bar)
    return _join(
        [
            _fill('<section class="result" aria-label="Result">\n'),
            _fill('<p class="student theirs"><bdi>{}</bdi></p>\n', student),
            score,
            _fill(_FAULT_OF_OURS) if report.lacks_score else "",
            _fill("</section>\n"),
        ]
    )


def _cause(cause: ShownCause | None) -> Markup:
    """Write the one cause of a submission, which comes before all tests."""
    if cause is None:
        return Markup()
    return _join(
        [
            _fill('<section class="cause notice" aria-labelledby="cause">\n<h2 id="cause">{}</h2>\n', cause.title),
            _sentence(cause.sentence),
            _paragraph(cause.tests),
            _command(cause.command),
            _lines(cause.evidence, "The messages"),
            _fill("</section>\n"),
        ]
    )


def _build(report: Report) -> Markup:
    """Write the build as it was handed in, of work that was repaired."""
    if not report.build.repair:
        return Markup()
    return _join(
        [
            _fill('<section aria-labelledby="build">\n<h2 id="build">The build, as it was handed in</h2>\n'),
            _sentence(sentence(report.build.message)),
            _command(one_line(report.build.command, COMMAND_LIMIT)),
            _lines(plain_excerpt(report.build.log.encode(), most=PAGE_LOG_LINES), "The build's log"),
            _fill("</section>\n"),
        ]
    )


def _list(anchor: str, heading: str, items: Iterable[Markup]) -> Markup:
    written = _join(items)
    start = '<section aria-labelledby="{0}">\n<h2 id="{0}">{1}</h2>\n<ul>\n{2}</ul>\n</section>\n'
    return _fill(start, anchor, heading, written) if written else written


def _item(text: str, code: str = "") -> Markup:
    quoted = _fill('<pre class="theirs wrap"><span class="line">{}</span></pre>', code) if code else ""
    return _fill('<li><div class="theirs">{}</div>{}</li>\n', _pieces(text), quoted)


def _table_of_tests(report: Report, shown: Mapping[int, ReportedTest], anchors: Mapping[int, str]) -> Markup:
    rows = []
    for n, test in enumerate(report.tests, 1):
        name = _fill("<bdi>{}</bdi>", sentence(test.name))
        rows.append(
            _fill(
                '<tr>\n<th scope="row">{}</th>\n<td>{}</td>\n<td class="number">{}{}</td>\n</tr>\n',
                _fill('<a href="#{}">{}</a>', anchors[n], name) if n in anchors else name,
                _badge(word_for_test(test) if n in shown else "hidden"),
                test_points(test),
                _meter(test.score, test.points),
            )
        )
    has_hidden = len(shown) < len(report.tests)
    return _fill(_TESTS, _join(rows)) + (_fill(_OF_HIDDEN_TESTS) if has_hidden else "")


def _has_section(test: ReportedTest) -> bool:
    return bool(describe_groups(test)) or bool(test.hint and describe_decided(test))


def _section(anchor: str, test: ReportedTest) -> Markup:
    """Write a test that has something to report."""
    heading = '<h2 id="{0}" tabindex="-1" class="theirs"><bdi>{1}</bdi>: {2}</h2>\n'
    hint = _join(_fill("{}\n", _prose(block)) for block in blocks(test.hint))
    return _join(
        [
            _fill('<section aria-labelledby="{}">\n', anchor),
            _fill(heading, anchor, sentence(test.name), test_points(test)),
            _paragraph(sentence(test.about)),
            _fill('<div class="notice hint">\n<p><strong>Hint:</strong></p>\n{}</div>\n', hint) if hint else "",
            _paragraph(describe_decided(test)),
            *(_failure(group, test) for group in describe_groups(test)),
            _fill("</section>\n"),
        ]
    )


def _failure(group: tuple[ReportedCase, ...], test: ReportedTest) -> Markup:
    """Write a group of cases with the same sentence."""
    first = group[0]
    heading = '<details open>\n<summary><h3 class="theirs"><bdi>{}</bdi> {}</h3></summary>\n'
    return _join(
        [
            _fill(heading, names(group), _badge(word_for_case(first, test))),
            _sentence(describe_group(group, test)),
            _lines(drawings(first), "Drawing"),
            *map(_exhibit, evidence(first)),
            _command(one_line(first.command, COMMAND_LIMIT) if can_repeat(first) else ""),
            _fill("</details>\n"),
        ]
    )


def _exhibit(part: Evidence) -> Markup:
    """Write lines of a difference, or the turns of a dialogue."""
    shown = _dialogue(part.turns) if part.turns else _difference(part.lines)
    return _fill("<figure>\n<figcaption>{}</figcaption>\n{}\n</figure>\n", capital(part.title), shown)


def _difference(lines: Sequence[str]) -> Markup:
    kinds = [(DIFF_CLASSES.get(line[:1], ""), line) for line in lines]
    written = (
        _fill('<{0} class="line {1}">{2}\n</{0}>', "mark" if kind == "yours" else "span", kind, line)
        for kind, line in kinds
    )
    return _fill('<pre class="theirs wrap">\n{}</pre>\n', _join(written))


def _dialogue(turns: Sequence[ReportedTurn]) -> Markup:
    turn = '<li class="{0}">\n<p class="quiet">{1} <b>{0}</b></p>\n<pre class="theirs wrap">\n{2}</pre>\n</li>\n'
    left_out = earlier(turns)
    return _join(
        [
            _fill('<p class="quiet">{}</p>\n', left_out) if left_out else "",
            _fill('<ol class="dialogue">\n'),
            *(_fill(turn, who, time, _spans(lines)) for time, who, lines in transcript_lines(turns)),
            _fill("</ol>\n"),
        ]
    )


def _prose(block: Block) -> Markup:
    """Write a block of a hint."""
    if block.kind == "text":
        return _fill('<p class="theirs">{}</p>\n', _joined(block.rows[0][0]))
    if block.kind == "code":
        return _listing([row[0][0].text for row in block.rows], "Code")
    rows = []
    for number, row in enumerate(block.rows):
        tag = "th" if block.has_head and not number else "td"
        rows.append(_join(_fill("<{0}><bdi>{1}</bdi></{0}>", tag, _joined(cell)) for cell in row))
    table = _join(_fill("<tr>{}</tr>\n", row) for row in rows)
    return _fill(_WIDE, "Table", _fill("<table>\n{}</table>\n", table))


def _costs(report: Report, *, after_due: bool) -> Markup:
    costs = describe_costs(report, after_due=after_due)
    rows = (_fill(_COST, one_line(one.case, NAME_LIMIT), one.time, one.cpu, one.memory) for one in costs[:_MAX_COSTS])
    more = len(costs) - _MAX_COSTS
    told = _fill('<p class="quiet">And {} more.</p>\n', more) if more > 0 else ""
    table = _fill(_WIDE, "What each run took", _fill(_TABLE_OF_COSTS, _join(rows)))
    return (
        _fill("<details open>\n<summary><h2>What each run took</h2></summary>\n{}{}</details>\n", table, told)
        if costs
        else Markup()
    )


def _about(report: Report) -> list[tuple[str, str]]:
    """Return enough to find out whether two people talk of the same."""
    about = {
        "Submission": one_line(report.submission.digest[:DIGITS]),
        "Assignment": f"{sentence(report.spec.id)} {one_line(report.spec.digest[:DIGITS])}",
        "Tools": ", ".join(one_line(version) for version in report.toolchain.values()),
        "Graded by": f"grader {report.grader}",
    }
    return [(name, text) for name, text in about.items() if text]


# ---------------------------------------------------------------- parts of it


def _meter(score: float | None, most: float) -> Markup:
    """Write a bar for points; nothing when they are not known."""
    if score is None or points(most) == "0":
        return Markup()
    return _fill('<meter aria-hidden="true" min="0" max="{}" value="{}"></meter>\n', points(most), points(score))


def _badge(word: str) -> Markup:
    return _fill('<span class="verdict {}">{}</span>', word.replace(" ", "-"), word)


def _command(text: str) -> Markup:
    return _fill('<p class="command">To repeat it: <code class="theirs">{}</code></p>\n\n', text) if text else Markup()


def _paragraph(text: str) -> Markup:
    return _fill('<p class="theirs">{}</p>\n', text) if text else Markup()


def _sentence(text: str) -> Markup:
    return _fill('<p class="theirs sentence">{}</p>\n', _pieces(text))


def _pieces(text: str) -> Markup:
    """Mark the quotations in a text. They include their backticks: one may have its own."""
    parts = enumerate(QUOTATION.split(text))  # each second one is a quotation
    return _joined([Piece(text=part, kind="code" if n % 2 else "") for n, part in parts if part])


def _joined(pieces: Iterable[Piece]) -> Markup:
    patterns = {"": "{}", "code": "<code>{}</code>", "link": '<a href="{0}" rel="noreferrer">{0}</a>'}
    return _join(_fill(patterns[piece.kind], piece.text) for piece in pieces)


def _lines(lines: Sequence[str], label: str) -> Markup:
    """Write lines as they are, if there are any."""
    return _fill("{}\n", _listing(lines, label)) if lines else Markup()


def _listing(lines: Sequence[str], label: str) -> Markup:
    start = '<pre class="theirs scroll" role="region" aria-label="{}" tabindex="0">\n{}</pre>\n'
    return _fill(start, label, _spans(lines))


def _spans(lines: Iterable[str]) -> Markup:
    return _join(_fill('<span class="line">{}\n</span>', line) for line in lines)
