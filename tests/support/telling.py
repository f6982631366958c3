"""Samples that show what no sample before them shows: these are run each time, all of them by `make soak`."""

from collections.abc import Iterable

from grader.check.samples import Sample


def telling(samples: Iterable[Sample], *, least: int = 0) -> tuple[Sample, ...]:
    """Return the first sample, each that is stated to have a verdict or a deviation that none before it has, and others
    until there are `least`.
    """
    chosen: list[Sample] = []
    others: list[Sample] = []
    seen: set[object] = set()
    for sample in samples:
        stated = sample.tests.values()
        shown = {what for one in stated for what in (*one.verdicts, *one.deviations)}
        (others if chosen and shown <= seen else chosen).append(sample)
        seen |= shown
    return (*chosen, *others[: max(0, least - len(chosen))])
