"""The judgement of calls of functions: how far they came, their return values, and their arguments afterwards."""

import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from grader.core.comparators.base import WantedPlace
from grader.core.diagnosis import ReadLine
from grader.core.errors import HostError
from grader.core.judge.case import reachable_in_text
from grader.core.judge.ending import crashed
from grader.core.judge.outputs import (
    CheckFactory,
    answer_of,
    deviation_in,
    deviations_of,
    nearest_of,
    no_checks,
    wanted_text,
)
from grader.core.judge.unstarted import describe_line, describe_unreadable, source_at
from grader.core.kind import JudgeContext, Judged, Settled
from grader.core.lazy import lazy_regex
from grader.core.model.checks import SHARE
from grader.core.model.execution import Execution
from grader.core.model.judgement import CaseRemark, Contrast, Deviation, Message, Verdict
from grader.core.model.spec import Case, Expected
from grader.core.model.toolchain import Toolchain
from grader.core.model.values import PlainValue, Wildcard
from grader.core.text import capital, joined, listed, quote, show
from grader.kinds.functions.call_text import name_of_call, shown_call
from grader.kinds.functions.compare_values import (
    DOUBLE,
    MISSING,
    SINGLE,
    UNDEFINED,
    ValueDifference,
    Way,
    count_same,
    differing,
    element_at,
    encode_value,
    find_opaque,
    in_lines,
    place_of,
    shown_value,
    whole_if_short,
)
from grader.kinds.functions.model import Calls, ExpectedValue, FunctionCase, Outcome, Raised, calls_of, functions_of
from grader.kinds.functions.remarks import remark_on_calls, remark_on_index, remark_on_loading

Compared = tuple[Deviation, Contrast | None]

_MAX_QUOTED_LENGTH = 160
_MAX_HEADINGS = 3
_MAX_DIFFERENCES = 1000
"""differences of two values that are counted"""
_UNSET = lazy_regex(r"\bNullPointerException\b|\bNameError\b|out of bounds for length 0\b")
"""exceptions that an unset value causes"""
_UNDEFINED = lazy_regex(rb"(?m)^`(.{1,200})` is called, and nothing defines it$")
_STRUCTURE_ERROR = "grader.StructureError"
"""says of a function of C why it cannot be called, or what it returned not read (probes/wrapped.py)"""
_UNDEFINED_STATUS = 127
"""what the stand-in for an undefined function of C says, and its status (probes/library.py)"""
_WITHOUT_MAIN = "`main` has not run: each function is called on its own."
_TEXTS = ("String", "char")
_SINGLE = lazy_regex(r"\b[Ff]loat\b")
"""types of Java whose values are texts"""


def settle(
    case: Case, execution: Execution, expected: Execution | None, stopped: Settled | None, context: JudgeContext
) -> Settled | None:
    """Return verdict and sentence where the calls did not come to their end, as those of the reference did."""
    answer = answer_to(case, expected)
    if stopped:
        return stopped[0], stopped[1].with_after("calls", where_stopped(case, execution))
    toolchain, read_line = context.toolchain, context.read_line
    broken = broken_off(case, execution, answer, toolchain, read_line, checks=context.checks)
    return broken or crashed(case, execution, toolchain, read_line)


def judge(case: Case, execution: Execution, expected: Execution | None, context: JudgeContext) -> Judged:
    """Compare what the calls came to. Where a function is missing, nothing else is looked at."""
    compared = tuple(compare_calls(case, execution, answer_to(case, expected), context.checks))
    calls = calls_of(execution)
    deviations = [deviation for deviation, _ in compared]
    function = functions_of(case)
    if function and calls and any(one.kind == "wrong" for one in deviations):
        contrasts = [contrast for _, contrast in compared if contrast]
        remark = remark_on_calls(function, calls, contrasts, execution.stdout, context.read_line)
        deviations[-1] = replace(deviations[-1], message=deviations[-1].message + remark)
    return Judged(
        deviations=tuple(deviations),
        contrasts=tuple(contrast for _, contrast in compared if contrast),
        remark="" if deviations or calls is None else remark_on_loading(calls.load_error, context.read_line),
        compares_outputs=not (calls and calls.missing),
    )


