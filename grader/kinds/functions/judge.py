"""The judgement of calls of functions: how far they came, their return values, and their arguments afterwards."""

import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from msgspec import Struct
from msgspec.structs import replace

from grader.core.comparators.base import WantedPlace
from grader.core.diagnosis import ReadLine
from grader.core.errors import HostError
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
from grader.core.model.judgement import Contrast, Deviation, Message, Verdict
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
from grader.kinds.functions.model import Calls, ExpectedValue, FunctionCase, Outcome, Raised, calls_of, functions_in
from grader.kinds.functions.remarks import remark_on_calls, remark_on_loading

Compared = tuple[Deviation, Contrast | None]

_MAX_QUOTED_LENGTH = 160
_MAX_HEADINGS = 3
_MAX_DIFFERENCES = 1000
"""differences of two values that are counted"""
_UNSET = lazy_regex(r"\bNullPointerException\b|\bNameError\b|out of bounds for length 0\b")
"""exceptions that an unset value causes"""
_UNDEFINED = lazy_regex(rb"symbol lookup error: .{1,1000}: undefined symbol: (?:_Z(\d+))?(\w{1,200})")
_UNDEFINED_STATUS = 127
"""what the loader says of a function of C that nothing defines, when it is called, and its status"""
_STRUCTURE_ERROR = "grader.StructureError"
"""says of a function of C why it cannot be called, or what it returned not read (probes/wrapped.py)"""
_WITHOUT_MAIN = "`main` has not run: each function is called on its own."
_SINGLE = lazy_regex(r"\b[Ff]loat\b")


class _Judged(Struct, frozen=True, kw_only=True):
    """The calls of a case, what they came to, and what those of the reference came to."""

    case: Case
    function: FunctionCase
    calls: Calls
    answer: Calls | None
    checks: CheckFactory

    def asks_exception(self, at: int) -> bool:
        """Whether a call has to end with an exception."""
        asked = _asked_at(self.function, at).raises
        return bool(self.answer and self.answer.raised_at(at)) if asked == "reference" else bool(asked)

    def wrong(self, message: str) -> Deviation:
        return deviation_in(self.case, "wrong", "call", message)


def _asked_at(function: FunctionCase, at: int) -> Outcome:
    return function.outcomes.get(at, Outcome())


def _calls_in(case: Case, execution: Execution) -> Calls:
    calls = calls_of(execution)
    if calls is None:
        raise HostError(f"{case.id}: the runner told nothing of the calls")
    return calls


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
    calls = _calls_in(case, execution)
    deviations = [deviation for deviation, _ in compared]
    contrasts = tuple(contrast for _, contrast in compared if contrast)
    if any(one.kind == "wrong" for one in deviations):
        remark = remark_on_calls(functions_in(case), calls, contrasts, execution.stdout, context.read_line)
        deviations[-1] = replace(deviations[-1], message=deviations[-1].message + remark)
    return Judged(
        deviations=tuple(deviations),
        contrasts=contrasts,
        remark="" if deviations else remark_on_loading(calls.load_error, context.read_line),
        compares_outputs=not calls.missing,
    )


def answer_to(case: Case, expected: Execution | None) -> Calls | None:
    """Return what the reference came to; None when nothing of it is asked for.

    Raises HostError when the reference has not all functions, or did not come to its end.
    """
    function = functions_in(case)
    if not case.asks_reference:
        return None
    answer = _calls_in(case, answer_of(case, expected))
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


# ---------------------------------------------------------------- calls that did not come to their end


