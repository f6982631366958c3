"""The steps of CONTRIBUTING.md for an addition are carried out in a copy, just these, and the result is used."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from tests.support.courses import course, submission
from tests.support.rows import read_data

ROOT = Path(__file__).parents[1]
TITLES = (
    "comparator",
    "kind of case",
    "deviation",
    "key to the language",
    "toolchain",
    "report format",
    "exporter",
    "importer",
    "limit",
)
STEP = re.compile(
    r"""\[`(?P<new>[^`]+)`\]\((?P<example>tests/adding/[^)]+)\)
        |^\ *```\w+\ in="(?P<file>[^"]+)"\ after="(?P<after>(?:\\"|[^"])*)"\n(?P<text>.*?)^\ *```$""",
    re.MULTILINE | re.DOTALL | re.VERBOSE,
)
LISTS = ("grader/core/build/toolchains.yaml", "tests/core/build/programs.yaml")
"""an example of an entry is added at the end of these"""
DATA = read_data(__file__)
SPEC = DATA["SPEC"]


class Step(NamedTuple):
    """A file to write, or lines to insert after a line of one, or at its end."""

    file: str
    text: str
    after: str | None = None

    @property
    def lines(self) -> int:
        return self.text.count("\n")

    @property
    def is_new(self) -> bool:
        return not (ROOT / self.file).exists()


def steps(title: str) -> list[Step]:
    """Return the steps under the heading "How to add a ..." that can be carried out."""
    page = (ROOT / "CONTRIBUTING.md").read_text()
    section = re.search(rf"^## How to add an? {title}\n(.*?)(?=^## )", page, re.MULTILINE | re.DOTALL)
    assert section, title
    return [to_step(match) for match in STEP.finditer(section[1])]


def to_step(match: re.Match[str]) -> Step:
    if match["new"]:
        return Step(match["new"], (ROOT / match["example"]).read_text())
    # A block in a list is indented by three blanks more than what stands in it.
    text = "".join(line.removeprefix("   ") for line in match["text"].splitlines(keepends=True))
    return Step(match["file"], text, match["after"].replace('\\"', '"'))


def carry_out(step: Step, copy: Path) -> None:
    """Write a new file, or insert lines: behind the one that is named, which stands there once, or at the end."""
    path = copy / step.file
    if step.after is None:
        path.write_text((path.read_text() if path.exists() else "") + step.text)
        return
    after, before = f"\n{step.after}\n", path.read_text()
    assert before.count(after) == 1, (step.file, after)
    path.write_text(before.replace(after, after + step.text))


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Copy the program, and what makes its pages."""
    folder = tmp_path / "copy"
    for name in ("grader", "docs/generate", "tests/core/build", "tests/support"):
        shutil.copytree(ROOT / name, folder / name)  # with what is compiled: a change has another time
    return folder


def run(copy: Path, *command: str, work: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run Python with the copy in place of the program."""
    env = {**os.environ, "PYTHONPATH": str(copy), "XDG_CACHE_HOME": str(copy / "cache"), "COLUMNS": "120"}
    return subprocess.run(
        [sys.executable, *command], cwd=work or copy, env=env, capture_output=True, text=True, timeout=100, check=False
    )


def grade(copy: Path, work: Path, name: str) -> Any:
    """Grade a submission with the copy and return the case of its report."""
    ran = run(copy, "-m", "grader", "run", f"echo/{name}", "--spec", "echo", "--format", "json", work=work)
    assert ran.stdout, ran.stderr
    return json.loads(ran.stdout)["tests"][0]["cases"][0]


def spec(language: str = "python", program: str = "python3", tolerate: str = "", stdout: str = "a") -> str:
    words = {"LANGUAGE": language, "PROGRAM": program, "TOLERATE": tolerate, "STDOUT": stdout}
    return re.sub("|".join(words), lambda match: words[match[0]], SPEC)


@pytest.mark.parametrize("title", TITLES)
def test_every_step_names_a_place_that_is_there(title: str) -> None:
    found = steps(title)
    assert found
    for step in found:
        assert (ROOT / step.file).parent.is_dir()
        assert step.is_new == (step.after is None and step.file not in LISTS), step.file


def test_every_example_is_a_step() -> None:
    linked = re.findall(r"\]\((tests/adding/[^)]+)\)", (ROOT / "CONTRIBUTING.md").read_text())
    kept = {path.relative_to(ROOT).as_posix() for path in (ROOT / "tests/adding").glob("*/*.*")}
    assert kept == set(linked)


