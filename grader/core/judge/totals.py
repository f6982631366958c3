"""What the cases come to: the judgement of a test and of a submission, and what is charged once in all of it.

Scores are exact fractions; nothing is rounded here. A test's share of its points is the mean of its cases' credits, by
their weights, or that of a step of `credit`; with `all_or_nothing`, 1 when each is 1, and else 0. Its verdict follows
from that share and the cases, not from the points, so that a test of 0 points has one too.

What is charged once is charged in one test, where that costs most points, and in all cases of it: points belong to
tests, and the charge of a single case would depend on how many a test has. A deviation of which a case keeps nothing
is no slip, and stays charged everywhere.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction

from msgspec.structs import replace

from grader.core.judge.case import describe_deviations, share_left, verdict_of
from grader.core.kind import kind_of
from grader.core.lazy import lazy_regex
from grader.core.model.layout import Repaired, first_bytes, unread
from grader.core.model.report import COMPILER_WARNING, CaseResult, Deviation, Message, OnTop, TestResult, Verdict
from grader.core.model.spec import STREAMS, Case, CreditStep, Test
from grader.core.text import count, quote


def judge_test(test: Test, cases: tuple[CaseResult, ...]) -> TestResult:
    """Return score and verdict of `test` from its `cases`, of which there is one at least.

    A test that is all or nothing has, of a repaired work, what the repair leaves where it leaves least.
    """
    for verdict in (Verdict.UNGRADED, Verdict.NOT_READABLE):
        if any(case.verdict == verdict for case in cases):
            return TestResult(test=test, score=None, verdict=verdict, cases=cases)
    if test.all_or_nothing:
        share = min(case.credit for case in cases) if all(case.is_right for case in cases) else Fraction(0)
    else:
        share = _stepped_share(test, cases) if test.credit else _weighted_share(test, cases)
    return with_share(test, cases, share)


def with_share(test: Test, cases: tuple[CaseResult, ...], share: Fraction) -> TestResult:
    """Return what a test comes to with this share of its points."""
    verdict = verdict_of(share)
    if not share:
        # What all failing cases have in common says more than that they failed; of what was run, where some was.
        verdicts = {case.verdict for case in cases}
        failures = (verdicts - {Verdict.SKIPPED} or verdicts) - {Verdict.PASSED, Verdict.PARTIAL}
        verdict = failures.pop() if len(failures) == 1 else Verdict.FAILED
    return TestResult(test=test, score=test.points * share, verdict=verdict, cases=cases)


def share_lost(result: TestResult) -> Fraction:
    """Return which share of a graded test is not there, whatever its points."""
    return 1 - (judge_test(replace(result.test, points=Fraction(1)), result.cases).score or Fraction(0))


def _stepped_share(test: Test, cases: Sequence[CaseResult]) -> Fraction:
    """Return the share of the step that the number of right cases reaches; a repair takes its part of it."""
    counted = {case.id for case in test.cases if case.weight}
    right = [case.credit for case in cases if case.id in counted and case.is_right]
    # All that there are is the last step, also where fewer were collected than the spec could know.
    step = test.credit[-1] if len(right) == len(counted) else _step_at(test, len(right))
    if step is None or not right:
        return Fraction(0)
    return _weighted_share(test, cases) if step.share is None else step.share * min(right)


def _step_at(test: Test, right: int) -> CreditStep | None:
    return next((one for one in reversed(test.credit) if one.right <= right), None)


def least_share_lost(test: Test, case: Case, credit: Fraction, failed: int) -> Fraction:
    """Return which share of a test is lost at least where so many cases failed, the last of them with that credit."""
    if test.scoring:
        return Fraction(0)  # what its programs make of that is not known
    if test.all_or_nothing:
        return Fraction(1)
    lost = (1 - credit) * case.weight / (sum(one.weight for one in test.cases) or 1)
    if not test.credit:
        return lost
    step = _step_at(test, sum(1 for one in test.cases if one.weight) - failed)
    return Fraction(1) if step is None else lost if step.share is None else 1 - step.share


def _weighted_share(test: Test, cases: Sequence[CaseResult]) -> Fraction:
    """Return the mean of the credits by the weights of their cases; all count the same where none has a weight."""
    of_test = {case.id: case.weight for case in test.cases}
    weights = [of_test.get(case.id, Fraction(1)) for case in cases]
    weights = weights if any(weights) else [Fraction(1)] * len(cases)
    return sum((weight * case.credit for weight, case in zip(weights, cases, strict=True)), Fraction(0)) / sum(weights)


def overall(tests: Collection[TestResult], on_top: Collection[OnTop] = ()) -> tuple[Verdict, Fraction | None]:
    """Return verdict and score of a submission: passed with every point that is no bonus; never below 0 points.

    With a test that is ungraded, or nothing that can be read, the submission is that and has no score.
    """
    unknown = next((result for result in tests if result.score is None), None)
    if unknown:
        return unknown.verdict, None
    full = all(result.test.bonus or result.score == result.test.points for result in tests)
    total = sum((one.points for one in on_top), Fraction(0))
    score = sum((result.score or Fraction(0) for result in tests), total)
    return Verdict.PASSED if full and total >= 0 else Verdict.FAILED, max(score, Fraction(0))


def refuse_constant_output(result: TestResult, before: Sequence[TestResult]) -> TestResult:
    """Take the credit of cases in which the program writes the same as in tests of `unlike` that have no points."""
    others = [one for one in before if one.test.name in result.test.unlike]
    if any(case.credit for one in others for case in one.cases):
        return result
    silent = {case.id for one in (result, *others) for case in one.test.cases if not shows_answer(case)}
    places: dict[tuple[bytes, ...], str] = {}
    for one in others:
        for case in one.cases:
            if case.run and not case.run.limit and case.id not in silent:
                places.setdefault(_marks_of(case), one.test.name)
    cases = (
        _refuse(case, places[_marks_of(case)])
        if case.credit and case.id not in silent and _marks_of(case) in places
        else case
        for case in result.cases
    )
    return judge_test(result.test, tuple(cases))


def shows_answer(case: Case) -> bool:
    """Whether the output of a case is what is asked for: a function that returns its result rightly prints nothing."""
    kind = kind_of(case)
    return kind.runs != "source" and (kind.prints_answer or case.expect.stdout is not None)


def _refuse(case: CaseResult, place: str) -> CaseResult:
    what = "nothing" if case.run and case.run.is_mute else "the same"
    message = Message(
        f"No points: your program also writes {what} in `{place}`, where that is wrong.", ("constant", place)
    )
    wrong = Deviation(kind="wrong", stream="stdout", message=message.sentence)
    return replace(case, verdict=Verdict.FAILED, credit=Fraction(0), deviations=(wrong,), message=message)


def _marks_of(case: CaseResult) -> tuple[bytes, ...]:
    """Return marks that are equal for cases whose outputs differ in blanks alone; none for one that was not run."""
    return (case.run.stdout_mark, case.run.stderr_mark) if case.run else ()


def charge_repair(result: TestResult, repaired: Repaired, spared: Collection[str]) -> TestResult:
    """Take from a test what a repair costs its cases, but for those that are `spared`."""
    costs = tuple(
        Deviation(kind=one.name, stream="build", message=message, keeps=one.keeps)
        for one, message in zip(repaired.repairs, repaired.messages, strict=True)
    )
    cases = (one if one.id in spared or not one.credit else _charged(one, costs) for one in result.cases)
    return judge_test(result.test, tuple(cases))


def _charged(case: CaseResult, costs: tuple[Deviation, ...]) -> CaseResult:
    share = case.credit * share_left(costs)
    return replace(case, verdict=verdict_of(share), credit=share, deviations=(*case.deviations, *costs))


def charge_once(results: Sequence[TestResult], once: Collection[str]) -> tuple[TestResult, ...]:
    """Return the tests with each deviation of `once` charged in one of them alone, the first where it costs most."""
    homes: dict[str, TestResult] = {}
    for kind in once:
        free = [(result, _without(result, {kind: ""})) for result in results]
        costs = [((one.score or 0) - (result.score or 0), result) for result, one in free if one.cases != result.cases]
        if costs:
            homes[kind] = max(costs, key=lambda pair: pair[0])[1]
    return tuple(
        _without(result, {kind: home.test.name for kind, home in homes.items() if home is not result})
        for result in results
    )


def meets_need(result: TestResult, once: Collection[str]) -> bool:
    """Whether a later test that needs this one is run: what is charged once, if only in the end, is no hindrance."""
    return all(case.is_right for case in _without(result, dict.fromkeys(once, "")).cases)


def _without(result: TestResult, counted: Mapping[str, str]) -> TestResult:
    """Return a test in which deviations cost nothing, because each is `counted` in another."""
    if result.score is None:
        return result
    return judge_test(result.test, tuple(_case_without(case, counted) for case in result.cases))


def _case_without(case: CaseResult, counted: Mapping[str, str]) -> CaseResult:
    if case.verdict != Verdict.PARTIAL:
        return case
    deviations = tuple(
        replace(one, keeps=Fraction(1), counted_in=counted[one.kind]) if one.kind in counted and one.keeps < 1 else one
        for one in case.deviations
    )
    if deviations == case.deviations:
        return case
    # What an interactor gives as a share is no deviation, and stays.
    share = case.credit / share_left(case.deviations) * share_left(deviations)
    own = [one for one in deviations if one.stream != "build"]
    message = replace(case.message, sentence=describe_deviations(own)) if own else case.message
    return replace(case, deviations=deviations, credit=share, verdict=verdict_of(share), message=message)


# ---------------- A case that is run more than once: the joint result of its runs


_COUNTS = {"worst": "the worst counts", "best": "the best counts", "most": "the most frequent result counts"}
WITHHELD = "This is not shown, because hidden tests were in the same process."
_PLACES = ("through a pipe", "on a terminal")
_CAME_TO_AN_END = (Verdict.PASSED, Verdict.PARTIAL, Verdict.FAILED)


def join_runs(case: Case, runs: Sequence[CaseResult]) -> CaseResult:
    """Return what the runs of `case` come to: as often as it is repeated in the first of its ways, then in the next."""
    if len(runs) == 1:
        return runs[0]
    unknown = next((run for run in runs if run.verdict == Verdict.UNGRADED), None)
    if unknown or all(run.run is None for run in runs):
        return unknown or runs[0]
    times = case.repeat.times
    ways = [_counted(case, runs[start : start + times]) for start in range(0, len(runs), times)]
    return replace(ways[0] if len(ways) == 1 else _worse(*ways), runs=tuple(runs))


def withhold(case: CaseResult) -> CaseResult:
    """Return a result without what the program wrote: it could print what hidden tests in its process ask."""
    return replace(
        case,
        message=Message(WITHHELD, case.message.key) if case.message.text else case.message,
        deviations=tuple(replace(one, message=WITHHELD, drawing="") for one in case.deviations),
        run=case.run and replace(case.run, stdout=WITHHELD, stderr="", transcript=()),
        whole=None,
        contrasts=(),
        runs=tuple(map(withhold, case.runs)),
    )


def _counted(case: Case, runs: Sequence[CaseResult]) -> CaseResult:
    """Return the run that counts; its message first says that other runs had another result."""
    often, counts = Counter(run.credit for run in runs), case.repeat.counts
    wanted = {"worst": min(often), "best": max(often), "most": max(often, key=lambda share: (often[share], -share))}
    chosen = next(run for run in runs if run.credit == wanted[counts])
    answers = {_answer(case, run) for run in runs}
    if len(answers) == 1 or all(run.verdict == Verdict.PASSED for run in runs):
        return chosen
    right = sum(run.verdict == Verdict.PASSED for run in runs)
    those = f"{right or 'none'} {'were' if right > 1 else 'was'} right"
    sentence = f"{count(len(runs), 'run')} gave {len(answers)} different answers, and {those}; {_COUNTS[counts]}."
    return replace(chosen, message=chosen.message.with_remark("runs", sentence, in_front=True))


def _answer(case: Case, run: CaseResult) -> tuple[object, ...]:
    """Return a key that is equal for runs with the same result, wherever they stopped, and up to unmentioned blanks."""
    if run.run is None or run.verdict not in _CAME_TO_AN_END:
        return (run.verdict,)
    asked = [stream for stream in STREAMS if (one := getattr(case.expect, stream)) and one.is_checked]
    written = tuple(getattr(run.run, f"{stream}_mark") for stream in asked)
    return run.verdict, run.credit, written, tuple(deviation.message for deviation in run.deviations)


def _worse(piped: CaseResult, on_terminal: CaseResult) -> CaseResult:
    """Return the worse of the two, which says where it was right."""
    worse = min(piped, on_terminal, key=lambda run: run.credit)
    if piped.message == on_terminal.message:
        return worse
    verdicts = (piped.verdict, on_terminal.verdict)
    if verdicts.count(Verdict.PASSED) == 1:
        right, wrong = _PLACES if verdicts[0] == Verdict.PASSED else reversed(_PLACES)
        text = f"Your program is right {right} and wrong {wrong}."
        return replace(worse, message=worse.message.with_remark("terminal", text, in_front=True))
    texts = {place.capitalize(): run.message.text for place, run in zip(_PLACES, (piped, on_terminal), strict=True)}
    return replace(worse, message=Message(" ".join(f"{place}: {text}" for place, text in texts.items() if text)))


# What several cases of a submission show together: it prints the same whatever it is given; and what is told once.


_MAX_INPUT_LENGTH = 24
"""characters of the arguments and the input that a sentence names"""
_MIN_SAME = 3
"""different inputs, and different expected outputs, for which one output is no accident"""
_REFUSAL = lazy_regex(r"(?i)\b(?:usage|error|invalid|exception|illegal|not a (?:valid )?number)\b")
"""of a program that takes no input at all, rather than ignoring it"""
_ENDED = (Verdict.PASSED, Verdict.PARTIAL, Verdict.FAILED)
_WHOLE = frozenset({"wrong", "missing-lines", "extra-lines", "wrong-count"})
"""deviations after which an output may be the answer to something else"""


def hint_across_cases(results: Sequence[TestResult]) -> tuple[TestResult, ...]:
    """Return the tests, each with what all its cases show; a compiler's warning is quoted in the first test alone."""
    hinted: list[TestResult] = []
    told: set[str] = set()
    for result in results:
        text = _describe_same([pair for pair in zip(result.test.cases, result.cases, strict=False) if _counts(*pair)])
        hinted.append(replace(result, cases=tuple(_remarked(case, text, told) for case in result.cases)))
        if result.test.visibility == "visible":
            told |= {text for case in result.cases for name, text in case.message.after if name == COMPILER_WARNING}
    return tuple(hinted)


