"""What rules find in sources of each language, and in sources made to hide something or to harm whoever reads them."""

from pathlib import Path

import pytest

from grader.core.model.layout import Build
from grader.core.reader.language import TABLES
from grader.kinds.source_rules.model import GRAMMARS, SourceRule
from grader.kinds.source_rules.queries import ENDINGS, QUERIES
from grader.kinds.source_rules.run import examine_source
from tests.support.rows import each_row, from_data, read_data

DATA = read_data(__file__)
FOUND = DATA["FOUND"]
CPP = DATA["CPP"]
SOURCES = {"java": DATA["JAVA"], "python": DATA["PYTHON"], "c": DATA["C"], "cpp": CPP}


@pytest.mark.parametrize("language", SOURCES)
def test_each_language_knows_what_rules_ask_about(language: str, tmp_path: Path) -> None:
    (tmp_path / f"work{ENDINGS[language][0]}").write_text(SOURCES[language])
    asked = [case for case in FOUND if case[0] == language]
    assert {what for _, what, *_ in asked} >= {"call", "import", "loop"}
    rules = [
        SourceRule(demand="forbid", language=language, what=what, name=name, within=within)
        for _, what, name, within, _ in asked
    ]
    found = [sorted({spot.line for spot in one.spots}) for one in examine_source(tmp_path, rules)]
    assert [[*case[1:4], lines] for case, lines in zip(asked, found, strict=True)] == [case[1:] for case in asked]


@each_row
def test_a_function_is_known_by_its_class_as_well(
    language: str, source: str, asked: dict[str, list[int]], tmp_path: Path
) -> None:
    (tmp_path / "shapes").mkdir()
    (tmp_path / f"shapes/bank{ENDINGS[language][0]}").write_text(source)
    rules = []
    for rule in asked:
        what, name, *within = rule.replace(" in ", " ").split()
        rules.append(SourceRule(demand="require", language=language, what=what, name=name, within="".join(within)))
    found = [[spot.line for spot in one.spots] for one in examine_source(tmp_path, rules)]
    assert dict(zip(asked, found, strict=True)) == asked


def test_the_tables_agree() -> None:
    assert set(GRAMMARS) == set(QUERIES) == set(ENDINGS) == set(SOURCES)
    assert {what for _, what, *_ in FOUND} == {name for name, key in TABLES["source-rule"].items() if key.alternative}


HOSTILE = from_data(DATA["HOSTILE"], dict[str, bytes])


def test_sources_that_want_to_harm_are_read_like_others(tmp_path: Path) -> None:
    for number, source in enumerate(HOSTILE.values()):
        (tmp_path / f"{number}.py").write_bytes(source)
    (tmp_path / "link.py").symlink_to("/etc/passwd")
    (tmp_path / "course.py").write_text("exit(1)\n")
    rules = [
        SourceRule(demand="forbid", language="python", what="call", name="exit", files=(f"{number}.py",))
        for number in range(len(HOSTILE))
    ]
    everything = SourceRule(demand="forbid", language="python", what="call", name="exit")
    *each, all_files = examine_source(tmp_path, [*rules, everything], Build(run=(), files={"course.py": b""}))
    assert dict(zip(HOSTILE, (one.total >= 1 for one in each), strict=True)) == dict.fromkeys(HOSTILE, True)
    assert {"link.py", "course.py"}.isdisjoint(all_files.files)
    (tmp_path / "much.py").write_bytes(b"f(1)\n" * 2_000_000)
    (refused,) = examine_source(tmp_path, [everything])
    assert "too much" in refused.refused
