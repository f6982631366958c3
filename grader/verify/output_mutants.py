"""The output mutants of a spec: a table of families, each of which makes the mutants of one kind for a test.

They write something else, or to another stream, or answer for another case; say something else in a dialogue; end in
another way; or leave other files behind. To add a family, write a generator and enter it in `FAMILIES`.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import partial

from msgspec.structs import replace

from grader.core.bounded_regex import finder, lines_that_count
from grader.core.model import STREAMS, Execution, FailedStep, Spec, Step, Stream
from grader.core.text import quote
from grader.kinds.functions.mutants import mutate_calls
from grader.kinds.memory_clean.model import MemoryFault, Sighting, Watched
from grader.verify.expected_results import Scene
from grader.verify.mutants import CHOSEN, WHOLE, Family, Fault, Mutant, Scope, alternatives_of, scopes
from grader.verify.text_edits import EDITS, TextEdit, change_last_number, split_lines

# ---------------------------------------------------------------- texts


def _mutate_texts(scope: Scope) -> Iterator[Mutant]:
    """Yield the mutants that write something else to one stream."""
    for stream in STREAMS:
        compared = scope.comparators(stream)
        is_whole = any(hows & WHOLE for hows in compared.values())
        for edit in EDITS:
            fault = partial(_edit_stream, scope, stream, edit, compared)
            named = edit.named if is_whole else ()
            yield scope.mutant(f"{stream}/{edit.name}", edit.about, fault, rule=edit.rule, named=named)


def _edit_stream(
    scope: Scope, stream: Stream, edit: TextEdit, compared: Mapping[str, frozenset[str]], scene: Scene
) -> Execution | None:
    hows = compared[scene.given]
    if scene.case.dialogue or not hows or (edit.whole and not hows & WHOLE):
        return None
    right = scene.right.stdout if stream == "stdout" else scene.right.stderr
    text = edit.change(right)
    if hows == {CHOSEN} and text is not None:
        ways = {(one.only, one.skip) for other in scope.alike(scene) for one in alternatives_of(other, stream)}
        chosen = [partial(lines_that_count, only=only, skip=skip) for only, skip in sorted(ways)]
        if all(choose(text) == choose(right) for choose in chosen):  # the edit is in a line at which nobody looks
            text = edit.change(chosen[0](right))
    if text is None:
        return None
    return replace(scene.right, stdout=text) if stream == "stdout" else replace(scene.right, stderr=text)


def _mutate_denied(scope: Scope) -> Iterator[Mutant]:
    """Yield the mutants that write what must not be there, behind what is right or in its place."""
    for stream in STREAMS:
        for at, (how, text) in enumerate(
            sorted(set().union(*(_denied_in(scope, one, stream) for one in scope.scenes)))
        ):
            told = f"writes {quote(text)} to {STREAMS[stream]}, which must not be there"
            yield scope.mutant(f"{stream}/denied-{at + 1}", told, partial(_write_denied, scope, stream, (how, text)))


def _denied_in(scope: Scope, scene: Scene, stream: Stream) -> set[tuple[str, str]]:
    """Return the texts that must not be on a stream, wherever a program is given this, each with how it is compared."""
    asked = (one for other in scope.alike(scene) for one in alternatives_of(other, stream))
    denied = [part for one in asked if one.how == "not" for part in one.parts[0].leaves]
    return {(part.how, text) for part in denied if part.how in ("contains", "text") for text in part.want or ()}


def _write_denied(scope: Scope, stream: Stream, denied: tuple[str, str], scene: Scene) -> Execution | None:
    if scene.case.dialogue or denied not in _denied_in(scope, scene, stream):
        return None
    how, text = denied
    right = b"" if how == "text" else scene.right.stdout if stream == "stdout" else scene.right.stderr
    wrong = right + text.encode(errors="surrogatepass") + (b"" if how == "text" else b"\n")
    return replace(scene.right, stdout=wrong) if stream == "stdout" else replace(scene.right, stderr=wrong)


def _mutate_streams(scope: Scope) -> Iterator[Mutant]:
    """Yield the mutants that write the right text to the wrong stream; dialogues listen to both."""
    both = [scope.comparators(stream) for stream in STREAMS]

    def is_checked(scene: Scene) -> bool:
        is_apart = scene.case.functions or scene.case.dialogue
        return not is_apart and any(compared[scene.given] for compared in both)

    def exchange(scene: Scene) -> Execution | None:
        return replace(scene.right, stdout=scene.right.stderr, stderr=scene.right.stdout) if is_checked(scene) else None

    def split(scene: Scene) -> Execution | None:
        found = split_lines(scene.right.stdout or scene.right.stderr)
        middle = len(found) // 2
        if not is_checked(scene) or (scene.right.stdout and scene.right.stderr) or not middle:
            return None
        return replace(scene.right, stdout=b"".join(found[:middle]), stderr=b"".join(found[middle:]))

    yield scope.mutant("stdout/wrong-stream", "the streams exchanged", exchange, named=["wrong-stream"])
    if any(hows & WHOLE for compared in both for hows in compared.values()):
        yield scope.mutant("stdout/split-streams", "half on each stream", split, named=["split-streams"])


def _mutate_answers(scope: Scope) -> Iterator[Mutant]:
    """Yield the mutants that give the right answer to another case."""
    compared = {stream: scope.comparators(stream) for stream in STREAMS}

    def answer(scene: Scene, source: Scene) -> Execution | None:
        """Return what a program does that answers in one case as it should in another; None when that is the same."""
        # Only where the same command is run, by itself: what is said in a dialogue hangs together.
        is_apart = any(one.case.functions or one.case.dialogue for one in (scene, source))
        if is_apart or scene.case.command != source.case.command:
            return None
        is_same = {
            "stdout": scene.right.stdout == source.right.stdout,
            "stderr": scene.right.stderr == source.right.stderr,
        }
        if all(is_same[stream] for stream in STREAMS if compared[stream].get(scene.given)):
            return None
        return replace(scene.right, stdout=source.right.stdout, stderr=source.right.stderr)

    def answer_as_another(scene: Scene, at: int) -> Execution | None:
        others = [*scope.every[at + 1 :], *scope.every[:at]]
        return next((changed for other in others if (changed := answer(scene, other))), None)

    first, *rest = scope.scenes
    following = {scene.given: after for scene, after in zip(scope.scenes, [*rest, first], strict=True)}
    yield scope.mutant("answers/one-for-all", "every case answered as the first", lambda scene: answer(scene, first))
    yield scope.mutant(
        "answers/next-case", "every case answered as the next", lambda scene: answer(scene, following[scene.given])
    )
    for scene in scope.scenes:
        at = next(at for at, one in enumerate(scope.every) if one is scene)
        yield scope.mutant_in(scene, "answers", partial(answer_as_another, at=at))


# ---------------------------------------------------------------- dialogues

_Speech = tuple[bytes, ...]
"""what a program says first, and then to each thing that is sent"""
_SENDING = ("send", "key")
_SAID_TO_WAIT = 1.0
"""seconds that a mutant's dialogue is said to have waited, where the spec sets no time"""


