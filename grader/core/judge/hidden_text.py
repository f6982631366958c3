"""Text of hidden tests in what a student's program wrote: it is not shown to those who must not see these tests.

The code of a unit test lies in the process of the program that it tests, which may print all that it finds there. What
it wrote is therefore searched for lines of tests that fewer people see than the test at hand: as they are, without
blanks and quotes, backwards, and in simple codes. Verdict and credit stay as they are.

A line counts when it is code: what honest programs print too, such as texts and tables of values, is none. Neither is
what stands in a test that everybody sees, or in the student's own files. The search is linear in the length of a text.
"""

import base64
import codecs
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from grader.core.lazy import lazy_call
from grader.core.model.judgement import CaseResult, Deviation
from grader.core.model.spec import Spec
from grader.core.model.submission import Artifact
from grader.core.text import show
from grader.kinds import kinds_in

WITHHELD = "This is not shown, because it contains text of hidden tests."
_MIN_LINE, _MIN_ASSERTION = 20, 12
"""characters of a line that counts, without blanks and quotes; of one that asserts something"""
_MIN_SIGNS = 3
"""brackets, operators and the like in such a line, outside of quotes; words alone are no code"""
_WINDOW, _MIN_WINDOW_SIGNS = 32, 4
"""characters of a part of a longer line that counts, and the signs in it"""
_MIN_LETTERS = 4
"""letters outside of quotes: without them it is a table of values"""
_GRAM = 6
_MAX_OWN_BYTES = 2**20
_MAX_CODED = 2**17
"""characters of a text that are searched in codes, too; reports show half as many"""
_SIGNS = frozenset("()[]{}.=<>+-*/%&|!;:,@_")
_TEXT = re.compile(r"\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'")
_ESCAPED_BLANK = re.compile(r"\\[nrt]")
_ESCAPE = re.compile(r"\\x([0-9a-fA-F]{2})|\\u\{?([0-9a-fA-F]{4})\}?|%([0-9a-fA-F]{2})|\\([0-7]{3})")
_SEPARATOR = re.compile(r"[\s,:;\"']+|\\x|0x")
_URL_SAFE = str.maketrans("-_", "+/")
_DROPPED = str.maketrans("", "", " \t\r\n\f\v\0\"'`\\")


class HiddenTextFinder:
    """Knows the text that those who see a test must not see, and withholds what contains it."""

    def __init__(self, secret: str, shown: str, work: Path | None) -> None:
        """Look for the text of `secret` that is neither in `shown` nor in the files of `work`."""
        self._patterns = _patterns_of(secret, shown)
        self._work = work

    def withhold(self, case: CaseResult) -> CaseResult:
        """Return the result as it may be shown."""
        if not self._patterns.whole:
            return case
        case = replace(case, runs=tuple(map(self.withhold, case.runs)))
        return _withheld(case) if self.is_in("\n".join(_texts_of(case))) else case

    def is_in(self, text: str) -> bool:
        """Whether a text contains what is hidden."""
        return any(self._is_plainly_in(variant) for variant in _variants(text))

    def _is_plainly_in(self, text: str) -> bool:
        grams, lengths, whole = self._patterns
        for place in range(0, len(text) - _GRAM + 1, _GRAM):
            for offset in grams.get(text[place : place + _GRAM], ()):
                start = max(0, place - offset)
                for length in lengths.get(text[start : start + _MIN_ASSERTION], ()):
                    found = text[start : start + length]
                    if found in whole and found not in self._own:
                        return True
        return False

    @cached_property
    def _own(self) -> str:
        """What the student's own files hold, in the same form."""
        texts, left = [], _MAX_OWN_BYTES
        for path in sorted(self._work.rglob("*")) if self._work else ():
            if left > 0 and path.is_file() and not path.is_symlink():
                with path.open("rb") as file:
                    texts.append(file.read(left).decode("utf-8", "replace"))
                left -= len(texts[-1])
        return _bare("\n".join(texts))


def finder_of_hidden_text(spec: Spec, visibility: str, work: object) -> HiddenTextFinder:
    """Return what finds the text of tests that fewer people see than one of this visibility.

    `work` is what was built, or why nothing was.
    """
    every = [pair for kind in kinds_in(spec) if kind.secret_sources for pair in kind.secret_sources(visibility, spec)]
    folder = (work.handed_in or work.folder) if isinstance(work, Artifact) else None
    return HiddenTextFinder("\n".join(one for one, _ in every), "\n".join(other for _, other in every), folder)


def _texts_of(case: CaseResult) -> Iterator[str]:
    """Yield all texts of a result that the student's program may have written."""
    yield case.message
    for deviation in case.deviations:
        yield from (deviation.message, deviation.drawing)
    for one in case.contrasts:
        yield from (one.actual, one.expected)
    if case.run:
        yield from (case.run.stdout, case.run.stderr)
        yield from (show(turn.text) for turn in case.run.transcript)


