import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from zipfile import ZipFile

import pytest
from click.testing import CliRunner

from grader.cli import cli
from grader.core.reader.spec import load
from grader.exports.kattis_programs import output_validator
from grader.exports.kattis_programs.output_validator import explain_mistake
from tests.support.packages import lay
from tests.support.rows import each_row, read_data

DATA = read_data(__file__)
SPEC = DATA["SPEC"]
REFERENCE = DATA["REFERENCE"]
ROUNDED = REFERENCE.replace("sum(numbers) / len(numbers) if", "sum(numbers) // len(numbers) if")
TEXT = "import sys\nn = [float(w) for w in sys.stdin.read().split()]\nprint(len(n), sum(n) / len(n))\n"
STATED = "right: {score: 10}\nrounds: {score: 1}\ntext: {score: 2}\n"


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    """A course with an assignment, a right sample and two that look right."""
    files = {
        "specs/mean-of-numbers.yaml": SPEC,
        "reference/mean.py": REFERENCE,
        "data/bytes.txt": b"4 \xff\xfe 5\n",
        "sample_submissions/mean-of-numbers/expected.yaml": STATED,
        "sample_submissions/mean-of-numbers/right/mean.py": REFERENCE,
        "sample_submissions/mean-of-numbers/rounds/mean.py": ROUNDED,
        "sample_submissions/mean-of-numbers/text/mean.py": TEXT,
    }
    return lay(tmp_path / "course", files) / "specs/mean-of-numbers.yaml"


def run(*words: str) -> tuple[int, str]:
    found = CliRunner().invoke(cli, words, standalone_mode=False)
    return found.return_value if found.exception is None else 2, found.output + str(found.exception or "")


def test_points_that_programs_give_are_left_out(spec: Path, tmp_path: Path) -> None:
    (tmp_path / "course/data/best.py").write_text("print('AC 1')\n")
    scored = "    points: 3\n    scoring: {program: data/best.py, max: 3}\n"
    spec.write_text(SPEC.replace("    points: 3\n", scored))
    status, output = run("export", "kattis", str(spec), "-o", str(tmp_path / "mean"), "--format", "json")
    assert status == 0, output
    found = json.loads(output)
    assert found["points"] == 5
    assert [note for note in found["notes"] if note.startswith("Left out: test seen (3 points): scoring:")]


@pytest.mark.slow
@each_row
def test_a_case_of_which_the_worst_run_counts_is_there_as_often(
    spec: Path, tmp_path: Path, repeat: str, inputs: dict[str, int], grading: str, *, is_told: bool
) -> None:
    spec.write_text(SPEC.replace('- stdin: ""', f'- {{stdin: "", repeat: {repeat}}}'))
    target = tmp_path / "mean"
    status, output = run("export", "kattis", str(spec), "-o", str(target), "--format", "json")
    assert status == 0, output
    folder = target / "data/secret/1-seen"
    found = [str(path.parent.relative_to(folder)) for path in folder.rglob("*.in")]
    assert Counter(found) == inputs
    last = folder / max(inputs)
    assert {path.read_bytes() for path in last.glob("*.in")} >= {b""}
    assert f'grader_flags: "{grading}"' in (last / "testdata.yaml").read_text()
    assert any(note.startswith("repeat:") for note in json.loads(output)["notes"]) is is_told
    back = tmp_path / "back"
    assert run("import", "kattis", str(target), "--out", str(back))[0] == 0
    samples, reread = back / "sample_submissions/mean", back / "specs/mean.yaml"
    status, output = run("class", str(samples), "--spec", str(reread), "--out", str(tmp_path / "out"))
    assert (status, "3 samples agreed, 0 disagreed" in output) == (0, True), output


@pytest.mark.parametrize(("points", "kind", "is_told"), [(0, "pass-fail", False), (3, "scoring", True)])
def test_what_is_needed_counts_only_where_all_has_to_pass(
    spec: Path, tmp_path: Path, points: int, kind: str, *, is_told: bool
) -> None:
    tests, _, _ = SPEC.partition("  - name: arguments")
    spec.write_text(
        tests.replace("points: 3", f"points: {points}").replace("points: 5", "points: 5\n    needs: [seen]")
    )
    status, output = run("export", "kattis", str(spec), "-o", str(tmp_path / "mean"), "--format", "json")
    assert status == 0, output
    found = json.loads(output)
    assert (found["type"], any(note.startswith("needs: ") for note in found["notes"])) == (kind, is_told)


def test_the_points_of_groups_add_up_to_those_of_the_test(spec: Path, tmp_path: Path) -> None:
    """A right program has 10 points there, and not 9.999999."""
    weighted = "    points: 10\n    weights: {'1': 2, '2': 3, '3': 2}\n"
    spec.write_text(SPEC.replace("    points: 3\n", weighted))
    target = tmp_path / "mean"
    assert run("export", "kattis", str(spec), "-o", str(target))[0] == 0
    each = [path.read_text() for path in sorted((target / "data/secret/1-seen").glob("*/testdata.yaml"))]
    found = [re.findall(r"(?m)^accept_score: (.*)$", text)[0] for text in each]
    assert found == ["2.857143", "4.285714", "2.857143"]


