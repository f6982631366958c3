"""What several cases of a submission show together: it prints the same whatever it is given; and what is told once.

A single case only shows that its output is wrong. A remark changes no verdict and no credit, and states a fact of all
cases of a test; so no remark shows what a hidden test asks.
"""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from grader.core.lazy import lazy_regex
from grader.core.model.judgement import COMPILER_WARNING, CaseRemark, CaseResult, TestResult, Verdict
from grader.core.model.spec import Case
from grader.core.model.stored_file import first_bytes, unread
from grader.core.text import count, one_line, quote
from grader.kinds import kind_of

_MAX_NAME_BYTES = 80
_MAX_INPUT_LENGTH = 24
"""characters of an argument or an input that a sentence names"""
_MIN_SAME = 3
"""different inputs for which one output is no accident, if as many different outputs are expected"""
_MIN_SAME_OF_TWO = 5
"""the same where only two different outputs are expected, as of a question that is answered with yes or no"""
_NUMBER = lazy_regex(r"(?<![\w.])-?\d+")
_REFUSAL = lazy_regex(r"(?i)\b(?:usage|error|invalid|exception|illegal|not a (?:valid )?number)\b")
"""of a program that takes no input at all, rather than ignoring it"""
_ENDED = (Verdict.PASSED, Verdict.PARTIAL, Verdict.FAILED)
_WHOLE = frozenset({"wrong", "missing-lines", "extra-lines", "wrong-count"})
"""deviations after which an output may be the answer to something else"""
_RANKS = ("visible", "after-due", "hidden")
"""who sees a test, from everybody to nobody"""


def hint_across_cases(results: Sequence[TestResult]) -> tuple[TestResult, ...]:
    """Return the tests with a remark in the wrong cases of those in which the program prints the same in all cases."""
    told = (_with_remark(result, *_hint_same(list(_seen(result)))) for result in results)
    return tuple(_tell_warnings_once(list(told)))


def _with_remark(result: TestResult, ids: frozenset[str], text: str) -> TestResult:
    cases = (
        replace(case, message=case.message.with_after("same", text)) if case.id in ids else case
        for case in result.cases
    )
    return replace(result, cases=tuple(cases))


class _Seen(Struct, frozen=True, kw_only=True):
    """A case whose program came to an end of its own, with what it printed and was expected to print."""

    case: Case
    is_right: bool
    is_wrong: bool
    """whether its output deviates by more than its form"""
    input: tuple[object, ...]
    mark: bytes
    """a digest of all that it printed, without blanks"""
    printed: str
    given: frozenset[str]
    """the numbers in its arguments and its input"""
    wanted: object
    """equal for cases of which the same is expected"""


def _seen(result: TestResult) -> Iterator[_Seen]:
    for case, one in zip(result.test.cases, result.cases, strict=False):
        kind = kind_of(case)
        if case.id != one.id or not kind.prints_answer or kind.has_input or case.command or one.run is None:
            continue
        run, asked = one.run, case.expect.stdout
        if one.verdict not in _ENDED or run.limit or run.signal or not run.stdout.strip():
            continue
        given = frozenset(
            _NUMBER.findall(" ".join([*case.args, first_bytes(unread(case, "stdin"), 999).decode("latin-1")]))
        )
        kinds = {found.kind for found in one.deviations if found.stream in ("stdout", "stderr") and found.keeps < 1}
        is_checked = (
            one.expected_stdout is None and asked is not None and any(leaf.how == "check" for leaf in asked.leaves)
        )
        stdin = unread(case, "stdin")
        key = (
            case.args,
            stdin if isinstance(stdin, bytes) else stdin.digest,
            tuple(case.files.items()),
            tuple(case.env.items()),
        )
        yield _Seen(
            case=case,
            is_right=one.is_right,
            is_wrong=bool(kinds & _WHOLE),
            input=key,
            mark=run.stdout_mark + run.stderr_mark,
            printed=run.stdout,
            given=given,
            wanted=key if is_checked else one.expected_stdout or repr(asked),
        )


def _is_same(one: _Seen, other: _Seen) -> bool:
    """Whether two cases printed the same, but for numbers that each of them was given, as in `8-Queens has …`."""
    if one.mark == other.mark or _NUMBER.sub("", one.printed) != _NUMBER.sub("", other.printed):
        return one.mark == other.mark
    pairs = list(zip(_NUMBER.findall(one.printed), _NUMBER.findall(other.printed), strict=True))
    alike = all(a == b or (a in one.given and b in other.given) for a, b in pairs)
    return alike and any(a == b for a, b in pairs)


def _hint_same(seen: Sequence[_Seen]) -> tuple[frozenset[str], str]:
    """Return the wrong cases of a test, and what says that in all cases the same is printed; "" where it is not."""
    inputs, wanted = len({one.input for one in seen}), len({one.wanted for one in seen})
    wrong = frozenset(one.case.id for one in seen if one.is_wrong)
    is_enough = inputs >= _MIN_SAME and (wanted >= _MIN_SAME or (wanted > 1 and inputs >= _MIN_SAME_OF_TWO))
    if not (is_enough and wrong) or any(_REFUSAL.search(one.printed) for one in seen):
        return wrong, ""
    right = next((one for one in seen if one.is_right), None)
    if right and wanted >= _MIN_SAME and all(_is_same(one, right) for one in seen):
        stdin = first_bytes(unread(right.case, "stdin"), 4 * _MAX_INPUT_LENGTH + 1)
        text = " ".join(right.case.args) or stdin.decode(errors="replace").strip()
        if 0 < len(text) <= _MAX_INPUT_LENGTH and "\n" not in text:
            return wrong, f"Your program prints the answer for {quote(text)} whatever it is given."
    if len({one.mark for one in seen}) == 1:
        return wrong, f"Your program prints the same for {count(inputs, 'different input')}: it seems to ignore them."
    return wrong, ""


def _tell_warnings_once(results: Sequence[TestResult]) -> Iterator[TestResult]:
    """Yield the tests: the first quotes a compiler's warning, and those name that test which no more people see."""
    places: dict[str, tuple[str, int]] = {}
    for result in results:
        rank = _RANKS.index(result.test.visibility)
        yield replace(result, cases=tuple(_referring(case, places, rank) for case in result.cases))
        for one in (one for case in result.cases for one in case.message.after if one.name == COMPILER_WARNING):
            if rank < places.get(one.text, ("", len(_RANKS)))[1]:
                places[one.text] = one_line(result.test.name, _MAX_NAME_BYTES), rank


def _referring(case: CaseResult, places: Mapping[str, tuple[str, int]], rank: int) -> CaseResult:
    after = [
        CaseRemark(COMPILER_WARNING, f"The compiler's warning is in the test `{places[one.text][0]}`.")
        if one.name == COMPILER_WARNING and one.text in places and places[one.text][1] <= rank
        else one
        for one in case.message.after
    ]
    return replace(case, message=replace(case.message, after=tuple(after)))
