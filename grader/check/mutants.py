"""Mutants: programs that are wrong in one way, to see whether a spec notices.

An output mutant is a right program with a fault in its output. Its execution in a case is changed as a faulty program
would have changed it, and judged; no process is started. It is wrong in one test, and wherever else a program is
given the same: no program could tell the two apart. It is judged in every case, so that its cost is what a student's
program would lose. A source mutant is the reference with one change of its source. It has to be run, which takes time:
case by case, the most telling first, until one notices; its cost is what that case alone takes, and so the least.

Families make the output mutants of one kind for a test: they write something else, or to another stream, or answer for
another case; end in another way; or leave other files behind; and each kind of case has mutants of its own. To add a
family, write a generator and enter it in `FAMILIES`.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from fnmatch import fnmatchcase
from fractions import Fraction
from functools import cached_property, partial
from signal import SIGSEGV
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from grader.check.expected_results import Scene
from grader.check.text_edits import EDITS, TextEdit, change_last_number, split_lines
from grader.core.bounded_regex import lines_that_count
from grader.core.comparators import COMPARATORS
from grader.core.deviations.table import TEXT_KINDS
from grader.core.judge.totals import charge_once, judge_test, least_share_lost, meets_need, overall
from grader.core.kind import KINDS
from grader.core.model.execution import Execution
from grader.core.model.report import CaseResult, TestResult, Verdict
from grader.core.model.spec import ANYTHING, STREAMS, Expected, Leaf, Spec, Stream, Test
from grader.core.pipeline import Course, judged
from grader.core.scoring import score_tests
from grader.core.text import quote
from grader.kinds import Flaw, flaw

Fault = Callable[[Scene], Execution | None]
"""Returns what a program does in a case when it is wrong there; None when it is not."""

BrokenRule = Literal["visible", "layout", "source"]
"""What is broken: a rule that the document states; blanks, line ends and capitals; whatever the changed source does."""


class Mutant(Struct, frozen=True, kw_only=True):
    """A program that is wrong in one way."""

    name: str  # `listing/stdout/order`, as `equivalent` in the spec names it
    about: str  # what is wrong with it, in a few words
    apply: Callable[[Scene], Execution]
    """returns what it does in a case: the very execution that is right, where it does nothing else; raises HostError
    when it cannot be run"""
    rule: BrokenRule = "visible"
    sort: str = ""  # of a source mutant: what is changed, in a word or two
    named: frozenset[str] = frozenset()  # the deviations that name it rightly; none when there is no name for it

    kind = property(lambda self: "source" if self.rule == "source" else "output")  # what of the reference is changed


class Scope(Struct, frozen=True, kw_only=True, dict=True):
    """Where an output mutant is wrong: in a test, and wherever else a program is given the same."""

    test: Test
    scenes: tuple[Scene, ...]  # the test's own
    every: tuple[Scene, ...]  # of all tests
    course: Course | None = None  # for programs that have to be run; None where nothing is

    def mutant(
        self, name: str, about: str, fault: Fault, *, rule: BrokenRule = "visible", named: Sequence[str] = ()
    ) -> Mutant:
        """Make a mutant that has the fault within this scope."""
        given = {scene.given for scene in self.scenes}

        def apply(scene: Scene) -> Execution:
            wrong = fault(scene) if scene.given in given else None
            return scene.right if wrong is None else wrong

        return Mutant(name=f"{self.test.name}/{name}", about=about, apply=apply, rule=rule, named=frozenset(named))

    def mutant_in(self, at: Scene, group: str, fault: Fault) -> Mutant:
        """Make a mutant that has the fault in one case alone."""
        return self.mutant(
            f"{group}/only{at.case.id.removeprefix(self.test.name) or '[1]'}",
            f"wrong in {at.case.id} alone",
            lambda scene: fault(scene) if scene.given == at.given else None,
        )

    @cached_property
    def by_input(self) -> Mapping[str, list[Scene]]:
        """The scenes in which a program is given the same, by what that is."""
        by_input: dict[str, list[Scene]] = {}
        for scene in self.every:
            by_input.setdefault(scene.given, []).append(scene)
        return by_input

    def asked(self, stream: Stream, scene: Scene, part: Literal["leaves", "denied"] = "leaves") -> list[Leaf]:
        """Return with what a stream is compared, or what is denied in it, wherever a program is given the same."""
        return [leaf for twin in self.by_input[scene.given] for leaf in getattr(_asked_of(twin, stream), part)]

    def is_compared(self, stream: Stream, scene: Scene) -> bool:
        """Whether a stream may not hold just anything."""
        return bool(self.asked(stream, scene) or self.asked(stream, scene, "denied"))

    def has_layout(self, stream: Stream) -> bool:
        """Whether every line of a stream is compared in any case."""
        return any(_is_whole(self.asked(stream, scene)) for scene in self.scenes)


def _asked_of(scene: Scene, stream: Stream) -> Expected:
    return getattr(scene.case.expect, stream) or ANYTHING


def _is_whole(leaves: Iterable[Leaf]) -> bool:
    """Whether any of these comparisons says how every line looks, and leaves no layout to the program."""
    return any(COMPARATORS[leaf.how].prescribes == "lines" and not leaf.is_selective for leaf in leaves)


def scopes(spec: Spec, scenes: Sequence[Scene], course: Course | None = None) -> Iterator[Scope]:
    """Yield a scope for each test, but one only where two tests give a program the same things throughout."""
    seen: set[frozenset[str]] = set()
    for test in spec.tests:
        own = tuple(scene for scene in scenes if scene.test is test)
        given = frozenset(scene.given for scene in own)
        if own and given not in seen:
            seen.add(given)
            yield Scope(test=test, scenes=own, every=tuple(scenes), course=course)


# ---------------------------------------------------------------- texts


def _is_fit(family: str, *scenes: Scene) -> bool:
    """Whether the mutants of a family say something about cases, for their kind."""
    return not any(scene.case.payload is not None and family in scene.case.payload.unfit_mutants for scene in scenes)


def _mutate_texts(scope: Scope) -> Iterator[Mutant]:
    """Yield the mutants that write something else to one stream."""
    for stream in STREAMS:
        has_layout = scope.has_layout(stream)
        for edit in EDITS:
            named = edit.named if has_layout else ()
            fault = partial(_edit_stream, scope, stream, edit)
            rule: BrokenRule = "layout" if edit.name in TEXT_KINDS else "visible"
            yield scope.mutant(f"{stream}/{edit.name}", edit.about, fault, rule=rule, named=named)


def _edit_stream(scope: Scope, stream: Stream, edit: TextEdit, scene: Scene) -> Execution | None:
    leaves, denied = scope.asked(stream, scene), scope.asked(stream, scene, "denied")
    if not _is_fit("texts", scene) or not (leaves or denied) or (edit.whole and not _is_whole(leaves)):
        return None
    right: bytes = getattr(scene.right, stream)
    text = edit.change(right)
    if text is not None and not denied and all(leaf.is_selective for leaf in leaves):
        ways = sorted({(leaf.only, leaf.skip, leaf.part) for leaf in leaves})
        chosen = [partial(lines_that_count, only=only, skip=skip, part=part) for only, skip, part in ways]
        if all(choose(text) == choose(right) for choose in chosen):  # the edit is in a line that no comparator reads
            only, skip, part = ways[0]
            whole = lines_that_count(right, only=only, skip=skip)
            text = _edit_parts(edit, whole, chosen[0](right)) if part else edit.change(whole)
    return None if text is None else replace(scene.right, **{stream: text})


def _edit_parts(edit: TextEdit, lines: bytes, parts: bytes) -> bytes | None:
    """Change the compared parts of lines wherever their texts stand; None where that changes how many there are."""
    changed = edit.change(parts)
    if changed is None or len(changed.splitlines()) != len(parts.splitlines()):
        return None
    for before, after in zip(parts.splitlines(), changed.splitlines(), strict=True):
        lines = lines.replace(before, after) if before else lines
    return lines


def _mutate_denied(scope: Scope) -> Iterator[Mutant]:
    """Yield the mutants that write what must not be there, behind what is right or in its place."""
    for stream in STREAMS:
        leaves = [leaf for scene in scope.scenes for leaf in scope.asked(stream, scene, "denied")]
        denied = {(leaf.how, text) for leaf in leaves if leaf.how in ("contains", "text") for text in leaf.want or ()}
        for at, (how, text) in enumerate(sorted(denied), 1):
            about = f"writes {quote(text)} to {STREAMS[stream]}, which must not be there"
            yield scope.mutant(f"{stream}/denied-{at}", about, partial(_write_denied, scope, stream, how, text))


def _write_denied(scope: Scope, stream: Stream, how: str, text: str, scene: Scene) -> Execution | None:
    denied = [leaf.want or () for leaf in scope.asked(stream, scene, "denied") if leaf.how == how]
    if not _is_fit("denied", scene) or not any(text in want for want in denied):
        return None
    wrong = text.encode(errors="surrogatepass")
    wrong = wrong if how == "text" else getattr(scene.right, stream) + wrong + b"\n"
    return replace(scene.right, **{stream: wrong})


def _mutate_streams(scope: Scope) -> Iterator[Mutant]:
    """Yield the mutants that write the right text to the wrong stream."""

    def exchange(scene: Scene) -> Execution | None:
        is_checked = _is_fit("streams", scene) and any(scope.is_compared(stream, scene) for stream in STREAMS)
        return replace(scene.right, stdout=scene.right.stderr, stderr=scene.right.stdout) if is_checked else None

    def split(scene: Scene) -> Execution | None:
        lines = split_lines(scene.right.stdout or scene.right.stderr)
        middle = len(lines) // 2
        if (scene.right.stdout and scene.right.stderr) or not middle or exchange(scene) is None:
            return None
        return replace(scene.right, stdout=b"".join(lines[:middle]), stderr=b"".join(lines[middle:]))

    yield scope.mutant("stdout/wrong-stream", "the streams exchanged", exchange, named=["wrong-stream"])
    if any(map(scope.has_layout, STREAMS)):
        yield scope.mutant("stdout/split-streams", "half on each stream", split, named=["split-streams"])


def _mutate_answers(scope: Scope) -> Iterator[Mutant]:
    """Yield the mutants that give the right answer to another case, of the same command, in one case alone."""
    for scene in scope.scenes:
        at = next(at for at, candidate in enumerate(scope.every) if candidate is scene)
        others = [*scope.every[at + 1 :], *scope.every[:at]]
        yield scope.mutant_in(scene, "answers", partial(_answer_other, scope, others))


def _answer_other(scope: Scope, others: Iterable[Scene], scene: Scene) -> Execution | None:
    """Return what a program does that answers as it should in the first of other cases in which that differs."""
    looked_at = [stream for stream in STREAMS if scope.is_compared(stream, scene)]
    for source in others:
        is_alike = _is_fit("answers", scene, source) and scene.case.command == source.case.command
        if is_alike and any(getattr(scene.right, part) != getattr(source.right, part) for part in looked_at):
            return replace(scene.right, stdout=source.right.stdout, stderr=source.right.stderr)
    return None


# ---------------------------------------------------------------- endings and files


def _mutate_endings(scope: Scope) -> Iterator[Mutant]:
    """Yield the mutants that do all that is right, and end in another way."""

    def other_status(scene: Scene) -> Execution | None:
        is_open = all(twin.case.expect.exit == "any" for twin in scope.by_input[scene.given])
        status = scene.right.status
        return None if is_open or status is None else replace(scene.right, status=0 if status else 1)

    def crash(scene: Scene) -> Execution | None:
        return replace(scene.right, status=None, signal=SIGSEGV) if _is_fit("crash", scene) else None

    yield scope.mutant("exit/status", "ends with another status", other_status, named=["exit-status"])
    yield scope.mutant("exit/crash", "crashes when all is done", crash)


def _mutate_files(scope: Scope) -> Iterator[Mutant]:
    """Yield the mutants that omit a required file, write a forbidden one, or write another text."""
    alike = (twin for scene in scope.scenes for twin in scope.by_input[scene.given])
    asked = [twin.case.expect.files for twin in alike if twin.case.expect.files]
    for name in dict.fromkeys(name for files in asked for name in (*files.present, *files.contents)):
        yield scope.mutant(f"files/missing-{name}", f"leaves no {name}", partial(_remove_files, name))
    for pattern in dict.fromkeys(pattern for files in asked for pattern in files.absent):
        yield scope.mutant(f"files/left-{pattern}", f"leaves {pattern} behind", partial(_leave_file, pattern))
    for name, content in {name: content for files in asked for name, content in files.contents.items()}.items():
        if _is_whole(content.leaves):
            fault = partial(_edit_file, name, lambda text: text + b"more\n")
            yield scope.mutant(f"files/other-{name}", f"writes a line too much to {name}", fault)
        else:
            fault = partial(_edit_file, name, lambda text: change_last_number(text, 1))
            yield scope.mutant(f"files/number-{name}", f"a number in {name} is wrong", fault)
            fault = partial(_edit_file, name, lambda text: b"" if text else None)
            yield scope.mutant(f"files/empty-{name}", f"leaves {name} empty", fault)


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
    name = re.sub(r"[*?]|\[.*?\]", "x", pattern)
    if not fnmatchcase(name, pattern) or name in scene.right.names:
        return None
    return replace(scene.right, names=tuple(sorted((*scene.right.names, name))))


# ---------------------------------------------------------------- all of them

FAMILIES: Mapping[str, Callable[[Scope], Iterator[Mutant]]] = {  # what changes nothing in a scope is left out later
    "texts": _mutate_texts,
    "denied": _mutate_denied,
    "streams": _mutate_streams,
    "answers": _mutate_answers,
    "endings": _mutate_endings,
    "files": _mutate_files,
    **{kind.name: kind.mutants for kind in KINDS.values() if kind.mutants},
}


def output_mutants(spec: Spec, scenes: Sequence[Scene], course: Course | None = None) -> Iterator[Mutant]:
    """Yield the mutants that are the right program with a fault on its way out; some change nothing at all."""
    for scope in scopes(spec, scenes, course):
        for family in FAMILIES.values():
            yield from family(scope)
    # Then a program that has the answers of all visible tests written into it, and no others.
    visible = {scene.given for scene in scenes if scene.test.visibility == "visible"}

    def visible_only(scene: Scene) -> Execution:
        facts = scene.right.facts and scene.right.facts.silent
        silent = replace(scene.right, stdout=b"", stderr=b"", names=(), files={}, facts=facts)
        return scene.right if scene.given in visible else silent

    yield Mutant(name="all/visible-only", about="right only in the cases that students see", apply=visible_only)


# ---------------------------------------------------------------- a mutant on trial


class Fate(StrEnum):
    """What became of a mutant."""

    SURVIVED = "survived"  # it loses no points, and nothing says that it may: these come first in the table
    KILLED = "killed"  # it loses points
    TOLERATED = "tolerated"  # its deviation is named, and costs nothing by the spec's own word
    EQUIVALENT = "equivalent"  # the spec says, with a reason, that it is not wrong
    SAME = "same"  # it does nothing else than what is right


class Trial(Struct, frozen=True, kw_only=True):
    """What became of one mutant."""

    mutant: Mutant
    outcome: Fate
    noticed: str | None = None  # the first case that noticed it
    verdict: str | None = None  # that case's
    message: str | None = None  # that case's sentence
    cost: Fraction = Fraction(0)  # points
    cost_is_least: bool = False  # whether it may cost more: not every case was run
    deviations: tuple[str, ...] = ()  # the kinds that were named
    named: bool | None = None  # whether they are the right ones; None when there is no name for what is wrong
    reason: str | None = None  # why it is no mistake, for an equivalent one
    seconds: float = 0.0  # what its runs took, without those that they waited for a processor


def _judge_in(scene: Scene, execution: Execution, course: Course) -> CaseResult:
    return judged(scene.case, execution, scene.expected, course, of_reference=scene.by_reference)


def _try_in(mutant: Mutant, scenes: Iterable[Scene], course: Course) -> Iterator[tuple[Scene, Execution, CaseResult]]:
    """Yield the cases in which a mutant does something else, with what that is and how it is judged."""
    for scene in scenes:
        execution = mutant.apply(scene)
        if execution is not scene.right and execution != scene.right:
            yield scene, execution, _judge_in(scene, execution, course)


def try_outputs(mutants: Iterable[Mutant], scenes: Sequence[Scene], course: Course) -> Iterator[Trial]:
    """Judge output mutants in all cases."""
    right = {scene.case.id: _judge_in(scene, scene.right, course) for scene in scenes}
    score = _score_of(course, right)
    for mutant in mutants:
        tried = [(scene, result) for scene, _, result in _try_in(mutant, scenes, course)]
        if not tried:
            yield Trial(mutant=mutant, outcome=Fate.SAME)
            continue
        changed = {scene.case.id: result for scene, result in tried}
        trial = _conclude(mutant, [*changed.values()], score - _score_of(course, {**right, **changed}))
        # Named rightly is what most of the cases in which it is wrong name, and nothing but what is wrong. Where a text
        # is compared line by line, every deviation can be named.
        whole = [result for scene, result in tried if any(_is_whole(_asked_of(scene, key).leaves) for key in STREAMS)]
        named = [{deviation.kind for deviation in result.deviations} for result in whole or changed.values()]
        rightly = sum(bool(kinds) and kinds <= mutant.named for kinds in named)
        yield replace(trial, named=2 * rightly > len(named)) if mutant.named else trial


def try_source(mutant: Mutant, scenes: Sequence[Scene], course: Course) -> Trial:
    """Run a source mutant until a case notices. Raises HostError when it cannot be run."""
    noticed: list[CaseResult] = []
    failed = Counter[str]()
    seconds = 0.0
    for scene, execution, result in _try_in(mutant, scenes, course):
        seconds += max(execution.cpu, execution.time - execution.waited)
        if result.credit < 1:
            failed[scene.test.name] += 1
            share = least_share_lost(scene.test, scene.case, result.credit, failed[scene.test.name])
            if lost := scene.test.points * share:
                return replace(_conclude(mutant, [result], lost), cost_is_least=True, seconds=seconds)
        noticed += [result] if result.deviations else []
    return replace(_conclude(mutant, noticed, Fraction(0)), seconds=seconds)


def _conclude(mutant: Mutant, results: Sequence[CaseResult], cost: Fraction) -> Trial:
    noticing = [result for result in results if result.deviations or result.verdict != Verdict.PASSED]
    # One of whom we do not know what it is worth goes free: that is a fault of an interactor.
    failure = next((result for result in results if result.verdict == Verdict.UNGRADED), None)
    first = failure or min(noticing, key=lambda result: result.credit == 1, default=None)
    kinds = {deviation.kind for result in results for deviation in result.deviations}
    without_cost = Fate.TOLERATED if first and first.credit == 1 else Fate.SURVIVED
    return Trial(
        mutant=mutant,
        outcome=Fate.SURVIVED if failure else Fate.KILLED if cost else without_cost,
        noticed=first.id if first else None,
        verdict=str(first.verdict) if first else None,
        message=(first.message.text or None) if first else None,
        cost=cost,
        deviations=tuple(sorted(kinds)),
    )


def _score_of(course: Course, results: Mapping[str, CaseResult]) -> Fraction:
    """Return the score with these judgements; cases without one count nothing, and so do tests whose needs fail."""
    tests: list[TestResult] = []
    unmet: set[str] = set()
    for test in course.spec.tests:
        cases = tuple(results[case.id] for case in test.cases if case.id in results)
        if cases and unmet.isdisjoint(test.needs):
            tests.append(judge_test(test, cases))
            unmet |= set() if meets_need(tests[-1], course.spec.once) else {test.name}
    return overall(score_tests(charge_once(tests, course.spec.once), course.scorers))[1] or Fraction(0)


def set_equivalent_aside(
    trials: Sequence[Trial], untried: Sequence[str], equivalent: Mapping[str, str]
) -> tuple[tuple[Trial, ...], tuple[Flaw, ...]]:
    """Exclude the survivors that the spec calls equivalent.

    Return all trials, and what is wrong with the markings: one that matches no mutant, also of those that were
    `untried`, or only such as are noticed.
    """

    def matches(pattern: str, name: str) -> bool:
        return pattern == name or fnmatchcase(name, pattern)

    def settle(trial: Trial) -> Trial:
        reasons = (reason for pattern, reason in equivalent.items() if matches(pattern, trial.mutant.name))
        reason = next(reasons, None) if trial.outcome == Fate.SURVIVED else None
        return trial if reason is None else replace(trial, outcome=Fate.EQUIVALENT, reason=reason)

    wrong = []
    for at, pattern in enumerate(equivalent):
        fates = {trial.outcome for trial in trials if matches(pattern, trial.mutant.name)} - {Fate.SAME}
        if Fate.SURVIVED not in fates and not any(matches(pattern, name) for name in untried):
            wrong.append(flaw(f"equivalent[{at}]", pattern=pattern, is_noticed=bool(fates)))
    return tuple(map(settle, trials)), tuple(wrong)
