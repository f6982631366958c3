"""A report as a document, the same in every format; of a test that students may not see, its name and its score."""

import re
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from importlib import import_module
from itertools import groupby
from typing import Any

from msgspec import UNSET

from grader.core.deviations.table import STREAM_KINDS
from grader.core.lazy import lazy_regex
from grader.core.model.layout import FORGED
from grader.core.model.report import Report, ReportedBuild, ReportedCase, ReportedTest, ReportedTurn, Verdict
from grader.core.model.spec import SCREEN, STREAMS
from grader.core.report import view
from grader.core.report.view import (
    COMMAND_LIMIT,
    NAME_LIMIT,
    Block,
    CauseKey,
    Document,
    Heading,
    Lines,
    TableCell,
    Text,
    TextTable,
    case_summary,
    cause_of,
    describe_final,
    diff_lines,
    excerpt,
    is_shown,
    names,
)
from grader.core.text import capital, one_line, points, sentence, size

_RULES = ("fence", "code", "table", "list", "backticks")
_parser = cache(lambda: import_module("markdown_it").MarkdownIt("zero").enable(_RULES))
_CODE_INDENT = " " * 4
_INLINE = lazy_regex(
    r"(?<!`)(?P<fence>`+)(?!`)(?P<code>.+?)(?<!`)(?P=fence)(?!`)|(?P<link>https?://[^\s<>\"`|]*[^\s<>\"`|.,;:!?'*)\]])"
)
_QUOTED = lazy_regex(r"(?<!`)`(?P<code>[^`]+)`(?!`)")


def inline_pieces(text: str, *, is_prose: bool) -> Iterator[tuple[str, str]]:
    """Take a text of one line apart: what each piece is, `text`, `code` or, in prose, `link`, and the piece."""
    end = 0
    for found in (_INLINE if is_prose else _QUOTED).finditer(text):
        yield "text", text[end : found.start()]
        yield ("code", found["code"]) if found["code"] else ("link", found["link"])
        end = found.end()
    yield "text", text[end:]


def hint_blocks(hint: str) -> Iterator[Block]:
    """Take a hint apart, with the word for it before it; nothing when there is none."""
    for number, block in enumerate(_blocks_in(read_hint(hint)) if hint else ()):
        if number == 0:
            yield Text(block.text if isinstance(block, Text) else "", "hint", label="Hint")
        if number or not isinstance(block, Text):
            yield block


def read_hint(text: str) -> Any:
    """Parse a hint; the first time, this imports the parser."""
    return import_module("markdown_it.tree").SyntaxTreeNode(_parser().parse(text))


def _blocks_in(node: Any, marker: str = "") -> Iterator[Block]:
    for child in node.children:
        if child.type == "paragraph":
            yield from _of_lines(f"{marker}{child.children[0].content}".split("\n"))
        elif child.type == "table":
            rows = (row for part in child.children for row in part.children)
            head, *others = ([TableCell(cell.children[0].content) for cell in row.children] for row in rows)
            yield TextTable([cell.text for cell in head], others)
        elif child.type not in {"fence", "code_block"}:
            for item in child.children:
                mark = f"{item.info}{item.markup} "
                yield from _blocks_in(item, mark) if item.children else _of_lines([mark])
        elif child.content:
            yield Lines(child.content.removesuffix("\n").split("\n"), label="Code", indent=_CODE_INDENT)
        marker = ""


def _of_lines(lines: Sequence[str]) -> Iterator[Block]:
    """Yield what Markdown takes for one paragraph: lines further in are code for us, and a table needs no head."""
    kinds = groupby(lines, key=lambda line: (line.startswith(_CODE_INDENT), line.lstrip().startswith("|")))
    for (is_code, is_row), group in kinds:
        if is_code:
            yield Lines([line.removeprefix(_CODE_INDENT) for line in group], label="Code", indent=_CODE_INDENT)
        elif is_row:
            rows = [[TableCell(cell.strip()) for cell in line.strip().strip("|").split("|")] for line in group]
            yield TextTable((), rows)
        elif text := " ".join(line.strip() for line in group).strip():
            yield Text(text, "hint")


FAULT_OF_OURS = "The grader failed on this submission, so there is no score yet; nothing is lost."
DIGITS = 12  # digits of a digest: enough to identify a submission
GROUPS, REMARKS, SCREEN_LINES = 3, 5, 24  # what a screen shows: sentences of a test, remarks, lines of programs
_DRAWING_LINES, _TURNS, _TURN_LINES, _TURN_WIDTH = 40, 16, 6, 60
_SHORT_VALUE, _SHORT_INPUT = 40, 80  # what a sentence quotes as a whole, and what only the command shows
_SIGNS = {"-": "expected", "+": "yours", "·": "a space", "→": "a tab", "⏎": "the end of a line"}
_Place = tuple[str, ReportedCase]


