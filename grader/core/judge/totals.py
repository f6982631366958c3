"""What the cases come to: the judgement of a test and of a submission, and what is charged once in all of it.

Scores are exact fractions; nothing is rounded here. A test's share of its points is the mean of its cases' credits, by
their weights, or that of a step of `credit`; with `all_or_nothing`, 1 when each is 1, and else 0. Its verdict follows
from that share and the cases, not from the points, so that a test of 0 points has one too.

What is charged once is charged in one test, where that costs most points, and in all cases of it: points belong to
tests, and the charge of a single case would depend on how many a test has. A deviation of which a case keeps nothing
is no slip, and stays charged everywhere.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from grader.core.judge.case import describe_deviations, share_left, verdict_of
from grader.core.kind import kind_of
from grader.core.lazy import lazy_regex
from grader.core.model.layout import Repaired, first_bytes, unread
from grader.core.model.report import COMPILER_WARNING, CaseResult, Deviation, Message, OnTop, TestResult, Verdict
from grader.core.model.spec import STREAMS, Case, CreditStep, Test
from grader.core.text import count


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
    return next((step for step in reversed(test.credit) if step.right <= right), None)


def least_share_lost(test: Test, case: Case, credit: Fraction, failed: int) -> Fraction:
    """Return the least share of a test that is lost when so many cases failed, the last of them with that credit."""
    if test.scoring:
        return Fraction(0)  # what its programs make of that is not known
    if test.all_or_nothing:
        return Fraction(1)
    lost = (1 - credit) * case.weight / (sum(sibling.weight for sibling in test.cases) or 1)
    if not test.credit:
        return lost
    step = _step_at(test, sum(1 for sibling in test.cases if sibling.weight) - failed)
    return Fraction(1) if step is None else lost if step.share is None else 1 - step.share


def _weighted_share(test: Test, cases: Sequence[CaseResult]) -> Fraction:
    """Return the mean of the credits, weighted by their cases; all count the same where no case has a weight."""
    of_test = {case.id: case.weight for case in test.cases}
    weights = [of_test.get(case.id, Fraction(1)) for case in cases]
    weights = weights if any(weights) else [Fraction(1)] * len(cases)
    return sum((weight * case.credit for weight, case in zip(weights, cases, strict=True)), Fraction(0)) / sum(weights)


def overall(tests: Collection[TestResult], on_top: Collection[OnTop] = ()) -> tuple[Verdict, Fraction | None]:
    """Return verdict and score of a submission: passed with every point that is no bonus; never below 0 points.

    With a test that is ungraded, or nothing that can be read, the submission is that and has no score.
    """
    if unknown := next((result for result in tests if result.score is None), None):
        return unknown.verdict, None
    full = all(result.test.bonus or result.score == result.test.points for result in tests)
    total = sum((charge.points for charge in on_top), Fraction(0))
    score = sum((result.score or Fraction(0) for result in tests), total)
    return Verdict.PASSED if full and total >= 0 else Verdict.FAILED, max(score, Fraction(0))


def refuse_constant_output(result: TestResult, before: Sequence[TestResult]) -> TestResult:
    """Take the credit of cases in which the program writes the same as in tests of `unlike` that have no points."""
    unlike = [earlier for earlier in before if earlier.test.name in result.test.unlike]
    if any(case.credit for earlier in unlike for case in earlier.cases):
        return result
    silent = {case.id for earlier in (result, *unlike) for case in earlier.test.cases if not shows_answer(case)}
    ran = [(it, one.test.name) for one in reversed(unlike) for it in one.cases if it.run and not it.run.limit]
    places = {_marks_of(case): name for case, name in ran if case.id not in silent}  # the first of them is named
    known = {case.id: places.get(_marks_of(case)) for case in result.cases if case.credit and case.id not in silent}
    cases = (_refuse_credit(case, place) if (place := known.get(case.id)) else case for case in result.cases)
    return judge_test(result.test, tuple(cases))


def shows_answer(case: Case) -> bool:
    """Whether the output of a case is what is asked for: a function that returns its result rightly prints nothing."""
    kind = kind_of(case)
    return kind.runs != "source" and (kind.prints_answer or case.expect.stdout is not None)


def _refuse_credit(case: CaseResult, place: str) -> CaseResult:
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
        Deviation(kind=repair.name, stream="build", message=message, keeps=repair.keeps)
        for repair, message in zip(repaired.repairs, repaired.messages, strict=True)
    )
    cases = (case if case.id in spared or not case.credit else _charge(case, costs) for case in result.cases)
    return judge_test(result.test, tuple(cases))


def _charge(case: CaseResult, costs: tuple[Deviation, ...]) -> CaseResult:
    share = case.credit * share_left(costs)
    return replace(case, verdict=verdict_of(share), credit=share, deviations=(*case.deviations, *costs))


def charge_once(results: Sequence[TestResult], once: Collection[str]) -> tuple[TestResult, ...]:
    """Return the tests, with each deviation of `once` charged only in the first test in which it costs most."""
    homes: dict[str, TestResult] = {}
    for kind in once:
        free = [(result, _waive_costs(result, {kind: ""})) for result in results]
        costs = [((one.score or 0) - (result.score or 0), result) for result, one in free if one.cases != result.cases]
        if costs:
            homes[kind] = max(costs, key=lambda pair: pair[0])[1]
    return tuple(
        _waive_costs(result, {kind: home.test.name for kind, home in homes.items() if home is not result})
        for result in results
    )


def meets_need(result: TestResult, once: Collection[str]) -> bool:
    """Whether a later test that needs this one is run: what is charged once, if only in the end, is no hindrance."""
    return all(case.is_right for case in _waive_costs(result, dict.fromkeys(once, "")).cases)


def _waive_costs(result: TestResult, counted: Mapping[str, str]) -> TestResult:
    """Return a test in which deviations cost nothing, because each is `counted` in another."""
    if result.score is None:
        return result
    return judge_test(result.test, tuple(_waive_in_case(case, counted) for case in result.cases))


def _waive_in_case(case: CaseResult, counted: Mapping[str, str]) -> CaseResult:
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
    own = [deviation for deviation in deviations if deviation.stream != "build"]
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
    ways = [_choose_run(case, runs[at : at + case.repeat.times]) for at in range(0, len(runs), case.repeat.times)]
    return replace(ways[0] if len(ways) == 1 else _worse(*ways), runs=tuple(runs))


def withhold(case: CaseResult) -> CaseResult:
    """Return a result without what the program wrote: it could print what hidden tests in its process ask."""
    return replace(
        case,
        message=Message(WITHHELD, case.message.key) if case.message.text else case.message,
        deviations=tuple(replace(deviation, message=WITHHELD, drawing="") for deviation in case.deviations),
        run=case.run and replace(case.run, stdout=WITHHELD, stderr="", transcript=()),
        whole=None,
        contrasts=(),
        runs=tuple(map(withhold, case.runs)),
    )


def _choose_run(case: Case, runs: Sequence[CaseResult]) -> CaseResult:
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
    asked = [stream for stream in STREAMS if (expected := getattr(case.expect, stream)) and expected.is_checked]
    written = tuple(getattr(run.run, f"{stream}_mark") for stream in asked)
    return run.verdict, run.credit, written, tuple(deviation.message for deviation in run.deviations)


def _worse(piped: CaseResult, on_terminal: CaseResult) -> CaseResult:
    """Return the worse of the two, which says where it was right."""
    worse = min(piped, on_terminal, key=lambda run: run.credit)
    if piped.message == on_terminal.message:
        return worse
    if (piped.verdict, on_terminal.verdict).count(Verdict.PASSED) == 1:
        right, wrong = _PLACES if piped.verdict == Verdict.PASSED else reversed(_PLACES)
        text = f"Your program is right {right} and wrong {wrong}."
        return replace(worse, message=worse.message.with_remark("terminal", text, in_front=True))
    texts = {place.capitalize(): run.message.text for place, run in zip(_PLACES, (piped, on_terminal), strict=True)}
    return replace(worse, message=Message(" ".join(f"{place}: {text}" for place, text in texts.items() if text)))


_MAX_BYTES, _MAX_LINES, _MAX_COLUMNS, _MIN_SAME = 2**13, 2**9, 80, 3
_TOKEN = lazy_regex(
    r"(?<!\w)(?:(-?\d{1,9}\.?\d{,17})(?![-.:/]?\d|[eE][-+]?\d)|\d[-\d.:/]*|[^\W\d][\w-]*(?: [^\W\d]\w*)*|([*#]+))"
)
_RETURNED = lazy_regex(r"\A(?:`[^`]*`: )?`([^`]+\))` returned `([^`]*)`; `([^`]*)` is expected")  # a test's one value
_WHOLE = frozenset({"wrong", "missing-lines", "extra-lines", "wrong-count", "order"})  # it may answer something else
TokenRow = tuple[str, list[Any], tuple[object, ...]]  # a line, its words and numbers, and what is equal for its form
Relate = Callable[[Sequence["CaseAnswer"]], Mapping[str, str]]  # returns what to say of cases, by their ids


class CaseAnswer(Struct, frozen=True):
    """What a program printed or returned in a case, what is expected, and what it was given."""

    case: Case
    result: CaseResult
    have: str
    want: str
    given: str
    is_call: bool = False  # of functions, whose first wrong value it is


def hint_across_cases(results: Sequence[TestResult], relate: Relate = lambda _: {}) -> tuple[TestResult, ...]:
    """Return the tests, each with what all its cases show; a compiler's warning is quoted in the first test alone."""
    is_wrong = any(map(_answers_another, (case for result in results for case in result.cases)))
    pairs = [(result, [*_answers(result)] if is_wrong else []) for result in results]
    visible = [it for result, own in pairs if result.test.visibility == "visible" for it in own if not it.is_call]
    related = dict(relate(visible)) if is_wrong else {}
    hinted, warned = list[TestResult](), set[tuple[str, str]]()
    for result, own in pairs:
        is_visible = result.test.visibility == "visible"
        for name in {it.given.partition("(")[0] for it in own if it.is_call and is_visible}:
            related |= relate([it for it in own if it.is_call and it.given.startswith(f"{name}(")])
        seen = next(
            (it for it in (visible if is_visible else [], own) if len({_marks_of(a.result) for a in it}) == 1), []
        )
        cases = (it.case for it in seen if not it.is_call)
        inputs = {(c.args, unread(c, "stdin"), *c.files.items(), *c.env.items()) for c in cases}
        is_same = min(len(inputs), len({it.want for it in seen})) >= _MIN_SAME
        same = f"Your program prints the same for {count(len(inputs), 'different input')}." if is_same else ""
        # Only where a text is expected, in several tests: a check may accept one answer for all.
        told = {it.result.id: same for it in own if seen is own or it.result.expected_stdout}
        hinted.append(replace(result, cases=tuple(_add_remarks(case, told, related, warned) for case in result.cases)))
        if is_visible:
            warned |= {it for case in result.cases for it in case.message.after if it[0] == COMPILER_WARNING}
    return tuple(hinted)


