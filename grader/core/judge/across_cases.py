"""What several cases of a submission show together: it prints the same whatever it is asked, or is one off each time.

A single case only shows that its output is wrong. These hints compare the outputs of all cases that are asked in the
same way, with each other and with what is expected in the others; they change no verdict and no credit. A hint states
a fact of at least two outputs. It compares cases of one visibility only, so that no hint shows what a hidden case asks.

The argument itself may stand in an output, as in `8-Queens has 2 solutions`. So two lines count as the same also when
they are so without the numbers that each case was given.
"""

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from grader.core.judge.ending import NO_INPUT
from grader.core.lazy import lazy_regex
from grader.core.model.judgement import CaseResult, Contrast, TestResult, Verdict
from grader.core.model.spec import Case
from grader.core.model.stored_file import first_bytes, size_of, unread
from grader.core.text import count, quote
from grader.kinds import kind_of

_MAX_TEXT_LENGTH = 4000
"""characters of an output, or of what is expected, that are compared line by line"""
_MAX_INPUT_LENGTH = 24
"""characters of an argument or an input that a sentence names"""
_MAX_STDIN_LENGTH = 100
"""characters of an input in which the numbers count as parameters, and not as data"""
_MAX_GIVEN = 8
"""numbers of the arguments and the input that may stand in an output"""
_MIN_SAME = 3
"""different inputs for which one output is no accident, if as many different outputs are expected"""
_MIN_SAME_OF_TWO = 5
"""the same where only two different outputs are expected, as of a question that is answered with yes or no"""
_MIN_SHIFTED = 2
"""wrong cases, or wrong numbers of one case, that are off by one in the same direction"""
_NUMBER = lazy_regex(r"(?<![\w.])-?\d{1,9}(?![\w.]*\d)")
_ANY_NUMBER = lazy_regex(r"(?<![\w.])-?\d+")
_NOTHING = frozenset({"None", "null", "undefined"})
"""what a function returns that has no `return`, whatever it does with its arguments"""
_MAX_PLACE = 1000
"""the largest number that may be a place in something, counted from 0 or from 1"""
_REFUSAL = lazy_regex(r"(?i)\b(?:usage|error|invalid|exception|illegal|not a (?:valid )?number)\b")
"""of a program that takes no input at all, rather than ignoring it"""
_NUMBER_MARK = "\0"
"""stands for a number"""
_NO_INPUT_BUT_ARGUMENTS = f"{NO_INPUT.removesuffix('.')}: the assignment gives arguments instead."
_ENDED = (Verdict.PASSED, Verdict.PARTIAL, Verdict.FAILED)
_WHOLE = frozenset({"wrong", "missing-lines", "extra-lines", "wrong-count"})
"""deviations after which an output may be the answer to something else"""


def hint_across_cases(results: Sequence[TestResult]) -> tuple[TestResult, ...]:
    """Return the tests with a remark in each wrong case that other cases explain."""
    found = [_seen(case, one, result) for result in results for case, one in _pairs(result)]
    seen = [one for one in found if one]
    remarks: dict[tuple[str, str], str] = {}
    for hint in (_hint_same, _hint_neighbour, _hint_off_by_one):
        for pool in _pools(seen):
            for one, remark in hint(pool):
                remarks.setdefault((one.test, one.case.id), remark)
    for result in results:
        remarks |= {(result.test.name, case): remark for case, remark in _hint_values(result).items()}
    found_results = tuple(_with_remarks(result, remarks) for result in results) if remarks else tuple(results)
    return _with_arguments_named(found_results)


def _with_arguments_named(results: tuple[TestResult, ...]) -> tuple[TestResult, ...]:
    """Say of a program that reads input in a case that has nothing for it, where arguments are all that others give."""
    cases = [case for result in results for case in result.test.cases]
    if any(size_of(unread(case, "stdin")) for case in cases) or not any(case.args for case in cases):
        return results

    def named(case: CaseResult) -> CaseResult:
        return replace(case, message=case.message.replace(NO_INPUT, _NO_INPUT_BUT_ARGUMENTS))

    if not any(NO_INPUT in case.message for result in results for case in result.cases):
        return results
    return tuple(replace(result, cases=tuple(map(named, result.cases))) for result in results)


