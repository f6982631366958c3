"""What samples got beside what `expected.yaml` says that they get: the end of a class of samples."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from grader.core.text import count, one_line, points

if TYPE_CHECKING:
    from grader.core.model.spec import Spec


class SampleLabel(NamedTuple):
    """A sample, and in what it differs from what is stated of it."""

    sample: str
    score: str  # what it got, and out of what
    differences: Sequence[str]

    @property
    def outcome(self) -> str:
        """`agreed`, or why not."""
        why = "; ".join(one.strip() for one in self.differences)
        return one_line(f"disagreed: {why}" if self.differences else "agreed", 300)


class AssignmentLabels(NamedTuple):
    """The samples of an assignment, or why they were not graded."""

    name: str
    labels: Sequence[SampleLabel] = ()
    problem: str = ""

    @property
    def disagreed(self) -> Sequence[SampleLabel]:
        """Those that differ."""
        return [one for one in self.labels if one.differences]

    @property
    def summary(self) -> str:
        """How many agreed and disagreed."""
        if self.problem:
            return f"not graded: {one_line(self.problem, 1000)}"
        agreed = f"{len(self.labels) - len(self.disagreed)} agreed"
        return f"{agreed}, {len(self.disagreed)} disagreed" if self.disagreed else agreed


def read_labels(spec: "Spec", folder: Path, results: Path) -> AssignmentLabels | None:
    """Compare each sample in `folder` with its report in the folder `results`.

    None when that is not the folder of the spec's samples. Raises UsageError as `read_samples` does.
    """
    from grader.check.samples import read_samples, sample_differences
    from grader.core.report.json import from_json
    from grader.results.store import open_store

    if (
        folder.resolve() != (spec.root / "sample_submissions" / spec.id).resolve()
        or not (folder / "expected.yaml").is_file()
    ):
        return None
    samples = read_samples(spec)
    with open_store(results) as store:
        written = {sample.submission.id: store.get(sample.submission.id) for sample in samples}
    labels: list[SampleLabel] = []
    for sample in samples:
        content = written[sample.submission.id]
        report = from_json(content) if content else None
        got = "none" if report is None or report.score is None else points(report.score)
        differences = sample_differences(report, sample) if report else ("it was not graded",)
        labels.append(SampleLabel(one_line(sample.submission.id), f"{got} of {points(spec.max_score)}", differences))
    return AssignmentLabels(spec.id, labels)


_ONLY_TOLD = (
    "The exit code does not count what disagrees: 0 says that all were graded. `grader verify SPEC` exits with 1."
)


def label_lines(found: AssignmentLabels) -> Iterator[str]:
    """Yield a line for each sample of an assignment, and one with their number."""
    yield ""
    yield "What expected.yaml says of the samples:"
    yield from _rows(found.labels)
    yield f"{count(len(found.labels) - len(found.disagreed), 'sample')} agreed, {len(found.disagreed)} disagreed"
    if found.disagreed:
        yield _ONLY_TOLD


def table_lines(assignments: Sequence[AssignmentLabels]) -> Iterator[str]:
    """Yield a line for each assignment, below it those samples that disagree, and a line with the numbers of all."""
    width = max((len(one.name) for one in assignments), default=0)
    yield ""
    yield "What expected.yaml says of the samples of each assignment:"
    for one in assignments:
        yield f"  {one.name.ljust(width)}  {one.summary}"
        yield from (f"  {row}" for row in _rows(one.disagreed))
    disagreed = sum(len(one.disagreed) for one in assignments)
    agreed = sum(len(one.labels) for one in assignments) - disagreed
    unknown = sum(bool(one.problem) for one in assignments)
    not_graded = f"; {count(unknown, 'assignment')} not graded" if unknown else ""
    all_of_them = count(len(assignments), "assignment")
    yield f"{all_of_them}: {count(agreed, 'sample')} agreed, {disagreed} disagreed{not_graded}"
    if disagreed:
        yield _ONLY_TOLD


def _rows(labels: Sequence[SampleLabel]) -> Iterator[str]:
    width = max((len(one.sample) for one in labels), default=0)
    return (f"  {one.sample.ljust(width)}  {one.score}  {one.outcome}" for one in labels)
