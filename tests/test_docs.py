"""The site: built without a warning, from pages that say what the program is, and loading nothing from elsewhere."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from lxml import etree
from msgspec.structs import replace
from msgspec.structs import replace as fields_replaced

from docs.generate import PAGES, deviations, pictures
from grader.core.model.execution import Execution, Measurement
from grader.core.model.gradebook import Afterwards
from grader.core.model.layout import BuildResult, Change, FailedRepair, Repair, Repaired
from grader.core.model.report import ByHand, Contrast, Lateness, OnTop, Report, ReportedSmallest, Verdict, summarise
from grader.core.model.spec import Case, CreditStep
from grader.core.reader.language import TABLES
from grader.core.report.json import to_json, to_report
from grader.decisions.post_grading import apply_post_grading
from grader.kinds.memory_clean.model import Watched
from tests.support.chromium import CUT_TABLES, PROGRAMS, open_page
from tests.support.layouts import ROOT
from tests.support.report_samples import case_result, deviation, dialogue_report, full_report, report_of, scored_test

DOCS = ROOT / "docs"
REMOTE = re.compile(
    r"""(?:<(?:script|img|iframe|link)[^>]*?(?:src|href)=["']?|url\(["']?|@import ["'])(?:https?:)?//"""
)


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "mkdocs", "build", "--strict", "--site-dir", folder],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr
    return folder


def pages(site: Path) -> Iterator[Path]:
    return (path for path in sorted(site.rglob("*.html")) if path.name not in ("404.html", "search.html"))


@pytest.mark.parametrize("name", PAGES)
def test_generated_pages_are_what_is_generated(name: str) -> None:
    if os.environ.get("GRADER_GOLDEN") == "write":
        (ROOT / name).write_text(PAGES[name](), encoding="utf-8")
    assert (ROOT / name).read_text(encoding="utf-8") == PAGES[name](), "run `make golden`"


def test_the_page_of_keys_has_every_table() -> None:
    text = (DOCS / "reference" / "spec.md").read_text(encoding="utf-8")
    assert not [name for name in TABLES if f"{{#{name}}}" not in text]


def test_an_example_that_the_judge_sees_otherwise_is_no_example() -> None:
    with pytest.raises(ValueError, match=r"missing-lines.* in the example of order"):
        deviations.told("order", b"1\n2\n", b"1\n", b"")


@pytest.mark.slow
def test_every_page_is_on_the_site_and_the_generator_is_not(site: Path) -> None:
    sources = {path.relative_to(DOCS).with_suffix(".html") for path in DOCS.rglob("*.md")}
    assert {path.relative_to(site) for path in pages(site)} == sources
    assert not list(site.rglob("*.py"))


@pytest.mark.slow
def test_the_site_loads_nothing_from_elsewhere(site: Path) -> None:
    read = [path for path in site.rglob("*") if path.suffix in (".html", ".css")]
    assert len(read) > len(list(pages(site)))
    assert not [path for path in read if REMOTE.search(path.read_text(encoding="utf-8"))]


@pytest.mark.slow
def test_no_list_or_table_is_swallowed_by_a_paragraph(site: Path) -> None:
    for path in pages(site):
        text = re.sub(r"(?s)<pre>.*?</pre>", "", path.read_text(encoding="utf-8"))
        assert not re.findall(r"(?m)^(?:- |\d+\. |\| ?-).*", text), path


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("part", range(4))
def test_pages_fit_and_can_be_read(site: Path, part: int) -> None:
    with open_page(site / "404.html") as page:
        page.call("Network.setBlockedURLs", urls=["*/search/*"])  # its index is made anew on each page
        for path in [*pages(site)][part::4]:
            page.resize(1200)
            page.replace_by(path)
            assert page.evaluate("document.documentElement.scrollWidth") <= 1200, path
            assert page.faint() == [], path
            page.resize(360)
            assert page.evaluate("document.documentElement.scrollWidth") <= 360, path
            assert page.evaluate(CUT_TABLES) == [], path


# ---------------------------------------------------------------- pictures

PICTURES = sorted((DOCS / "pictures").iterdir())
PNG = b"\x89PNG\r\n"


@pytest.mark.parametrize("path", PICTURES, ids=lambda path: path.name)
def test_pictures_are_shown_small_and_of_no_machine(path: Path) -> None:
    shown = [page.read_text(encoding="utf-8") for page in (ROOT / "README.md", *DOCS.rglob("*.md"))]
    assert any(f"pictures/{path.name})" in text for text in shown)
    content = path.read_bytes()
    assert len(content) < 200_000
    if path.suffix == ".svg":
        assert_drawn_from_nothing_else(content.decode())
    else:
        assert content.startswith(PNG)


def assert_drawn_from_nothing_else(svg: str) -> None:
    names = etree.fromstring(svg.encode()).nsmap.values()
    assert set(names) == {"http://www.w3.org/2000/svg"}
    assert not re.findall(r"https?://(?!www\.w3\.org)|@font-face|(?<![\w.])/(?:tmp|home|root|work|usr)\b", svg)


