"""The validators of Submitty -> what a case expects. A validator without a counterpart is told by its name.

What each does was read in Submitty's source (`grading/dispatch.cpp`, `load_config_json.cpp`, `difference.cpp`).
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from grader.core.text import one_line
from grader.core.yaml.nodes import Node
from grader.core.yaml.value import escaped
from grader.core.yaml.writing import listing, plain, quoted, table
from grader.imports import submitty_compare, submitty_custom, text_or_word
from grader.imports.folder import Folder, safe_glob, safe_path
from grader.imports.submitty_config import NoCounterpartError, number_of, words_of

_OLD_DIFFS: Mapping[str, Mapping[str, Any]] = {
    "myersDiffbyLinebyChar": {"comparison": "byLinebyChar"},
    "myersDiffbyLinebyWord": {"comparison": "byLinebyWord"},
    "myersDiffbyLine": {"comparison": "byLine"},
    "myersDiffbyLineNoWhite": {"comparison": "byLine", "ignoreWhitespace": True},
    "myersDiffbyLinebyCharExtraStudentOutputOk": {"comparison": "byLinebyChar", "extra_student_output": True},
    "diffLineSwapOk": {"comparison": "byLine", "lineSwapOk": True},
}
WARNINGS = ("warnIfEmpty", "warnIfNotEmpty", "")
"""cost nothing; without a method, a file is only shown"""
_SPACES = ("inner-space", "leading-space", "trailing-space")
_LOG = "execute_logfile.txt"
"""in which Submitty writes how a program ended, if that was not with status 0"""
_STUDENT_TESTS = "`student-tests` holds the tests that students write against wrong programs"
_NO_COUNTERPART: Mapping[str, str] = {
    "EmmaInstrumentationGrader": f"Submitty no longer has Emma either; {_STUDENT_TESTS}",
    "EmmaCoverageReportGrader": f"Submitty no longer has Emma either; {_STUDENT_TESTS}",
    "JaCoCoCoverageReportGrader": f"coverage is not measured here; {_STUDENT_TESTS}",
    "ImageDiff": "pictures are not compared here; a `check` of your own gets both files as bytes",
}


@dataclass(slots=True, kw_only=True)
class OutputDemand:
    """What one validator asks for."""

    file: str = ""
    """of which it looks at the content; empty for one that looks at something else"""
    comparison: Node | None = None
    present: Sequence[str] = ()
    tolerate: Mapping[str, str] = field(default_factory=dict)
    is_memory: bool = False
    has_to_succeed: bool = False
    """whether the program has to end with status 0"""
    share: float = 1.0
    """of the points, which it costs"""
    alone: Mapping[str, Node] = field(default_factory=dict)
    """the keys of a test of its own, beside which nothing else is asked"""
    gives_share: bool = False
    """whether it may give a part of the points"""
    to_do: str = ""
    """why it cannot be carried over; empty when it can"""
    frames: Sequence[str] = ()
    """files that are judged together, each with its length before it, as `submitty_custom` reads them"""


@dataclass(slots=True, kw_only=True)
class Validators:
    """The conversion of all validators of an assignment, and the files that they need."""

    folder: Folder
    id: str
    files: dict[str, bytes] = field(default_factory=dict)
    notes: dict[str, None] = field(default_factory=dict)
    """what differs here, each once"""

    def demands(self, validator: Mapping[str, Any], share: float) -> list[OutputDemand]:
        """Return what a validator asks for; NoCounterpartError for one that no spec can express."""
        method = str(validator.get("method", ""))
        if method in WARNINGS:
            return []
        if method in _OLD_DIFFS:
            validator = {**validator, **_OLD_DIFFS[method]}
            method = "diff"
        if method not in _METHODS:
            why = _NO_COUNTERPART.get(method, "it is none of Submitty's own; see `check` for code of the course's")
            raise NoCounterpartError(f"the validator {one_line(method)} has no counterpart: {why}")
        is_log = validator.get("actual_file") == _LOG
        found = _of_log(method) if is_log else _METHODS[method](self, validator)
        for demand in found:
            demand.share = share / len(found)
        return found

    def reduced(self, validator: Mapping[str, Any], share: float) -> OutputDemand | None:
        """Return a demand that leaves the rest of the credit where it is not met; None for one that cannot.

        So each validator can be asked for in one run beside others that cost all.
        """
        method, file, keeps = str(validator.get("method", "")), _file(validator), str(round(1 - share, 4))
        if method in ("errorIfEmpty", "errorIfNotEmpty") and file != _LOG:
            node = self.check("empty" if method == "errorIfNotEmpty" else "not_empty", keeps=keeps)
        elif method == "searchToken" and not _tokens(self, validator)[0].is_memory:
            node = self.check("tokens", wanted=json.dumps(words_of(validator.get("data"))), keeps=keeps)
        elif method == "intComparison" and _number(self, validator):
            options = {"comparison": str(validator["comparison"]), "term": str(int(validator["term"]))}
            node = self.check("number", **options, keeps=keeps)
        else:
            return None
        return OutputDemand(file=file, comparison=node, gives_share=True)

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

    def check(self, function: str, **options: str) -> Node:
        """Return a comparison by a function of `submitty_compare`, of which the assignment gets a copy."""
        place = f"data/{self.id}/compare.py"
        self.files[place] = Path(submitty_compare.__file__).read_bytes()
        given = {name: quoted(escaped(value)) for name, value in options.items()}
        return table({"check": quoted(f"{place}:{function}"), **given})


def _file(validator: Mapping[str, Any]) -> str:
    names = words_of(validator.get("actual_file"))
    if len(names) != 1:
        raise NoCounterpartError("it looks at no file, or at several")
    return names[0]


def _of_log(method: str) -> list[OutputDemand]:
    if method != "errorIfNotEmpty":
        raise NoCounterpartError(f"{_LOG} is a file of Submitty's; see `exit` and `limits`")
    return [OutputDemand(has_to_succeed=True)]


def _diff(validators: Validators, validator: Mapping[str, Any]) -> list[OutputDemand]:
    comparison = validator.get("comparison", "byLinebyChar")
    if comparison not in ("byLinebyChar", "byLine", "byLinebyWord"):
        raise NoCounterpartError(
            f"the comparison {one_line(str(comparison), 40)!r} is none of Submitty's: nobody has points"
        )
    place, text = validators.expected_text(validator)
    if "max_char_changes" in validator:
        raise NoCounterpartError("max_char_changes: how many characters differ is not counted here")
    by_line = comparison == "byLine"
    is_swapped = by_line and bool(validator.get("lineSwapOk") or validator.get("line_swap_ok"))
    is_blank = by_line and bool(validator.get("ignoreWhitespace")) and not is_swapped
    asked = [key for key in ("ignoreWhitespace", "lineSwapOk", "line_swap_ok") if validator.get(key)]
    if asked and not by_line and comparison != "byLinebyWord":
        _note_idle(validators, asked[0])
    tolerate = {"line-endings": "100%"} if validator.get("ignore_line_endings") else {}
    if comparison == "byLinebyWord":
        validators.notes[
            "byLinebyWord: spaces cost nothing, as its name says; Submitty of today compares characters."
        ] = None
    if is_blank or comparison == "byLinebyWord":
        tolerate |= dict.fromkeys(_SPACES, "100%")
    elif validator.get("extra_student_output") and not is_swapped:
        tolerate["extra-lines"] = "100%"
        validators.notes[
            "extra_student_output: a difference of spaces alone costs its lines, and 1 % of all there."
        ] = None
    node = _lines(validator, place, text, is_swapped=is_swapped)
    return [OutputDemand(file=_file(validator), comparison=node, tolerate=tolerate)]


def _lines(validator: Mapping[str, Any], place: str, text: str, *, is_swapped: bool) -> Node:
    """Return the comparison of the lines of a file."""
    if not text:
        return table({"text": quoted("")})
    tolerance = validator.get("tolerance")
    close: dict[str, Node] = {}
    if isinstance(tolerance, int | float) and tolerance > 0:
        if is_swapped:
            raise NoCounterpartError("tolerance beside lineSwapOk: numbers may be off in lines of one order alone")
        close = {"tolerance": plain(f"{tolerance:g}")}
    order = {"order": plain("any")} if is_swapped else {}
    credit = {} if validator.get("partial_credit") is False else {"credit": plain("share")}
    return table({"lines": table({"file": text_or_word(place)}), **order, **credit, **close})


def _note_idle(validators: Validators, key: str) -> None:
    validators.notes[
        f'{key}: it has an effect only beside "comparison": "byLine", as in Submitty; elsewhere nothing is forgiven.'
    ] = None


def _exists(validators: Validators, validator: Mapping[str, Any]) -> list[OutputDemand]:
    names = words_of(validator.get("actual_file"))
    if not names:
        raise NoCounterpartError("fileExists names no file")
    files = [safe_glob(name) for name in names if not stream_of(name, 1)]  # those of the streams are always there
    if validator.get("one_of") and len(names) > 1:
        node = validators.check("one_of", names="\n".join(names))
        return [OutputDemand(file="STDOUT.txt", comparison=node)] if files == names else [OutputDemand()]
    return [OutputDemand(present=files)]


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
    node = validators.check("number", comparison=comparison, term=str(int(term)))
    return [OutputDemand(file=_file(validator), comparison=node)]


def _pacman(validators: Validators, validator: Mapping[str, Any]) -> list[OutputDemand]:
    tests = number_of(validator.get("num_tests"), 0)
    if not 1 <= tests <= 1000:  # noqa: PLR2004 - more than any project has
        raise NoCounterpartError("PacmanGrader without num_tests")
    return [
        OutputDemand(
            file=_file(validator), comparison=validators.check("pacman", tests=str(int(tests))), gives_share=True
        )
    ]


def _memory(_validators: Validators, _validator: Mapping[str, Any]) -> list[OutputDemand]:
    return [OutputDemand(is_memory=True)]


def _custom(validators: Validators, validator: Mapping[str, Any]) -> list[OutputDemand]:
    """Run a validator of the course's, in Python, in the sandbox of the validators."""
    command = str(validator.get("command", ""))
    found = re.fullmatch(r"(?:/usr/bin/)?python3?\s+(?P<script>[\w./-]+\.py)(?P<args>(?:\s+[\w./:=,+@%-]+)*)", command)
    folder = "custom_validation_code"
    if not found or f"{folder}/{found['script']}" not in validators.folder.files:
        raise NoCounterpartError(f"custom_validator: its command is not a script in Python of the folder {folder}")
    names = [safe_path(name) for name in words_of(validator.get("actual_file"))]
    if not names or any("*" in name for name in names):
        raise NoCounterpartError("custom_validator: it names no file to look at, or a glob")
    place = f"data/{validators.id}/custom"
    for below in (folder, "test_input", "test_output"):
        above = "" if below == folder else f"{below}/"
        given = validators.folder.below(below)
        validators.files |= {f"{place}/files/{above}{safe_path(name)}": given[name] for name in given}
    validators.files[f"{place}/validate.py"] = Path(submitty_custom.__file__).read_bytes()
    asked = {
        **validator,
        "command": f"python3 {found['script']}{found['args']}",
        "testcase_prefix": "test01/",
        "username": "",
    }
    asked["actual_file"] = names if isinstance(validator.get("actual_file"), list) else names[0]
    name = f"validator_{sum(one.startswith(f'{place}/validator_') for one in validators.files) + 1}.json"
    validators.files[f"{place}/{name}"] = json.dumps(asked, indent=1).encode()
    program = table({"validator": text_or_word(f"{place}/validate.py"), "args": listing([quoted(name)])})
    node = table({"check": program})
    validators.notes[
        "custom_validator: the script of the course is run in a sandbox, with the files of `actual_file` and no user "
        "name; where it gives no result a case is ungraded."
    ] = None
    frames = names if len(names) > 1 else ()
    return [OutputDemand(file=names[0], comparison=node, frames=frames, gives_share=True)]