def to_document(report: Report, *, course: str = "", after_due: bool = False, brief: bool = False) -> Document:
    """Lay a report out; for a screen it is `brief`: a problem of an earlier test is only named, and of many some."""
    shown = {number: test for number, test in enumerate(report.tests, 1) if is_shown(test, after_due=after_due)}
    known, tests, lines, is_cut = dict[CauseKey, _Place](), dict[int, list[Block]](), list[str](), False
    for number, test in shown.items():
        every = [*blocks_of_test(test, f"test-{number}", known, brief=brief)]
        is_full = brief and len(lines) >= SCREEN_LINES
        found = [block for block in every if not (is_full and isinstance(block, Lines) and block.title)]
        is_cut |= len(found) < len(every)
        lines += [line for block in found if isinstance(block, Lines) for line in block.lines]
        tests |= {number: found} if found else {}
    own, spec = (f"{one_line(one.id)} {one_line(one.digest[:DIGITS])}" for one in (report.submission, report.spec))
    after = describe_final(report.final or None, report.max_score, report, in_lines=True)
    warnings = ["The programs ran without a sandbox."] * (report.sandbox.level == "none")
    title, student = sentence(report.spec.title), one_line(report.submission.id, NAME_LIMIT)
    total = "" if report.is_excused else view.out_of_points(report.counted, report.max_score)
    return Document(
        title=f"{student}: {title}",
        tests=[*tests.values()],
        parts={
            "head": [*([Text(sentence(course), "quiet")] if course else []), Heading(title, 1, anchor="title")],
            "total": [Heading(student, points=total, word=view.word_for_report(report), anchor="total")],
            "ours": [Text(FAULT_OF_OURS, "ours")] if report.lacks_score else [],
            "cause": cause_blocks(view.describe_cause(report, after_due=after_due)),
            "warnings": [Text(sentence(one), "warning") for one in (*warnings, *report.sandbox.warnings)],
            "after": _list("after", "After the grading", after),
            "work": [*_list("work", "The work as a whole", view.describe_work(report)), *_log(report.build)],
            "findings": _findings(report, shown.values(), brief=brief),
            "table": [*_table_of_tests(report, shown, tests)],
            "left_out": [Text("What the programs wrote in further tests is left out here.", "quiet")] * is_cut,
            "costs": _costs(report, after_due=after_due),
            "about": [Text(f"Submission {own}, assignment {spec}, grader {report.grader}", "quiet")],
        },
    )


def cause_blocks(cause: view.ShownCause | None) -> list[Block]:
    """Say first, and once, what kept the program from its work."""
    if cause is None:
        return []
    told = [Text(cause.sentence, "sentence"), Text(cause.tests), Text(cause.command, "command", label="To repeat it")]
    messages = [Lines(cause.evidence, label="The messages")] if cause.evidence else []
    return [Heading(cause.title, anchor="cause"), *(one for one in told if one.text), *messages]


def blocks_of_test(
    test: ReportedTest, anchor: str = "", known: dict[CauseKey, _Place] | None = None, *, brief: bool = False
) -> Iterator[Block]:
    """Describe what is wrong in a test that students may see; `known` has where each cause is described first."""
    known = {} if known is None else known
    told = [(group, known.get(cause_of(group[0]))) for group in view.describe_groups(test)]
    places = {place[0] if place else "" for _, place in told}
    is_told = len(places) == 1 and "" not in places
    causes = {cause_of(group[0]): (one_line(test.name, NAME_LIMIT), group[0]) for group, _ in told}
    known.update({cause: place for cause, place in causes.items() if cause[0] and cause not in known})
    told = [one for one in told if not (brief and one[0][0].verdict is Verdict.PASSED)]  # told elsewhere
    decided, most = describe_decided(test), GROUPS if brief else len(told)
    if not told and not (decided and test.hint):
        return
    total = f"the same as in `{places.pop()}`" if brief and is_told else view.test_points(test)
    yield Heading(sentence(test.name), points=total, anchor=anchor)
    yield from [Text(sentence(test.about), "about")] if test.about and not brief else []
    yield from [Text(decided)] if decided else []
    for group, place in told[: 0 if brief and is_told else most]:
        yield Heading(names(group), 3, word=view.word_for_case(group[0], test))
        where = f"The cause is the same as in the test `{place[0]}`." if place else ""
        yield Text(view.describe_group(group, test, where), "sentence")
        # A stack trace is enough once; another output may show more.
        if not place or (group[0].verdict is not Verdict.CRASHED and evidence(group[0]) != evidence(place[1])):
            yield from case_blocks(group[0])
    yield from [Text(f"and {len(told) - most} more", "quiet")] if len(told) > most else []
    # What a hint is about is something else than what went wrong in another test.
    yield from hint_blocks("" if is_told else test.hint)


