"""What samples got beside what `expected.yaml` says that they get: the end of `grader class sample_submissions/ID`."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from grader.core.text import count, one_line, points

if TYPE_CHECKING:
    from grader.core.model import Spec


def label_lines(spec: "Spec", folder: Path, results: Path) -> Iterator[str]:
    """Yield a line for each sample in `folder`, if that is the folder of the spec's samples, and one with their number.

    The folder `results` has their reports. Raises UsageError as `read_samples` does.
    """
    from grader.classroom.store import open_store
    from grader.core.report import from_json
    from grader.verify.samples import read_samples, sample_differences

    if (
        folder.resolve() != (spec.root / "sample_submissions" / spec.id).resolve()
        or not (folder / "expected.yaml").is_file()
    ):
        return
    samples = read_samples(spec)
    with open_store(results) as store:
        written = {sample.submission.id: store.get(sample.submission.id) for sample in samples}
    width = max((len(sample.submission.id) for sample in samples), default=0)
    agreed = 0
    yield ""
    yield "What expected.yaml says of the samples:"
    for sample in samples:
        content = written[sample.submission.id]
        report = from_json(content) if content else None
        differences = sample_differences(report, sample) if report else ("it was not graded",)
        agreed += not differences
        got = "none" if report is None or report.score is None else points(report.score)
        result = "agreed" if not differences else f"disagreed: {'; '.join(one.strip() for one in differences)}"
        name = one_line(sample.submission.id).ljust(width)
        yield f"  {name}  {got} of {points(spec.max_score)}  {one_line(result, 300)}"
    yield f"{count(agreed, 'sample')} agreed, {len(samples) - agreed} disagreed"