def where_stopped(case: Case, execution: Execution) -> str:
    """Describe the activity at which a limit stopped the calls; empty for the main call, and without calls."""
    function, calls = functions_in(case), calls_of(execution)
    if calls is None or not calls.is_recorded:
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
    function, calls = functions_in(case), _calls_in(case, execution)
    judged = _Judged(case=case, function=function, calls=calls, answer=answer, checks=checks)
    ends = {**calls.caught, **({len(calls.returned): calls.raised} if calls.raised else {})}
    unasked = [at for at in sorted(ends) if not judged.asks_exception(at)]
    is_through = bool(ends) and not unasked and (calls.raised or len(calls.returned) == len(function.calls))
    until = min([*unasked, len(calls.returned)])
    if is_through or any(_has_wrong(_compare_outcome(judged, at)) for at in function.steps or () if at < until):
        return None
    if not calls.is_recorded:
        sentence = "The result of the call is unknown: your program removed or filled the file that records it."
        return Verdict.FAILED, Message(sentence, ("unrecorded",))
    worker = _describe_worker(function, calls, unasked)
    if unasked:
        raised = ends[unasked[0]]
        verdict, message = _describe_raised(raised, worker, "", toolchain, read_line)
        is_unset = _UNSET.search(f"{raised.type}: {raised.message}")
        has_main = any(call.signature.name == "main" for call in function.calls)
        return verdict, replace(message, after=(("main", _WITHOUT_MAIN),) if is_unset and not has_main else ())
    if calls.load_error and (calls.missing or not calls.loaded):
        before = f", before `{_missing_name(function, calls)}` was defined" if calls.missing else ""
        return _describe_raised(calls.load_error, f"Loading {_place_of(function)}", before, toolchain, read_line)
    end = _describe_end(function, calls, execution)
    return (Verdict.CRASHED, Message(f"{worker} {end}.", ("ended", end))) if end else None


def _describe_end(function: FunctionCase, calls: Calls, execution: Execution) -> str:
    """Describe, as a predicate, how a call ended the program; "" where nothing is known of the calls themselves."""
    if calls.fault is not None:
        return f"broke the code that calls it: {quote(calls.fault)}"
    is_done = calls.missing or (calls.loaded and len(calls.returned) >= len(function.calls))
    if is_done or execution.signal is not None:
        return ""
    found = _UNDEFINED.search(execution.stderr) if execution.status == _UNDEFINED_STATUS else None
    if found is None:
        return f"ended the whole program, with status {execution.status}"
    name = found[2][: int(found[1] or len(found[2]))]  # C++ writes the length before it, and the types behind it
    return f"calls {quote(name)}, which nothing in your files defines"


def _has_wrong(compared: Iterator[Compared]) -> bool:
    return any(deviation.kind == "wrong" for deviation, _ in compared)


def _describe_worker(function: FunctionCase, calls: Calls, unasked: Sequence[int]) -> str:
    """Return, as the beginning of a sentence, the call that ended unexpectedly, or what was being done."""
    if not calls.loaded:
        return f"Loading {_place_of(function)}"
    position = unasked[0] if unasked else min(len(calls.returned), len(function.calls) - 1)
    name = capital(name_of_call(function, position))
    is_around = function.steps is None and not function.calls[position].makes
    if position == len(function.before) or not is_around:
        return name
    return f"{name}, called {'first' if position < len(function.before) else 'afterwards'},"


def _describe_raised(ended: Raised, worker: str, before: str, toolchain: Toolchain, read_line: ReadLine) -> Settled:
    """Return verdict and sentence of an exception; `worker` is what ended with it, `before` what that prevented."""
    is_loading = worker.startswith("Loading ")
    if is_loading and (unreadable := _describe_unreadable_module(ended, toolchain, read_line)):
        return Verdict.CRASHED, unreadable
    line = describe_line(ended.place, read_line)
    end = _ended_with(replace(ended, place="") if line else ended)
    is_memory = any(re.search(pattern, ended.type) for pattern in toolchain.out_of_memory)
    cause = ("loading" if is_loading else "raised", ended.type, ended.place)
    return Verdict.MEMORY if is_memory else Verdict.CRASHED, Message(f"{worker} {end}{line}{before}.", cause)


