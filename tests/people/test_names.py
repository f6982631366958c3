from typing import Any

import pytest
from msgspec.structs import asdict

from grader.people.names import NAME_PATTERNS, bare_name, plain_name, read_name, without_copy
from grader.people.platforms import read_download
from tests.support.rows import each_row

NAMES: dict[str, dict[str, Any]] = {
    # as Canvas has them, in content_zipper.rb
    "doealice_12345_67890_Queens.zip": {"platform": "Canvas", "who": "doealice", "number": "12345", "part": 67890},
    "doealice_LATE_12345_67890_Queens-2.zip": {
        "who": "doealice",
        "owner": "doealice_12345",
        "late": True,
        "file": "Queens-2.zip",
    },
    "doealice_12345_67890_": {"platform": "Canvas", "who": "doealice", "number": "12345", "file": ""},
    "doealice_12345_1_Makefile": {"platform": "Canvas", "part": 1, "file": "Makefile"},
    "müllerjürgen_77_88_a_b c.zip": {"platform": "Canvas", "who": "müllerjürgen", "file": "a_b c.zip"},
    "o_brienpat_77_88_12_13.zip": {"who": "o_brienpat", "number": "77", "part": 88, "file": "12_13.zip"},
    "王小明_77_88_x.zip": {"platform": "Canvas", "who": "王小明"},
    "doealice_12345_text.html": {"platform": "Canvas", "who": "doealice", "is_work": False},
    "doealice_LATE_12345_link.html": {"who": "doealice", "late": True, "is_work": False},
    "anon_aB3x9_67890_Queens.zip": {"platform": "Canvas", "who": "anon_aB3x9", "part": 67890, "late": False},
    "LATE_anon_aB3x9_67890_Queens.zip": {"who": "anon_aB3x9", "owner": "anon_aB3x9", "late": True},
    "doealice_12345_67890_odd\nname.zip": {"platform": "Canvas", "file": "odd\nname.zip"},
    "doealice_12345_67890_\udcff.zip": {"platform": "Canvas", "file": "\udcff.zip"},
    # as Moodle has them, in its downloader.php
    "Alice Doe_12345_assignsubmission_file_": {"platform": "Moodle", "who": "Alice Doe", "number": "12345", "file": ""},
    "Alice Doe_12345_assignsubmission_file": {"platform": "Moodle", "who": "Alice Doe"},
    "Alice Doe_12345_assignsubmission_file_Queens.zip": {"who": "Alice Doe", "file": "Queens.zip", "is_work": True},
    "Alice Doe_12345_assignsubmission_file_a_1_b.zip": {"file": "a_1_b.zip"},
    "Alice Doe_12345_assignsubmission_onlinetext_onlinetext.html": {"who": "Alice Doe", "is_work": False},
    "José O'Neil-Ruiz_9_assignsubmission_file_": {"who": "José O'Neil-Ruiz", "number": "9"},
    "Participant_12345_assignsubmission_file_": {"who": "Participant", "number": "12345"},
    "Group A_7_assignsubmission_file_": {"who": "Group A", "number": "7"},
    "Default group_assignsubmission_file_": {"who": "Default group", "number": ""},
    # Blackboard
    "Assignment_alice_attempt_2020-10-12-13-14-15_x.zip": {
        "platform": "Blackboard",
        "who": "alice",
        "attempt": 20201012131415,
        "file": "x.zip",
    },
    "Lab 1_2020_al.doe@uni.edu_attempt_2020-10-12-13-14-15_x_y.zip": {"who": "al.doe@uni.edu", "file": "x_y.zip"},
    "Lab 1_alice_attempt_2020-10-12-13-14-15.txt": {"platform": "Blackboard", "who": "alice", "file": ""},
    "HW_al_doe_attempt_2020-10-12-13-14-15_x.zip": {"who": "doe", "owner": "HW_al_doe"},
    # numbered attempts
    "alice_12345_attempt_2.zip": {"platform": "attempts", "who": "alice", "number": "12345", "attempt": 2},
    "alice_attempt_10": {"who": "alice", "number": "", "attempt": 10},
    "al_doe_12345_Attempt_3.tar.gz": {"who": "al_doe", "number": "12345", "attempt": 3},
    "alice_12345_attempt_2_Queens.zip": {"attempt": 2, "file": "Queens.zip"},
    # Brightspace
    "123-456 - Jane Doe - Sep 12, 2021 1159 PM - hw - 1.zip": {
        "platform": "Brightspace",
        "who": "Jane Doe",
        "number": "123",
        "owner": "123-456 - Jane Doe",
        "attempt": 202109122359,
        "file": "hw - 1.zip",
    },
    "123-456 - Jane Doe - Oct 3, 2021 4:30 AM": {"who": "Jane Doe", "attempt": 202110030430, "file": ""},
    "123-456 - A - B - 3 September, 2021 16.30 - x.c": {"who": "A - B", "attempt": 202109031630, "file": "x.c"},
    "123-456 - Jane Doe - 3 brumaire 2021 1630 - x.c": {"who": "Jane Doe", "attempt": 0, "file": "x.c"},
    # Gradescope
    "submission_12345": {"platform": "Gradescope", "who": "submission_12345", "number": "12345"},
    # nobody's
    "alice": {"platform": "", "who": "alice"},
    "alice.zip": {"platform": "", "who": "alice"},
    "alice.TAR.GZ": {"platform": "", "who": "alice"},
    "queens-alice-smith": {"platform": "", "who": "queens-alice-smith"},
    "alice_2": {"platform": "", "who": "alice_2", "number": ""},
    "alice_attempt_final": {"platform": "", "who": "alice_attempt_final"},
    "alice_attempt_2020-13": {"platform": ""},
    "_1_2_x.zip": {"platform": ""},
    "Alice Doe_1_2_x.zip": {"platform": ""},
    ".zip": {"platform": "", "who": ".zip"},
    "two\nlines": {"platform": "", "who": "two\nlines"},
    "\udcff\udcfe": {"platform": "", "who": "\udcff\udcfe"},
    "a" * 255: {"platform": "", "who": "a" * 255},
    "_" * 255: {"platform": ""},
    "1_" * 127: {"platform": "Canvas", "who": "1", "part": 1},
}


@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_what_a_name_tells(name: str) -> None:
    wanted = NAMES[name]
    named = asdict(read_name(name))
    assert {key: named[key] for key in wanted} == wanted


def test_every_pattern_is_used() -> None:
    fitting = {next((i for i, (_, p) in enumerate(NAME_PATTERNS) if p.fullmatch(name)), None) for name in NAMES}
    assert fitting == {None, *range(len(NAME_PATTERNS))}


def test_canvas_numbers_a_file_once() -> None:
    people = [f"doecarol_7_{part}_x.zip" for part in range(4)]
    _, read = read_download(["hw_10_2020_alice.zip", "hw_10_2020_bob.zip", *people])
    assert [named.who for named in read] == ["hw_10_2020_alice", "hw_10_2020_bob", *4 * ["doecarol"]]


@each_row
def test_a_name_loses_its_ending(name: str, bare: str) -> None:
    assert bare_name(name) == bare


def test_a_folder_has_no_ending() -> None:
    assert plain_name("alice.zip", is_folder=True).who == "alice.zip"


@each_row
def test_a_name_before_canvas_numbered_it(name: str, before: str) -> None:
    assert without_copy(name) == before