def _with_remarks(result: TestResult, remarks: Mapping[tuple[str, str], str]) -> TestResult:
    def remarked(case: CaseResult) -> CaseResult:
        remark = remarks.get((result.test.name, case.id), "")
        return replace(case, message=f"{case.message} {remark}") if remark else case

    return replace(result, cases=tuple(map(remarked, result.cases)))


class _Seen(Struct, frozen=True, kw_only=True):
    """A case whose program came to an end of its own, with what it printed and was expected to print."""

    test: str
    visibility: str
    case: Case
    is_right: bool
    is_wrong: bool
    """whether its output deviates by more than its form"""
    mark: bytes
    """a digest of all that it printed, without blanks"""
    printed: tuple[str, ...]
    """its lines, without blanks at their ends; none of a long output"""
    expected: tuple[str, ...] | None
    """the same of the expected output; None where that is not known or long"""
    wanted: object
    """equal for cases of which the same is expected"""
    given: tuple[str, ...]
    """the numbers in its arguments and its input"""
    numbers: tuple[int, ...]
    """the same, as many as there are"""

    @property
    def input(self) -> tuple[object, ...]:
        """What it was given."""
        return self.case.args, _stdin_mark(self.case), tuple(self.case.files.items()), tuple(self.case.env.items())

    @property
    def shape(self) -> tuple[object, ...]:
        """What is equal for cases that differ in numbers alone."""
        blanked = tuple(_ANY_NUMBER.sub("", arg) for arg in self.case.args)
        stdin = first_bytes(unread(self.case, "stdin"), _MAX_STDIN_LENGTH + 1).decode(errors="replace")
        stdin = _ANY_NUMBER.sub("", stdin) if len(stdin) <= _MAX_STDIN_LENGTH else stdin
        return self.visibility, blanked, stdin, tuple(self.case.files), tuple(self.case.env)


def _stdin_mark(case: Case) -> object:
    """Return what is equal for the same standard input, without reading a large one."""
    content = unread(case, "stdin")
    return content if isinstance(content, bytes) else content.digest


def _pairs(result: TestResult) -> Iterator[tuple[Case, CaseResult]]:
    return ((case, one) for case, one in zip(result.test.cases, result.cases, strict=False) if case.id == one.id)


def _seen(case: Case, result: CaseResult, test: TestResult) -> _Seen | None:
    kind = kind_of(case)
    if not kind.prints_answer or kind.has_input or case.command or result.run is None:
        return None
    run = result.run
    if result.verdict not in _ENDED or run.limit or run.signal or not run.stdout.strip():
        return None
    asked = case.expect.stdout
    expected = result.expected_stdout
    is_checked = expected is None and asked is not None and any(leaf.how == "check" for leaf in asked.leaves)
    given = tuple(
        dict.fromkeys(
            _NUMBER.findall(" ".join([*case.args, first_bytes(unread(case, "stdin"), 999).decode(errors="replace")]))
        )
    )
    kinds = {one.kind for one in result.deviations if one.stream in ("stdout", "stderr") and one.keeps < 1}
    return _Seen(
        test=test.test.name,
        visibility=test.test.visibility,
        case=case,
        is_right=result.is_right,
        is_wrong=bool(kinds & _WHOLE),
        mark=run.stdout_mark + run.stderr_mark,
        printed=_lines(run.stdout) or (),
        expected=None if expected is None else _lines(expected),
        wanted=(case.args, _stdin_mark(case)) if is_checked else expected if expected is not None else repr(asked),
        given=given if len(given) <= _MAX_GIVEN else (),
        numbers=tuple(map(int, given)) if len(given) <= _MAX_GIVEN else (),
    )


def _lines(text: str) -> tuple[str, ...] | None:
    if len(text) > _MAX_TEXT_LENGTH:
        return None
    return tuple(" ".join(line.split()) for line in text.splitlines() if line.strip())


def _pools(seen: Iterable[_Seen]) -> Iterator[tuple[_Seen, ...]]:
    """Yield the cases that are compared: those of all tests that differ in numbers alone, and those of each test."""
    keys: tuple[Callable[[_Seen], object], ...] = (lambda one: one.shape, lambda one: one.test)
    every = tuple(seen)
    for key in keys:
        pools: dict[object, list[_Seen]] = {}
        for one in every:
            pools.setdefault(key(one), []).append(one)
        yield from map(tuple, pools.values())


