"""What is behind a wrong answer: by its sources, line by line or to a compiler, and by the lines of its cases."""

import json
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from grader.core.judge.totals import CaseAnswer
from grader.core.lazy import lazy_regex
from grader.core.model.execution import Launch, Runner
from grader.core.model.limits import Limits
from grader.core.model.spec import Toolchain
from grader.core.notebook import NotebookError, is_notebook, module_name, read_cells, to_linear_source
from grader.core.text import quote

if TYPE_CHECKING:
    from grader.core.explain.mistakes import Mistake

_MAX_SOURCE_BYTES, _MAX_SOURCES, _MAX_NAME_LENGTH, _MAX_COLUMNS = 2**18, 20, 32, 1000
_MAX_LINE_LENGTH, _MAX_TEXT_LENGTH = 40, 110
_RUNTIME_ERROR = lazy_regex(r"(?m)^Runtime error (\d+) at .*((?:\n +\$.*)*\bline \d+ of )?")
ANY_WORD = lazy_regex(r"\w+")


def meaning_of_error(errors: bytes, language: str) -> str:
    """Say what the number of a runtime error of Pascal means; or ""."""
    error = _RUNTIME_ERROR.search(errors[:_MAX_SOURCE_BYTES].decode(errors="replace"))
    if not error or language != "pascal" or error[1] not in _PASCAL_ERRORS:
        return ""
    advice = "" if error[2] else " Compiled with `-gl`, it names the line."
    return f"Runtime error {error[1]}: {_PASCAL_ERRORS[error[1]]}.{advice}"


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
_WARNINGS, _PASCAL_ERRORS, _LINE_TOOLS = json.loads(Path(__file__).with_name("meanings.json").read_bytes()).values()
"""what warnings that tell of a mistake mean, the plainest first, "" for the compiler's own words; what numbers mean;
and how a language tells which lines ran: what stands before the program's file, and a line of a shell
"""
_NEEDS_ADDRESS = lazy_regex(r"expects argument of type `(.+?) ?\*`, but argument (\d+) has type `\1`")
_WARNING = lazy_regex(
    r"(?m)^(?P<file>[^\s:/][^\n:/]{0,99}):(?P<line>\d{1,7}):\d+: warning: (?P<text>.+) \[-W(?P<kind>[a-z-]+)[=\d]*\]"
    r"(?:\n +\d+ \| (?P<source>.*))?$"
)
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
    meaning = _WARNINGS[first["kind"]].format(name=quote(name[1]) if name else "a variable")
    text = meaning or _NAME.sub(r"`\1`", first["text"])[:_MAX_TEXT_LENGTH]
    if address := _NEEDS_ADDRESS.search(text):
        text = f"argument {address[2]} has to be an address; is `&` missing?"
    place = f"line {first['line']} of {quote(first['file'], most=_MAX_NAME_LENGTH)}"
    shown = f", {quote(source, most=_MAX_LINE_LENGTH)}" if source else ""
    return (first["file"], int(first["line"])), f"The compiler warns of {place}{shown}: {text}{'.' * (text[-1] != '?')}"


# ---------------- Which lines a run reached, by what comes with the language
_TRACED = lazy_regex(r"(?m)^(?:\.lines/)?(.+?)\.(?:cover|gcov):(?:(\d+):)? *([\d#>*]+):?(?: *(\d+):)?$")


def without_missed(mistakes: Sequence["Mistake"], launch: Launch, language: str, execute: Runner) -> list["Mistake"]:
    """Run a program once more; return the mistakes but those that it passes over. Raises where nothing is known."""
    words, shell = _LINE_TOOLS[language]
    at = next(place for place, word in enumerate(launch.argv) if word.endswith(".py")) if words else 1
    argv = ("sh", "-c", shell, "sh", *launch.argv[:at], *words.split(), *launch.argv[at:])
    printed = execute(
        replace(launch, argv=argv, argv_untuned=(), preload="", collect=(), limits=replace(_LIMITS, time=10.0, cpu=4.0))
    ).stdout.decode()
    if language == "javascript":
        scripts = {one["url"].rpartition("/")[2]: one["functions"] for one in json.loads(printed)["result"]}
        return [one for one in mistakes if one.always or not _is_missed(one, scripts[one.file], launch.folder)]
    lines = {(name, int(line or other)): mark[0] in "#>" for name, line, mark, other in _TRACED.findall(printed)}
    before = [
        (one, [place for place in lines if place[0] == one.file.removesuffix(".py") and place[1] <= one.line])
        for one in mistakes
    ]
    return [one for one, places in before if one.always or not places or not lines[max(places)]]


def _is_missed(mistake: "Mistake", functions: Sequence[Mapping[str, Any]], folder: Path | None) -> bool:
    """Whether what is around a line, as V8 counts blocks and functions, never ran; not if it begins in that line."""
    path = (folder or Path()) / mistake.file
    lines = path.read_bytes()[:_MAX_SOURCE_BYTES].decode().splitlines(keepends=True)[: mistake.line]
    start, end = len("".join(lines[:-1])), len("".join(lines).rstrip())
    ranges = ((one["startOffset"], one["endOffset"], one["count"]) for part in functions for one in part["ranges"])
    around = [(last - first, ran) for first, last, ran in ranges if first < start and end <= last]
    return bool(around) and not min(around)[1]


# ---------------- What a wrong word is instead, by the lines of its cases: a fact to look up, and never a cause
_TOKEN = lazy_regex(r"(?<!\w)-?\d{1,15}(?:\.\d{1,9})?|[^\W\d]\w{0,40}|([*#=+|])\1{0,80}")
_NUMBER = lazy_regex(r"-?\d{1,15}(?:\.\d{1,9})?")
_MAX_CASES, _MAX_LINES, _MAX_TOKENS, _LARGE, _FEW = 20, 2**9, 8, 10, 3
_Token = str | Decimal  # a word; a number, or how long a bar such as `****` is
_Row = tuple[str, Sequence[_Token]]  # a line and its tokens
_Places = Mapping[str, tuple[_Token, _Token, str]]  # what stands before a token -> what it is, what is right, the line


def relate_answers(answers: Sequence[CaseAnswer]) -> Mapping[str, str]:
    """Return case id -> what the first wrong word of the case is instead, by an explanation that fits all cases."""
    seen = [(answer, _places(answer)) for answer in answers[:_MAX_CASES]]
    return {it.case.id: _describe(it, places, seen) for it, places in seen[:_LARGE] if it.have != it.want}


def _rows(text: str) -> list[_Row]:
    def read(word: str) -> _Token:
        return Decimal(word) if _NUMBER.fullmatch(word) else Decimal(len(word)) if word[0] in "*#=+|" else word

    return [
        (line, [read(match[0]) for match in islice(_TOKEN.finditer(line), _MAX_TOKENS)])
        for line in filter(str.strip, text[: 2**13].splitlines()[:_MAX_LINES])
    ]


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
    for neighbour, words in rows:
        match words:
            case [str(label), Decimal() as number] if number and isinstance(right, Decimal):
                for value, how in (right + number, "and"), (right - number, "less"):
                    yield (label, how), value, f"{value} is {right} {how} the {number} of {quote(neighbour)}."
