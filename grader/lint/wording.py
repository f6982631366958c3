"""Rules about what people read and copy: characters that look like others, and points that are told."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction

from grader.lint.subject import Found, Rule, Subject
from grader.model import Case, Execution
from grader.text import points

_LOOKS = {
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d", 'looks like "-"'),
    **dict.fromkeys("\u00a0\u2002\u2003\u2007\u2008\u2009\u200a\u202f\u205f\u3000", "looks like a blank"),
    **dict.fromkeys("\u2018\u2019\u201b\u02bc", 'looks like "\'"'),
    **dict.fromkeys("\u201c\u201d\u201e\u201f", "looks like '\"'"),
    **dict.fromkeys("\u00ad\u200b\u2060\ufeff", "cannot be seen"),
}
_STRANGE = re.compile(f"[{''.join(_LOOKS)}]")
_FOR_PROGRAMS = re.compile(
    r"(?:program|reference)(?:\[\d+\])?"
    r"|(?:tests\[\d+\])(?:\.cases\[\d+\])?\.(?:args|stdin|env|files|dialogue|command|expect|functions|each)\b.*"
)
"""the paths of texts that programs get, or that are held against what they write"""
_NUMBER = r"(\d+(?:\.\d+)?)\s+(?:points?|pts|marks?)\b"
_BEFORE = r"(?:\(|\b(?:worth|for|gives?|gets?|earns?|scores?|makes?|there are|out of|totals?|total of)\s+)"
_PLACES = r"(?!\s+(?:each|apiece|per|every|off|of|on|at|from|inside|outside|in (?:the|an?))\b)"
_BEHIND = r"(?=\s+(?:in all|in total|altogether|together|for)\b(?!\s+(?:each|every)\b))"
_POINTS_TOLD = re.compile(rf"(?i){_BEFORE}{_NUMBER}{_PLACES}|(?<![\w.,-]){_NUMBER}{_BEHIND}")
"""a number of points to be had; other points are places, and "2 points each" may be each of anything"""


def typographic(subject: Subject) -> Iterator[Found]:
    """Find characters that nobody types: they come from a word processor, or from a PDF."""
    for path, text in subject.source.texts.items():
        if _FOR_PROGRAMS.fullmatch(path) and (found := _STRANGE.search(text)):
            yield path, f"{_told(found)}; write what students type"
    seen = set()
    for answered in subject.answers:
        path = subject.path(answered.case, "expect")
        for name, output in _of_reference(answered.case, answered.execution) if answered.execution else ():
            text = output.decode(errors="replace")
            if (found := _STRANGE.search(text)) and (path, name) not in seen:
                seen.add((path, name))
                yield path, f"{name} of the reference in `{answered.case.id}`: {_told(found)}; write what students type"


def _of_reference(case: Case, execution: Execution) -> Iterator[tuple[str, bytes]]:
    streams = (("stdout", case.expect.stdout, execution.stdout), ("stderr", case.expect.stderr, execution.stderr))
    return ((name, output) for name, asked, output in streams if asked and asked.want is None and asked.how != "any")


def _told(found: re.Match[str]) -> str:
    character, before = found[0], found.string[: found.start()]
    line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    name = unicodedata.name(character).lower()
    return f"line {line}, character {column} is U+{ord(character):04X} ({name}), which {_LOOKS[character]}"


def points_told(subject: Subject) -> Iterator[Found]:
    """Find a number of points in `about` that is another than that of the test, or of all tests together."""
    tests = subject.spec.tests
    for path, test in subject.tests():
        told = _numbers(test.about)
        if told and test.points not in told and sum(told) != test.points:
            yield f"{path}.about", f"it says {_listed(told)}, and the test has {points(test.points)}: make them one"
    told = _numbers(subject.spec.about)
    every = sum((test.points for test in tests), Fraction(0))
    right = {subject.spec.max_score, every, *(test.points for test in tests)}
    if told and sum(told) not in right and not any(number in right for number in told):
        all_points = points(subject.spec.max_score)
        yield "about", f"it says {_listed(told)}, and the tests have {all_points} together: make them one"


def _numbers(text: str) -> list[Fraction]:
    return [Fraction(found[1] or found[2]) for found in _POINTS_TOLD.finditer(text)]


def _listed(numbers: Iterable[Fraction]) -> str:
    told = [points(number) for number in numbers]
    return f"{' and '.join(told)} {'point' if told == ['1'] else 'points'}"


def no_points(subject: Subject) -> Iterator[Found]:
    """Find a spec in which there is nothing to be had."""
    if not subject.spec.max_score:
        yield "tests", "all tests together have 0 points: give some to what matters"


RULES: Mapping[str, Rule] = {
    "typographic": Rule(
        level="warning",
        about=(
            "A dash, blank or quotation mark of a word processor in a text for programs: students type the plain one, "
            "and lose the points."
        ),
        find=typographic,
    ),
    "points-told": Rule(
        level="warning",
        about="The description tells students another number of points than they can get.",
        find=points_told,
    ),
    "no-points": Rule(level="warning", about="Nobody can get a point.", find=no_points),
}