def _mutate_dialogues(scope: Scope) -> Iterator[Mutant]:
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
    sent = sum(step.do in _SENDING for step in scene.case.dialogue)
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
    for number, step in enumerate(scene.case.dialogue, start=1):
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
    return [(step, number) for number, step in enumerate(scene.case.dialogue, start=1) if step.do in kinds]


# ---------------------------------------------------------------- endings and files

_SEGMENTATION_FAULT = 11
_WILDCARD = re.compile(r"[*?]|\[.*?\]")


def _mutate_endings(scope: Scope) -> Iterator[Mutant]:
    """Yield the mutants that do all that is right, and end in another way."""

    def other_status(scene: Scene) -> Execution | None:
        if all(other.case.expect.exit == "any" for other in scope.alike(scene)) or scene.right.status is None:
            return None
        return replace(scene.right, status=0 if scene.right.status else 1)

    def crash(scene: Scene) -> Execution | None:
        if scene.case.interactor:  # whether all was done then, only the other side can tell
            return None
        return replace(scene.right, status=None, signal=_SEGMENTATION_FAULT)

    yield scope.mutant("exit/status", "ends with another status", other_status, named=["exit-status"])
    yield scope.mutant("exit/crash", "crashes when all is done", crash)


def _mutate_files(scope: Scope) -> Iterator[Mutant]:
    """Yield the mutants that leave out a file that should be there, or leave one that should not, or another text."""
    alike = (other for scene in scope.scenes for other in scope.alike(scene))
    asked = [other.case.expect.files for other in alike if other.case.expect.files]
    for name in dict.fromkeys(name for files in asked for name in (*files.present, *files.contents)):
        yield scope.mutant(f"files/missing-{name}", f"leaves no {name}", partial(_remove_files, name))
    for pattern in dict.fromkeys(pattern for files in asked for pattern in files.absent):
        yield scope.mutant(f"files/left-{pattern}", f"leaves {pattern} behind", partial(_leave_file, pattern))

    def lengthen(name: str, scene: Scene) -> Execution | None:
        files = scene.right.files
        return replace(scene.right, files={**files, name: files[name] + b"more\n"}) if name in files else None

    def miscount(name: str, scene: Scene) -> Execution | None:
        files = scene.right.files
        text = change_last_number(files[name], 1) if name in files else None
        return None if text is None else replace(scene.right, files={**files, name: text})

    def empty(name: str, scene: Scene) -> Execution | None:
        files = scene.right.files
        return replace(scene.right, files={**files, name: b""}) if files.get(name) else None

    contents = {name: content for files in asked for name, content in files.contents.items()}
    for name, content in contents.items():
        if any(leaf.how in WHOLE and not (leaf.only or leaf.skip) for leaf in content.leaves):
            yield scope.mutant(f"files/other-{name}", f"writes a line too much to {name}", partial(lengthen, name))
        else:
            yield scope.mutant(f"files/number-{name}", f"a number in {name} is wrong", partial(miscount, name))
            yield scope.mutant(f"files/empty-{name}", f"leaves {name} empty", partial(empty, name))


