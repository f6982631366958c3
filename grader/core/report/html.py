"""Pages in HTML: one file each, that loads nothing, and in which only our own style and script can act.

`feedback.html`, what a student reads in a browser, is made here; it has the content of `feedback.md`, from the same
functions. Of a test that is not shown there is its name and its score. Other pages are filled with `fill_page`.

Three fences stand around what students wrote. `grader.core.text` has made it printable; the environment here escapes
whatever a template prints; and the page's policy lets the browser use no style and no script but those whose hash it
names, and fetch nothing at all. So no template has a `style` attribute or an `on…` attribute, and none marks a text as
safe: only `layout.html` does, for the style and the script.
"""

import base64
import hashlib
import marshal
import sys
from functools import cache
from pathlib import Path
from threading import RLock
from typing import Any

import jinja2
import msgspec
from jinja2.bccache import Bucket

from grader.core.cache import user_cache
from grader.core.model import VERSION, Report, ReportedCase, ReportedTest
from grader.core.report.causes import QUOTATION
from grader.core.report.costs import describe_costs
from grader.core.report.dialogues import earlier, transcript_lines
from grader.core.report.differences import plain_excerpt
from grader.core.report.final_score import describe_with_code
from grader.core.report.prose import blocks
from grader.core.report.view import (
    COMMAND_LIMIT,
    NAME_LIMIT,
    ShownCause,
    can_repeat,
    describe_cause,
    describe_decided,
    describe_group,
    describe_groups,
    describe_once,
    describe_work,
    drawings,
    evidence,
    findings_for_student,
    is_shown,
    names,
    out_of,
    test_points,
    word_for_case,
    word_for_report,
    word_for_test,
)
from grader.core.text import capital, one_line, point_word, points, sentence

PAGE_LOG_LINES = 40
"""lines of the build's log"""


DIGITS = 12
"""digits of a digest: enough to identify a submission"""

DIFF_CLASSES = {"-": "expected", "+": "yours", "@": "place"}
"""how a line of a difference starts -> what it is"""

FOLDERS = tuple(Path(__file__).parents[2] / room for room in ("core/report", "gradebook", "review"))
"""where templates, styles and scripts are: those of one report, of a class, and of `grader review`"""


