"""What is named is what was changed, and nothing that is told is false: on outputs that hypothesis invents.

`GRADER_SOAK` is how many examples `pytest -m soak` makes.
"""

import json
import os
import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from grader.core.deviations.table import MENDED_KINDS
from grader.core.model.execution import Execution
from grader.core.model.report import CaseResult
from grader.core.model.spec import Expectation, Leaf
from tests.support.examples import examples

Judged = Callable[..., CaseResult]
Rows = list[str]
Draw = Callable[[st.SearchStrategy[int]], int]

EXAMPLES = examples(150)
SOAKED = int(os.environ.get("GRADER_SOAK", "100000"))
LONGEST = 226  # characters, where two whole lines of the samples and what they are sorted by are quoted
OURS = re.compile(r"(?i)\b(?:(?<!letter )case|stream|token|deviation|oracle|verdict|comparator)s?\b")

NUMBERS = st.integers(0, 99)
WORD = st.text("abcdefghkmrtuw", min_size=2, max_size=7)
TUPLES = st.lists(NUMBERS, min_size=3, max_size=5).map(lambda row: f"({', '.join(map(str, row))})")
TABLE = st.lists(NUMBERS, min_size=3, max_size=5).map(lambda row: " ".join(f"{number:3d}" for number in row).strip())
PROSE = st.lists(WORD, min_size=3, max_size=6).map(lambda words: " ".join(words).capitalize() + ".")
PAIRS = st.tuples(WORD, NUMBERS).map(lambda pair: f"{pair[0]}: {pair[1]}")
OBJECTS = st.tuples(WORD, NUMBERS, WORD).map(lambda row: json.dumps({row[0]: row[1], "name": row[2]}))


def _distinct(rows: st.SearchStrategy[str]) -> st.SearchStrategy[Rows]:
    return st.lists(rows, min_size=3, max_size=7, unique_by=lambda row: re.sub(r"\s", "", row).lower())


TEXTS = st.one_of([_distinct(rows) for rows in (TUPLES, TABLE, PROSE, PAIRS, OBJECTS, st.one_of(TUPLES, PROSE, PAIRS))])
PLACED = st.tuples(TEXTS, st.booleans())
"""a text, and whether it is written to the other stream"""


def _in_row(change: Callable[[str], str]) -> Callable[[Rows, int], Rows]:
    return lambda rows, at: [*rows[:at], change(rows[at]), *rows[at + 1 :]]


BLANKS: dict[str, Callable[[Rows, int], Rows]] = {
    "final-newline": lambda rows, _: [*rows[:-1], rows[-1].rstrip("\r\n")],
    "line-endings": lambda rows, _: [re.sub(r"\r?\n", "\r\n", row) for row in rows],
    "trailing-space": _in_row(lambda row: re.sub(r"(?=\r?\n?\Z)", " \t", row, count=1)),
    "leading-space": _in_row(lambda row: "  " + row),
    "inner-space": _in_row(lambda row: re.sub(r"(?<=\S) (?=\S)", "  ", row, count=1)),
    "blank-lines": lambda rows, at: [*rows[: at or 1], "\n", *rows[at or 1 :]],
    "letter-case": _in_row(str.swapcase),
}
LINES: dict[str, Callable[[Rows, int], Rows]] = {
    "order": lambda rows, at: [*rows[: at - 1], rows[at], rows[at - 1], *rows[at + 1 :]] if at else rows[1:] + rows[:1],
    "duplicates": lambda rows, at: [*rows[:at], rows[at], *rows[at:]],
    "extra-lines": lambda rows, at: [*rows[:at], "zzqz\n", *rows[at:]],
    "missing-lines": lambda rows, at: [*rows[:at], *rows[at + 1 :]],
}
CHANGES = LINES | BLANKS
SETS = [
    *((kind,) for kind in CHANGES),
    *combinations(BLANKS, 2),
    *((line, blank) for line in LINES for blank in BLANKS),
    *(("order", other) for other in LINES if other != "order"),
]
# The line that is blank or without its newline may be the one that is missing or is there twice.
LAST = ("final-newline", "line-endings")


