"""The points of a test by `scoring`: programs of the course make one verdict and one score of those of many cases.

They are graders of Kattis' problem package format. What one does wrong is the course's fault: the test is ungraded.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import islice

from msgspec.structs import replace

from grader.core import judge
from grader.core.cache import Cache
from grader.core.course_programs import launch_interactor, program_maker
from grader.core.errors import HostError
from grader.core.lazy import lazy_regex
from grader.core.model.execution import Runner
from grader.core.model.limits import limit_sentence
from grader.core.model.report import CaseResult, Message, TestResult, Verdict
from grader.core.model.spec import Case, Interactor, ScoreGroup, Test
from grader.core.text import quote

_ACCEPTED, _FAULT, _MAX_QUOTED_LENGTH = "AC", "JE", 80
_VERDICTS: Mapping[Verdict, str] = {  # what a case came to -> what the program reads
    Verdict.PASSED: _ACCEPTED,
    Verdict.PARTIAL: _ACCEPTED,
    Verdict.FAILED: "WA",
    Verdict.CRASHED: "RTE",
    Verdict.TIMEOUT: "TLE",
    Verdict.MEMORY: "RTE",
    Verdict.OUTPUT: "OLE",
    Verdict.SKIPPED: "TLE",  # behind others that ran out of time
}
_LINE = lazy_regex(rb"(AC|WA|TLE|RTE|MLE|OLE|JE)\s+(-?(?:[0-9]{1,20}(?:\.[0-9]{0,40})?|\.[0-9]{1,40}))\s*")
_MAX_REMEMBERED = 4096  # answers of one program, which is asked the same for most submissions of a class
_Done = tuple[Case, CaseResult]
_Result = tuple[str, Fraction]  # the verdict and the score of a case or a group


def prepare_scorers(tests: Sequence[Test], cache: Cache, run: Runner) -> Mapping[str, "Scorer"]:
    """Return what gives the points of the tests with `scoring`. Raises HostError when a program cannot be built."""
    ready = program_maker(cache, run)

    def built(group: ScoreGroup) -> ScoreGroup:
        return replace(group, program=ready(group.program), groups=tuple(map(built, group.groups)))

    return {test.name: Scorer(built(test.scoring), run) for test in tests if test.scoring}


def split_at_stops(test: Test) -> Sequence[Test]:
    """Return a test for each group of the test's cases, where any ends at its first failure; else the test."""
    groups = list(_all_groups(test.scoring)) if test.scoring else []
    if not any(group.stops for group in groups):
        return (test,)
    rest = iter(test.cases)
    return [replace(test, cases=tuple(islice(rest, group.cases)), stops=group.stops) for group in groups if group.cases]


def _all_groups(group: ScoreGroup) -> Iterator[ScoreGroup]:
    yield group
    for inner in group.groups:
        yield from _all_groups(inner)


def is_rejected(case: Case, result: CaseResult) -> bool:
    """Whether a program reads that a case failed: not if it is accepted with a score of 0, nor if it is ungraded."""
    return result.verdict in _VERDICTS and _verdict_of(case, result) != _ACCEPTED


def score_tests(results: Iterable[TestResult], scorers: Mapping[str, "Scorer"]) -> tuple[TestResult, ...]:
    """Return the tests, those with `scoring` with the points that its programs give; ungraded where one errs."""
    return tuple(_score_test(result, scorers.get(result.test.name)) for result in results)


def _score_test(result: TestResult, scorer: "Scorer | None") -> TestResult:
    if scorer is None or result.score is None:
        return result
    try:
        return judge.totals.with_share(result.test, result.cases, scorer.share(result.test.cases, result.cases))
    except HostError as error:
        lost = {"verdict": Verdict.UNGRADED, "credit": Fraction(0), "message": Message(str(error))}
        return replace(
            result, score=None, verdict=Verdict.UNGRADED, cases=tuple(replace(case, **lost) for case in result.cases)
        )


