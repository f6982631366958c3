"""Sources that nest as deep as they can be: read or refused within limits, and never taken for clean unread."""

from pathlib import Path

import pytest

from grader.core.errors import HostError
from grader.kinds.source_rules.examine import _READER, examine_source
from grader.kinds.source_rules.model import GRAMMARS, SourceRule
from grader.kinds.source_rules.queries import ENDINGS

FORBIDDEN = "forbidden(1)\n"
PATTERNS = ("(", "[", "{", "List<", "a<", "if (a) ", "a=>", "*", "!", "a ? ", 'f"{', "#if 1\n", "class A{", "lambda: ")
DEPTH = 20_000


@pytest.mark.timeout(300)
@pytest.mark.parametrize("language", GRAMMARS)
@pytest.mark.parametrize("pattern", PATTERNS)
def test_what_nests_deep_is_read_or_ungraded(tmp_path: Path, language: str, pattern: str) -> None:
    """What stands in front is found in any case: where all cannot be read, the rule has no result at all."""
    front = {"java": "class B { void f() { forbidden(1); } }\n", "python": FORBIDDEN}.get(
        language, "void f(void) { forbidden(1); }\n"
    )
    (tmp_path / f"a{ENDINGS[language][0]}").write_text(front + pattern * DEPTH)
    rule = SourceRule(demand="forbid", what="call", name="forbidden", language=language)
    try:
        (found,) = examine_source(tmp_path, [rule])
    except HostError as error:
        message = str(error)
    else:
        message = "a source " if found.total or found.refused else "clean"
    assert message.startswith("a source ")


def test_the_reader_has_little_memory_and_time() -> None:
    assert (_READER.memory, _READER.seconds) == (2**30, 20)