def _is_same(one: _Seen, other: Sequence[str], given: Sequence[str], fixed: Container[str]) -> bool:
    """Whether a case printed the lines of another one, but for the numbers that each of the two was given.

    There has to be more in them than these numbers, and than the lines that are `fixed` in every right output.
    """
    if len(one.printed) != len(other):
        return False
    is_telling = False
    for line, wanted in zip(one.printed, other, strict=True):
        numbers, others = _ANY_NUMBER.findall(line), _ANY_NUMBER.findall(wanted)
        if _ANY_NUMBER.sub(_NUMBER_MARK, line) != _ANY_NUMBER.sub(_NUMBER_MARK, wanted):
            return False
        pairs = list(zip(numbers, others, strict=True))
        if any(a != b and not (a in one.given and b in given) for a, b in pairs):
            return False
        is_fixed = line in fixed or not any(map(str.isalnum, line))
        is_telling = is_telling or (any(a == b for a, b in pairs) if pairs else not is_fixed)
    return is_telling


# ---------------------------------------------------------------- the same for all


def _hint_same(pool: Sequence[_Seen]) -> Iterator[tuple[_Seen, str]]:
    """Say that the program printed the same for different inputs, where different outputs are expected."""
    inputs, wanted = len({one.input for one in pool}), len({one.wanted for one in pool})
    wrong = [one for one in pool if one.is_wrong]
    is_enough = inputs >= _MIN_SAME and (wanted >= _MIN_SAME or (wanted > 1 and inputs >= _MIN_SAME_OF_TWO))
    if not (is_enough and wrong):
        return
    first = next((one for one in pool if one.is_right), pool[0])
    if any(map(_REFUSAL.search, first.printed)):
        return
    fixed = frozenset(first.expected or ()).intersection(*(one.expected or () for one in pool))
    if not all(one.mark == first.mark or _is_same(one, first.printed, first.given, fixed) for one in pool):
        return
    parts = _changing(pool)
    right = _name_input(first) if first.is_right and wanted >= _MIN_SAME else ""
    if right:
        remark = f"Your program prints the answer for {right} whatever {parts} {_are(parts)}."
    else:
        noun = "argument" if parts.startswith("its argument") and " and " not in parts else "input"
        remark = f"Your program prints the same for {count(inputs, f'different {noun}')}: it seems to ignore {parts}."
    yield from ((one, remark) for one in wrong)


def _changing(pool: Sequence[_Seen]) -> str:
    """Name what differs in the inputs of cases: `its argument and its input`."""
    parts = []
    if len({one.case.args for one in pool}) > 1:
        parts.append("its argument" if all(len(one.case.args) <= 1 for one in pool) else "its arguments")
    if len({_stdin_mark(one.case) for one in pool}) > 1:
        parts.append("its input")
    if len({tuple(one.case.files.items()) for one in pool}) > 1:
        parts.append("its files")
    return " and ".join(parts) or "what it is given"


def _are(parts: str) -> str:
    return "are" if " and " in parts or parts in ("its arguments", "its files") else "is"


def _name_input(seen: _Seen) -> str:
    """Quote the input of a case where it is short; empty where it is not."""
    text = " ".join(seen.case.args)
    text = text or first_bytes(unread(seen.case, "stdin"), 4 * _MAX_INPUT_LENGTH + 1).decode(errors="replace").strip()
    return quote(text) if 0 < len(text) <= _MAX_INPUT_LENGTH and "\n" not in text else ""


# ---------------------------------------------------------------- the answer for the number before or after


