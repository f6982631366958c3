"""Whether the reference gives the same answer again: it is asked a second time, under other conditions.

Answers are cached, so an answer that depends on the time, on chance or on the working folder would never be noticed: a
student's program is compared with what the reference once said. The second answer is judged against the first as a
student's is, so what a case tolerates is no difference. Where they differ, further runs change one condition at a time.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import zip_longest
from typing import Any

from msgspec.structs import replace

from grader.check.expected_results import AnswerDoubt, ReferenceResult
from grader.core.course import with_references
from grader.core.errors import CourseProgramError, GraderError, HostError
from grader.core.lazy import lazy_regex
from grader.core.model.execution import Execution, SandboxPlace
from grader.core.model.layout import contents_of, unread
from grader.core.model.report import CaseResult
from grader.core.model.spec import Case
from grader.core.oracle.answers import AskingConditions, Clock, clock_library_for, one_processor
from grader.core.pipeline import Course, judged, reference_execution
from grader.core.text import joined, one_line, quote_difference
from grader.core.threads import in_order

MAX_GENERATED = 5  # generated cases of a test that are asked a second time
MAX_FURTHER_RUNS = 30  # runs with other orders of hash tables, of all cases together
_FURTHER_SEEDS = (1, 3, 4, 5)
_TURNS, _RETRIES = (11, 21, 31), 2  # numbers of runs under conditions that are the same; of further ones that fail
_MAX_FURTHER_SECONDS, _MAX_FURTHER_BYTES = 1.0, 2**20  # above either it is not asked that often, or read further
_MAX_TEXT = 300  # characters of a message about an answer
# What of an execution is judged: most second answers are the first one again, and need no judge.
_JUDGED = "status signal limit stdout stderr names files stop transcript interaction facts also"
_ASKS_MACHINE = lazy_regex(
    rb"(?i:time|(?<!up)(?<!vali)(?<!candi)date|clock|today|year|cpu_?count|nprocessors|get_nprocs|hardware_concurrency)"
    rb"|\b[Nn]ow\b|Now"
)
"""what a source names that may ask for the time or for all processors: another clock takes a compiler and a build"""
_LACKS_ORDER = lazy_regex(
    rb"(?i:rand|shuffle|sample|choice|uuid|hash)|\b(?:set|pairs|keys|values|each|select)\b|frozenset|\bid\(|Identity"
    rb"|=\s*range\b|\b(?:Set|Map)\.(?:of|copyOf)|\{\s*['\"\w][^:;{}\n,]*,[^:;{}\n]*\}"
)
"""what a source names whose order a second run may have again by accident: only it is worth further runs"""

_CHANCE = "the time, on chance, on an address in memory or on the order of a hash table"
_PROCESSORS, _LOCALE, _TIME = "the number of processors", "the locale", "the time"
_BUILD = "the time or the folder of its build"
_CHANGES: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "the working folder": ("print no path of it", {"work": "/work/elsewhere"}),
    "the home folder": ("print no path of it", {"home": "/home/somebody"}),
    "the user": ("print nothing of it", {"user": 1717, "name": "somebody"}),
    "the name of the machine": ("do not print it", {"host": "elsewhere"}),
    "the order in which a folder lists its files": ("sort the names", {"reverses_files": True}),
    "its process id": ("print nothing of it, and seed no generator with it", {"is_child": True}),
    _PROCESSORS: ("print nothing of it, and let no thread overtake another", {}),
    _LOCALE: ("name the encoding, and print nothing of it", {"locale": "C"}),
    "memory that was never set": ("set it before it is read", {"fill": 0xA5}),
    "the order of a hash table": ("sort what is printed", {"hash_seed": 2}),
    _TIME: ("use a fixed time", {}),
    _BUILD: ("print nothing of it", {}),
}
"""on what an answer may depend -> what to do, and what is changed of the conditions, or of their place, to see it"""
_AT_FULL = {*SandboxPlace.__struct_fields__, "is_child"}  # what can be changed at the level `full` alone
_PLAIN = AskingConditions(hash_seed=_FURTHER_SEEDS[0])
_STEADY = "give the generator a fixed seed, sort what is printed, print neither a time nor an address"


def ask_again(course: Course, answers: Sequence[ReferenceResult], jobs: int) -> tuple[ReferenceResult, ...]:
    """Return the answers of `ask_all`, with what a second answer of the reference leaves in doubt.

    Of the generated cases of a test a few are asked, of all others each.
    """
    if not (chosen := set(_chosen(answers))):
        return tuple(answers)
    asker = _SecondAsker(course)
    seeds = _FURTHER_SEEDS[: MAX_FURTHER_RUNS // len(chosen)]
    tasks = [partial(asker.ask_once_more, one, seeds if at in chosen else None) for at, one in enumerate(answers)]
    return tuple(in_order(tasks, jobs, course.cancelled.set))


def are_all_asked_twice(answers: Sequence[ReferenceResult]) -> bool:
    """Whether a second answer was had in each case in which one was asked for: the machine may have failed."""
    return all(answers[at].is_asked_twice for at in _chosen(answers))


def find_doubt(case: Case, first: Execution, course: Course) -> AnswerDoubt | None:
    """Return in what a second answer of the reference to one case differs from its `first`; None when it does not."""
    answer = ReferenceResult(test=course.spec.tests[0], case=case, execution=first)
    return _SecondAsker(course).ask_once_more(answer, _FURTHER_SEEDS).doubt


def _chosen(answers: Sequence[ReferenceResult]) -> Iterator[int]:
    """Yield the places of those that are asked again: of one that cannot be started, only the message differs."""
    groups: dict[object, list[int]] = {}
    for at, one in enumerate(answers):
        if one.execution and one.result and one.result.cause != "cannot-start":
            groups.setdefault(one.test.name if one.case.is_generated else at, []).append(at)
    for group in groups.values():
        yield from group[:: -(-len(group) // MAX_GENERATED)]


class _SecondAsker:
    """Asks the reference of a course again, and compares what it answers as the cases do."""

    def __init__(self, course: Course) -> None:
        self._course = self._rebuilt = course
        self._causes: dict[str, tuple[str, ...]] = {}  # of the first doubt in each test
        self._is_full = course.sandbox.info.level == "full"
        specs = [course.spec.with_reference(name) for name in ("", *course.spec.references)]
        files = () if isinstance(course.reference, HostError) else course.reference.values()
        commands = (" ".join(spec.reference or ()).encode() for spec in specs)
        self._sources = [one[:_MAX_FURTHER_BYTES] for one in (*files, *commands)]
        asks_machine = any(map(_ASKS_MACHINE.search, self._sources))
        self._lacks_order = any(map(_LACKS_ORDER.search, self._sources))
        changes = {cause: change for cause, (_, change) in _CHANGES.items()} | {
            _PROCESSORS: {"processors": one_processor()}
        }
        self._changes = {name: one for name, one in changes.items() if self._is_full or not _AT_FULL & one.keys()}
        self._has_clock = asks_machine and self._is_full and bool(self._with_clock("past").clock_library)
        if asks_machine and not self._has_clock:  # another second is waited for
            time.sleep(1 - time.time() % 1)
        if asks_machine and any(spec.reference_work and spec.reference_work.build for spec in specs):
            # A tool of the build goes by the age of files, and so by the order in which they are made.
            other = replace(self._conditions(*self._changes), reverses_files=False, is_child=False, locale="")
            self._rebuilt = with_references(course, self._with_clock("past", other))

    def _conditions(self, *causes: str) -> AskingConditions:
        """Return the conditions of a plain run in which something is changed for each of these causes."""
        changed: dict[str, Any] = {"hash_seed": _PLAIN.hash_seed}
        for cause in causes:
            changed |= self._changes[cause]
        place = {name: changed.pop(name) for name in SandboxPlace.__struct_fields__ if name in changed}
        return AskingConditions(place=SandboxPlace(**place), **changed)

    def _with_clock(self, clock: Clock, conditions: AskingConditions = _PLAIN) -> AskingConditions:
        """Return the conditions at another time, where the reference asks for it and a clock can be changed.

        With it, and also with the present, the processors are counted that may be used.
        """
        course = self._course
        found = clock_library_for(clock, level=course.surroundings, cache=course.cache, run=course.execute)
        return replace(conditions, clock=clock, clock_library=found) if found else conditions

    def ask_once_more(self, answer: ReferenceResult, seeds: Sequence[int] | None) -> ReferenceResult:
        """Return an answer with the first further run that differs from it; as it is where `seeds` is None."""
        first, case = answer.execution, answer.case
        if first is None or seeds is None:
            return answer
        is_small = first.time < _MAX_FURTHER_SECONDS and first.size < _MAX_FURTHER_BYTES
        further = [AskingConditions(hash_seed=seed) for seed in seeds if self._lacks_order and is_small]
        other = self._conditions(*self._causes_in(case, first))
        for conditions in (self._with_clock("past", other) if self._has_clock else other, *further):
            second = self._ask(case, conditions, rebuilt=conditions not in further)
            if isinstance(second, HostError) and not isinstance(second, CourseProgramError):
                return answer  # of this machine, which says nothing of the reference
            if self._differ(case, first, second) and (causes := self._find_causes(answer, first, other)):
                one, two = self._show(case, first, second)
                return replace(answer, is_asked_twice=True, doubt=AnswerDoubt(first=one, second=two, causes=causes))
        return replace(answer, is_asked_twice=True)

    def _causes_in(self, case: Case, first: Execution) -> Sequence[str]:
        """Return what can be changed; the locale where nothing has a letter beyond ASCII: each run is in UTF-8."""
        given = [unread(case, "stdin"), *contents_of(case.files).values(), *map(str.encode, case.args)]
        seen = [*self._sources, *given, first.stdout, first.stderr, *first.files.values()]
        is_ascii = all(isinstance(one, bytes) and one.isascii() for one in seen)
        return [cause for cause in self._changes if cause != _LOCALE or is_ascii]

    def _ask(self, case: Case, conditions: AskingConditions, *, rebuilt: bool = False) -> Execution | GraderError:
        """Return what the reference does, perhaps as it was built again.

        What a program sees of the means by which the conditions are brought about is no answer: it is asked without.
        """
        course = self._rebuilt if rebuilt else self._course
        found = reference_execution(case, course, conditions)
        written = [found.stdout, found.stderr, *found.files.values()] if isinstance(found, Execution) else []
        if conditions.is_shown_in(b"\n".join(written) or f"{found} {getattr(found, 'output', '')}".encode()):
            conditions = replace(conditions, hash_seed=None, fill=None, locale="", clock=None, clock_library=b"")
            found = reference_execution(case, course, conditions)
        for more in range(1, _RETRIES + 1):
            if isinstance(found, CourseProgramError):  # of which a busy machine may have been the cause
                found = reference_execution(case, course, replace(conditions, turn=conditions.turn + more))
        return found

    def _differ(self, case: Case, one: Execution | GraderError, other: Execution | GraderError) -> bool:
        """Whether two runs are two answers, by what the case compares."""
        if isinstance(one, GraderError) or isinstance(other, GraderError):
            return isinstance(one, GraderError) != isinstance(other, GraderError)
        if all(getattr(one, name) == getattr(other, name) for name in _JUDGED.split()):
            return False
        before, found = (self._judge(case, one, run) for run in (one, other))
        return before is not None and found is not None and found.credit != before.credit

    def _judge(self, case: Case, first: Execution, second: Execution) -> CaseResult | None:
        """Judge the second answer, with the first as what is expected; None where that fails, as a check may."""
        try:
            return judged(case, second, first if case.asks_reference else None, self._course, of_reference=True)
        except GraderError:
            return None

    def _show(self, case: Case, one: Execution, other: Execution | GraderError) -> tuple[str, str]:
        """Return the two answers, a line each, where they first differ."""
        if isinstance(other, GraderError):
            return "it came to an end", one_line(str(other), _MAX_TEXT)
        status, names = case.expect.exit != "any", sorted({*one.files, *other.files})
        parts = (
            [
                f"exit status {run.shell_exit_status}".encode() if status else b"",
                *(run.stdout, run.stderr, *(run.files.get(name, b"") for name in names)),
                "\n".join(run.names).encode(),
            ]
            for run in (one, other)
        )
        for first, second in zip(*parts, strict=True):
            lines = zip_longest(first.splitlines(), second.splitlines(), fillvalue=b"")
            if first != second:
                return quote_difference(*next((pair for pair in lines if pair[0] != pair[1]), (first, second)))
        told = (found.message.text if (found := self._judge(case, one, shown)) else "" for shown in (one, other))
        first_text, second_text = (one_line(text, _MAX_TEXT) or "it was right" for text in told)
        return first_text, second_text

    def _find_causes(self, answer: ReferenceResult, first: Execution, other: AskingConditions) -> tuple[str, ...]:
        """Return on what the answers in a test depend, as ends of a sentence; none where our clock alone is to blame.

        That is each condition with which alone the answer is another, where it is the same without any.
        """
        case, name = answer.case, answer.test.name
        if name in self._causes:
            return self._causes[name]

        def differs(
            conditions: AskingConditions, *, rebuilt: bool = False, of: Execution | GraderError = first
        ) -> bool:
            return self._differ(case, of, self._ask(case, conditions, rebuilt=rebuilt))

        once = self._ask(case, replace(_PLAIN, turn=_TURNS[0]))
        chance: tuple[str, ...] = (_CHANCE if self._is_full else f"{_CHANCE}, or on the folder in which it runs",)
        if not differs(replace(_PLAIN, turn=_TURNS[1]), of=once):
            alone = {cause: self._conditions(cause) for cause in self._causes_in(case, first)}
            if self._has_clock:
                alone[_PROCESSORS] = self._with_clock("present", alone[_PROCESSORS])
            causes = [cause for cause, one in alone.items() if one != _PLAIN and differs(one, of=once)]
            # Who waits until a time waits for ever in the future, which shows nothing.
            times = [self._ask(case, self._with_clock(clock)) for clock in ("past", "future") if self._has_clock]
            is_of_time = all(isinstance(one, Execution) and self._differ(case, once, one) for one in times)
            causes += [_TIME] if times and is_of_time else []
            is_built = self._rebuilt is not self._course
            causes += [_BUILD] if is_built and differs(_PLAIN, rebuilt=True, of=once) else []
            if not causes and self._has_clock and not differs(other, rebuilt=True):
                again = replace(self._with_clock("past", other), turn=_TURNS[2])
                return () if differs(again, rebuilt=True) else chance
            is_chance = not causes or differs(replace(_PLAIN, turn=_TURNS[2]), of=once)  # and alike by accident before
            chance = chance if is_chance else tuple(causes)
        return self._causes.setdefault(name, chance)


def describe_doubt(doubt: AnswerDoubt) -> str:
    """Say that the second answer is another one, on what it depends, and what to do."""
    causes = joined([f"on {cause}" for cause in doubt.causes])
    cures = "; ".join(dict.fromkeys(_CHANGES.get(cause, (_STEADY,))[0] for cause in doubt.causes))
    told = f"asked twice, the reference gives two answers: first {doubt.first}, then {doubt.second}"
    otherwise = "or, where many answers are right, write a check or a pattern for `expect`"
    return f"{told}. The answer depends {causes}: {cures}; {otherwise}"


def count_generated(answers: Sequence[ReferenceResult]) -> tuple[int, int]:
    """Return how many generated cases were asked twice, and how many there are."""
    generated = [one for one in answers if one.case.is_generated and one.execution]
    return sum(one.is_asked_twice for one in generated), len(generated)
