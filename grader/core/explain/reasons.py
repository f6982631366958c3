"""What is behind a wrong answer: by its sources, line by line or to a compiler, and by the lines of its cases."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache
from itertools import product, takewhile
from pathlib import Path
from statistics import mean
from typing import Any

from msgspec.structs import replace

from grader.core.judge.totals import CaseAnswer, TokenRow, token_rows
from grader.core.lazy import lazy_regex
from grader.core.model.execution import Launch, Runner
from grader.core.model.limits import Limits
from grader.core.model.spec import Toolchain
from grader.core.notebook import NotebookError, is_notebook, module_name, read_cells, to_linear_source
from grader.core.text import quote

_MAX_SOURCE_BYTES, _MAX_SOURCES, _MAX_NAME_LENGTH, _MAX_COLUMNS = 2**18, 20, 32, 1000
_MAX_LINE_LENGTH, _MAX_TEXT_LENGTH, ANY_WORD = 40, 110, lazy_regex(r"\w+")


def meaning_of_error(text: str, language: str) -> str:
    """Say what an error of a compiler or a runtime in a text means, by the table of its language; or ""."""
    tables = (table for languages, table in _ERRORS.items() if language in languages.split())
    found = ((re.search(pattern, text, re.MULTILINE), says) for table in tables for pattern, says in table.items())
    return next((says.format(*it.groups()) for it, says in found if it), "")


def sources_in(folder: Path, endings: tuple[str, ...]) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield the names of sources and the lines that they begin with; of a notebook, those of its cells."""
    paths = [path for path in sorted(folder.iterdir()) if path.suffix in endings]
    made = {module_name(path.name) for path in paths if is_notebook(path.name)}
    for path in (it for it in paths[:_MAX_SOURCES] if it.is_file() and not it.is_symlink() and it.name not in made):
        text, is_cells = b"", is_notebook(path.name)
        with path.open("rb") as file, suppress(NotebookError):  # of which nothing can be read
            text = to_linear_source(read_cells(file.read())) if is_cells else file.read(_MAX_SOURCE_BYTES)
        lines = text[:_MAX_SOURCE_BYTES].decode("utf-8-sig", "replace").replace("\0", "\ufffd").splitlines()
        yield path.name, [line[:_MAX_COLUMNS] for line in lines]  # the patterns take quadratic time


# C and C++ are compiled once more: gcc sees little without optimisation, and warnings are the assignment's choice.
_LIMITS, _SOON = (Limits(time=2 * cpu, cpu=cpu, memory=2**30, output=2**18) for cpu in (10.0, 5.0))
# What warnings that tell of a mistake mean, by patterns, the plainest first, "" for the compiler's own words; what
# errors mean, by language; how it tells which lines ran: what stands before the program's file, and a shell's line; and
# which parts of columns are overlooked, and what answers have, the plainest table first.
_WARNINGS, _ERRORS, _LINE_TOOLS, _COMPILERS, _SLIPS, *_TRAITS = json.loads(
    Path(__file__).with_name("meanings.json").read_bytes()
).values()
_WARNING = lazy_regex(
    r"(?m)^(?P<file>[^\s:/][^\n:/]{0,99}):(?P<line>\d{1,7}):\d+: warning: (?P<text>.+) \[-W(?P<kind>[a-z-]+)[=\d]*\]"
    r"(?:\n +\d+ \| (?P<source>.*))?$"
)
_WITHIN = lazy_regex(r"(?m)^[^\n:]+: In (?:member )?function .([^\u2019'\n(]*)(?:\([^\u2019'\n]*)?.:$")


def warning_of_compiler(launch: Launch, toolchain: Toolchain, execute: Runner) -> tuple[tuple[str, int], str]:
    """Return the plainest warning about the sources of a program, as `plainest_warning` does; KeyError of others."""
    argv = ("sh", "-c", _COMPILERS[toolchain.name])
    execution = execute(Launch(argv=argv, folder=launch.folder, limits=_LIMITS, permits=toolchain.permits))
    return plainest_warning("" if execution.limit else execution.stderr.decode(errors="replace"))


