"""What is behind a wrong answer: by its sources, line by line or to a compiler, and by the lines of its cases."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import accumulate, islice, product
from pathlib import Path

from grader.core.judge.totals import CaseAnswer
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
_TOKEN = lazy_regex(r"(?<!\w)-?\d{1,15}(?:\.\d{1,9})?|[^\W\d]\w{0,40}|([*#=+|])\1{0,80}")
_NUMBER = lazy_regex(r"-?\d{1,15}(?:\.\d{1,9})?")
_MAX_CASES, _MAX_LINES, _MAX_TOKENS, _LARGE, _FEW, _WHOLE = 20, 2**9, 8, 10, 3, 2**10
_ENDS = ((-1, "last"), (0, "first"))
_Token = str | Decimal  # a word; a number, or how long a bar such as `****` is
_Row = tuple[str, Sequence[_Token]]  # a line and its tokens
_Places = Mapping[str, tuple[_Token, _Token, str]]  # what stands before a token -> what it is, what is right, the line


def relate_answers(answers: Sequence[CaseAnswer]) -> Mapping[str, str]:
    """Return case id -> what the first wrong word of the case is instead, by an explanation that fits all cases."""
    seen = [(answer, _places(answer)) for answer in answers[:_MAX_CASES] if _is_whole(answer)]
    return {it.case.id: _describe(it, places, seen) for it, places in seen[:_LARGE] if it.have != it.want}


def _is_whole(answer: CaseAnswer) -> bool:
    """Whether all of an answer is looked at: the largest of a part of it need not be the largest."""
    return max(len(answer.want), len(answer.given)) < _WHOLE


def _rows(text: str) -> list[_Row]:
    def read(word: str) -> _Token:
        return Decimal(word) if _NUMBER.fullmatch(word) else Decimal(len(word)) if word[0] in "*#=+|" else word

    return [
        (line, [read(match[0]) for match in islice(_TOKEN.finditer(line), _MAX_TOKENS)])
        for line in filter(str.strip, text[: 2**13].splitlines()[:_MAX_LINES])
    ]


def _shape(words: Sequence[_Token]) -> str:
    return "".join("0a"[isinstance(word, str)] for word in words)


def _places(answer: CaseAnswer) -> _Places:
    """Return the words and numbers of an answer by their places, up to the first line with another number of them."""
    pairs: dict[str, tuple[_Token, _Token, str]] = {}
    for (_, words), (line, wants) in zip(_rows(answer.have), _rows(answer.want), strict=False):
        if len(words) != len(wants):
            break
        for at, pair in enumerate(zip(words, wants, strict=True)):
            pairs.setdefault(" ".join("0" if isinstance(word, Decimal) else word for word in wants[:at]), (*pair, line))
    return pairs


def _describe(answer: CaseAnswer, own: _Places, seen: Sequence[tuple[CaseAnswer, _Places]]) -> str:
    """Return the sentence about a failed case; "" where no explanation fits all cases."""
    key, (word, right, line) = next(((key, row) for key, row in own.items() if row[0] != row[1]), ("-", ("", "", "")))
    there = [(known, *places[key]) for known, places in seen if key in places]
    off = {a - b if isinstance(a, Decimal) and isinstance(b, Decimal) else 0 for _, a, b, _ in there if a != b}
    if len(off) == 1 and (by := off.pop()) and sum(a != b for _, a, b, _ in there) > 1 and str(word) in answer.have:
        return f"{word} is {abs(by)} {'more' if by > 0 else 'less'} than expected, as in each case that is wrong there."
    is_sure = abs(word) >= _LARGE if isinstance(word, Decimal) else len(_rows(answer.given)) > _FEW
    seen_ways = [(a, a != b, {name: text for name, text, _ in _ways(known, b, at)}) for known, a, b, at in there]
    for name, _, text in _ways(answer, right, line):
        fits = [ways[name] == a if name in ways else not is_wrong for a, is_wrong, ways in seen_ways]
        if there and all(fits) and (is_sure or len(fits) > 1):
            return text
    return ""


def _ways(answer: CaseAnswer, right: _Token, line: str) -> Iterator[tuple[object, _Token, str]]:
    """Yield ways to be wrong where `right` is expected in a line: a name, the answer that it gives, and what to say."""
    rows = [row for row in _rows(answer.want) if row[0] != line]
    often = Counter(_shape(words) for _, words in rows).most_common(1)
    for neighbour, words in rows:
        match words:
            case [str(label), Decimal() as number] if number and isinstance(right, Decimal):
                for value, how in (right + number, "and"), (right - number, "less"):
                    yield (label, how), value, f"{value} is {right} {how} the {number} of {quote(neighbour)}."
    yield from _columns(right, [row for row in rows if _shape(row[1]) == often[0][0]], "")
    yield from _columns(right, _rows(answer.given), "given")


def _columns(right: _Token, rows: Sequence[_Row], source: str) -> Iterator[tuple[object, _Token, str]]:
    """Yield what the columns of lines come to: their extremes, what stands beside these, and their ends."""
    table = [*zip(*(words for _, words in rows), strict=False)] if len(rows) > 1 else []
    columns = [(at, column) for at, column in enumerate(table) if "a" not in _shape(column)]
    for (best, name), (at, column) in product(((max, "largest"), (min, "smallest")), columns):
        most, such = best(column), f"the numbers such as {column[0]} in {quote(rows[0][0])}"
        yield (source, at, name), most, f"{most} is the {name} of {such}."
        those = [row for row, value in zip(rows, column, strict=True) if value == most]
        for beside, (end, which) in product(range(min(at, 2)), _ENDS):
            line, words = those[end]
            for wanted in [row for row in rows if row[1][beside] == right and row != those[end]][:1]:
                more = f"has the {name} number in its place; in {quote(wanted[0])} it is {wanted[1][at]}"
                alike = f"has as much as {quote(wanted[0])}, and is the {which} of them"
                text = f"{quote(line)} {alike if wanted in those else more}."
                yield (source, beside, at, name, which), words[beside], text
    for (at, column), (end, name) in product(columns, _ENDS):
        yield (source, at, name), column[end], f"{column[end]} is in the {name} line, {quote(rows[end][0])}."


def running_total(answer: CaseAnswer) -> str:
    """Say that the numbers of similar lines are running totals of the expected ones: nothing is set back."""
    rows = [(words, wants) for (_, words), (_, wants) in zip(_rows(answer.have), _rows(answer.want), strict=False)]
    first = next((_shape(wants) for words, wants in rows if words != wants), "")
    alike = [row for row in rows if _shape(row[0]) == _shape(row[1]) == first]
    columns = zip(*(zip(*row, strict=True) for row in alike if first != "a0" or alike[2:]), strict=True)
    for own, theirs in (zip(*column, strict=True) for column in columns):
        is_total = "a" not in _shape(theirs) and own == (*accumulate(theirs),)
        if own != theirs and is_total and (own[2:] or own[0] != 1):  # else it may be one too many
            fact = f"{own[1]} is {theirs[1]} and the {theirs[0]} of the line before"
            return f"{fact}: is nothing set back for each line?"
    return ""