def _describe_unreadable_module(ended: Raised, toolchain: Toolchain, read_line: ReadLine) -> Message | None:
    """Describe a syntax error of a module like that of a program; None when the module could be read."""
    file, _, line = ended.place.rpartition(":")
    name = file.rpartition("/")[2]
    error = f"{ended.type}: {ended.message}".replace(f" ({name}, line {line})", "")
    source = source_at(f"{name}:{line}", read_line)
    report = f'  File "{name}", line {line}\n' + (f"    {source}\n" if source else "") + error
    return describe_unreadable(toolchain, report.encode(errors="backslashreplace"), read_line)


# ---------------------------------------------------------------- exceptions, and functions that are not there


def compare_calls(
    case: Case, execution: Execution, answer: Calls | None, checks: CheckFactory = no_checks
) -> Iterator[Compared]:
    """Compare the results of the calls with the expected ones; yield each deviation with its two values, if any."""
    function, calls = functions_in(case), _calls_in(case, execution)
    judged = _Judged(case=case, function=function, calls=calls, answer=answer, checks=checks)
    if calls.missing:
        yield judged.wrong(_describe_missing(function, calls)), None
        return
    for at in function.outcomes:
        compared = list(_compare_outcome(judged, at))
        yield from compared
        if _has_wrong(iter(compared)):
            return  # what comes later follows from it


def _compare_outcome(judged: _Judged, at: int) -> Iterator[Compared]:
    """Compare the result of one of the calls with the expected one."""
    function, answer, asked = judged.function, judged.answer, _asked_at(judged.function, at).message
    if not judged.asks_exception(at):
        for value in _looked_at(judged, at):
            yield from _compare_value(value)
        return
    raised = judged.calls.raised_at(at)
    if message := _wrong_exception(function, judged.calls, at):
        yield judged.wrong(message), None
    elif asked and raised:
        right = answer.raised_at(at) if answer and asked.asks_reference else None
        if asked.asks_reference and right is None:
            raise HostError(f"{judged.case.id}: the reference ends with no exception that could have a message")
        place: tuple[WantedPlace, str] = ("call", f"the message of the exception of {name_of_call(function, at)}")
        actual, wanted = (one.message.encode(errors="surrogatepass") if one else b"" for one in (raised, right))
        for deviation in deviations_of(actual, wanted_text(asked, wanted, judged.case.tolerate, place, judged.checks)):
            yield deviation, None


def _wrong_exception(function: FunctionCase, calls: Calls, at: int) -> str:
    name = capital(name_of_call(function, at))
    raised, asked = calls.raised_at(at), _asked_at(function, at).raises
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
    call = (calls.missing.call if calls.missing else None) or 0
    return function.calls[call].signature.name if call < len(function.calls) else ""


