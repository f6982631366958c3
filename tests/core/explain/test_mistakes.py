"""The table of beginners' mistakes: each row finds its example, and nothing in what only looks like it."""

import importlib
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import tree_sitter
from msgspec.structs import replace

from grader.core.cache import user_cache
from grader.core.explain import mistake_queries
from grader.core.explain.mistake_queries import MISTAKES_FILE, SUFFIXES, find_in_files
from grader.core.explain.mistakes import Mistake, find_mistakes
from grader.core.model.spec import Case
from grader.core.pipeline import prepare
from grader.core.reader.files import read_data
from tests.support.courses import grade_files
from tests.support.packages import lay
from tests.support.rows import each_row

ROWS: dict[str, Any] = read_data(MISTAKES_FILE)
EXAMPLES = [(name, language) for name, row in ROWS.items() for language in SUFFIXES if language in row]
FEW = 40


def found_in(folder: Path, language: str, text: str, row: str, argv: tuple[str, ...] = ()) -> list[Mistake]:
    """Return what is found of one row."""
    (folder / f"Example{SUFFIXES[language][0]}").write_text(text)
    sentence = str(ROWS[row]["says"]).partition("{")[0]
    found = find_mistakes(folder, language, argv, (), user_cache())
    return [one for one in found if (one.always or one.is_used) and one.says.startswith(sentence)]


@pytest.mark.parametrize(("name", "language"), EXAMPLES)
def test_a_row_finds_its_example_and_not_what_looks_like_it(name: str, language: str) -> None:
    row = {"says": ROWS[name]["says"], **ROWS[name][language]}
    assert find_in_files(language, [row], {"a": row["has"]})
    assert find_in_files(language, [row], {"a": row["lacks"]}) == []


def test_there_are_rows_and_each_has_a_language() -> None:
    assert len(ROWS) >= FEW
    assert {name for name, _ in EXAMPLES} == {*ROWS}
    assert {language for _, language in EXAMPLES} == {*SUFFIXES}
    assert min(Counter(language for _, language in EXAMPLES).values()) > 1


def test_what_nothing_uses_what_is_of_the_course_and_what_is_hostile_is_not_told(tmp_path: Path) -> None:
    unused = "def f(xs=[]):\n    xs.append(1)\n    return xs\n"
    assert found_in(tmp_path, "python", unused, "shares-a-default") == []
    assert found_in(tmp_path, "python", f"{unused}print(f())\n", "shares-a-default")
    assert not find_mistakes(tmp_path, "python", (), ["Example.py"], user_cache())
    assert not find_mistakes(tmp_path, "prolog", (), (), user_cache())
    (tmp_path / "Example.py").unlink()
    (tmp_path / "Example.py").symlink_to("/etc/passwd")
    assert not find_mistakes(tmp_path, "python", (), (), user_cache())
    (tmp_path / "Example.py").unlink()
    (tmp_path / "Example.py").write_bytes(b"\xff{" * 50_000 + b"\nf(" * 50_000)
    assert isinstance(find_mistakes(tmp_path, "python", (), (), user_cache()), list)


def test_what_is_there_many_times_is_found_in_the_time_that_there_is(tmp_path: Path) -> None:
    many = "const words = text.split(' ')\nlet sum = 0\n" + "for (const n of words) { sum += n }\n" * 300
    assert found_in(tmp_path, "javascript", many, "joins-elements")  # each with each took nine times that


def test_a_line_in_other_letters_is_quoted_as_it_stands_there(tmp_path: Path) -> None:
    (only,) = found_in(tmp_path, "python", 'if größe is 3:\n    print("é")\n', "asks-for-the-same-object")
    assert only.sentence.startswith("Line 1 of `Example.py`, `if größe is 3:`, asks whether")
    (only,) = found_in(tmp_path, "python", "def größe(x):\n    print(x)\nprint(größe(1))\n", "returns-nothing")
    assert "where `größe` prints" in only.sentence


PLAIN, FED = Case(id="a"), Case(id="a", stdin=b"1\n")
FOUND = Mistake("a.py", 7, "x", "is wrong", always=False, needs="", shows="", functions=["f"], is_used=True)


@each_row
def test_a_mistake_is_told_of_a_case_that_it_may_explain(
    facts: dict[str, Any], case: Case | None, places: set[tuple[str, int]], *, is_about: bool
) -> None:
    assert (
        replace(FOUND, **facts).is_about(case or PLAIN, "`f(1)` returned 2", places, prints=case is not None)
        is is_about
    )


@each_row
def test_a_mistake_is_found_as_somebody_else_writes_it(row: str, language: str, text: str) -> None:
    assert find_in_files(language, [{"says": ROWS[row]["says"], **ROWS[row][language]}], {"a": text})


@each_row
def test_what_is_right_gets_no_hint_however_it_looks(row: str, language: str, text: str) -> None:
    assert find_in_files(language, [{"says": ROWS[row]["says"], **ROWS[row][language]}], {"a": text}) == []


@each_row
def test_a_class_may_stand_in_a_file_of_its_own(
    row: str, language: str, files: dict[str, str], told: list[str]
) -> None:
    found = find_in_files(language, [{"says": ROWS[row]["says"], **ROWS[row][language]}], files)
    assert [name for name, *_ in found] == told


