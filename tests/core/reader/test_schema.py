import contextlib
import hashlib
import os
import re
import tempfile
from fractions import Fraction
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.core.build.layout import started_files
from grader.core.errors import SpecError, UsageError
from grader.core.model.layout import Build, FileRules
from grader.core.model.spec import Spec
from grader.core.reader.spec import load
from grader.core.yaml import parsing, value
from tests.support.examples import examples
from tests.support.packages import lay
from tests.support.required import required
from tests.support.rows import each_row, read_data

DATA = read_data(__file__)
FULL = DATA["FULL"]
SMALL = "spec: 1\nid: x\ntitle: T\nprogram: ./x\ntests: [{name: t, expect: {exit: 0}}]\n"
ATTACHING = SMALL.replace("name: t", "name: t, each: {n: 1..2}, stdin: {file: 'data/{n}.txt'}, files: {a: {file: b}}")


def _written(text: str | bytes, path: Path) -> Path:
    return lay(path.parent, {path.name: text}) / path.name


def _attaching(folder: Path) -> Path:
    files = {"data/1.txt": "one", "data/2.txt": "two", "b": b"\xff\x00", "specs/x.yaml": ATTACHING}
    return lay(folder, files) / "specs" / "x.yaml"


def test_the_top_level(tmp_path: Path) -> None:
    spec = load(_written(FULL, tmp_path / "specs" / "queens.yaml"))
    assert spec == Spec(
        id="cmps12b-pa2",
        title="All solutions of N-Queens",
        course="CMPS 12B",
        source="Assignment 2",
        about="Prints boards.",
        source_text=FULL.encode(),
        root=tmp_path,
        digest=hashlib.sha256(FULL.encode()).hexdigest(),
        shared_digest=spec.shared_digest,
        language="java",
        files=FileRules(
            required=required("Makefile", "Queens.java"),
            discard=("Queens", "*.class"),
            forbidden=("..nothing",),
            optional=("README",),
        ),
        build=Build(run=(("make",), ("make", "two words")), produces=("Queens",), limits={"time": 60.0}),
        program=("java", "-jar", "my Queens", "{n}"),
        reference=("python3", "reference/queens.py"),
        tests=spec.tests,
    )
    assert spec.max_score == Fraction(25, 2)
    assert spec.tests[0].cases[0].limits == {"time": 10.0}


def test_what_a_small_spec_leaves_out(tmp_path: Path) -> None:
    spec = load(_written(SMALL, tmp_path / "x.yaml"))
    assert (spec.language, spec.build, spec.reference, spec.files) == ("shell", None, None, FileRules())
    assert spec.root == tmp_path


def test_the_bytes_of_a_windows_editor(tmp_path: Path) -> None:
    spec = load(_written(b"\xef\xbb\xbf" + SMALL.replace("\n", "\r\n").encode(), tmp_path / "x.yaml"))
    assert spec.title == "T"


def test_build_run_may_be_one_command(tmp_path: Path) -> None:
    spec = load(_written(SMALL + "build: {run: make all}\n", tmp_path / "x.yaml"))
    assert spec.build == Build(run=(("make", "all"),))


def test_the_folder_itself_is_no_part_of_a_name(tmp_path: Path) -> None:
    more = "files: {required: [./main.c]}\nbuild: {run: make, produces: [./bin/main]}\n"
    spec = load(_written(SMALL + more, tmp_path / "x.yaml"))
    assert spec.build == Build(run=(("make",),), produces=("bin/main",))
    assert spec.files.required_names == ("main.c",)


@each_row
def test_what_is_started_by_its_path_is_what_the_build_makes(program: str, started: list[str], tmp_path: Path) -> None:
    text = re.sub("(?m)^program: .*", f"program: {program}", SMALL)
    assert [*started_files(load(_written(text, tmp_path / "x.yaml")))] == started


def test_attached_files_come_from_the_course_root(tmp_path: Path) -> None:
    cases = load(_attaching(tmp_path)).tests[0].cases
    assert [case.stdin for case in cases] == [b"one", b"two"]
    assert [case.files for case in cases] == [{"a": b"\xff\x00"}] * 2


@pytest.mark.parametrize("name", ["data/1.txt", "data/2.txt", "b", "specs/x.yaml"])
def test_the_digest_is_that_of_all_files(name: str, tmp_path: Path) -> None:
    path = _attaching(tmp_path)
    before = load(path).digest
    assert load(path).digest == before
    with (tmp_path / name).open("a") as file:
        file.write("# \n")
    assert load(path).digest != before


DECIDED = "adjustments:\n  - {submission: &who a, reason: Ill., points: -1}\n"


