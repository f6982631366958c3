from grader.imports.gradescope import read_grading_script
from tests.support.rows import each_row, read_data

DATA = read_data(__file__)
ARRAY = DATA["ARRAY"]
LOOP = DATA["LOOP"]
MAKE = DATA["MAKE"]
RENAMED = "cp /autograder/submission/hw1.py /autograder/source/student.py\ncd /autograder/source\npytest"
COURSE_FILES = DATA["COURSE_FILES"]


@each_row
def test_a_script_is_read(text: str, handed_in: list[str], folder: str, build: list[str], notes: list[str]) -> None:
    script = read_grading_script(text)
    assert (script.handed_in, script.folder, script.build, script.unread) == (handed_in, folder, build, notes)


def test_files_of_the_course_are_where_the_script_copies_them() -> None:
    script = read_grading_script(COURSE_FILES)
    assert {name: script.place_of(name) for name in DATA["PLACES"]} == DATA["PLACES"]