def _remarked(case: CaseResult, text: str, told: Collection[str]) -> CaseResult:
    after = tuple(one for one in case.message.after if one[0] != COMPILER_WARNING or one[1] not in told)
    is_wrong = any(one.kind in _WHOLE and one.stream in STREAMS and one.keeps < 1 for one in case.deviations)
    return replace(case, message=replace(case.message, after=after).with_remark("same", text if is_wrong else ""))


def _counts(case: Case, result: CaseResult) -> bool:
    """Whether a program came to an end of its own in a case, and printed its answer to what it was given."""
    kind, run = kind_of(case), result.run
    is_answer = case.id == result.id and kind.prints_answer and not kind.has_input and not case.command
    ended = run is not None and result.verdict in _ENDED and not run.limit and not run.signal
    return bool(is_answer and ended and run and run.stdout.strip())


def _describe_same(seen: Sequence[tuple[Case, CaseResult]]) -> str:
    """Say that the program prints the same in all cases of a test; "" where it does not, or where that may be right."""
    runs = [one.run for _, one in seen if one.run]
    inputs = {(one.args, unread(one, "stdin"), *one.files.items(), *one.env.items()) for one, _ in seen}
    wanted = {one.expected_stdout or repr(case.expect.stdout) for case, one in seen}
    if min(len(inputs), len(wanted)) < _MIN_SAME or any(_REFUSAL.search(run.stdout) for run in runs):
        return ""
    if len({(run.stdout_mark, run.stderr_mark) for run in runs}) > 1:
        return ""
    right = next((case for case, one in seen if one.is_right), None)
    given = [*right.args, first_bytes(unread(right, "stdin"), _MAX_INPUT_LENGTH).decode("latin-1")] if right else ()
    name = " ".join(given).strip()
    if 0 < len(name) < _MAX_INPUT_LENGTH and "\n" not in name:
        return f"Your program prints the answer for {quote(name)} whatever it is given."
    return f"Your program prints the same for {count(len(inputs), 'different input')}."