@pytest.mark.parametrize(
    ("before", "after", "same"),
    [
        (SMALL, SMALL + DECIDED, True),
        (SMALL, DECIDED + "\n" + SMALL, True),
        (DECIDED + SMALL, DECIDED + "  - {submission: b, reason: Ill., with: {b: {file: b}}}\n" + SMALL, True),
        (SMALL, SMALL.replace("title: T", "title: U") + DECIDED, False),
        (SMALL, SMALL + "# another version\n", False),
        (SMALL, SMALL.replace("./x", "[./x]"), False),
        (DECIDED + SMALL, DECIDED + SMALL.replace("name: t", "name: t, args: [a]"), False),
        # What an anchor there stands for counts wherever it is used.
        (DECIDED + SMALL + "about: *who\n", DECIDED.replace(" a,", " b,") + SMALL + "about: *who\n", False),
        (f"{{{SMALL.strip().replace(chr(10), ', ')}}}", SMALL, False),
    ],
)
def test_what_is_decided_for_single_submissions_does_not_count_for_all(
    before: str, after: str, *, same: bool, tmp_path: Path
) -> None:
    _written("of the course", tmp_path / "b")
    one, other = (load(_written(text, tmp_path / "specs" / "x.yaml")) for text in (before, after))
    assert (one.shared_digest == other.shared_digest) is same
    assert one.digest != other.digest


def test_attached_files_cannot_change_places_in_the_digest(tmp_path: Path) -> None:
    path = _attaching(tmp_path)
    before = load(path).digest
    _written("on", tmp_path / "data" / "1.txt")
    _written("etwo", tmp_path / "data" / "2.txt")
    assert load(path).digest != before


def test_an_attached_file_that_is_not_there(tmp_path: Path) -> None:
    path = _attaching(tmp_path)
    (tmp_path / "b").unlink()
    with pytest.raises(SpecError) as raised:
        load(path)
    message = f'tests[0].files.a.file: there is no file "b" in {tmp_path}'
    assert [f"{problem.path}: {problem.message}" for problem in raised.value.problems] == [message]


def test_an_attached_file_that_is_a_link_out_of_the_course(tmp_path: Path) -> None:
    path = _attaching(tmp_path / "course")
    _written("secret", tmp_path / "secret")
    (tmp_path / "course" / "b").unlink()
    (tmp_path / "course" / "b").symlink_to("../secret")
    with pytest.raises(SpecError, match=r'"b" is a link out of .*/course: put the file itself there'):
        load(path)


def test_an_attached_pipe_is_not_waited_for(tmp_path: Path) -> None:
    path = _attaching(tmp_path)
    (tmp_path / "b").unlink()
    os.mkfifo(tmp_path / "b")
    with pytest.raises(SpecError, match='there is no file "b"'):
        load(path)


def test_an_attached_file_that_cannot_be_read(tmp_path: Path) -> None:
    spec = ATTACHING.replace("{file: b}", "{file: " + "b" * 300 + "}")
    with pytest.raises(SpecError, match=r'files\.a\.file: cannot read "b+…": File name too long'):
        load(_written(spec, _attaching(tmp_path)))


def test_attached_files_that_are_too_large_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(value, "MAX_ATTACHED", 64 * 2**20)
    path = _attaching(tmp_path)
    os.truncate(tmp_path / "b", 40 * 2**20)
    os.truncate(tmp_path / "data" / "1.txt", 40 * 2**20)
    with pytest.raises(SpecError, match="is too large: the files of a spec may have 64 MiB together"):
        load(path)


def test_no_such_spec(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"^no such spec: .*/x\.yaml$"):
        load(tmp_path / "x.yaml")
    with pytest.raises(UsageError, match=r"^no such spec: .* \(it is no file\)$"):
        load(tmp_path)
    with pytest.raises(UsageError, match=r"^cannot read the spec .*: File name too long$"):
        load(tmp_path / ("x" * 300))


@pytest.mark.parametrize("loader", ["CSafeLoader", "SafeLoader"])
def test_both_of_the_yaml_loaders(loader: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parsing, "_LOADER", getattr(yaml, loader))
    path = _written(FULL, tmp_path / "specs" / "queens.yaml")
    assert [test.name for test in load(path).tests] == ["usage", "more", "most"]
    with pytest.raises(SpecError, match=r"x\.yaml:3:(8|11): (half of a surrogate pair|this is not YAML)"):
        load(_written(SMALL.replace("title: T", r'title: "\ud83d"'), tmp_path / "x.yaml"))


# Pieces of the language in any order reach deeper than bytes.
PIECES = st.sampled_from(DATA["PIECES"])


@settings(max_examples=examples(300))
@given(st.one_of(st.binary(), st.text().map(str.encode), st.lists(PIECES).map(lambda pieces: "".join(pieces).encode())))
def test_whatever_the_bytes_the_answer_is_a_spec_or_an_error_of_ours(data: bytes) -> None:
    with tempfile.NamedTemporaryFile(suffix=".yaml") as file:
        file.write(data)
        file.flush()
        with contextlib.suppress(SpecError):
            assert load(Path(file.name)).tests
