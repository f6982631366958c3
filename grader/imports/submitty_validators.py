"""The validators of Submitty -> what a case expects. A validator without a counterpart is told by its name."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from grader.core.text import one_line
from grader.core.yaml.nodes import Node
from grader.core.yaml.value import escaped
from grader.core.yaml.writing import listing, plain, quoted, table
from grader.imports import text_or_word
from grader.imports.folder import Folder, safe_path
from grader.imports.submitty_config import number_of, words_of

_OLD_DIFFS: Mapping[str, Mapping[str, Any]] = {
    "myersDiffbyLinebyChar": {},
    "myersDiffbyLinebyWord": {"ignoreWhitespace": True},
    "myersDiffbyLine": {},
    "myersDiffbyLineNoWhite": {"ignoreWhitespace": True},
    "myersDiffbyLinebyCharExtraStudentOutputOk": {"extra_student_output": True},
    "diffLineSwapOk": {"lineSwapOk": True},
}
WARNINGS = ("warnIfEmpty", "warnIfNotEmpty")
"""cost nothing"""
_SPACES = ("inner-space", "leading-space", "trailing-space")
COMPARE = '''\
"""Compares the number at the beginning of an output, as Submitty's intComparison does."""

import re

from grader import Wrong

_HOLDS = {
    "eq": lambda one, other: one == other,
    "ne": lambda one, other: one != other,
    "gt": lambda one, other: one > other,
    "lt": lambda one, other: one < other,
    "ge": lambda one, other: one >= other,
    "le": lambda one, other: one <= other,
}
_WORDS = {"eq": "exactly", "ne": "not", "gt": "more than", "lt": "less than", "ge": "at least", "le": "at most"}


def number(output: bytes, *, comparison: str, term: str) -> None:
    """Raise Wrong unless the output begins with a number for which the comparison holds."""
    found = re.match(rb"\\s*([+-]?\\d{1,18})", output)
    if found is None:
        raise Wrong("The output does not begin with a number.")
    if not _HOLDS[comparison](int(found[1]), int(term)):
        raise Wrong(f"The number is {int(found[1])}; {_WORDS[comparison]} {term} is expected.")
