"""What is behind a wrong answer: by its sources, line by line or to a compiler, and by the lines of its cases."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal
from itertools import product, takewhile
from pathlib import Path
from statistics import mean
from typing import Any

from msgspec.structs import replace

from grader.core.judge.totals import CaseAnswer, TokenRow, token_rows
from grader.core.lazy import lazy_regex
from grader.core.model.execution import Execution, Launch, Runner
from grader.core.model.limits import Limits
from grader.core.model.spec import Toolchain
from grader.core.notebook import NotebookError, is_notebook, module_name, read_cells, to_linear_source
from grader.core.text import quote

_MAX_SOURCE_BYTES, _MAX_SOURCES, _MAX_NAME_LENGTH, _MAX_COLUMNS = 2**18, 20, 32, 1000
_MAX_LINE_LENGTH, _MAX_TEXT_LENGTH = 40, 110
ANY_WORD = lazy_regex(r"\w+")


def meaning_of_error(text: str, language: str) -> str:
    """Say what an error of a compiler or a runtime in a text means, by the table of its language; or ""."""
    tables = (table for languages, table in _ERRORS.items() if language in languages.split())
    found = ((re.search(pattern, text, re.MULTILINE), says) for table in tables for pattern, says in table.items())
    return next((says.format(*it.groups()) for it, says in found if it), "")


def sources_in(folder: Path, endings: tuple[str, ...]) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield the names of sources and the lines that they begin with; of a notebook, those of its cells."""
    paths = [path for path in sorted(folder.iterdir()) if path.suffix in endings]
    notebooks = {module_name(path.name) for path in paths if is_notebook(path.name)}
    for path in paths[:_MAX_SOURCES]:
        if path.is_file() and not path.is_symlink() and path.name not in notebooks:
            with path.open("rb") as file:
                text = file.read(-1 if is_notebook(path.name) else _MAX_SOURCE_BYTES)
            try:
                text = to_linear_source(read_cells(text)) if is_notebook(path.name) else text
            except NotebookError:
                text = b""
            lines = text[:_MAX_SOURCE_BYTES].decode("utf-8-sig", "replace").replace("\0", "\ufffd").splitlines()
            yield path.name, [line[:_MAX_COLUMNS] for line in lines]  # the patterns take quadratic time


_COMPILERS: Mapping[str, tuple[str, tuple[str, ...]]] = {"c": ("gcc", (".c",)), "cpp": ("g++", (".cpp", ".cc", ".cxx"))}
# C and C++ are compiled once more: gcc sees little without optimisation, and warnings are the assignment's choice.
_OPTIONS = ("-Wall", "-Wextra", "-Wlogical-op", "-O2", "-c")
_LIMITS = Limits(time=20.0, cpu=10.0, memory=2**30, output=2**18)
# What warnings that tell of a mistake mean, by patterns, the plainest first, "" for the compiler's own words; what
# errors mean, by language; and how it tells which lines ran: what stands before the program's file, and a shell's line.
_WARNINGS, _ERRORS, _LINE_TOOLS = json.loads(Path(__file__).with_name("meanings.json").read_bytes()).values()
_WARNING = lazy_regex(
    r"(?m)^(?P<file>[^\s:/][^\n:/]{0,99}):(?P<line>\d{1,7}):\d+: warning: (?P<text>.+) \[-W(?P<kind>[a-z-]+)[=\d]*\]"
    r"(?:\n +\d+ \| (?P<source>.*))?$"
)
_WITHIN = lazy_regex(r"(?m)^[^\n:]+: In (?:member )?function .([^\u2019'\n(]*)(?:\([^\u2019'\n]*)?.:$")
_NAME = lazy_regex(r"[\u2018']([^\u2019'\n]+)[\u2019']")


def warning_of_compiler(launch: Launch, toolchain: Toolchain, execute: Runner) -> tuple[tuple[str, int], str]:
    """Return the plainest warning about the sources of a program, as `plainest_warning` does."""
    compiler, endings = _COMPILERS.get(toolchain.name, ("", ()))
    sources = [name for name, _ in sources_in(launch.folder, endings) if name[0] != "-"] if launch.folder else []
    again = Launch(
        argv=(compiler, *_OPTIONS, *sources), folder=launch.folder, limits=_LIMITS, permits=toolchain.permits
    )
    execution = execute(again) if sources else Execution()
    return plainest_warning("" if execution.limit else execution.stderr.decode(errors="replace"))


