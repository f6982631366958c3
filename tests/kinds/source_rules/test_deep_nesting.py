"""Sources that nest as deep as they can be: read or refused within limits, and never taken for clean unread."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from grader.core.errors import HostError
from grader.kinds.source_rules import run
from grader.kinds.source_rules.model import GRAMMARS, SourceRule
from grader.kinds.source_rules.queries import ENDINGS
from grader.kinds.source_rules.run import _READER, examine_source

FORBIDDEN = "forbidden(1)\n"
PATTERNS = ("(", "[", "{", "List<", "a<", "if (a) ", "a=>", "*", "!", "a ? ", 'f"{', "#if 1\n", "class A{", "lambda: ")
DEPTH = 20_000


@pytest.mark.timeout(300)
@pytest.mark.parametrize("language", GRAMMARS)
@pytest.mark.parametrize("pattern", PATTERNS)
def test_what_nests_deep_is_read_or_refused(tmp_path: Path, language: str, pattern: str) -> None:
    """What stands in front is found, or the source is refused: nobody is clean unread, or has no grade."""
    front = {"java": "class B { void f() { forbidden(1); } }\n", "python": FORBIDDEN}.get(
        language, "void f(void) { forbidden(1); }\n"
    )
    (tmp_path / f"a{ENDINGS[language][0]}").write_text(front + pattern * DEPTH)
    rule = SourceRule(demand="forbid", what="call", name="forbidden", language=language)
    (found,) = examine_source(tmp_path, [rule])
    assert found.total or found.refused.startswith("Your source ")


def test_the_reader_has_little_memory_and_time() -> None:
    assert (_READER.memory, _READER.seconds) == (2**30, 20)


def test_a_grammar_that_does_not_work_is_nobodys_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.py").write_text(FORBIDDEN)
    rule = SourceRule(demand="forbid", what="call", name="forbidden", language="python")
    for code, told in (("raise MemoryError", "does not work here"), ("raise KeyError", "could not be read: KeyError")):
        monkeypatch.setattr(run, "_READER", replace(_READER, code=code))
        with pytest.raises(HostError, match=told):
            examine_source(tmp_path, [rule])