def _withheld(case: CaseResult) -> CaseResult:
    def silent(one: Deviation) -> Deviation:
        return replace(one, message=WITHHELD, drawing="")

    return replace(
        case,
        message=WITHHELD if case.message else "",
        deviations=tuple(map(silent, case.deviations)),
        run=case.run and replace(case.run, stdout=WITHHELD, stderr="", transcript=()),
        whole=None,
        contrasts=(),
    )


# ---------------------------------------------------------------- what is looked for


class _Patterns(NamedTuple):
    """The lines that count, and parts of them, without blanks and quotes."""

    grams: dict[str, tuple[int, ...]]
    """the first parts of each -> how far from its beginning they are"""
    lengths: dict[str, tuple[int, ...]]
    """how each begins -> the lengths of those that begin so"""
    whole: frozenset[str]


@lru_cache(maxsize=16)
def _patterns_of(secret: str, shown: str) -> _Patterns:
    rest = _bare(shown)
    whole = frozenset(one for line in secret.splitlines() for one in _patterns_in(line) if one not in rest)
    grams: dict[str, set[int]] = {}
    lengths: dict[str, set[int]] = {}
    for one in whole:
        lengths.setdefault(one[:_MIN_ASSERTION], set()).add(len(one))
        for offset in range(_GRAM):
            grams.setdefault(one[offset : offset + _GRAM], set()).add(offset)
    return _Patterns(_sorted_values(grams), _sorted_values(lengths), whole)


def _sorted_values(found: dict[str, set[int]]) -> dict[str, tuple[int, ...]]:
    return {key: tuple(sorted(values)) for key, values in found.items()}


def _patterns_in(line: str) -> Iterator[str]:
    """Yield a line of code, if it is long enough and more than words or values, and the parts of a longer one."""
    letters: list[tuple[str, str]] = []
    place = 0
    for found in _TEXT.finditer(line):
        letters += [(one, one) for one in _bare(line[place : found.start()])]
        letters += [(one, "") for one in _bare(found[0])]
        place = found.end()
    letters += [(one, one) for one in _bare(line[place:])]
    text = "".join(one for one, _ in letters)
    code = [one for _, one in letters]
    least = _MIN_ASSERTION if "assert" in "".join(code).lower() else _MIN_LINE
    if len(text) >= least and _is_code(code, _MIN_SIGNS):
        yield text
    for start in range(len(text) - _WINDOW + 1):
        if _is_code(code[start : start + _WINDOW], _MIN_WINDOW_SIGNS):
            yield text[start : start + _WINDOW]


def _is_code(code: Sequence[str], signs: int) -> bool:
    """Whether what is outside of quotes is more than words, and more than values."""
    return sum(one in _SIGNS for one in code) >= signs and sum(one.isalpha() for one in code) >= _MIN_LETTERS


# ---------------------------------------------------------------- in which forms


_unescape = lazy_call("html", "unescape")


def _bare(text: str) -> str:
    """Return a text without blanks, ends of lines, quotes and backslashes."""
    return _ESCAPED_BLANK.sub("", text).translate(_DROPPED)


def _variants(text: str) -> Iterator[str]:
    """Yield what a text may mean: itself, backwards, and with its codes decoded."""
    bare = _bare(text)
    yield bare
    if len(text) < _MIN_ASSERTION:
        return
    text = text[:_MAX_CODED]
    yield bare[::-1]
    yield codecs.encode(bare[:_MAX_CODED], "rot13")
    unescaped = _ESCAPE.sub(_letter_of, text)
    if "&" in unescaped:
        unescaped = _unescape(unescaped)
    if unescaped != text:
        yield _bare(unescaped)
    yield _bare("".join(chr(int(one)) if len(one) <= 3 else "\n" for one in re.findall(r"\d+", text)))  # noqa: PLR2004
    yield from map(_bare, _decoded(_SEPARATOR.sub("", text)))


def _letter_of(found: re.Match[str]) -> str:
    return chr(int(found[4], 8)) if found[4] else chr(int(found[1] or found[2] or found[3], 16))


def _decoded(compact: str) -> Iterator[str]:
    """Yield what runs of letters are in hexadecimal digits and in base 64, from each place where a byte may begin."""
    for run in re.findall(r"[0-9a-fA-F]{24,}", compact):
        for start in (0, 1):
            yield bytes.fromhex(run[start : start + (len(run) - start) // 2 * 2]).decode("latin-1")
    for run in _long(re.findall(r"[A-Za-z0-9+/_-]+", compact)):
        for start in range(4):
            part = run[start:].translate(_URL_SAFE)
            part = part[:-1] if len(part) % 4 == 1 else part
            yield base64.b64decode(part + "=" * (-len(part) % 4)).decode("latin-1")


def _long(runs: Iterable[str]) -> Iterator[str]:
    return (run for run in runs if len(run) >= 20)  # noqa: PLR2004 - 15 bytes
