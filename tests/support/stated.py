"""What a file of YAML states, compared with what was found."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from grader.core.model.report import Verdict

VERDICTS = {*Verdict, "lost", "any"}
"""of a case: `lost` is any but `passed`"""


def differences(place: str, found: Any, stated: Any) -> Iterator[str]:
    """Say what differs: these keys of a mapping, a text but for its `…`, a list up to a last `…`."""
    match found, stated:
        case dict(), dict():
            for key, one in stated.items():
                yield from differences(f"{place}, {key}", found.get(key, ...), one)
        case list(), [*first, "…"] if len(found) >= len(first):
            yield from differences(place, found[: len(first)], first)
        case list(), list() if len(found) == len(stated):
            for number, pair in enumerate(zip(found, stated, strict=True), 1):
                yield from differences(f"{place} {number}", *pair)
        case str(), str() if re.fullmatch(re.escape(stated).replace("…", ".*"), found, re.DOTALL):
            return
        case _ if found != stated:
            yield f"{place}: stated {stated!r}, found {found!r}"


def case_differences(case: Mapping[str, Any], stated: str | Mapping[str, Any]) -> Iterator[str]:
    """Say what of a case is otherwise than it is stated; it passes, unless another verdict is stated."""
    wanted = {stated: "…"} if isinstance(stated, str) else stated
    (verdict,) = wanted.keys() & VERDICTS or {"passed"}
    fits = {"any": True, "lost": case["verdict"] != "passed"}.get(verdict, case["verdict"] == verdict)
    if not fits:
        yield f"{case['id']}: stated {verdict}: {wanted.get(verdict, '…')}, found {case['verdict']}: {case['message']}"
        return
    lacks = [text for text in wanted.get("lacks", ()) if text not in str(case)]
    yield from differences(case["id"], {**case, verdict: case["message"], "lacks": lacks}, wanted)
