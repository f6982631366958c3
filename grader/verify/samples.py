"""What each sample submission must get: `expected.yaml`, and a report held against it.

The samples of an assignment lie in `sample_submissions/<spec-id>/`, a folder each, and `expected.yaml` beside them
states their scores. A test that is not named there must have full marks, and no deviation even of those that cost
nothing.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from grader.errors import UsageError
from grader.load import read_data
from grader.model import Report, ReportedTest, Spec, Submission, Verdict
from grader.text import one_line, points

EXPECTED = "expected.yaml"
_SAMPLE_KEYS = ("score", "about", "tests", "verdicts", "deviations")
_TEST_KEYS = ("score", "verdicts", "deviations")
_MOST_MESSAGES = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Stated:
    """What a test must get; what is None is that of full marks."""

    score: str | None = None
    verdicts: tuple[str, ...] = ()
    """seen in the test's cases, `passed` left out"""
    deviations: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """A sample submission with what it must get."""

    submission: Submission
    score: str
    """as it is shown"""
    about: str = ""
    tests: Mapping[str, Stated] = field(default_factory=dict)
    """by name"""
    every: Stated | None = None
    """what each test must get, with `tests: all`: nothing when the score is 0, else full marks"""

    def is_right(self, spec: Spec) -> bool:
        """Whether it must have full marks, and no deviation."""
        return self.score == points(spec.max_score) and not self.tests and self.every is None


def folder(spec: Spec) -> Path:
    """Return where the samples of an assignment lie."""
    return spec.root / "sample_submissions" / spec.id


def read_samples(spec: Spec) -> tuple[Sample, ...]:
    """Read what the samples of an assignment must get; none when there is no folder of samples.

    Raises UsageError when a sample is not stated, or a statement has no sample or is none; SpecError for a file that is
    not YAML.
    """
    where = folder(spec)
    if not where.is_dir():
        return ()
    path = where / EXPECTED
    stated = _mapping(read_data(path), path, "")
    there = {entry.name for entry in where.iterdir() if entry.name != EXPECTED and not entry.name.startswith(".")}
    for name in sorted(there - set(stated)):
        raise UsageError(f"{path}: the sample {one_line(name)} is not stated; say what it must get")
    for name in sorted(set(stated) - there):
        raise UsageError(f"{path}: {one_line(name)} is stated, but there is no such sample in {where}")
    return tuple(_sample(spec, path, name, entry) for name, entry in stated.items())


def _sample(spec: Spec, path: Path, name: str, entry: object) -> Sample:
    found = _mapping(entry, path, name, _SAMPLE_KEYS)
    if "score" not in found:
        raise UsageError(f"{path}: {name}: the score is missing")
    submission = Submission(id=name, path=path.parent / name)
    sample = Sample(submission=submission, score=str(found["score"]), about=str(found.get("about", "")))
    tests = found.get("tests", {})
    if tests == "all":
        every = _stated(path, name, {key: found[key] for key in ("verdicts", "deviations") if key in found})
        return replace(sample, every=replace(every, score="0") if sample.score == "0" else every)
    names = [test.name for test in spec.tests]
    stated = _mapping(tests, path, f"{name}: tests", names)
    for key in ("verdicts", "deviations"):
        if key in found:
            raise UsageError(f"{path}: {name}: {key} belong to a test, or to `tests: all`")
    return replace(sample, tests={test: _stated(path, f"{name}: {test}", one) for test, one in stated.items()})


def _stated(path: Path, where: str, entry: object) -> Stated:
    found = _mapping(entry, path, where, _TEST_KEYS)
    for key in ("verdicts", "deviations"):
        if not isinstance(found.get(key, []), list):
            raise UsageError(f"{path}: {where}: {key} are a list, such as [failed]")
    return Stated(
        score=str(found["score"]) if "score" in found else None,
        verdicts=tuple(sorted(map(str, found.get("verdicts", [])))),
        deviations=tuple(sorted(map(str, found.get("deviations", [])))),
    )


def _mapping(data: object, path: Path, where: str, known: Collection[str] | None = None) -> dict[str, Any]:
    place = f"{path}: {where}" if where else str(path)
    if not isinstance(data, dict):
        raise UsageError(f"{place}: a mapping is wanted, name by name")
    for key in data:
        if known is not None and key not in known:
            raise UsageError(f"{place}: unknown key {key!r}; there are: {', '.join(known)}")
    return data


# ---------------------------------------------------------------- a report


def differences(report: Report, sample: Sample) -> tuple[str, ...]:
    """Return all in which a report is not what is stated, a line each; nothing when it is."""
    got = _score(report.score)
    told = [f"the score should be {sample.score}, and is {got}"] if got != sample.score else []
    for result in report.tests:
        told += _of_test(result, sample.every or sample.tests.get(result.name, Stated()))
    return tuple(told)


def _of_test(result: ReportedTest, stated: Stated) -> list[str]:
    wanted = {
        "score": (points(result.points) if stated.score is None else stated.score, _score(result.score)),
        "verdicts": (_listed(stated.verdicts), _listed(_verdicts(result))),
        "deviations": (_listed(stated.deviations), _listed(_deviations(result))),
    }
    told = [
        f"{result.name}: the {key} should be {want}, and {'is' if key == 'score' else 'are'} {have}"
        for key, (want, have) in wanted.items()
        if want != have
    ]
    return [*told, *_messages(result)] if told else []


def _messages(result: ReportedTest) -> Iterator[str]:
    """Say what was found in the cases, for that is what the statement is not about."""
    said = [case for case in result.cases if case.message]
    for case in said[:_MOST_MESSAGES]:
        yield f"  {case.id}: {case.verdict}: {one_line(case.message)}"
    if more := said[_MOST_MESSAGES:]:
        yield f"  and {len(more)} more"


def _score(score: float | None) -> str:
    return "none" if score is None else points(score)


def _verdicts(result: ReportedTest) -> tuple[str, ...]:
    return tuple(sorted({str(case.verdict) for case in result.cases} - {Verdict.PASSED}))


def _deviations(result: ReportedTest) -> tuple[str, ...]:
    return tuple(sorted({deviation.kind for case in result.cases for deviation in case.deviations}))


def _listed(words: Collection[str]) -> str:
    return ", ".join(words) or "none"