def plainest_warning(log: str) -> tuple[tuple[str, int], str]:
    """Return the warning in a log that tells most of a mistake: its place, and a sentence."""
    found = [(f"{one['kind']}: {one['text'][:_MAX_TEXT_LENGTH]}", one) for one in _WARNING.finditer(log)]
    those = [(it, so, told) for what, told in _WARNINGS.items() for text, it in found if (so := re.match(what, text))]
    if not those:
        return ("", 0), ""
    first, words, meaning = those[0]
    around = ["the function", *map(quote, re.findall(r"[\w:~]+", " ".join(_WITHIN.findall(log, 0, first.start()))))]
    name = quote(named[1]) if (named := _NAME.search(first["text"])) else "a variable"
    own = _NAME.sub(r"`\1`", first["text"])[:_MAX_TEXT_LENGTH]
    text = meaning.format(*words.groups(), function=around[-1], name=name) or own
    place = f"line {first['line']} of {quote(first['file'], most=_MAX_NAME_LENGTH)}"
    shown = f", {quote(source, most=_MAX_LINE_LENGTH)}" if (source := (first["source"] or "").strip()) else ""
    return (first["file"], int(first["line"])), f"The compiler warns of {place}{shown}: {text}{'.' * (text[-1] != '?')}"


# ---------------- Which lines a run reached, by what comes with the language
_TRACED = lazy_regex(r"(?m)^(?:\.lines/)?(.+?)\.(?:cover|gcov):(?:(\d+):)? *([\d#>*]+):?(?: *(\d+):)?$")


def without_missed(mistakes: Sequence[Any], launch: Launch, language: str, execute: Runner) -> list[Any]:
    """Run a program once more; return the mistakes but those that it passes over. Raises where nothing is known."""
    words, shell = _LINE_TOOLS[language]
    at = next(place for place, word in enumerate(launch.argv) if word.endswith(".py")) if words else 1
    argv = ("sh", "-c", shell, "sh", *launch.argv[:at], *words.split(), *launch.argv[at:])
    soon = replace(_LIMITS, time=10.0, cpu=4.0)
    printed = execute(replace(launch, argv=argv, argv_untuned=(), preload="", collect=(), limits=soon)).stdout.decode()
    lines = {(name, int(line or other)): mark[0] in "#>" for name, line, mark, other in _TRACED.findall(printed)}
    scripts = json.loads(printed)["result"] if language == "javascript" else ()
    parts = {Path(one["url"]).name: [part for by in one["functions"] for part in by["ranges"]] for one in scripts}
    for it, part in ((one, part) for one in mistakes for part in parts.get(one.file, ())):  # the outer ones first
        text = ((launch.folder or Path()) / it.file).read_bytes()[:_MAX_SOURCE_BYTES].decode()
        first, last = (text.count("\n", 0, part[end]) + 1 for end in ("startOffset", "endOffset"))
        lines |= {(it.file, it.line): not part["count"]} if first < it.line < last else {}
    those = [(it, [at for at in lines if at[0] == it.file.removesuffix(".py") and at[1] <= it.line]) for it in mistakes]
    return [one for one, places in those if one.always or not places or not lines[max(places)]]


# ---------------- What a wrong word is instead, by the lines of its cases: a fact to look up, and never a cause
_MAX_CASES, _LARGE, _WHOLE = 20, 10, 2**10
_AMOUNTS: Mapping[str, Callable[..., Any]] = {"sum": sum, "average": mean, "largest": max, "smallest": min}
_SLIPS: Mapping[str, Callable[..., Any]] = {  # how an amount may be taken of a column, and what it is then
    "of the last alone": lambda amount, column: amount(column[-1:]),
    "without the last": lambda amount, column: amount(column[:-1]),
    "without the first": lambda amount, column: amount(column[1:]),
    "of their whole parts": lambda amount, column: amount([Decimal(int(number)) for number in column]),
    "of them as texts": lambda amount, column: amount(column, key=str) if amount in (max, min) else amount(column),
}


def relate_answers(answers: Sequence[CaseAnswer]) -> Mapping[str, str]:
    """Return case id -> what the first wrong word of the case is instead, by an explanation that fits all cases."""
    seen = [(it, _places(it)) for it in answers[:_MAX_CASES] if max(len(it.want), len(it.given)) < _WHOLE]
    return {it.case.id: _describe(it, own, seen) for it, own in seen[:_LARGE] if it.have != it.want}


def _places(answer: CaseAnswer) -> Mapping[str, Any]:
    """Return what there is by the words before it on its line: it, what is right, and the numbers of line and word."""
    pairs, rows = dict[str, Any](), zip(token_rows(answer.have), token_rows(answer.want), strict=False)
    alike = takewhile(lambda pair: len(pair[0][1]) == len(pair[1][1]), rows)  # then, lines may not belong together
    for number, (have, want) in enumerate(alike):
        for at, pair in enumerate(zip(have[1], want[1], strict=True)):
            before = " ".join("0" if type(word) is Decimal else word for word in want[1][:at])
            pairs.setdefault(before, (*pair, number, at))
    return pairs