def test_a_terminal_is_drawn_with_its_colours(tmp_path: Path) -> None:
    lay_out = tmp_path / "specs"
    lay_out.mkdir()
    (lay_out / "x.yaml").write_text("spec: 2\n")
    drawn = pictures.draw_terminal(["grader", "lint", "specs/x.yaml"], tmp_path)
    assert_drawn_from_nothing_else(drawn)
    assert "specs/x.yaml:1:7" in drawn.replace("&#160;", " ")


@pytest.mark.slow
def test_a_page_is_photographed(tmp_path: Path) -> None:
    if not any(map(shutil.which, PROGRAMS)):
        assert "CI" not in os.environ, "there is no Chromium, and CI has to have one"
        pytest.skip("there is no Chromium")
    (tmp_path / "page.html").write_text("<title>x</title><body>words")
    pictures.photograph((tmp_path / "page.html").as_uri(), tmp_path / "page.png", 320, 200)
    content = (tmp_path / "page.png").read_bytes()
    assert content.startswith(PNG)
    assert (int.from_bytes(content[16:20]), int.from_bytes(content[20:24])) == (320, 200)


# ---------------------------------------------------------------- report.json


NAMED_BY_OTHERS = ("toolchain", "input.env", "input.files")
"""tables whose keys are not ours"""


def keys_of(value: Any, path: str = "") -> Iterator[str]:
    """Yield the paths of the values in a report, as the page writes them."""
    if isinstance(value, dict) and value and not path.endswith(NAMED_BY_OTHERS):
        for name, item in value.items():
            yield from keys_of(item, f"{path}.{name}" if path else name)
    elif isinstance(value, list) and value and isinstance(value[0], dict):
        for item in value:
            yield from keys_of(item, f"{path}[]")
    else:
        yield path


def with_smallest(report: Report) -> Report:
    (case, *_), *_ = (test.cases for test in report.tests)
    smallest = ReportedSmallest(command="./x", message="It is wrong.")
    tests = (fields_replaced(report.tests[0], cases=(fields_replaced(case, smallest=smallest),)), *report.tests[1:])
    return fields_replaced(report, tests=tests)


def test_the_page_of_the_report_has_every_key_and_no_other() -> None:
    text = (DOCS / "reference" / "report.md").read_text(encoding="utf-8")
    shown = re.findall(r"(?m)^\| `([^`]+)` \|", text)
    assert len(shown) == len(set(shown))
    crashed = Execution(signal=11, measured=(Measurement(time=1, cpu=1, waited=0),) * 2)
    wrong = Contrast(name="returned value", expected="1", actual="2")
    elsewhere = replace(deviation("wording", keeps=1), counted_in="g")
    calls = replace(
        case_result("f[1]"),
        run=summarise(crashed),
        contrasts=(wrong,),
        deviations=(elsewhere,),
        runs=(case_result("f[1]"),) * 2,
    )
    repair = Repair(name="a", about="", when="build-failed", change=Change())
    made = Repaired(repairs=(repair, replace(repair, name="b")), messages=("", ""), command="", log=b"", time=0)
    repaired = replace(
        report_of(scored_test("f", (calls,), Verdict.FAILED, 0)),
        build=BuildResult(ok=True, repaired=made, tried=(FailedRepair(names=("a",), message=""),)),
        on_top=(OnTop(kind="a", message="", points=Fraction(-1)),),
    )
    given = Case(id="g[1]", weight=Fraction(2), args=("a",), stdin=b"b", env={"c": "d"}, files={"e": b"f"})
    on_screen = replace(
        case_result("g[1]"),
        run=summarise(Execution(screen=True, also={"memory-clean": Watched(execution=Execution())})),
    )
    asked = scored_test("g", (on_screen,), Verdict.FAILED, 0)
    steps = (CreditStep(right=1, share=None),)
    asked = replace(asked, test=replace(asked.test, cases=(given,), credit=steps))
    ended = scored_test("h", (replace(case_result("h", Verdict.CRASHED), cause="crashed"),), Verdict.CRASHED, 0)
    reports = (full_report(), dialogue_report(), repaired, report_of(asked), report_of(ended))
    late = Lateness(due="", submitted="", days=1, takes=0.1, message="", free=1)
    decided = ByHand(why="W", score=1.0, excused=True, file="main.c", line=1, code="x", item="i")
    after = Afterwards(late=late, by_hand=(ByHand(why="W"), decided))
    written = [*map(to_report, reports), with_smallest(to_report(reports[0]))]
    written.append(apply_post_grading(written[0], after))
    found = {key for report in written for key in keys_of(json.loads(to_json(report)))}
    leaves = {key for key in found if not any(other.startswith((f"{key}.", f"{key}[]")) for other in shown)}
    assert leaves == set(shown)
