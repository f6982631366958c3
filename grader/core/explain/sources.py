"""What the sources of a wrong program show of the reason, and its output does not: line by line, or to a compiler."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from grader.core.kind import kind_of
from grader.core.lazy import lazy_regex
from grader.core.model.execution import Execution, Launch, Runner
from grader.core.model.limits import Limits
from grader.core.model.spec import Case, Step, Toolchain
from grader.core.notebook import NotebookError, is_notebook, module_name, read_cells, to_linear_source
from grader.core.text import quote

_MAX_SOURCE_BYTES, _MAX_SOURCES, _MAX_NAME_LENGTH, _MAX_LINE_LENGTH, _MAX_TEXT_LENGTH = 2**18, 20, 32, 40, 110
PYTHON_SUFFIXES = (".py", ".ipynb")
_WARNED = lazy_regex(r"(?m)^(?P<file>[\w-]{1,99}\.\w{1,5}):(?P<line>\d{1,7}): (?:warning|SyntaxWarning): (?P<text>.+)$")
_RUNTIME_ERROR = lazy_regex(r"(?m)^Runtime error (\d+) at .*((?:\n +\$.*)*\bline \d+ of )?")
ANY_WORD = lazy_regex(r"\w+")


def hint_in_source(folder: Path | None, execution: Execution, argv: Sequence[str] = ()) -> str:
    """Say that a source which `argv` started is empty, where a program wrote nothing; "" otherwise."""
    if folder is None or execution.stdout.strip() or execution.stderr.strip() or execution.status != 0:
        return ""
    sources = dict(sources_in(folder, PYTHON_SUFFIXES))
    empty = next((name for name in started_in(sources, argv) if not any(map(str.strip, sources[name]))), "")
    return f"{quote(empty)} {'has no cell with code' if is_notebook(empty) else 'is empty'}." if empty else ""


def warning_of_interpreter(errors: bytes, title: str) -> str:
    """Say what an interpreter warned of, such as Ruby of `=` in a condition, or what Pascal's number means; or ""."""
    text = errors[:_MAX_SOURCE_BYTES].decode(errors="replace")
    error, found = _RUNTIME_ERROR.search(text), _WARNED.search(text)
    if error and title == "Pascal" and (meaning := _PASCAL_ERRORS.get(error[1])):
        advice = "" if error[2] else " Compiled with `-gl`, it names the line."
        return f"Runtime error {error[1]}: {meaning}.{advice}"
    said = found and f"line {found['line']} of {quote(found['file'])}: {quote(found['text'], most=80)}"
    return f"{title} warns of {said}." if said else ""


def started_in(sources: Mapping[str, Sequence[str]], argv: Sequence[str]) -> list[str]:
    """Return the sources that a command names; all where it names none."""
    words = set(ANY_WORD.findall(" ".join(argv)))
    return [name for name in sources if name.partition(".")[0] in words] or list(sources)


