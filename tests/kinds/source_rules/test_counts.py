"""Rules that count: loops of each form and depth, tokens, calls, functions, blocks, comments."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from grader.core.model.spec import Case
from grader.kinds.source_rules.author import describe_case
from grader.kinds.source_rules.judge import judge_rule
from grader.kinds.source_rules.model import SourceRule
from grader.kinds.source_rules.run import examine_source
from tests.support.rows import each_row, read_data

DATA = read_data(__file__)
SOURCES = {"c": ("sort.c", DATA["SORT_C"]), "python": ("work.py", DATA["PYTHON"]), "java": ("Sums.java", DATA["JAVA"])}


def _examine(folder: Path, language: str, rules: list[dict[str, Any]]) -> list[tuple[SourceRule, Any]]:
    name, text = SOURCES[language]
    (folder / name).write_text(text)
    made = [SourceRule(**{"demand": "require", **rule}, language=language) for rule in rules]
    return list(zip(made, examine_source(folder, made), strict=True))


@pytest.mark.parametrize("language", SOURCES)
def test_what_counts_and_what_only_looks_like_it(language: str, tmp_path: Path) -> None:
    asked = [(rule, lines) for one, rule, lines in DATA["ASKED"] if one == language]
    found = _examine(tmp_path, language, [rule for rule, _ in asked])
    assert [
        (rule, sorted(spot.line for spot in one.spots)) for (rule, _), (_, one) in zip(asked, found, strict=True)
    ] == asked


@pytest.mark.parametrize("language", SOURCES)
def test_each_count_has_its_sentence(language: str, tmp_path: Path) -> None:
    asked = [(rule, sentence) for one, rule, sentence in DATA["SENTENCES"] if one == language]
    for (_, sentence), (rule, found) in zip(
        asked, _examine(tmp_path, language, [rule for rule, _ in asked]), strict=True
    ):
        result = judge_rule(Case(id="x", kind="source", payload=rule), found)
        assert (rule.text, result.message.text) == (rule.text, sentence)
        assert result.credit == Fraction(not sentence)


def test_nothing_forbidden_hides_behind_what_only_looks_like_if_0(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(DATA["LOOP_ONLY_HIDDEN_IN_RAW_TEXT"])
    (tmp_path / "b.c").write_text(
        'void g() {\n#if (0)\n system("y");\n#elif 1\n system("z");\n#else\n system("w");\n#endif\n}\n'
    )
    forbid = SourceRule(demand="forbid", what="call", name="system", language="c")
    limit = SourceRule(demand="require", what="call", name="system", most=1, language="c")
    (found, limited) = examine_source(tmp_path, [forbid, limit])
    assert [(spot.file, spot.line) for spot in found.spots] == [("a.c", 4), ("b.c", 5)]
    assert limited.total == 2


def test_what_if_0_takes_out_hides_nothing_around_it(tmp_path: Path) -> None:
    inside = "int main(void) {\n#if 0\n for (;;) exit(1);\n#endif\n system(1);\n}\n"
    beside = "#if 0\nint f(void) { return 1; }\n#endif\n#ifdef X\nint g(void) { return 1; }\n#elif 0\n#endif\n"
    (tmp_path / "a.c").write_text(inside + beside)
    rule = SourceRule(demand="forbid", what="call", name="system", within="main", language="c")
    found = examine_source(tmp_path, [rule, replace(rule, demand="require")])
    assert [(one.defines, [spot.line for spot in one.spots]) for one in found] == [(True, [5])] * 2


def test_what_a_macro_has_is_in_no_function(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("void f() { g(); }\n#define AGAIN do { g(); } while (0)\n#define repeat for\n" * 2)
    asked: list[dict[str, Any]] = [{"what": "loop"}, {"what": "call", "name": "g"}, {"what": "token", "name": "do"}]
    rules = [SourceRule(demand="require", language="c", **one) for one in asked]
    within = [SourceRule(demand="require", language="c", within="f", **one) for one in asked]
    found = [one.total for one in examine_source(tmp_path, [*rules, *within])]
    assert found == [4, 4, 2, 0, 2, 0]


@pytest.mark.slow
def test_many_functions_of_one_name_are_read_in_time(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("void f(){for(;;);}\n" * 20_000)
    (found,) = examine_source(tmp_path, [SourceRule(demand="require", what="loop", within="f", language="c")])
    assert found.total == 20_000


@pytest.mark.slow
def test_many_comments_are_read_in_time(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("/* a */\nvoid f(){}\n" * 20_000)
    rule = SourceRule(demand="least", what="comments-of-function", least=1, language="c")
    (found,) = examine_source(tmp_path, [rule])
    assert (found.total, found.refused) == (0, "")


def test_a_loop_in_another_file_is_none_of_this_one(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("void f() { for (;;) ; }\n")
    (tmp_path / "b.c").write_text("void g() { for (;;) ; }\n")
    whole = SourceRule(demand="require", what="loop", least=2, language="c")
    (found,) = examine_source(tmp_path, [whole])
    assert found.total == 2
    (found,) = examine_source(
        tmp_path, [SourceRule(demand="require", what="loop", least=2, files=("a.c",), language="c")]
    )
    assert found.total == 1


@each_row
def test_a_handout_says_how_many(rule: SourceRule, sentence: str) -> None:
    spec: Any = None
    assert describe_case(Case(id="x", kind="source", payload=rule), spec) == sentence