def plainest_warning(log: str) -> tuple[tuple[str, int], str]:
    """Return the warning in a log that tells most of a mistake: its place, and a sentence."""
    found = [(f"{one['kind']}: {one['text'][:_MAX_TEXT_LENGTH]}", one) for one in _WARNING.finditer(log)]
    those = [(it, so, told) for what, told in _WARNINGS.items() for text, it in found if (so := re.match(what, text))]
    if not those:
        return ("", 0), ""
    first, words, meaning = those[0]
    around = ["the function", *map(quote, re.findall(r"[\w:~]+", " ".join(_WITHIN.findall(log, 0, first.start()))))]
    text = meaning.format(*words.groups(), function=around[-1])
    text = text or re.sub("['\u2018](.+?)['\u2019]", r"`\1`", first["text"])[:_MAX_TEXT_LENGTH]
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
    printed = execute(replace(launch, argv=argv, argv_untuned=(), preload="", collect=(), limits=_SOON)).stdout.decode()
    lines = {(name, int(line or other)): mark[0] in "#>" for name, line, mark, other in _TRACED.findall(printed)}
    those = [(it, [at for at in lines if at[0] == it.file.removesuffix(".py") and at[1] <= it.line]) for it in mistakes]
    return [one for one, places in those if one.always or not places or not lines[max(places)]]


# ---------------- What a wrong word is instead, by the lines of its cases: a fact to look up, and never a cause
_MAX_CASES, _MAX_PLACES, _LARGE, _FEW, _WHOLE, _rows = 20, 400, 10, 2, 2**10, lru_cache(64)(token_rows)
_AMOUNTS: Mapping[str, Callable[..., Any]] = {"sum": sum, "average": mean, "largest": max, "smallest": min}


def relate_answers(answers: Sequence[CaseAnswer], mistakes: Sequence[Any] = ()) -> Mapping[str, str]:
    """Return case id -> what the first wrong word of the case is instead, by an explanation that fits all cases."""
    seen = [(it, [*_places(it)]) for it in answers[:_MAX_CASES] if max(len(it.want), len(it.given)) < _WHOLE]
    known = answers if len(seen) == len(answers) else ()
    limits = {it.says: it for it in reversed(mistakes) if it.needs == "all" and it.is_used}.values()
    limit, trait = _in_common(known, 1, {it.sentence: it.shows for it in limits}), _in_common(known, 2, *_TRAITS)
    return {it.case.id: limit or _describe(it, own, seen) or trait for it, own in seen[:_LARGE] if it.have != it.want}


def _in_common(seen: Sequence[CaseAnswer], least: int, *tables: Mapping[str, str]) -> str:
    """Return the sentence of the only pattern that fits all wrong cases, `least` at least, and no right one."""
    wrong, texts = [not it.result.is_right for it in seen], [f"{it.given}\0{it.have}\0{it.want}" for it in seen]
    found = ([it for it in table if [bool(re.search(table[it], text)) for text in texts] == wrong] for table in tables)
    fits = next(filter(None, found), []) if sum(wrong) >= least < wrong.count(False) else []
    return fits[0] if len(fits) == 1 else ""


def _places(answer: CaseAnswer) -> Iterator[tuple[object, Any]]:
    """Yield words by those before them, or by their column; with what is right, and the numbers of line and word."""
    rows = [*zip(_rows(answer.have), _rows(answer.want), strict=False)]
    alike = takewhile(lambda pair: len(pair[0][1]) == len(pair[1][1]), rows)  # then, lines may not belong together
    for number, ((_, have, _), (_, want, shape)) in enumerate(alike):
        for at, pair in enumerate(zip(have, want, strict=True)):
            own, before = ([0 if type(word) is Decimal else word for word in row[:at]] for row in (have, want))
            if own == before:
                is_column = [row[2] for _, row in rows].count(shape) > 1 and shape != (True, str, Decimal)
                yield (shape, at) if is_column else str(before), (*pair, number, at)


def _describe(answer: CaseAnswer, own: Sequence[Any], seen: Sequence[tuple[CaseAnswer, Sequence[Any]]]) -> str:
    """Return the sentence about a failed case; "" where no explanation fits all cases."""
    key, one = next(((key, one) for key, one in own if one[0] != one[1]), ("-", ("\0", "")))
    there = [(it, to) for it, of in seen for its, to in of if its == key]
    ways, often = sorted(_ways(answer, *one) if one[2:] else (), key=lambda way: way[0][0]), Counter[Any]()
    for it, to in there if str(one[0]) in answer.have and len(there) < _MAX_PLACES else ():
        by = {name: value for name, value, _ in _ways(it, *to)} if ways else {}
        ways, often = [way for way in ways if to[0] == by.get(way[0], to[1])], often + Counter(by.keys())
    return next((way[2] for way in ways if often[way[0]] > way[0][0]), "")