class _Compiled(jinja2.BytecodeCache):
    """Keeps templates as they were compiled, by their text: to compile them takes as long as a case."""

    def load_bytecode(self, bucket: Bucket) -> None:
        """Fill the bucket from the cache, if it has an entry."""
        if code := user_cache().look_up(self._key(bucket), bytes):
            bucket.code = marshal.loads(code)  # noqa: S302 - Python keeps our modules so, too

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep what is in the bucket."""
        user_cache().store(self._key(bucket), marshal.dumps(bucket.code))

    def _key(self, bucket: Bucket) -> list[str | int]:
        """Return a key for a template, and for its compiler and target."""
        ours = Path(__file__).stat().st_mtime_ns
        return ["template", VERSION, ours, sys.version, jinja2.bccache.bc_magic.hex(), bucket.key, bucket.checksum]


class _Pages(jinja2.Environment):
    """Loads each template once, also where a thread loads it ahead while another one asks for it."""

    def __init__(self, **options: Any) -> None:
        """Take the options of any environment."""
        super().__init__(**options)
        self._loading = RLock()

    def get_template(self, *name: Any, **how: Any) -> jinja2.Template:
        """Return a template as any environment does, one at a time: a template may ask for others."""
        with self._loading:
            return super().get_template(*name, **how)


_PAGE_FILES = jinja2.FileSystemLoader(FOLDERS)
ENVIRONMENT = _Pages(
    loader=_PAGE_FILES,
    autoescape=True,
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    auto_reload=False,
    bytecode_cache=_Compiled(),
)


@cache
def read_asset(name: str) -> str:
    """Read a style or a script that belongs to a page."""
    return _PAGE_FILES.get_source(ENVIRONMENT, name)[0]


def policy(style: str, script: str = "", forms: str = "'none'") -> str:
    """Write the content security policy of a page with this style and this script, and nothing else.

    `forms` is where its forms may be sent.
    """
    parts = ["default-src 'none'"]
    for directive, text in {"style-src": style, "script-src": script}.items():
        if text or directive == "style-src":
            digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
            parts.append(f"{directive} 'sha256-{digest}'")
    return "; ".join([*parts, "base-uri 'none'", f"form-action {forms}"])


def fill_page(template: str, style: str, script: str = "", *, forms: str = "'none'", **values: object) -> bytes:
    """Fill a template that extends `layout.html`; a value it asks for and does not get is an error."""
    page = ENVIRONMENT.get_template(template)
    return page.render(values, style=style, script=script, policy=policy(style, script, forms)).encode()


# ---------------------------------------------------------------- feedback.html


_LAYOUT, _TEMPLATE = "layout.html", "feedback.html"
_MAX_COSTS = 200
"""cases whose costs a page shows"""
_Values = dict[str, Any]
"""what a template is given; it fails on what it asks for and does not get"""


def get_ready() -> None:
    """Load the templates now, and not with the first page: to compile them takes longer than a page does."""
    for name in (_LAYOUT, _TEMPLATE):
        ENVIRONMENT.get_template(name)


def to_page(report: Report, *, course: str = "", after_due: bool = False) -> bytes:
    """Write the page, in a course of this name; `after_due` shows also the tests that are hidden until then."""
    report = describe_once(report, after_due=after_due)
    shown = {n: test for n, test in enumerate(report.tests, 1) if is_shown(test, after_due=after_due)}
    sections = {n: _section_values(n, test) for n, test in shown.items() if _has_section(test)}
    costs = [
        msgspec.structs.replace(one, case=one_line(one.case, NAME_LIMIT))
        for one in describe_costs(report, after_due=after_due)
    ]
    most = report.max_score
    return fill_page(
        _TEMPLATE,
        read_asset("page.css"),
        title=sentence(report.spec.title),
        course=sentence(course),
        student=one_line(report.submission.id, NAME_LIMIT),
        verdict=word_for_report(report),
        share=None if report.is_excused else _meter(out_of(report.counted, most), report.counted, most),
        lacks_score=report.lacks_score,
        after=[(_pieces(line), code) for line, code in describe_with_code(report)],
        findings=[_pieces(sentence(finding.message)) for finding in findings_for_student(report)],
        told=[_pieces(line) for line in describe_work(report)],
        cause=_cause_values(describe_cause(report, after_due=after_due, most=PAGE_LOG_LINES)),
        build=_build_values(report),
        rows=[
            {
                "name": sentence(test.name),
                "verdict": word_for_test(test) if n in shown else "hidden",
                "share": _meter(test_points(test), test.score, test.points),
                "anchor": f"test-{n}" if n in sections else "",
            }
            for n, test in enumerate(report.tests, 1)
        ],
        sections=list(sections.values()),
        has_exhibits=any(failure["exhibits"] for section in sections.values() for failure in section["failures"]),
        costs=costs[:_MAX_COSTS],
        more_costs=len(costs[_MAX_COSTS:]),
        about=_about_values(report),
    )


def _has_section(test: ReportedTest) -> bool:
    return bool(describe_groups(test)) or bool(test.hint and describe_decided(test))


def _section_values(number: int, test: ReportedTest) -> _Values:
    """Return a test that has something to report."""
    return {
        "anchor": f"test-{number}",
        "name": sentence(test.name),
        "points": test_points(test),
        "about": sentence(test.about),
        "hint": list(blocks(test.hint)),
        "decided": describe_decided(test),
        "failures": [_group_values(group, test) for group in describe_groups(test)],
    }


def _cause_values(cause: ShownCause | None) -> _Values | None:
    """Return the one cause of a submission, which comes before all tests."""
    if cause is None:
        return None
    return {
        "title": cause.title,
        "sentence": _pieces(cause.sentence),
        "tests": cause.tests,
        "command": cause.command,
        "evidence": cause.evidence,
    }


def _build_values(report: Report) -> _Values | None:
    """Return the build as it was handed in, of work that was repaired."""
    if not report.build.repair:
        return None
    return {
        "problem": _pieces(sentence(report.build.message)),
        "command": one_line(report.build.command, COMMAND_LIMIT),
        "log": plain_excerpt(report.build.log.encode(), most=PAGE_LOG_LINES),
    }


def _about_values(report: Report) -> list[tuple[str, str]]:
    """Return enough to find out whether two people talk of the same."""
    about = {
        "Submission": one_line(report.submission.digest[:DIGITS]),
        "Assignment": f"{sentence(report.spec.id)} {one_line(report.spec.digest[:DIGITS])}",
        "Tools": ", ".join(one_line(version) for version in report.toolchain.values()),
        "Graded by": f"grader {report.grader}",
    }
    return [(name, text) for name, text in about.items() if text]


def _meter(text: str, score: float | None, most: float) -> _Values:
    """Return points for a bar; `reached` is None when that is not known."""
    return {
        "text": text,
        "reached": None if score is None else points(score),
        "most": points(most),
        "unit": point_word(most),
    }


def _group_values(group: tuple[ReportedCase, ...], test: ReportedTest) -> _Values:
    """Describe a group of cases with the same sentence; exhibits have lines, or the turns of a dialogue."""
    first = group[0]
    return {
        "names": names(group),
        "verdict": word_for_case(first, test),
        "sentence": _pieces(describe_group(group, test)),
        "drawing": drawings(first),
        "command": one_line(first.command, COMMAND_LIMIT) if can_repeat(first) else "",
        "exhibits": [
            {
                "title": capital(part.title),
                "lines": [{"text": line, "kind": DIFF_CLASSES.get(line[:1], "")} for line in part.lines],
                "earlier": earlier(part.turns),
                "turns": transcript_lines(part.turns),
            }
            for part in evidence(first)
        ],
    }


def _pieces(text: str) -> list[_Values]:
    """Separate quotations from the text around them. They include their backticks: one may have its own."""
    parts = enumerate(QUOTATION.split(text))  # each second one is a quotation
    return [{"text": part, "kind": "code" if n % 2 else ""} for n, part in parts if part]
