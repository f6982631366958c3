"""What is made when it is first asked for does then what it would have done."""

import re
from importlib import import_module
from pathlib import Path

import pytest

from grader.core.lazy import lazy_regex


def test_a_late_pattern_does_what_a_compiled_one_does() -> None:
    for flags in (0, re.IGNORECASE):
        late, compiled = lazy_regex(r"(?P<word>b+)", flags), re.compile(r"(?P<word>b+)", flags)
        for text in ("abbcbBd", "", "B"):
            assert late.sub("-", text) == compiled.sub("-", text)
            assert late.findall(text) == compiled.findall(text) == late.findall(text)
            assert str(late.search(text, 1)) == str(compiled.search(text, 1))
        assert (late.pattern, late.flags, late.groupindex) == (compiled.pattern, compiled.flags, compiled.groupindex)
    assert lazy_regex(rb"\d").split(b"a1b") == [b"a", b"b"]


def test_a_late_pattern_is_compiled_when_it_is_used_and_not_before() -> None:
    late = lazy_regex("(")
    assert late.pattern == "("
    with pytest.raises(re.error, match="unterminated subpattern"):
        late.search("(")


@pytest.mark.parametrize("name", ["build", "judge", "oracle", "run"])
def test_a_package_has_its_modules_and_nothing_else(name: str) -> None:
    package = import_module(f"grader.core.{name}")
    (path,) = package.__path__
    modules = {each.stem for each in Path(path).glob("[a-z]*.py")}
    assert all(getattr(package, each) is import_module(f"{package.__name__}.{each}") for each in modules)
    with pytest.raises(AttributeError, match=rf"module 'grader.core.{name}' has no attribute 'nothing'"):
        _ = package.nothing
