"""Taking kinds back: none is tried that cannot explain less than what was found."""

from collections.abc import Iterator

import pytest

from grader.core.deviations import listings
from grader.core.deviations.search import explain_difference
from grader.core.deviations.sentences import restored
from grader.core.deviations.table import Mended
from tests.support.rows import each_row

SENTENCES = b"".join(b"Queen %d stands on square %d\n" % (n, n) for n in range(40))


@each_row
def test_words_are_not_compared_where_prompts_explain_all(
    old: bytes, new: bytes, kind: str, words_compared: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls, mend_wording = list[bytes](), listings.mended_wording

    def counted(actual: bytes, expected: bytes, *more: bytes) -> Iterator[Mended]:
        calls.append(actual)
        return mend_wording(actual, expected, *more)

    monkeypatch.setattr(listings, "mended_wording", counted)
    best, kinds = restored(
        SENTENCES.replace(old, new), SENTENCES, {}, lambda one, other: explain_difference(one, other, {})
    )
    assert best
    assert (best[0], kinds, len(calls)) == (kind, frozenset(), words_compared)
