"""The source of what was handed in, held against rules: in another process, since a student decides what it reads."""

import json
import signal
import subprocess
import sys
from collections.abc import Collection, Sequence
from fnmatch import fnmatchcase
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from grader.errors import HostError
from grader.model import Examined, SourceRule, Spec, Spot
from grader.review.queries import ENDINGS
from grader.sandbox import FORKING
from grader.text import count, joined, one_line, size

_MUCH_SOURCE = 2**20
"""bytes of source in all; nobody writes so much for an assignment, and reading it takes a thousand times its size"""
_SECONDS, _MEMORY = 20, 2 * 2**30
_MOST_WAITING = 120
_MOST_FILES = 500

# Packages without what their `__init__` imports, and none of the working folder.
_READER = """
import json, sys, types
folder, sys.path[:] = json.loads(sys.argv[1])
for name, place in (("grader", folder), ("grader.review", folder + "/review")):
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__path__ = [place]
from grader.review.syntax import serve_source
serve_source()
"""


def check_grammars(spec: Spec) -> None:
    """Raise HostError when the rules of a spec need a grammar that is not installed."""
    languages = {case.source.language for test in spec.tests for case in test.cases if case.source}
    modules = ["tree_sitter", *(f"tree_sitter_{one}" for one in languages)] if languages else []
    if any(find_spec(name) is None for name in modules):
        named = joined(sorted(languages))
        raise HostError(f"`source` needs the grammar of {named}: pip install 'fairgrader[source]'")


def examine_source(folder: Path, rules: Sequence[SourceRule], besides: Collection[str] = ()) -> list[Examined]:
    """Hold the files in `folder`, all of one language, against each of the rules; but not those of the course.

    Raises HostError when that cannot be done, and the student's files are no reason for it.
    """
    sources: dict[str, bytes] = {}
    chosen: list[list[str]] = []
    names = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if _is_plain(path))
    names = [name for name in names if name not in besides]
    for rule in rules:
        chosen.append([name for name in names if _is_asked(name, rule)])
        sources |= {name: (folder / name).read_bytes() for name in chosen[-1] if name not in sources}
        if sum(map(len, sources.values())) > _MUCH_SOURCE or len(sources) > _MOST_FILES:
            total = size(sum(map(len, sources.values())))
            told = f"{count(len(sources), 'file')} of source with {total} are too much: far less is asked for."
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
        "seconds": _SECONDS,
        "memory": _MEMORY,
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


def _is_plain(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()


def _is_asked(name: str, rule: SourceRule) -> bool:
    return any(fnmatchcase(name, glob) for glob in rule.files) if rule.files else name.endswith(ENDINGS[rule.language])


def _ask_reader(request: object) -> list[dict[str, Any]]:
    words = json.dumps([str(Path(__file__).parents[1]), sys.path])
    try:
        with FORKING:
            reader = subprocess.Popen(
                [sys.executable, "-I", "-S", "-c", _READER, words],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
        with reader:
            written, said = reader.communicate(json.dumps(request).encode(), timeout=_MOST_WAITING)
    except OSError as error:
        raise HostError(f"no process to read sources in: {error.strerror}") from error
    except subprocess.TimeoutExpired as error:
        reader.kill()
        raise HostError(f"a source was not read within {_MOST_WAITING} s; the machine is busy, grade again") from error
    if reader.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        raise HostError(f"a source takes more than {_SECONDS} s to read")
    if reader.returncode:
        last = one_line(said.strip().rpartition(b"\n")[2])
        raise HostError(f"a source could not be read: {last or f'signal {-reader.returncode}'}")
    answer: list[dict[str, Any]] = json.loads(written)
    return answer
