"""The source of what was handed in, held against rules: in another process, since a student decides what it reads."""

import json
import signal
import subprocess
import sys
from collections.abc import Collection, Mapping, Sequence
from fnmatch import fnmatchcase
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from grader.core.errors import HostError
from grader.core.model import Examined, SourceRule, Spec, Spot
from grader.core.sandbox import FORKING
from grader.core.text import count, joined, one_line, size
from grader.kinds.source_rules.queries import ENDINGS

_MUCH_SOURCE = 2**20
"""bytes of source in all; nobody writes so much for an assignment, and reading it takes a thousand times its size"""
_SECONDS, _MEMORY = 20, 2 * 2**30
_MAX_WAITING = 120
_MAX_FILES = 500

# Packages without what their `__init__` imports, and none of the working folder.
_READER = """
import json, sys, types
folder, sys.path[:] = json.loads(sys.argv[1])
for name, place in (("grader", folder), ("grader.kinds.source_rules", folder + "/kinds/source_rules")):
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__path__ = [place]
from grader.kinds.source_rules.syntax import serve_source
serve_source()
"""


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


_ASKED = ("what", "name", "within", "most")
"""the fields of a rule that the reader of syntax trees is told, beside the files"""


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
    known = list(sources)
    request = {
        "language": rules[0].language,
        "files": {str(number): data.decode("latin-1") for number, data in enumerate(sources.values())},
        "rules": [
            {key: getattr(rule, key) for key in _ASKED} | {"files": [str(known.index(name)) for name in names]}
            for rule, names in zip(rules, chosen, strict=True)
        ],
        "seconds": _SECONDS,
        "memory": _MEMORY,
    }
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
    words = json.dumps([str(Path(__file__).parents[2]), sys.path])
    try:
        with FORKING:
            reader = subprocess.Popen(
                [sys.executable, "-I", "-S", "-c", _READER, words],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
        with reader:
            written, said = reader.communicate(json.dumps(request).encode(), timeout=_MAX_WAITING)
    except OSError as error:
        raise HostError(f"no process to read sources in: {error.strerror}") from error
    except subprocess.TimeoutExpired as error:
        reader.kill()
        raise HostError(f"a source was not read within {_MAX_WAITING} s; the machine is busy, grade again") from error
    if reader.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        raise HostError(f"a source takes more than {_SECONDS} s to read")
    if reader.returncode:
        last = one_line(said.strip().rpartition(b"\n")[2])
        raise HostError(f"a source could not be read: {last or f'signal {-reader.returncode}'}")
    answer: list[dict[str, Any]] = json.loads(written)
    return answer
