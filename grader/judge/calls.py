"""The judgement of calls of functions: how far they came, what they returned, and what they left of their arguments."""

import difflib
import re
from collections.abc import Iterator, Sequence

from grader.comparators.base import WantedPlace
from grader.errors import HostError
from grader.judge.ending import crashed, stopped
from grader.judge.values import ValueDifference, in_lines, shown_value, value_differences
from grader.judge.wanted import answer_of, deviation_in, deviations_of, no_checks, wanted_text
from grader.model import (
    Calls,
    Case,
    Checks,
    Contrast,
    Deviation,
    Execution,
    ExpectedValue,
    FunctionCase,
    PlainValue,
    Raised,
    Toolchain,
    Verdict,
)
from grader.text import listed, quote

Compared = tuple[Deviation, Contrast | None]

_LONGEST_QUOTED = 160
_MOST_HEADINGS = 3


def calls_broken_off(
    case: Case, execution: Execution, expected: Execution | None, toolchain: Toolchain
) -> tuple[Verdict, str] | None:
    """Return verdict and sentence of calls that did not come to their end.

    Raises HostError when those of the reference did not.
    """
    answer = answer_to(case, expected)
    if at_limit := stopped(execution):
        verdict, message = at_limit
        return verdict, message + _where_stopped(case, execution)
    return _broken_off(case, execution, answer, toolchain) or crashed(case, execution, toolchain)


def _broken_off(
    case: Case, execution: Execution, answer: Calls | None, toolchain: Toolchain
) -> tuple[Verdict, str] | None:
    function = case.functions
    calls = _calls_of(case, execution)
    if function is None or (calls.raised and _raising_is_asked(function, calls, answer)):
        return None
    if not calls.told:
        return Verdict.FAILED, "What came of the call is not known: the program removed the file that would tell it."
    worker = _at_work(function, calls) if calls.loaded else f"Loading {_quoted_text(function.within)}"
    if ended := calls.raised or (None if calls.loaded and not calls.missing else calls.load_error):
        before = f", before `{_missing_name(function, calls)}` was defined" if calls.missing else ""
        doing = worker if calls.raised else f"Loading {_quoted_text(function.within)}"
        is_memory = any(re.search(pattern, ended.type) for pattern in toolchain.out_of_memory)
        return Verdict.MEMORY if is_memory else Verdict.CRASHED, f"{doing} {_ended_with(ended)}{before}."
    is_through = calls.missing or (calls.loaded and len(calls.returned) >= len(function.calls))
    if is_through or execution.signal is not None:
        return None
    return Verdict.CRASHED, f"{worker} ended the whole program, with status {execution.status}."


def compare_calls(
    case: Case, execution: Execution, expected: Execution | None, checks: Checks = no_checks
) -> Iterator[Compared]:
    """Hold what the calls came to against what is expected; each deviation with the two values it is about, if any."""
    function = case.functions
    if function is None:
        return
    calls, answer = _calls_of(case, execution), answer_to(case, expected)
    if calls.missing:
        yield deviation_in(case, "wrong", "call", _tell_missing(function, calls)), None
    elif function.raises and (calls.raised or function.raises != "reference" or (answer and answer.raised)):
        if message := _wrong_exception(function, calls):
            yield deviation_in(case, "wrong", "call", message), None
    else:
        yield from _compare_values(case, function, calls, answer)
        yield from _compare_text(case, function, calls, answer, checks)


def _where_stopped(case: Case, execution: Execution) -> str:
    """Say what was being done when the calls were stopped at a limit; empty for the main call, and without calls."""
    function, calls = case.functions, execution.calls
    if function is None or calls is None or not calls.told:
        return ""
    if not calls.loaded:
        return f" It was still loading {_quoted_text(function.within)}."
    position = len(calls.returned)
    if position == len(function.before) or position >= len(function.calls):
        return ""
    return f" It was in {_quoted_text(function.calls[position].signature.name)}."