def describe_decided(test: ReportedTest) -> str:
    """Name the cases that the submission's cause decides, and say in a word how; else what is noted of a test."""
    decided = [case for case in test.cases if case.cause]
    if not decided:
        return sentence(test.note or "")
    return f"{names(decided)}: {view.word_for_case(decided[0], test)}; the cause is at the top."


def case_blocks(case: ReportedCase) -> Iterator[Block]:
    """Show what is behind the sentence about a case: what is drawn, the command, the streams."""
    drawn = "\n".join(filter(None, (one.message.partition("\n")[2] for one in case.deviations)))
    lines = excerpt(drawn, most=_DRAWING_LINES)
    yield from [Lines(lines, label="Drawing")] if lines else []
    if case.exit is not None and case.verdict is not Verdict.PASSED and case.command:
        yield Text(one_line(case.command, COMMAND_LIMIT), "command", label="To repeat it")
    yield from evidence(case)


def _list(anchor: str, title: str, items: Sequence[str], most: int | None = None) -> list[Block]:
    told, left = [Text(item, "item") for item in items[:most]], items[most:] if most else []
    more = [Text(f"and {len(left)} more", "quiet")] if left else []
    return [Heading(title, anchor=anchor), *told, *more] if told else []


def _log(build: ReportedBuild) -> list[Lines]:
    log = [f"$ {one_line(build.command, COMMAND_LIMIT)}", *excerpt(build.log, most=view.LOG_LINES, plain=True)]
    return [Lines(log, label="The build's log")] if build.repair and build.command else []


def _findings(report: Report, tests: Collection[ReportedTest], *, brief: bool) -> list[Block]:
    """Say what was noticed; on a screen, that is also what is told of cases that passed."""
    groups = [group for test in tests if brief for group in view.describe_groups(test)]
    told = [f"{names(one)}: {case_summary(one[0])}" for one in groups if one[0].verdict is Verdict.PASSED]
    told += [sentence(one.message) for one in report.findings if one.kind != FORGED]
    passed = (case for test in tests for case in test.cases if case.verdict is Verdict.PASSED)
    told += dict.fromkeys(sentence(case.message) for case in passed if case.message and not case.deviations)
    return _list("findings", "Noticed in the submission", told, REMARKS if brief else None)


def _table_of_tests(report: Report, shown: Mapping[int, ReportedTest], described: Container[int]) -> Iterator[Block]:
    rows = [
        (
            TableCell(sentence(test.name), anchor=f"test-{number}" if number in described else ""),
            TableCell(view.word_for_test(test) if number in shown else "hidden", is_word=True),
            TableCell(view.test_points(test), share=_share(test.score, test.points)),
        )
        for number, test in enumerate(report.tests, 1)
    ]
    yield TextTable(("Test", "Verdict", "Points"), rows, title="Tests")
    if len(shown) < len(report.tests):
        yield Text("Of a hidden test, only the points are shown.", "quiet")


def _share(score: float | None, most: float) -> tuple[str, str] | None:
    return None if score is None or points(most) == "0" else (points(score), points(most))


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


def evidence(case: ReportedCase) -> list[Lines]:
    """Show why a case did not pass: the streams in question, against the expected text where there is one."""
    if case.exit is None or case.verdict is Verdict.PASSED:
        return []
    shown: list[Lines] = [*_describe_input(case)]
    if turns := case.transcript:
        of = f"the last {_TURNS} of {len(turns)} turns of " if len(turns) > _TURNS else ""
        shown.append(Lines([line for turn in turns[-_TURNS:] for line in _said(turn)], f"{of}the dialogue"))
    for one in case.values:
        wanted, got = one.expected, one.actual
        # Of two short ones the sentence says it all.
        if max(len(wanted), len(got)) >= _SHORT_VALUE or not wanted.count("\n") == got.count("\n") == 1:
            shown.append(Lines(diff_lines(wanted, got), one.name))
    shown += _streams(case)
    if smallest := case.smallest:
        given = excerpt(smallest.stdin, indent="    ")
        lines = [f"  $ {one_line(smallest.command)}", *["  given on standard input:"][: len(given)], *given]
        shown.append(Lines([*lines, f"  {sentence(smallest.message)}"], "the smallest input that shows it"))
    return [Lines(part.lines, f"{part.title}{_legend(part.lines)}") for part in shown if part.lines]