@pytest.mark.slow
def test_a_comparator_is_added_by_the_steps(copy: Path, tmp_path: Path) -> None:
    for step in steps("comparator"):
        carry_out(step, copy)
    work = tmp_path / "work"
    path = course(work, spec(stdout="{line-count: 2, counting: filled}"))
    submission(work, "right", "print(1)\nprint()\nprint(2)\n")
    submission(work, "looks-right", "print(1)\nprint()\n")
    assert grade(copy, work, "right")["verdict"] == "passed"
    assert grade(copy, work, "looks-right")["message"] == "Standard output has 1 filled line, expected 2."
    assert "those count: filled" in run(copy, "-m", "grader", "handout", str(path), work=work).stdout
    schema = run(copy, "-c", "from grader.core.reader.language import schema_text; print(schema_text())").stdout
    assert "line-count" in schema
    assert run(copy, "-m", "grader", "lint", str(path)).returncode == 0
    path.write_text(path.read_text().replace("line-count: 2,", "line-count: two,"))
    assert "wanted a number of lines" in run(copy, "-m", "grader", "lint", str(path)).stderr


SERVER = DATA["SERVER"]


@pytest.mark.slow
def test_a_kind_of_case_is_added_by_the_steps(copy: Path, tmp_path: Path) -> None:
    room, row = steps("kind of case")
    assert (room.is_new, room.lines <= 120, row.lines) == (True, True, 1)
    for step in (room, row):
        carry_out(step, copy)
    work = tmp_path / "work"
    written = spec().replace("args: [a, b]", "request: /hello").replace("stdout: a", r'stdout: "200\nhello"')
    path = course(work, written)
    submission(work, "right", SERVER)
    submission(work, "wrong", SERVER.replace("200 if", "201 if"))
    submission(work, "broken", "import sys; sys.exit(1)\n")
    assert grade(copy, work, "right")["verdict"] == "passed"
    wrong = grade(copy, work, "wrong")
    assert (wrong["verdict"], wrong["deviations"][0]["kind"]) == ("failed", "wrong")
    assert "/hello" in wrong["command"]
    assert grade(copy, work, "broken")["verdict"] == "failed"
    assert "Asked for" in run(copy, "-m", "grader", "handout", str(path), work=work).stdout
    schema = run(copy, "-c", "from grader.core.reader.language import schema_text; print(schema_text())").stdout
    assert "http-path" in schema
    assert run(copy, "-m", "grader", "lint", str(path)).returncode == 0
    path.write_text(path.read_text().replace("request: /hello", "request: hello"))
    assert "wanted a path such as /hello" in run(copy, "-m", "grader", "lint", str(path)).stderr


@pytest.mark.slow
def test_a_deviation_is_added_by_the_steps(copy: Path, tmp_path: Path) -> None:
    for step in steps("deviation"):
        carry_out(step, copy)
    work = tmp_path / "work"
    course(work, spec(tolerate="dashes: 50%, quotes: 25%", stdout=r'"-v\n"'))
    submission(work, "dashing", r'print("\u2013v")')
    submission(work, "close", r'print("\u2013w")')
    submission(work, "quoted", r'print("\"-v\"")')
    for name, kind, credit, told in (
        ("dashing", "dashes", 0.5, "Dashes and hyphens differ: line 1"),
        ("quoted", "quotes", 0.25, "The answer stands in quotation marks."),
    ):
        case = grade(copy, work, name)
        assert ([one["kind"] for one in case["deviations"]], case["credit"]) == ([kind], credit)
        assert case["message"].startswith(told)
    assert [one["kind"] for one in grade(copy, work, "close")["deviations"]] == ["wrong"]
    page = run(copy, "-c", "from docs.generate import deviations; print(deviations.written())").stdout
    assert "Dashes and hyphens differ" in page
    assert "in quotation marks" in page


KNOWS = """\
import sys
from pathlib import Path
from docs.generate import keys
from grader.core.reader.language import make_schema
from grader.core.reader.language import TEST, TYPES
from grader.core.reader.spec import load
from grader.core.yaml.types import write_fields
from grader.core.yaml.nodes import in_line, table

test = load(Path(sys.argv[1])).tests[0]
print(test.topic)
print(in_line(table(write_fields(test, {name: TEST[name] for name in ("name", "topic")}, TYPES))))
print(make_schema()["$defs"]["test"]["properties"]["topic"]["description"])
print(next(line for line in keys.written().splitlines() if line.startswith("| `topic` |")))
"""


@pytest.mark.slow
def test_a_key_of_a_test_is_added_by_one_line_and_its_field(copy: Path, tmp_path: Path) -> None:
    for step in steps("key to the language"):
        assert (step.is_new, step.lines) == (False, 1)
        carry_out(step, copy)
    about = "The topic of the course that it belongs to."
    path = course(tmp_path, spec().replace("points: 4", "topic: echoes"))
    known = run(copy, "-c", KNOWS, str(path))
    assert known.stdout.splitlines() == [
        "echoes",
        "{name: words, topic: echoes}",
        about,
        f"| `topic` | [text](#kind-text) |  | {about} |",
    ], known.stderr
    for word in ("subject", "topics"):
        path.write_text(path.read_text().replace("    topic:", f"    {word}:"))
        assert 'unknown key; did you mean "topic"?' in run(copy, "-m", "grader", "lint", str(path)).stderr
        path.write_text(path.read_text().replace(f"    {word}:", "    topic:"))


