"""What is said of a test and of its cases, in words and in blocks, for all views of a report and of a class."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import import_module
from io import StringIO
from itertools import groupby, islice, zip_longest
from typing import Any, Literal

from msgspec import UNSET, Struct

from grader.core.deviations.table import STREAM_KINDS
from grader.core.lazy import lazy_call, lazy_regex
from grader.core.model.report import (
    ByHand,
    CauseKind,
    Report,
    ReportedCase,
    ReportedDeviation,
    ReportedFinal,
    ReportedTest,
    ReportedTurn,
    Verdict,
    fraction,
)
from grader.core.model.spec import SCREEN, STREAMS, Test
from grader.core.text import (
    common_length,
    count,
    count_points,
    full_sentence,
    joined,
    listed,
    one_line,
    point_word,
    points,
    sentence,
    show,
    signed,
)

LINES_COMPARED, BLOCK, CONTEXT = 60, 4, 2  # lines compared of each side, shown of one in a change, and around it
# Written down, a carriage return or a form feed is an escape; for the judge it was a blank, and so it is here.
_SequenceMatcher = lazy_call("difflib", "SequenceMatcher")
_BLANK = lazy_regex(r"[ \t\n]|\\r|\\x0[bc]")


def diff_lines(expected: str, actual: str, *, most: int = 16, width: int = 160) -> list[str]:
    """At most `most` lines, each starting with `-` expected, `+` actual, a space, `@@ line 12 @@`, or `…` for "more".

    `·` is a space and `→` a tab where they matter, `⏎` a newline. Empty only when both are the same.
    """
    if expected == actual:
        return []
    start = expected.rfind("\n", 0, common_length(expected, actual)) + 1
    for _ in range(CONTEXT):
        start = expected.rfind("\n", 0, max(start - 1, 0)) + 1
    number = expected.count("\n", 0, start) + 1
    wanted, got = ([*islice(StringIO(text[start:]), LINES_COMPARED)] for text in (expected, actual))
    is_cut = start + sum(map(len, wanted)) < len(expected) or start + sum(map(len, got)) < len(actual)
    # Where one text ends without its last newline, lines show that they have one.
    ends = bool(expected and actual) and expected.endswith("\n") != actual.endswith("\n")
    matcher = _SequenceMatcher(None, wanted, got, autojunk=False)
    changes = matcher.get_opcodes()
    if is_cut and len(changes) > 2 and changes[-1][0] != "equal":  # noqa: PLR2004 - it is not the only change
        changes.pop()  # where the window ends, lines may look missing that only lie behind it
    lines, groups = list[str](), [*matcher.get_grouped_opcodes(CONTEXT)]  # of the same list
    for group in groups:
        lines += [f"@@ line {number + group[0][1]} @@"] if number > 1 or len(groups) > 1 else []
        for kind, left, left_end, right, right_end in group:
            removed, added = wanted[left:left_end], got[right:right_end]
            changed = [*_side("-", removed, added, width, ends=ends), *_side("+", added, removed, width, ends=ends)]
            lines += [f"  {_clip(line, width)}" for line in removed] if kind == "equal" else changed
    return [*lines[: most - 1], "…"] if is_cut or len(lines) > most else lines


def excerpt(text: str, *, most: int = 8, width: int = 160, indent: str = "", plain: bool = False) -> list[str]:
    """Return the first and the last lines of an output; in a `plain` one, such as a log, blanks are not marked."""
    if plain:
        text = "\n".join(line.rstrip() for line in text.expandtabs(4).split("\n"))
    lines, half = text.removesuffix("\n").split("\n") if text not in {"", "\n"} else [], most // 2
    is_cut = len(lines) > most
    shown = [indent + _clip(line, width) for line in (lines[:half] + lines[-half:] if is_cut else lines)]
    return [*shown[:half], f"{indent}…", *shown[half:]] if is_cut else shown


def _side(mark: str, lines: Sequence[str], counterparts: Sequence[str], width: int, *, ends: bool) -> Iterator[str]:
    """Show the changed lines of one side; one that differs by nothing but blanks has all of them visible."""
    for line, counterpart in islice(zip_longest(lines, counterparts[: len(lines)]), BLOCK):
        same = 0 if counterpart is None else common_length(line, counterpart)
        ink = _BLANK.sub("", line)
        only_blanks = not ink or (counterpart is not None and ink == _BLANK.sub("", counterpart))
        # The part around the first difference, of a line whose start is long and the same.
        start = same - width // 2 if same > width * 3 // 4 else 0
        yield f"{mark} {_clip(line, width, start, every_blank=only_blanks, has_end=ends or only_blanks)}"
    if len(lines) > BLOCK:
        yield f"{mark} … and {count(len(lines) - BLOCK, 'more line')}"


def _clip(line: str, width: int, start: int = 0, *, every_blank: bool = False, has_end: bool = False) -> str:
    """Cut a line, and show its blanks: all of them, or those at the end."""
    raw = line[start : start + width]
    text = raw.removesuffix("\n").replace("\t", "→")
    stripped = "" if every_blank else text.rstrip(" ")
    text = stripped + text[len(stripped) :].replace(" ", "·") + "⏎" * (has_end and raw.endswith("\n"))
    return "…" * (start > 0) + text + "…" * (start + len(raw) < len(line))


CASE_NAMES, NUMBERS_SHOWN = 3, 8  # names of cases, and numbers, that are written out before "and 4 more"
COMMAND_LIMIT, NAME_LIMIT = 1000, 80  # bytes of a command, and of a name of the student's
DIGITS = 12  # digits of a digest: enough to identify a submission
FULL_MARKS, PART_OF_POINTS, NO_POINTS = "full marks", "part of the points", "no points"
EXCUSED = "excused"  # of a student who has no score, and lacks none

# The verdicts that points say better, and what they are without points.
_BY_POINTS: dict[str, str] = {Verdict.PASSED: "right", Verdict.PARTIAL: "partly right", Verdict.FAILED: "wrong"}
_ENDS = _BY_POINTS | {"crashed": "crashed", "timeout": "stopped", "memory": "stopped", "output": "stopped"}
PREDICATES: dict[CauseKind, str] = {
    "unreadable": "cannot be read",
    "not-built": "cannot be built",
    "cannot-start": "cannot be started",
    "crashed": "crashed",
}

CauseKey = tuple[str, ...]  # what `cause_of` returns: to be compared, not to be shown
QUOTATION = lazy_regex(r"(`[^`]*`)")  # what a sentence quotes
_FIRST_SENTENCE = lazy_regex(r"(?:[^`.!?]|`[^`]*`|[.!?](?! ))*[.!?]?")
_NUMBER = lazy_regex(r"\d+(?:\.\d+)?")
_CALLED = lazy_regex(r"[A-Za-z_]\w*")
_THROWN = lazy_regex(r"\b[A-Za-z_]\w*(?:Exception|Error|Interrupt|Exit)\b")
_NUMBERED = lazy_regex(r"[^\[\]]*\[([^\[\],=]+)=(-?[0-9]{1,9})\]")  # a case of a test with one variable


def is_shown(test: ReportedTest | Test, *, after_due: bool = False) -> bool:
    """Whether students see more of a test than its name and score."""
    return test.visibility == "visible" or (after_due and test.visibility == "after-due")


def word_for(verdict: str, score: float | None, most: float) -> str:
    """Say for people what a verdict is, of `score` of `most` points; without points, only right and wrong."""
    if verdict not in _BY_POINTS:
        return "not built" if verdict == Verdict.BUILD_FAILED else str(verdict)
    if not most:
        return _BY_POINTS[verdict]
    if verdict == Verdict.PASSED or (score or 0) >= most:  # a bonus may make up for what was lost elsewhere
        return FULL_MARKS
    return PART_OF_POINTS if score else NO_POINTS


def word_for_report(report: Report) -> str:
    """Say for people what came of a submission."""
    verdict = report.verdict if report.counted in {None, report.score} else Verdict.PARTIAL
    return EXCUSED if report.is_excused else word_for(verdict, report.counted, report.max_score)


def word_for_test(test: ReportedTest) -> str:
    """Say for people what came of a test."""
    cause = next((case.cause for case in test.cases if case.cause and test.verdict is Verdict.CRASHED), None)
    return PREDICATES[cause] if cause else word_for(test.verdict, test.score, test.points)


def word_for_case(case: ReportedCase, test: ReportedTest) -> str:
    """Say for people what came of a case: where a test gives all or nothing, its credit may be worth no points."""
    return PREDICATES[case.cause] if case.cause else word_for(case.verdict, 0 if test.score == 0 else case.credit, 1)


def headline(report: Report) -> str:
    """`alice  87.5 of 100  part of the points`; the name is shown escaped."""
    score = "" if report.is_excused else out_of(report.counted, report.max_score)
    return "  ".join(filter(None, (one_line(report.submission.id, NAME_LIMIT), score, word_for_report(report))))


def out_of(score: float | None, most: float) -> str:
    """`87.5 of 100`, or `? of 100` for a score that is not known."""
    return f"{'?' if score is None else points(score)} of {points(most)}"


def out_of_points(score: float | None, most: float) -> str:
    """`87.5 of 100 points`, or `0 of 1 point`, for the middle of a sentence."""
    return f"{'?' if score is None else points(score)} of {count_points(most)}"


def test_points(test: ReportedTest) -> str:
    """The points of one test as a table shows them."""
    return out_of(test.score, test.points) + " (bonus)" * test.bonus if test.points else "not scored"


def describe_groups(test: ReportedTest, *, by_credit: bool = False) -> list[tuple[ReportedCase, ...]]:
    """Group the cases with something to report by their cause; what the submission's cause decides is above, once.

    With `by_credit` these are there too, and cases with different credits are separate: for views that show the credit.
    """
    groups: dict[object, list[ReportedCase]] = {}
    for case in test.cases:
        deviations = case.deviations if by_credit else own_deviations(case)
        is_above = not by_credit and (case.cause or case.verdict in {Verdict.BUILD_FAILED, Verdict.NOT_READABLE})
        if not is_above and (deviations or not (case.verdict is Verdict.PASSED or case.deviations)):
            groups.setdefault((case.credit if by_credit else None, cause_of(case)), []).append(case)
    return [tuple(group) for group in groups.values()]


def own_deviations(case: ReportedCase) -> list[ReportedDeviation]:
    """Return the deviations of the case itself: a repair is one of the whole work, and reported there."""
    return [deviation for deviation in case.deviations if deviation.stream != "build"]


def cause_of(case: ReportedCase) -> CauseKey:
    """Return what is the same for cases of a test with one cause, of which one sentence is enough.

    Where its first text is not empty, it is the same in any test: a crash, a limit, named deviations of its output, or
    what stands before its sentence. Else it is what is the same in its sentences whatever they quote and count.
    """
    own = own_deviations(case)
    text = next(_FIRST_SENTENCE.finditer(case.message))[0]  # what stands behind it are remarks
    if case.verdict is Verdict.CRASHED and not own and "`" in text:
        return "crash", _unquoted(text, _THROWN)
    if case.limit:
        return "limit", case.limit, case.verdict, _NUMBER.sub("0", text)
    kinds = [f"{one.kind} {one.stream} {one.keeps} {one.counted_in or ''}" for one in own]
    if own and all(deviation.kind != "wrong" for deviation in own):
        is_output = all(deviation.stream in STREAMS and "\n" not in deviation.message for deviation in own)
        return "named" if is_output else "", case.verdict, *kinds
    if start := min((place for deviation in own if (place := case.message.find(deviation.sentence)) >= 0), default=0):
        return "before", case.verdict, case.message[:start]
    names = _CALLED if any(deviation.stream == "call" for deviation in own) else _THROWN
    sentences = (_unquoted(text, names) for text in [deviation.sentence for deviation in own] or [text])
    return "", case.verdict, *kinds, *(_NUMBER.sub("0", text) for text in sentences)


def _unquoted(sentence: str, names: re.Pattern[str]) -> str:
    return QUOTATION.sub(lambda quoted: " ".join(names.findall(quoted[0])), sentence)


def case_summary(case: ReportedCase) -> str:
    """Summarise one case in a sentence; never empty."""
    text = case.message or " ".join(deviation.sentence for deviation in case.deviations)
    return sentence(text) or f"The case is {case.verdict}."


def describe_group(group: Sequence[ReportedCase], test: ReportedTest, referral: str = "") -> str:
    """Describe the cases of a test with one cause: their extent, and the summary of the first, or the `referral`."""
    summary = referral or case_summary(group[0])
    if not referral and any(case_summary(case) != summary for case in group[1:]):
        summary = f"In {one_line(group[0].id, NAME_LIMIT)}: {summary}"
    return f"{extent(group, test)} {summary}".strip()


def extent(group: Sequence[ReportedCase], test: ReportedTest) -> str:
    """`Right for n = 1, 4, 5; wrong from 6 on.`, where the cases of the test differ in one number only; else empty."""
    numbered = {case.id: match.groups() for case in test.cases if (match := _NUMBERED.fullmatch(case.id))}
    numbers = {name: int(number) for name, (_, number) in numbered.items()}
    variables = {variable for variable, _ in numbered.values()}
    right = sorted(numbers.get(case.id, 0) for case in test.cases if case.verdict is Verdict.PASSED)
    how = _ENDS.get(group[0].verdict)
    if len(group) == 1 or not how or not right or len(numbered) < len(test.cases) or len(variables) > 1:
        return ""
    own = sorted(numbers[case.id] for case in group)
    is_rest = own == sorted(number for number in numbers.values() if number >= own[0])
    own_numbers, right_numbers = (listed([*map(str, some)], most=NUMBERS_SHOWN) for some in (own, right))
    where = f"from {own[0]} on" if is_rest else f"for {own_numbers}"
    return f"Right for {one_line(variables.pop(), NAME_LIMIT)} = {right_numbers}; {how} {where}."


def names(cases: Sequence[ReportedCase]) -> str:
    """`usage[2], usage[3], usage[4] and 3 more`."""
    return listed([one_line(case.id, NAME_LIMIT) for case in cases[:CASE_NAMES]], total=len(cases))


# ---------------- The parts of a document: what `to_document` makes of a report, and what a format renders


class Heading(Struct, frozen=True):
    """A title: of the document at level 1, of its parts at level 2, of cases at level 3."""

    text: str
    level: int = 2
    points: str = ""
    word: str = ""  # what came of it
    anchor: str = ""  # a name that is unique in the document


class Text(Struct, frozen=True):
    """A paragraph, with a word before it; quotations in it stand between backticks."""

    text: str
    role: Literal["", "sentence", "item", "command", "hint", "about", "quiet", "ours", "warning"] = ""
    label: str = ""


class Lines(Struct, frozen=True):
    """Lines in which every character counts."""

    lines: Sequence[str]
    title: str = ""
    label: str = ""  # what it is, where no title is shown
    indent: str = ""  # what stands before each line where nothing else sets them apart


class TableCell(Struct, frozen=True):
    """A cell of a table."""

    text: str
    is_word: bool = False  # it says what came of something
    anchor: str = ""  # of the heading that it leads to
    share: tuple[str, str] | None = None  # points and the most that there are, for a bar


class TextTable(Struct, frozen=True):
    """Rows below a head, which may be empty; with a title, the first cell of a row names it."""

    head: Sequence[str]
    rows: Sequence[Sequence[TableCell]]
    title: str = ""


Block = Heading | Text | Lines | TextTable


# ---------------- The words for what comes after the grading: from the graded score to the final one, a line each


def describe_final(
    final: ReportedFinal | None, most: float, report: Report | None, *, in_lines: bool = False
) -> list[str]:
    """Say how a final score came about, a sentence each; with `in_lines`, what somebody typed keeps its line breaks."""
    if not final:
        return []
    sentences = [f"Graded: {out_of_points(report.score, report.max_score)}." if report else "Nothing was handed in."]
    tests = report.tests if report else ()
    if report and report.score is None and (graded := [test for test in tests if test.score is not None]):
        known = points(sum(fraction(test.score or 0) for test in graded))
        there = count_points(sum(fraction(test.points) for test in graded if not test.bonus))
        ungraded = [f"{_quoted(test.name)} ({count_points(test.points)})" for test in tests if test.score is None]
        sentences = [f"Graded: {known} of {there}, without {joined(ungraded)}."]
    if late := final.late:
        lost = f": {signed(fraction(late.points))} {point_word(abs(late.points))}." if late.points else " work:"
        sentences.append(f"Late{lost} {sentence(late.message)}")
    for change in sorted(final.by_hand, key=lambda change: (change.file or "", change.line or 0)):  # no file first
        *lines, last = show(change.why).split("\n")
        why = _describe_by_hand(change, report) + "\n".join([*map(sentence, lines), full_sentence(last)])
        code = f"This is about {_quoted(change.code)}." if change.code else ""
        sentences.append(" ".join(filter(None, (why, code, sentence(change.changed)))))
    decided = {change.test for change in final.by_hand if change.score is not UNSET}
    still = [_quoted(test.name) for test in tests if test.score is None and test.name not in decided]
    still = still if final.score is None else []
    missing = f"; {joined(still)} {'is' if len(still) == 1 else 'are'} still to be decided" if still else ""
    end = "excused, so there is no score" if final.is_excused else f"{out_of_points(final.score, most)}{missing}"
    sentences.append(f"Final: {end}.")
    return sentences if in_lines else [*map(sentence, sentences)]


def _quoted(name: str) -> str:
    return f"`{one_line(name, NAME_LIMIT)}`"


def _describe_by_hand(change: ByHand, report: Report | None) -> str:
    place = f"{one_line(change.file, NAME_LIMIT)}{f':{change.line}' if change.line else ''}" if change.file else ""
    about = ", ".join(filter(None, ("By hand", one_line(change.test, NAME_LIMIT), place)))
    most = next((test.points for test in report.tests if test.name == change.test), None) if report else None
    if change.points is not None:
        return f"{about}: {signed(fraction(change.points))} point{'s' * (abs(change.points) != 1)}. "
    if change.excused or change.score is UNSET:
        return f"{about}: excused. " if change.excused else f"{about}: "
    amount = f"{count_points(change.score)} in all" if most is None else out_of_points(change.score, most)
    return f"{about}: {amount}{', in place of what was graded' if change.graded is not None else ''}. "


_RULES = ("fence", "code", "table", "list", "backticks")
_parser = cache(lambda: import_module("markdown_it").MarkdownIt("zero").enable(_RULES))
_CODE_INDENT = " " * 4


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
            head, *rest = ([TableCell(cell.children[0].content) for cell in row.children] for row in rows)
            yield TextTable([cell.text for cell in head], rest)
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


GROUPS, REMARKS, SCREEN_LINES = 3, 5, 24  # what a screen shows: sentences of a test, remarks, lines of programs
_DRAWING_LINES, _TURNS, _TURN_LINES, _TURN_WIDTH = 40, 16, 6, 60
_SHORT_VALUE, _SHORT_INPUT = 40, 80  # what a sentence quotes as a whole, and what only the command shows
_SIGNS = {"-": "expected", "+": "yours", "·": "a space", "→": "a tab", "⏎": "the end of a line"}
CasePlace = tuple[str, ReportedCase]


def blocks_of_test(
    test: ReportedTest, anchor: str = "", known: dict[CauseKey, CasePlace] | None = None, *, brief: bool = False
) -> Iterator[Block]:
    """Describe what is wrong in a test that students may see; `known` has where each cause is described first."""
    known = {} if known is None else known
    groups = [(group, known.get(cause_of(group[0]))) for group in describe_groups(test)]
    places = {place[0] if place else "" for _, place in groups}
    is_known = len(places) == 1 and "" not in places
    groups = [pair for pair in groups if not (brief and pair[0][0].verdict is Verdict.PASSED)]  # reported elsewhere
    decided, most = describe_decided(test), GROUPS if brief else len(groups)
    causes = {cause_of(group[0]): (one_line(test.name, NAME_LIMIT), group[0]) for group, _ in groups[:most]}
    known.update({cause: place for cause, place in causes.items() if cause[0] and cause not in known})
    if not groups and not (decided and test.hint):
        return
    total = f"the same as in `{places.pop()}`" if brief and is_known else test_points(test)
    yield Heading(sentence(test.name), points=total, anchor=anchor)
    yield from [Text(sentence(test.about), "about")] if test.about and not brief else []
    yield from [Text(decided)] if decided else []
    for group, place in groups[: 0 if brief and is_known else most]:
        yield Heading(names(group), 3, word=word_for_case(group[0], test))
        where = f"The cause is the same as in the test `{place[0]}`." if place else ""
        yield Text(describe_group(group, test, where), "sentence")
        # A stack trace is enough once; another output may show more.
        if not place or (group[0].verdict is not Verdict.CRASHED and evidence(group[0]) != evidence(place[1])):
            yield from case_blocks(group[0])
    yield from [Text(f"and {len(groups) - most} more", "quiet")] if len(groups) > most else []
    # What a hint is about is something else than what went wrong in another test.
    yield from hint_blocks("" if is_known else test.hint)


def describe_decided(test: ReportedTest) -> str:
    """Name the cases that the submission's cause decides, and say in a word how; else what is noted of a test."""
    decided = [case for case in test.cases if case.cause]
    if not decided:
        return sentence(test.note or "")
    return f"{names(decided)}: {word_for_case(decided[0], test)}; the cause is at the top."


