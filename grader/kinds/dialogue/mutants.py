"""Mutants in dialogues: they say something else, less, late, or too much."""

from collections.abc import Callable, Iterator

from msgspec.structs import replace

from grader.core.bounded_regex import finder
from grader.core.model import Execution, FailedStep, Step
from grader.kinds.dialogue.model import dialogue_of
from grader.verify.expected_results import Scene
from grader.verify.mutants import Fault, Mutant, Scope
from grader.verify.text_edits import change_last_number

_Speech = tuple[bytes, ...]
"""what a program says first, and then to each thing that is sent"""
_SENDING = ("send", "key")
_SAID_TO_WAIT = 1.0
"""seconds that a mutant's dialogue is said to have waited, where the spec sets no time"""


def mutate_dialogues(scope: Scope) -> Iterator[Mutant]:
    """Yield the mutants in dialogues: an answer is missing, wrong, swapped, late, or the end too soon, or never.

    What the right program said is cut into what it said first and its answer to each thing that was sent to it. A
    mutant says something else, and the steps of the dialogue are gone through once more with that.
    """
    longest = max((len(_read_speech(scene)) for scene in scope.scenes), default=0)
    for turn in range(longest):
        what = f"the answer to input {turn}" if turn else "what is said first"
        missing = _saying(lambda said, turn: (*said[:turn], b"", *said[turn + 1 :]), turn)
        yield scope.mutant(f"dialogue/missing-{turn}", f"{what} is missing", missing)
        yield scope.mutant(f"dialogue/wrong-{turn}", f"a number of {what} is wrong", _saying(_miscount, turn))
    for turn in range(1, longest - 1):
        about = f"the answers to inputs {turn} and {turn + 1} swapped"
        swapped = _saying(lambda said, turn: (*said[:turn], *said[turn : turn + 2][::-1], *said[turn + 2 :]), turn)
        yield scope.mutant(f"dialogue/swapped-{turn}", about, swapped)
        ended = _saying(lambda said, turn: said[: turn + 1] if any(said[turn + 1 :]) else said, turn)
        yield scope.mutant(f"dialogue/ends-{turn}", f"ends after input {turn}", ended)

    def hold_back(scene: Scene) -> Execution | None:
        waits = _steps_that(scene, "expect", "regex")
        return replace(scene.right, stop=_stop_at(*waits[0], late=True)) if waits else None

    def go_on(scene: Scene) -> Execution | None:
        ends = _steps_that(scene, "eof")
        return replace(scene.right, stop=_stop_at(*ends[-1])) if ends else None

    yield scope.mutant("dialogue/unflushed", "all comes when the input is closed", hold_back, named=["unflushed"])
    yield scope.mutant("dialogue/endless", "does not end", go_on)


def _read_speech(scene: Scene) -> _Speech:
    """Return what the right program said; nothing when that cannot be told apart."""
    said = [b""]
    for turn in scene.right.transcript:
        if turn.stream == "stdin":
            said += [b""] if turn.text else []  # without text it is the end of the input
        else:
            said[-1] += turn.text
    sent = sum(step.do in _SENDING for step in dialogue_of(scene.case))
    is_clear = scene.right.stop is None and len(said) == sent + 1 and not scene.right.stderr
    return tuple(said) if is_clear and b"".join(said) == scene.right.stdout else ()


def _saying(change: Callable[[_Speech, int], _Speech], turn: int) -> Fault:
    """Make the fault of saying something else in a turn."""

    def fault(scene: Scene) -> Execution | None:
        said = _read_speech(scene)
        changed = change(said, turn) if turn < len(said) else said
        return None if changed == said else _hold_dialogue(scene, changed)

    return fault


def _miscount(said: _Speech, turn: int) -> _Speech:
    text = change_last_number(said[turn], 1)
    return said if text is None else (*said[:turn], text, *said[turn + 1 :])


def _hold_dialogue(scene: Scene, said: _Speech) -> Execution:
    """Return what comes of a case's dialogue with a program that says this; one that has no more to say has ended."""
    heard = said[0]
    used = sent = 0
    for number, step in enumerate(dialogue_of(scene.case), start=1):
        if step.do in _SENDING:
            sent += 1
            heard += said[sent] if sent < len(said) else b""
            continue
        has_ended = sent >= len(said) - 1
        if step.do == "eof":
            found = len(heard) - used if has_ended else None
        else:
            with finder(step) as find:
                place = find(heard[used:])
            found = place and place[1]
        if found is None:
            stop = _stop_at(step, number, before=heard[used:], ended=has_ended and step.do != "eof")
            return replace(scene.right, stdout=heard, stop=stop, transcript=())
        used += found
    return replace(scene.right, stdout=heard, transcript=())


def _stop_at(step: Step, number: int, *, before: bytes = b"", ended: bool = False, late: bool = False) -> FailedStep:
    waited = step.within or _SAID_TO_WAIT
    return FailedStep(step=step, number=number, ended=ended, waited=waited, before=before[-400:], late=late)


def _steps_that(scene: Scene, *kinds: str) -> list[tuple[Step, int]]:
    return [(step, number) for number, step in enumerate(dialogue_of(scene.case), start=1) if step.do in kinds]
