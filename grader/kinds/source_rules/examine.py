"""The source of what was handed in, held against rules: in another process, since a student decides what it reads."""

import json
from collections.abc import Collection, Mapping, Sequence
from fnmatch import fnmatchcase
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from grader.core.errors import HostError
from grader.core.helper_process import Helper, ask_once
from grader.core.model import Examined, Spec, Spot
from grader.core.text import count, joined, one_line, size
from grader.kinds.source_rules.model import SourceRule
from grader.kinds.source_rules.queries import ENDINGS

_MUCH_SOURCE = 2**20
"""bytes of source in all; nobody writes so much for an assignment, and reading it takes a thousand times its size"""
_MAX_FILES = 500

_READER = Helper(
    task="read sources",
    code="from grader.kinds.source_rules.syntax import serve_source\nserve_source()",
    packages=("grader", "grader.kinds.source_rules"),
    with_libraries=True,  # of which the grammars are some
    seconds=20,
    memory=2 * 2**30,
)


def check_grammars(spec: Spec) -> None:
    """Raise HostError when the rules of a spec need a grammar that is not installed."""
    asked = [case.source for test in spec.tests for case in test.cases]
    languages = sorted({one.language for one in asked if isinstance(one, SourceRule)})
    if absent_grammars(languages):
        raise HostError(f"`source` needs the grammar of {joined(languages)}: pip install 'fairgrader[source]'")


def absent_grammars(languages: Collection[str]) -> list[str]:
    """Return those of the languages whose grammar, or what reads by it, is not installed."""
    if find_spec("tree_sitter") is None:
        return list(languages)
    return [one for one in languages if find_spec(f"tree_sitter_{one}") is None]


def examine_source(folder: Path, rules: Sequence[SourceRule], besides: Collection[str] = ()) -> list[Examined]:
    """Hold the files in `folder`, all of one language, against each of the rules; but not those of the course.

    Raises HostError when that cannot be done, and the student's files are no reason for it.
    """
    sources: dict[str, bytes] = {}
    chosen: list[list[str]] = []
    for rule in rules:
        own = read_sources(folder, rule.files, ENDINGS[rule.language], besides)
        chosen.append(list(own))
        sources |= own
        if told := describe_too_much(sources):
            return [Examined(refused=told) for _ in rules]
    request = {
        "language": rules[0].language,
        "files": {str(number): data.decode("latin-1") for number, data in enumerate(sources.values())},
        "rules": [
            {
                "what": rule.what,
                "name": rule.name,
                "within": rule.within,
                "most": rule.most,
                "files": [str(list(sources).index(name)) for name in names],
            }
            for rule, names in zip(rules, chosen, strict=True)
        ],
    }
    known = list(sources)
    return [
        Examined(
            spots=tuple(
                Spot(file=known[int(number)], line=line, what=what, source=source)
                for number, line, what, source in found["spots"]
            ),
            total=found["total"],
            files=tuple(names),
            defines=found["defines"],
        )
        for found, names in zip(_ask_reader(request), chosen, strict=True)
    ]


def read_sources(
    folder: Path, asked: Collection[str], endings: tuple[str, ...], besides: Collection[str] = ()
) -> dict[str, bytes]:
    """Return name -> content of the files in `folder` that are asked for by name or glob, or else by their endings.

    Links are none of them, nor are those of the course, `besides`. No more are read than are too many.
    """
    found: dict[str, bytes] = {}
    plain = (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    for name in sorted(path.relative_to(folder).as_posix() for path in plain):
        if name in besides:
            continue
        if any(fnmatchcase(name, glob) for glob in asked) if asked else name.endswith(endings):
            found[name] = (folder / name).read_bytes()
        if describe_too_much(found):
            break
    return found


def describe_too_much(sources: Mapping[str, bytes]) -> str:
    """Return, in a sentence, that these are more than anybody reads; empty when they are not."""
    total = sum(map(len, sources.values()))
    if total <= _MUCH_SOURCE and len(sources) <= _MAX_FILES:
        return ""
    return f"{count(len(sources), 'file')} of source with {size(total)} are too much: far less is asked for."


def _ask_reader(request: object) -> list[dict[str, Any]]:
    found = ask_once(_READER, json.dumps(request).encode())
    if found.is_out_of_time:
        raise HostError(f"a source takes more than {_READER.seconds} s to read")
    if found.status:
        last = one_line(found.errors.strip().rpartition(b"\n")[2])
        raise HostError(f"a source could not be read: {last or f'signal {-found.status}'}")
    answer: list[dict[str, Any]] = json.loads(found.output)
    return answer