def _legend(lines: Sequence[str]) -> str:
    """Explain the signs that occur in lines; the first two stand at the start of one."""
    present = {line[:1] for line in lines} | (set("".join(lines)) - {"-", "+"})
    told = ", ".join(f"{sign} {what}" for sign, what in _SIGNS.items() if sign in present)
    return f" ({told})" if told else ""


def _said(turn: ReportedTurn) -> list[str]:
    """Show a turn; of several programs each is named, and `> encoder` for what it was given."""
    name = turn.who if turn.role is UNSET else turn.role if turn.who == "program" else f"> {turn.role}"
    lines = excerpt(turn.text, most=_TURN_LINES, width=_TURN_WIDTH) or [""]
    return [f"{turn.time:6.2f} s  {name:7}  {line}" for line in lines]


def _streams(case: ReportedCase) -> Iterator[Lines]:
    concerned = {deviation.stream for deviation in case.deviations}
    is_any = not concerned or any(deviation.kind in STREAM_KINDS for deviation in case.deviations)
    for stream, title, expected, actual in (
        ("stdout", SCREEN if case.screen is True else STREAMS["stdout"], case.expected_stdout, case.stdout or ""),
        ("stderr", STREAMS["stderr"], case.expected_stderr, case.stderr or ""),
    ):
        is_trace = stream == "stderr" and case.verdict is Verdict.CRASHED
        if expected is not None and not is_trace:
            lines = diff_lines(expected, actual)
            yield Lines(lines if is_any or stream in concerned else [], title)
        elif is_trace or (stream in concerned and (stream == "stderr" or case.roles is UNSET)):
            yield Lines(excerpt(actual, indent="  ", plain=is_trace), title)


def _describe_input(case: ReportedCase) -> Iterator[Lines]:
    """Show what a program was given, where that is more than a line: the command then has it in one, or not at all."""
    if case.input is not UNSET:
        place = ", here stdin.txt" if "< stdin.txt" in case.command else ""
        given = {f"its standard input{place}": case.input.stdin}
        given |= {f"the file {one_line(name, NAME_LIMIT)}": text for name, text in case.input.files.items()}
        for title, text in given.items():
            if text.count("\n") > 1 or len(text) > _SHORT_INPUT:
                yield Lines(excerpt(text, indent="  "), title)


# ---------------- A document in Markdown, `feedback.md`, and the quoting of Markdown


_PARTS = ("head", "total", "ours", "cause", "findings", "after", "work", "table", "left_out", "tests")
_MARKUP = lazy_regex(
    r"[`~]|(?<! )\*|\*(?! )|(?<![^\W_])_|_(?![^\W_])|(?<!\w)\[|\[(?![\w=., -]*\](?![(\[]))|<(?=[A-Za-z/!?])|&(?=[#\w])"
    r"|\\(?=[!-/:-@\[-`{-~]|\Z)|\$(?! )|:(?=//)|#\Z"
    r"|^(?:[-+](?=[\s-]|\Z)|[>|:]|#(?=[#\s])|=+(?=\s*\Z)|\d{1,9}[.)](?=\s|\Z))"
)
"""ends with the character that Markdown would take for its own; none is within a word, as in `a_b` and `case[1]`"""


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
    head, *others = (f"| {' | '.join(map(write, row))} |" for row in rows)
    columns = max(map(len, rows))
    yield from (head, f"|{':--|' * (columns - 1)}{'--:|' if table.title else ':--|'}", *others)


def inline(text: str, *, is_prose: bool = False, is_cell: bool = False) -> str:
    """Write a text on one line, with no markup in it but code, and in an instructor's prose links."""
    escape = partial(_MARKUP.sub, lambda found: f"{found[0][:-1]}\\{found[0][-1]}")
    write: dict[str, Callable[[str], str]] = {"text": escape, "code": code, "link": "<{}>".format}
    text = text if is_prose else sentence(text)
    written = "".join(write[kind](piece) for kind, piece in inline_pieces(text, is_prose=is_prose))
    return written.replace("|", r"\|") if is_cell else written


def code(text: str) -> str:
    """Write a text as code within a line."""
    shown = one_line(text, COMMAND_LIMIT)
    fence = _fence(shown)
    pad = " " * ("`" in shown or bool(re.fullmatch(" .*[^ ].* ", shown)))  # of two blanks at both ends one gets lost
    return f"{fence}{pad}{shown}{pad}{fence}"


def fenced(lines: Iterable[str], language: str = "") -> list[str]:
    """Write lines as a block of code, between fences that none of them can end."""
    text = list(lines)
    fence = _fence("\n".join(text), 3)
    return [f"{fence}{language}", *text, fence]


def _fence(text: str, least: int = 1) -> str:
    return "`" * max(least, *(len(run) + 1 for run in re.findall("`+", text)), 0)
