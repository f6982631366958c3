"""What a spec says, held against what the reference says now; and the spec changed where that is meant."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from grader.author.written import CannotBeWrittenError, decoded
from grader.load import read, source
from grader.model import STREAMS, Case, Execution, Spec
from grader.text import one_line
from grader.verify.right import Answered
from grader.yaml.editing import KeyPath, with_value
from grader.yaml.nodes import Scalar
from grader.yaml.template import escaped, fill
from grader.yaml.writing import plain, quoted

_NO_TEXT = "this is no text that could be exchanged: mend one of the two"
_STEP = re.compile(r"([^.\[\]]+)|\[(\d+)\]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """Something that the reference does otherwise than the spec says."""

    case: Case
    what: str
    """`standard output`, `standard error`, `exit status`, or another expectation"""
    before: bytes = b""
    after: bytes = b""
    key: str = ""
    """where it stands below the case or its test, `expect.stdout`; empty when it is no text of the spec's"""
    message: str = ""
    """what is wrong, where there are no two texts to compare"""


def changes(answered: Sequence[Answered]) -> list[Change]:
    """Find where the reference does not do what is written out in the spec."""
    found: list[Change] = []
    for one in answered:
        if one.is_wrong and one.execution and one.result:
            told = _of_case(one.case, one.execution)
            message = one_line(one.result.message)
            found += told or [Change(case=one.case, what="an expectation", message=message)]
    return found


def _of_case(case: Case, execution: Execution) -> list[Change]:
    found: list[Change] = []
    streams = (("stdout", case.expect.stdout, execution.stdout), ("stderr", case.expect.stderr, execution.stderr))
    for name, expected, output in streams:
        if expected and expected.how == "text" and expected.want and expected.want[0].encode() != output:
            before = expected.want[0].encode()
            what = STREAMS["stdout" if name == "stdout" else "stderr"]
            found.append(Change(case=case, what=what, before=before, after=output, key=f"expect.{name}"))
    status = case.expect.exit
    if isinstance(status, tuple) and execution.status not in status:
        before = ", ".join(map(str, status)).encode() + b"\n"
        after = f"{execution.status}\n".encode()
        key = "expect.exit" if len(status) == 1 and execution.status is not None else ""
        found.append(Change(case=case, what="exit status", before=before, after=after, key=key))
    return found


def accept(spec: Spec, found: Sequence[Change]) -> tuple[bytes, list[tuple[Change, str]]]:
    """Return the spec's text with what the reference says now, and what could not be changed, with the reason."""
    data = spec.source_text
    left: list[tuple[Change, str]] = []
    for place, some in _by_place(spec, found).items():
        changed, why = _changed(spec, data, place, some)
        data = changed or data
        left += [(change, why) for change in some] if changed is None else []
    left += [(change, _NO_TEXT) for change in found if not change.key]
    read(data, spec.id, spec.root)
    return data, left


def _by_place(spec: Spec, found: Sequence[Change]) -> Mapping[str, list[Change]]:
    places: dict[str, list[Change]] = {}
    for change in found:
        if change.key:
            places.setdefault(_place(spec, change.case, change.key), []).append(change)
    return places


def _place(spec: Spec, case: Case, key: str) -> str:
    """Return the path at which something is written that holds for a case: in the case, or in its test."""
    written = source(spec, spec.id)
    start = written.cases[case.id]
    paths = [f"{holder}.{key}" for holder in (start, start.partition(".")[0])]
    found = next((path for path in paths if path in written.places), paths[0])
    return f"{found}.text" if f"{found}.text" in written.places else found


def _changed(spec: Spec, data: bytes, place: str, some: Sequence[Change]) -> tuple[bytes | None, str]:
    """Exchange one text of the spec, if that is right for all cases that it holds for."""
    change = some[0]
    written = source(spec, spec.id).texts.get(place)
    sharing = [
        case
        for test in spec.tests
        for case in test.cases
        if change.case in test.cases and _place(spec, case, change.key) == place
    ]
    if len({one.after for one in some}) > 1 or len(sharing) > len(some):
        return (
            None,
            "the text holds for several cases, and the reference does not say the same in all: write them apart",
        )
    if written is None or (change.what != "exit status" and _filled(written) != change.before):
        return None, "the text is made of variables: mend it yourself"
    try:
        value = _value(change)
    except CannotBeWrittenError as error:
        return None, str(error)
    changed = with_value(data, _steps(place), value)
    return changed, "the spec is laid out so that it cannot be changed without changing more: write it yourself"


def _filled(written: str) -> bytes | None:
    try:
        return fill(written, {}).encode()
    except KeyError:
        return None


def _value(change: Change) -> Scalar:
    if change.what == "exit status":
        return plain(change.after.decode().strip())
    return quoted(escaped(decoded(change.after, change.what)))


def _steps(place: str) -> KeyPath:
    return tuple(int(index) if index else name for name, index in _STEP.findall(place))
