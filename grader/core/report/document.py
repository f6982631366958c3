"""A report as a document, the same in every format; of a test that students may not see, its name and its score."""

import re
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial

from msgspec import Struct

from grader.core.lazy import lazy_regex
from grader.core.model.layout import FORGED
from grader.core.model.report import Report, ReportedBuild, ReportedCase, ReportedTest, Verdict
from grader.core.report import view
from grader.core.report.view import (
    NAME_LIMIT,
    Block,
    CauseKey,
    Heading,
    Lines,
    TableCell,
    Text,
    TextTable,
    is_shown,
    names,
)
from grader.core.text import capital, full_sentence, joined, one_line, points, sentence, size

_INLINE = lazy_regex(
    r"(?<!`)(?P<fence>`+)(?!`)(?P<code>.+?)(?<!`)(?P=fence)(?!`)|(?P<link>https?://[^\s<>\"`|]*[^\s<>\"`|.,;:!?'*)\]])"
)
_QUOTED = lazy_regex(r"(?<![`\w])`(?P<code>(?!`)[^`]*(?:(?:\b`\b|(?<!\w)`[^\s`'][^`']*')[^`]*){0,9})`(?![`\w])")


def inline_pieces(text: str, *, is_prose: bool) -> Iterator[tuple[str, str]]:
    """Split a line into `text`, `code` and, in prose, `link`; a backtick in a word, or in `so', belongs to the code."""
    end = 0
    for match in (_INLINE if is_prose else _QUOTED).finditer(text):
        yield "text", text[end : match.start()]
        yield ("code", match["code"]) if match["code"] else ("link", match["link"])
        end = match.end()
    yield "text", text[end:]


FAULT_OF_OURS = "The grader failed on this submission, so there is no score yet; nothing is lost."
LOG_LINES = 20  # lines of the build's log
_PLAIN_WORD = lazy_regex(r"[a-z]+ ")
_COMPILED = lazy_regex(r"[\w-]\.\w+:\d+")  # the place in a source of which a compiler complains


class ShownCause(Struct, frozen=True):
    """The one cause of a submission as students read it, before all tests."""

    title: str
    sentence: str
    tests: str  # a sentence that names the tests that it decides; empty where nothing was run at all
    command: str
    evidence: Sequence[str]  # lines of the build's log, or of standard error
    given: Sequence[Lines] = ()  # the input and the files that the command reads


def describe_cause(report: Report, *, after_due: bool = False, hidden: bool = False) -> ShownCause | None:
    """Return the cause of a submission, with `hidden` also of hidden tests; None where students see none."""
    shown = [test for test in report.tests if hidden or is_shown(test, after_due=after_due)]
    build = report.build
    if problem := build_problem(report, shown):
        what = "does not compile" if build.command and _COMPILED.search(problem) else "cannot be built or run"
        title = "The submission cannot be read" if report.verdict is Verdict.NOT_READABLE else f"Your program {what}"
        log = view.excerpt(build.log, most=LOG_LINES, plain=True)
        return ShownCause(title, problem, "", one_line(build.command, view.COMMAND_LIMIT), log)
    decided = [(test.name, case) for test in shown for case in test.cases if case.cause]
    if not report.cause or not decided:
        return None
    names = [f"`{one_line(name, NAME_LIMIT)}`" for name in dict(decided)]
    is_all = len(names) == len(report.tests) > 1
    tests = "No test can pass because of it." if is_all else f"Because of it, points are lost in {joined(names)}."
    title, first = f"Your program {view.PREDICATES[report.cause.kind]}", decided[0][1]
    message, trace = below_title(title, sentence(first.message)), view.excerpt(first.stderr or "", plain=True)
    return ShownCause(
        title, message, tests, one_line(first.command, view.COMMAND_LIMIT), trace, view.describe_input(first)
    )


def below_title(title: str, text: str) -> str:
    """Return a sentence without the title that it begins with: `It frees memory …` below `Your program crashed`."""
    rest = text.removeprefix(f"{title}: ")
    return capital(rest) if rest != text and _PLAIN_WORD.match(rest) else rest


