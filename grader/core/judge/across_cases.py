"""What several cases of a submission show together: it prints the same whatever it is given; and what is told once.

A single case only shows that its output is wrong. A remark changes no verdict and no credit, and states a fact of all
cases of a test; so no remark shows what a hidden test asks.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from grader.core.judge.ending import NO_INPUT
from grader.core.lazy import lazy_regex
from grader.core.model.judgement import COMPILER_WARNING, CaseResult, ExecutionSummary, TestResult, Verdict
from grader.core.model.spec import STREAMS, Case
from grader.core.model.stored_file import first_bytes, unread
from grader.core.text import count, one_line, quote
from grader.kinds import kind_of

_MAX_NAME_BYTES = 80
_MAX_GIVEN_BYTES = 999
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
_ARGUMENTS_INSTEAD = "Your program reads input, but there is none: the assignment gives arguments instead."
_RANKS = ("visible", "after-due", "hidden")
"""who sees a test, from everybody to nobody"""


def hint_across_cases(results: Sequence[TestResult]) -> tuple[TestResult, ...]:
    """Return the tests with a remark in the wrong cases of those in which the program prints the same in all cases."""
    told = (_with_remark(result, *_hint_same(list(_seen(result)))) for result in results)
    if any(case.args for result in results for case in result.test.cases):
        told = (_with_text(result, NO_INPUT, _ARGUMENTS_INSTEAD) for result in told)
    return tuple(_tell_warnings_once(list(told)))


def _with_remark(result: TestResult, ids: frozenset[str], text: str) -> TestResult:
    cases = (
        replace(case, message=case.message.with_after("same", text)) if case.id in ids else case
        for case in result.cases
    )
    return replace(result, cases=tuple(cases))


def _with_text(result: TestResult, name: str, text: str) -> TestResult:
    """Return the test whose remarks of that name have another text."""
    return replace(result, cases=tuple(_reworded(case, {name: text}) for case in result.cases))


def _reworded(case: CaseResult, texts: Mapping[str, str]) -> CaseResult:
    after = tuple((name, texts.get(name, text)) for name, text in case.message.after)
    return replace(case, message=replace(case.message, after=after))


class _Seen(NamedTuple):
    """A case whose program came to an end of its own, with what it printed and was expected to print."""

    case: Case
    result: CaseResult
    run: ExecutionSummary
    input: tuple[object, ...]
    given: str
    """its arguments and its input, as far as numbers of them may stand in an output"""
    wanted: object
    """equal for cases of which the same is expected"""


def _seen(result: TestResult) -> Iterator[_Seen]:
    for case, one in zip(result.test.cases, result.cases, strict=False):
        kind, run, asked = kind_of(case), one.run, case.expect.stdout
        if case.id != one.id or not kind.prints_answer or kind.has_input or case.command or run is None:
            continue
        if one.verdict not in _ENDED or run.limit or run.signal or not run.stdout.strip():
            continue
        stdin = unread(case, "stdin")
        mark = stdin if isinstance(stdin, bytes) else stdin.digest
        key = (case.args, mark, tuple(case.files.items()), tuple(case.env.items()))
        is_checked = asked is not None and any(leaf.how == "check" for leaf in asked.leaves)
        given = " ".join([*case.args, first_bytes(stdin, _MAX_GIVEN_BYTES).decode("latin-1")])
        yield _Seen(case, one, run, key, given, one.expected_stdout or (key if is_checked else repr(asked)))


def _is_wrong(one: _Seen) -> bool:
    """Whether an output deviates by more than its form."""
    return any(found.kind in _WHOLE and found.stream in STREAMS and found.keeps < 1 for found in one.result.deviations)


def _mark(one: _Seen) -> tuple[bytes, bytes]:
    return one.run.stdout_mark, one.run.stderr_mark


def _is_same(one: _Seen, other: _Seen) -> bool:
    """Whether two cases printed the same, but for numbers that each of them was given, as in `8-Queens has …`."""
    texts = one.run.stdout, other.run.stdout
    if _mark(one) == _mark(other) or _NUMBER.sub("", texts[0]) != _NUMBER.sub("", texts[1]):
        return _mark(one) == _mark(other)
    pairs = list(zip(*map(_NUMBER.findall, texts), strict=True))
    given = [frozenset(_NUMBER.findall(seen.given)) for seen in (one, other)]
    return any(a == b for a, b in pairs) and all(a == b or (a in given[0] and b in given[1]) for a, b in pairs)


def _hint_same(seen: Sequence[_Seen]) -> tuple[frozenset[str], str]:
    """Return the wrong cases of a test, and what says that in all cases the same is printed; "" where it is not."""
    inputs, wanted = len({one.input for one in seen}), len({one.wanted for one in seen})
    wrong = frozenset(one.case.id for one in seen if _is_wrong(one))
    is_enough = inputs >= _MIN_SAME and (wanted >= _MIN_SAME or (wanted > 1 and inputs >= _MIN_SAME_OF_TWO))
    if not (is_enough and wrong) or any(_REFUSAL.search(one.run.stdout) for one in seen):
        return wrong, ""
    right = next((one for one in seen if one.result.is_right), None)
    name = right.given.strip() if right and all(_is_same(one, right) for one in seen) else ""
    if wanted >= _MIN_SAME and 0 < len(name) <= _MAX_INPUT_LENGTH and "\n" not in name:
        return wrong, f"Your program prints the answer for {quote(name)} whatever it is given."
    if len(set(map(_mark, seen))) == 1:
        return wrong, f"Your program prints the same for {count(inputs, 'different input')}: it seems to ignore them."
    return wrong, ""


def _tell_warnings_once(results: Sequence[TestResult]) -> Iterator[TestResult]:
    """Yield the tests: the first quotes a compiler's warning, and those name that test which no more people see."""
    places: dict[str, tuple[str, int]] = {}
    for result in results:
        rank = _RANKS.index(result.test.visibility)
        yield replace(result, cases=tuple(_referring(case, places, rank) for case in result.cases))
        for name, text in (one for case in result.cases for one in case.message.after):
            if name == COMPILER_WARNING and rank < places.get(text, ("", len(_RANKS)))[1]:
                places[text] = one_line(result.test.name, _MAX_NAME_BYTES), rank


def _referring(case: CaseResult, places: Mapping[str, tuple[str, int]], rank: int) -> CaseResult:
    for name, text in case.message.after:
        if name == COMPILER_WARNING and text in places and places[text][1] <= rank:
            told = f"The compiler's warning is in the test `{places[text][0]}`."
            return _reworded(case, {COMPILER_WARNING: told})
    return case
