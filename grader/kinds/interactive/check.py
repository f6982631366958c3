"""Probable mistakes in tests with an interactor; and wrong players, which run, to see whether it notices them."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from grader.core import run
from grader.core.model.execution import Execution
from grader.core.model.limits import Limits
from grader.core.model.spec import Interactor
from grader.core.yaml.value import WORD
from grader.kinds import Flaw, flaw, lint_rule

if TYPE_CHECKING:
    from grader.check.expected_results import Scene
    from grader.check.mutants import Mutant, Scope
    from grader.check.subject import Subject

    # The text that a player sends in a case, None when it is not wrong.
    _Speech = Callable[[Scope, Scene], bytes | None]

_SECRETS = re.compile(r"(tests\[\d+\])(?:\.cases\[\d+\])?\.interactor\.(?:args\[\d+\]|input|answer)")


@lint_rule("unplayed-interactor")
def _interactors_without_player(subject: "Subject") -> Iterator[Flaw]:
    if subject.spec.has_references or subject.has_right_sample:
        return
    for path, test in subject.tests():
        if interactor := next(filter(None, map(Interactor.of, test.cases)), None):
            yield flaw(path, is_validator=interactor.is_output_validator)


@lint_rule("told-secret")
def _secrets_in_names(subject: "Subject") -> Iterator[Flaw]:
    visible = {path: test for path, test in subject.tests() if test.visibility == "visible"}
    for path, text in subject.texts.items():
        match = _SECRETS.fullmatch(path)
        variable = re.search(rf"\{{({WORD})\}}", text)
        cases = visible[match[1]].cases if match and match[1] in visible else ()
        # Of a random variable the names of the cases contain only its number.
        random = {number.name for case in cases for number in case.generated_numbers}
        if cases and variable and variable[1] not in random:
            yield flaw(path, variable=variable[0])


_MAX_SCENES, _LIMITS = 2, Limits(time=10, cpu=10)  # of a test, in which players are tried; and of a player
_ENDS, _LISTENS = ("sh", "-c", "exec cat said"), ("sh", "-c", "cat said; exec cat > /dev/null")
"""sends all its text and ends; sends it, and waits for the end of the interactor"""


def mutants(scope: "Scope") -> "Iterator[Mutant]":
    """Yield the players for a test with an interactor; their texts are variations of the right program's."""
    tried = [scene.given for scene in scope.scenes if Interactor.of(scene.case)][:_MAX_SCENES]
    for name, (about, argv, speech) in _PLAYERS.items() if tried else ():
        yield scope.mutant(f"interaction/{name}", about, partial(_play, speech, argv, scope, tried))


def _play(
    speech: "_Speech", argv: tuple[str, ...], scope: "Scope", tried: Collection[str], scene: "Scene"
) -> Execution | None:
    text = speech(scope, scene) if scene.given in tried else None
    if text is None or scope.course is None:
        return None
    launch = run.runner.launch_reference(scene.case, scope.course.context_of(scene.case))
    return scope.course.execute(replace(launch, argv=argv, files={"said": text}, limits=_LIMITS))


def _first_half(_: "Scope", scene: "Scene") -> bytes | None:
    lines = scene.right.stdout.splitlines(keepends=True)
    return b"".join(lines[: len(lines) // 2]) if lines else None


def _text_of_other_case(scope: "Scope", scene: "Scene") -> bytes | None:
    others = (other.right.stdout for other in scope.every if Interactor.of(other.case))
    return next((text for text in others if text != scene.right.stdout), None)


_PLAYERS: "Mapping[str, tuple[str, tuple[str, ...], _Speech]]" = {
    "silent": ("ends without a word", _ENDS, lambda *_: b""),
    "rubbish": ("says what is no answer to anything", _LISTENS, lambda *_: b"?!\n" * 3),
    "ends-early": ("ends half-way", _ENDS, _first_half),
    "other-case": ("says what is right in another case", _LISTENS, _text_of_other_case),
}