def case_blocks(case: ReportedCase) -> Iterator[Block]:
    """Show what is behind the sentence about a case: what is drawn, the command, the streams."""
    drawn = "\n".join(filter(None, (deviation.message.partition("\n")[2] for deviation in case.deviations)))
    lines = excerpt(drawn, most=_DRAWING_LINES, plain=True)
    yield from [Lines(lines, label="Drawing")] if lines else []
    if case.exit is not None and case.verdict is not Verdict.PASSED and case.command:
        yield Text(one_line(case.command, COMMAND_LIMIT), "command", label="To repeat it")
    yield from evidence(case)


def evidence(case: ReportedCase) -> list[Lines]:
    """Show why a case did not pass: the streams in question, against the expected text where there is one."""
    if case.exit is None or case.verdict is Verdict.PASSED:
        return []
    shown = describe_input(case)
    if turns := case.transcript:
        of = f"the last {_TURNS} of {len(turns)} turns of " if len(turns) > _TURNS else ""
        shown.append(Lines([line for turn in turns[-_TURNS:] for line in _turn_lines(turn)], f"{of}the dialogue"))
    for value in case.values:
        wanted, got = value.expected, value.actual
        # Of two short ones the sentence says it all.
        if max(len(wanted), len(got)) >= _SHORT_VALUE or not wanted.count("\n") == got.count("\n") == 1:
            shown.append(Lines(diff_lines(wanted, got), value.name))
    shown += _streams(case)
    if smallest := case.smallest:
        given = excerpt(smallest.stdin, indent="    ")
        lines = [f"  $ {one_line(smallest.command)}", *["  given on standard input:"][: len(given)], *given]
        shown.append(Lines([*lines, f"  {sentence(smallest.message)}"], "the smallest input that shows it"))
    return [Lines(part.lines, f"{part.title}{_legend(part.lines)}") for part in shown if part.lines]


def _legend(lines: Sequence[str]) -> str:
    """Explain the signs that occur in lines; the first two stand at the start of one."""
    present = {line[:1] for line in lines} | (set("".join(lines)) - {"-", "+"})
    signs = ", ".join(f"{sign} {what}" for sign, what in _SIGNS.items() if sign in present)
    return f" ({signs})" if signs else ""


def _turn_lines(turn: ReportedTurn) -> list[str]:
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


def describe_input(case: ReportedCase) -> list[Lines]:
    """Show the input of a program if it is more than a line: the command has it on one line, or not at all."""
    if case.input is UNSET:
        return []
    place = ", here stdin.txt" if "< stdin.txt" in case.command else ""
    given = {f"its standard input{place}": case.input.stdin}
    given |= {f"the file {one_line(name, NAME_LIMIT)}": text for name, text in case.input.files.items()}
    long = [(title, text) for title, text in given.items() if text.count("\n") > 1 or len(text) > _SHORT_INPUT]
    return [Lines(excerpt(text, indent="  "), title) for title, text in long]
