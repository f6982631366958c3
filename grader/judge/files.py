"""The working folder after the run, held against what is expected there."""

from collections.abc import Iterator
from fnmatch import fnmatchcase
from fractions import Fraction

from grader.errors import HostError
from grader.judge.comparators import compare
from grader.judge.wanted import Wanted, answer_of
from grader.model import Case, Deviation, Execution
from grader.text import listed, quote

_SHOWN = 3


def compare_files(case: Case, execution: Execution, expected: Execution | None) -> Iterator[Deviation]:
    """Hold names and contents against `present`, `absent` and `same`; `*` matches in sub-folders too."""
    files = case.expect.files
    if files is None:
        return
    for pattern in files.present:
        if not _matching(execution, pattern):
            yield _wrong(case, f"{_shown(pattern)} is not there after the run.")
    for pattern in files.absent:
        if names := _matching(execution, pattern):
            shown = listed([_shown(name) for name in names[:_SHOWN]], total=len(names))
            yield _wrong(case, f"{shown} should not be there after the run.")
    for name, text in files.same.items():
        content = _answered(case, name, expected) if text is None else text.encode(errors="surrogatepass")
        yield from _compare_content(case, execution, name, content)


def _compare_content(case: Case, execution: Execution, name: str, content: bytes) -> Iterator[Deviation]:
    if name in execution.files:
        where = f"the file {_shown(name)}"
        wanted = Wanted(how="text", values=(content,), place="files", where=where, tolerate=case.tolerate)
        yield from compare(execution.files[name], wanted)
    elif name in execution.names:
        yield _wrong(case, f"{_shown(name)} is no regular file of ordinary size.")
    else:
        yield _wrong(case, f"{_shown(name)} is not there after the run.")


def _answered(case: Case, name: str, expected: Execution | None) -> bytes:
    content = answer_of(case, expected).files.get(name)
    if content is None:
        raise HostError(f"{case.id}: the reference left no file {name!r}, which the case asks for")
    return content


def _matching(execution: Execution, pattern: str) -> list[str]:
    return [name for name in execution.names if fnmatchcase(name, pattern) or fnmatchcase(name.rstrip("/"), pattern)]


def _wrong(case: Case, message: str) -> Deviation:
    return Deviation(kind="wrong", stream="files", message=message, keeps=case.tolerate.get("wrong", Fraction(0)))


def _shown(name: str) -> str:
    return quote(name.encode(errors="surrogateescape"))
