"""Whether the reference gives the same answer again: it is asked a second time, under other conditions.

Answers are cached, so an answer that depends on the time, on chance or on the working folder would never be noticed: a
student's program is compared with what the reference once said. The second answer is judged against the first as a
student's is, so what a case tolerates is no difference. Where they differ, further runs change one condition at a time.
"""

import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, zip_longest

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
_TURNS = (11, 21, 31)  # numbers of runs under conditions that are the same
_RETRIES = 2
_MAX_FURTHER_SECONDS, _MAX_FURTHER_BYTES = 1.0, 2**20  # above either it is not asked that often, or read further
_MAX_TEXT = 300  # characters of a message about an answer
_JUDGED = (
    *("status", "signal", "limit", "stdout", "stderr", "names"),
    *("files", "stop", "transcript", "interaction", "facts", "also"),
)
"""what of an execution is judged: most second answers are the first one again, and need no judge"""
_OTHER_PLACE = SandboxPlace(work="/work/elsewhere", home="/home/somebody", user=1717, name="somebody", host="elsewhere")
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
_CAUSES: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "the working folder": ("print no path of it", ("work",)),
    "the home folder": ("print no path of it", ("home",)),
    "the user": ("print nothing of it", ("user", "name")),
    "the name of the machine": ("do not print it", ("host",)),
    "the order in which a folder lists its files": ("sort the names", ("reverses_files",)),
    "its process id": ("print nothing of it, and seed no generator with it", ("is_child",)),
    "the number of processors": ("print nothing of it, and let no thread overtake another", ("processors",)),
    "the locale": ("name the encoding, and print nothing of it", ("locale",)),
    "memory that was never set": ("set it before it is read", ("fill",)),
    "the order of a hash table": ("sort what is printed", ("hash_seed",)),
    "the time": ("use a fixed time", ()),
    "the time or the folder of its build": ("print nothing of it", ()),
}
"""on what an answer may depend -> what to do, and what of the conditions, or of their place, is that"""
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
    return tuple(_with_causes(tuple(in_order(tasks, jobs, course.cancelled.set)), asker))


def find_doubt(case: Case, first: Execution, course: Course) -> AnswerDoubt | None:
    """Return in what a second answer of the reference to one case differs from its `first`; None when it does not."""
    asker = _SecondAsker(course)
    answer = ReferenceResult(test=course.spec.tests[0], case=case, execution=first)
    return next(_with_causes([asker.ask_once_more(answer, _FURTHER_SEEDS)], asker)).doubt


