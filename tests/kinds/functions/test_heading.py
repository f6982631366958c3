from grader.kinds.functions.headings import java_heading, python_constructor, python_heading
from tests.support.rows import each_row


@each_row
def test_a_heading_of_java(text: str, name: str, parameters: list[str], returns: str, static: bool) -> None:  # noqa: FBT001 - a column
    signature = java_heading(text)
    assert signature
    assert [f"{each.type} {each.name}" for each in signature.parameters] == parameters
    assert (signature.name, signature.returns, signature.static) == (name, returns, static)


@each_row
def test_a_heading_of_python(text: str, name: str, parameters: list[str]) -> None:
    signature = python_heading(text)
    assert signature
    assert [each.name for each in signature.parameters] == parameters
    assert [each.name for each in signature.parameters if each.optional] == parameters[signature.fewest :]
    assert (signature.name, signature.returns, signature.static) == (name, "", False)


def test_the_text_of_a_heading_is_on_one_line() -> None:
    java = java_heading("static  void\n  f(int i) ;")
    python = python_heading("def f(a,  b):")
    assert java
    assert python
    assert (java.text, python.text) == ("static void f(int i)", "def f(a, b)")


@each_row
def test_what_is_no_heading_of_java(text: str) -> None:
    assert java_heading(text) is None


@each_row
def test_what_is_no_heading_of_python(text: str) -> None:
    assert python_heading(text) is None


@each_row
def test_a_class_with_parameters_has_any_blanks(text: str) -> None:
    signature = python_constructor(text)
    assert signature
    assert [(each.name, each.optional) for each in signature.parameters] == [("n", True)]
