"""A case that is run more than once: the joint result of its runs.

Of the runs in one way one counts, by default the worst. Through pipes and on a terminal it has to be right: of the two
the worse counts. An ungraded run makes the case ungraded, since it is unknown which run would count.
"""

from collections import Counter
from collections.abc import Sequence

from msgspec.structs import replace

from grader.core.model.judgement import CaseResult, Message, Verdict
from grader.core.model.spec import STREAMS, Case
from grader.core.text import count

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