def changed(rows: Rows, kinds: Sequence[str], draw: Draw) -> Rows:
    """Change the rows in these ways, each of which has to change them."""
    for kind in sorted(kinds, key=lambda kind: (kind in LAST, kind == "final-newline", kind not in LINES)):
        before = rows
        rows = CHANGES[kind](rows, draw(st.integers(0, len(rows) - 1)))
        assume(rows != before)
    return rows


SIGNS = str.maketrans("·→", " \t")
"""what stands for a space and a tab in a sentence about blanks"""


def text_of(rows: Rows) -> bytes:
    return "".join(rows).encode()


def held(
    judged: Judged, actual: bytes, expected: bytes, tolerate: Sequence[str] = (), *, moved: bool = False
) -> CaseResult:
    run = Execution(stderr=actual, status=0) if moved else Execution(stdout=actual, status=0)
    expect = Expectation(stdout=Leaf(how="text"))
    shares = dict.fromkeys(tolerate, Fraction(1))
    return judged(run, expect, shares, Execution(stdout=expected, status=0))


def check_sentences(result: CaseResult, actual: bytes) -> None:
    """Hold every sentence against what it speaks of."""
    lines = actual.decode().split("\n")
    for deviation in result.deviations:
        told = deviation.message
        assert len(told) <= LONGEST, told
        assert not OURS.search(re.sub(r"`[^`]*`", "", told)), told
        for number, quoted in re.findall(r"[Ll]ine (\d+) of standard \w+ is `([^`…]*)`", told):
            written = lines[int(number) - 1].rstrip("\r").translate(SIGNS)
            assert quoted.translate(SIGNS) == written, told


def check_names(judged: Judged, rows: Rows, kinds: Sequence[str], draw: Draw, *, moved: bool) -> None:
    wanted = [f"{row}\n" for row in rows]
    actual, expected = text_of(changed(wanted, kinds, draw)), text_of(wanted)
    result = held(judged, actual, expected, moved=moved)
    check_sentences(result, actual)
    named = {deviation.kind for deviation in result.deviations}
    asked = {*kinds, *(["wrong-stream"] if moved else [])}
    # Fewer may say it as well: the line that is there twice, once with a blank at its end, is an extra line.
    assert named == asked or (len(named) < len(asked) and not named & {"wrong", *MENDED_KINDS}), (actual, expected)
    if len(asked) == 1:  # something else is named only where it keeps more
        assert held(judged, actual, expected, [*asked], moved=moved).credit == 1


# ---------------------------------------------------------------- what carries meaning

LOOK_ALIKES = dict(zip("aecopx", "\u0430\u0435\u0441\u043e\u0440\u0445", strict=True))
MEANING: dict[str, Callable[[str], str]] = {
    "digit": lambda row: re.sub(r"\d", lambda digit: str((int(digit[0]) + 1) % 10), row, count=1),
    "sign": lambda row: re.sub(r"(?<![\d])(?=\d)", "-", row, count=1),
    "joined": lambda row: re.sub(r"(?<=\w) +(?=\w)", "", row, count=1),
    "parted": lambda row: re.sub(r"(?<=\w)(?=\w)", " ", row, count=1),
    "exchanged": lambda row: re.sub(r"(\d+)(\D+)(\d+)", r"\3\2\1", row, count=1),
    "look-alike": lambda row: re.sub(r"[aecopx]", lambda letter: LOOK_ALIKES[letter[0]], row, count=1),
    "NUL": lambda row: f"{row[:1]}\0{row[1:]}",
    "dot": lambda row: re.sub(r"\d(?=\d)", lambda digit: f"{digit[0]}.", row, count=1),
    "comma": lambda row: re.sub(r"(?<=\d), (?=\d)", "", row, count=1),
}
"""changes after which a line says something else; blanks and capitals never excuse one"""