def facts_for_checks(case: Case, execution: Execution) -> Mapping[str, Any]:
    """Return the arguments of the main call and what it returned, for a check of the course."""
    function, calls = functions_of(case), calls_of(execution)
    if function is None:
        return {}
    returned = calls.returned[len(function.before) :] if calls else ()
    return {"args": function.call.args, "returned": returned[0] if returned else None}


def reachable(case: Case) -> frozenset[str]:
    """Return the deviations that calls can have: wrong, and those of values that are compared as texts."""
    function = functions_of(case)
    texts = [text for value in function.expected.values() for text in value.texts] if function else []
    return frozenset({"wrong"}).union(*map(reachable_in_text, texts))


def answer_to(case: Case, expected: Execution | None) -> Calls | None:
    """Return what the reference came to; None when nothing of it is asked for.

    Raises HostError when the reference has not all functions, or did not come to its end.
    """
    function = functions_of(case)
    if function is None or not case.asks_reference:
        return None
    answer = _calls_of(case, answer_of(case, expected))
    at = len(answer.returned)
    unasked = [one for place, one in answer.caught.items() if not _asked_at(function, place).raises]
    fault = answer.load_error if not answer.loaded else next(iter(unasked), answer.raised)
    if answer.fault is not None:
        raise HostError(f"{case.id}: the reference broke the code that calls it: {answer.fault}")
    if answer.missing:
        asked = _missing_name(function, answer)
        raise HostError(f"{case.id}: the reference has no {asked} with these parameters")
    if fault and (unasked or not _asked_at(function, at).raises):
        raise HostError(f"{case.id}: the reference {_ended_with(fault)}")
    if not fault and len(answer.returned) < len(function.calls):
        raise HostError(f"{case.id}: the reference ended before all of its functions returned")
    return answer


def where_stopped(case: Case, execution: Execution) -> str:
    """Describe the activity at which a limit stopped the calls; empty for the main call, and without calls."""
    function, calls = functions_of(case), calls_of(execution)
    if function is None or calls is None or not calls.is_recorded:
        return ""
    if not calls.loaded:
        return f"It was still loading {_place_of(function)}."
    position = len(calls.returned)
    if (position == len(function.before) and function.steps is None) or position >= len(function.calls):
        return ""
    return f"It was running {name_of_call(function, position)}."


def broken_off(
    case: Case,
    execution: Execution,
    answer: Calls | None,
    toolchain: Toolchain,
    read_line: ReadLine,
    *,
    checks: CheckFactory = no_checks,
) -> Settled | None:
    """Return verdict and sentence of calls that did not come to their end, as that of the reference did.

    There is none where a step before that was wrong already: the end may follow from it.
    """
    function = functions_of(case)
    if function is None:
        return None
    calls = _calls_of(case, execution)
    ends = {**calls.caught, **({len(calls.returned): calls.raised} if calls.raised else {})}
    unasked = [at for at in sorted(ends) if not _asks_exception(function, at, answer)]
    is_through = bool(ends) and not unasked and (calls.raised or len(calls.returned) == len(function.calls))
    if is_through or _is_wrong_before(case, calls, answer, min([*unasked, len(calls.returned)]), checks):
        return None
    if not calls.is_recorded:
        sentence = "The result of the call is unknown: your program removed or filled the file that records it."
        return Verdict.FAILED, Message(sentence, ("unrecorded",))
    loading = f"Loading {_place_of(function)}"
    worker = _describe_worker(function, calls, unasked) if calls.loaded else loading
    raised = ends[unasked[0]] if unasked else None
    if ended := raised or (None if calls.loaded and not calls.missing else calls.load_error):
        before = f", before `{_missing_name(function, calls)}` was defined" if calls.missing else ""
        verdict, told = _describe_raised(ended, worker if raised else loading, before, toolchain, read_line)
        return verdict, replace(told, after=_remarks_on_raised(function, unasked[0], raised) if raised else ())
    is_done = calls.missing or (calls.loaded and len(calls.returned) >= len(function.calls))
    if calls.fault is not None:
        end = f"broke the code that calls it: {quote(calls.fault)}"
    elif is_done or execution.signal is not None:
        return None
    else:
        end = _describe_end(execution)
    return Verdict.CRASHED, Message(f"{worker} {end}.", ("ended", end))


