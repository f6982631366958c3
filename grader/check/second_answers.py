"""Whether the reference gives the same answer again: it is asked a second time, under other conditions.

Answers are cached, so an answer that depends on the time, on chance or on the working folder would never be noticed: a
student's program is compared with what the reference once said. The second answer is judged against the first as a
student's is, so what a case tolerates is no difference. Where they differ, further runs change one condition at a time.
"""

import re
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import PurePosixPath

from msgspec.structs import replace

from grader.check.expected_results import AnswerDoubt, ReferenceResult
from grader.core.course import with_references
from grader.core.errors import CourseProgramError, GraderError, HostError
from grader.core.lazy import lazy_regex
from grader.core.model.execution import Execution, SandboxPlace
from grader.core.model.judgement import CaseResult
from grader.core.model.spec import Case
from grader.core.model.stored_file import contents_of, unread
from grader.core.oracle.conditions import AskingConditions, Clock, clock_library_for, one_processor
from grader.core.pipeline import Course, judged, reference_execution
from grader.core.text import joined, one_line, quote_difference
from grader.core.threads import in_order

MAX_GENERATED = 5  # generated cases of a test that are asked a second time
MAX_FURTHER_RUNS = 30  # runs with other orders of hash tables, of all cases together
_FURTHER_SEEDS = (2, 3, 4, 5)
_TURNS = (11, 21, 31)  # numbers of runs under conditions that are the same
_RETRIES = 2
_MAX_FURTHER_SECONDS = 1.0
_MAX_FURTHER_BYTES = 2**20  # a reference that takes longer, or writes more, is not asked that often
_MAX_TEXT = 300  # characters of a message about an answer
_MAX_SEARCHED_BYTES = 2**20
_OTHER_LOCALE = "C"
_OTHER_PLACE = SandboxPlace(work="/work/elsewhere", home="/home/somebody", user=1717, name="somebody", host="elsewhere")
_ANY_TIME = lazy_regex(rb"(?i:time|(?<!up)(?<!vali)(?<!candi)date|clock|today|year)|\b[Nn]ow\b|Now")
"""what a source names that may ask for the time; more than that does"""
_ALL_PROCESSORS = lazy_regex(rb"(?i)cpu_?count|nprocessors|get_nprocs|hardware_concurrency")
"""what a source names that counts the processors of the machine, also those that it may not use"""
_WAIT_UNTIL = lazy_regex(rb"timed_?(?:wait|lock)|wait_until|try_\w*lock_until")
_CHANCE_IN_ANY = rb"(?i:rand|shuffle|sample|choice|uuid)"
_NO_ORDER: Mapping[str, bytes] = {
    ".py": rb"\bset\b|frozenset|\bhash\(|\bid\(|\{\s*['\"\w][^:;{}\n]*,[^:;{}\n]*\}",
    ".pl": rb"\b(?:keys|values|each)\b",
    ".lua": rb"\bpairs\b",
    ".go": rb"\brange\b|\bselect\b",
    ".rs": rb"\bHash(?:Map|Set)\b",
    ".java": rb"\b(?:Set|Map)\.(?:of|copyOf)|[hH]ashCode|Identity",
}
"""ending of a source -> what it names whose order, or value, may be another in each run"""

_FOLDER, _HOME, _USER, _HOST = "the working folder", "the home folder", "the user", "the name of the machine"
_LISTING, _PROCESS = "the order in which a folder lists its files", "its process id"
_PROCESSORS, _LOCALE = "the number of processors", "the locale"
_MEMORY, _BUILD, _TIME = "memory that was never set", "the time or the folder of its build", "the time"
_ORDER, _CHANCE = "the order of a hash table", "chance, on an address in memory or on the order of a hash table"
_CHANCE_OR_FOLDER = f"{_CHANCE}, or on the folder in which it runs"
_UNKNOWN = "something that is different in each run"
_STEADY = "give the generator a fixed seed, sort what is printed, print no address"
_CURES = {
    _FOLDER: "print no path of it",
    _HOME: "print no path of it",
    _USER: "print nothing of it",
    _HOST: "do not print it",
    _LISTING: "sort the names",
    _PROCESS: "print nothing of it, and seed no generator with it",
    _PROCESSORS: "print nothing of it, and let no thread overtake another",
    _LOCALE: "name the encoding, and print nothing of it",
    _MEMORY: "set it before it is read",
    _BUILD: "print nothing of it",
    _TIME: "use a fixed time",
    _ORDER: "sort what is printed",
}
_OTHERWISE = "or, where many answers are right, write a check or a pattern for `expect`"


