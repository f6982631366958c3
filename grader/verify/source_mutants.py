"""Source mutants: the reference with one change in one place, found with Python's `ast`.

Only what can be reached is changed: the functions that the program calls by their names, from its own lines or from
those that it imports, and the functions that the spec calls. Annotations, docstrings and what runs only on import stay
as they are: a change of them breaks everything or nothing.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from grader import run
from grader.errors import HostError
from grader.model import Execution, Limits, Spec
from grader.pipeline import Course
from grader.verify.python_program import Function, Module, Program, read_program
from grader.verify.right import Scene
from grader.verify.scope import Mutant
from grader.verify.source_changes import Change, changes

_LONGEST = 60
"""characters of each of the two pieces of code in a name"""
_LEAST, _TIMES = 2.0, 10
"""seconds that a mutant may take, and how many times what the reference took"""
_LEAST_OUTPUT = 2**20
_QUICK = 3
"""how many times what the quickest case takes is still quick"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """The reference with one change."""

    name: str
    """`queens.count: left | queen -> left & queen`, the same as long as this function stays as it is"""
    module: Module
    function: str
    """the name of the function that is changed"""
    change: Change

    def source(self) -> bytes:
        """Return what the changed file holds."""
        return self.change.made(self.module.tree).encode()


def changed_sources(spec: Spec, files: Mapping[str, bytes]) -> Iterator[Changed]:
    """Yield the reference with each change that can be made; nothing when it is not written in Python."""
    program = read_program(spec.reference or (), files)
    cases = [case for test in spec.tests for case in test.cases]
    reached = frozenset(name for case in cases for name in program.reached(case))
    seen: dict[str, int] = {}
    for module, function in program.functions:
        if function.name in reached:
            for changed in _of_function(module, function):
                seen[changed.name] = number = seen.get(changed.name, 0) + 1
                yield replace(changed, name=f"{changed.name} ({number})") if number > 1 else changed


def _of_function(module: Module, function: Function) -> Iterator[Changed]:
    for change in changes(function):
        name = f"{module.name}.{function.name}: {' -> '.join(_shown(change.before, change.after))}"
        yield Changed(name=name, module=module, function=function.name, change=change)


def _shown(one: str, other: str) -> tuple[str, str]:
    """Write two pieces of code that differ on a line each, long ones cut to where the difference is."""
    one, other = (re.sub(r"\s*\n\s*", " ", code) for code in (one, other))
    same = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    start = 0 if max(len(one), len(other)) <= _LONGEST else max(0, same - _LONGEST // 3)
    return _cut(one, start), _cut(other, start)


def _cut(code: str, start: int) -> str:
    end = start + _LONGEST
    return f"{'…' if start else ''}{code[start:end]}{'…' if end < len(code) else ''}"


# ---------------------------------------------------------------- running them


def source_mutants(course: Course, most: int | None) -> tuple[list[Mutant], list[str]]:
    """Return `most` of the source mutants, all with None, and the names of the others.

    Which ones is drawn, and always the same as long as the reference is: a marking in the spec changes nothing.
    """
    if isinstance(course.reference, HostError):
        return [], []
    found = list(changed_sources(course.spec, course.reference))
    if most is None or len(found) <= most:
        chosen = set(range(len(found)))
    else:
        chosen = set(Random(course.spec.id).sample(range(len(found)), most))  # noqa: S311 - to be drawn again
    program = read_program(course.spec.reference or (), course.reference)
    mutants = [_mutant(course, program, changed) for at, changed in enumerate(found) if at in chosen]
    return mutants, [changed.name for at, changed in enumerate(found) if at not in chosen]


def _mutant(course: Course, program: Program, changed: Changed) -> Mutant:
    source = changed.source()

    def apply(scene: Scene) -> Execution:
        if changed.function not in program.reached(scene.case):
            return scene.right
        launch = run.launch_reference(scene.case, course.spec)
        files = {**launch.files, **_files(course), changed.module.path: source}
        execution = course.execute(replace(launch, files=files, limits=_limits(scene.right)))
        return run.calls.with_calls(execution, scene.case.functions, launch)

    return Mutant(name=changed.name, about="a change of the reference's source", apply=apply, rule="source")


def _files(course: Course) -> Mapping[str, bytes]:
    return {} if isinstance(course.reference, HostError) else course.reference


def _limits(right: Execution) -> Limits:
    """Let a mutant have ten times what the reference took, and two seconds at least."""
    return Limits(
        time=max(_LEAST, _TIMES * right.time),
        cpu=max(_LEAST, _TIMES * right.cpu),
        output=max(_LEAST_OUTPUT, 4 * len(right.stdout)),
    )


def telling(scenes: Sequence[Scene]) -> list[Scene]:
    """Return the scenes in which a change of the reference can be seen, the most telling first.

    That is what says much in little time: a wrong program mostly says something else in all of them.
    """
    seen = [scene for scene in scenes if scene.by_reference]
    quickest = min((scene.right.time for scene in seen), default=0.0)

    def rank(scene: Scene) -> tuple[bool, float, int]:
        is_slow = scene.right.time > _QUICK * quickest
        return is_slow, scene.right.time if is_slow else 0, -len(scene.right.stdout)

    return sorted(seen, key=rank)