def _describe_end(execution: Execution) -> str:
    """Describe, as a predicate, how a call ended the program."""
    found = _UNDEFINED.search(execution.stderr) if execution.status == _UNDEFINED_STATUS else None
    if found:
        return f"calls {quote(found[1])}, which nothing in your files defines"
    return f"ended the whole program, with status {execution.status}"


def _describe_worker(function: FunctionCase, calls: Calls, unasked: Sequence[int]) -> str:
    """Return, as the beginning of a sentence, the call that ended unexpectedly, or the one that was being made."""
    position = unasked[0] if unasked else min(len(calls.returned), len(function.calls) - 1)
    name = capital(name_of_call(function, position))
    is_around = function.steps is None and not function.calls[position].makes
    if position == len(function.before) or not is_around:
        return name
    return f"{name}, called {'first' if position < len(function.before) else 'afterwards'},"


def _is_wrong_before(case: Case, calls: Calls, answer: Calls | None, until: int, checks: CheckFactory) -> bool:
    function = functions_of(case)
    steps = [at for at in (function and function.steps) or {} if at < until]
    found = (one for at in steps for one, _ in _compare_outcome(case, calls, answer, at, checks))
    return any(deviation.kind == "wrong" for deviation in found)


def _describe_raised(ended: Raised, worker: str, before: str, toolchain: Toolchain, read_line: ReadLine) -> Settled:
    """Return verdict and sentence of an exception; `worker` is what ended with it, `before` what that prevented."""
    is_loading = worker.startswith("Loading ")
    if is_loading and (unreadable := _describe_unreadable_module(ended, toolchain, read_line)):
        return Verdict.CRASHED, unreadable
    line = describe_line(ended.place, read_line)
    end = _ended_with(replace(ended, place="") if line else ended)
    is_memory = any(re.search(pattern, ended.type) for pattern in toolchain.out_of_memory)
    message = Message(
        f"{worker} {end}{line}{before}.", ("loading" if is_loading else "raised", ended.type, ended.place)
    )
    return Verdict.MEMORY if is_memory else Verdict.CRASHED, message


def _remarks_on_raised(function: FunctionCase, at: int, raised: Raised) -> tuple[CaseRemark, ...]:
    """Say what an exception of a call may come from."""
    is_unset = _UNSET.search(f"{raised.type}: {raised.message}")
    has_main = any(call.signature.name == "main" for call in function.calls)
    texts = {"main": is_unset and not has_main and _WITHOUT_MAIN, "index": remark_on_index(function.calls[at], raised)}
    return tuple((name, text) for name, text in texts.items() if text)


def _describe_unreadable_module(ended: Raised, toolchain: Toolchain, read_line: ReadLine) -> Message | None:
    """Describe a syntax error of a module like that of a program; None when the module could be read."""
    file, _, line = ended.place.rpartition(":")
    name = file.rpartition("/")[2]
    error = f"{ended.type}: {ended.message}".replace(f" ({name}, line {line})", "")
    source = source_at(f"{name}:{line}", read_line)
    report = f'  File "{name}", line {line}\n' + (f"    {source}\n" if source else "") + error
    return describe_unreadable(toolchain, report.encode(errors="backslashreplace"), read_line)