def _ways(answer: CaseAnswer, word: Any, right: Any, number: int, at: int) -> Iterator[tuple[Any, Any, str]]:
    """Yield ways to be wrong where `right` is expected: too few cases and a name, the answer, and what to say."""
    near = rows[:number] if (rows := _rows(answer.want))[1:number] else rows[number + 1 :]
    kinds = ((lines, Counter(form for *_, form in lines).most_common(1)) for lines in (near, _rows(answer.given)))
    tables = ([row for row in lines if row[2] == often[0][0]] for lines, often in kinds)
    for source, table in enumerate(tables if rows[number][2].count(Decimal) <= 1 else ()):
        for place, column in enumerate(zip(*(words for _, words, _ in table), strict=False) if table[1:] else ()):
            slips = _slips(word, right, table, place, column) if {*map(type, column)} == {Decimal} else ()
            yield from (((*name, source, place), value, fact) for name, value, fact in slips)
    yield from _relations(rows, word, right, number, at) if type(right) is type(word) is Decimal else ()


def _relations(rows: Sequence[TokenRow], word: Any, right: Any, number: int, at: int) -> Iterator[tuple[Any, Any, str]]:
    """Yield ways in which a number is wrong, by other numbers of the answer or alone."""
    unit, by, how = Decimal(1).scaleb(int(right.as_tuple()[2])), word - right, "more" if word > right else "less"
    numbers = [it for it in rows[number][1][:at] if type(it) is Decimal]
    shares = [("", 100 * it, f"100 times {it}") for it in numbers if re.search(rf"\d \({right} ?%", rows[number][0])]
    wholes = [(*words, line) for line, words, shape in rows if shape[1:] == (str, Decimal)]
    for label, whole, of in wholes + shares if unit < 1 else ():
        n, asked = (round(whole / one) if one else 0 for one in (word, right))
        near = [abs(whole / by - one) * 2 <= unit for by, one in ((n, word), (asked, right)) if by and n != asked]
        is_by = near == [True, True] and asked > bool(label) and (label or not numbers[1:] or asked in numbers)
        if is_by and abs(whole) > _LARGE * max(n, asked) ** 2 * unit:  # else there is such a number for any word
            yield (0, label), word, f"{word} is {quote(of) if label else of} divided by {n}, not by {asked}."
    alike = [words[at] for _, words, shape in rows if shape == rows[number][2] != (True, str, Decimal)]
    above = sum(words[at] for _, words, shape in rows[:number] if shape == rows[number][2])
    if alike and above and (right + above >= _LARGE or unit < 1 or len(alike) > _FEW):
        yield (0, "above"), right + above, f"{word} is {right} and the {above} above: is it not set back for each line?"
    if by == -unit > -1 and right.as_tuple().digits[2:]:
        yield (0, "unit"), word, f"{word} is {unit} less than expected: are decimals cut off, and not rounded?"
    yield (1, "by", by), right + by.compare(0), f"{word} is 1 {how} than expected, as in each case that is wrong there."


def _slips(word: Any, right: object, table: Sequence[TokenRow], at: int, column: Any) -> Iterator[tuple[Any, Any, str]]:
    """Yield what a column of numbers comes to, and what stands beside its extremes, if a part of it is overlooked."""
    for best, beside in product((max, min), range(min(at, 2))):
        *those, last = [row for row in table if row[1][at] == best(column)]
        for wanted in [row for row in table if row[1][beside] == right and min(column) < max(column)][:1]:
            tie, other = quote(wanted[0]), f"{last[1][at]} where {quote(wanted[0])} has {wanted[1][at]}"
            how = f"as much as {tie}, and is the last of them." if wanted in those else f"{other}: is that compared?"
            for least in [1] * (wanted in (*those, last)) + [1.5] * (best is max and len(table) > _FEW):
                yield (least, beside, best), last[1][beside], f"{quote(last[0])} has {how}"
    such = f"all numbers such as {column[0]} in {quote(table[0][0])}"
    large, may_be = (type(it) is Decimal and (it >= _LARGE or "." in str(it)) for it in (right, word))  # else chance
    slips = {how: column[slice(*part)] for how, part in _SLIPS.items()} | {
        "of their whole parts": [Decimal(int(number)) for number in column],
        "of them as texts": column,
    }
    for (name, amount), (how, part) in product(_AMOUNTS.items(), slips.items()) if type(right) is Decimal else ():
        by = {"key": str} if how.endswith("texts") and amount in (max, min) else {}
        whole, value = (one.quantize(right, ROUND_HALF_UP) for one in (amount(column), amount(part, **by)))
        if whole == right and large and (column[2:] or amount is sum):
            yield (0, name, how), value, f"{value} is the {name} {how}; {right} is the {name} of {such}."
        elif whole != right and may_be:
            yield (1, name), whole, f"{whole} is the {name} of {such}."
    if large and sum(column) == right and min(column) >= 0:
        joined = token_rows("".join(map(str, column)))[0][1][0]
        yield (0, "texts"), joined, f"It is {such}, written one after another: they are added as texts."
