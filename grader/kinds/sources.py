"""Code that kinds share that examine the source: reading it, and the result of a case."""

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from pathlib import Path

from grader.core.model.judgement import CaseResult, Deviation, Examined, Message, Verdict
from grader.core.model.layout import matches_glob
from grader.core.model.spec import Case
from grader.core.notebook.linear import is_notebook, module_name, to_linear_source
from grader.core.notebook.reading import NotebookError, read_cells
from grader.core.text import count, joined, quote, size

_MAX_SOURCE_BYTES = 2**20
"""the most bytes of source in all: assignments need far less, and reading takes a thousand times their size"""
_MAX_FILES = 500


def read_sources(
    folder: Path, asked: Collection[str], endings: tuple[str, ...], excluded: Collection[str] = ()
) -> dict[str, bytes]:
    """Return name -> content of the files in `folder` that match a name or glob, or without any the endings.

    Links are skipped, and so are the files of the course, `excluded`. Reading stops when they are too many. Of a
    notebook the content is the text of its cells; the module made of it is skipped.
    """
    found: dict[str, bytes] = {}
    plain = (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    names = sorted(path.relative_to(folder).as_posix() for path in plain)
    made = {module_name(name) for name in names if is_notebook(name)} if any(map(is_notebook, asked)) else set[str]()
    for name in names:
        if name in excluded or name in made:
            continue
        if any(matches_glob(name, glob) for glob in asked) if asked else name.endswith(endings):
            found[name] = _read_source(folder / name)
        if describe_too_much(found):
            break
    return found


def _read_source(path: Path) -> bytes:
    if not is_notebook(path.name):
        return path.read_bytes()
    try:
        return to_linear_source(read_cells(path.read_bytes()))
    except NotebookError:
        return b""  # it was not built for that reason


NOTEBOOK_SOURCES = ("*.ipynb", "*.py")
"""the sources of a submission with notebooks, where a spec names none"""


def describe_too_much(sources: Mapping[str, bytes]) -> str:
    """Return, in a sentence, that these are more than anybody reads; empty when they are not."""
    total = sum(map(len, sources.values()))
    if total <= _MAX_SOURCE_BYTES and len(sources) <= _MAX_FILES:
        return ""
    return f"{count(len(sources), 'file')} of source with {size(total)} are too much to read; far less is expected."


def source_result(case: Case, found: Examined, *, message: str, credit: Fraction, drawing: str = "") -> CaseResult:
    """Return the result of a case about the source; the `message` is empty when nothing was found."""
    wrong = Deviation(kind="wrong", stream="source", message=message, keeps=credit, drawing=drawing)
    return CaseResult(
        id=case.id,
        verdict=Verdict.PASSED if credit == 1 else Verdict.PARTIAL if credit else Verdict.FAILED,
        credit=credit,
        command="",
        message=Message(message, ("source",)),
        deviations=(wrong,) if message else (),
        spots=found.spots if message else (),
    )


def describe_no_file(files: Sequence[str], otherwise: str) -> str:
    """Describe that none of the files to be examined exists."""
    return f"There is no file {joined([quote(name) for name in files], 'or') if files else otherwise} to look at."
