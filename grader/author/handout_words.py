"""What is expected of a program or of a function, in words."""

from collections.abc import Iterator, Sequence

from grader.comparators import COMPARATORS
from grader.judge.calls import written
from grader.model import STREAMS, Expectation, Expected, ExpectedFiles, ExpectedValue, FunctionCase
from grader.report.markdown import code, fenced
from grader.text import capital, show

_MOST_LINES_OF_TEXT = 40
"""lines of an exact text"""
_STATUSES = {"success": "0", "failure": "not 0", "reference": "that of the right answer"}


def told_expectation(expect: Expectation) -> Iterator[str]:
    """Tell what a program must do, as the items of a list, exact texts in blocks below theirs."""
    for stream, expected in ((STREAMS["stdout"], expect.stdout), (STREAMS["stderr"], expect.stderr)):
        if expected is not None:
            title = f"- {capital(stream)}:"
            if expected.how == "text" and expected.want is not None:
                yield from _exact_text(title, expected.want[0])
            else:
                yield f"{title} {in_words(expected)}."
    if expect.exit != "any":
        status = expect.exit
        told = _STATUSES[status] if isinstance(status, str) else " or ".join(map(str, status))
        yield f"- Exit status: {told}."
    if expect.files:
        yield from _told_files(expect.files)


def _told_files(files: ExpectedFiles) -> Iterator[str]:
    if files.present:
        yield f"- Afterwards there must be {_listed(files.present)}."
    if files.absent:
        yield f"- Afterwards there must not be {_listed(files.absent)}."
    for name, text in files.same.items():
        if text is None:
            yield f"- The file {code(name)}: exactly the right answer."
        else:
            yield from _exact_text(f"- The file {code(name)}:", text)


def _exact_text(title: str, text: str) -> Iterator[str]:
    """Tell an exact text: nothing, or a block with it."""
    if not text:
        yield f"{title} nothing."
        return
    lines = show(text.removesuffix("\n")).split("\n")
    without = "" if text.endswith("\n") else ", without a newline at the end"
    yield f"{title} exactly{without}"
    yield ""
    yield from (f"  {line}" for line in fenced(lines[:_MOST_LINES_OF_TEXT]))
    if len(lines) > _MOST_LINES_OF_TEXT:
        yield f"  and {len(lines) - _MOST_LINES_OF_TEXT} more lines."


def in_words(expected: Expected) -> str:
    """Tell what a text is held against, on a line."""
    shown = "of the right answer" if expected.want is None else _listed(expected.want)
    return COMPARATORS[expected.how].words(expected, shown)


def _listed(words: Sequence[str]) -> str:
    return ", ".join(map(code, words)) or "none at all"


# ---------------------------------------------------------------- functions


def told_result(case: FunctionCase, stdout: Expected | None, language: str) -> str:
    """Tell what a call must come to, on a line."""
    told: list[str] = []
    if case.returns:
        text = case.returns.text
        told.append(f"returns {in_words(text) if text is not None else _value_in_words(case.returns, language)}")
    for place, wanted in sorted(case.args.items()):
        name = case.call.signature.parameters[place].name
        told.append(f"leaves {code(name)} as {_value_in_words(wanted, language)}")
    if stdout is not None and stdout.how != "any":
        told.append(f"prints {in_words(stdout)}")
    if case.raises:
        what = code(case.raises) if case.raises not in ("any", "reference") else "an exception where that is right"
        told.append(f"ends with {what}")
    return ", ".join(told)


def _value_in_words(wanted: ExpectedValue, language: str) -> str:
    if wanted.reference:
        return "the right answer"
    return code(written(wanted.want, is_python=language == "python"))
