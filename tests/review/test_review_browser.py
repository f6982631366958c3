"""`grader review` in a real Chromium: by keyboard and by click, at two widths, in the light and in the dark."""

import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import pytest

from tests.support.chromium import Page, open_page
from tests.support.classes import grader
from tests.support.layouts import small_class

HEADING = "document.querySelector('h1').textContent"
FOCUS = "document.activeElement.id"
WIDTHS = "[document.documentElement.scrollWidth, innerWidth]"
UNNAMED = """[...document.querySelectorAll('input:not([type=hidden]), select, textarea, button, a')].filter(one =>
  one.checkVisibility() && !(one.labels?.length || one.ariaLabel || one.textContent.trim())).map(one => one.name)"""
SMALL = """[...document.querySelectorAll('button, select, input:not([type=hidden])')].filter(one =>
  one.checkVisibility() && one.getBoundingClientRect().height < 24).map(one => one.outerHTML)"""
TWICE = """[...document.querySelectorAll('[id]')].map(one => one.id).filter((id, n, all) => all.indexOf(id) !== n)"""
HEADINGS = "[...document.querySelectorAll('h1, h2, h3, h4')].map(one => Number(one.tagName[1]))"
HOSTILE = "<img src=x onerror=alert(1)>.py"


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("course")
    small_class(folder)
    work = folder / "submissions" / "bo"
    (work / HOSTILE).write_text("document.title = '</script><script>alert(1)</script>'\n" * 40)
    (folder / "submissions" / "cy" / "echo.py").write_text("import sys\n\nprint(1 / 0)\n")
    done = grader(folder, "class", "submissions", "--roster", "roster.csv", "--quiet")
    assert done.returncode == 0, done.stderr
    return folder