def check_meaning(judged: Judged, rows: Rows, meaning: str, kinds: Sequence[str], draw: Draw, *, moved: bool) -> None:
    at = draw(st.integers(0, len(rows) - 1))
    other = MEANING[meaning](rows[at])
    assume(other != rows[at])
    expected = text_of([f"{row}\n" for row in rows])
    actual = text_of(changed([f"{row}\n" for row in (*rows[:at], other, *rows[at + 1 :])], kinds, draw))
    result = held(judged, actual, expected, [*BLANKS, "wrong-stream", "split-streams"], moved=moved)
    check_sentences(result, actual)
    assert result.credit == 0, (actual, expected)


SMALL_SETS = [(), *((kind,) for kind in BLANKS)]
UNHURRIED = (HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large)


@given(placed=PLACED, kinds=st.sampled_from(SETS), data=st.data())
@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=UNHURRIED)
def test_exactly_what_was_changed_is_named(
    judged: Judged, placed: tuple[Rows, bool], kinds: Sequence[str], data: st.DataObject
) -> None:
    check_names(judged, placed[0], kinds, data.draw, moved=placed[1])


@given(placed=PLACED, meaning=st.sampled_from(list(MEANING)), kinds=st.sampled_from(SMALL_SETS), data=st.data())
@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=UNHURRIED)
def test_what_carries_meaning_is_never_forgiven(
    judged: Judged, placed: tuple[Rows, bool], meaning: str, kinds: Sequence[str], data: st.DataObject
) -> None:
    check_meaning(judged, placed[0], meaning, kinds, data.draw, moved=placed[1])


# ---------------------------------------------------------------- whole answers

Tuples = list[tuple[int, ...]]
BOARDS = st.integers(4, 6).flatmap(
    lambda n: st.lists(st.permutations(range(1, n + 1)).map(tuple), min_size=2, max_size=5, unique=True)
)
TURNED: dict[str, Callable[[Tuples], Tuples]] = {
    "zero-based": lambda tuples: [tuple(number - 1 for number in row) for row in tuples],
    "one-based": lambda tuples: [tuple(number + 1 for number in row) for row in tuples],
    "reversed": lambda tuples: [row[::-1] for row in tuples],
    "transposed": lambda tuples: [tuple(row.index(number) + 1 for number in sorted(row)) for row in tuples],
}
WHOLE: dict[str, Callable[[Rows], Rows]] = {
    "joined-lines": lambda rows: [re.sub(r"(?<=\))\s*\n\Z", "", row) for row in rows],
    "prompt": lambda rows: ["Enter a number: " + rows[0], *rows[1:]],
    "wrong-count": lambda rows: [*rows[:-1], re.sub(r"(\d+)(?= s)", lambda told: str(int(told[0]) + 1), rows[-1])],
    "wording": lambda rows: [*rows[:-1], rows[-1].replace("solu", "soul")],
    "duplicates": lambda rows: [rows[0], *rows],
}
assert {*TURNED, *WHOLE} - {"duplicates"} == set(MENDED_KINDS)
BESIDE = [(), *((kind,) for kind in BLANKS if kind not in ("blank-lines", "letter-case"))]
SAYING_MORE = ("digit", "sign", "exchanged", "NUL", "dot", "comma")


def listing_of(tuples: Tuples) -> Rows:
    rows = [f"({', '.join(map(str, row))})\n" for row in tuples]
    return [*rows, f"{len(tuples[0])}-Queens has {len(tuples)} solutions\n"]


def turned(tuples: Tuples, kind: str) -> Tuples:
    """Turn all tuples of a listing in a way that no other name fits."""
    found = TURNED[kind](tuples) if kind in TURNED else tuples
    others = [change(tuples) for name, change in TURNED.items() if name != kind]
    assume(kind not in TURNED or (sorted(found) != sorted(tuples) and found not in others))
    return found


