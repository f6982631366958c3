"""The files of a class, one function and one entry in `CLASS_FORMATS` each: from a gradebook to bytes.

They are made at the end, from what is kept, in the order of the ids: the same grades give the same bytes.
"""

from collections.abc import Callable
from pathlib import Path

from grader.gradebook.class_junit import to_class_junit
from grader.gradebook.class_page import to_class_page
from grader.gradebook.grades_csv import to_grades_csv
from grader.gradebook.summary import to_summary
from grader.model.gradebook import Grade, Gradebook
from grader.report.files import tidy, write_files

File = Callable[[Grade, str], bytes | None]
"""a file of a grade's report, by its name"""

CLASS_FORMATS: dict[str, Callable[[Gradebook, File], bytes]] = {
    "grades.csv": lambda book, file: to_grades_csv(book),  # noqa: ARG005 - the gradebook has it all
    "summary.md": lambda book, file: to_summary(book).encode(),  # noqa: ARG005 - the same
    "index.html": to_class_page,
    "junit.xml": to_class_junit,
}
"""the file's name -> what renders it"""


def write_class(book: Gradebook, file: File, out: Path) -> None:
    """Write the files of a class into `out`; raises `HostError` when that fails, and the older ones stay.

    One after another, since those of a large class take much memory; what an interrupted run left is removed.
    """
    tidy(out, CLASS_FORMATS)
    for name, render in CLASS_FORMATS.items():
        write_files({name: render(book, file)}, out)