@contextmanager
def reviewing(course: Path) -> Iterator[str]:
    """Run the command as people do, and give the address that it prints."""
    words = [sys.executable, "-P", "-u", "-m", "grader", "review", "--no-browser"]
    with subprocess.Popen(words, cwd=course, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout
            told = process.stdout.readline() + process.stdout.readline()
            address = re.search(r"http://127\.0\.0\.1:\S+", told)
            assert address, told
            yield address[0]
        finally:
            process.send_signal(signal.SIGINT)
            out, errors = process.communicate(timeout=60)
            assert (process.returncode, errors) == (0, ""), out


@pytest.fixture(scope="module")
def address(course: Path) -> Iterator[str]:
    with reviewing(course) as one:
        yield one


@contextmanager
def opened(address: str, path: str = "", *, width: int = 1400, dark: bool = False) -> Iterator[Page]:
    """Open the printed address, follow it to the list, and go on to a page."""
    with open_page(address, width=width, height=900, dark=dark) as page:
        page.wait("Page.loadEventFired", times=2)  # the address leads on to the list, as soon as there is a cookie
        if path:
            page.go_to(page.evaluate("location.href") + path)
        yield page


def after(page: Page, deed: str) -> None:
    """Do what loads another page, and wait for it."""
    page.forget_loads()
    page.evaluate(deed)
    page.wait("Page.loadEventFired")


def pressed(page: Page, letter: str) -> None:
    """Press a key that loads another page, and wait for it."""
    page.forget_loads()
    page.strike(letter)
    page.wait("Page.loadEventFired")


def saved(page: Page) -> None:
    """Press Ctrl and Enter in a field, and wait for the page after it."""
    page.forget_loads()
    parts = {"key": "Enter", "code": "Enter", "modifiers": 2, "windowsVirtualKeyCode": 13}
    page.call("Input.dispatchKeyEvent", type="keyDown", **parts)
    page.call("Input.dispatchKeyEvent", type="keyUp", **parts)
    page.wait("Page.loadEventFired")


@pytest.mark.parametrize("width", [1400, 360])
@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("path", ["", "student/bo", "student/cy?at=0-3", "student/dee"])
def test_a_page_fits_breaks_no_policy_and_can_be_used_by_everybody(
    address: str,
    path: str,
    width: int,
    dark: bool,  # noqa: FBT001  a table
) -> None:
    with opened(address, path, width=width, dark=dark) as page:
        page.evaluate("document.querySelectorAll('details').forEach(part => { part.open = true })")
        scroll, window = page.evaluate(WIDTHS)
        assert scroll <= window == width
        assert page.messages() == []
        assert page.faint() == []
        assert page.evaluate(UNNAMED) == page.evaluate(SMALL) == page.evaluate(TWICE) == []
        levels = page.evaluate(HEADINGS)
        assert levels[0] == 1
        assert all(after - before <= 1 for before, after in pairwise(levels)), levels
        base = page.evaluate("location.origin")
        assert all(one.startswith(base) for one in page.requests())
        assert page.evaluate("document.cookie") == ""


def test_keys_alone_go_through_the_class_and_decide(address: str, course: Path) -> None:
    (course / "adjustments.yaml").unlink(missing_ok=True)
    with opened(address) as page:
        page.strike("?")
        assert page.evaluate("document.getElementById('keys').open")
        page.press("Escape")
        assert not page.evaluate("document.getElementById('keys').open")
        page.strike("/")
        assert page.evaluate(FOCUS) == "find"
        page.press("Escape")
        pressed(page, "n")
        assert page.evaluate(HEADING) == "ada"
        pressed(page, "n")
        assert page.evaluate(HEADING) == "bo"
        page.strike("a")
        assert page.evaluate(FOCUS) == "add-points"
        page.type("-1")
        page.press("Tab")
        page.type("n and j are typed here, and lead nowhere.")
        saved(page)
        assert page.evaluate(HEADING) == "bo"
        assert "n and j are typed here" in page.evaluate("document.querySelector('.decision').textContent")
        pressed(page, "p")
        assert page.evaluate(HEADING) == "ada"
        pressed(page, "u")
        assert page.evaluate(HEADING) == "Echo"
    assert 'points: -1\n    graded: 3\n    why: "n and j are typed here' in (course / "adjustments.yaml").read_text()


def test_a_quotation_is_code_in_the_list_and_beside_the_source(address: str) -> None:
    for path, place in (("", "td"), ("student/cy", ".finding")):
        with opened(address, path) as page:
            codes = page.evaluate(f"[...document.querySelectorAll('{place} code')].map(code => code.textContent)")
            assert codes[-1:] == ["print(1 / 0)"]


def test_a_line_is_commented_by_keyboard_and_by_click(address: str, course: Path) -> None:
    with opened(address, "student/cy") as page:
        assert page.evaluate("document.querySelector('.finding').textContent").endswith("of echo.py, print(1 / 0).")
        page.strike("f")
        assert page.evaluate("document.querySelector('.row.here').id") == "L0-3"
        page.strike("k")
        page.strike("j")
        page.strike("c")
        assert page.evaluate("document.activeElement.name") == "why"
        assert page.evaluate("document.querySelector('.line-form .place-name').textContent") == "echo.py line 3"
        page.type("Nothing can be divided by 0.")
        saved(page)
        assert page.evaluate("location.hash") == "#L0-3"
        assert "Nothing can be divided" in page.evaluate("document.querySelector('.code .decision').textContent")
        page.evaluate("document.querySelector('#L0-1 a.no').click()")
        page.evaluate("document.querySelector('.line-form textarea').value = 'Used.'")
        after(page, "document.querySelector('.line-form button').click()")
        assert page.evaluate("document.querySelectorAll('.code .decision').length") == 2
    feedback = (course / "reports/echo/cy/feedback.html").read_text()
    assert "Nothing can be divided by 0." in feedback
    assert "<code>print(1 / 0)</code>" in feedback


def test_a_rubric_item_is_given_and_taken_back_by_its_digit(address: str, course: Path) -> None:
    with opened(address, "student/ada") as page:
        page.evaluate("document.querySelector('#item-why').closest('details').open = true")
        page.evaluate("document.getElementById('item-points').focus()")
        page.type("-2")
        page.press("Tab")
        page.type("There are no comments.")
        saved(page)
        assert page.evaluate("document.querySelector('.score strong').textContent") == "8 of 10"
        pressed(page, "1")
        assert page.evaluate("document.querySelector('.score strong').textContent") == "10 of 10"
        pressed(page, "1")
        assert page.evaluate("document.querySelector('button[aria-pressed]').ariaPressed") == "true"
        after(page, "document.querySelector('[data-key=n]').click()")
        pressed(page, "1")
        assert "There are no comments." in page.evaluate("document.querySelector('#by-hand').parentElement.textContent")
    assert (course / "adjustments.yaml").read_text().count('item: "there-are-no-comments"') == 3


def test_two_assistants_with_two_browsers_lose_nothing(address: str, course: Path) -> None:
    with reviewing(course) as another, opened(address, "student/bo") as one, opened(another, "student/bo") as two:
        for page, text in ((one, "By the first."), (two, "By the second.")):
            page.evaluate(f"document.getElementById('add-why').value = {json.dumps(text)}")
        after(one, "document.querySelector('#add button').click()")
        after(two, "document.querySelector('#add button').click()")
        assert "Somebody else changed" in two.evaluate("document.getElementById('problem').textContent")
        assert two.evaluate(FOCUS) == "problem"
        assert two.evaluate("document.getElementById('add-why').value") == "By the second."
        after(two, "document.querySelector('#add button').click()")
        told = two.evaluate("document.querySelector('#by-hand').parentElement.textContent")
        assert "By the first." in told
        assert "By the second." in told


def test_without_its_script_the_page_works_by_links_and_buttons(address: str) -> None:
    with opened(address, "student/cy") as page:
        page.call("Emulation.setScriptExecutionDisabled", value=True)
        link = page.evaluate("document.querySelector('#L0-2 a.no').href")
        page.go_to(link)
        assert page.evaluate("document.querySelector('.line-form .place-name').textContent") == "echo.py line 2"
        page.evaluate("document.querySelector('.line-form textarea').value = 'Without a script.'")
        after(page, "document.querySelector('.line-form button').click()")
        assert "Without a script." in page.evaluate("document.querySelector('.source').textContent")
        assert not page.evaluate("document.getElementById('show-keys').checkVisibility()")


def test_a_page_elsewhere_gets_nothing_and_changes_nothing(address: str, course: Path, tmp_path: Path) -> None:
    """A page of somebody else in the same browser, which even knows the address of the pages."""
    with opened(address, "student/ada") as page:
        target = page.evaluate("location.href")
    (course / "adjustments.yaml").write_text("# nothing yet\n")
    evil = tmp_path / "evil.html"
    evil.write_text(
        f'<form method="post" action="{target}"><input name="action" value="add"><input name="why" value="E"></form>'
        f'<iframe src="{target}"></iframe>'
    )
    with open_page(evil) as page:
        read = page.evaluate(
            f"fetch({json.dumps(target)}, {{credentials: 'include'}}).then(a => a.text(), e => 'refused')"
        )
        assert read == "refused"
        after(page, "document.forms[0].submit()")
        assert "ada" not in page.evaluate("document.body.textContent")
    assert (course / "adjustments.yaml").read_text() == "# nothing yet\n"


def test_axe_finds_no_barrier_on_any_page(address: str) -> None:
    with opened(address) as page:
        base = page.evaluate("location.href")
        for path in ("", "student/bo", "student/cy?at=0-3", "student/dee"):
            page.go_to(base + path)
            page.evaluate("document.querySelectorAll('details').forEach(part => { part.open = true })")
            assert page.barriers() == [], path
        # It would find one: a field without a name.
        page.evaluate("document.querySelector('main').append(document.createElement('input'))")
        assert [one.partition(":")[0] for one in page.barriers()] == ["label"]
