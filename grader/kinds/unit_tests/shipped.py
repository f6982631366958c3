"""The file of a unit test in the sandbox: methods that fewer people may see are blanked where they stand."""

import re
from collections import Counter, defaultdict
from functools import lru_cache
from typing import NamedTuple

from msgspec.structs import replace

from grader.core.lazy import lazy_regex
from grader.core.model.spec import Case, Spec, Test
from grader.kinds.unit_tests.java_text import find_java_classes, find_java_methods, masked_java
from grader.kinds.unit_tests.model import UnitFramework, UnitMethod, method_of, unit_of
from grader.kinds.unit_tests.python_text import python_functions

_RANKS = ("visible", "after-due", "hidden")  # who sees a test, from everybody to nobody
# The names of functions, classes, tables and fields.
_IN_PYTHON = lazy_regex(r"(?m)^[ \t]*(?:def|class)[ \t]+(?!set_?[uU]p|tear_?[dD]own|test|Test|__)(\w+)|^(\w+)[^=\n]*=")
_IN_JAVA = lazy_regex(r"\b(?:static|private|protected|final)\b[\w<>\[\], ]*?(\w+)\s*([=;(])")


class Shipped(NamedTuple):
    """A file without its secret methods."""

    source: bytes
    named: frozenset[str] = frozenset()  # those that are in it nevertheless, because the rest names one
    shared: frozenset[str] = frozenset()  # what secret methods use by name that is in it


def shipped_unit(unit: UnitMethod, test: Test, spec: Spec) -> UnitMethod:
    """Return a method of a test with the source that is shipped with it."""
    return replace(unit, source=_shipped(unit, test.visibility, spec).source)


def test_of(case: Case, spec: Spec) -> Test:
    """Return the test of a case; raises LookupError when there is none."""
    return next(test for test in spec.tests if any(own.id == case.id for own in test.cases))


def holds_hidden(case: Case, test: Test, spec: Spec) -> bool:
    """Whether a method is shipped together with one that fewer people see, because its text calls that one."""
    return bool(_shipped(method_of(case), test.visibility, spec).named)


def names_shared_with_hidden(unit: UnitMethod, spec: Spec) -> list[str]:
    """Return the names in the shipped text that hidden methods use, and the hidden methods that this text calls."""
    shipped = _shipped(unit, "visible", spec)
    return sorted(shipped.shared | shipped.named)


def _shipped(unit: UnitMethod, visibility: str, spec: Spec) -> Shipped:
    tests = [test for test in spec.tests if _RANKS.index(test.visibility) <= _RANKS.index(visibility)]
    seen = [method for test in tests for method in map(unit_of, test.cases) if method and method.file == unit.file]
    shown = frozenset(method.method for method in seen)
    if visibility == "hidden" or (unit.framework != "junit" and not all(method.is_chosen for method in seen)):
        return Shipped(unit.source)  # such a test has all, also what its framework skips
    return without_methods(unit.source, unit.framework, shown)


@lru_cache(maxsize=64)
def without_methods(source: bytes, framework: UnitFramework, shown: frozenset[str]) -> Shipped:
    """Return a source with blanks for all methods but those that are `shown`, and the comments before them."""
    places, is_java = defaultdict[tuple[int, int], set[str]](set), framework == "junit"
    encoding = "utf-8" if is_java else "latin-1"
    rest = text = source.decode(encoding)
    code, own = (masked_java(text), find_java_methods(text)) if is_java else ("", [])
    in_java = ((method.name, len(code[: method.start].rstrip()), method.end) for method in own if method.place >= 0)
    for name, start, end in in_java if is_java else python_functions(source, framework):
        places[start, end].add(name)
    gone = [place for place, names in places.items() if not names & shown]
    for start, end in sorted(gone, reverse=True):
        old = text[start:end]
        new = re.sub(r"[^\r\n]", " " if is_java else "", old)
        indent = None if is_java else re.search(r"(?m)^[ \t]*(?=@|def\b|async\b)", old)
        rest = rest[:start] + (f"{indent[0]}pass{new}" if indent else new) + rest[end:]
    words = _words_in(rest, is_java=is_java)
    if named := {name for place in gone for name in places[place] if name.rpartition(".")[2] in words}:
        return Shipped(source, frozenset(named))
    matches = (_IN_JAVA if is_java else _IN_PYTHON).finditer(masked_java(rest) if is_java else rest)
    used = {word for start, end in gone for word in re.findall(r"[\w$]+", text[start:end])}
    shared = used.intersection(name for match in matches for name in match.groups())
    short = {name.rpartition(".")[2] for name in shown}
    return Shipped(rest.encode(encoding), shared=frozenset(shared - short))


def _words_in(text: str, *, is_java: bool) -> set[str]:
    """Return the words of a file, but for comments and the names of the methods that it declares."""
    if not is_java:
        return set(re.findall(r"(?<!def )\b\w+", re.sub(r"(?m)^\s*#.*", "", text)))
    words = Counter(re.findall(r"[\w$]+", masked_java(text, texts=False)))
    words.subtract(method.name for owner in find_java_classes(text) for method in owner.methods)
    return {word for word, number in words.items() if number > 0}