def _hint_neighbour(pool: Sequence[_Seen]) -> Iterator[tuple[_Seen, str]]:
    """Say that the program prints for each number the answer for the number before, or after."""
    known = {one.numbers: one for one in pool if one.expected and len(one.numbers) == 1}
    shifted: dict[int, list[tuple[_Seen, _Seen]]] = {-1: [], 1: []}
    wrong = [one for one in pool if one.is_wrong and len(one.numbers) == 1]
    for one in wrong:
        for by, found in shifted.items():
            other = known.get((one.numbers[0] + by,))
            if other and other.expected and _is_same(one, other.expected, other.given, one.expected or ()):
                found.append((one, other))
    by, found = max(shifted.items(), key=lambda item: len(item[1]))
    if len(found) < _MIN_SHIFTED or 2 * len(found) < len(wrong):
        return
    one, other = found[0]
    more = count(len(found) - 1, "more time")
    why = "as if it counted from 0" if by < 0 else "one step too far"
    remark = f"For {_name_input(one)} it prints the answer for {_name_input(other)}, and so on {more}: {why}."
    yield from ((one, remark) for one in wrong)


# ---------------------------------------------------------------- numbers that are one off


def _hint_off_by_one(pool: Sequence[_Seen]) -> Iterator[tuple[_Seen, str]]:
    """Say that all wrong numbers are one too small, or one too large."""
    found = {one.case.id: _shift(one) for one in pool if one.is_wrong}
    for by in (-1, 1):
        cases = [one for one in pool if found.get(one.case.id, Counter[int]())[by]]
        numbers = sum(found[one.case.id][by] for one in cases)
        if numbers < _MIN_SHIFTED or 2 * len(cases) < len(found) or len({one.printed for one in cases}) < len(cases):
            continue
        expected = [line for one in cases for line in one.expected or ()]
        yield from ((one, _describe_shift(by, expected)) for one in cases)


def _describe_shift(by: int, expected: Iterable[str]) -> str:
    """Say by how much all wrong numbers are off; as for the reason, only small ones can be places or counts."""
    if by > 0:
        return "Every wrong number is 1 too large."
    is_small = all(int(number) <= _MAX_PLACE for text in expected for number in _NUMBER.findall(text))
    return f"Every wrong number is 1 too small{', as if it counted from 0' if is_small else ''}."


def _shift(seen: _Seen) -> Counter[int]:
    """Count the numbers of an output by how much they are off; none when something else is wrong, or they differ."""
    if seen.expected is None or len(seen.printed) != len(seen.expected):
        return Counter()
    shifts: Counter[int] = Counter()
    for one, other in zip(seen.printed, seen.expected, strict=True):
        if _NUMBER.sub(_NUMBER_MARK, one) != _NUMBER.sub(_NUMBER_MARK, other):
            return Counter()
        numbers = zip(_NUMBER.findall(one), _NUMBER.findall(other), strict=True)
        shifts.update(int(number) - int(wanted) for number, wanted in numbers)
    del shifts[0]
    return shifts if len(shifts) == 1 else Counter()


# ---------------------------------------------------------------- values that functions return


def _hint_values(result: TestResult) -> dict[str, str]:
    """Return for the cases of a test whose functions return the same for all arguments, or one off, what says so."""
    values = {one.id: one.contrasts[0] for one in result.cases if len(one.contrasts) == 1 and _is_value(one)}
    right = sum(one.is_right for one in result.cases)
    if (
        len(values) < _MIN_SHIFTED
        or len(values) + right < len(result.cases)
        or len({one.name for one in values.values()}) > 1
    ):
        return {}
    actual, expected = ({getattr(one, side) for one in values.values()} for side in ("actual", "expected"))
    remark = ""
    if (
        len(actual) == 1
        and len(expected) >= _MIN_SAME
        and right <= 1
        and not _NOTHING.issuperset(map(str.strip, actual))
    ):
        calls = count(len(values), "call")
        remark = f"The {next(iter(values.values())).name} is the same in {calls} with different arguments."
    elif (
        right <= len(values)
        and len(expected) > 1
        and (shifts := {_shift_of_value(one) for one in values.values()}) in ({-1}, {1})
    ):
        remark = _describe_shift(shifts.pop(), expected)
    return dict.fromkeys(values, remark) if remark else {}


def _is_value(result: CaseResult) -> bool:
    return result.verdict is Verdict.FAILED and all(one.stream == "call" for one in result.deviations)


def _shift_of_value(value: Contrast) -> int:
    """Return by how much a number is off; 0 for what is no whole number."""
    texts = value.actual.strip(), value.expected.strip()
    return int(texts[0]) - int(texts[1]) if all(map(_NUMBER.fullmatch, texts)) else 0