def compare_calls(
    case: Case, execution: Execution, answer: Calls | None, checks: CheckFactory = no_checks
) -> Iterator[Compared]:
    """Compare the results of the calls with the expected ones; yield each deviation with its two values, if any."""
    function = functions_of(case)
    if function is None:
        return
    calls = _calls_of(case, execution)
    if calls.missing:
        yield deviation_in(case, "wrong", "call", _describe_missing(function, calls)), None
    else:
        for at in function.outcomes:
            compared = list(_compare_outcome(case, calls, answer, at, checks))
            yield from compared
            if any(deviation.kind == "wrong" for deviation, _ in compared):
                return  # what comes later follows from it


def _compare_outcome(
    case: Case, calls: Calls, answer: Calls | None, at: int, checks: CheckFactory
) -> Iterator[Compared]:
    """Compare the result of one of the calls with the expected one."""
    function = functions_of(case)
    if function is None:
        return
    if not _asks_exception(function, at, answer):
        for value in _looked_at(function, calls, answer, at):
            yield from _compare_value(case, value, checks)
    elif message := _wrong_exception(function, calls, at):
        yield deviation_in(case, "wrong", "call", message), None
    elif (asked := _asked_at(function, at).message) and (raised := raised_at(calls, at)):
        right = raised_at(answer, at) if answer and asked.asks_reference else None
        if asked.asks_reference and right is None:
            raise HostError(f"{case.id}: the reference ends with no exception that could have a message")
        place: tuple[WantedPlace, str] = ("call", f"the message of the exception of {name_of_call(function, at)}")
        messages = [one.message.encode(errors="surrogatepass") if one else b"" for one in (raised, right)]
        wanted = wanted_text(asked, messages[1], case.tolerate, place, checks)
        for deviation in deviations_of(messages[0], wanted):
            yield deviation, None


def _asked_at(function: FunctionCase, at: int) -> Outcome:
    return function.outcomes.get(at, Outcome())


def raised_at(calls: Calls, at: int) -> Raised | None:
    """Return the exception that a call ended with."""
    return calls.caught.get(at) or (calls.raised if at == len(calls.returned) else None)


def _asks_exception(function: FunctionCase, at: int, answer: Calls | None) -> bool:
    """Whether a call has to end with an exception."""
    asked = _asked_at(function, at).raises
    return bool(answer and raised_at(answer, at)) if asked == "reference" else bool(asked)


def _calls_of(case: Case, execution: Execution) -> Calls:
    calls = calls_of(execution)
    if calls is None:
        raise HostError(f"{case.id}: the runner told nothing of the calls")
    return calls


def _wrong_exception(function: FunctionCase, calls: Calls, at: int) -> str:
    name = capital(name_of_call(function, at))
    raised, asked = raised_at(calls, at), _asked_at(function, at).raises
    asked = asked if asked not in ("any", "reference") else ""
    wanted = f"`{asked}`" if asked else "an exception"
    if raised is None:
        returned, is_python = calls.returned[at], _is_python(function)
        if function.calls[at].makes or find_opaque(returned):  # there is nothing to show of an object
            return f"{capital(shown_call(function, at, is_python=is_python))} raised nothing; {wanted} is expected."
        return f"{name} returned {shown_value(returned, is_python=is_python)}; {wanted} is expected."
    is_right = not asked or any(asked in (kind, kind.rpartition(".")[2]) for kind in raised.kinds)
    return "" if is_right else f"{name} {_ended_with(raised)}; {wanted} is expected."


def _ended_with(raised: Raised) -> str:
    if raised.type == _STRUCTURE_ERROR:
        return show(raised.message)
    place = f" at {raised.place}" if raised.place else ""
    message = f": {_quoted_text(raised.message)}" if raised.message else ""
    return f"ended with {_quoted_text(raised.type.rpartition('.')[2])}{place}{message}"


def _missing_name(function: FunctionCase, calls: Calls) -> str:
    call = calls.missing.call if calls.missing else None
    return function.calls[call or 0].signature.name if (call or 0) < len(function.calls) else ""