def sources_in(folder: Path, endings: tuple[str, ...]) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield the names of sources and the lines that they begin with; of a notebook, those of its cells."""
    paths = [path for path in sorted(folder.iterdir()) if path.suffix in endings]
    made = {module_name(path.name) for path in paths if is_notebook(path.name)}
    for path in paths[:_MAX_SOURCES]:
        if path.is_file() and not path.is_symlink() and path.name not in made:
            with path.open("rb") as file:
                text = file.read(-1 if is_notebook(path.name) else _MAX_SOURCE_BYTES)
            try:
                text = to_linear_source(read_cells(text)) if is_notebook(path.name) else text
            except NotebookError:
                text = b""
            lines = text[:_MAX_SOURCE_BYTES].decode(errors="replace").splitlines()
            yield path.name, [line[:_MAX_COLUMNS] for line in lines]  # the patterns take quadratic time


# A program in C goes on after the end of its input if no read is tested, and it waits for more while that stays open.
_C_SUFFIXES = frozenset({".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp"})
_MAX_INPUT_BYTES, _MAX_READS, _MAX_COLUMNS = 2**16, 100, 1000
_BUSY = 0.8  # the least share of its time that a program works which never waits
_SECONDS, _FURTHER_LINES = 1.0, 40  # that the further run takes at most, and that its input is longer
_NO_CODE = lazy_regex(
    r"""(?s)//[^\n]*|/\*(?:.*?\*/|.*)|(?P<mark>["'])(?:\\.|(?!(?P=mark))[^\\\n])*(?:(?P<end>(?P=mark))|(?=\n|\\?\Z))"""
)
_UNSURE = lazy_regex(
    r"\b(?:EOF|WEOF|cin|getline|feof|ferror|fread|read|getche?|getw?char(?:_unlocked)?|f?getc|wscanf|vscanf|freopen|istream\w*"
    r"|isatty|poll|select|fileno|longjmp|asm)\b"
)  # what may read in another way, or may test whether a read succeeded
_RAW = lazy_regex(r"\bR\"")
_READ = lazy_regex(
    r"(?P<begins>(?:^|[;{})]|\b(?:else|do)|\b(?:case\b[^?;{}\n]{0,80}|default\s*):)\s*)?(?<![\w.>])(?:std\s*::\s*)?"
    r"(?P<name>scanf|fscanf|fgets|gets)\s*\((?P<given>[^;{}]{0,1000}\)\s*(?=;))?"
)  # a statement of its own, unless something is before it, or it has no end


def describe_read_past_end(case: Case, launch: Launch, execution: Execution, execute: Runner) -> str:
    """Say that a program that never ended reads on after the end of its input; "" where that is not certain."""
    kind = kind_of(case)
    if not kind.prints_answer or kind.has_input or case.command or launch.terminal or launch.interactor:
        return ""
    is_busy = execution.cpu >= _BUSY * (execution.time - execution.waited)
    never_waited = execution.limit in ("cpu", "memory", "output") or (execution.limit == "time" and is_busy)
    if not never_waited or execution.is_inconclusive or len(launch.stdin) > _MAX_INPUT_BYTES or launch.folder is None:
        return ""
    reads = _untested_reads(launch.folder)
    if not reads or not _waits_while_open(launch, execute):
        return ""
    file, line, name = reads[0]
    place = quote(f"{file}:{line}", most=_MAX_NAME_LENGTH) if len(reads) == 1 else "Your program"
    remedy = f"test what `{name}` returns" if name.endswith("scanf") else f"test whether `{name}` returns `NULL`"
    return f"{place} goes on reading after the input has ended: {remedy}."


def _waits_while_open(launch: Launch, execute: Runner) -> bool:
    """Whether a program waits for more where its input, with further lines, does not end."""
    lines = launch.stdin.decode(errors="replace").splitlines()
    more = [next((line for line in reversed(lines) if line.strip()), "1")] * _FURTHER_LINES
    limits = replace(launch.limits, time=min(launch.limits.time, _SECONDS), cpu=min(launch.limits.cpu, _SECONDS))
    argv, steps = launch.argv_untuned or launch.argv, (Step(do="send", text="\n".join([*lines, *more])),)
    found = execute(replace(launch, argv=argv, argv_untuned=(), stdin=b"", dialogue=steps, limits=limits))
    # A dialogue ends the input, and records that, only after the program has waited for more.
    return any(turn.stream == "stdin" and not turn.text for turn in found.transcript)


def _untested_reads(folder: Path) -> Sequence[tuple[str, int, str]]:
    """Return the reads of standard input in all sources; none where the result of one may be tested."""
    paths = sorted(path for path in folder.rglob("*") if path.suffix in _C_SUFFIXES)
    found: list[tuple[str, int, str]] = []  # a file, a line, and the function that reads there
    for path in paths:
        if path.is_symlink() or not path.is_file() or path.stat().st_size > _MAX_SOURCE_BYTES:
            return ()
        source = path.read_bytes().decode(errors="replace")
        code = _NO_CODE.sub(lambda it: it[0] if it["mark"] and not it["end"] else re.sub(r"[^\n]", " ", it[0]), source)
        reads = [one for one in _READ.finditer(code) if one["name"][0] != "f" or "stdin" in (one["given"] or "stdin")]
        is_tested = not all(one["begins"] is not None and one["given"] for one in reads)
        is_unsure = _UNSURE.search(code) or _RAW.search(source) or len(reads) > _MAX_READS
        if len(paths) > _MAX_SOURCES or is_unsure or is_tested:
            return ()
        found += [(path.name, code.count("\n", 0, one.start("name")) + 1, one["name"]) for one in reads]
    return found