def ask_again(course: Course, answers: Sequence[ReferenceResult], jobs: int) -> tuple[ReferenceResult, ...]:
    """Return the answers of `ask_all`, with what a second answer of the reference leaves in doubt.

    Of the generated cases of a test a few are asked, of all others each.
    """
    asker = SecondAsker(course)
    chosen = set(_chosen(answers))
    if not chosen:
        return tuple(answers)
    asker.get_ready()
    tries = MAX_FURTHER_RUNS // len(chosen) if asker.may_lack_order else 0
    ask = partial(_ask_once_more, asker, _FURTHER_SEEDS[:tries])
    tasks = [partial(ask, one) if place in chosen else lambda one=one: one for place, one in enumerate(answers)]
    found = tuple(in_order(tasks, jobs, course.cancelled.set))
    return tuple(_with_causes(found, asker))


def find_doubt(case: Case, first: Execution, course: Course) -> AnswerDoubt | None:
    """Return in what a second answer of the reference to one case differs from its `first`; None when it does not."""
    asker = SecondAsker(course)
    asker.get_ready()
    test = course.spec.tests[0]
    seeds = _FURTHER_SEEDS if asker.may_lack_order else ()
    asked = _ask_once_more(asker, seeds, ReferenceResult(test=test, case=case, execution=first))
    return next(_with_causes([asked], asker)).doubt