def _describe_missing(function: FunctionCase, calls: Calls) -> str:
    missing, is_native = calls.missing, bool(re.search(r"\.c\w*$", function.within[0]))
    if missing is None or missing.call is None or missing.call >= len(function.calls):
        kind = "file" if is_native else "module" if _is_python(function) else "class"
        return f"There is no {kind} {_place_of(function)}{_there_is(missing.found if missing else ())}."
    signature = function.calls[missing.call].signature
    heading, asked = f"{_place_of(function)} has", f"the assignment asks for {_quoted_text(signature.text)}"
    if missing.same_name:
        return f"{heading} {_all_of(missing.found)}; {asked}."
    if is_native:  # the others that are known there are those that the assignment asks for
        return f"{heading} no {_quoted_text(signature.name)}; {asked}."
    names = {heading.partition("(")[0].rpartition(" ")[2].lower(): heading for heading in missing.found}
    near = difflib.get_close_matches(signature.name.lower(), names, 1)  # what may have been meant
    if near:
        return f"{heading} no {_quoted_text(signature.name)}, but {_quoted_text(names[near[0]])}; {asked}."
    return f"{heading} no {_quoted_text(signature.name)}; {asked}{_there_is(missing.found)}."


def _there_is(found: Sequence[str]) -> str:
    return f"; there is {_all_of(found)}" if found else ""


def _all_of(found: Sequence[str]) -> str:
    return listed([_quoted_text(text) for text in found[:_MAX_HEADINGS]], total=len(found))


def _place_of(function: FunctionCase) -> str:
    """Name the class or module that is asked for; which of several names it has, the probe alone knows."""
    return joined([_quoted_text(name) for name in function.within], "or")


def _is_python(function: FunctionCase) -> bool:
    return function.call.signature.text.startswith(("def ", "class "))


def _quoted_text(text: str) -> str:
    return quote(text, most=_MAX_QUOTED_LENGTH)


# ---------------------------------------------------------------- values


class _LookedAt(Struct, frozen=True, kw_only=True):
    """A value, or an element of one, to be compared with the expectation, and the facts to describe it."""

    function: str
    """the function that was called, quoted: for an argument, the last of the calls"""
    parameter: str
    """the name of an argument; empty for what was returned"""
    type: str
    """as it is declared; empty in Python, and for a cell"""
    actual: PlainValue
    asked: ExpectedValue
    right: PlainValue
    """the reference's value, where the expectation asks for it"""
    is_python: bool
    path: Way = ()
    """the way to the cell"""

    @property
    def name(self) -> str:
        """The heading of the value, above the two values side by side."""
        return f"argument `{self.parameter}`" if self.parameter else "returned value"

    @property
    def where(self) -> str:
        """The name of the value within a sentence."""
        if self.parameter:
            return f"`{self.parameter}{place_of(self.path)}` after {self.function}"
        return f"{f'`{place_of(self.path)}` of ' if self.path else ''}what {self.function} returned"

    def describe(self, actual: str, wanted: str, path: Way = (), *, in_list: bool = False) -> str:
        """Describe a difference, without the full stop: "`f` returned 11; 10 is expected"."""
        place = place_of(path or self.path)
        if self.parameter:
            return f"After {self.function}, `{self.parameter}{place}` is {actual}; {wanted} is expected"
        is_list = place or in_list
        whole = "a map" if isinstance(next(iter(path), 0), str) else "a list"
        within = f"{whole} {f'in which `{place}` is ' if place else ''}" if is_list else ""
        return f"{capital(self.function)} returned {within}{actual}; {wanted} is expected"

    def cell(self, path: Way, asked: ExpectedValue) -> "_LookedAt":
        """Return a cell of it, which may be missing."""
        way = (*self.path, *path)
        actual, right = element_at(self.actual, path), element_at(self.right, path)
        return replace(self, type="", actual=actual, right=right, asked=asked, path=way)