def _describe(answer: CaseAnswer, own: Mapping[str, Any], seen: Sequence[tuple[CaseAnswer, Any]]) -> str:
    """Return the sentence about a failed case; "" where no explanation fits all cases."""
    key = next((key for key, (have, want, *_) in own.items() if have != want), "-")
    there = [(places[key], {n: to for n, to, _ in _ways(it, *places[key])}) for it, places in seen if key in places]
    for name, _, fact in _ways(answer, *own[key]) if there and str(own[key][0]) in answer.have else ():
        fits = (ways[name] == have if name in ways else have == want for (have, want, *_), ways in there)
        if sum(name in ways for _, ways in there) > name[0] and all(fits):
            return fact
    return ""


def _ways(answer: CaseAnswer, word: Any, right: Any, number: int, at: int) -> Iterator[tuple[Any, Any, str]]:
    """Yield ways to be wrong where `right` is expected: too few cases and a name, the answer, and what to say."""
    rows = token_rows(answer.want)
    near = rows[:number] if rows[1:number] else rows[number + 1 :]
    often = Counter(shape for *_, shape in near).most_common(1)
    for source, table in enumerate(([row for row in near if row[2] == often[0][0]], token_rows(answer.given))):
        for place, column in enumerate(zip(*(words for _, words, _ in table), strict=False) if table[1:] else ()):
            if {*map(type, column)} == {Decimal}:
                yield from (((*name, source, place), value, fact) for name, value, fact in _slips(right, table, place))
    if type(right) is type(word) is Decimal:
        unit, by, how = Decimal(1).scaleb(int(right.as_tuple()[2])), word - right, "more" if word > right else "less"
        for line, (label, whole), _ in (row for row in rows if row[2][1:] == (str, Decimal) and unit < 1):
            n, asked = (round(whole / one) if one else 0 for one in (word, right))
            is_by = n and asked > 1 and max(abs(whole / n - word), abs(whole / asked - right)) * 2 <= unit
            if is_by and abs(whole) > _LARGE * max(n, asked) ** 2 * unit:  # else there is such a number for any word
                yield (0, label), word, f"{word} is {quote(line)} divided by {n}, not by {asked}."
        before = sum(words[at] for _, words, shape in rows[:number] if shape == rows[number][2])
        if right + before >= _LARGE and rows[number][2] != (True, str, Decimal):
            fact = f"{word} is {right} and the {before} above: is it not set back for each line?"
            yield (0, "before"), right + before, fact
        if by == -unit > -1 and right.as_tuple().digits[2:]:
            yield (0, "unit"), word, f"{word} is {unit} less than expected: are decimals cut off, and not rounded?"
        yield (1, by), word, f"{word} is {abs(by)} {how} than expected, as in each case that is wrong there."


def _slips(right: object, table: Sequence[TokenRow], at: int) -> Iterator[tuple[Any, Any, str]]:
    """Yield what a column of numbers comes to, and what stands beside its extremes, if a part of it is overlooked."""
    column, line = [words[at] for _, words, _ in table], table[0][0]
    for best, beside in product((max, min), range(min(at, 2))):
        *those, last = [row for row in table if row[1][at] == best(column)]
        for wanted in [row for row in table if row[1][beside] == right and min(column) < max(column)][:1]:
            how = (
                f"has as much as {quote(wanted[0])}, and is the last of them."
                if wanted in those
                else f"has {last[1][at]} where {quote(wanted[0])} has {wanted[1][at]}: is that compared?"
            )
            if wanted in (*those, last) or (best is max and table[2:]):
                yield (1, beside, best), last[1][beside], f"{quote(last[0])} {how}"
    such, texts = f"all numbers such as {column[0]} in {quote(line)}", token_rows("".join(map(str, column)))[0][1][0]
    if type(right) is Decimal and (right >= _LARGE or "." in str(right)):  # else it may be so by chance
        for (name, amount), (how, slip) in product(_AMOUNTS.items(), _SLIPS.items()):
            if amount(column).quantize(right, ROUND_HALF_UP) == right and (column[2:] or amount is sum):
                value = slip(amount, column).quantize(right, ROUND_HALF_UP)
                yield (0, name, how), value, f"{value} is the {name} {how}; {right} is the {name} of {such}."
        if sum(column) == right and min(column) >= 0:
            yield (0, "texts"), texts, f"It is {such}, written one after another: they are added as texts."
