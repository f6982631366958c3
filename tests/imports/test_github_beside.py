from grader.imports.projects import find_project
from grader.imports.shell_lines import with_python3_in_file
from tests.support.rows import each_row


@each_row
def test_python_becomes_python3_in_the_files_of_the_course(name: str, text: str, expected: str) -> None:
    assert with_python3_in_file(name, text.encode()).decode() == expected


def test_what_lies_beside_tests_of_java_is_in_the_order_of_the_repository() -> None:
    names = [f"src/test/java/shop/Helper{letter}.java" for letter in "QWERTZUIOP"]
    sources = dict.fromkeys(["src/test/java/shop/ShopTest.java", *names], b"package shop;\nclass A {}\n")
    assert [*find_project(["src/test/java/shop/ShopTest.java"], sources).beside.values()] == names