class Scorer:
    """The programs that score one test."""

    def __init__(self, scoring: ScoreGroup, run: Runner) -> None:
        """Have the programs of `scoring`, which are built, ready to be run."""
        self._scoring, self._run = scoring, run
        self._answer = lru_cache(_MAX_REMEMBERED)(self._ask)
        self._programs = [group.program for group in _all_groups(scoring)]

    def share(self, cases: Sequence[Case], results: Sequence[CaseResult]) -> Fraction:
        """Return the share of the points that the results of cases are worth; HostError for a fault of a program."""
        if all(result.run is None for result in results):  # there is nothing to run, or what it needs did not pass
            return Fraction(0)
        group = self._scoring
        if len(results) != group.size:
            raise HostError("the points of this test come from all of its cases, and some were left out")
        verdict, score = self._result_of(group, zip(cases, results, strict=True))
        if verdict == _ACCEPTED and not 0 <= score <= group.most:
            problem = f"its score is {_format_score(score)}, and `max` in the spec is {_format_score(group.most)}"
            raise _to_error(group.program, problem)
        return score / group.most if verdict == _ACCEPTED else Fraction(0)

    def is_over(self, cases: Sequence[Case], results: Sequence[CaseResult]) -> bool:
        """Whether further cases change no points: a group has failed, and the one around it ends there."""
        try:
            return self._ends_before(self._scoring, list(zip(cases, results, strict=False)))
        except HostError:  # which is reported when the whole test is scored
            return False

    def _ends_before(self, group: ScoreGroup, done: Sequence[_Done]) -> bool:
        for inner in group.groups:
            if len(done) < inner.size:
                return self._ends_before(inner, done)
            if group.stops and self._result_of(inner, iter(done))[0] != _ACCEPTED:
                return True
            done = done[inner.size :]
        return False

    def _result_of(self, group: ScoreGroup, cases: Iterator[_Done]) -> _Result:
        """Return what a group came to, and take its cases from `cases`."""
        results = [_result_of_case(*next(cases), group) for _ in range(group.cases)]
        results += [self._result_of(inner, cases) for inner in group.groups]
        failed = [place for place, (verdict, _) in enumerate(results, 1) if verdict != _ACCEPTED]
        read = results[: failed[0]] if failed and group.stops else results
        lines = "".join(f"{verdict} {_format_score(score)}\n" for verdict, score in read)
        return self._answer(self._programs.index(group.program), lines)

    def _ask(self, place: int, lines: str) -> _Result:
        program = self._programs[place]
        launch = replace(launch_interactor(program), files=program.files, collect=(), stdin=lines.encode())
        done = self._run(launch)
        last = done.stderr.strip().rpartition(b"\n")[2]
        errors = f": {quote(last, most=_MAX_QUOTED_LENGTH)}" if last else ""
        if done.limit or done.status != 0:
            how = f"it ended with status {done.status} instead of 0" if done.status else "a signal ended it"
            raise _to_error(program, f"it {limit_sentence(done.limit)}" if done.limit else f"{how}{errors}")
        match = _LINE.fullmatch(done.stdout)
        if not match or match[1] == _FAULT.encode():
            written = quote(done.stdout, most=_MAX_QUOTED_LENGTH) if done.stdout.strip() else "nothing"
            raise _to_error(program, f"it wrote {written} instead of one line such as `AC 10`")
        return match[1].decode(), Fraction(match[2].decode())


def _result_of_case(case: Case, result: CaseResult, group: ScoreGroup) -> _Result:
    verdict, most = _verdict_of(case, result), _max_score_of(case)
    accepted = result.credit * (group.accept if most is None else most)
    return verdict, accepted if verdict == _ACCEPTED else group.reject


def _verdict_of(case: Case, result: CaseResult) -> str:
    if result.verdict not in _VERDICTS:
        raise HostError(f"{result.id} is {result.verdict}: no program can score that")
    if result.verdict == Verdict.FAILED and result.run:
        if _max_score_of(case) is not None and result.run.is_accepted and not result.deviations:
            return _ACCEPTED  # with a score of 0
        if any(deviation.kind == "exit-status" for deviation in result.deviations) and result.run.status:
            return "RTE"
    return _VERDICTS[result.verdict]


def _max_score_of(case: Case) -> Fraction | None:
    return interactor.max_score if (interactor := Interactor.of(case)) else None


def _to_error(program: Interactor, problem: str) -> HostError:
    return HostError(f"a fault of {program.program}, which gives the points of this test: {problem}")


def _format_score(number: Fraction) -> str:
    return str(number.numerator) if number.denominator == 1 else repr(float(number))