def answer_to(case: Case, expected: Execution | None) -> Calls | None:
    """Return what the reference came to; None when nothing of it is asked for.

    Raises HostError when the reference has not all functions, or did not come to its end.
    """
    function = case.functions
    if function is None or not case.asks_reference:
        return None
    answer = _calls_of(case, answer_of(case, expected))
    main = len(function.before)
    fault = answer.load_error if not answer.loaded else answer.raised
    if answer.missing:
        asked = _missing_name(function, answer)
        raise HostError(f"{case.id}: the reference has no {asked} with these parameters")
    if fault and not (function.raises and len(answer.returned) == main):
        raise HostError(f"{case.id}: the reference {_ended_with(fault)}")
    if not fault and len(answer.returned) < len(function.calls):
        raise HostError(f"{case.id}: the reference ended before all of its functions returned")
    return answer


def _calls_of(case: Case, execution: Execution) -> Calls:
    if execution.calls is None:
        raise HostError(f"{case.id}: the runner told nothing of the calls")
    return execution.calls


# ---------------------------------------------------------------- values


def _compare_values(case: Case, function: FunctionCase, calls: Calls, answer: Calls | None) -> Iterator[Compared]:
    name, main = _quoted_text(function.call.signature.name), len(function.before)
    if function.returns is not None and function.returns.text is None:
        wanted = _wanted(function.returns, answer.returned[main] if answer else None)
        yield from _compare_value(case, "returned value", f"{name} returned", (calls.returned[main], wanted))
    for position, value in sorted(function.args.items()):
        parameter = function.call.signature.parameters[position].name
        wanted = _wanted(value, answer.args[position] if answer and answer.args else None)
        last = (function.call, *function.then)[-1].signature.name
        after = f"After {_quoted_text(last)}, `{parameter}"
        left = (calls.args or ())[position]
        yield from _compare_value(case, f"argument `{parameter}`", after, (left, wanted))


def _compare_text(
    case: Case, function: FunctionCase, calls: Calls, answer: Calls | None, checks: Checks
) -> Iterator[Compared]:
    """Hold a returned text against what is wanted of one that need not be equal to another."""
    if function.returns is None or function.returns.text is None:
        return
    name, main = _quoted_text(function.call.signature.name), len(function.before)
    returned = calls.returned[main]
    if not isinstance(returned, str):
        told = shown_value(returned, is_python=_is_python(function))
        yield deviation_in(case, "wrong", "call", f"{name} returned {told}; a text is expected."), None
        return
    right = answer.returned[main] if answer and function.returns.reference else ""
    if not isinstance(right, str):
        raise HostError(f"{case.id}: the reference returned {shown_value(right, is_python=True)}; a text is needed")
    place: tuple[WantedPlace, str] = ("call", f"what {name} returned")
    wanted = wanted_text(function.returns.text, _encoded(right), case.tolerate, place, checks)
    for deviation in deviations_of(_encoded(returned), wanted):
        yield deviation, None


def _encoded(text: str) -> bytes:
    return text.encode(errors="surrogatepass")


def _wanted(asked: ExpectedValue, answer: PlainValue) -> PlainValue:
    return answer if asked.reference else asked.want


def _compare_value(case: Case, name: str, beginning: str, values: tuple[PlainValue, PlainValue]) -> Iterator[Compared]:
    actual, wanted = values
    is_python = case.functions is not None and _is_python(case.functions)
    found = value_differences(actual, wanted)
    if not found:
        return
    more = len(found) - 1
    others = f" ({more} more {'place differs' if more == 1 else 'places differ'})" if more else ""
    message = f"{_tell_difference(beginning, found[0], is_python=is_python)}{others}."
    contrast = Contrast(
        name=name, expected=in_lines(wanted, is_python=is_python), actual=in_lines(actual, is_python=is_python)
    )
    yield deviation_in(case, "wrong", "call", message), contrast


