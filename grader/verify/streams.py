"""Mutants that write something else, or to another stream, or answer for another case."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from grader.model import Execution
from grader.verify.listing import lines
from grader.verify.right import Scene
from grader.verify.scope import WHOLE, Hows, Mutant, Scope, Stream
from grader.verify.text_edits import EDITS, Edit

_OTHER: dict[Stream, Stream] = {"stdout": "stderr", "stderr": "stdout"}


def edited(scope: Scope) -> Iterator[Mutant]:
    """Yield the mutants that write something else to one stream."""
    for stream in _OTHER:
        for edit in EDITS:
            yield _edited(scope, stream, edit)


def _edited(scope: Scope, stream: Stream, edit: Edit) -> Mutant:
    compared = scope.comparators(stream)

    def change(scene: Scene) -> Execution | None:
        hows = compared[scene.given]
        if scene.case.dialogue or not hows or (edit.whole and not hows & WHOLE):
            return None
        return _writing(scene.right, stream, edit.change(_text(scene.right, stream)))

    named = edit.named if any(hows & WHOLE for hows in compared.values()) else ()
    return scope.mutant(f"{stream}/{edit.name}", edit.about, change, rule=edit.rule, named=named)


def _text(execution: Execution, stream: Stream) -> bytes:
    return execution.stdout if stream == "stdout" else execution.stderr


def _writing(execution: Execution, stream: Stream, text: bytes | None) -> Execution | None:
    if text is None or text == _text(execution, stream):
        return None
    return replace(execution, stdout=text) if stream == "stdout" else replace(execution, stderr=text)


# ---------------------------------------------------------------- the other stream


def displaced(scope: Scope) -> Iterator[Mutant]:
    """Yield the mutants that write the right text to the wrong stream; dialogues listen to both."""
    both = [scope.comparators(stream) for stream in _OTHER]

    def checked(change: Callable[[bytes, bytes], tuple[bytes, bytes] | None]) -> Callable[[Scene], Execution | None]:
        def apply(scene: Scene) -> Execution | None:
            is_apart = scene.case.functions or scene.case.dialogue
            if is_apart or not any(compared[scene.given] for compared in both):
                return None
            found = change(scene.right.stdout, scene.right.stderr)
            if found is None or found == (scene.right.stdout, scene.right.stderr):
                return None
            return replace(scene.right, stdout=found[0], stderr=found[1])

        return apply

    exchanged = checked(lambda out, err: (err, out))
    yield scope.mutant("stdout/wrong-stream", "the streams exchanged", exchanged, named=["wrong-stream"])
    if any(hows & WHOLE for compared in both for hows in compared.values()):
        yield scope.mutant("stdout/split-streams", "half on each stream", checked(_split), named=["split-streams"])


def _split(out: bytes, err: bytes) -> tuple[bytes, bytes] | None:
    found = lines(out or err)
    if (out and err) or len(found) < len(_OTHER):
        return None
    middle = len(found) // 2
    return b"".join(found[:middle]), b"".join(found[middle:])


# ---------------------------------------------------------------- the answer of another case


def misplaced(scope: Scope) -> Iterator[Mutant]:
    """Yield the mutants that give the right answer to another case."""
    answer = _answering({stream: scope.comparators(stream) for stream in _OTHER})
    first, following = scope.scenes[0], dict(_pairs(scope.scenes))
    yield scope.mutant("answers/one-for-all", "every case answered as the first", lambda scene: answer(scene, first))
    yield scope.mutant(
        "answers/next-case", "every case answered as the next", lambda scene: answer(scene, following[scene.given])
    )
    for scene in scope.scenes:
        yield _only(scope, scene, answer)


Answer = Callable[[Scene, Scene], Execution | None]
"""Returns what a program does that answers in one case as it should in another; None when that is the same."""


def _answering(compared: Mapping[Stream, Mapping[str, Hows]]) -> Answer:
    def answer(scene: Scene, source: Scene) -> Execution | None:
        if not _alike(scene, source):
            return None
        streams = [stream for stream in _OTHER if compared[stream].get(scene.given)]
        if all(_text(scene.right, stream) == _text(source.right, stream) for stream in streams):
            return None
        return replace(scene.right, stdout=source.right.stdout, stderr=source.right.stderr)

    return answer


def _alike(one: Scene, other: Scene) -> bool:
    """Whether the same command is run in two cases, by itself: what is said in a dialogue hangs together."""
    cases = one.case, other.case
    return one.case.command == other.case.command and not any(case.functions or case.dialogue for case in cases)


def _pairs(scenes: Sequence[Scene]) -> Iterator[tuple[str, Scene]]:
    yield from ((scene.given, after) for scene, after in zip(scenes, [*scenes[1:], scenes[0]], strict=True))


def _only(scope: Scope, at: Scene, answer: Answer) -> Mutant:
    """Make a mutant that is wrong in one case alone: it answers there as in the next case with another answer."""
    start = next(index for index, scene in enumerate(scope.every) if scene is at)
    others = [*scope.every[start + 1 :], *scope.every[:start]]

    def change(scene: Scene) -> Execution | None:
        if scene.given != at.given:
            return None
        return next((changed for other in others if (changed := answer(scene, other))), None)

    name = at.case.id.removeprefix(scope.test.name) or "[1]"
    return scope.mutant(f"answers/only{name}", f"wrong in {at.case.id} alone", change)
