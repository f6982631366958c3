"""The page of the deviations: what each is, and what the judge says of an example."""

from collections.abc import Mapping

from docs.generate.words import code, page, plain, table
from grader.core.comparators.base import Wanted
from grader.core.judge.outputs import compare_streams
from grader.core.model.spec import DEVIATION_MEANINGS, STREAMS, Leaf, Stream

_LISTING = b"1 5 8\n1 6 8\n2 4 6\n"
_BOARDS = b"(2, 4, 1, 3)\n(3, 1, 4, 2)\n4-Queens has 2 solutions\n"

_EXAMPLES: Mapping[str, tuple[bytes, bytes, bytes]] = {
    "final-newline": (_LISTING, _LISTING[:-1], b""),
    "line-endings": (_LISTING, _LISTING.replace(b"\n", b"\r\n"), b""),
    "trailing-space": (_LISTING, _LISTING.replace(b"8\n", b"8 \n"), b""),
    "leading-space": (_LISTING, b" " + _LISTING, b""),
    "inner-space": (_LISTING, _LISTING.replace(b"1 5", b"1  5"), b""),
    "blank-lines": (_LISTING, _LISTING.replace(b"\n", b"\n\n"), b""),
    "letter-case": (b"Done.\n", b"done.\n", b""),
    "wrong-stream": (_LISTING, b"", _LISTING),
    "split-streams": (_LISTING, _LISTING[:6], _LISTING[6:]),
    "order": (_LISTING, b"1 6 8\n1 5 8\n2 4 6\n", b""),
    "duplicates": (_LISTING, _LISTING + _LISTING[:6], b""),
    "extra-lines": (_LISTING, b"Here they are:\n" + _LISTING, b""),
    "missing-lines": (_LISTING, _LISTING[:12], b""),
    "joined-lines": (_BOARDS, _BOARDS.replace(b")\n", b")"), b""),
    "prompt": (b"8\n", b"How many? 8\n", b""),
    "zero-based": (_BOARDS, b"(1, 3, 0, 2)\n(2, 0, 3, 1)\n4-Queens has 2 solutions\n", b""),
    "one-based": (b"(0, 1)\n(1, 0)\n", b"(1, 2)\n(2, 1)\n", b""),
    "reversed": (b"(1, 2, 3)\n(3, 1, 2)\n", b"(3, 2, 1)\n(2, 1, 3)\n", b""),
    "transposed": (b"(2, 3, 1)\n", b"(3, 1, 2)\n", b""),
    "wrong-count": (_BOARDS, _BOARDS.replace(b"has 2", b"has 3"), b""),
    "wording": (_BOARDS, _BOARDS.replace(b"has 2", b"have 2"), b""),
    "wrong": (_LISTING, b"1 2 3\n", b""),
}
"""kind -> what standard output should be, what it was, and what was on standard error"""

_ELSEWHERE: Mapping[str, str] = {
    "exit-status": "`exit` in `expect` asks for another status.",
    "memory-leak": "`memory-clean` asks for a run under valgrind, and nothing points to the memory any more.",
    "memory-fault": "`memory-clean` asks for a run under valgrind, and it finds this.",
    "unflushed": "A step of a dialogue waits for it in vain, and it comes when the input is closed.",
}
"""kinds that are no difference of texts"""


def written() -> str:
    """Return the page."""
    rows = [[code(kind), plain(about), _sentence_cell(kind)] for kind, about in DEVIATION_MEANINGS.items()]
    return page(
        "# Deviations",
        "A deviation is a named way in which what a program did differs from what was expected. `tolerate` in a spec "
        "says what each leaves of a case's credit; what it does not name leaves nothing. "
        "[Deviations and tolerances](../explanation/deviations.md) tells how they are meant.",
        table(["name", "what it is", "what a student reads"], rows),
    )


def _sentence_cell(kind: str) -> str:
    return _ELSEWHERE[kind] if kind in _ELSEWHERE else plain(told(kind))


def told(kind: str) -> str:
    """Return the judge's sentence for the example of a kind. Raises ValueError when it sees something else in it."""
    expected, *outputs = _EXAMPLES[kind]
    wanted = {
        stream: Wanted(asked=Leaf(how="text", want=()), values=(text,), tolerate={}, place=stream, where=where)
        for (stream, where), text in zip(STREAMS.items(), (expected, b""), strict=True)
    }
    written: dict[Stream, bytes] = dict(zip(STREAMS, outputs, strict=True))
    found = {deviation.kind: deviation.message for deviation in compare_streams(written, wanted)}
    if list(found) != [kind]:
        raise ValueError(f"the judge sees {list(found)} in the example of {kind}")
    return found[kind]
