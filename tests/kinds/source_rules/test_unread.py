"""Sources in other encodings, names that are split, and files that a program loads and no rule can read."""

from pathlib import Path

import pytest

from grader.core.model.layout import Build
from grader.kinds.encodings import as_compiled, in_utf_8, refused_encoding
from grader.kinds.source_rules.model import SourceRule
from grader.kinds.source_rules.run import examine_source
from tests.support.packages import lay, zipped
from tests.support.rows import each_row, from_data, read_data

DATA = read_data(__file__)

COOKIES = from_data(DATA["COOKIES"], dict[bytes, str])


@pytest.mark.parametrize("source", COOKIES)
def test_an_encoding_that_hides_code_is_not_read(source: bytes, tmp_path: Path) -> None:
    assert refused_encoding("python", source) == COOKIES[source]
    (tmp_path / "a.py").write_bytes(source)
    (tmp_path / "b.py").write_text("def f(): return f()\n")
    rules = [
        SourceRule(demand="forbid", language="python", what="import", name="os"),
        SourceRule(demand="require", language="python", what="recursion", name="f"),
        SourceRule(demand="require", language="python", what="recursion", name="f", files=("b.py",)),
    ]
    found = examine_source(tmp_path, rules)
    assert [COOKIES[source] in one.refused for one in found] == [True, True, False]
    assert "UTF-8" in found[0].refused


@each_row
def test_usual_encodings_are_read(source: bytes) -> None:
    assert refused_encoding("python", source) == ""


def test_letters_of_latin_1_are_those_of_names(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(b"# coding: latin-1\nev\xaal('1')  # \xfc\n")
    (found,) = examine_source(tmp_path, [SourceRule(demand="forbid", language="python", what="call", name="eval")])
    assert (found.total, found.refused) == (1, "")
    assert in_utf_8("python", b"# coding: latin-1\n\xfc") == "# coding: latin-1\nü".encode()


@each_row
def test_other_languages_are_read_in_what_ascii_is_a_part_of(language: str, data: bytes, wanted: str) -> None:
    found = refused_encoding(language, data)
    assert wanted in found
    assert bool(found) == bool(wanted)


@each_row
def test_names_that_are_split_or_escaped_are_found(language: str, source: bytes, tmp_path: Path) -> None:
    (tmp_path / f"work.{ {'python': 'py'}.get(language, language) }").write_bytes(source)
    (found,) = examine_source(tmp_path, [SourceRule(demand="forbid", language=language, what="call", name="exit")])
    assert found.total == 2
    assert found.spots[-1].line in (5, 6)


def test_everything_stays_on_its_line() -> None:
    source = b"a\\\n\\\nb\nc\\\r\nd\r\ne"
    assert as_compiled("c", source) == b"ab\n\n\ncd\r\n\ne"
    assert as_compiled("c", source).count(b"\n") == source.count(b"\n")
    assert as_compiled("python", source) == source


ELF, PYC, CLASS = b"\x7fELF\2\1\1\0", b"\xa7\r\r\n\0\0\0\0", b"\xca\xfe\xba\xbe\0\0\0\x41"
PNG = b"\x89PNG\r\n\x1a\n\0\0"
PICTURE = PNG + zipped({"h.pyc": "exit(1)\n"})
_ARCHIVED = ("h.py", "B.class", "org/A.class", "word/document.xml", "a.py")
ZIPPED_MODULE, ZIPPED_CLASS, ZIPPED_LIBRARY, DOCUMENT, BACKUP = (zipped({name: "exit(1)\n"}) for name in _ARCHIVED)
C, JAVA = b"int main(void) { return 0; }\n", b"class A { B b = new B(); }\n"


def examined(files: dict[str, bytes], language: str, folder: Path, *rules: SourceRule) -> list[tuple[int, str]]:
    lay(folder, files)
    found = examine_source(folder, rules or [forbidden(language)], Build(run=(("make",),), produces=("a",)))
    return [(one.total, one.refused) for one in found]


def forbidden(language: str, files: tuple[str, ...] = ()) -> SourceRule:
    return SourceRule(demand="forbid", language=language, what="call", name="exit", files=files)


@each_row
def test_what_is_loaded_and_cannot_be_read_is_told(
    language: str, files: dict[str, bytes], named: str, tmp_path: Path
) -> None:
    required = SourceRule(demand="require", language=language, what="function", name="*")
    (total, refused), (_, about_one), (_, about_required) = examined(
        files, language, tmp_path, forbidden(language), forbidden(language, (next(iter(files)),)), required
    )
    assert total == 0
    assert f"can load `{named}" in refused
    assert about_one == about_required == ""


@each_row
def test_what_nothing_loads_costs_nothing(language: str, files: dict[str, bytes], tmp_path: Path) -> None:
    assert examined(files, language, tmp_path) == [(0, "")]


def test_a_known_breach_is_told_rather_than_what_is_not_read(tmp_path: Path) -> None:
    assert examined({"a.py": b"import h\nexit(1)\n", "h.pyc": PYC}, "python", tmp_path) == [(1, "")]


TEXTS = from_data(DATA["TEXTS"], dict[str, tuple[str, dict[str, bytes], int]])


@pytest.mark.parametrize("name", TEXTS)
def test_texts_that_are_included_or_run_are_read(name: str, tmp_path: Path) -> None:
    language, files, wanted = TEXTS[name]
    assert examined(files, language, tmp_path) == [(wanted, "")]


def test_data_of_any_length_is_no_source_with_too_many_lines(tmp_path: Path) -> None:
    files = {"a.py": b"exec(x); open('words.txt')\n", "words.txt": b"word\n" * 30_000}
    most = SourceRule(demand="most", language="python", what="lines-of-file", most=50)
    assert examined(files, "python", tmp_path, most, forbidden("python")) == [(0, ""), (0, "")]
