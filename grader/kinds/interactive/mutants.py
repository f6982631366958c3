"""Wrong players, to see whether an interactor notices: they send too little, something else, or nothing.

They have to run, because the interactor's reaction cannot be predicted. A player that makes the interactor itself fail
survives: a student with the same program would be ungraded.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from msgspec.structs import replace

from grader.core import run
from grader.core.model.execution import Execution
from grader.core.model.limits import Limits
from grader.core.model.spec import Case
from grader.core.pipeline import Course
from grader.kinds.interactive.model import interactor_of
from grader.verify.expected_results import Scene
from grader.verify.mutants import Mutant, Scope, scopes

_MAX_SCENES = 2
"""of a test, in which players are tried"""
_LIMITS = Limits(time=10, cpu=10)
_ENDS, _LISTENS = ("sh", "-c", "exec cat said"), ("sh", "-c", "cat said; exec cat > /dev/null")
"""sends all its text and ends; sends it, and waits for the end of the interactor"""
_RUBBISH = b"?!\n" * 3
_Speech = Callable[[Scope, Scene], bytes | None]
"""the text that a player sends in a case, None when it is not wrong there"""


def interaction_mutants(course: Course, scenes: Sequence[Scene]) -> Iterator[Mutant]:
    """Yield the players for each test with an interactor; their texts are variations of the right program's."""
    for scope in scopes(course.spec, scenes):
        spoken = [scene for scene in scope.scenes if interactor_of(scene.case)]
        tried = frozenset(scene.given for scene in spoken[:_MAX_SCENES])
        for name, (about, argv, speech) in _PLAYERS.items() if spoken else ():
            fault = partial(_play, partial(speech, scope), argv, course, tried)
            yield scope.mutant(f"interaction/{name}", about, fault)


def given_to_players(case: Case) -> object:
    """Return what the other side is, and what it knows."""
    other = interactor_of(case)
    return (other.program, other.args, other.input, other.answer) if other else None


def _play(
    speech: Callable[[Scene], bytes | None], argv: tuple[str, ...], course: Course, tried: frozenset[str], scene: Scene
) -> Execution | None:
    text = speech(scene) if scene.given in tried else None
    if text is None:
        return None
    launch = run.launch.launch_reference(scene.case, course.context_of(scene.case))
    return course.execute(replace(launch, argv=argv, files={"said": text}, limits=_LIMITS))


def _first_half(_: Scope, scene: Scene) -> bytes | None:
    lines = scene.right.stdout.splitlines(keepends=True)
    return b"".join(lines[: len(lines) // 2]) if lines else None


def _text_of_other_case(scope: Scope, scene: Scene) -> bytes | None:
    others = (other.right.stdout for other in scope.every if interactor_of(other.case))
    return next((text for text in others if text != scene.right.stdout), None)


_PLAYERS: Mapping[str, tuple[str, tuple[str, ...], _Speech]] = {
    "silent": ("ends without a word", _ENDS, lambda *_: b""),
    "rubbish": ("says what is no answer to anything", _LISTENS, lambda *_: _RUBBISH),
    "ends-early": ("ends half-way", _ENDS, _first_half),
    "other-case": ("says what is right in another case", _LISTENS, _text_of_other_case),
}