def _describe_missing(function: FunctionCase, calls: Calls) -> str:
    missing, is_native = calls.missing, bool(re.search(r"\.c\w*$", function.within[0]))
    if missing is None or missing.call is None or missing.call >= len(function.calls):
        kind = "file" if is_native else "module" if _is_python(function) else "class"
        return f"There is no {kind} {_place_of(function)}{_there_is(missing.found if missing else ())}."
    signature = function.calls[missing.call].signature
    heading, asked = f"{_place_of(function)} has", f"the assignment asks for {_quoted_text(signature.text)}"
    if missing.same_name:
        return f"{heading} {_all_of(missing.found)}; {asked}."
    lacking = f"{heading} no {_quoted_text(signature.name)}"
    if is_native:  # the others that are known there are those that the assignment asks for
        return f"{lacking}; {asked}."
    names = {heading.partition("(")[0].rpartition(" ")[2].lower(): heading for heading in missing.found}
    near = difflib.get_close_matches(signature.name.lower(), names, 1)  # what may have been meant
    return (
        f"{lacking}, but {_quoted_text(names[near[0]])}; {asked}."
        if near
        else f"{lacking}; {asked}{_there_is(missing.found)}."
    )


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

    judged: _Judged
    function: str  # the function that was called, quoted: for an argument, the last of the calls
    parameter: str = ""  # the name of an argument; empty for what was returned
    type: str  # as it is declared; empty in Python, and for a cell
    actual: PlainValue
    asked: ExpectedValue
    right: PlainValue  # the reference's value, where the expectation asks for it
    path: Way = ()  # the way to the cell

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

    def shown(self, value: PlainValue) -> str:
        return shown_value(value, is_python=_is_python(self.judged.function))

    def wrong(self, sentence: str) -> Deviation:
        return self.judged.wrong(f"{capital(sentence)}.")

    def contrast(self, wanted: PlainValue) -> Contrast:
        expected, actual = (in_lines(one, is_python=_is_python(self.judged.function)) for one in (wanted, self.actual))
        return Contrast(name=self.name, expected=expected, actual=actual)

    def describe(self, actual: str, wanted: str, path: Way = (), *, in_list: bool = False) -> str:
        """Describe a difference, without the full stop: "`f` returned 11; 10 is expected"."""
        place = place_of(path or self.path)
        if self.parameter:
            return f"After {self.function}, `{self.parameter}{place}` is {actual}; {wanted} is expected"
        whole = "a map" if isinstance(next(iter(path), 0), str) else "a list"
        within = f"{whole} {f'in which `{place}` is ' if place else ''}" if place or in_list else ""
        return f"{self.function} returned {within}{actual}; {wanted} is expected"

    def cell(self, path: Way, asked: ExpectedValue) -> "_LookedAt":
        """Return a cell of it, which may be missing."""
        actual, right = element_at(self.actual, path), element_at(self.right, path)
        return replace(self, type="", actual=actual, right=right, asked=asked, path=(*self.path, *path))


def _looked_at(judged: _Judged, at: int) -> Iterator[_LookedAt]:
    """Iterate over what is looked at of a call: what it returned; of the main one also its arguments."""
    function, calls, answer = judged.function, judged.calls, judged.answer
    if returns := _asked_at(function, at).returns:
        yield _LookedAt(
            judged=judged,
            function=name_of_call(function, at),
            type=function.calls[at].signature.returns,
            actual=calls.returned[at],
            asked=returns,
            right=answer.returned[at] if answer and returns.asks_reference else None,
        )
    for position, asked in sorted(function.args.items()):
        parameter = function.call.signature.parameters[position]
        yield _LookedAt(
            judged=judged,
            function=_quoted_text(function.calls[-1].signature.name),
            parameter=parameter.name,
            type=parameter.type,
            actual=element_at(calls.args, (position,)),
            asked=asked,
            right=answer.args[position] if answer and answer.args and asked.asks_reference else None,
        )


def _compare_value(value: _LookedAt) -> Sequence[Compared]:
    """Compare a value with its expectation."""
    asked = value.asked
    if asked.either:
        return _compare_with_either(value)
    if asked.cells:
        return _compare_cells(value)
    if value.actual is MISSING:
        return [(value.wrong(f"{value.where} is missing"), None)]
    if asked.reference and value.right is MISSING:
        raise HostError(f"{value.judged.case.id}: the reference has no {place_of(value.path)} in {value.name}")
    if asked.text is not None:
        return [(one, None) for one in _compare_as_text(value, asked.text)]
    return list(_compare_equal(value))


def _compare_with_either(value: _LookedAt) -> Sequence[Compared]:
    """Compare a value with several right alternatives."""
    every = [_compare_value(replace(value, asked=one)) for one in value.asked.either]
    wanted = (value.right if one.reference else one.want for one in value.asked.either)
    best, deviations = nearest_of(
        [
            (tuple(deviation for deviation, _ in compared), count_same(value.actual, right))
            for compared, right in zip(every, wanted, strict=True)
        ]
    )
    return [(one, contrast) for one, (_, contrast) in zip(deviations, every[best], strict=True)]