@given(tuples=BOARDS, kind=st.sampled_from([*TURNED, *WHOLE]), kinds=st.sampled_from(BESIDE), at=st.integers(0, 9))
@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=UNHURRIED)
def test_exactly_what_was_done_to_a_whole_answer_is_named(
    judged: Judged, tuples: Tuples, kind: str, kinds: Sequence[str], at: int
) -> None:
    expected, rows = listing_of(tuples), listing_of(turned(tuples, kind))
    # A line that is there twice, once with a blank, is an extra line: so both have it.
    if kind in WHOLE and kind != "duplicates":
        rows = WHOLE[kind](rows)
    for other in kinds:
        rows = BLANKS[other](rows, at % len(rows))
    if kind == "duplicates":
        rows = WHOLE[kind](rows)
    result = held(judged, text_of(rows), text_of(expected))
    for told in result.deviations:
        assert len(told.message) <= LONGEST, told
        assert not OURS.search(re.sub(r"`[^`]*`", "", told.message)), told
    named = {deviation.kind for deviation in result.deviations}
    # A blank beside a prompt is the prompt's, one where a line should end stands for the newline.
    hides = kind in ("prompt", "joined-lines") or "trailing-space" in kinds
    assert kind in named
    assert named == {kind, *kinds} or (hides and named < {kind, *kinds}), (rows, expected)


@given(
    tuples=BOARDS, kind=st.sampled_from([*TURNED, *WHOLE]), meaning=st.sampled_from(SAYING_MORE), at=st.integers(0, 9)
)
@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=UNHURRIED)
def test_what_a_tuple_means_is_never_forgiven_in_a_whole_answer(
    judged: Judged, tuples: Tuples, kind: str, meaning: str, at: int
) -> None:
    expected, rows = listing_of(tuples), listing_of(turned(tuples, kind))
    place = at % len(tuples)
    rows[place] = MEANING[meaning](rows[place])
    assume(rows != listing_of(turned(tuples, kind)))
    if kind in WHOLE:
        rows = WHOLE[kind](rows)
    result = held(judged, text_of(rows), text_of(expected), [*BLANKS, kind, "wrong-stream", "split-streams"])
    assert result.credit == 0, (rows, expected)


@given(tuples=BOARDS, at=st.integers(0, 9))
@settings(max_examples=examples(50), deadline=None)
def test_numbers_or_rows_that_melt_are_no_joined_lines(judged: Judged, tuples: Tuples, at: int) -> None:
    wanted = [" ".join(map(str, row)) for row in tuples]
    place = at % (len(wanted) - 1)
    melted = [*wanted[:place], wanted[place] + wanted[place + 1], *wanted[place + 2 :]]
    drawn = ["".join("Q" if n == number else "." for n in range(1, len(row) + 1)) for row in tuples for number in row]
    for actual, expected in ((melted, wanted), (["".join(drawn)], drawn)):
        tolerated = [*BLANKS, "joined-lines"]
        result = held(judged, "\n".join(actual).encode(), "\n".join(expected).encode(), tolerated)
        assert result.credit == 0, (actual, expected)


CHANGED = st.one_of(
    st.tuples(st.none(), st.sampled_from(SETS)), st.tuples(st.sampled_from(list(MEANING)), st.sampled_from(SMALL_SETS))
)


@pytest.mark.soak
@pytest.mark.timeout(0)
@given(placed=PLACED, how=CHANGED, data=st.data())
@settings(max_examples=SOAKED, deadline=None, suppress_health_check=UNHURRIED, database=None)
def test_no_sentence_is_false_in_a_hundred_thousand_outputs(
    judged: Judged, placed: tuple[Rows, bool], how: tuple[str | None, Sequence[str]], data: st.DataObject
) -> None:
    (rows, moved), (meaning, kinds) = placed, how
    if meaning:
        check_meaning(judged, rows, meaning, kinds, data.draw, moved=moved)
    else:
        check_names(judged, rows, kinds, data.draw, moved=moved)
