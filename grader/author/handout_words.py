"""Limits, tolerances and expectations, in words."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from grader.comparators import COMPARATORS
from grader.judge.values import written
from grader.load.language import DEVIATION_MEANINGS
from grader.model import (
    STREAMS,
    Expectation,
    Expected,
    ExpectedFiles,
    ExpectedValue,
    FunctionCase,
    Limits,
    Tolerances,
)
from grader.report.markdown import code, fenced
from grader.text import points, show

_BYTES = (("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10))
_LONGEST = 40
"""lines of an exact text"""


def limits_told(limits: Limits) -> str:
    """Write limits: "10 s, 10 s of processor time, 512 MiB of memory, ..."."""
    cpu = "" if limits.cpu == limits.time else f"{limits.cpu:g} s of processor time, "
    return (
        f"{limits.time:g} s, {cpu}{_size(limits.memory)} of memory, {_size(limits.output)} of output on each stream "
        f"and {limits.processes} processes"
    )


def _size(number: int) -> str:
    return next((f"{number / size:g} {unit}" for unit, size in _BYTES if number >= size), f"{number} bytes")


def shares(tolerate: Tolerances) -> Iterator[tuple[str, str]]:
    """Iterate over what is tolerated, in words, and the share that it leaves, the largest first."""
    for kind, share in sorted(tolerate.items(), key=lambda item: -item[1]):
        yield DEVIATION_MEANINGS[kind].removesuffix("."), percent(share)


def percent(share: Fraction) -> str:
    """Write a share: `90 %`."""
    return f"{points(share * 100)} %"


# ---------------------------------------------------------------- what is expected


def expected_told(expect: Expectation) -> Iterator[str]:
    """Tell what a program must do, as the items of a list, exact texts in blocks below theirs."""
    for stream, expected in ((STREAMS["stdout"], expect.stdout), (STREAMS["stderr"], expect.stderr)):
        if expected is not None:
            yield from _stream(stream, expected)
    if expect.exit != "any":
        yield f"- Exit status: {_exit(expect)}."
    if expect.files:
        yield from _files(expect.files)


def _stream(name: str, expected: Expected) -> Iterator[str]:
    title = f"- {name[0].upper()}{name[1:]}:"
    if expected.how == "text" and expected.want is not None:
        yield from exact(title, expected.want[0])
    else:
        yield f"{title} {in_words(expected)}."


def exact(title: str, text: str) -> Iterator[str]:
    """Tell an exact text: nothing, or a block with it."""
    if not text:
        yield f"{title} nothing."
        return
    lines = show(text.removesuffix("\n")).split("\n")
    without = "" if text.endswith("\n") else ", without a newline at the end"
    yield f"{title} exactly{without}"
    yield ""
    yield from (f"  {line}" for line in fenced(lines[:_LONGEST]))
    if len(lines) > _LONGEST:
        yield f"  and {len(lines) - _LONGEST} more lines."


def in_words(expected: Expected) -> str:
    """Tell what a text is held against, on a line."""
    shown = "of the right answer" if expected.want is None else _listed(expected.want)
    return COMPARATORS[expected.how].words(expected, shown)


def _listed(words: Sequence[str]) -> str:
    return ", ".join(map(code, words)) or "none at all"


def _exit(expect: Expectation) -> str:
    match expect.exit:
        case "success":
            return "0"
        case "failure":
            return "not 0"
        case "reference" | "any":
            return "that of the right answer"
        case numbers:
            return " or ".join(map(str, numbers))


def _files(files: ExpectedFiles) -> Iterator[str]:
    if files.present:
        yield f"- Afterwards there must be {_listed(files.present)}."
    if files.absent:
        yield f"- Afterwards there must not be {_listed(files.absent)}."
    for name, text in files.same.items():
        if text is None:
            yield f"- The file {code(name)}: exactly the right answer."
        else:
            yield from exact(f"- The file {code(name)}:", text)


# ---------------------------------------------------------------- functions


def result_told(case: FunctionCase, stdout: Expected | None, language: str) -> str:
    """Tell what a call must come to, on a line."""
    told = [_returned(case.returns, language)] if case.returns else []
    for place, wanted in sorted(case.args.items()):
        name = case.call.signature.parameters[place].name
        told.append(f"leaves {code(name)} as {_value(wanted, language)}")
    if stdout is not None and stdout.how != "any":
        told.append(f"prints {in_words(stdout)}")
    if case.raises:
        what = code(case.raises) if case.raises not in ("any", "reference") else "an exception where that is right"
        told.append(f"ends with {what}")
    return ", ".join(told)


def _returned(wanted: ExpectedValue, language: str) -> str:
    if wanted.text is not None:
        return f"returns {in_words(wanted.text)}"
    return f"returns {_value(wanted, language)}"


def _value(wanted: ExpectedValue, language: str) -> str:
    if wanted.reference:
        return "the right answer"
    return code(written(wanted.want, is_python=language == "python"))