def _compare_cells(value: _LookedAt) -> Sequence[Compared]:
    """Compare some elements of a value with their expectations, and describe the first wrong one."""
    cells = {path: value.cell(path, asked) for path, asked in value.asked.cells.items()}
    found = [compared for compared in map(_compare_value, cells.values()) if compared]
    if not found:
        return ()
    (first, _), *_ = found[0]
    more = len(found) - 1
    others = f" ({more} more {'place is' if more == 1 else 'places are'} wrong.)" if more else ""
    every = [deviation for compared in found for deviation, _ in compared]
    return [  # further ones of a kind change no credit, but for shares
        (replace(first, message=first.message + others), value.contrast(_with_cells(value.actual, cells))),
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


def _compare_equal(value: _LookedAt) -> Iterator[Compared]:
    """Compare a value with the one that it must equal."""
    wanted = value.right if value.asked.reference else value.asked.want
    if opaque := find_opaque(wanted):
        problem = f"the {value.name} of the reference has {value.shown(opaque)}: nothing can be compared with that"
        raise HostError(f"{value.judged.case.id}: {problem}")
    if value.type.endswith("*"):  # a list of C without elements is a null pointer
        wanted, value = wanted or None, replace(value, actual=value.actual or None)
    closeness = SINGLE if _SINGLE.search(value.type) else DOUBLE
    differences = differing(value.actual, wanted, value.path, is_computed=value.asked.reference, closeness=closeness)
    if found := list(islice((one for one in differences if not _is_nothing(value, one)), _MAX_DIFFERENCES)):
        more = len(found) - 1
        least = "at least " if len(found) == _MAX_DIFFERENCES else ""
        others = f" ({least}{more} more {'place differs' if more == 1 else 'places differ'})" if more else ""
        is_python = _is_python(value.judged.function)
        whole = () if value.path or value.parameter else whole_if_short(value.actual, wanted, is_python=is_python)
        sentence = value.describe(*whole) if whole else f"{_describe_difference(value, found[0])}{others}"
        yield value.wrong(sentence), value.contrast(_filled(wanted, value.actual))


def _is_nothing(value: _LookedAt, difference: ValueDifference) -> bool:
    """Whether null is wanted and there is `undefined`, where the two cannot be told apart.

    The reference is in Python, which has only one of them, and `returns: null` is also said of what returns nothing.
    """
    is_undefined = difference.actual == UNDEFINED and difference.wanted is None and not difference.kind
    return is_undefined and (value.asked.reference or difference.path == value.path)


def _compare_as_text(value: _LookedAt, asked: Expected) -> Iterator[Deviation]:
    """Compare a value, written as text, by the comparator of its expectation."""
    judged, wants_reference = value.judged, value.asked.reference
    is_text = value.type in ("String", "char") or (wants_reference and isinstance(value.right, str))
    output, needed = encode_value(value.actual), "a text" if is_text else "plain data"
    if output is None or (is_text and not isinstance(value.actual, str)):
        yield value.wrong(value.describe(value.shown(value.actual), needed))
        return
    right = encode_value(value.right) if wants_reference else b""
    if right is None or (wants_reference and is_text and not isinstance(value.right, str)):
        shown = shown_value(value.right, is_python=True)
        raise HostError(f"{judged.case.id}: the reference returned {shown}; {needed} is needed")
    place: tuple[WantedPlace, str] = ("call", value.where)
    yield from deviations_of(output, wanted_text(asked, right, judged.case.tolerate, place, judged.checks))


def _describe_difference(value: _LookedAt, difference: ValueDifference) -> str:
    """Describe the first difference."""
    if difference.is_length:
        return value.describe(f"of length {difference.actual}", f"{difference.wanted}", difference.path, in_list=True)
    actual, wanted = map(value.shown, (difference.actual, difference.wanted))
    if kind := difference.kind:
        what = "the key " if kind == "a map" else ""
        if difference.actual is MISSING:
            return value.describe(f"{kind} without {what}{wanted}", "one with it", difference.path)
        return value.describe(f"{kind} with {what}{actual}", "one without it", difference.path)
    return value.describe(actual, wanted, difference.path)
