"""What is behind a wrong answer: by its sources, line by line or to a compiler, and by the lines of its cases."""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal
from itertools import product
from pathlib import Path
from statistics import mean
from typing import Any

from grader.core.judge.totals import CaseAnswer, TokenRow, token_rows
from grader.core.lazy import lazy_regex
from grader.core.model.execution import Launch, Runner
from grader.core.model.limits import Limits
from grader.core.model.spec import Toolchain
from grader.core.notebook import NotebookError, is_notebook, module_name, read_cells, to_linear_source
from grader.core.text import quote

_MAX_SOURCE_BYTES, _MAX_SOURCES, _MAX_NAME_LENGTH, _MAX_COLUMNS = 2**18, 20, 32, 1000
_MAX_LINE_LENGTH, _MAX_TEXT_LENGTH = 40, 110
_WARNED = lazy_regex(r"(?m)^(?P<file>[\w-]{1,99}\.\w{1,5}):(?P<line>\d{1,7}): (?:warning|SyntaxWarning): (?P<text>.+)$")
_RUNTIME_ERROR = lazy_regex(r"(?m)^Runtime error (\d+) at .*((?:\n +\$.*)*\bline \d+ of )?")
ANY_WORD = lazy_regex(r"\w+")


def warning_of_interpreter(errors: bytes, title: str) -> str:
    """Say what an interpreter warned of, such as Ruby of `=` in a condition, or what Pascal's number means; or ""."""
    text = errors[:_MAX_SOURCE_BYTES].decode(errors="replace")
    error, warning = _RUNTIME_ERROR.search(text), _WARNED.search(text)
    if error and title == "Pascal" and (meaning := _PASCAL_ERRORS.get(error[1])):
        advice = "" if error[2] else " Compiled with `-gl`, it names the line."
        return f"Runtime error {error[1]}: {meaning}.{advice}"
    what = warning and f"line {warning['line']} of {quote(warning['file'])}: {quote(warning['text'], most=80)}"
    return f"{title} warns of {what}." if what else ""


def started_in(sources: Mapping[str, Sequence[str]], argv: Sequence[str]) -> list[str]:
    """Return the sources that a command names; all where it names none."""
    words = set(ANY_WORD.findall(" ".join(argv)))
    return [name for name in sources if name.partition(".")[0] in words] or list(sources)


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
_WARNINGS, _PASCAL_ERRORS = json.loads(Path(__file__).with_name("meanings.json").read_bytes()).values()
"""what warnings that tell of a mistake mean, the plainest first, "" for the compiler's own words; what numbers mean"""
_NEEDS_ADDRESS = lazy_regex(r"expects argument of type `(.+?) ?\*`, but argument (\d+) has type `\1`")
_WARNING = lazy_regex(
    r"(?m)^(?P<file>[^\s:/][^\n:/]{0,99}):(?P<line>\d{1,7}):\d+: warning: (?P<text>.+) \[-W(?P<kind>[a-z-]+)[=\d]*\]"
    r"(?:\n +\d+ \| (?P<source>.*))?$"
)
_WITHIN = lazy_regex(r"(?m)^[^\n:]+: In (?:member )?function .([^\u2019'\n(]*)(?:\([^\u2019'\n]*)?.:$")
_NAME = lazy_regex(r"[\u2018']([^\u2019'\n]+)[\u2019']")


def warning_of_compiler(launch: Launch, toolchain: Toolchain, execute: Runner) -> tuple[tuple[str, int], str]:
    """Return the plainest warning about the sources of a program, as `plainest_warning` does."""
    if toolchain.name not in _COMPILERS or launch.folder is None:
        return ("", 0), ""
    compiler, endings = _COMPILERS[toolchain.name]
    plain = (path.name for path in sorted(launch.folder.iterdir()) if path.is_file() and not path.is_symlink())
    if not (sources := [name for name in plain if name.endswith(endings) and name[0] != "-"][:_MAX_SOURCES]):
        return ("", 0), ""
    argv = (compiler, *_OPTIONS, *sources)
    execution = execute(Launch(argv=argv, folder=launch.folder, limits=_LIMITS, permits=toolchain.permits))
    return plainest_warning("" if execution.limit else execution.stderr.decode(errors="replace"))