def build_problem(report: Report, shown: Iterable[ReportedTest] = ()) -> str:
    """Why there is nothing to run, in one sentence; empty when there is. Only what `shown` tests ask for counts."""
    if not report.build.ok:
        return sentence(report.build.message) or "Your program cannot be built."
    failed = {case.id for test in report.tests for case in test.cases if case.verdict is Verdict.BUILD_FAILED}
    messages = [case.message for test in shown for case in test.cases if case.id in failed]
    return sentence((messages or ["A hidden test cannot be compiled with what was handed in."])[0]) if failed else ""


def describe_work(report: Report) -> list[str]:
    """Return the sentences about the whole work: how it was repaired, and points that belong to no test."""
    lines, repaired = list[str](), tuple[str, ...]()
    if repair := report.build.repair:
        repaired = repair.names or (repair.name,)
        lines.append(f"{sentence(repair.message)} As it was handed in: {full_sentence(report.build.message)}")
    return [*lines, *(sentence(charge.message) for charge in report.on_top or () if charge.kind not in repaired)]


class Document(Struct, frozen=True, kw_only=True):
    """A report as people read it."""

    title: str  # whose it is, and of what assignment
    parts: Mapping[str, Sequence[Block]]  # those that are empty have nothing to say
    tests: Sequence[Sequence[Block]]  # a part for each test that has something to report

    def of(self, *names: str) -> list[Block]:
        """Return parts one after the other; `tests` is that of all tests."""
        tests = [block for test in self.tests for block in test]
        return [block for name in names for block in (tests if name == "tests" else self.parts[name])]


class Rendering(Struct, dict=True):
    """A report, the name of its course, and whether tests are shown that are hidden until the due date."""

    report: Report
    course: str = ""
    after_due: bool = False

    @cached_property
    def document(self) -> Document:
        """The report as people read it, laid out once."""
        return to_document(self.report, course=self.course, after_due=self.after_due)


def to_document(report: Report, *, course: str = "", after_due: bool = False, brief: bool = False) -> Document:
    """Lay a report out. For a screen it is `brief`: problems of an earlier test are only named, of many only some."""
    total = "" if report.is_excused else view.out_of_points(report.counted, report.max_score)
    title, student = sentence(report.spec.title), one_line(report.submission.id, NAME_LIMIT)
    result = Heading(student, points=total, word=view.word_for_report(report), anchor="total")
    shown = {number: test for number, test in enumerate(report.tests, 1) if is_shown(test, after_due=after_due)}
    words = {number: view.word_for_test(test) for number, test in shown.items()}
    known, tests, lines, is_cut = dict[CauseKey, view.CasePlace](), dict[int, list[Block]](), list[str](), False
    for number, test in shown.items():
        blocks = [*view.blocks_of_test(test, f"test-{number}", known, brief=brief)]
        is_full = brief and len(lines) >= view.SCREEN_LINES
        fitting = [block for block in blocks if not (is_full and isinstance(block, Lines) and block.title)]
        is_cut |= len(fitting) < len(blocks)
        lines += [line for block in fitting if isinstance(block, Lines) for line in block.lines]
        tests |= {number: fitting} if fitting else {}
    own, spec = (
        f"{one_line(record.id)} {one_line(record.digest[: view.DIGITS])}" for record in (report.submission, report.spec)
    )
    after = view.describe_final(report.final or None, report.max_score, report, in_lines=True)
    warnings = ["The programs ran without a sandbox."] * (report.sandbox.level == "none")
    return Document(
        title=f"{student}: {title}",
        tests=[*tests.values()],
        parts={
            "head": [*([Text(sentence(course), "quiet")] if course else []), Heading(title, 1, anchor="title")],
            "total": [result],
            "ours": [Text(FAULT_OF_OURS, "ours")] if report.lacks_score else [],
            "cause": cause_blocks(describe_cause(report, after_due=after_due)),
            "warnings": [Text(sentence(warning), "warning") for warning in (*warnings, *report.sandbox.warnings)],
            "after": _list("after", "After the grading", after),
            "work": [*_list("work", "The work as a whole", describe_work(report)), *_log(report.build)],
            "findings": _findings(report, shown.values(), brief=brief),
            "table": [*_table_of_tests(report, words, tests)],
            "left_out": [Text("What the programs wrote in further tests is left out here.", "quiet")] * is_cut,
            "costs": _costs(report, after_due=after_due),
            "about": [Text(f"Submission {own}, assignment {spec}, grader {report.grader}", "quiet")],
        },
    )


