import json
import re
import shutil
from pathlib import Path

from tests.support.classes import grader
from tests.support.packages import PAIRS, io_tests, lay
from tests.support.rows import each_row


def test_a_package_is_written_and_what_is_missing_is_told(tmp_path: Path) -> None:
    lay(tmp_path / "pairs", PAIRS)
    done = grader(tmp_path, "import", "kattis", "pairs", "--id", "sums")
    assert (done.returncode, done.stderr) == (0, "")
    assert "Wrote specs/sums.yaml" in done.stdout
    assert "- Left out: the statement" in done.stdout
    done = grader(tmp_path, "lint", "specs/sums.yaml")
    assert (done.returncode, "error" in done.stdout) == (0, False)
    assert "the sample `accepted-ann` is the reference itself" in done.stderr  # the package has one right program
    done = grader(tmp_path, "run", "sample_submissions/sums/accepted-ann")
    assert (done.returncode, "accepted-ann  100 of 100  full marks" in done.stdout) == (0, True)


def test_io_tests_as_json(tmp_path: Path) -> None:
    io_tests(tmp_path / "hello")
    done = grader(tmp_path, "import", "io-tests", "hello/tests.json", "--out", "course", "--format", "json")
    told = json.loads(done.stdout)
    assert told["spec"] == "course/specs/hello.yaml"
    assert told["files"] == ["data/hello/in.txt", "data/hello/to_do.py", "specs/hello.yaml"]
    assert any("todo_suite" in note for note in told["notes"])
    done = grader(tmp_path, "import", "io-tests", "hello/tests.json", "--out", "course")
    assert (done.returncode, "is there already" in done.stderr) == (2, True)


@each_row
def test_a_wrong_usage_exits_with_2(words: list[str], message: str, tmp_path: Path) -> None:
    done = grader(tmp_path, "import", *(__file__ if word == "THIS_FILE" else word for word in words))
    assert (done.returncode, message in done.stderr) == (2, True)


def test_of_several_packages_those_refused_are_listed_at_the_end(tmp_path: Path) -> None:
    lay(tmp_path / "archive/pairs", PAIRS)
    lay(tmp_path / "archive/empty", {"problem.yaml": "name: x\n"})
    done = grader(tmp_path, "import", "kattis", "archive/empty", "archive/pairs", "--max-size", "1 MiB")
    assert (done.returncode, done.stdout.splitlines()[-1]) == (2, "1 assignment imported, 1 refused")
    refused, imported, _ = done.stdout.splitlines()[-3:]
    assert refused.startswith("archive/empty  refused: ")
    assert imported.startswith("archive/pairs  imported: specs/pairs-cpp.yaml, specs/pairs.yaml; ")
    assert (tmp_path / "specs/pairs.yaml").is_file()
    told = json.loads(
        grader(tmp_path, "import", "kattis", "archive/empty", "archive/pairs", "--out", "b", "--format", "json").stdout
    )
    assert [sorted(one) for one in told] == [["error", "path"], ["files", "notes", "spec"]]
    done = grader(tmp_path, "import", "kattis", "archive", "--out", "c")  # a folder of packages is all of them
    assert (done.returncode, done.stdout.splitlines()[-1]) == (2, "1 assignment imported, 1 refused")
    done = grader(tmp_path, "import", "kattis", "archive", "--id", "x")
    assert (done.returncode, "--id names one assignment" in done.stderr) == (2, True)


_NOT_COUNTED = "The exit code does not count what disagrees"


def test_a_class_of_the_samples_ends_with_what_is_stated_of_each(tmp_path: Path) -> None:
    slow_label = {"submissions/wrong_answer/right.py": PAIRS["submissions/accepted/ann.py"]}
    lay(tmp_path / "pairs", {**PAIRS, **slow_label})
    assert grader(tmp_path, "import", "kattis", "pairs").returncode == 0
    done = grader(tmp_path, "class", "sample_submissions/pairs")
    *_, ann, _rejected, _error, right, _three, last, code = done.stdout.splitlines()
    assert (done.returncode, done.stderr) == (0, "")
    assert ann.split() == ["accepted-ann", "100", "of", "100", "agreed"]
    assert right.split(maxsplit=4)[::4] == ["wrong-answer-right", "disagreed: the score should be 0, and is 100"]
    assert (last, code.partition(":")[0]) == ("4 samples agreed, 1 disagreed", _NOT_COUNTED)
    done = grader(tmp_path, "class", "sample_submissions/pairs", "--format", "json")
    assert "disagreed" not in done.stdout


def test_a_class_of_all_samples_ends_with_a_table_in_which_nothing_is_missing(tmp_path: Path) -> None:
    for name in ("broken", "pairs", "silent"):
        lay(tmp_path / "archive" / name, PAIRS)
    assert grader(tmp_path, "import", "kattis", "archive").returncode == 0
    (tmp_path / "specs/broken.yaml").write_text("spec: 1\nid: broken\n")
    (tmp_path / "sample_submissions/silent/expected.yaml").unlink()
    shutil.rmtree(tmp_path / "sample_submissions/silent-cpp")
    path = tmp_path / "specs/pairs-cpp.yaml"
    path.write_text(path.read_text().replace('program: ["./main"]', "program: no-such-tool main"))
    done = grader(tmp_path, "class", "sample_submissions", "--out", "results", "--jobs", "1")
    _, _, table = done.stdout.partition("What expected.yaml says of the samples of each assignment:\n")
    rows = [re.split("  +", line.strip(), maxsplit=1) for line in table.splitlines()]
    found = {row[0]: row[1] for row in rows if len(row) > 1}
    assert (found["pairs"], found["silent"]) == ("4 agreed", "not graded: nothing is stated of its samples")
    assert found["broken"].startswith("not graded: ")
    assert found["pairs-cpp"] == "not graded: no-such-tool is missing from /usr/bin:/bin; install it"
    assert "5 assignments: 4 samples agreed, 1 disagreed; 3 assignments not graded" in table
    assert table.endswith("Without samples: silent-cpp\n")
    assert done.returncode == 3
    assert sorted(path.name for path in (tmp_path / "results").iterdir()) == ["broken-cpp", "pairs", "silent"]
    told = grader(tmp_path, "class", "sample_submissions", "--out", "results", "--jobs", "1", "--format", "json")
    assert all(json.loads(line) for line in told.stdout.splitlines())
    assert "3 assignments not graded" in told.stderr
