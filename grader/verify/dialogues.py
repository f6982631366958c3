"""Mutants in dialogues: an answer is missing, wrong, swapped, late, or the program ends too soon or not at all.

What the right program said is cut into what it said first and its answer to each thing that was sent to it. A mutant
says something else, and the steps of the dialogue are gone through once more with that, as `run` does with a living
program.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from grader.model import Execution, Step, Stop
from grader.patterns import finder
from grader.verify.listing import NUMBER
from grader.verify.right import Scene
from grader.verify.scope import Mutant, Scope

Speech = tuple[bytes, ...]
"""what a program says first, and then to each thing that is sent"""
_SENDS = ("send", "key")
_PATIENCE = 1.0
"""seconds that a mutant's dialogue is said to have waited, where the spec sets no time"""


def dialogues(scope: Scope) -> Iterator[Mutant]:
    """Yield the mutants of a test's dialogues."""
    longest = max((len(_speech(scene)) for scene in scope.scenes), default=0)
    for turn in range(longest):
        what = f"the answer to input {turn}" if turn else "what is said first"
        yield scope.mutant(f"dialogue/missing-{turn}", f"{what} is missing", _saying(_without(turn)))
        yield scope.mutant(f"dialogue/wrong-{turn}", f"a number of {what} is wrong", _saying(_wrong(turn)))
    for turn in range(1, longest - 1):
        about = f"the answers to inputs {turn} and {turn + 1} swapped"
        yield scope.mutant(f"dialogue/swapped-{turn}", about, _saying(_swapped(turn)))
        yield scope.mutant(f"dialogue/ends-{turn}", f"ends after input {turn}", _saying(_ending(turn)))
    yield scope.mutant("dialogue/unflushed", "all comes when the input is closed", _unflushed, named=["unflushed"])
    yield scope.mutant("dialogue/endless", "does not end", _endless)


def _speech(scene: Scene) -> Speech:
    """Return what the right program said; nothing when that cannot be told apart."""
    said = [b""]
    for turn in scene.right.transcript:
        if turn.stream == "stdin":
            said += [b""] if turn.text else []  # without text it is the end of the input
        else:
            said[-1] += turn.text
    sent = sum(step.do in _SENDS for step in scene.case.dialogue)
    is_clear = scene.right.stop is None and len(said) == sent + 1 and not scene.right.stderr
    return tuple(said) if is_clear and b"".join(said) == scene.right.stdout else ()


def _saying(change: Callable[[Speech], Speech]) -> Callable[[Scene], Execution | None]:
    def apply(scene: Scene) -> Execution | None:
        said = _speech(scene)
        changed = change(said) if said else said
        return None if changed == said else _held(scene, changed)

    return apply


def _without(turn: int) -> Callable[[Speech], Speech]:
    return lambda said: (*said[:turn], b"", *said[turn + 1 :]) if turn < len(said) else said


def _wrong(turn: int) -> Callable[[Speech], Speech]:
    def change(said: Speech) -> Speech:
        numbers = list(NUMBER.finditer(said[turn])) if turn < len(said) else []
        if not numbers:
            return said
        last = numbers[-1]
        text = said[turn][: last.start()] + b"%d" % (int(last[0]) + 1) + said[turn][last.end() :]
        return (*said[:turn], text, *said[turn + 1 :])

    return change


def _swapped(turn: int) -> Callable[[Speech], Speech]:
    def change(said: Speech) -> Speech:
        if turn + 1 >= len(said):
            return said
        return (*said[:turn], said[turn + 1], said[turn], *said[turn + 2 :])

    return change


def _ending(turn: int) -> Callable[[Speech], Speech]:
    return lambda said: said[: turn + 1] if any(said[turn + 1 :]) else said


# ---------------------------------------------------------------- holding the dialogue


def _held(scene: Scene, said: Speech) -> Execution:
    """Return what comes of a case's dialogue with a program that says this; one that has no more to say has ended."""
    heard = said[0]
    used = sent = 0
    for number, step in enumerate(scene.case.dialogue, start=1):
        if step.do in _SENDS:
            sent += 1
            heard += said[sent] if sent < len(said) else b""
            continue
        ended = sent >= len(said) - 1
        found = _found(step, heard[used:], ended=ended)
        if found is None:
            stop = _stop(step, number, heard[used:], ended=ended and step.do != "eof")
            return replace(scene.right, stdout=heard, stop=stop, transcript=())
        used += found
    return replace(scene.right, stdout=heard, transcript=())


def _found(step: Step, text: bytes, *, ended: bool) -> int | None:
    """Return how much of `text` is used up when a step finds what it waits for; None when it does not."""
    if step.do == "eof":
        return len(text) if ended else None
    with finder(step) as find:
        place = find(text)
    return place and place[1]


def _stop(step: Step, number: int, before: bytes, *, ended: bool, late: bool = False) -> Stop:
    waited = step.within or _PATIENCE
    return Stop(step=step, number=number, ended=ended, waited=waited, before=before[-400:], late=late)


def _steps(scene: Scene, kinds: Sequence[str]) -> list[tuple[int, Step]]:
    return [(number, step) for number, step in enumerate(scene.case.dialogue, start=1) if step.do in kinds]


def _unflushed(scene: Scene) -> Execution | None:
    waits = _steps(scene, ("expect", "regex"))
    if not waits:
        return None
    number, step = waits[0]
    return replace(scene.right, stop=_stop(step, number, b"", ended=False, late=True))


def _endless(scene: Scene) -> Execution | None:
    ends = _steps(scene, ("eof",))
    if not ends:
        return None
    number, step = ends[-1]
    return replace(scene.right, stop=_stop(step, number, b"", ended=False))
