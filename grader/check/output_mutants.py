"""The output mutants of a spec: a table of families, each of which makes the mutants of one kind for a test.

They write something else, or to another stream, or answer for another case; end in another way; or leave other files
behind; and each kind of case has mutants of its own. To add a family, write a generator and enter it in `_GENERAL`.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import partial

from msgspec.structs import replace

from grader.check.expected_results import Scene
from grader.check.mutants import CHOSEN, WHOLE, Family, Mutant, Scope, asked_of, scopes
from grader.check.text_edits import EDITS, TextEdit, change_last_number, split_lines
from grader.core.bounded_regex import lines_that_count
from grader.core.errors import GraderError
from grader.core.kind import KINDS
from grader.core.model.execution import Execution
from grader.core.model.spec import STREAMS, Spec, Stream
from grader.core.pipeline import Course, reference_execution
from grader.core.text import quote


def _is_unfit(family: str, *scenes: Scene) -> bool:
    """Whether the mutants of a family say nothing about a case, for its kind."""
    return any(scene.case.payload is not None and family in scene.case.payload.unfit_mutants for scene in scenes)


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
    if _is_unfit("texts", scene) or not hows or (edit.whole and not hows & WHOLE):
        return None
    right: bytes = getattr(scene.right, stream)
    text = edit.change(right)
    if hows == {CHOSEN} and text is not None:
        asked = [leaf for other in scope.alike(scene) for leaf in asked_of(other, stream).leaves]
        ways = sorted({(one.only, one.skip, one.part) for one in asked})
        chosen = [partial(lines_that_count, only=only, skip=skip, part=part) for only, skip, part in ways]
        if all(choose(text) == choose(right) for choose in chosen):  # the edit is in a line that no comparator reads
            only, skip, part = ways[0]
            whole = lines_that_count(right, only=only, skip=skip)
            text = _edit_parts(edit, whole, chosen[0](right)) if part else edit.change(whole)
    return None if text is None else replace(scene.right, **{stream: text})


def _edit_parts(edit: TextEdit, lines: bytes, parts: bytes) -> bytes | None:
    """Change the compared parts of lines, where they are; None where that changes how many there are."""
    changed = edit.change(parts)
    if changed is None or len(changed.splitlines()) != len(parts.splitlines()):
        return None
    for before, after in zip(parts.splitlines(), changed.splitlines(), strict=True):
        lines = lines.replace(before, after, 1)
    return lines


def _mutate_denied(scope: Scope) -> Iterator[Mutant]:
    """Yield the mutants that write what must not be there, behind what is right or in its place."""
    for stream in STREAMS:
        denied = sorted(set().union(*(_denied_in(scope, one, stream) for one in scope.scenes)))
        for at, (how, text) in enumerate(denied, 1):
            about = f"writes {quote(text)} to {STREAMS[stream]}, which must not be there"
            yield scope.mutant(f"{stream}/denied-{at}", about, partial(_write_denied, scope, stream, (how, text)))


def _denied_in(scope: Scope, scene: Scene, stream: Stream) -> set[tuple[str, str]]:
    """Return the forbidden texts of a stream in all cases with the same input, each with its comparator."""
    denied = [leaf for other in scope.alike(scene) for leaf in asked_of(other, stream).denied]
    return {(leaf.how, text) for leaf in denied if leaf.how in ("contains", "text") for text in leaf.want or ()}


def _write_denied(scope: Scope, stream: Stream, denied: tuple[str, str], scene: Scene) -> Execution | None:
    if _is_unfit("denied", scene) or denied not in _denied_in(scope, scene, stream):
        return None
    wrong = denied[1].encode(errors="surrogatepass")
    wrong = wrong if denied[0] == "text" else getattr(scene.right, stream) + wrong + b"\n"
    return replace(scene.right, **{stream: wrong})


def _mutate_streams(scope: Scope) -> Iterator[Mutant]:
    """Yield the mutants that write the right text to the wrong stream."""
    both = [scope.comparators(stream) for stream in STREAMS]

    def write(change: Callable[[Execution], Execution | None], scene: Scene) -> Execution | None:
        is_checked = not _is_unfit("streams", scene) and any(compared[scene.given] for compared in both)
        return change(scene.right) if is_checked else None

    def exchange(right: Execution) -> Execution:
        return replace(right, stdout=right.stderr, stderr=right.stdout)

    def split(right: Execution) -> Execution | None:
        found = split_lines(right.stdout or right.stderr)
        middle = len(found) // 2
        if (right.stdout and right.stderr) or not middle:
            return None
        return replace(right, stdout=b"".join(found[:middle]), stderr=b"".join(found[middle:]))

    wrong, about = partial(write, exchange), "the streams exchanged"
    yield scope.mutant("stdout/wrong-stream", about, wrong, named=["wrong-stream"])
    if any(hows & WHOLE for compared in both for hows in compared.values()):
        yield scope.mutant(
            "stdout/split-streams", "half on each stream", partial(write, split), named=["split-streams"]
        )


def _mutate_answers(scope: Scope) -> Iterator[Mutant]:
    """Yield the mutants that give the right answer to another case."""
    compared = {stream: scope.comparators(stream) for stream in STREAMS}

    def answer(scene: Scene, source: Scene) -> Execution | None:
        """Return what a program does that answers in one case as it should in another; None when that is the same."""
        # Only where the same command is run.
        if _is_unfit("answers", scene, source) or scene.case.command != source.case.command:
            return None
        looked_at = [stream for stream in STREAMS if compared[stream].get(scene.given)]
        if all(getattr(scene.right, stream) == getattr(source.right, stream) for stream in looked_at):
            return None
        return replace(scene.right, stdout=source.right.stdout, stderr=source.right.stderr)

    def answer_as_another(others: Sequence[Scene], scene: Scene) -> Execution | None:
        return next((changed for other in others if (changed := answer(scene, other))), None)

    first, *rest = scope.scenes
    after = {scene.given: following for scene, following in zip(scope.scenes, [*rest, first], strict=True)}
    for name, about, source in (("one-for-all", "first", lambda _: first), ("next-case", "next", after.__getitem__)):
        fault = partial(lambda source, scene: answer(scene, source(scene.given)), source)
        yield scope.mutant(f"answers/{name}", f"every case answered as the {about}", fault)
    for scene in scope.scenes:
        at = next(at for at, one in enumerate(scope.every) if one is scene)
        others = (*scope.every[at + 1 :], *scope.every[:at])
        yield scope.mutant_in(scene, "answers", partial(answer_as_another, others))


# ---------------------------------------------------------------- endings and files

_SEGMENTATION_FAULT = 11
_WILDCARD = re.compile(r"[*?]|\[.*?\]")


def _mutate_endings(scope: Scope) -> Iterator[Mutant]:
    """Yield the mutants that do all that is right, and end in another way."""

    def other_status(scene: Scene) -> Execution | None:
        is_open = all(other.case.expect.exit == "any" for other in scope.alike(scene)) or scene.right.status is None
        return None if is_open else replace(scene.right, status=0 if scene.right.status else 1)

    def crash(scene: Scene) -> Execution | None:
        return None if _is_unfit("crash", scene) else replace(scene.right, status=None, signal=_SEGMENTATION_FAULT)

    yield scope.mutant("exit/status", "ends with another status", other_status, named=["exit-status"])
    yield scope.mutant("exit/crash", "crashes when all is done", crash)


_FILE_EDITS: Mapping[str, tuple[str, Callable[[bytes], bytes | None]]] = {
    "other": ("writes a line too much to {name}", lambda text: text + b"more\n"),
    "number": ("a number in {name} is wrong", lambda text: change_last_number(text, 1)),
    "empty": ("leaves {name} empty", lambda text: b"" if text else None),
}


def _mutate_files(scope: Scope) -> Iterator[Mutant]:
    """Yield the mutants that omit a required file, write a forbidden one, or write another text."""
    alike = (other for scene in scope.scenes for other in scope.alike(scene))
    asked = [other.case.expect.files for other in alike if other.case.expect.files]
    for name in dict.fromkeys(name for files in asked for name in (*files.present, *files.contents)):
        yield scope.mutant(f"files/missing-{name}", f"leaves no {name}", partial(_remove_files, name))
    for pattern in dict.fromkeys(pattern for files in asked for pattern in files.absent):
        yield scope.mutant(f"files/left-{pattern}", f"leaves {pattern} behind", partial(_leave_file, pattern))
    for name, content in {name: content for files in asked for name, content in files.contents.items()}.items():
        is_whole = any(leaf.how in WHOLE and not leaf.is_selective for leaf in content.leaves)
        for key in ("other",) if is_whole else ("number", "empty"):
            about, change = _FILE_EDITS[key]
            yield scope.mutant(f"files/{key}-{name}", about.format(name=name), partial(_edit_file, name, change))


def _edit_file(name: str, change: Callable[[bytes], bytes | None], scene: Scene) -> Execution | None:
    text = change(scene.right.files[name]) if name in scene.right.files else None
    return None if text is None else replace(scene.right, files={**scene.right.files, name: text})


def _remove_files(pattern: str, scene: Scene) -> Execution | None:
    """Leave out what matches, folders with what is in them."""
    gone = [name for name in scene.right.names if fnmatchcase(name, pattern) or fnmatchcase(name.rstrip("/"), pattern)]
    folders = tuple(name for name in gone if name.endswith("/"))
    names = tuple(name for name in scene.right.names if name not in gone and not name.startswith(folders))
    files = {name: content for name, content in scene.right.files.items() if name in names}
    return replace(scene.right, names=names, files=files) if gone else None


def _leave_file(pattern: str, scene: Scene) -> Execution | None:
    name = _WILDCARD.sub("x", pattern)
    if not fnmatchcase(name, pattern) or name in scene.right.names:
        return None
    return replace(scene.right, names=tuple(sorted((*scene.right.names, name))))


# ---------------------------------------------------------------- all of them

_GENERAL: Mapping[str, Family] = {
    "texts": _mutate_texts,
    "denied": _mutate_denied,
    "streams": _mutate_streams,
    "answers": _mutate_answers,
    "endings": _mutate_endings,
    "files": _mutate_files,
}
FAMILIES = {**_GENERAL, **{kind.name: kind.mutants for kind in KINDS.values() if kind.mutants}}


def output_mutants(spec: Spec, scenes: Sequence[Scene], course: Course | None = None) -> Iterator[Mutant]:
    """Yield the mutants that are the right program with a fault on its way out; some change nothing at all."""
    for scope in scopes(spec, scenes, course):
        for family in FAMILIES.values():
            yield from family(scope)
    # At last a program that has the answers of all visible tests written into it, and no others.
    visible = {scene.given for scene in scenes if scene.test.visibility == "visible"}

    def visible_only(scene: Scene) -> Execution:
        facts = scene.right.facts and scene.right.facts.silent
        silent = replace(scene.right, stdout=b"", stderr=b"", names=(), files={}, facts=facts)
        return scene.right if scene.given in visible else silent

    yield Mutant(name="all/visible-only", about="right only in the cases that students see", apply=visible_only)


def forgetful_mutants(course: Course) -> Iterator[Mutant]:
    """Yield for each test with cases in order a program that finds nothing of what it left in the case before."""
    apart = replace(course, spec=replace(course.spec, tests=()))

    def apply(test: str, scene: Scene) -> Execution:
        found = reference_execution(scene.case, apart) if scene.test.name == test else scene.right
        return replace(scene.right.bare, status=1) if isinstance(found, GraderError) else found

    for test in (test.name for test in course.spec.tests if test.in_order):
        yield Mutant(name=f"{test}/order/apart", about="begins anew in each case", apply=partial(apply, test))