def cause_blocks(cause: ShownCause | None) -> list[Block]:
    """Say first, and once, what kept the program from its work."""
    if cause is None:
        return []
    texts = [Text(cause.sentence, "sentence"), Text(cause.tests), Text(cause.command, "command", label="To repeat it")]
    messages = [Lines(cause.evidence, label="The messages")] if cause.evidence else []
    return [Heading(cause.title, anchor="cause"), *(text for text in texts if text.text), *cause.given, *messages]


def _list(anchor: str, title: str, items: Sequence[str], most: int | None = None) -> list[Block]:
    shown, rest = [Text(item, "item") for item in items[:most]], items[most:] if most else []
    more = [Text(f"and {len(rest)} more", "quiet")] if rest else []
    return [Heading(title, anchor=anchor), *shown, *more] if shown else []


def _log(build: ReportedBuild) -> list[Lines]:
    log = [f"$ {one_line(build.command, view.COMMAND_LIMIT)}", *view.excerpt(build.log, most=LOG_LINES, plain=True)]
    return [Lines(log, label="The build's log")] if build.repair and build.command else []


def _findings(report: Report, tests: Collection[ReportedTest], *, brief: bool) -> list[Block]:
    """Say what was noticed; on a screen, that is also what is reported of cases that passed."""
    groups = [group for test in tests if brief for group in view.describe_groups(test)]
    lines = [f"{names(group)}: {view.case_summary(group[0])}" for group in groups if group[0].verdict is Verdict.PASSED]
    lines += [sentence(finding.message) for finding in report.findings if finding.kind != FORGED]
    passed = (case for test in tests for case in test.cases if case.verdict is Verdict.PASSED)
    lines += dict.fromkeys(sentence(case.message) for case in passed if case.message and not case.deviations)
    return _list("findings", "Noticed in the submission", lines, view.REMARKS if brief else None)


def _table_of_tests(report: Report, words: Mapping[int, str], described: Container[int]) -> Iterator[Block]:
    rows = [
        (
            TableCell(sentence(test.name), anchor=f"test-{number}" if number in described else ""),
            TableCell(words.get(number, "hidden"), is_word=True),
            TableCell(
                view.test_points(test),
                share=(points(test.score), points(test.points))
                if test.score is not None and points(test.points) != "0"
                else None,
            ),
        )
        for number, test in enumerate(report.tests, 1)
    ]
    yield TextTable(("Test", "Verdict", "Points"), rows, title="Tests")
    yield from [Text("Of a hidden test, only the points are shown.", "quiet")] * (len(words) < len(report.tests))


def _costs(report: Report, *, after_due: bool) -> list[Block]:
    rows = [
        (
            one_line(case.id, NAME_LIMIT),
            f"{case.time or 0:.2f} s of {limits.time:g} s",
            f"{case.cpu or 0:.2f} s of {limits.cpu:g} s",
            f"{size(case.memory, digits=3) if case.memory else 'not known'} of {size(limits.memory, digits=6)}",
        )
        for _, case in run_cases(report, after_due=after_due)
        if (limits := case.limits)
    ]
    head, cells = ("Case", "Time", "Processor time", "Memory"), [[*map(TableCell, row)] for row in rows]
    table = TextTable(head, cells, title="Time and memory of each case")
    return [Heading("What each run took", anchor="costs"), table] if rows else []


