"""What is behind a wrong answer: by its sources, line by line or to a compiler, and by the lines of its cases."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache
from itertools import chain, product, takewhile
from operator import ne
from pathlib import Path
from statistics import median
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
# errors mean, by language; how it tells which lines ran: what stands before the program's file, and a shell's line;
# what wrong numbers are, by formulas over `_FUNCTIONS` and values; and what answers have, the plainest table first.
_WARNINGS, _ERRORS, _LINE_TOOLS, _COMPILERS, _COLUMNS, _OTHERS, _NUMBERS, *_TRAITS = json.loads(
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
_MAX_CASES, _MAX_PLACES, _LARGE, _FEW, _WHOLE, _NO_NUMBER = 20, 400, 10, 2, 2**10, ("inf", "nan", "NaN", "Infinity")
_rows, _compiled = lru_cache(64)(token_rows), lru_cache(200)(lambda it: compile(it, "meanings.json", "eval"))
_FUNCTIONS: dict[str, Any] = {
    **{it.__name__: it for it in (abs, bool, int, len, map, max, median, min, round, str, sum, token_rows)},
    "is_large": lambda number: type(number) is Decimal and (number >= _LARGE or "." in str(number)),  # else chance
    "__builtins__": {},
}


def relate_answers(answers: Sequence[CaseAnswer], mistakes: Sequence[Any] = ()) -> Mapping[str, str]:
    """Return case id -> what the first wrong word of the case is instead, by an explanation that fits all cases."""
    seen = [(it, [*_places(it)]) for it in answers[:_MAX_CASES] if max(len(it.want), len(it.given)) < _WHOLE]
    known = answers if len(seen) == len(answers) else ()
    limits = {it.says: it for it in reversed(mistakes) if it.needs == "all" and it.is_used}.values()
    limit, trait = _in_common(known, 1, {it.sentence: it.shows for it in limits}), _in_common(known, 2, *_TRAITS)
    return {it.case.id: limit or _describe(it, own, seen) or trait for it, own in seen[:_LARGE] if it.have != it.want}


def _in_common(seen: Sequence[CaseAnswer], least: int, *tables: Mapping[str, str]) -> str:
    """Return the sentence of the only pattern that fits all wrong cases, `least` at least, and no right one."""
    wrong = [not it.result.is_right for it in seen]  # of calls, the arguments alone are known of all
    texts = [f"({it.given.partition('(')[2]}\0\0" if it.is_call else f"{it.given}\0{it.have}\0{it.want}" for it in seen]
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
    ways, found = sorted(_ways(answer, *one) if one[2:] else (), key=lambda way: way[0][0]), set[Any]()
    for it, to in there if str(one[0]) in answer.have and one[0] not in _NO_NUMBER and len(there) < _MAX_PLACES else ():
        by = {name: value for name, value, _ in _ways(it, *to)} if ways else {}
        ways = [way for way in ways if to[0] in (by.get(way[0], to[1]), *(() if way[0][3] else _NO_NUMBER))]
        found |= {(name, it.want, to[2]) for name in by}  # the same answer, expected again, shows no more
    return next((told for name, _, told in ways if told and sum(it == name for it, *_ in found) > name[0]), "")


def _ways(answer: CaseAnswer, word: Any, right: Any, number: int, at: int) -> Iterator[tuple[Any, Any, str]]:
    """Yield ways to be wrong: in how many cases that is chance, a name, if it is told of each; the word; a sentence."""
    rows, given, (printed, own, _) = _rows(answer.want), _rows(answer.given), _rows(answer.have)[number]
    numbers, (line, words, form) = [it for row in given for it in row[1] if type(it) is Decimal], rows[number]
    listed = [(given[0][0], [it], (Decimal,)) for it in numbers] if len(given) == 1 else given
    about = {name for it in words[:at] if isinstance(it, str) for name in it.split()}
    named = [row for row in listed if not about.isdisjoint(ANY_WORD.findall(row[0]))]
    near = rows[:number] if rows[1:number] else rows[number + 1 :]
    for source, lines in enumerate((near, listed, named) if form.count(Decimal) <= 1 else ()):
        often = Counter(form for *_, form in lines).most_common(1)
        table = [row for row in lines if row[2] == often[0][0]]
        for place, column in enumerate(zip(*(row[1] for row in table), strict=False) if table[1:] else ()):
            if {*map(type, column)} == {Decimal}:
                such = f"all numbers such as {column[0]} in {quote(table[0][0])}"
                ways = _by_table(_COLUMNS, word, right, column=column, n=len(column), such=such)
                ways = chain(_beside_extremes(right, table, place, column), ways)
                yield from (((*name, source, place), value, told) for name, value, told in ways)
    texts, alone = [re.sub(r"[-\d.\s]", "", it) for it in (printed, line)], sum(map(ne, own, words)) < _FEW
    if {type(right), type(word)} != {Decimal} or texts[0] != texts[1] or re.search(r"\d[,'eE][-+]?\d", line):
        return  # a number in another unit, or the part of one, is another number
    before = [it for it in words[:at] if type(it) is Decimal]
    shares = [("", 100 * it, f"100 times {it}") for it in before if re.search(rf"\d \({right} ?%", line)]
    wholes = [(*row[1], quote(row[0])) for row in rows if row[2][1:] == (str, Decimal) and row[0] != line]
    for label, whole, of in wholes + shares:
        ways = _by_table(_OTHERS, word, right, label=label, whole=whole, of=of, before=before)
        yield from (((*name, label), value, told) for name, value, told in ways)
    same, above = ([it[1][at] for it in one if it[2] == form != (True, str, Decimal)] for one in (rows, rows[:number]))
    yield from _by_table(_NUMBERS, word, right, given=numbers, same=same, above=above, alone=alone)


def _beside_extremes(right: object, table: Sequence[TokenRow], at: int, column: Any) -> Iterator[tuple[Any, Any, str]]:
    """Yield what stands beside an extreme of a column: of equal ones the last, or by a column that is not asked for."""
    for best, beside in product((max, min), range(min(at, 2))):
        *those, last = [row for row in table if row[1][at] == best(column)]
        for wanted in [row for row in table if row[1][beside] == right and min(column) < max(column)][:1]:
            tie, other = quote(wanted[0]), f"{last[1][at]} where {quote(wanted[0])} has {wanted[1][at]}"
            how = f"as much as {tie}, and is the last of them." if wanted in those else f"{other}: is that compared?"
            for least in [1] * (wanted in (*those, last)) + [1.5] * (best is max and len(table) > _FEW):
                yield (least, beside, best, 0), last[1][beside], f"{quote(last[0])} has {how}"


def _by_table(table: Sequence[Any], word: Any, right: Any, **own: Any) -> Iterator[tuple[Any, Any, str]]:
    """Yield the ways of a table that are possible `if` its formula holds: what it `is`, by the same `by` everywhere."""
    unit = Decimal(1).scaleb(int(right.as_tuple()[2])) if type(right) is Decimal else Decimal(1)
    own |= {"word": word, "right": right, "unit": unit, "rounded": lambda it: Decimal(it).quantize(unit, ROUND_HALF_UP)}
    for at, row in enumerate(table if type(right) is Decimal else ()):
        formula = "({if}) and ({is}, {by}, f{says!r} if {told} else '')".format_map({"by": 0, "told": True, **row})
        with suppress(ArithmeticError, LookupError, TypeError, ValueError):
            if way := eval(_compiled(formula), _FUNCTIONS, own):  # noqa: S307 - it is ours, and what was printed is a value
                yield (row.get("more", 0), at, way[1], row.get("each", 0)), way[0], way[2]