def plainest_warning(log: str) -> tuple[tuple[str, int], str]:
    """Return the warning in a log that tells most of a mistake: its place, and a sentence."""
    lines = [match for match in _WARNING.finditer(log) if match["kind"] in _WARNINGS]
    lines = [one for one in lines if one["kind"] != "parentheses" or "assignment used as truth value" in one["text"]]
    if not lines:
        return ("", 0), ""
    # Where an address is missing, what stands in its place seems to be used before it has a value.
    first = min(lines, key=lambda line: (" *\u2019, but" not in line["text"], [*_WARNINGS].index(line["kind"])))
    source, name = (first["source"] or "").strip(), _NAME.search(first["text"])
    functions = " ".join(_WITHIN.findall(log, 0, first.start())).replace("*", " ").replace("&", " ").split()
    is_empty = first["kind"] == "misleading-indentation" and source.endswith(");")
    meaning = _WARNINGS["empty-body" if is_empty else first["kind"]].format(
        function=quote(functions[-1] if functions else "the function"), name=quote(name[1]) if name else "a variable"
    )
    text = meaning or _NAME.sub(r"`\1`", first["text"])[:_MAX_TEXT_LENGTH]
    if address := _NEEDS_ADDRESS.search(text):
        text = f"argument {address[2]} has to be an address; is `&` missing?"
    place = f"line {first['line']} of {quote(first['file'], most=_MAX_NAME_LENGTH)}"
    shown = f", {quote(source, most=_MAX_LINE_LENGTH)}" if source else ""
    return (first["file"], int(first["line"])), f"The compiler warns of {place}{shown}: {text}{'.' * (text[-1] != '?')}"


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
    pairs: dict[str, Any] = {}
    for number, (have, want) in enumerate(zip(token_rows(answer.have), token_rows(answer.want), strict=False)):
        if len(have[1]) != len(want[1]):
            break  # from here on, lines may not belong together
        for at, pair in enumerate(zip(have[1], want[1], strict=True)):
            before = " ".join("0" if type(word) is Decimal else word for word in want[1][:at])
            pairs.setdefault(before, (*pair, number, at))
    return pairs


def _describe(answer: CaseAnswer, own: Mapping[str, Any], seen: Sequence[tuple[CaseAnswer, Any]]) -> str:
    """Return the sentence about a failed case; "" where no explanation fits all cases."""
    key = next((key for key, (have, want, *_) in own.items() if have != want), "-")
    there = [(*places[key][:2], _ways(it, *places[key])) for it, places in seen if key in places]
    is_often = sum(have != want for have, want, _ in there) > 1
    for name, (_, fact) in _ways(answer, *own[key]).items() if there else ():
        if (is_often or type(name) is not Decimal) and all(
            ways[name][0] == have if name in ways else have == want for have, want, ways in there
        ):
            return fact
    return ""


def _ways(answer: CaseAnswer, word: Any, right: Any, number: int, at: int) -> Mapping[object, tuple[Any, str]]:
    """Return ways to be wrong where a word is `right`, by their names: the answer that each gives, and what to say."""
    rows, ways = token_rows(answer.want), dict[object, tuple[Any, str]]()
    near = rows[:number] if rows[1:number] else rows[number + 1 :]
    often = Counter(shape for *_, shape in near).most_common(1)
    for source, table in enumerate(([row for row in near if row[2] == often[0][0]], token_rows(answer.given))):
        for place, column in enumerate(zip(*(words for _, words, _ in table), strict=False) if table[1:] else ()):
            if {*map(type, column)} == {Decimal}:
                ways |= {(source, place, *name): (value, fact) for name, value, fact in _slips(right, table, place)}
    if type(right) is type(word) is Decimal:
        for line, (_, whole, *_), _ in (row for row in rows if row[2][1:] == (str, Decimal) and "." in str(right)):
            by, asked = (round(whole / one) if one else 0 for one in (word, right))
            if [(whole / n).quantize(right, ROUND_HALF_UP) for n in (by, asked) if n] == [
                word,
                right,
            ] and by != asked > 1:
                ways[line] = word, f"{word} is {quote(line)} divided by {by}, not by {asked}."
        before = right + sum(words[at] for _, words, shape in rows[:number] if shape == rows[number][2])
        fact = f"{before} is {right} and the {before - right} of the lines before: is nothing set back for each line?"
        ways |= {"before": (before, fact)} if before >= _LARGE and rows[number][2] != (True, str, Decimal) else {}
        by, how = word - right, "more" if word > right else "less"
        if abs(by) < 1 and by.as_tuple().digits == (1,):
            ways["unit"] = word, f"{word} is {abs(by)} {how} than expected: are decimals rounded, and not cut off?"
        ways[by] = word, f"{word} is {abs(by)} {how} than expected, as in each case that is wrong there."
    return ways


def _slips(right: object, table: Sequence[TokenRow], at: int) -> Iterator[tuple[tuple[object, ...], Any, str]]:
    """Yield what a column of numbers comes to, and what stands beside its extremes, if a part of it is overlooked."""
    column, line = [words[at] for _, words, _ in table], table[0][0]
    for best, beside in product((max, min), range(min(at, 2))):
        *those, last = [row for row in table if row[1][at] == best(column)]
        for wanted in [row for row in those if row[1][beside] == right][:1]:
            fact = f"{quote(last[0])} has as much as {quote(wanted[0])}, and is the last of them."
            yield (beside, best), last[1][beside], fact
    such, texts = f"all numbers such as {column[0]} in {quote(line)}", token_rows("".join(map(str, column)))[0][1][0]
    if type(right) is Decimal and (right >= _LARGE or "." in str(right)):  # else it may be so by chance
        for (name, amount), (how, slip) in product(_AMOUNTS.items(), _SLIPS.items()):
            if amount(column).quantize(right, ROUND_HALF_UP) == right and (column[2:] or amount is sum):
                value = slip(amount, column).quantize(right, ROUND_HALF_UP)
                yield (name, how), value, f"{value} is the {name} {how}; {right} is the {name} of {such}."
        if sum(column) == right:
            yield ("texts",), texts, f"It is {such}, written one after another: they are added as texts."
