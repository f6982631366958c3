"""The output mutants of a spec: a table of families, each of which makes the mutants of one kind for a test.

To add one, write a generator and enter it in `FAMILIES`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from grader.model import Execution, Spec
from grader.verify import dialogues as talks
from grader.verify import endings, streams, values
from grader.verify.right import Scene
from grader.verify.scope import Family, Mutant, scopes

FAMILIES: Mapping[str, Family] = {
    "edited": streams.edited,
    "displaced": streams.displaced,
    "misplaced": streams.misplaced,
    "functions": values.functions,
    "dialogues": talks.dialogues,
    "endings": endings.endings,
    "files": endings.files,
}


def output_mutants(spec: Spec, scenes: Sequence[Scene]) -> Iterator[Mutant]:
    """Yield the mutants that are the right program with a fault on its way out; some change nothing at all."""
    for scope in scopes(spec, scenes):
        for family in FAMILIES.values():
            yield from family(scope)
    yield _visible_only(scenes)


def _visible_only(scenes: Sequence[Scene]) -> Mutant:
    """Make a program that has the answers of all visible tests written into it, and no others."""
    visible = {scene.given for scene in scenes if scene.test.visibility == "visible"}

    def apply(scene: Scene) -> Execution:
        if scene.given in visible:
            return scene.right
        calls = scene.right.calls
        silent = replace(calls, returned=tuple(None for _ in calls.returned), args=None) if calls else None
        return replace(scene.right, stdout=b"", stderr=b"", names=(), files={}, calls=silent)

    return Mutant(name="all/visible-only", about="right only in the cases that students see", apply=apply)


def is_changed(mutant: Mutant, scenes: Sequence[Scene]) -> bool:
    """Whether a mutant does anything that is not right, in some case."""
    return any(not _is_same(mutant.apply(scene), scene.right) for scene in scenes)


def _is_same(one: Execution, other: Execution) -> bool:
    return one is other or one == other