def _add_remarks(
    case: CaseResult, same: Mapping[str, str], related: Mapping[str, str], warned: Collection[tuple[str, str]]
) -> CaseResult:
    after = tuple(remark for remark in case.message.after if remark not in warned)
    text = (same.get(case.id) or ("" if after else related.get(case.id, ""))) if _answers_another(case) else ""
    return replace(case, message=replace(case.message, after=after).with_remark("same", text))


def _answers_another(own: CaseResult) -> bool:
    return any(
        it.kind in _WHOLE and (own.contrasts or it.stream in STREAMS) and it.keeps < 1 for it in own.deviations
    ) or bool(_RETURNED.search(own.message.text))


def _answers(test: TestResult) -> Iterator[CaseAnswer]:
    """Yield the answers of the cases in which a program came to an end of its own, and answered what it is asked."""
    for case, own in zip(test.test.cases, test.cases, strict=False):
        kind, run = kind_of(case), own.run
        if case.id != own.id or own.verdict not in _CAME_TO_AN_END or not run or run.limit or run.signal:
            continue
        if kind.runs == "harness":  # its first wrong value on a line; of a right one nothing is known
            values = [(own.command, c.actual, c.expected) for c in own.contrasts if c.actual.count("\n") <= 1]
            given, have, want = [*values, *_RETURNED.findall(own.message.text), (own.command, "", "")][0]
            yield CaseAnswer(case, own, have[:_MAX_BYTES], want[:_MAX_BYTES], given, is_call=True)
        elif run.stdout.strip() and not (kind.has_input or case.command):
            yield answer_in(case, own)


def answer_in(case: Case, result: CaseResult) -> CaseAnswer:
    """Return the answer of a case; it is given its input, else a file that is named, else its arguments."""
    have = result.run.stdout[:_MAX_BYTES] if result.run else ""
    files = [text for name, text in case.files.items() if len(case.files) == 1 or name in case.args]
    given = first_bytes(unread(case, "stdin"), _MAX_BYTES) or [*files, " ".join(case.args).encode()][0][:_MAX_BYTES]
    want = result.expected_stdout or (have if result.is_right else repr(case.expect.stdout))
    return CaseAnswer(case, result, have, want, given.decode(errors="replace"))


def token_rows(text: str) -> list[TokenRow]:
    """Return the lines of a text that are not blank, each with its numbers, bars as numbers, and words."""
    lines = filter(str.strip, text[:_MAX_BYTES].splitlines()[:_MAX_LINES])
    found = ((line, _TOKEN.finditer(line[:_MAX_COLUMNS])) for line in lines)
    rows = ((it, [Decimal(a[1] or len(a[2])) if a.lastindex else a[0].lstrip("0") for a in own]) for it, own in found)
    return [(line, words, (": " in line, *map(type, words))) for line, words in rows]