@pytest.mark.slow
def test_a_sample_that_cannot_be_started_here_is_left_out(spec: Path, tmp_path: Path) -> None:
    """Its class is called otherwise: a judge looks for the one with `main`, and might accept it."""
    java = "class {} {{ public static void main(String[] args) {{ System.out.println(1); }} }}\n"
    changed = SPEC.replace("language: python", "language: java\nbuild: {run: javac Mean.java, produces: ['*.class']}")
    changed = changed.replace("[mean.py]", "[Mean.java]").replace("program: python3 mean.py", "program: java Mean")
    spec.write_text(changed)
    for name in ("right", "rounds", "text"):
        (tmp_path / f"course/sample_submissions/mean-of-numbers/{name}/mean.py").unlink()
        path = tmp_path / f"course/sample_submissions/mean-of-numbers/{name}/Mean.java"
        path.write_text(java.format("Average" if name == "text" else "Mean"))
    status, output = run("export", "kattis", str(spec), "-o", str(tmp_path / "mean"), "--format", "json")
    assert status == 0, output
    found = json.loads(output)
    assert {one["path"] for one in found["submissions"]} == {
        "wrong_answer/right",
        "wrong_answer/rounds",
        "accepted/reference",
    }
    assert [note for note in found["notes"] if note.startswith("Left out: sample text: it cannot be started here")]


@pytest.mark.slow
def test_a_spec_becomes_a_package_that_reads_back(spec: Path, tmp_path: Path) -> None:
    target = tmp_path / "meanofnumbers"
    status, output = run("export", "kattis", str(spec), "-o", str(target), "--format", "json")
    assert status == 0, output
    found = json.loads(output)
    assert (found["type"], found["points"], found["validator"], found["inputs"]) == ("scoring", 8, "default", 5)
    assert {one["path"]: one["score"] for one in found["submissions"]} == {
        "accepted/right": 8,
        "partially_accepted/rounds": 1,
        "partially_accepted/text": 2,
    }
    assert [note for note in found["notes"] if "arguments" in note and "(2 points): args:" in note]
    assert (target / "data/secret/1-seen/2.in").read_bytes() == b"1\r\n3.5\r\n"
    assert (target / "data/secret/2-secret/1.in").read_bytes() == b"4 \xff\xfe 5\n"
    assert (target / "data/secret/1-seen/1.ans").read_bytes() == b"2\n1.5\n"
    assert "float_absolute_tolerance 0.01" in (target / "data/secret/1-seen/testdata.yaml").read_text()
    assert r"\problemname{Mean \& 100 \%}" in (target / "problem_statement/problem.en.tex").read_text()

    validator = [sys.executable, str(target / "input_validators/known_inputs.py")]
    for content, status in ((b"1\r\n3.5\r\n", 42), (b"", 42), (b"1\n3.5\n", 43)):
        assert subprocess.run(validator, input=content, check=False, timeout=20).returncode == status

    back = tmp_path / "back"
    status, output = run("import", "kattis", str(target), "--out", str(back))
    assert status == 0, output
    read = load(back / "specs/meanofnumbers.yaml")
    assert {test.name: test.points for test in read.tests} == {"sample": 0, "secret": 8}
    stated = (back / "sample_submissions/meanofnumbers/expected.yaml").read_text()
    assert stated.count("score: 8") == 1
    assert stated.count("score: 2") == 1
    assert stated.count("score: 1") == 1
    samples = str(back / "sample_submissions/meanofnumbers")
    reread = str(back / "specs/meanofnumbers.yaml")
    status, output = run("class", samples, "--spec", reread, "--out", str(tmp_path / "out"))
    assert (status, "3 samples agreed, 0 disagreed" in output) == (0, True), output

    status, output = run("export", "kattis", str(spec), "-o", str(target))
    assert (status, "is there already" in output) == (2, True)
    assert run("export", "kattis", str(spec), "-o", str(tmp_path / "a.zip"))[0] == 0
    with ZipFile(tmp_path / "a.zip") as archive:
        assert "meanofnumbers/problem.yaml" in archive.namelist()


def test_a_spec_of_which_nothing_is_left_is_refused(spec: Path, tmp_path: Path) -> None:
    spec.write_text(SPEC.replace("{stdout: {tokens: reference, tolerance: 0.01}}", "{stderr: reference}"))
    status, output = run("export", "kattis", str(spec), "-o", str(tmp_path / "none"))
    assert status == 2
    assert "stderr: a package looks at standard output alone" in output
    assert not (tmp_path / "none").exists()


@each_row
def test_the_validator_compares(words: str, output: bytes, answer: bytes, *, is_right: bool) -> None:
    assert (explain_mistake(words.split(), output, answer) == "") is is_right


@pytest.mark.parametrize(("output", "status"), [(b"1 2\n", 42), (b"1 3\n", 43)])
def test_the_validator_is_a_program(output: bytes, status: int, tmp_path: Path) -> None:
    (tmp_path / "in").write_bytes(b"")
    (tmp_path / "ans").write_bytes(b"1 2\n")
    words = [sys.executable, "-I", str(output_validator.__file__), str(tmp_path / "in"), str(tmp_path / "ans")]
    ran = subprocess.run([*words, f"{tmp_path}/", "tokens"], input=output, check=False, timeout=20)
    assert ran.returncode == status
    assert (tmp_path / "judgemessage.txt").exists() == (status == 43)