def _tell_difference(beginning: str, difference: ValueDifference, *, is_python: bool) -> str:
    """Say the first difference: "`f` returned 11; 10 is expected", "After `f`, `B[1][2]` is 0; 1 is expected"."""
    place = "".join(f"[{index}]" for index in difference.path)
    actual, wanted = (shown_value(v, is_python=is_python) for v in (difference.actual, difference.wanted))
    if difference.is_length:
        actual, wanted = f"of length {difference.actual}", f"{difference.wanted}"
    if beginning.startswith("After "):
        return f"{beginning}{place}` is {actual}; {wanted} is expected"
    if place or difference.is_length:
        return f"{beginning} a list {f'in which `{place}` is ' if place else ''}{actual}; {wanted} is expected"
    return f"{beginning} {actual}; {wanted} is expected"


# ---------------------------------------------------------------- exceptions


def _raising_is_asked(function: FunctionCase, calls: Calls, answer: Calls | None) -> bool:
    if len(calls.returned) != len(function.before):
        return False
    return bool(answer and answer.raised) if function.raises == "reference" else bool(function.raises)


def _wrong_exception(function: FunctionCase, calls: Calls) -> str:
    name = _quoted_text(function.call.signature.name)
    asked = function.raises if function.raises not in ("any", "reference") else ""
    wanted = f"`{asked}`" if asked else "an exception"
    if calls.raised is None:
        returned = shown_value(calls.returned[len(function.before)], is_python=_is_python(function))
        return f"{name} returned {returned}; {wanted} is expected."
    is_right = not asked or any(asked in (kind, kind.rpartition(".")[2]) for kind in calls.raised.kinds)
    return "" if is_right else f"{name} {_ended_with(calls.raised)}; {wanted} is expected."


def _ended_with(raised: Raised) -> str:
    place = f" at {raised.place}" if raised.place else ""
    message = f": {_quoted_text(raised.message)}" if raised.message else ""
    return f"ended with {_quoted_text(raised.type.rpartition('.')[2])}{place}{message}"


def _at_work(function: FunctionCase, calls: Calls) -> str:
    position = len(calls.returned)
    name = _quoted_text(function.calls[min(position, len(function.calls) - 1)].signature.name)
    if position == len(function.before):
        return name
    return f"{name}, called {'first' if position < len(function.before) else 'afterwards'},"


# ---------------------------------------------------------------- what is missing


def _missing_name(function: FunctionCase, calls: Calls) -> str:
    call = calls.missing.call if calls.missing else None
    return function.calls[call or 0].signature.name if (call or 0) < len(function.calls) else ""


def _tell_missing(function: FunctionCase, calls: Calls) -> str:
    missing = calls.missing
    if missing is None or missing.call is None or missing.call >= len(function.calls):
        kind = "module" if _is_python(function) else "class"
        return f"There is no {kind} {_quoted_text(function.within)}{_there_is(missing.found if missing else ())}."
    signature = function.calls[missing.call].signature
    heading = f"{_quoted_text(signature.text)} is asked for; {_quoted_text(function.within)} has"
    if missing.same_name:
        return f"{heading} {_all_of(missing.found)}."
    names = {heading.partition("(")[0].rpartition(" ")[2].lower(): heading for heading in missing.found}
    near = difflib.get_close_matches(signature.name.lower(), names, 1)  # what may have been meant
    others = f", but {_quoted_text(names[near[0]])}" if near else _there_is(missing.found)
    return f"{heading} no {_quoted_text(signature.name)}{others}."


def _there_is(found: Sequence[str]) -> str:
    return f"; there is {_all_of(found)}" if found else ""


def _all_of(found: Sequence[str]) -> str:
    return listed([_quoted_text(text) for text in found[:_MOST_HEADINGS]], total=len(found))


def _is_python(function: FunctionCase) -> bool:
    return function.call.signature.text.startswith("def ")


def _quoted_text(text: str) -> str:
    return quote(text.encode(errors="backslashreplace"), most=_LONGEST_QUOTED)
