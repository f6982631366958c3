"""What is behind a wrong answer: by its sources, line by line or to a compiler, and by the lines of its cases."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from itertools import zip_longest
from pathlib import Path
from statistics import median, mode
from typing import Any

from msgspec.structs import replace

from grader.core.judge.totals import CaseAnswer, token_rows
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
    rows = (row for languages, table in _ERRORS.items() if language in languages.split() for row in table.items())
    return next((says.format(*it.groups()) for what, says in rows if (it := re.search(what, text, re.MULTILINE))), "")


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
# what formulas of facts may name, by formulas over `_FUNCTIONS` and what stands above; facts of wrong words, which
# `_FORMULA` and `_DEFAULTS` describe; and what answers have, the plainest table first.
_WARNINGS, _ERRORS, _LINE_TOOLS, _COMPILERS, _VALUES, _FACTS, _EMPTY, *_TRAITS = json.loads(
    Path(__file__).with_name("meanings.json").read_bytes()
).values()
_WARNING = lazy_regex(
    r"(?m)^(?P<file>[^\s:/][^\n:/]{0,99}):(?P<line>\d{1,7}):\d+: warning: (?P<text>.+) \[-W(?P<kind>[a-z-]+)[=\d]*\]"
    r"(?:\n +\d+ \| (?P<source>.{0,200}).*)?$"
)
_WITHIN = lazy_regex(r"(?m)^[^\n:]+: In (?:member )?function .([^\u2019'\n(]*)(?:\([^\u2019'\n]*)?.:$")


def warning_of_compiler(launch: Launch, toolchain: Toolchain, execute: Runner) -> tuple[tuple[str, int], str]:
    """Return the plainest warning about the sources of a program, as `plainest_warning` does; KeyError of others."""
    argv = ("sh", "-c", _COMPILERS[toolchain.name])
    execution = execute(Launch(argv=argv, folder=launch.folder, limits=_LIMITS, permits=toolchain.permits))
    return plainest_warning("" if execution.limit else execution.stderr.decode(errors="replace"))


def plainest_warning(log: str) -> tuple[tuple[str, int], str]:
    """Return the warning in a log that tells most of a mistake: its place, and a sentence."""
    found = [(f"{it['kind']}: {it['text'][:_MAX_TEXT_LENGTH]}\n{it['source']}", it) for it in _WARNING.finditer(log)]
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
_MAX_CASES, _MAX_PLACES, _LARGE, _WHOLE, _NO_LINE = 20, 400, 10, 2**10, ("", list[Any](), ())
_NO_NUMBER = "inf", "nan", "NaN", "Infinity"
_HAS_WORD = "Of the answers shown, those whose input has `{}` are wrong, and only those."
_rows, _compiled = lru_cache(64)(token_rows), lru_cache(400)(lambda it: compile(it, "meanings.json", "eval"))
_KNOWN = (
    *(abs, all, bool, dict, enumerate, int, len, map, max, min, range, round, sorted, str, sum, type, zip),
    *(ANY_WORD.findall, Decimal, Fraction, median, mode, quote, re.search, re.sub, token_rows),
)
_FUNCTIONS: dict[str, Any] = {"__builtins__": {}, **{it.__name__: it for it in _KNOWN}}
# `for` each key for which `where` and `if` hold, a word `is` that, by the same `by` in all places, and in more than
# `more`, else it is chance; with `each`, also where another is no number; with 2, up to the first fault of a case.
_FORMULA = "[(({more}, {at}, {by}, {each}, key), {is}, f{says!r} if {told} else '') for {for} if ({where}) and ({if})]"
_DEFAULTS = {"more": 0, "by": 0, "each": 0, "told": True}
_ROWS = [_DEFAULTS | group | fact for group in _FACTS for fact in group["facts"]]
_WAYS = [_FORMULA.format_map({"at": at, **row}) for at, row in enumerate(_ROWS)]


def relate_answers(answers: Sequence[CaseAnswer], mistakes: Sequence[Any] = ()) -> Mapping[str, str]:
    """Return case id -> what the first wrong word of the case is instead, by an explanation that fits all cases."""
    seen = [(it, [*_places(it)]) for it in answers[:_MAX_CASES] if max(len(it.want), len(it.given)) < _WHOLE]
    known = answers if len(seen) == len(answers) else ()
    limits = {it.says: it for it in reversed(mistakes) if it.needs == "all" and it.is_used}.values()
    inputs = {it.sentence: it.shows for it in limits if it.shows.startswith(r"\A")}
    tables = inputs | _EMPTY, {it.sentence: it.shows for it in limits if it.sentence not in inputs}
    limit, first = (_in_common(known, (n, 2), *tables) for n in (1, 2))
    wrong = " ".join(it.given for it in known if not it.result.is_right)[:_WHOLE]
    words = {_HAS_WORD.format(word): rf"\A[^\0]*\b{word}\b" for word in re.findall(r"\b[a-z]{3,}\b", wrong)}
    trait = _in_common(known, (2, 3), *_TRAITS, words)
    return {it.case.id: first or _describe(it, own, seen) or limit or trait for it, own in seen[:_LARGE]}


def _in_common(seen: Sequence[CaseAnswer], least: tuple[int, int], *tables: Mapping[str, str]) -> str:
    """Return the sentence of the only pattern that fits all wrong cases and no right one; of both, so many at least."""
    wrong = [not it.result.is_right for it in seen]  # of calls, the arguments alone are known of all
    is_known = [not it.is_call and (it.result.is_right or it.result.expected_stdout) for it in seen]  # else by a rule
    texts = [f"({it.given.partition('(')[2]}\0" if it.is_call else f"{it.given}\0{it.have}" for it in seen]
    texts = [f"{text}\0{it.want if known else ''}" for text, it, known in zip(texts, seen, is_known, strict=True)]
    found = ([it for it in table if [bool(re.search(table[it], text)) for text in texts] == wrong] for table in tables)
    fits = next(filter(None, found), []) if wrong.count(True) >= least[0] and wrong.count(False) >= least[1] else []
    return fits[0] if len(fits) == 1 else ""


def _places(answer: CaseAnswer) -> Iterator[tuple[object, Any]]:
    """Yield words by those before them, or by their column, with what is right, and the numbers of line and word.

    The first with more or fewer words than expected is a line itself; those below may not belong together.
    """
    rows = [*zip_longest(_rows(answer.have), _rows(answer.want), fillvalue=_NO_LINE)]
    names = {*ANY_WORD.findall(answer.given)}
    for number, ((line, have, _), (goal, want, shape)) in enumerate(rows):
        if len(have) != len(want):
            yield from [("line", (line, goal, number, 0))] * all(one[1] == two[1] for one, two in rows[:number])
            return
        for at, pair in enumerate(zip(have, want, strict=True)):
            own, before = ([0 if type(word) is Decimal else word for word in row[:at]] for row in (have, want))
            if own == before:
                may_be_label = shape[1:] == (str, Decimal)  # `Sum: 3`, where `Ann: 3` has a name of the input
                is_many = [row[2] for _, row in rows].count(shape) > 1
                is_column = want[0] in names if may_be_label and shape[0] else is_many
                keys = [(shape, at)] * is_column + [str(before)] * (may_be_label or not is_column)
                yield from ((key, (*pair, number, at)) for key in keys)


def _describe(answer: CaseAnswer, own: Sequence[Any], seen: Sequence[tuple[CaseAnswer, Sequence[Any]]]) -> str:
    """Return the sentence about a failed case; "" where no explanation fits all cases."""
    wrong = next((to for _, to in own if to[0] != to[1]), (_NO_NUMBER[0],))
    keys = [key for key, to in own if to == wrong and wrong[0] not in _NO_NUMBER and str(wrong[0]) in answer.have]
    return next(filter(None, (_describe_column(key, answer, wrong, seen) for key in keys)), "")


def _describe_column(key: object, answer: CaseAnswer, wrong: Any, seen: Sequence[Any]) -> str:
    """Return the sentence about the first wrong word of a case, by all words with its key."""
    columns = [[to for its, to in of if its == key] for _, of in seen]
    said, found = [to[:2] for column in columns for to in column], set[Any]()
    own = next(column for (it, _), column in zip(seen, columns, strict=True) if it is answer)
    of_wrong = _ways(answer, wrong, own, said) if len(said) < _MAX_PLACES else ()
    ways = sorted((it for it in of_wrong if it[1] == wrong[0]), key=lambda way: way[0][0])
    for (it, of), column in zip(seen, columns, strict=True):
        first = next((to[2:] for _, to in of if to[0] != to[1]), (_WHOLE,))
        for to in column if ways else ():
            by = {name: value for name, value, _ in _ways(it, to, column, said, {way[0][1] for way in ways})}
            others = [(*_NO_NUMBER,), (), (to[0],) if to[2:] > first else ()]  # no number, or what comes of the first
            ways = [way for way in ways if to[0] in (by.get(way[0], to[1]), *others[way[0][3]])]
            # the same answer, expected again, shows no more, nor a right one what nothing but the wrong word shows
            shown = [name for name in by if by[name] == to[0] and (to[0] != to[1] or _ROWS[name[1]]["is"] != "word")]
            found |= {(name, it.want, to[2]) for name in shown}
    return next((told for name, _, told in ways if told and sum(it == name for it, *_ in found) > name[0]), "")


def _ways(
    answer: CaseAnswer, place: Any, column: Sequence[Any], said: Sequence[Any], some: Iterable[int] = range(len(_WAYS))
) -> Iterator[tuple[Any, Any, str]]:
    """Yield ways to be wrong: a name, which begins with in how many places that is chance; the word; and a sentence."""
    have, rows = ([*_rows(text), _NO_LINE] for text in (answer.have, answer.want))
    texts = {"answer": answer, "given": _rows(answer.given), "have": have, "rows": rows}
    known = {**_FUNCTIONS, **texts, "place": place, "column": column, "said": said}
    for name, formula in _VALUES.items():
        known[name] = eval(_compiled(formula), known)  # noqa: S307 - it is ours, and what was printed is a value
    for at in some:
        with suppress(ArithmeticError, LookupError, TypeError, ValueError):
            yield from eval(_compiled(_WAYS[at]), known)  # noqa: S307 - as above
