"""Files of the course that are put beside the work before it is built."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from grader.core.build.repairs import put_beside
from grader.core.build.staging import stage
from grader.core.model import Build, FileRules, Job, Staged, Submission
from grader.core.pipeline import grade
from grader.core.reader import load
from tests.support.required import required

MAKE = b"all:\n\tcp hi.sh hi\n"


def put(folder: Path, handed_in: Mapping[str, str], *names: str, forbidden: tuple[str, ...] = ()) -> Staged:
    work = folder / "work"
    for name, text in handed_in.items():
        (work / name).parent.mkdir(parents=True, exist_ok=True)
        (work / name).write_text(text)
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


@pytest.mark.parametrize(
    ("handed_in", "names", "problem"),
    [
        ({"hi.sh": "x", "lib": "a file"}, ["lib/x.h"], "is in the way of `lib/x.h`"),
        ({"hi.sh": "x", "lib/x.h/y": "a folder"}, ["lib/x.h"], "is in the way of `lib/x.h`"),
        ({"other.sh": "x", "more.sh": "y"}, ["lib/x.h"], "hi.sh"),
        ({"hi.sh": "x", "lib/x.h": "", "a.exe": ""}, ["Makefile"], "a.exe"),
    ],
)
def test_what_is_wrong_with_the_work_stays_wrong(
    handed_in: Mapping[str, str], names: list[str], problem: str, tmp_path: Path
) -> None:
    assert problem in (put(tmp_path, handed_in, *names, forbidden=("*.exe",)).problem or "")


def test_what_students_may_not_hand_in_the_course_may_put_there(tmp_path: Path) -> None:
    assert not put(tmp_path, {"hi.sh": "x"}, "lib/x.h", "Makefile", forbidden=("Makefile",)).problem


SPEC = """\
spec: 1
id: hi
title: Hi
files: {required: [hi.sh]}
build: {run: make, produces: [hi], with: {Makefile: {file: course/Makefile}}}
program: ./hi
tests: [{name: says, expect: {stdout: "hi\\n"}}]
"""


def test_a_students_makefile_does_not_count(tmp_path: Path) -> None:
    for name, text in {
        "specs/hi.yaml": SPEC,
        "course/Makefile": MAKE.decode(),
        "work/alice/hi.sh": "#!/bin/sh\necho hi\n",
        "work/alice/Makefile": "hi:\n\tfalse\n",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    path = tmp_path / "specs/hi.yaml"
    assert "course/Makefile" in load(path).attached
    report = grade(Job(spec=path, submission=Submission(id="alice", path=tmp_path / "work/alice")))
    assert report.score == 1
    assert [one.message for one in report.findings] == ["Makefile was replaced by the course's own"]