@pytest.mark.slow
def test_a_toolchain_is_added_by_the_steps(copy: Path, tmp_path: Path) -> None:
    for step in steps("toolchain"):
        carry_out(step, copy)
    work = tmp_path / "work"
    course(work, spec(language="awk", program="awk -f", stdout=r'"a b\n"'))
    submission(work, "right", "BEGIN { print ARGV[1], ARGV[2] }")
    submission(work, "crashing", 'BEGIN { print ARGV[1], ARGV[2]; printf "%d" }')
    assert grade(copy, work, "right")["verdict"] == "passed"
    assert grade(copy, work, "crashing")["verdict"] == "crashed"
    made = run(copy, "-m", "grader", "new", "sum", "--language", "awk", work=tmp_path)
    assert made.returncode == 0, made.stderr
    assert re.search(
        r"^awk +ok .*; a small program works$", run(copy, "-m", "grader", "doctor", "awk").stdout, re.MULTILINE
    )
    programs = yaml.safe_load((copy / "tests/core/build/programs.yaml").read_text())["awk"]
    assert programs.keys() == {"file", "program", "broken", "crash", "memory", "loop"}


@pytest.mark.slow
def test_a_limit_is_added_by_the_steps(copy: Path, tmp_path: Path) -> None:
    for step in steps("limit"):
        carry_out(step, copy)
    assert len({step.file for step in steps("limit")}) <= 4
    work = tmp_path / "work"
    path = course(work, spec(stdout=r'"a\n"') + "    limits: {files: 20}\n")
    many = "import time\nfor n in range({}): open(f'file-{{n}}', 'w')\ntime.sleep(0.5)\nprint('a')\n"
    submission(work, "right", many.format(15))
    submission(work, "wrong", many.format(25))
    right = grade(copy, work, "right")
    assert right["verdict"] == "passed", right["message"]
    found = grade(copy, work, "wrong")
    assert (found["verdict"], found["limit"]) == ("crashed", "files")
    assert found["message"] == "Your program was stopped because it left more than 20 files."
    path.write_text(path.read_text().replace("files: 20", "files: many"))
    assert "files" in run(copy, "-m", "grader", "lint", str(path)).stderr


@pytest.mark.slow
def test_an_exporter_is_added_by_the_steps(copy: Path, tmp_path: Path) -> None:
    for step in steps("exporter"):
        carry_out(step, copy)
    work = tmp_path / "work"
    course(work)
    submission(work)
    submission(work, "bob", "print()")
    graded = run(copy, "-m", "grader", "class", "echo", "--spec", "echo", "--out", "out", work=work)
    assert graded.returncode == 0, graded.stderr
    exported = run(copy, "-m", "grader", "export", "points", "out", work=work)
    assert (exported.returncode, exported.stdout) == (0, "alice 10\nbob 0\n")
    assert "points alone" in run(copy, "-m", "grader", "export", "--help").stdout


@pytest.mark.slow
def test_an_importer_is_added_by_the_steps(copy: Path, tmp_path: Path) -> None:
    importer, row = steps("importer")
    assert (importer.is_new, importer.lines <= 45, row.lines) == (True, True, 1)
    for step in (importer, row):
        carry_out(step, copy)
    work = tmp_path / "work"
    (work / "echo").mkdir(parents=True)
    (work / "echo/answers.csv").write_text("input,output,points\n{1} 2,{1} 2,2.5\n3,,1\n")
    made = run(copy, "-m", "grader", "import", "answers", "echo", work=work)
    assert (made.returncode, "todo_row_2" in made.stdout + made.stderr) == (0, True), made.stderr
    for name, program, verdict in (("right", "print(input())", "passed"), ("wrong", "print(input()[1:])", "failed")):
        (work / "echo" / name).mkdir()
        (work / "echo" / name / "main.py").write_text(program)
        assert grade(copy, work, name)["verdict"] == verdict
    assert "answers.csv" in run(copy, "-m", "grader", "import", "--help").stdout


@pytest.mark.slow
def test_a_report_format_is_added_by_the_steps(copy: Path, tmp_path: Path) -> None:
    for step in steps("report format"):
        carry_out(step, copy)
    work = tmp_path / "work"
    course(work)
    submission(work, "bob", "print()")
    assert run(copy, "-m", "grader", "run", "echo/bob", "--spec", "echo", "--out", "out", work=work).returncode == 1
    (written,) = work.glob("out/**/outline.txt")
    assert written.read_text().splitlines()[:2] == ["Echo", "words"]
