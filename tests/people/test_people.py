import pytest

from grader.core.errors import UsageError
from grader.core.model.gradebook import Student
from grader.people.people import find_grade
from tests.support.past_samples import book, grade
from tests.support.rows import each_row

ALICE = Student(id="1001", name="Alice Müller", email="alice@example.org", login="ali", section="B")
BOOK = book(
    grade("1001", None, ALICE, path="mueller_alice_1001_pa1.zip"),
    grade("owls", None, Student(id="1002", name="Bob"), Student(id="1003", name="Sam"), path=None),
    grade("1004", None, Student(id="1004", name="Sam")),
    grade("a\udcff\x1b[31m", None),
    grade("Bob", None),
)


@each_row
def test_everybody_is_found_by_all_their_names(name: str, found: str) -> None:
    assert find_grade(BOOK, name).entry.id == found


@each_row
def test_who_is_not_found_gets_suggestions(name: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        find_grade(BOOK, name)


def test_a_large_class_is_not_listed_as_a_whole() -> None:
    with pytest.raises(UsageError, match="there are: s0, s1, s2, s3, s4 and 95 more"):
        find_grade(book(*(grade(f"s{number}", None) for number in range(100))), "qqq")
