"""The student's page in a real browser: what it looks like, not what it says."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from grader.core.model.report import Judgement, Verdict
from grader.core.report.json import to_report
from tests.support.chromium import CUT_TABLES, open_page
from tests.support.report_samples import (
    HOSTILE,
    broken_report,
    case_result,
    deviation,
    dialogue_report,
    full_report,
    hostile_report,
    report_of,
    scored_test,
    to_page,
)
from tests.support.rows import each_row

pytestmark = pytest.mark.timeout(180)

WIDTH = "Math.max(document.documentElement.scrollWidth, document.body.scrollWidth)"
FOCUSED = """(() => {
  const here = document.activeElement, style = getComputedStyle(here), box = here.getBoundingClientRect();
  return [here.tagName + (here.hash || ""), style.outlineStyle !== "none" && box.width > 0 && box.height > 0];
})()"""


def wide_report() -> Judgement:
    """Build a report in which nothing can be broken at a blank, or is higher than a line."""
    tower, hebrew = "Z" + "\u0301\u0302\u0303" * 40, "\u05e9\u05dc\u05d5\u05dd"
    long = "x" * 400
    drawing = replace(deviation(message=long), drawing="Q " * 70)
    case = case_result(
        long, message=f"{long} `{long}`", stdout=f"{long}\n{tower}\n{hebrew} -1\n".encode(), expected=b"y" * 400
    )
    case = replace(case, deviations=(drawing,), command=f"java -jar {long}")
    test = scored_test(long, (case,), Verdict.BUILD_FAILED)
    row = "| several words of prose " * 6
    hint = f"{long}\n\n{row}|\n{'|---' * 6}|\n{row}|\n\n    {long}\n\nhttps://example.org/{long}"
    return report_of(replace(test, test=replace(test.test, about=long, hint={"default": hint})), student=long)


REPORTS = {
    "full": full_report(),
    "broken": broken_report(),
    "ungraded": replace(broken_report(Verdict.UNGRADED), verdict=Verdict.UNGRADED, score=None),
    "dialogue": dialogue_report(40),
    "wide": wide_report(),
    "empty": report_of(),
}


def page_of(report: Judgement, folder: Path) -> Path:
    path = folder / "feedback.html"
    path.write_bytes(to_page(to_report(report)))
    return path


@pytest.mark.parametrize("name", REPORTS)
@pytest.mark.parametrize("width", [320, 360, 1200])
def test_it_fits_any_width_and_loads_nothing_else(tmp_path: Path, name: str, width: int) -> None:
    path = page_of(REPORTS[name], tmp_path)
    with open_page(path, width=width) as page:
        assert page.evaluate(WIDTH) == width
        assert page.evaluate(CUT_TABLES) == []
        assert page.messages() == []
        assert page.requests() == [path.as_uri()]


def test_no_word_is_broken_in_a_narrow_table(tmp_path: Path) -> None:
    tests = [scored_test(name, (case_result(),), Verdict.FAILED) for name in ("interpolation_ok", "a word or two")]
    with open_page(page_of(report_of(*tests), tmp_path), width=400) as page:
        heights = (
            "[...document.querySelectorAll('main > section td, main > section tbody th')].map(c => c.offsetHeight)"
        )
        assert max(page.evaluate(heights)) < 60  # two lines
        assert page.evaluate(WIDTH) == 400


@pytest.mark.parametrize("data", HOSTILE)
def test_hostile_output_is_inert(tmp_path: Path, data: bytes) -> None:
    path = page_of(hostile_report(data), tmp_path)
    with open_page(path, width=360) as page:
        assert page.evaluate("document.scripts.length + document.images.length + frames.length") == 0
        assert page.evaluate("[...document.links].every(link => link.getAttribute('href').startsWith('#'))")
        assert page.evaluate(WIDTH) == 360
        assert page.messages() == []
        assert page.requests() == [path.as_uri()]


@each_row
def test_what_got_past_the_escaping_would_still_be_refused(tmp_path: Path, markup: str, refused: str) -> None:
    path = page_of(full_report(), tmp_path)
    path.write_bytes(path.read_bytes().replace(b"<main", f"{markup}<main".encode()))
    with open_page(path) as page:
        page.evaluate("document.getElementById('x')?.click()")
        assert any(refused in message and "Content Security Policy" in message for message in page.messages())
        assert page.evaluate("document.title") != "taken"
        assert page.evaluate("document.querySelector('main').checkVisibility()")
        assert [address for address in page.requests() if address.startswith("http")] == []


@pytest.mark.parametrize("name", REPORTS)
@pytest.mark.parametrize("dark", [False, True])
def test_every_text_has_contrast(tmp_path: Path, name: str, dark: bool) -> None:  # noqa: FBT001  a table
    with open_page(page_of(REPORTS[name], tmp_path), dark=dark) as page:
        assert page.faint() == []
        ink, paper = page.evaluate("[getComputedStyle(document.body)].map(s => [s.color, s.backgroundColor])[0]")
        assert (brightness(ink) > brightness(paper)) is dark


def test_axe_finds_no_barrier(tmp_path: Path) -> None:
    for name, report in REPORTS.items():
        with open_page(page_of(report, tmp_path), width=360) as page:
            page.evaluate("document.querySelectorAll('details').forEach(part => { part.open = true })")
            assert page.barriers() == [], name


def brightness(colour: str) -> int:
    return sum(int(part) for part in colour.removeprefix("rgb(").removesuffix(")").split(","))


def test_texts_without_contrast_would_be_found(tmp_path: Path) -> None:
    (tmp_path / "x.html").write_text("<p style='color: #999'>faint</p><p>clear</p>")
    with open_page(tmp_path / "x.html") as page:
        assert page.faint() == ["faint: 153,153,153 on 255,255,255, 2.85"]


def test_a_dialog_would_be_found(tmp_path: Path) -> None:
    (tmp_path / "x.html").write_text("<script>alert('taken')</script>")
    with pytest.raises(AssertionError, match="opened a dialog: taken"), open_page(tmp_path / "x.html"):
        pass


def test_it_is_read_by_keyboard(tmp_path: Path) -> None:
    with open_page(page_of(full_report(), tmp_path)) as page:
        found = []
        for _ in range(6):
            page.press("Tab")
            found.append(page.evaluate(FOCUSED))
        links = [f"A#test-{n}" for n in (1, 2, 3, 5)]
        assert found == [[name, True] for name in ("A#main", *links, "SUMMARY")]
        page.press("Enter")
        assert page.evaluate("document.activeElement.parentElement.open") is True


def test_the_first_link_skips_to_the_results(tmp_path: Path) -> None:
    with open_page(page_of(full_report(), tmp_path)) as page:
        page.press("Tab")
        page.press("Enter")
        assert page.evaluate("document.activeElement.id") == "main"


def test_a_drawing_that_is_too_wide_is_scrolled_by_keyboard(tmp_path: Path) -> None:
    with open_page(page_of(wide_report(), tmp_path), width=360) as page:
        box = "document.querySelector('.scroll')"
        assert page.evaluate(f"[{box}.scrollWidth > {box}.clientWidth, {box}.tabIndex]") == [True, 0]


@pytest.mark.parametrize("name", REPORTS)
def test_printed_it_has_all_its_failures_on_white(tmp_path: Path, name: str) -> None:
    path = page_of(REPORTS[name], tmp_path)
    with open_page(path, dark=True, media="print") as page:
        page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = false })")
        assert page.evaluate("[...document.querySelectorAll('details > *')].every(part => part.checkVisibility())")
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        assert page.faint() == []
        assert page.pdf().startswith(b"%PDF")


def test_what_a_student_wrote_paints_over_nothing_and_turns_nothing(tmp_path: Path) -> None:
    with open_page(page_of(wide_report(), tmp_path)) as page:
        styles = "[...document.querySelectorAll('.theirs')].map(one => getComputedStyle(one))"
        assert page.evaluate(f"{styles}.every(style => style.overflowY !== 'visible')")
        lines = "[...document.querySelectorAll('.line')].map(one => getComputedStyle(one).unicodeBidi)"
        assert set(page.evaluate(lines)) == {"isolate"}


def test_blanks_in_a_sentence_and_in_a_command_are_seen(tmp_path: Path) -> None:
    case = case_result(message="It printed `a   b`.", command="echo 'a   b'")
    with open_page(page_of(report_of(scored_test("a", (case,), Verdict.FAILED)), tmp_path)) as page:
        assert page.evaluate("document.querySelector('.sentence').innerText") == "It printed a   b."
        assert page.evaluate("document.querySelector('.command code').innerText") == "echo 'a   b'"