_METHODS: Mapping[str, Callable[[Validators, Mapping[str, Any]], list[OutputDemand]]] = {
    "diff": _diff,
    "fileExists": _exists,
    "errorIfEmpty": _not_empty,
    "errorIfNotEmpty": _empty,
    "searchToken": _tokens,
    "intComparison": _number,
    "DrMemoryGrader": _memory,
    "PacmanGrader": _pacman,
    "custom_validator": _custom,
}


def shares(validation: Sequence[Mapping[str, Any]]) -> list[float]:
    """Return what each validator of a test case costs, as a share of its points.

    Without a `deduction` it is one part of as many as there are validators, of which one that only warns has its own.
    """
    usual = 1 / max(1, sum("method" in one for one in validation))
    found = [min(1.0, max(0.0, number_of(one.get("deduction"), usual))) for one in validation]
    return [
        0.0 if str(one.get("method", "")) in WARNINGS else share for one, share in zip(validation, found, strict=True)
    ]


def stream_of(file: str, number_of_commands: int, only: int = 0) -> str:
    """Return the stream that a file of Submitty stands for; empty for another file.

    `only` is the place of the command that is run, among all; what of others is written are files.
    """
    found = re.fullmatch(r"STD(OUT|ERR)(?:_(\d{1,3}))?\.txt", file)
    return f"std{found[1].lower()}" if found and number_of_commands == 1 and int(found[2] or 0) == only else ""