def run_cases(report: Report, *, after_due: bool) -> Iterator[tuple[ReportedTest, ReportedCase]]:
    """Iterate over the cases that were run, of tests that students may see."""
    shown = (test for test in report.tests if is_shown(test, after_due=after_due))
    return ((test, case) for test in shown for case in test.cases if case.time is not None)


# ---------------- A document in Markdown, `feedback.md`, and the quoting of Markdown


_PARTS = ("head", "total", "ours", "cause", "findings", "after", "work", "table", "left_out", "tests")
_MARKUP = lazy_regex(
    r"[`~]|(?<! )\*|\*(?! )|(?<![^\W_])_|_(?![^\W_])|(?<!\w)\[|\[(?![\w=., -]*\](?![(\[]))|<(?=[A-Za-z/!?])|&(?=[#\w])"
    r"|\\(?=[!-/:-@\[-`{-~]|\Z)|\$(?! )|:(?=//)|#\Z"
    r"|^(?:[-+](?=[\s|-]|\Z)|[>|:]|#(?=[#\s])|=+(?=\s*\Z)|\d{1,9}[.)](?=\s|\Z))"
)  # ends with the character that Markdown would take for its own; none is within a word, as in `a_b` and `case[1]`


def to_markdown(document: Document) -> bytes:
    """Render a document in Markdown."""
    return ("\n\n".join(map(_block, document.of(*_PARTS))) + "\n").encode()


def _block(block: Block) -> str:
    match block:
        case Heading():
            return f"{'#' * block.level} " + ": ".join(filter(None, (inline(block.text), block.points, block.word)))
        case Text(role="item"):
            return "- " + "  \n  ".join(map(inline, block.text.split("\n")))  # two blanks break a line
        case Text():
            written = code(block.text) if block.role == "command" else inline(block.text, is_prose=block.role == "hint")
            return f"{f'**{block.label}:**' if block.label else ''} {written}".strip()
        case TextTable():
            return "\n".join(_table(block))
    title = f"{capital(block.title)}:\n\n" if block.title else ""
    return title + "\n".join(fenced(block.lines, "text"))


def _table(table: TextTable) -> Iterator[str]:
    write = partial(inline, is_prose=not table.title, is_cell=True)
    rows = [table.head or [""] * max(map(len, table.rows)), *([cell.text for cell in row] for row in table.rows)]
    head, *rest = (f"| {' | '.join(map(write, row))} |" for row in rows)
    columns = max(map(len, rows))
    yield from (head, f"|{':--|' * (columns - 1)}{'--:|' if table.title else ':--|'}", *rest)


def inline(text: str, *, is_prose: bool = False, is_cell: bool = False) -> str:
    """Write a text on one line, with no markup in it but code, and in an instructor's prose links."""
    escape = partial(_MARKUP.sub, lambda match: f"{match[0][:-1]}\\{match[0][-1]}")
    write: dict[str, Callable[[str], str]] = {"text": escape, "code": code, "link": "<{}>".format}
    text = text if is_prose else sentence(text)
    written = "".join(write[kind](piece) for kind, piece in inline_pieces(text, is_prose=is_prose))
    return written.replace("|", r"\|") if is_cell else written


def code(text: str) -> str:
    """Write a text as code within a line."""
    shown = one_line(text, view.COMMAND_LIMIT)
    fence = _fence(shown)
    pad = " " * ("`" in shown or bool(re.fullmatch(" .*[^ ].* ", shown)))  # of two blanks at both ends one gets lost
    return f"{fence}{pad}{shown}{pad}{fence}"


def fenced(lines: Sequence[str], language: str = "") -> list[str]:
    """Write lines as a block of code, between fences that none of them can end."""
    fence = _fence("\n".join(lines), 3)
    return [f"{fence}{language}", *lines, fence]


def _fence(text: str, least: int = 1) -> str:
    return "`" * max(least, *(len(run) + 1 for run in re.findall("`+", text)), 0)
