"""The text of a test in Java: which methods of JUnit it has, and where."""

import re
from collections.abc import Iterator

_ANNOTATIONS = {"Test", "ParameterizedTest", "RepeatedTest", "TestFactory", "TestTemplate"}
_NO_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|"""(?:\\.|[^\\])*?"""|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', re.DOTALL)
_PACKAGE = re.compile(r"^\s*package\s+([\w.]+)\s*;", re.MULTILINE)
_JAVA_WORD = re.compile(
    r"@\s*(?P<annotation>[\w.]+)|\b(?:class|record|enum|interface)\s+(?P<type>\w+)|(?P<method>[\w$]+)\s*\(|[{}();]"
)


def masked_java(code: str, *, texts: bool = True) -> str:
    """Return Java with blanks for its comments and, if so wanted, for the texts in quotes: every place stays."""

    def masked(found: re.Match[str]) -> str:
        is_text = found[0][0] in "\"'"
        return found[0] if is_text and not texts else re.sub(r"[^\n]", " ", found[0])

    return _NO_CODE.sub(masked, code)


def find_java_methods(code: str) -> Iterator[tuple[str, int]]:
    """Yield the methods with their classes, `bank.BankTest$Inner.deposits`, and where their parameters end.

    `code` is what `masked_java` returns.
    """
    package = _PACKAGE.search(code)
    before = f"{package[1]}." if package else ""
    around: list[str] = []
    annotations: set[str] = set()
    declared, place = "", 0
    while found := _JAVA_WORD.search(code, place):
        place = found.end()
        if found["annotation"]:
            annotations.add(found["annotation"].rpartition(".")[2])
            if argument := re.compile(r"\s*\(").match(code, place):
                place = behind_parentheses(code, argument.end())
        elif found["type"]:
            declared = found["type"]
            annotations = set()
        elif found["method"]:
            place = behind_parentheses(code, place)
            if annotations & _ANNOTATIONS and around and around[-1]:
                yield f"{before}{'$'.join(around)}.{found['method']}", place
            annotations = set()
        elif found[0] == "{":
            around.append(declared)
            declared = ""
        elif found[0] == "}":
            del around[-1:]
            annotations = set()
        elif found[0] == ";":
            annotations = set()


def behind_parentheses(code: str, place: int) -> int:
    """Return the place behind the closing parenthesis of one that was opened before `place`."""
    depth = 1
    while depth and place < len(code):
        depth += (code[place] == "(") - (code[place] == ")")
        place += 1
    return place
