"""Files of the course that are put beside the work before it is built."""

import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from grader.author.handout import to_handout
from grader.author.public import make_public
from grader.core.build.artifact import put_beside
from grader.core.build.staging import stage
from grader.core.errors import SpecError
from grader.core.model.layout import Build, FileRules, Staged, Submission
from grader.core.model.report import Job
from grader.core.pipeline import grade, prepare
from grader.core.reader.spec import load
from tests.support.packages import lay
from tests.support.required import required
from tests.support.rows import each_row, read_data

DATA = read_data(__file__)
FOLDER = DATA["FOLDER"]
MAKE = b"all:\n\tcp hi.sh hi\n"


def put(folder: Path, handed_in: Mapping[str, str], *names: str, forbidden: tuple[str, ...] = ()) -> Staged:
    work = folder / "work"
    lay(work, handed_in)
    rules = FileRules(required=required("hi.sh", "lib/x.h"), forbidden=forbidden)
    (folder / "staged").mkdir()
    staged = stage(Submission(id="a", path=work), rules, folder / "staged")
    return put_beside(staged, Build(run=(("make",),), files=dict.fromkeys(names, MAKE)), rules, folder / "beside")


def test_it_takes_the_place_of_what_was_handed_in_and_says_so(tmp_path: Path) -> None:
    staged = put(tmp_path, {"hi.sh": "x", "lib/x.h": "mine", "Makefile": MAKE.decode()}, "Makefile", "lib/x.h", "new")
    assert [one.message for one in staged.findings] == ["lib/x.h was replaced by the course's own"]
    assert {path.relative_to(staged.folder).as_posix() for path in staged.folder.rglob("*") if path.is_file()} == {
        "hi.sh", "lib/x.h", "Makefile", "new",
    }  # fmt: skip
    assert (staged.folder / "lib/x.h").read_bytes() == MAKE
    assert not staged.problem


def test_it_stands_for_a_file_that_is_asked_for(tmp_path: Path) -> None:
    assert not put(tmp_path, {"hi.sh": "x"}, "lib/x.h").problem


@each_row
def test_what_is_wrong_with_the_work_stays_wrong(
    handed_in: Mapping[str, str], names: list[str], problem: str, tmp_path: Path
) -> None:
    assert problem in (put(tmp_path, handed_in, *names, forbidden=("*.exe",)).problem or "")


def test_what_students_may_not_hand_in_the_course_may_put_there(tmp_path: Path) -> None:
    assert not put(tmp_path, {"hi.sh": "x"}, "lib/x.h", "Makefile", forbidden=("Makefile",)).problem


def test_a_students_makefile_does_not_count(tmp_path: Path) -> None:
    lay(
        tmp_path,
        {
            "specs/hi.yaml": DATA["SPEC"],
            "course/Makefile": MAKE.decode(),
            "work/alice/hi.sh": "#!/bin/sh\necho hi\n",
            "work/alice/Makefile": "hi:\n\tfalse\n",
        },
    )
    path = tmp_path / "specs/hi.yaml"
    assert "course/Makefile" in load(path).attached
    report = grade(Job(spec=path, submission=Submission(id="alice", path=tmp_path / "work/alice")))
    assert report.score == 1
    assert [one.message for one in report.findings] == ["Makefile was replaced by the course's own"]


def in_course(folder: Path, spec: str, files: Mapping[str, str]) -> Path:
    lay(folder, {"specs/hi.yaml": spec, **files})
    return folder / "specs" / "hi.yaml"


@pytest.mark.parametrize(("target", "place"), [("lib", "lib/"), ("lib/", "lib/"), ("a/b", "a/b/"), (".", "")])
def test_a_folder_comes_with_its_structure(target: str, place: str, tmp_path: Path) -> None:
    files = {"course/lib/a.h": "a", "course/lib/sub/b.c": "b", "course/lib/own": "not this", "course/other": "c"}
    path = in_course(tmp_path, FOLDER.replace("TARGET", target), files)
    spec = load(path)
    assert spec.build
    own = {"lib/own": b"mine"} if place == "lib/" else {f"{place}own": b"not this", "lib/own": b"mine"}
    assert spec.build.files == {f"{place}a.h": b"a", f"{place}sub/b.c": b"b", **own}
    assert spec.attached.keys() == {"course/lib/a.h", "course/lib/sub/b.c", "course/lib/own"}
    (tmp_path / "course" / "lib" / "sub" / "new").write_text("")
    assert load(path).digest != spec.digest


@each_row
def test_a_folder_that_is_not_taken(script: str, told: str, tmp_path: Path) -> None:
    path = in_course(tmp_path, FOLDER.replace("TARGET", "x"), {"course/real/a": ""})
    subprocess.run(["/bin/sh", "-c", script], cwd=tmp_path / "course", check=True, timeout=60)
    with pytest.raises(SpecError, match=told):
        load(path)


def test_a_folder_is_listed_in_the_handout_and_is_in_the_public_copy(tmp_path: Path) -> None:
    files = {f"course/lib/{name}": "x" * 1000 for name in "abcdefg"}
    course = prepare(in_course(tmp_path, FOLDER.replace("TARGET", "lib"), files))
    assert "`lib/` (8 files, 6.84 KiB)" in to_handout(course)
    public = make_public(course)
    assert {name for name in public.files if name.startswith("course/")} == files.keys()
