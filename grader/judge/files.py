"""The working folder after the run, held against what is expected there."""

from collections.abc import Iterator
from fnmatch import fnmatchcase

from grader.comparators.base import Wanted
from grader.comparators.text import TEXT
from grader.errors import HostError
from grader.judge.wanted import answer_of, deviation_in, deviations_of
from grader.model import Case, Deviation, Execution
from grader.text import listed, quote

_MOST_FILES_TOLD = 3


def compare_files(case: Case, execution: Execution, expected: Execution | None) -> Iterator[Deviation]:
    """Hold names and contents against `present`, `absent` and `same`; `*` matches in sub-folders too."""
    files = case.expect.files
    if files is None:
        return
    for pattern in files.present:
        if not _matching(execution, pattern):
            yield deviation_in(case, "wrong", "files", f"{_file_name(pattern)} is not there after the run.")
    for pattern in files.absent:
        if names := _matching(execution, pattern):
            shown = listed([_file_name(name) for name in names[:_MOST_FILES_TOLD]], total=len(names))
            yield deviation_in(case, "wrong", "files", f"{shown} should not be there after the run.")
    for name, text in files.same.items():
        wanted = answer_of(case, expected).files.get(name) if text is None else text.encode(errors="surrogatepass")
        if wanted is None:
            raise HostError(f"{case.id}: the reference left no file {name!r}, which the case asks for")
        yield from _compare_content(case, execution, name, wanted)


def _compare_content(case: Case, execution: Execution, name: str, content: bytes) -> Iterator[Deviation]:
    shown = _file_name(name)
    if name in execution.files:
        where = f"the file {shown}"
        wanted = Wanted(how=TEXT.name, values=(content,), place="files", where=where, tolerate=case.tolerate)
        yield from deviations_of(execution.files[name], wanted)
    elif name in execution.names:
        yield deviation_in(case, "wrong", "files", f"{shown} is no regular file of ordinary size.")
    else:
        yield deviation_in(case, "wrong", "files", f"{shown} is not there after the run.")


def _matching(execution: Execution, pattern: str) -> list[str]:
    return [name for name in execution.names if fnmatchcase(name, pattern) or fnmatchcase(name.rstrip("/"), pattern)]


def _file_name(name: str) -> str:
    return quote(name.encode(errors="surrogateescape"))
