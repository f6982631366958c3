import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest

from grader.core.model.gradebook import Student
from grader.core.report.json import safe_name
from grader.results.class_files import to_class_page
from tests.support.class_samples import STDOUT_SENTENCE, ClassSample, class_of, sample_class
from tests.support.report_samples import HOSTILE, full_report, hostile_report

HARMLESS = {"data-column", "lang", "charset", "http-equiv", "content", "name", "class", "id", "href", "scope", "role"}
HARMLESS |= {"tabindex", "min", "max", "value", "hidden", "type", "autocomplete", "spellcheck"}
HARMLESS |= {"aria-hidden", "aria-label", "aria-labelledby"}


class Reader(HTMLParser):
    """Collects the tags with their attributes, and the text outside of style and script."""

    def __init__(self, page: bytes) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self._skipped = ""
        self.feed(page.decode())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._skipped = tag if tag in {"style", "script"} else self._skipped

    def handle_endtag(self, tag: str) -> None:
        self._skipped = "" if tag == self._skipped else self._skipped

    def handle_data(self, data: str) -> None:
        self.text += "" if self._skipped else data


def page(sample: ClassSample) -> Reader:
    return Reader(to_class_page(sample.book, sample.file))


def test_a_class_of_300_is_one_small_file_that_tells_all() -> None:
    sample = sample_class(300)
    data = to_class_page(sample.book, sample.file)
    assert len(data) < 10**6
    found = Reader(data)
    assert sum(tag == "tr" for tag, _ in found.tags) > 300
    assert "For the course's staff only" in found.text
    assert STDOUT_SENTENCE in found.text
    assert re.search(r"\d\d students\s+usage", found.text)
    assert "2679 secret boards" in found.text, "the staff sees hidden tests"
    assert not [attributes for _, attributes in found.tags if attributes.keys() - HARMLESS]
    assert not {tag for tag, _ in found.tags} & {"img", "iframe", "object", "form", "base"}


def test_a_quotation_is_code_as_on_the_page_of_a_student() -> None:
    sample = sample_class(300)
    page = to_class_page(sample.book, sample.file).decode()
    assert "standard error is <code>usage: queens [-v] number</code>; <code>Usage: Queens [-v] number</code>" in page


def test_an_example_shows_the_command_and_the_difference() -> None:
    text = page(sample_class(300)).text
    assert "java -jar Queens -v 4" in text
    assert "- (1,·2,·3,·4)⏎" in text
    assert "(- expected, + yours)" in text
    assert "Usage: Queens [-v] number" in text


@pytest.mark.parametrize("name", ["alice", "a b%c/d?e#f", "Müller, Änne", "..", "a" * 300, "\udcff'\"<&>"])
def test_each_student_has_a_link_to_the_folder_of_the_report(name: str) -> None:
    links = [attributes["href"] or "" for tag, attributes in page(class_of({name: full_report()})).tags if tag == "a"]
    (link,) = {link for link in links if not link.startswith("#")}
    assert re.fullmatch(r"[A-Za-z0-9%._~-]+/feedback\.html", link)
    assert unquote(link) == f"{safe_name(name)}/feedback.html"


def test_who_has_no_report_has_no_link() -> None:
    found = page(class_of({}, nothing=["a"], waiting=["b"]))
    assert all((attributes["href"] or "").startswith("#") for tag, attributes in found.tags if tag == "a")
    assert "nothing handed in" in found.text
    assert "not graded yet" in found.text


@pytest.mark.parametrize("data", HOSTILE)
def test_hostile_students_add_no_tag_and_no_attribute(data: bytes) -> None:
    name = data.decode("utf-8", "surrogateescape")
    plain = page(class_of({"a": hostile_report(b"x"), "b": hostile_report(b"x")}))
    book = class_of({name: hostile_report(data), f"{name}2": hostile_report(data)})
    found = page(replace(book, book=replace(book.book, unused=())))
    assert {tag for tag, _ in found.tags} <= {tag for tag, _ in plain.tags}
    assert {key for _, keys in found.tags for key in keys} == {key for _, keys in plain.tags for key in keys}
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u200b\u202e\ud800-\udfff]", found.text)


def test_members_of_a_team_have_a_line_each() -> None:
    sample = class_of({"t": full_report()})
    grade = sample.book.grades[0]
    team = replace(grade.entry, team="Seven", students=(Student(id="gina"), Student(id="hugo", name="Hugo H.")))
    found = page(replace(sample, book=replace(sample.book, grades=(replace(grade, entry=team),))))
    assert [attributes["href"] for tag, attributes in found.tags if tag == "a"].count("t/feedback.html") == 2
    assert all(word in found.text for word in ("gina", "hugo", "Hugo H.", "Seven", "Team"))


def test_each_anchor_is_there() -> None:
    found = page(sample_class(60))
    ids = {attributes.get("id") for _, attributes in found.tags}
    links = {
        attributes["href"] for tag, attributes in found.tags if tag == "a" and (attributes["href"] or "")[0] == "#"
    }
    assert {link[1:] for link in links if link} <= ids
    assert len(links) > 4


def test_a_report_that_is_not_there_any_more_costs_only_its_example() -> None:
    sample = sample_class(60)
    found = Reader(to_class_page(sample.book, lambda *_: None))
    assert STDOUT_SENTENCE in found.text
    assert "For example" not in found.text


def test_the_pages_are_where_the_links_point(tmp_path: Path) -> None:
    names = ["a b", "50%", "ünï", ".."]
    sample = class_of(dict.fromkeys(names, full_report()))
    for name in names:
        (tmp_path / safe_name(name)).mkdir()
        (tmp_path / safe_name(name) / "feedback.html").touch()
    for tag, attributes in page(sample).tags:
        link = attributes.get("href") or "#"
        if tag == "a" and not link.startswith("#"):
            assert (tmp_path / unquote(link)).is_file()