_COMPILERS: Mapping[str, tuple[str, tuple[str, ...]]] = {"c": ("gcc", (".c",)), "cpp": ("g++", (".cpp", ".cc", ".cxx"))}
# C and C++ are compiled once more: gcc sees little without optimisation, and warnings are the assignment's choice.
_OPTIONS = ("-Wall", "-Wextra", "-O2", "-c")
_LIMITS = Limits(time=20.0, cpu=10.0, memory=2**30, output=2**18)
_WARNINGS, _PASCAL_ERRORS = json.loads(Path(__file__).with_name("meanings.json").read_bytes()).values()
"""what warnings that tell of a mistake mean, the plainest first, "" for the compiler's own words; what numbers mean"""
_NEEDS_ADDRESS = lazy_regex(r"expects argument of type `(.+?) ?\*`, but argument (\d+) has type `\1`")
_WARNING = lazy_regex(
    r"(?m)^(?P<file>[^\s:/][^\n:/]{0,99}):(?P<line>\d{1,7}):\d+: warning: (?P<text>.+) \[-W(?P<kind>[a-z-]+)[=\d]*\]"
    r"(?:\n +\d+ \| (?P<source>.*))?$"
)
_PLACE = lazy_regex(r"[^\s:/`(]{1,99}\.(?:c|cc|cpp|cxx):\d{1,7}")
_WITHIN = lazy_regex(r"(?m)^[^\n:]+: In (?:member )?function .([^\u2019'\n(]*)(?:\([^\u2019'\n]*)?.:$")
_NAME = lazy_regex(r"[\u2018']([^\u2019'\n]+)[\u2019']")


class CompilerWarning(Struct, frozen=True):
    """A warning in a sentence, and the place that it is about, such as `marks.c:22`; both empty where there is none."""

    place: str = ""
    sentence: str = ""

    def is_about(self, facts: str) -> bool:
        """Whether the facts of a case have no lines of sources, or that of the warning among them."""
        return not (places := _PLACE.findall(facts)) or self.place in places


def warning_of_compiler(launch: Launch, toolchain: Toolchain, execute: Runner) -> CompilerWarning:
    """Return the plainest warning about the sources of a program."""
    if toolchain.name not in _COMPILERS or launch.folder is None:
        return CompilerWarning()
    compiler, endings = _COMPILERS[toolchain.name]
    plain = (path.name for path in sorted(launch.folder.iterdir()) if path.is_file() and not path.is_symlink())
    if not (sources := [name for name in plain if name.endswith(endings) and name[0] != "-"][:_MAX_SOURCES]):
        return CompilerWarning()
    argv = (compiler, *_OPTIONS, *sources)
    found = execute(Launch(argv=argv, folder=launch.folder, limits=_LIMITS, permits=toolchain.permits))
    return CompilerWarning() if found.limit else plainest_warning(found.stderr.decode(errors="replace"))


def plainest_warning(log: str) -> CompilerWarning:
    """Return the warning in a log that tells most of a mistake."""
    found = [one for one in _WARNING.finditer(log) if one["kind"] in _WARNINGS]
    found = [one for one in found if one["kind"] != "parentheses" or "assignment used as truth value" in one["text"]]
    if not found:
        return CompilerWarning()
    # Where an address is missing, what stands in its place seems to be used before it has a value.
    first = min(found, key=lambda one: (" *\u2019, but" not in one["text"], [*_WARNINGS].index(one["kind"])))
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
    sentence = f"The compiler warns of {place}{shown}: {text}{'' if text.endswith('?') else '.'}"
    return CompilerWarning(f"{first['file']}:{first['line']}", sentence)