'''


class NoCounterpartError(Exception):
    """Why a validator cannot be carried over."""


@dataclass(slots=True, kw_only=True)
class OutputDemand:
    """What one validator asks for."""

    file: str = ""
    """of which it looks at the content; empty for one that looks at something else"""
    comparison: Node | None = None
    present: Sequence[str] = ()
    tolerate: Sequence[str] = ()
    is_memory: bool = False
    share: float = 1.0
    """of the points, which it costs"""


@dataclass(slots=True, kw_only=True)
class Validators:
    """The conversion of all validators of an assignment, and the files that they need."""

    folder: Folder
    id: str
    files: dict[str, bytes] = field(default_factory=dict)

    def demands(self, validator: Mapping[str, Any], share: float) -> list[OutputDemand]:
        """Return what a validator asks for; NoCounterpartError for one that no spec can express."""
        method = str(validator.get("method", ""))
        if method in WARNINGS:
            return []
        if method in _OLD_DIFFS:
            validator = {**validator, **_OLD_DIFFS[method], "comparison": ""}
            method = "diff"
        if method not in _METHODS:
            raise NoCounterpartError(f"the validator {one_line(method or '(without a method)')} has no counterpart")
        found = _METHODS[method](self, validator)
        for demand in found:
            demand.share = share / len(found)
        return found

    def expected_text(self, validator: Mapping[str, Any]) -> tuple[str, str]:
        """Return the place of what a validator expects below the course root, and its text."""
        written = validator.get("expected_string")
        if isinstance(written, str):
            place = f"data/{self.id}/expected/{len(self.files) + 1}.txt"
            self.files[place] = written.encode()
            return place, written
        name = (words_of(validator.get("expected_file")) or [""])[0]
        inner = next((one for one in (f"test_output/{name}", name) if one in self.folder.files), None)
        if inner is None:
            raise NoCounterpartError(f"the expected file {one_line(name)!r} is not in the folder")
        place = f"data/{self.id}/{safe_path(inner)}"
        content = self.folder.content(inner)
        self.files[place] = content
        return place, content.decode(errors="replace")


def _file(validator: Mapping[str, Any]) -> str:
    names = words_of(validator.get("actual_file"))
    if len(names) != 1 or "*" in names[0]:
        raise NoCounterpartError("it looks at no file, or at several")
    return names[0]


def _diff(validators: Validators, validator: Mapping[str, Any]) -> list[OutputDemand]:
    comparison = validator.get("comparison", "byLinebyChar")
    is_by_word = comparison == "byLinebyWord"
    if comparison not in ("byLinebyChar", "byLinebyWord", "byLine", ""):
        raise NoCounterpartError(f"the comparison {one_line(str(comparison))!r} is not known")
    place, text = validators.expected_text(validator)
    if "max_char_changes" in validator:
        raise NoCounterpartError("max_char_changes: how many characters differ is not counted here")
    tolerate = []
    if validator.get("ignore_line_endings"):
        tolerate.append("line-endings")
    if validator.get("ignoreWhitespace") or is_by_word:
        tolerate += _SPACES
    if validator.get("extra_student_output"):
        tolerate.append("extra-lines")
    wanted = table({"file": text_or_word(place)})
    tolerance = validator.get("tolerance")
    if not text:
        node = table({"text": quoted("")})
    elif isinstance(tolerance, int | float) and tolerance > 0:
        node = table({"tokens": wanted, "tolerance": plain(f"{tolerance:g}")})
        tolerate = [one for one in tolerate if one not in _SPACES]
    else:
        is_swapped = validator.get("lineSwapOk") or validator.get("line_swap_ok")
        order = {"order": plain("any")} if is_swapped else {}
        credit = {} if validator.get("partial_credit") is False else {"credit": plain("share")}
        node = table({"lines": wanted, **order, **credit})
    return [OutputDemand(file=_file(validator), comparison=node, tolerate=tolerate)]


def _exists(_validators: Validators, validator: Mapping[str, Any]) -> list[OutputDemand]:
    names = words_of(validator.get("actual_file"))
    if not names or (validator.get("one_of") and len(names) > 1):
        raise NoCounterpartError("fileExists asks for one of several files: write it as `required: [{any: ...}]`")
    files = [name for name in names if not stream_of(name, 1)]  # those of the streams are always there
    return [OutputDemand(present=[safe_path(name.replace("*", "x")) and name for name in files])]


def _not_empty(_validators: Validators, validator: Mapping[str, Any]) -> list[OutputDemand]:
    return [
        OutputDemand(
            file=_file(validator), comparison=table({"regex": quoted("(?s)."), "about": quoted("some output")})
        )
    ]


def _empty(_validators: Validators, validator: Mapping[str, Any]) -> list[OutputDemand]:
    return [OutputDemand(file=_file(validator), comparison=table({"text": quoted("")}))]


def _tokens(_validators: Validators, validator: Mapping[str, Any]) -> list[OutputDemand]:
    data = words_of(validator.get("data"))
    if not data or not all(data):
        raise NoCounterpartError("searchToken searches for nothing")
    file = _file(validator)
    if file.startswith("STDERR") and any("ERROR SUMMARY: 0 errors" in one for one in data):
        return [OutputDemand(is_memory=True)]
    return [OutputDemand(file=file, comparison=table({"contains": listing([quoted(escaped(one))])})) for one in data]


def _number(validators: Validators, validator: Mapping[str, Any]) -> list[OutputDemand]:
    term, comparison = validator.get("term"), validator.get("comparison")
    if (
        not isinstance(term, int | float)
        or abs(term) > 10**12
        or comparison not in ("eq", "ne", "gt", "lt", "ge", "le")
    ):
        raise NoCounterpartError("intComparison without a term, or with an unknown comparison")
    place = f"data/{validators.id}/compare.py"
    validators.files[place] = COMPARE.encode()
    check = {"check": quoted(f"{place}:number"), "comparison": plain(comparison), "term": quoted(str(int(term)))}
    return [OutputDemand(file=_file(validator), comparison=table(check))]


def _memory(_validators: Validators, _validator: Mapping[str, Any]) -> list[OutputDemand]:
    return [OutputDemand(is_memory=True)]


_METHODS: Mapping[str, Callable[[Validators, Mapping[str, Any]], list[OutputDemand]]] = {
    "diff": _diff,
    "fileExists": _exists,
    "errorIfEmpty": _not_empty,
    "errorIfNotEmpty": _empty,
    "searchToken": _tokens,
    "intComparison": _number,
    "DrMemoryGrader": _memory,
}


def shares(validation: Sequence[Mapping[str, Any]]) -> list[float]:
    """Return what each validator of a test case costs, as a share of its points."""
    usual = 1 / max(1, len(validation))
    found = [number_of(one.get("deduction"), usual) for one in validation]
    return [0.0 if one.get("method") in WARNINGS else share for one, share in zip(validation, found, strict=True)]


def stream_of(file: str, number_of_commands: int) -> str:
    """Return the stream that a file of Submitty stands for, where one command is run; empty for another file."""
    found = re.fullmatch(r"STD(OUT|ERR)(?:_0)?\.txt", file)
    return f"std{found[1].lower()}" if found and number_of_commands == 1 else ""