@each_row
def test_a_row_is_told_where_the_case_shows_it(row: str, language: str, said: str, *, is_about: bool) -> None:
    text = ROWS[row][language]["has"]
    found = find_in_files(language, [{"says": ROWS[row]["says"], **ROWS[row][language]}], {"Example": text})
    mistakes = [Mistake(name, line, "", *facts) for name, line, *facts in found]
    (one,) = [one for one in mistakes if one.always or one.is_used]
    assert one.is_about(FED, said, (), prints=True) is is_about


def test_a_file_is_empty_that_is_started_and_holds_nothing(tmp_path: Path) -> None:
    """And not another one that is named, nor one of NUL bytes."""
    (tmp_path / "a.py").write_text("import b\n")
    (tmp_path / "b.py").write_text("")
    assert not find_mistakes(tmp_path, "python", ("python3", "a.py"), (), user_cache())
    (one,) = find_mistakes(tmp_path, "python", ("python3", "b.py"), (), user_cache())
    assert one.sentence == "`b.py` has no code."
    (tmp_path / "b.py").write_bytes(b"\xef\xbb\xbf\n")
    assert len(find_mistakes(tmp_path, "python", ("python3", "b.py"), (), user_cache())) == 1
    (tmp_path / "b.py").write_bytes(b"\0\0\n")
    assert not find_mistakes(tmp_path, "python", ("python3", "b.py"), (), user_cache())


SPEC = """\
spec: 1
id: a
title: A
language: python
files: {required: [a.py]}
program: python3 a.py
tests: [{name: a, args: [a.txt], files: {a.txt: TEXT}, expect: {stdout: "7\\n"}}]
"""
SPLITS = "import sys\nn = 0\nfor line in open(sys.argv[1]):\n    n += len(line.split(';'))\nprint(14 // n)\n"


@pytest.mark.parametrize(("text", "has_none"), [('""', False), ("3 4", True)], ids=["empty", "blank"])
def test_the_name_of_a_file_is_not_what_the_file_holds(tmp_path: Path, text: str, *, has_none: bool) -> None:
    spec = lay(tmp_path, {"specs/a.yaml": SPEC.replace("TEXT", text)}) / "specs/a.yaml"
    report = grade_files(spec, tmp_path / "work", {"a.py": SPLITS}, prepare(spec))
    assert ("takes apart" in report.tests[0].cases[0].message) is has_none


@each_row
def test_a_method_of_another_class_is_not_what_is_missing(
    tmp_path: Path, outer: str, asked: str, *, is_about: bool
) -> None:
    (one,) = found_in(tmp_path, "python", f"{outer}:\n    def get({asked}):\n        pass\n", "defines-it-inside")
    said = f"`four` has no `get`; the assignment asks for `def get({asked})`; there is `def put(self)`."
    assert one.is_about(PLAIN, said, (), prints=False) is is_about


@each_row
def test_a_pattern_is_made_cheap_where_all_that_it_needs_is_there(pattern: str, there: list[str], cheap: str) -> None:
    assert mistake_queries._cheap(" ".join(there).__contains__, pattern) == cheap


def test_each_pattern_begins_a_line_and_what_is_optional_in_it_is_plain() -> None:
    rows = [row[language] for row in ROWS.values() for language in SUFFIXES if language in row]
    for query in (one for row in rows for one in (row["query"], *row.get("also", ()), *row.get("unless", ()))):
        for pattern in re.split(r"\n(?=[(\[])", query):
            plain = re.sub(r'"(?:[^"\\]|\\.)*"', "", pattern)
            assert plain.count("(") == plain.count(")"), pattern
            assert plain.count("[") == plain.count("]"), pattern
            assert "#not-any-of?" not in pattern, "of several texts it excludes none"
            assert not re.search(r"(?<!\(_)\)[?*]", plain), f"{pattern}: `[(kind)]?`, as a kind has to occur"


@pytest.mark.parametrize("language", SUFFIXES)
def test_a_cheap_pattern_finds_what_it_would_have_found(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [{"says": row["says"], **row[language]} for row in ROWS.values() if language in row]
    files = [{"a": row["has"] + row["lacks"]} for row in rows[:: len(rows) // 3]]
    found = [find_in_files(language, rows, one) for one in files]
    monkeypatch.setattr(mistake_queries, "_cheap", lambda _there, pattern: pattern)
    assert [find_in_files(language, rows, one) for one in files] == found
    assert any(found)


@pytest.mark.parametrize("language", SUFFIXES)
def test_a_predicate_belongs_to_its_pattern(language: str) -> None:
    grammar = tree_sitter.Language(importlib.import_module(f"tree_sitter_{language}").language())
    for row in (row[language] for row in ROWS.values() if language in row):
        for query in (row["query"], *row.get("also", ()), *row.get("unless", ())):
            patterns = re.split(r"\n(?=[(\[])", query)
            cheap = "\n".join(mistake_queries._cheap(lambda _word: True, one) for one in patterns)
            assert tree_sitter.Query(grammar, cheap).pattern_count == len(patterns), query