def _chosen(answers: Sequence[ReferenceResult]) -> Iterator[int]:
    """Yield the places of those that are asked again."""
    # Of one that cannot be started only the message about that differs.
    able = [
        place
        for place, one in enumerate(answers)
        if one.execution and one.result and one.result.cause != "cannot-start"
    ]
    generated = Counter(answers[place].test.name for place in able if answers[place].case.is_generated)
    seen = Counter[str]()
    for place in able:
        name = answers[place].test.name
        if not answers[place].case.is_generated:
            yield place
            continue
        step = -(-generated[name] // MAX_GENERATED)
        if seen[name] % step == 0:
            yield place
        seen[name] += 1


def _ask_once_more(asker: "SecondAsker", seeds: Sequence[int], answer: ReferenceResult) -> ReferenceResult:
    """Return an answer with the first further run that differs from it, where one does; its cause is not known yet."""
    first = answer.execution
    if first is None:
        return answer
    further = seeds if first.time < _MAX_FURTHER_SECONDS and first.size < _MAX_FURTHER_BYTES else ()
    other = asker.other_for(answer.case, first)
    for conditions in (other, *(AskingConditions(hash_seed=seed) for seed in further)):
        second = asker.ask(answer.case, conditions, rebuilt=conditions is other)
        if isinstance(second, HostError) and not isinstance(second, CourseProgramError):
            return answer  # of this machine, which says nothing of the reference
        if asker.differ(answer.case, first, second):
            shown = asker.show(answer.case, first, second)
            return replace(answer, is_asked_twice=True, doubt=AnswerDoubt(first=shown[0], second=shown[1]))
    return replace(answer, is_asked_twice=True)


def _with_causes(answers: Sequence[ReferenceResult], asker: "SecondAsker") -> Iterator[ReferenceResult]:
    """Yield the answers with the causes of their doubts, which are looked for once in each test."""
    known: dict[str, tuple[str, ...]] = {}
    for one in answers:
        if one.doubt is None or one.execution is None:
            yield one
            continue
        if not known.get(one.test.name):
            known[one.test.name] = asker.find_causes(one.case, one.execution)
        causes = known[one.test.name]
        yield replace(one, doubt=replace(one.doubt, causes=causes) if causes else None)


class SecondAsker:
    """Asks the reference of a course again, and compares what it answers as the cases do."""

    def __init__(self, course: Course) -> None:
        """Look at the sources of the reference for what may differ from run to run."""
        self._course = course
        self._rebuilt = course
        self._is_full = course.sandbox.info.level == "full"
        files = {} if isinstance(course.reference, HostError) else course.reference
        specs = [course.spec.with_reference(name) for name in ("", *course.spec.references)]
        commands = {"": b"\n".join(" ".join(spec.reference or ()).encode() for spec in specs)}
        sources = {name: content[:_MAX_SEARCHED_BYTES] for name, content in {**commands, **files}.items()}
        self._may_ask_time = any(_ANY_TIME.search(source) for source in sources.values())
        self._may_count_processors = any(_ALL_PROCESSORS.search(source) for source in sources.values())
        self._may_wait = any(_WAIT_UNTIL.search(source) for source in sources.values())
        unordered = {name: _NO_ORDER.get(PurePosixPath(name).suffix, _CHANCE_IN_ANY) for name in sources}
        self.may_lack_order = any(
            re.search(pattern, source)
            for name, source in sources.items()
            for pattern in (_CHANCE_IN_ANY, unordered[name])
        )
        """whether a second run may have the same order as the first by accident"""
        self._is_ascii = all(source.isascii() for source in sources.values())
        self.other = AskingConditions()  # all conditions at once

    def get_ready(self) -> None:
        """Prepare the other conditions: build the reference again under them, and have another time of day.

        Where no clock can be changed, another second is waited for.
        """
        place = _OTHER_PLACE if self._is_full else SandboxPlace()
        plain = AskingConditions(hash_seed=1, fill=0xA5, reverses_files=True, processors=one_processor())
        plain = replace(plain, is_child=self._is_full)
        self.other = replace(
            self._with_clock("past" if self._may_ask_time else "present", plain),
            place=place,
            locale=_OTHER_LOCALE if self._is_ascii else "",
        )
        if not self._may_ask_time:
            return
        if not self.other.clock_library:
            time.sleep(1 - time.time() % 1)
        works = [self._course.spec.with_reference(name).reference_work for name in ("", *self._course.spec.references)]
        if any(work and work.build for work in works):
            # A tool of the build goes by the age of files, and so by the order in which they are made.
            self._rebuilt = with_references(
                self._course, replace(self.other, reverses_files=False, is_child=False, locale="")
            )

    def other_for(self, case: Case, first: Execution) -> AskingConditions:
        """Return all conditions at once for a case of which the first answer is known."""
        return self.other if self._may_change_locale(case, first) else replace(self.other, locale="")

    def _may_change_locale(self, case: Case, first: Execution) -> bool:
        """Whether nothing here has a letter beyond ASCII: the encoding is UTF-8 in every run, which is no accident."""
        given = [unread(case, "stdin"), *contents_of(case.files).values(), *map(str.encode, case.args)]
        seen = [*given, first.stdout, first.stderr, *first.files.values()]
        return self._is_ascii and all(isinstance(one, bytes) and one.isascii() for one in seen)

    def _with_clock(self, clock: Clock, conditions: AskingConditions) -> AskingConditions:
        """Return the conditions at another time; the same where nobody asks for it, or nothing can change it.

        With the present the processors are counted that may be used.
        """
        is_asked = self._may_count_processors if clock == "present" else self._may_ask_time
        if not (is_asked and self._is_full):
            return conditions
        course = self._course
        found = clock_library_for(clock, level=course.surroundings, cache=course.cache, run=course.execute)
        return replace(conditions, clock=clock, clock_library=found) if found else conditions

    def ask(self, case: Case, conditions: AskingConditions, *, rebuilt: bool = False) -> Execution | GraderError:
        """Return what the reference does, perhaps as it was built again.

        What a program sees of the means by which the conditions are brought about is no answer: it is asked without.
        """
        course = self._rebuilt if rebuilt else self._course
        found = reference_execution(case, course, conditions)
        if conditions.is_shown_in(_all_text(found)):
            bare = replace(conditions, hash_seed=None, fill=None, locale="", clock=None, clock_library=b"")
            found = reference_execution(case, course, bare)
        for more in range(1, _RETRIES + 1):
            if not isinstance(found, CourseProgramError):  # of which a busy machine may have been the cause
                break
            found = reference_execution(case, course, replace(conditions, turn=conditions.turn + more))
        return found

    def differ(self, case: Case, one: Execution | GraderError, other: Execution | GraderError) -> bool:
        """Whether two runs are two answers, by what the case compares."""
        if isinstance(one, GraderError) or isinstance(other, GraderError):
            return isinstance(one, GraderError) != isinstance(other, GraderError)
        found = self._judge(case, one, other)
        if found is None or case.asks_reference:
            return found is not None and found.credit != 1
        before = self._judge(case, one, one)
        return before is not None and found.credit != before.credit

    def _judge(self, case: Case, first: Execution, second: Execution) -> CaseResult | None:
        """Judge the second answer, with the first as what is expected; None where that fails, as a check may."""
        try:
            return judged(case, second, first if case.asks_reference else None, self._course, of_reference=True)
        except GraderError:
            return None

    def show(self, case: Case, one: Execution, other: Execution | GraderError) -> tuple[str, str]:
        """Return the two answers, a line each, where they first differ."""
        if isinstance(other, GraderError):
            return "it came to an end", one_line(str(other), _MAX_TEXT)
        if pair := _different_lines(case, one, other):
            return quote_difference(*pair)
        results = [self._judge(case, one, shown) for shown in (one, other)]
        first, second = (one_line(found.message.text, _MAX_TEXT) if found else "" for found in results)
        return first or "it was right", second or "it was right"

    # ---------------------------------------------------------------- one condition at a time

    def find_causes(self, case: Case, first: Execution) -> tuple[str, ...]:
        """Return on what the answer to a case depends, as ends of a sentence."""
        plain = AskingConditions(hash_seed=1)
        once, again = (self.ask(case, replace(plain, turn=turn)) for turn in _TURNS[:2])
        if self.differ(case, once, again):
            return (self._cause_of_unsteadiness(case),)
        causes = tuple(cause for cause, tells in self._conditions(case, once, plain) if tells())
        if not causes and any(self._differs(case, once, replace(plain, hash_seed=seed)) for seed in _FURTHER_SEEDS):
            causes = (_ORDER,)
        if causes and self._differs(case, once, replace(plain, turn=_TURNS[2])):  # the first two were alike by accident
            return (self._cause_of_unsteadiness(case),)
        if not causes and self.differ(case, first, once):
            causes = (_TIME if self._may_ask_time else _ORDER,)
        return causes or self._causes_of_all_together(case, first)

    def _differs(self, case: Case, once: Execution | GraderError, conditions: AskingConditions) -> bool:
        return self.differ(case, once, self.ask(case, conditions))

    def _causes_of_all_together(self, case: Case, first: Execution) -> tuple[str, ...]:
        """Return what can be said where no single condition is the cause; nothing where the changed clock alone is."""
        repeated = replace(self.other_for(case, first), turn=_TURNS[2])
        if not self.differ(case, first, self.ask(case, repeated, rebuilt=True)):
            return (_CHANCE,)
        with_our_clock = replace(repeated, clock=None, clock_library=b"")
        return (_UNKNOWN,) if self.differ(case, first, self.ask(case, with_our_clock)) else ()

    def _cause_of_unsteadiness(self, case: Case) -> str:
        """Return the cause where two runs differ under the same conditions: the time, if they do not when it stops."""
        frozen = self._with_clock("frozen", AskingConditions(hash_seed=1))
        if frozen.clock:
            once, again = (self.ask(case, replace(frozen, turn=turn)) for turn in _TURNS[:2])
            if not isinstance(once, GraderError) and not self.differ(case, once, again):
                return _TIME
        chance = _CHANCE if self._is_full else _CHANCE_OR_FOLDER
        return f"{_TIME}, on {chance}" if self._may_ask_time and not frozen.clock else chance

    def _conditions(
        self, case: Case, once: Execution | GraderError, plain: AskingConditions
    ) -> Iterator[tuple[str, Callable[[], bool]]]:
        """Yield each cause with what finds out whether it is one."""
        differs = partial(self._differs, case, once)
        if self._is_full:
            for cause, place in (
                (_FOLDER, SandboxPlace(work=_OTHER_PLACE.work)),
                (_HOME, SandboxPlace(home=_OTHER_PLACE.home)),
                (_USER, SandboxPlace(user=_OTHER_PLACE.user, name=_OTHER_PLACE.name)),
                (_HOST, SandboxPlace(host=_OTHER_PLACE.host)),
            ):
                yield cause, partial(differs, replace(plain, place=place))
            yield _LISTING, partial(differs, replace(plain, reverses_files=True))
            yield _PROCESS, partial(differs, replace(plain, is_child=True))
        if processors := one_processor():
            yield _PROCESSORS, partial(differs, self._with_clock("present", replace(plain, processors=processors)))
        if isinstance(once, Execution) and self._may_change_locale(case, once):
            yield _LOCALE, partial(differs, replace(plain, locale=_OTHER_LOCALE))
        yield _MEMORY, partial(differs, replace(plain, fill=0xA5))
        past, future = (self._with_clock(clock, plain) for clock in ("past", "future"))
        if past.clock:
            # For a program that waits until a time, the library changes the present and not the end of the wait.
            yield _TIME, lambda: differs(past) and not (self._may_wait and self._is_right_or_waits(case, once, future))
        yield _BUILD, lambda: self._is_changed_by_build(case, once, plain)

    def _is_right_or_waits(self, case: Case, once: Execution | GraderError, conditions: AskingConditions) -> bool:
        found = self.ask(case, conditions)
        return isinstance(found, GraderError) or not self.differ(case, once, found)

    def _is_changed_by_build(self, case: Case, once: Execution | GraderError, plain: AskingConditions) -> bool:
        if self._rebuilt is self._course:
            return False
        return self.differ(case, once, self.ask(case, plain, rebuilt=True))


def describe_doubt(doubt: AnswerDoubt) -> str:
    """Say that the second answer is another one, on what it depends, and what to do."""
    causes = joined([f"on {cause}" for cause in doubt.causes])
    cures = "; ".join(dict.fromkeys(_CURES.get(cause, _STEADY) for cause in doubt.causes))
    answers = f"first {doubt.first}, then {doubt.second}"
    told = f"asked twice, the reference gives two answers: {answers}"
    return f"{told}. The answer depends {causes}: {cures}; {_OTHERWISE}"


def count_generated(answers: Sequence[ReferenceResult]) -> tuple[int, int]:
    """Return how many generated cases were asked twice, and how many there are."""
    generated = [one for one in answers if one.case.is_generated and one.execution]
    return sum(one.is_asked_twice for one in generated), len(generated)


def _all_text(found: Execution | GraderError) -> bytes:
    if isinstance(found, CourseProgramError):
        return f"{found} {found.output}".encode()
    if isinstance(found, GraderError):
        return str(found).encode()
    return b"\n".join([found.stdout, found.stderr, *found.files.values()])


def _different_lines(case: Case, one: Execution, other: Execution) -> tuple[bytes, bytes] | None:
    """Return the first lines in which what the case compares differs; None where no text does."""
    pairs = [
        (one.stdout, other.stdout),
        (one.stderr, other.stderr),
        *((one.files.get(name, b""), other.files.get(name, b"")) for name in sorted({*one.files, *other.files})),
        ("\n".join(one.names).encode(), "\n".join(other.names).encode()),
    ]
    if case.expect.exit != "any":
        pairs.insert(
            0, (f"exit status {one.shell_exit_status}".encode(), f"exit status {other.shell_exit_status}".encode())
        )
    for first, second in pairs:
        if first != second:
            lines = first.splitlines(), second.splitlines()
            longest = max(map(len, lines))
            padded = ([*some, *[b""] * (longest - len(some))] for some in lines)
            return next((pair for pair in zip(*padded, strict=True) if pair[0] != pair[1]), (first, second))
    return None