def _looked_at(function: FunctionCase, calls: Calls, answer: Calls | None, at: int) -> Iterator[_LookedAt]:
    """Iterate over what is looked at of a call: what it returned; of the main one also its arguments."""
    is_python, returns = _is_python(function), _asked_at(function, at).returns
    if returns is not None:
        yield _LookedAt(
            function=name_of_call(function, at),
            parameter="",
            type=function.calls[at].signature.returns,
            actual=calls.returned[at],
            asked=returns,
            right=answer.returned[at] if answer and returns.asks_reference else None,
            is_python=is_python,
        )
    call = function.call.signature
    for position, asked in sorted(function.args.items()):
        parameter = call.parameters[position]
        yield _LookedAt(
            function=_quoted_text(function.calls[-1].signature.name),
            parameter=parameter.name,
            type=parameter.type,
            actual=element_at(calls.args, (position,)),
            asked=asked,
            right=answer.args[position] if answer and answer.args and asked.asks_reference else None,
            is_python=is_python,
        )


def _compare_value(case: Case, value: _LookedAt, checks: CheckFactory) -> Sequence[Compared]:
    """Compare a value with its expectation."""
    asked = value.asked
    if asked.either:
        return _compare_with_either(case, value, checks)
    if asked.cells:
        return _compare_cells(case, value, checks)
    if value.actual is MISSING:
        problem = f"{value.where} is missing."
        return [(deviation_in(case, "wrong", "call", capital(problem)), None)]
    if asked.reference and value.right is MISSING:
        raise HostError(f"{case.id}: the reference has no {place_of(value.path)} in {value.name}")
    if asked.text is not None:
        return [(one, None) for one in _compare_as_text(case, value, asked.text, checks)]
    return list(_compare_equal(case, value))


def _compare_with_either(case: Case, value: _LookedAt, checks: CheckFactory) -> Sequence[Compared]:
    """Compare a value with several right alternatives."""
    every = [_compare_value(case, replace(value, asked=one), checks) for one in value.asked.either]
    wanted = (value.right if one.reference else one.want for one in value.asked.either)
    found = [
        (tuple(deviation for deviation, _ in compared), count_same(value.actual, right))
        for compared, right in zip(every, wanted, strict=True)
    ]
    best, deviations = nearest_of(found)
    return [(one, contrast) for one, (_, contrast) in zip(deviations, every[best], strict=True)]


def _compare_cells(case: Case, value: _LookedAt, checks: CheckFactory) -> Sequence[Compared]:
    """Compare some elements of a value with their expectations, and describe the first wrong one."""
    cells = [value.cell(path, asked) for path, asked in value.asked.cells.items()]
    found = [compared for compared in (_compare_value(case, cell, checks) for cell in cells) if compared]
    if not found:
        return ()
    (first, _), *_ = found[0]
    more = len(found) - 1
    others = f" ({more} more {'place is' if more == 1 else 'places are'} wrong.)" if more else ""
    shown = _with_cells(value.actual, dict(zip(value.asked.cells, cells, strict=True)))
    left, right = (in_lines(one, is_python=value.is_python) for one in (shown, value.actual))
    every = [deviation for compared in found for deviation, _ in compared]
    return [  # further ones of a kind change no credit, but for shares
        (replace(first, message=first.message + others), Contrast(name=value.name, expected=left, actual=right)),
        *((one, None) for one in every if one.kind != first.kind or (one.kind == SHARE and one is not first)),
    ]


def _with_cells(value: PlainValue, cells: Mapping[tuple[int, ...], _LookedAt]) -> PlainValue:
    """Return the expected value: the given elements from their expectations, all others as they are in `value`."""
    if () in cells:
        asked = cells[()].asked
        wanted = cells[()].right if asked.reference else asked.want
        return Wildcard() if asked.text or asked.either or asked.cells or wanted is MISSING else _filled(wanted, value)
    if not cells:
        return Wildcard() if value is MISSING else value
    length = max(len(value) if isinstance(value, tuple) else 0, *(path[0] + 1 for path in cells))
    inner = ({path[1:]: cell for path, cell in cells.items() if path[0] == index} for index in range(length))
    return tuple(_with_cells(element_at(value, (index,)), own) for index, own in enumerate(inner))


