"""The class's page in a real browser, with 300 students."""

from dataclasses import replace
from pathlib import Path

import pytest

from grader.core.model.gradebook import Student
from grader.results.class_files import to_class_page
from tests.support.chromium import CUT_TABLES, Page, open_page
from tests.support.class_samples import sample_class

SCORES = "[...document.querySelectorAll('#table tbody tr:not([hidden])')].map(r => r.cells[3].textContent)"
CLICK = "[...document.querySelectorAll('#table thead button')].find(b => b.textContent === '{}').click()"
SORTED = "[...document.querySelectorAll('#table th[aria-sort]')].map(h => [h.textContent, h.ariaSort])"
FIND = "(field => {{ field.value = '{}'; field.dispatchEvent(new Event('input')); }})(document.getElementById('find'))"
SIZE = "(one => [one.getBoundingClientRect().width, one.getBoundingClientRect().height])"
WIDTHS = "[document.documentElement.scrollWidth, innerWidth]"


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    sample = sample_class(300)
    path = tmp_path_factory.mktemp("class") / "index.html"
    path.write_bytes(to_class_page(sample.book, sample.file))
    return path


def numbers(page: Page) -> tuple[list[float], int]:
    """Return the scores as they are shown, and how many cells without one come after them."""
    texts = page.evaluate(SCORES)
    known = [float(text) for text in texts if text]
    assert not any(texts[len(known) :])
    return known, len(texts) - len(known)


def test_on_a_phone_buttons_can_be_hit_and_no_word_of_the_times_is_broken(index: Path) -> None:
    with open_page(index, width=360) as page:
        sizes = page.evaluate(f"[...document.querySelectorAll('#table thead button')].map({SIZE})")
        assert len(sizes) > 3
        assert min(min(size) for size in sizes) >= 44
        heads = page.evaluate(f"[...document.querySelectorAll('.times thead th')].map({SIZE})")
        assert heads
        assert max(height for _, height in heads) < 40  # one line


@pytest.mark.parametrize("width", [1200, 360])
@pytest.mark.parametrize("dark", [False, True])
def test_the_page_breaks_no_policy_asks_for_nothing_and_fits(index: Path, width: int, dark: bool) -> None:  # noqa: FBT001
    with open_page(index, width=width, dark=dark) as page:
        page.evaluate("document.querySelectorAll('details').forEach(part => { part.open = true })")
        scroll, window = page.evaluate(WIDTHS)
        assert scroll <= window == width
        assert width > 360 or page.evaluate(CUT_TABLES) == []
        assert page.messages() == []
        assert page.requests() == [index.resolve().as_uri()]
        paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert (sum(map(int, paper[4:-1].split(","))) < 200) == dark


def test_a_click_sorts_and_another_turns_it_round(index: Path) -> None:
    with open_page(index) as page:
        page.evaluate(CLICK.format("Points"))
        up, without = numbers(page)
        assert up == sorted(up)
        assert without > 0
        assert page.evaluate(SORTED) == [["Points", "ascending"]]
        page.evaluate(CLICK.format("Points"))
        down, still_without = numbers(page)
        assert down == sorted(down, reverse=True) == up[::-1]
        assert still_without == without
        assert page.evaluate(SORTED) == [["Points", "descending"]]


def test_keys_alone_sort(index: Path) -> None:
    with open_page(index) as page:
        page.evaluate("document.getElementById('verdict').focus()")
        for _ in range(10):
            page.press("Tab")
            if page.evaluate("document.activeElement.textContent") == "Points":
                break
        page.press("Enter")
        assert page.evaluate(SORTED) == [["Points", "ascending"]]
        assert numbers(page)[0] == sorted(numbers(page)[0])
        assert page.evaluate("document.activeElement.textContent") == "Points", "the focus stays"


def test_a_search_and_a_verdict_leave_those_that_match(index: Path) -> None:
    with open_page(index) as page:
        page.evaluate("document.getElementById('find').focus()")
        page.type("S0123")
        assert page.evaluate(SCORES.replace("cells[3]", "cells[0].querySelector('a')")) == ["s0123"]
        assert page.evaluate("document.getElementById('found').textContent") == "1 of 300 students"
        page.evaluate(
            "for (const [id, value, event] of [['find', '', 'input'], ['verdict', 'ungraded', 'change']]) {"
            "  const field = document.getElementById(id);"
            "  field.value = value;"
            "  field.dispatchEvent(new Event(event)); }"
        )
        verdicts = page.evaluate(SCORES.replace("cells[3]", "cells[2]"))
        assert set(verdicts) == {"ungraded"}
        assert page.evaluate("document.getElementById('found').textContent") == f"{len(verdicts)} of 300 students"


def test_without_its_script_everything_is_there_and_nothing_looks_like_a_button(index: Path) -> None:
    with open_page(index) as page:
        page.call("Emulation.setScriptExecutionDisabled", value=True)
        page.browser.events.clear()
        page.call("Page.reload")
        page.wait("Page.loadEventFired")
        assert page.evaluate("document.querySelectorAll('#table tbody tr').length") == 300
        assert page.evaluate("document.querySelectorAll('button').length") == 0
        assert page.evaluate("getComputedStyle(document.getElementById('search')).display") == "none"


def test_it_prints_every_student(index: Path) -> None:
    with open_page(index, media="print") as page:
        assert page.evaluate("getComputedStyle(document.getElementById('search')).display") == "none"
        assert page.evaluate("(box => box.scrollHeight - box.clientHeight)(document.querySelector('.tall'))") == 0


def test_of_a_large_class_those_rows_are_laid_out_that_are_looked_at(tmp_path: Path) -> None:
    path, sample = tmp_path / "index.html", sample_class(60)
    grades = [
        replace(grade, entry=replace(grade.entry, students=(Student(id=f"{number:02}-{grade.entry.id}"),)))
        for number in range(20)
        for grade in sample.book.grades
    ]
    path.write_bytes(to_class_page(replace(sample.book, grades=tuple(grades)), sample.file))
    rows = "document.querySelectorAll('#table tbody tr').length"
    with open_page(path) as page:
        assert page.evaluate(rows) == 500
        page.evaluate(CLICK.format("Student"))
        page.evaluate(CLICK.format("Student"))
        assert page.evaluate("document.querySelector('#table tbody th').textContent").startswith("19-")
        page.evaluate(FIND.format("00-"))
        assert page.evaluate("document.getElementById('found').textContent") == "60 of 1200 students"
        page.evaluate(FIND.format(""))
        assert page.evaluate(rows) == 500
        for most in (1000, 1200):
            page.evaluate(
                "new Promise(done => { new MutationObserver(done).observe(document.querySelector('#table tbody'),"
                " {childList: true}); document.querySelector('#table tbody tr:last-child').scrollIntoView(); })"
            )
            assert page.evaluate(rows) == most
        page.evaluate(FIND.format(""))
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        assert page.evaluate(rows) == 1200