def _chosen(answers: Sequence[ReferenceResult]) -> Iterator[int]:
    """Yield the places of those that are asked again: of one that cannot be started, only the message differs."""
    able = [at for at, one in enumerate(answers) if one.execution and one.result and one.result.cause != "cannot-start"]
    generated = Counter(answers[at].test.name for at in able if answers[at].case.is_generated)
    seen = Counter[str]()
    for at in able:
        name = answers[at].test.name
        if not answers[at].case.is_generated or seen[name] % -(-generated[name] // MAX_GENERATED) == 0:
            yield at
        seen[name] += answers[at].case.is_generated


def _with_causes(answers: Sequence[ReferenceResult], asker: "_SecondAsker") -> Iterator[ReferenceResult]:
    """Yield the answers with the causes of their doubts, which are looked for once in each test."""
    known: dict[str, tuple[str, ...]] = {}
    for one in answers:
        if one.doubt and one.execution and not known.get(one.test.name):
            known[one.test.name] = asker.find_causes(one.case, one.execution)
        causes = known.get(one.test.name)
        yield replace(one, doubt=replace(one.doubt, causes=causes) if causes else None) if one.doubt else one


class _SecondAsker:
    """Asks the reference of a course again, and compares what it answers as the cases do."""

    def __init__(self, course: Course) -> None:
        self._course = self._rebuilt = course
        self._is_full = course.sandbox.info.level == "full"
        specs = [course.spec.with_reference(name) for name in ("", *course.spec.references)]
        files = () if isinstance(course.reference, HostError) else course.reference.values()
        commands = (" ".join(spec.reference or ()).encode() for spec in specs)
        self._sources = [one[:_MAX_FURTHER_BYTES] for one in (*files, *commands)]
        self._asks_machine = any(map(_ASKS_MACHINE.search, self._sources))
        self._lacks_order = any(map(_LACKS_ORDER.search, self._sources))
        plain = AskingConditions(hash_seed=2, fill=0xA5, reverses_files=True, processors=one_processor())
        place = _OTHER_PLACE if self._is_full else SandboxPlace()
        # All conditions at once; where no clock can be changed, another second is waited for.
        self._other = self._with_clock("past", replace(plain, is_child=self._is_full, place=place))
        if self._asks_machine and not self._other.clock_library:
            time.sleep(1 - time.time() % 1)
        if self._asks_machine and any(spec.reference_work and spec.reference_work.build for spec in specs):
            # A tool of the build goes by the age of files, and so by the order in which they are made.
            self._rebuilt = with_references(course, replace(self._other, reverses_files=False, is_child=False))

    def ask_once_more(self, answer: ReferenceResult, seeds: Sequence[int] | None) -> ReferenceResult:
        """Return an answer with the first further run that differs from it; as it is where `seeds` is None."""
        first = answer.execution
        if first is None or seeds is None:
            return answer
        is_small = first.time < _MAX_FURTHER_SECONDS and first.size < _MAX_FURTHER_BYTES
        further = [AskingConditions(hash_seed=seed) for seed in seeds if self._lacks_order and is_small]
        for at, conditions in enumerate([self._other_for(answer.case, first), *further]):
            second = self._ask(answer.case, conditions, rebuilt=not at)
            if isinstance(second, HostError) and not isinstance(second, CourseProgramError):
                return answer  # of this machine, which says nothing of the reference
            if self._differ(answer.case, first, second):
                one, other = self._show(answer.case, first, second)
                return replace(answer, is_asked_twice=True, doubt=AnswerDoubt(first=one, second=other))
        return replace(answer, is_asked_twice=True)

    def _other_for(self, case: Case, first: Execution) -> AskingConditions:
        """Return all conditions; the locale is one where nothing has a letter beyond ASCII: each run is in UTF-8."""
        given = [unread(case, "stdin"), *contents_of(case.files).values(), *map(str.encode, case.args)]
        seen = [*self._sources, *given, first.stdout, first.stderr, *first.files.values()]
        is_ascii = all(isinstance(one, bytes) and one.isascii() for one in seen)
        return replace(self._other, locale="C" if is_ascii else "")

    def _with_clock(self, clock: Clock, conditions: AskingConditions) -> AskingConditions:
        """Return the conditions at another time, as far as somebody asks and that can be changed.

        With it, and also with the present, the processors are counted that may be used.
        """
        course = self._course
        if not (self._asks_machine and self._is_full):
            return conditions
        found = clock_library_for(clock, level=course.surroundings, cache=course.cache, run=course.execute)
        return replace(conditions, clock=clock, clock_library=found) if found else conditions

    def _ask(self, case: Case, conditions: AskingConditions, *, rebuilt: bool = False) -> Execution | GraderError:
        """Return what the reference does, perhaps as it was built again.

        What a program sees of the means by which the conditions are brought about is no answer: it is asked without.
        """
        course = self._rebuilt if rebuilt else self._course
        found = reference_execution(case, course, conditions)
        if conditions.is_shown_in(_all_text(found)):
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
        if all(getattr(one, name) == getattr(other, name) for name in _JUDGED):
            return False
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

    def _show(self, case: Case, one: Execution, other: Execution | GraderError) -> tuple[str, str]:
        """Return the two answers, a line each, where they first differ."""
        if isinstance(other, GraderError):
            return "it came to an end", one_line(str(other), _MAX_TEXT)
        parts = [_compared_parts(case, run, {*one.files, *other.files}) for run in (one, other)]
        for first, second in zip(*parts, strict=True):
            for pair in zip_longest(first.splitlines(), second.splitlines(), fillvalue=b""):
                if pair[0] != pair[1]:
                    return quote_difference(*pair)
            if first != second:
                return quote_difference(first, second)
        results = [self._judge(case, one, shown) for shown in (one, other)]
        first_text, second_text = (found.message.text if found else "" for found in results)
        return one_line(first_text, _MAX_TEXT) or "it was right", one_line(second_text, _MAX_TEXT) or "it was right"

    def find_causes(self, case: Case, first: Execution) -> tuple[str, ...]:
        """Return on what the answer to a case depends, as ends of a sentence; none where our clock alone is to blame.

        That is each condition with which alone the answer is another, where it is the same without any.
        """
        plain, other = AskingConditions(hash_seed=_FURTHER_SEEDS[0]), self._other_for(case, first)
        once, again = (self._ask(case, replace(plain, turn=turn)) for turn in _TURNS[:2])

        def differs(conditions: AskingConditions, *, rebuilt: bool = False) -> bool:
            return self._differ(case, once, self._ask(case, conditions, rebuilt=rebuilt))

        chance = (_CHANCE if self._is_full else f"{_CHANCE}, or on the folder in which it runs",)
        if self._differ(case, once, again):
            return chance
        causes = []
        for cause, (_, names) in _CAUSES.items():
            place = {name: getattr(other.place, name) for name in names if name in SandboxPlace.__struct_fields__}
            changed = {name: getattr(other, name) for name in names if name not in place}
            alone = replace(plain, place=SandboxPlace(**place), **changed)
            if alone != plain and differs(self._with_clock("present", alone) if "processors" in names else alone):
                causes.append(cause)
        # Who waits until a time waits for ever in the future: there the library changes the present alone.
        times = [self._ask(case, self._with_clock(clock, plain)) for clock in ("past", "future") if other.clock]
        if times and all(isinstance(one, Execution) and self._differ(case, once, one) for one in times):
            causes.append("the time")
        if self._rebuilt is not self._course and differs(plain, rebuilt=True):
            causes.append("the time or the folder of its build")
        if causes:  # or the first two runs were alike by accident
            return chance if differs(replace(plain, turn=_TURNS[2])) else tuple(causes)
        repeated, without_clock = replace(other, turn=_TURNS[2]), replace(other, clock=None, clock_library=b"")
        is_rare = not self._differ(case, first, self._ask(case, repeated, rebuilt=True))
        is_other = any(self._differ(case, first, one) for one in (once, self._ask(case, without_clock)))
        return chance if is_rare or is_other else ()


def describe_doubt(doubt: AnswerDoubt) -> str:
    """Say that the second answer is another one, on what it depends, and what to do."""
    causes = joined([f"on {cause}" for cause in doubt.causes])
    cures = "; ".join(dict.fromkeys(_CAUSES.get(cause, (_STEADY,))[0] for cause in doubt.causes))
    told = f"asked twice, the reference gives two answers: first {doubt.first}, then {doubt.second}"
    otherwise = "or, where many answers are right, write a check or a pattern for `expect`"
    return f"{told}. The answer depends {causes}: {cures}; {otherwise}"


def count_generated(answers: Sequence[ReferenceResult]) -> tuple[int, int]:
    """Return how many generated cases were asked twice, and how many there are."""
    generated = [one for one in answers if one.case.is_generated and one.execution]
    return sum(one.is_asked_twice for one in generated), len(generated)


def _all_text(found: Execution | GraderError) -> bytes:
    if isinstance(found, GraderError):
        return f"{found} {getattr(found, 'output', '')}".encode()
    return b"\n".join([found.stdout, found.stderr, *found.files.values()])


def _compared_parts(case: Case, run: Execution, names: set[str]) -> list[bytes]:
    """Return what a case may compare, in the order in which a difference is shown."""
    status = f"exit status {run.shell_exit_status}" if case.expect.exit != "any" else ""
    files = (run.files.get(name, b"") for name in sorted(names))
    return [*chain([status.encode(), run.stdout, run.stderr], files, ["\n".join(run.names).encode()])]
