"""What samples got beside what `expected.yaml` says that they get: the end of a class of samples."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from grader.core.text import count, one_line, points

if TYPE_CHECKING:
    from grader.core.model.spec import Spec

_ONLY_TOLD = (
    "The exit code does not count what disagrees: 0 says that all were graded. `grader verify SPEC` exits with 1."
)


class AssignmentLabels(NamedTuple):
    """The samples of an assignment, or why they were not graded."""

    name: str
    labels: Sequence[tuple[str, str, str]] = ()  # a sample, its score out of what, and in what it differs
    problem: str = ""

    def lines(self, *, all_of_them: bool) -> Iterator[str]:
        """Yield a line for each sample, or for each that disagrees."""
        width = max((len(name) for name, _, why in self.labels if why or all_of_them), default=0)
        for name, score, why in self.labels:
            if why or all_of_them:
                yield one_line(f"  {name.ljust(width)}  {score}  {f'disagreed: {why}' if why else 'agreed'}", 400)

    @property
    def disagreed(self) -> int:
        """How many differ from what is stated."""
        return sum(bool(why) for _, _, why in self.labels)


def read_labels(spec: "Spec", folder: Path, results: Path) -> AssignmentLabels | None:
    """Compare each sample in `folder` with its report in the folder `results`.

    None when that is not the folder of the spec's samples. Raises UsageError as `read_samples` does.
    """
    from grader.check.samples import read_samples, sample_differences
    from grader.core.report.json import from_json
    from grader.results.store import open_store

    is_there = folder.resolve() == (spec.root / "sample_submissions" / spec.id).resolve()
    if not is_there or not (folder / "expected.yaml").is_file():
        return None
    labels: list[tuple[str, str, str]] = []
    with open_store(results) as store:
        for sample in read_samples(spec):
            content = store.get(sample.submission.id)
            report = from_json(content) if content else None
            got = "none" if report is None or report.score is None else points(report.score)
            why = [one.strip() for one in sample_differences(report, sample)] if report else ["it was not graded"]
            labels.append((one_line(sample.submission.id), f"{got} of {points(spec.max_score)}", "; ".join(why)))
    return AssignmentLabels(spec.id, labels)


def label_lines(found: AssignmentLabels) -> Iterator[str]:
    """Yield a line for each sample of an assignment, and one with their number."""
    yield from ("", "What expected.yaml says of the samples:", *found.lines(all_of_them=True))
    yield f"{count(len(found.labels) - found.disagreed, 'sample')} agreed, {found.disagreed} disagreed"
    yield from [_ONLY_TOLD] if found.disagreed else []


def table_lines(assignments: Sequence[AssignmentLabels]) -> Iterator[str]:
    """Yield a line for each assignment, below it those samples that disagree, and a line with the numbers of all."""
    width = max((len(one.name) for one in assignments), default=0)
    yield from ("", "What expected.yaml says of the samples of each assignment:")
    for one in assignments:
        agreed = f"{len(one.labels) - one.disagreed} agreed"
        summary = f"{agreed}, {one.disagreed} disagreed" if one.disagreed else agreed
        yield f"  {one.name.ljust(width)}  {f'not graded: {one_line(one.problem, 1000)}' if one.problem else summary}"
        yield from (f"  {row}" for row in one.lines(all_of_them=False))
    disagreed = sum(one.disagreed for one in assignments)
    agreed = count(sum(len(one.labels) for one in assignments) - disagreed, "sample")
    unknown = sum(bool(one.problem) for one in assignments)
    not_graded = f"; {count(unknown, 'assignment')} not graded" if unknown else ""
    yield f"{count(len(assignments), 'assignment')}: {agreed} agreed, {disagreed} disagreed{not_graded}"
    yield from [_ONLY_TOLD] if disagreed else []
