"""Code that kinds share that examine the source: reading it, and the result of a case."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from pathlib import Path

from grader.core.model.layout import matches_glob
from grader.core.model.report import CaseResult, Deviation, Examined, Message, Verdict
from grader.core.model.spec import Case
from grader.core.notebook import NotebookError, is_notebook, module_name, read_cells, to_linear_source
from grader.core.text import count, joined, quote, size

_MAX_SOURCE_BYTES = 2**20
"""the most bytes of source in all: assignments need far less, and reading takes a thousand times their size"""
_MAX_FILES = 500
NOTEBOOK_SOURCES = ("*.ipynb", "*.py")
"""the sources of a submission with notebooks, where a spec names none"""


def plain_files(folder: Path) -> dict[str, Path]:
    """Return name -> path of all files in a folder, in their order; links are skipped."""
    files = (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    return dict(sorted((path.relative_to(folder).as_posix(), path) for path in files))


def read_sources(
    folder: Path, asked: Collection[str], endings: tuple[str, ...], excluded: Collection[str] = ()
) -> dict[str, bytes]:
    """Return name -> content of the files in `folder` that match a name or glob, or without any the endings.

    Links are skipped, and so are the files of the course, `excluded`. Reading stops when they are too many. Of a
    notebook the content is the text of its cells; the module made of it is skipped.
    """
    sources, paths = dict[str, bytes](), plain_files(folder)
    modules = {module_name(name) for name in paths if is_notebook(name)} if any(map(is_notebook, asked)) else set[str]()
    for name in [name for name in paths if name not in excluded and name not in modules]:
        if any(matches_glob(name, glob) for glob in asked) if asked else name.endswith(endings):
            sources[name] = paths[name].read_bytes()
            if is_notebook(name):
                cells, sources[name] = sources[name], b""
                with suppress(NotebookError):  # it was not built for that reason
                    sources[name] = to_linear_source(read_cells(cells))
        if describe_too_much(sources):
            break
    return sources


def describe_too_much(sources: Mapping[str, bytes]) -> str:
    """Return, in a sentence, that these are more than anybody reads; empty when they are not."""
    total = sum(map(len, sources.values()))
    text = f"{count(len(sources), 'file')} of source with {size(total)} are too much to read; far less is expected."
    return text if total > _MAX_SOURCE_BYTES or len(sources) > _MAX_FILES else ""


def source_result(case: Case, facts: Examined, *, message: str, credit: Fraction, drawing: str = "") -> CaseResult:
    """Return the result of a case about the source; the `message` is empty when nothing was found."""
    wrong = Deviation(kind="wrong", stream="source", message=message, keeps=credit, drawing=drawing)
    return CaseResult(
        id=case.id,
        verdict=Verdict.PASSED if credit == 1 else Verdict.PARTIAL if credit else Verdict.FAILED,
        credit=credit,
        command="",
        message=Message(message, ("source",)),
        deviations=(wrong,) if message else (),
        spots=facts.spots if message else (),
    )


def describe_no_file(files: Sequence[str], otherwise: str) -> str:
    """Describe that none of the files to be examined exists."""
    return f"There is no file {joined([quote(name) for name in files], 'or') if files else otherwise} to look at."
