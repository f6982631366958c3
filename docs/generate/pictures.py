"""The pictures of the README and the docs: `make pictures` grades samples, and takes them of what people see.

The terminal is a real one, drawn as SVG from all that was written to it; pages are pictures that Chromium takes. What
is on them changes when reports do: look at them before you commit them.
"""

import os
import pty
import shutil
import subprocess
import sys
import tempfile
import threading
from contextlib import chdir
from io import StringIO
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import SVG_EXPORT_THEME
from rich.text import Text

from docs.generate import ROOT
from grader.review.pages import application_of
from grader.review.reviewed import open_reviewed
from grader.review.server import LOOPBACK, start_server

FOLDER = ROOT / "docs" / "pictures"
COLUMNS = 80
ASSIGNMENT, STUDENT = "mit-eight-queens", "grace"
FIRST = "nqueens-matrix/dmitri"
"""the sample on the first picture of the README: few tests, and a sentence with a drawing"""

CLASS = ("alice", "bob", "carol", "david", "erin", "grace", "henry", "irene", "karen", "leo", "nick", "pia")
"""samples that end by themselves, so that a class is graded within a minute"""

REVIEWED = "karen"
DECIDED = f"""\
rubric:
  - {{spec: {ASSIGNMENT}, item: no-comments, points: -2, why: There are no comments.}}
  - {{spec: {ASSIGNMENT}, item: good-names, points: +1, why: Names say what they mean.}}
adjustments:
  - {{spec: {ASSIGNMENT}, student: {REVIEWED}, item: no-comments}}
  - {{spec: {ASSIGNMENT}, student: grace, item: no-comments}}
  - {{spec: {ASSIGNMENT}, student: leo, item: good-names}}
  - spec: {ASSIGNMENT}
    student: {REVIEWED}
    file: four_queens.py
    line: 1
    code: def noConflicts(board, current, qindex, n)
    points: +4
    why: Only a colon is missing here; the rest works.
"""
"""what is decided by hand on the pictures of `grader review`"""

_SVG = """\
<svg viewBox="-12 -12 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<style>
text {{
  font-family: ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace;
  font-size: {char_height}px;
}}
{styles}
</style>
<defs>{lines}</defs>
<rect x="-12" y="-12" width="{width}" height="{height}" rx="8" fill="#292929"/>
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</svg>
"""
"""rich's picture without a frame, and without the font that it would load from elsewhere"""


def draw_terminal(command: list[str], course: Path) -> str:
    """Run a command on a terminal, and return a picture of it as SVG."""
    written = _on_a_terminal([sys.executable, "-P", "-m", *command], course)
    console = Console(record=True, width=COLUMNS, file=StringIO(), highlight=False, soft_wrap=False)
    console.print(Text.assemble(("$ ", "bold"), (" ".join(command), "bold")))
    console.print(Text.from_ansi(written))
    return console.export_svg(theme=SVG_EXPORT_THEME, code_format=_SVG)


def _on_a_terminal(command: list[str], folder: Path) -> str:
    ours, theirs = pty.openpty()
    environment = {**os.environ, "COLUMNS": str(COLUMNS), "TERM": "xterm-256color", "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, cwd=folder, env=environment, stdin=theirs, stdout=theirs, stderr=theirs):
        os.close(theirs)
        written = b""
        try:
            while some := os.read(ours, 65536):
                written += some
        except OSError:  # how a terminal ends
            os.close(ours)
    return written.decode().replace("\r\n", "\n")


def photograph(address: str, to: Path, width: int, height: int) -> None:
    """Keep the upper `width` by `height` pixels of a page, as PNG; a page that leads on to another is followed."""
    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--window-size={width},{height}"]
    flags.append("--virtual-time-budget=5000")
    with tempfile.TemporaryDirectory() as home:
        words = [browser, *flags, f"--user-data-dir={home}", f"--screenshot={to}", address]
        subprocess.run(words, check=True, capture_output=True, timeout=100)


def photograph_review(course: Path) -> None:
    """Take the pictures of `grader review`, of a class in which something is decided by hand."""
    (course / "adjustments.yaml").write_text(DECIDED)
    draw_terminal(["grader", "class", ASSIGNMENT], course)
    with chdir(course):
        reviewed = open_reviewed(Path("reports") / ASSIGNMENT, None, course)
        with start_server(0, application_of(reviewed)) as server:
            thread = threading.Thread(target=server.serve_forever)
            thread.start()
            guard = server.guard
            try:
                photograph(guard.address, FOLDER / "review-list.png", 1200, 900)
                at = f"http://{LOOPBACK}:{guard.port}{guard.base}student/{REVIEWED}?token={guard.token}"
                photograph(at, FOLDER / "review-student.png", 1400, 1100)
            finally:
                server.shutdown()
                thread.join()


def take_all() -> None:
    """Grade a class of samples in a folder of its own, and take the pictures."""
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        course = Path(name)
        for part in ("specs", "reference"):
            shutil.copytree(ROOT / part, course / part)
        for student in CLASS:
            shutil.copytree(ROOT / "sample_submissions" / ASSIGNMENT / student, course / ASSIGNMENT / student)
        shutil.copytree(ROOT / "sample_submissions" / FIRST, course / FIRST)
        draw_terminal(["grader", "run", FIRST], course)
        photograph((course / "reports" / FIRST / "feedback.html").as_uri(), FOLDER / "first.png", 900, 815)
        command = ["grader", "run", f"{ASSIGNMENT}/{STUDENT}"]
        (FOLDER / "terminal.svg").write_text(draw_terminal(command, course), encoding="utf-8")
        draw_terminal(["grader", "class", ASSIGNMENT], course)
        reports = course / "reports" / ASSIGNMENT
        photograph((reports / STUDENT / "feedback.html").as_uri(), FOLDER / "student.png", 900, 1560)
        photograph((reports / "index.html").as_uri(), FOLDER / "class.png", 1200, 900)
        photograph_review(course)
    for path in sorted(FOLDER.iterdir()):
        print(path, f"{path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    take_all()
