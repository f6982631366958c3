"""The page of the deviations: what each is, and what the judge says of an example."""

from docs.generate.words import code, page, plain, table
from grader.core.comparators.base import Wanted
from grader.core.deviations.table import DEVIATIONS, DeviationKind
from grader.core.judge.case import compare_streams
from grader.core.model.spec import STREAMS, Leaf, Stream


def written() -> str:
    """Return the page."""
    rows = [[code(kind.name), plain(kind.about), _sentence_cell(kind)] for kind in DEVIATIONS.values()]
    return page(
        "# Deviations",
        "A deviation is a named way in which what a program did differs from what was expected. `tolerate` in a spec "
        "says what each leaves of a case's credit; what it does not name leaves nothing. "
        "[Deviations and tolerances](../explanation/deviations.md) tells how they are meant.",
        table(["name", "what it is", "what a student reads"], rows),
    )


def _sentence_cell(kind: DeviationKind) -> str:
    return kind.example if isinstance(kind.example, str) else plain(told(kind.name, *kind.example))


def told(kind: str, expected: bytes, *outputs: bytes) -> str:
    """Return the judge's sentence for the example of a kind. Raises ValueError when it sees something else in it."""
    wanted = {
        stream: Wanted(asked=Leaf(how="text", want=()), values=(text,), tolerate={}, place=stream, where=where)
        for (stream, where), text in zip(STREAMS.items(), (expected, b""), strict=True)
    }
    written: dict[Stream, bytes] = dict(zip(STREAMS, (*outputs, b""), strict=False))
    found = {deviation.kind: deviation.message for deviation in compare_streams(written, wanted)}
    if list(found) != [kind]:
        raise ValueError(f"the judge sees {list(found)} in the example of {kind}")
    return found[kind]
