import pytest

from grader.kinds.functions.headings import java_heading, python_constructor, python_heading

JAVA = [
    ("void f()", "f", [], "void", False),
    ("static void placeQueen(int[][] B, int i, int j)", "placeQueen", ["int[][] B", "int i", "int j"], "void", True),
    ("public static  int\n f( final int [] [] B ,String mode ) ;", "f", ["int[][] B", "String mode"], "int", True),
    (
        "protected synchronized boolean g(int B[][], java.lang.String s)",
        "g",
        ["int[][] B", "String s"],
        "boolean",
        False,
    ),
    ("int[] $_1(char c) throws java.io.IOException, Error", "$_1", ["char c"], "int[]", False),
    ("List<int[]> all()", "all", [], "List<int[]>", False),
]
PYTHON = [
    ("def f()", "f", []),
    ("def noConflicts(board, current):", "noConflicts", ["board", "current"]),
    ("def f(a: list[int], b: int = 3, /) -> bool", "f", ["a", "b"]),
]


@pytest.mark.parametrize(("text", "name", "parameters", "returns", "static"), JAVA)
def test_a_heading_of_java(text: str, name: str, parameters: list[str], returns: str, static: bool) -> None:  # noqa: FBT001 - a column
    signature = java_heading(text)
    assert signature
    assert [f"{each.type} {each.name}" for each in signature.parameters] == parameters
    assert (signature.name, signature.returns, signature.static) == (name, returns, static)


@pytest.mark.parametrize(("text", "name", "parameters"), PYTHON)
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


@pytest.mark.parametrize(
    "text",
    [
        "",
        "f()",
        "void f",
        "void f(int)",
        "void f(int i,)",
        "void f(int i, )",
        "private void f()",
        "f(int i) {",
        "void 1f()",
        "def f(a)",
        "void f(int i) x",
        "void f(" + "int i, " * 1000,
    ],
)
def test_what_is_no_heading_of_java(text: str) -> None:
    assert java_heading(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "f(a)",
        "def f",
        "def f(a",
        "def f(*a)",
        "def f(**a)",
        "def f(*, a)",
        "class f",
        "def f(): pass\ndef g()",
        "async def f()",
        "void f(int i)",
        "def f(a): return a;",
        "x = 1",
        "\x00",
    ],
)
def test_what_is_no_heading_of_python(text: str) -> None:
    assert python_heading(text) is None


@pytest.mark.parametrize(
    "text", ["Jar(self, n=0)", "class Jar(n = 0):", "class   Jar( self,n=0 )", "\n class Jar\t(n=0)\n"]
)
def test_a_class_with_parameters_has_any_blanks(text: str) -> None:
    signature = python_constructor(text)
    assert signature
    assert [(each.name, each.optional) for each in signature.parameters] == [("n", True)]