def _filled(wanted: PlainValue, actual: PlainValue) -> PlainValue:
    """Return what is wanted with what there is in its open cells: side by side, nothing is wrong with those."""
    if isinstance(wanted, Wildcard) and actual is not MISSING:
        return actual
    if isinstance(wanted, tuple):
        return tuple(_filled(cell, element_at(actual, (index,))) for index, cell in enumerate(wanted))
    return wanted


def _compare_equal(case: Case, value: _LookedAt) -> Iterator[Compared]:
    """Compare a value with the one that it must equal."""
    wanted = value.right if value.asked.reference else value.asked.want
    if opaque := find_opaque(wanted):
        shown = shown_value(opaque, is_python=value.is_python)
        raise HostError(f"{case.id}: the {value.name} of the reference has {shown}: nothing can be compared with that")
    if value.type.endswith("*"):  # a list of C without elements is a null pointer
        wanted, value = wanted or None, replace(value, actual=value.actual or None)
    closeness = SINGLE if _SINGLE.search(value.type) else DOUBLE
    differences = differing(value.actual, wanted, value.path, is_computed=value.asked.reference, closeness=closeness)
    if found := list(islice((one for one in differences if not _is_nothing(value, one)), _MAX_DIFFERENCES)):
        more = len(found) - 1
        least = "at least " if len(found) == _MAX_DIFFERENCES else ""
        others = f" ({least}{more} more {'place differs' if more == 1 else 'places differ'})" if more else ""
        whole = () if value.path or value.parameter else whole_if_short(value.actual, wanted, is_python=value.is_python)
        message = f"{value.describe(*whole) if whole else f'{_describe_difference(value, found[0])}{others}'}."
        left, right = (
            in_lines(one, is_python=value.is_python) for one in (_filled(wanted, value.actual), value.actual)
        )
        yield deviation_in(case, "wrong", "call", message), Contrast(name=value.name, expected=left, actual=right)


def _is_nothing(value: _LookedAt, difference: ValueDifference) -> bool:
    """Whether null is wanted and there is `undefined`, where the two cannot be told apart.

    The reference is in Python, which has only one of them, and `returns: null` is also said of what returns nothing.
    """
    is_undefined = difference.actual == UNDEFINED and difference.wanted is None and not difference.kind
    return is_undefined and (value.asked.reference or difference.path == value.path)


def _compare_as_text(case: Case, value: _LookedAt, asked: Expected, checks: CheckFactory) -> Iterator[Deviation]:
    """Compare a value, written as text, by the comparator of its expectation."""
    wants_reference = value.asked.reference
    is_text = value.type in _TEXTS or (wants_reference and isinstance(value.right, str))
    output = encode_value(value.actual)
    if output is None or (is_text and not isinstance(value.actual, str)):
        wanted = "a text" if is_text else "plain data"
        difference = value.describe(shown_value(value.actual, is_python=value.is_python), wanted)
        yield deviation_in(case, "wrong", "call", f"{difference}.")
        return
    right = encode_value(value.right) if wants_reference else b""
    if right is None or (wants_reference and is_text and not isinstance(value.right, str)):
        shown, needed = shown_value(value.right, is_python=True), "a text" if is_text else "plain data"
        raise HostError(f"{case.id}: the reference returned {shown}; {needed} is needed")
    place: tuple[WantedPlace, str] = ("call", value.where)
    yield from deviations_of(output, wanted_text(asked, right, case.tolerate, place, checks))


def _describe_difference(value: _LookedAt, difference: ValueDifference) -> str:
    """Describe the first difference."""
    if difference.is_length:
        return value.describe(f"of length {difference.actual}", f"{difference.wanted}", difference.path, in_list=True)
    actual, wanted = (shown_value(v, is_python=value.is_python) for v in (difference.actual, difference.wanted))
    if kind := difference.kind:
        what = "the key " if kind == "a map" else ""
        if difference.actual is MISSING:
            return value.describe(f"{kind} without {what}{wanted}", "one with it", difference.path)
        return value.describe(f"{kind} with {what}{actual}", "one without it", difference.path)
    return value.describe(actual, wanted, difference.path)
