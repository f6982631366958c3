"""What a spec says otherwise than another grader's files: the rules of `losses.yaml`, and their sentences.

The notes of an import are made of them, and the tables of the pages.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Literal, NamedTuple

from grader.core.reader.files import read_data
from grader.core.text import listed, one_line
from grader.imports.draft import Draft, Loss

_MAX_NAMED = 5


class LossRule(NamedTuple):
    """How something is lost, with a sentence in which `{}` stands for the detail of one loss."""

    how: Literal["approximated", "dropped", "to-do", "install", "note"]
    sentence: str


LOSSES: Mapping[str, Mapping[str, LossRule]] = {
    name: {rule: LossRule(*row) for rule, row in rules.items()}
    for name, rules in read_data(Path(__file__).with_name("losses.yaml")).items()
}
"""name of an importer, or `any` -> rule -> how it is lost"""


def find_rule(loss: Loss, format_name: str) -> LossRule:
    """Return the rule of a loss, of its importer or of all."""
    return LOSSES.get(format_name, {}).get(loss.rule) or LOSSES["any"][loss.rule]


def to_notes(draft: Draft) -> Iterator[str]:
    """Yield a sentence for each loss; one for all tests and files of which the same is to say."""
    together: dict[tuple[str, str], list[Loss]] = {}
    for loss in draft.losses:
        together.setdefault((loss.rule, loss.detail), []).append(loss)
    for (_, detail), losses in together.items():
        sentence = find_rule(losses[0], draft.format).sentence.replace("{}", one_line(detail, 400))
        lost = sum(loss.points for loss in losses)
        cost = f" Points: {float(lost):g}." if lost else ""
        yield f"{_named(loss.where for loss in losses)}{sentence}{cost}"


def _named(places: Iterable[str]) -> str:
    names = list(dict.fromkeys(filter(None, map(one_line, places))))
    return f"{listed(names, most=_MAX_NAMED)}: " if names else ""
