"""What `grader verify` has to say: one line for people, and everything for programs."""

import json
from collections.abc import Iterator
from typing import Any

from grader.text import points
from grader.verify.right import Answered
from grader.verify.timings import ROOM, Timing
from grader.verify.trial import Outcome, Trial
from grader.verify.verification import Held, Verification


def summary(found: Verification) -> str:
    """Return the whole result on a line."""
    return f"{found.spec.id}: " + "; ".join([_reference(found), _samples(found), _mutants(found), _limits(found)])


def _reference(found: Verification) -> str:
    wrong = sum(one.is_wrong for one in found.answered)
    if found.spec.reference is None:
        return "reference: none"
    return f"reference: wrong in {_cases(wrong)}" if wrong else "reference: full marks"


def _samples(found: Verification) -> str:
    if not found.stated:
        return "samples: none"
    if not found.all_samples:
        return "samples: not graded"
    right = sum(not held.differences for held in found.samples)
    return f"samples: {right} of {found.stated} as expected"


def _mutants(found: Verification) -> str:
    count = len(found.of(Outcome.KILLED, Outcome.SURVIVED))
    if found.killed is None:
        return "mutants: none"
    named = f", {percent(found.named)} named rightly" if found.named is not None else ""
    return f"mutants: {count}, {percent(found.killed)} lose points{named}"


def _limits(found: Verification) -> str:
    tight = [timing.test for timing in found.timings if timing.is_tight]
    return f"limits: too tight for {', '.join(tight)}" if tight else "limits: ok"


def _cases(count: int) -> str:
    return f"{count} case{'' if count == 1 else 's'}"


def percent(share: float) -> str:
    """Write a share with one decimal, and never more than it is: 99.96 % are not 100 %."""
    tenths = int(share * 1000)
    return f"{tenths // 10} %" if tenths % 10 == 0 else f"{tenths // 10}.{tenths % 10} %"


def faults(found: Verification) -> list[str]:
    """Return what is not as it should be beside mutants and samples, a line each."""
    told = list(_of_reference(found))
    told += [
        f"{case}: nobody shows what is right: no reference can, and no right sample does" for case in found.unknown
    ]
    told += found.markings
    for timing in found.timings:
        if timing.is_tight:
            told.append(
                f"{timing.test}: a right program takes {_seconds(timing)}; the limit is less than {ROOM} times that"
            )
    return told


def _of_reference(found: Verification) -> Iterator[str]:
    """Say what is wrong with the reference; what is the same in many cases once."""
    wrong: dict[str, list[str]] = {}
    for one in found.answered:
        if one.is_wrong:
            wrong.setdefault(_fault(one), []).append(one.case.id)
    for fault, cases in wrong.items():
        more = f" and {len(cases) - 1} more" if len(cases) > 1 else ""
        yield f"the reference, {cases[0]}{more}: {fault}"


def _fault(one: Answered) -> str:
    return one.error or (one.result.message if one.result else "") or "it has no full credit"


def _seconds(timing: Timing) -> str:
    taken = timing.reference if timing.sample is None else timing.sample
    return f"{taken or 0:.2f} s"


# ---------------------------------------------------------------- for programs


def to_json(found: Verification) -> str:
    """Return all of it as JSON."""
    data = {
        "spec": {"id": found.spec.id, "digest": found.spec.digest},
        "right": found.is_right,
        "summary": summary(found),
        "reference": [_answer_data(one) for one in found.answered],
        "samples": [_sample_data(held) for held in found.samples],
        "unknown": list(found.unknown),
        "mutants": [_trial_data(trial) for trial in found.trials],
        "untried": found.untried,
        "killed": found.killed,
        "named": found.named,
        "markings": list(found.markings),
        "limits": [_timing_data(timing) for timing in found.timings],
    }
    return json.dumps(data, indent=2, ensure_ascii=False)


def _answer_data(one: Answered) -> dict[str, Any]:
    told = {"apart": one.is_apart} if one.is_apart else {"right": one.is_right}
    return {"case": one.case.id, **told, **({"message": _fault(one)} if one.is_wrong else {})}


def _sample_data(held: Held) -> dict[str, Any]:
    score = held.report.score
    return {
        "name": held.sample.submission.id,
        "score": None if score is None else points(score),
        "expected": held.sample.score,
        "differences": list(held.differences),
    }


def _trial_data(trial: Trial) -> dict[str, Any]:
    return {
        "name": trial.mutant.name,
        "about": trial.mutant.about,
        "kind": trial.mutant.kind,
        "rule": trial.mutant.rule,
        "outcome": str(trial.outcome),
        "noticed": trial.noticed or None,
        "verdict": trial.verdict or None,
        "message": trial.message or None,
        "cost": points(trial.cost),
        "cost_is_least": trial.is_least,
        "deviations": list(trial.deviations),
        "named": trial.is_named,
        "reason": trial.reason or None,
    }


def _timing_data(timing: Timing) -> dict[str, Any]:
    return {
        "test": timing.test,
        "reference": timing.reference,
        "sample": timing.sample,
        "limit": timing.limit,
        "ratio": timing.ratio,
        "tight": timing.is_tight,
    }
