from grader.imports.gradescope import read_grading_script
from tests.support.rows import each_row

ARRAY = """\
files=( "bill.py" "tip.py" )
if [[ -z "${COURSE}" ]]; then
  BASE="/autograder"
else
  BASE="${COURSE}"
fi
for t in ${files[@]}; do
    cp $BASE/submission/$t $BASE/source/$t
done
cd $BASE/source
python3 run_tests.py
"""
LOOP = """\
for t in one.py two.py
do
cp submission/$t source/solution/
done
cd source && python3 run_tests.py
"""
MAKE = """\
cp -r /autograder/submission/. /autograder/source/p/
cd /autograder/source/p
make clean; make > out 2>&1
./prepare
python3 run_tests.py
"""
RENAMED = "cp /autograder/submission/hw1.py /autograder/source/student.py\ncd /autograder/source\npytest"
COURSE_FILES = """\
cp -ar /autograder/source/starter/. /autograder/source/p/
cp -ar /autograder/submission/. /autograder/source/p/
cp -r /autograder/source/tests/* /autograder/source/p
cp /autograder/source/lib/a.h /autograder/source/p/b.h
cp -r /autograder/source/more /autograder/source/p/
cd /autograder/source/p
python3 run_tests.py
"""


@each_row
def test_a_script_is_read(text: str, handed_in: list[str], folder: str, build: list[str], notes: list[str]) -> None:
    script = read_grading_script(text)
    assert (script.handed_in, script.folder, script.build, script.unread) == (handed_in, folder, build, notes)


def test_files_of_the_course_are_where_the_script_copies_them() -> None:
    script = read_grading_script(COURSE_FILES)
    names = ("starter/Makefile", "tests/data/a.txt", "lib/a.h", "more/x.txt", "p/own.txt", "other.txt")
    assert {name: script.place_of(name) for name in names} == {
        "starter/Makefile": "Makefile",
        "tests/data/a.txt": "data/a.txt",
        "lib/a.h": "b.h",
        "more/x.txt": "more/x.txt",
        "p/own.txt": "own.txt",
        "other.txt": "other.txt",
    }