def _remove_files(pattern: str, scene: Scene) -> Execution | None:
    """Leave out what matches, folders with what is in them."""
    gone = [name for name in scene.right.names if fnmatchcase(name, pattern) or fnmatchcase(name.rstrip("/"), pattern)]
    folders = tuple(name for name in gone if name.endswith("/"))
    names = tuple(name for name in scene.right.names if name not in gone and not name.startswith(folders))
    kept = {name: content for name, content in scene.right.files.items() if name in names}
    return replace(scene.right, names=names, files=kept) if gone else None


def _leave_file(pattern: str, scene: Scene) -> Execution | None:
    name = _WILDCARD.sub("x", pattern)
    if not fnmatchcase(name, pattern) or name in scene.right.names:
        return None
    return replace(scene.right, names=tuple(sorted((*scene.right.names, name))))


# ---------------------------------------------------------------- memory

_WRONG_WITH_MEMORY = {
    "fault": (
        "writes behind the end of a block",
        MemoryFault(kind="InvalidWrite", what=Sighting(told="Invalid write of size 4")),
    ),
    "leak": (
        "never frees a block",
        MemoryFault(kind="Leak_DefinitelyLost", what=Sighting(told="definitely lost"), bytes=40, blocks=1),
    ),
}


def _mutate_memory(scope: Scope) -> Iterator[Mutant]:
    """Yield the mutants that handle their memory wrongly, where that is watched."""

    def mishandle(scene: Scene, fault: MemoryFault) -> Execution | None:
        return (
            replace(scene.right, also={"memory-clean": Watched(faults=(fault,))}) if scene.case.memory_clean else None
        )

    for name, (about, fault) in _WRONG_WITH_MEMORY.items():
        yield scope.mutant(f"memory/{name}", about, partial(mishandle, fault=fault), named=[f"memory-{name}"])


# ---------------------------------------------------------------- all of them

FAMILIES: Mapping[str, Family] = {
    "texts": _mutate_texts,
    "denied": _mutate_denied,
    "streams": _mutate_streams,
    "answers": _mutate_answers,
    "calls": mutate_calls,
    "dialogues": _mutate_dialogues,
    "endings": _mutate_endings,
    "files": _mutate_files,
    "memory": _mutate_memory,
}


def output_mutants(spec: Spec, scenes: Sequence[Scene]) -> Iterator[Mutant]:
    """Yield the mutants that are the right program with a fault on its way out; some change nothing at all."""
    for scope in scopes(spec, scenes):
        for family in FAMILIES.values():
            yield from family(scope)
    # At last a program that has the answers of all visible tests written into it, and no others.
    visible = {scene.given for scene in scenes if scene.test.visibility == "visible"}

    def visible_only(scene: Scene) -> Execution:
        if scene.given in visible:
            return scene.right
        calls = scene.right.calls
        silent = replace(calls, returned=tuple(None for _ in calls.returned), args=None) if calls else None
        return replace(scene.right, stdout=b"", stderr=b"", names=(), files={}, facts=silent)

    yield Mutant(name="all/visible-only", about="right only in the cases that students see", apply=visible_only)
