"""What several cases of a submission show together: it prints the same whatever it is given; and what is told once.

A single case only shows that its output is wrong. A remark changes no verdict and no credit, and states a fact of all
cases of a test; so no remark shows what a hidden test asks.
"""

from collections.abc import Collection, Sequence

from msgspec.structs import replace

from grader.core.kind import kind_of
from grader.core.lazy import lazy_regex
from grader.core.model.judgement import COMPILER_WARNING, CaseResult, TestResult, Verdict
from grader.core.model.spec import STREAMS, Case
from grader.core.model.stored_file import first_bytes, unread
from grader.core.text import count, quote

_MAX_INPUT_LENGTH = 24
"""characters of the arguments and the input that a sentence names"""
_MIN_SAME = 3
"""different inputs, and different expected outputs, for which one output is no accident"""
_REFUSAL = lazy_regex(r"(?i)\b(?:usage|error|invalid|exception|illegal|not a (?:valid )?number)\b")
"""of a program that takes no input at all, rather than ignoring it"""
_ENDED = (Verdict.PASSED, Verdict.PARTIAL, Verdict.FAILED)
_WHOLE = frozenset({"wrong", "missing-lines", "extra-lines", "wrong-count"})
"""deviations after which an output may be the answer to something else"""


def hint_across_cases(results: Sequence[TestResult]) -> tuple[TestResult, ...]:
    """Return the tests, each with what all its cases show; a compiler's warning is quoted in the first test alone."""
    hinted: list[TestResult] = []
    told: set[str] = set()
    for result in results:
        text = _describe_same([pair for pair in zip(result.test.cases, result.cases, strict=False) if _counts(*pair)])
        hinted.append(replace(result, cases=tuple(_remarked(case, text, told) for case in result.cases)))
        if result.test.visibility == "visible":
            told |= {text for case in result.cases for name, text in case.message.after if name == COMPILER_WARNING}
    return tuple(hinted)


def _remarked(case: CaseResult, text: str, told: Collection[str]) -> CaseResult:
    after = tuple(one for one in case.message.after if one[0] != COMPILER_WARNING or one[1] not in told)
    is_wrong = any(one.kind in _WHOLE and one.stream in STREAMS and one.keeps < 1 for one in case.deviations)
    return replace(case, message=replace(case.message, after=after).with_remark("same", text if is_wrong else ""))


def _counts(case: Case, result: CaseResult) -> bool:
    """Whether a program came to an end of its own in a case, and printed its answer to what it was given."""
    kind, run = kind_of(case), result.run
    is_answer = case.id == result.id and kind.prints_answer and not kind.has_input and not case.command
    ended = run is not None and result.verdict in _ENDED and not run.limit and not run.signal
    return bool(is_answer and ended and run and run.stdout.strip())


def _describe_same(seen: Sequence[tuple[Case, CaseResult]]) -> str:
    """Say that the program prints the same in all cases of a test; "" where it does not, or where that may be right."""
    runs = [one.run for _, one in seen if one.run]
    inputs = {(one.args, unread(one, "stdin"), *one.files.items(), *one.env.items()) for one, _ in seen}
    wanted = {one.expected_stdout or repr(case.expect.stdout) for case, one in seen}
    if min(len(inputs), len(wanted)) < _MIN_SAME or any(_REFUSAL.search(run.stdout) for run in runs):
        return ""
    if len({(run.stdout_mark, run.stderr_mark) for run in runs}) > 1:
        return ""
    right = next((case for case, one in seen if one.is_right), None)
    given = [*right.args, first_bytes(unread(right, "stdin"), _MAX_INPUT_LENGTH).decode("latin-1")] if right else ()
    name = " ".join(given).strip()
    if 0 < len(name) < _MAX_INPUT_LENGTH and "\n" not in name:
        return f"Your program prints the answer for {quote(name)} whatever it is given."
    return f"Your program prints the same for {count(len(inputs), 'different input')}."
