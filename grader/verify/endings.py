"""Mutants that end in another way, or leave other files behind."""

import re
from collections.abc import Iterator
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import partial

from grader.model import Execution
from grader.verify.right import Scene
from grader.verify.scope import Mutant, Scope

_SEGMENTATION_FAULT = 11
_NAMED = re.compile(r"[*?]|\[.*?\]")
"""what stands for other characters in a glob"""


def endings(scope: Scope) -> Iterator[Mutant]:
    """Yield the mutants that do all that is right, and end in another way."""

    def other_status(scene: Scene) -> Execution | None:
        if all(other.case.expect.exit == "any" for other in scope.alike(scene)) or scene.right.status is None:
            return None
        return replace(scene.right, status=0 if scene.right.status else 1)

    yield scope.mutant("exit/status", "ends with another status", other_status, named=["exit-status"])
    yield scope.mutant("exit/crash", "crashes when all is done", _crashing)


def _crashing(scene: Scene) -> Execution:
    return replace(scene.right, status=None, signal=_SEGMENTATION_FAULT)


def files(scope: Scope) -> Iterator[Mutant]:
    """Yield the mutants that leave out a file that should be there, or leave one that should not, or another text."""
    asked = [scene.case.expect.files for scene in scope.scenes if scene.case.expect.files]
    for name in dict.fromkeys(name for files in asked for name in (*files.present, *files.same)):
        yield scope.mutant(f"files/missing-{name}", f"leaves no {name}", partial(_without, name))
    for pattern in dict.fromkeys(pattern for files in asked for pattern in files.absent):
        yield scope.mutant(f"files/left-{pattern}", f"leaves {pattern} behind", partial(_leaving, pattern))
    for name in dict.fromkeys(name for files in asked for name in files.same):
        yield scope.mutant(f"files/other-{name}", f"writes a line too much to {name}", partial(_longer, name))


def _without(pattern: str, scene: Scene) -> Execution | None:
    """Leave out what matches, folders with what is in them."""
    gone = [name for name in scene.right.names if fnmatchcase(name, pattern) or fnmatchcase(name.rstrip("/"), pattern)]
    if not gone:
        return None
    folders = tuple(name for name in gone if name.endswith("/"))
    names = tuple(name for name in scene.right.names if name not in gone and not name.startswith(folders))
    kept = {name: content for name, content in scene.right.files.items() if name in names}
    return replace(scene.right, names=names, files=kept)


def _leaving(pattern: str, scene: Scene) -> Execution | None:
    name = _NAMED.sub("x", pattern)
    if not fnmatchcase(name, pattern) or name in scene.right.names:
        return None
    return replace(scene.right, names=tuple(sorted((*scene.right.names, name))))


def _longer(name: str, scene: Scene) -> Execution | None:
    if name not in scene.right.files:
        return None
    longer = {**scene.right.files, name: scene.right.files[name] + b"more\n"}
    return replace(scene.right, files=longer)
