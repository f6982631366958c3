"""The judgement of calls of functions: how far they came, their return values, and their arguments afterwards."""

import difflib
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import islice

from msgspec import Struct
from msgspec.structs import replace

from grader.core.deviations.sentences import line_count, remark_on_line
from grader.core.diagnosis import ReadLine, no_lines
from grader.core.errors import HostError
from grader.core.judge.case import answer_of, deviation_in, deviations_of, nearest_of, wanted_text
from grader.core.judge.ending import crashed, describe_line, describe_unreadable, source_at
from grader.core.kind import JudgeContext
from grader.core.lazy import lazy_regex
from grader.core.model.execution import Execution
from grader.core.model.report import Contrast, Deviation, Judged, Message, Settled, Verdict
from grader.core.model.spec import Case, Expected
from grader.core.model.values import SHARE, PlainValue, Wildcard
from grader.core.text import capital, count, joined, listed, quote, show
from grader.kinds.functions import compare_values as compare
from grader.kinds.functions import model
from grader.kinds.functions.compare_values import MISSING, Way, element_at, place_of, shown_value, with_cell
from grader.kinds.functions.model import Calls, ExpectedOutcome, ExpectedValue, FunctionCase, Raised, functions_in
from grader.kinds.harness.sentences import MAX_MESSAGE_LENGTH, describe_exception

Compared = tuple[Deviation, Contrast | None]

_MAX_HEADINGS, _MAX_DIFFERENCES = 3, 1000  # looked at, or shown
# The exceptions that an unset value causes:
_UNSET = lazy_regex(r"\bNullPointerException\b|\bNameError\b|out of bounds for length 0\b")
# What the loader says of a function of C that nothing defines, when it is called, and its status:
_UNDEFINED = lazy_regex(rb"symbol lookup error: .{1,1000}: undefined symbol: (?:_Z(\d+))?(\w{1,200})")
_UNDEFINED_STATUS = 127
_STRUCTURE_ERROR = "grader.StructureError"  # of a function of C that cannot be called, or read (probes/wrapped.py)
_WITHOUT_MAIN = "`main` has not run: each function is called on its own."
_SINGLE = lazy_regex(r"\b[Ff]loat\b")
_NOTHING = frozenset({"None", "undefined"})
_quoted_text = partial(quote, most=MAX_MESSAGE_LENGTH)


class JudgedCalls(Struct, frozen=True, kw_only=True):
    """The calls of a case, what they came to, and what those of the reference came to."""

    case: Case
    calls: Calls
    answer: Calls | None
    context: JudgeContext
    function = property(lambda self: functions_in(self.case))

    def expected(self, at: int) -> ExpectedOutcome:
        """Return what a call has to come to; nothing where a record has more calls than the case."""
        return self.function.calls[at].expect if at < len(self.function.calls) else ExpectedOutcome()

    def must_raise(self, at: int) -> bool:
        """Whether a call has to end with an exception."""
        asked = self.expected(at).raises
        return bool(self.answer and self.answer.ends.get(at)) if asked == "reference" else bool(asked)

    def wrong(self, message: str) -> Deviation:
        """Name the deviation of a wrong result."""
        return deviation_in(self.case, "wrong", "call", message)

    def compare_text(self, asked: Expected, actual: bytes, right: bytes, where: str) -> Sequence[Compared]:
        """Compare a text by the comparator of its expectation."""
        wanted = wanted_text(asked, right, self.case.tolerate, ("call", where), self.context.checks)
        return [(deviation, None) for deviation in deviations_of(actual, wanted)]


def judge(case: Case, execution: Execution, expected: Execution | None, context: JudgeContext) -> Judged | Settled:
    """Compare what the calls came to, if to their end. Where a function is missing, nothing else is looked at."""
    calls, answer = Calls.required(execution), answer_to(case, expected)
    judged = JudgedCalls(case=case, calls=calls, answer=answer, context=context)
    if stopped := context.stopped:
        return stopped[0], stopped[1].with_remark("calls", where_stopped(judged))
    if end := broken_off(judged, execution) or crashed(case, execution, context.toolchain, context.read_line):
        return end
    compared = tuple(compare_calls(judged))
    deviations = [deviation for deviation, _ in compared]
    contrasts = tuple(contrast for _, contrast in compared if contrast)
    if any(deviation.kind == "wrong" for deviation in deviations):
        remark = remark_on_calls(contrasts, execution.stdout)
        deviations[-1] = replace(deviations[-1], message=deviations[-1].message + remark)
    remark = "" if deviations else remark_on_loading(calls.load_error, context.read_line)
    return Judged(deviations=tuple(deviations), contrasts=contrasts, remark=remark, compares_outputs=not calls.missing)


def answer_to(case: Case, expected: Execution | None) -> Calls | None:
    """Return what the reference came to, None when nothing of it is asked for. HostError where it did not end well."""
    if not case.asks_reference:
        return None
    asked, answer = functions_in(case), Calls.required(answer_of(case, expected))
    unasked = [raised for at, raised in answer.ends.items() if not asked.calls[at].expect.raises]
    ended = (None if answer.loaded else answer.load_error) or next(iter(unasked), None)
    problems = (
        f"broke the code that calls it: {answer.fault}" if answer.fault is not None else "",
        f"has no {_missing_name(asked, answer.missing)} with these parameters" if answer.missing else "",
        _ended_with(ended) if ended else "",
        ""
        if answer.raised or len(answer.returned) >= len(asked.calls)
        else "ended before all of its functions returned",
    )
    if problem := next(filter(None, problems), ""):
        raise HostError(f"{case.id}: the reference {problem}")
    return answer


def where_stopped(judged: JudgedCalls) -> str:
    """Describe the activity at which a limit stopped the calls; empty for the main call."""
    function, calls, position = judged.function, judged.calls, len(judged.calls.returned)
    is_main = position == function.main and not function.steps and calls.loaded
    if not calls.is_recorded or position >= len(function.calls) or is_main:
        return ""
    doing = (
        f"running {model.name_of_call(function, position)}" if calls.loaded else f"still loading {_place_of(function)}"
    )
    return f"It was {doing}."


def broken_off(judged: JudgedCalls, execution: Execution) -> Settled | None:
    """Return verdict and sentence of calls that did not end as the reference's, unless a step before was wrong."""
    function, calls, done = judged.function, judged.calls, len(judged.calls.returned)
    unasked = [at for at in sorted(calls.ends) if not judged.must_raise(at)]
    is_through = calls.ends and not unasked and (calls.raised or done == len(function.calls))
    before = range(min([*unasked, done, function.main])) if function.steps else ()
    if is_through or any(_has_wrong(_compare_outcome(judged, at)) for at in before):
        return None
    if not calls.is_recorded:
        sentence = "The result of the call is unknown: your program deleted or overwrote the file that records it."
        return Verdict.FAILED, Message(sentence, ("unrecorded",))
    position, loading = min([*unasked, done, len(function.calls) - 1]), f"Loading {_place_of(function)}"
    is_other = not (function.steps or position == function.main or function.calls[position].makes)
    when = f", called {'first' if position < function.main else 'afterwards'}," if is_other else ""
    worker = f"{capital(model.name_of_call(function, position))}{when}" if calls.loaded else loading
    if unasked:
        raised = calls.ends[unasked[0]]
        verdict, message = _describe_raised(judged, raised, worker)
        is_unset = _UNSET.search(f"{raised.type}: {raised.message}")
        has_main = any(call.signature.name == "main" for call in function.calls)
        return verdict, message.with_remark("main", _WITHOUT_MAIN if is_unset and not has_main else "")
    if calls.load_error and (calls.missing or not calls.loaded):
        if unreadable := _describe_unreadable_module(judged, calls.load_error):
            return Verdict.CRASHED, unreadable
        before_it = f", before `{_missing_name(function, calls.missing)}` was defined" if calls.missing else ""
        return _describe_raised(judged, calls.load_error, loading, before_it)
    end = _describe_end(judged, execution)
    return (Verdict.CRASHED, Message(f"{worker} {end}.", ("ended", end))) if end else None


def _describe_end(judged: JudgedCalls, execution: Execution) -> str:
    """Describe, as a predicate, how a call ended the program; "" where nothing is known of the calls themselves."""
    calls = judged.calls
    if calls.fault is not None:
        return f"broke the code that calls it: {quote(calls.fault)}"
    if calls.missing or execution.signal or (calls.loaded and len(calls.returned) >= len(judged.function.calls)):
        return ""
    if execution.status == _UNDEFINED_STATUS and (symbol := _UNDEFINED.search(execution.stderr)):
        name = symbol[2][: int(symbol[1] or len(symbol[2]))]  # C++ writes the length before it, and the types behind it
        return f"calls {quote(name)}, which nothing in your files defines"
    return f"ended the whole program, with status {execution.status}"


def _has_wrong(compared: Iterable[Compared]) -> bool:
    return any(deviation.kind == "wrong" for deviation, _ in compared)


def _describe_raised(judged: JudgedCalls, ended: Raised, worker: str, before: str = "") -> Settled:
    """Return verdict and sentence of an exception; `worker` is what ended with it, `before` what that prevented."""
    is_memory = any(re.search(pattern, ended.type) for pattern in judged.context.toolchain.out_of_memory)
    cause = ("loading" if worker.startswith("Loading ") else "raised", ended.type, ended.place)
    message = Message(f"{worker} {_ended_with(ended, judged.context.read_line)}{before}.", cause)
    return Verdict.MEMORY if is_memory else Verdict.CRASHED, message


def _describe_unreadable_module(judged: JudgedCalls, ended: Raised) -> Message | None:
    """Describe a syntax error of a module like that of a program; None when the module could be read."""
    file, _, line = ended.place.rpartition(":")
    name, read_line = file.rpartition("/")[2], judged.context.read_line
    source = source_at(f"{name}:{line}", read_line)
    error = f"{ended.type}: {ended.message}".replace(f" ({name}, line {line})", "")
    text = "\n".join([f'  File "{name}", line {line}', *([f"    {source}"] if source else []), error])
    return describe_unreadable(judged.context.toolchain, text.encode(errors="backslashreplace"), read_line)


def compare_calls(judged: JudgedCalls) -> Iterator[Compared]:
    """Compare the results of the calls with the expected ones; yield each deviation with its two values, if any."""
    if missing := judged.calls.missing:
        yield judged.wrong(_describe_missing(judged.function, missing)), None
        return
    for at in range(len(judged.function.calls)):
        compared = list(_compare_outcome(judged, at))
        yield from compared
        if _has_wrong(compared):
            return  # what comes later follows from it


def _compare_outcome(judged: JudgedCalls, at: int) -> Iterator[Compared]:
    """Compare the result of one of the calls with the expected one."""
    function, answer, asked = judged.function, judged.answer, judged.expected(at).message
    if not judged.must_raise(at):
        for value in _looked_at(judged, at):
            yield from _compare_value(value)
        return
    raised = judged.calls.ends.get(at)
    if message := _wrong_exception(judged, at):
        yield judged.wrong(message), None
    elif asked and raised:
        right = answer.ends.get(at) if answer and asked.asks_reference else None
        if asked.asks_reference and right is None:
            raise HostError(f"{judged.case.id}: the reference ends with no exception that could have a message")
        where = f"the message of the exception of {model.name_of_call(function, at)}"
        texts = [error.message.encode(errors="surrogatepass") if error else b"" for error in (raised, right)]
        yield from judged.compare_text(asked, texts[0], texts[1], where)


def _wrong_exception(judged: JudgedCalls, at: int) -> str:
    function, raised, asked = judged.function, judged.calls.ends.get(at), judged.expected(at).raises
    name = capital(model.name_of_call(function, at, judged.context.toolchain.name))
    asked = asked if asked not in ("any", "reference") else ""
    wanted = f"`{asked}`" if asked else "an exception"
    if raised is None:
        returned, is_python = judged.calls.returned[at], function.is_python
        has_none = function.calls[at].makes or compare.find_opaque(returned)  # there is nothing to show of an object
        did = "raised nothing" if has_none else f"returned {shown_value(returned, is_python=is_python)}"
        return f"{name} {did}; {wanted} is expected."
    is_right = not asked or any(asked in (kind, kind.rpartition(".")[2]) for kind in raised.kinds)
    return "" if is_right else f"{name} {_ended_with(raised)}; {wanted} is expected."


def _ended_with(raised: Raised, read_line: ReadLine = no_lines) -> str:
    return show(raised.message) if raised.type == _STRUCTURE_ERROR else describe_exception(raised, read_line)


def _missing_name(function: FunctionCase, missing: model.Missing) -> str:
    return function.calls[missing.call or 0].signature.name


def _describe_missing(function: FunctionCase, missing: model.Missing) -> str:
    is_native, place = bool(re.search(r"\.c\w*$", function.within[0])), _place_of(function)
    there_is = f"; there is {_all_of(missing.found)}" if missing.found else ""
    if missing.call is None:
        return f"There is no {'file' if is_native else 'module' if function.is_python else 'class'} {place}{there_is}."
    signature = function.calls[missing.call].signature
    asked = f"; the assignment asks for {_quoted_text(signature.text)}"
    if missing.same_name:
        return f"{place} has {_all_of(missing.found)}{asked}."
    names = {heading.partition("(")[0].rpartition(" ")[2].lower(): heading for heading in missing.found}
    # what may have been meant; in C the others that are known there are those that the assignment asks for
    near = [] if is_native else difflib.get_close_matches(signature.name.lower(), names, 1)
    but = f", but {_quoted_text(names[near[0]])}" if near else ""
    return f"{place} has no {_quoted_text(signature.name)}{but}{asked}{'' if near or is_native else there_is}."


def _all_of(headings: Sequence[str]) -> str:
    return listed([_quoted_text(text) for text in headings[:_MAX_HEADINGS]], total=len(headings))


def _place_of(function: FunctionCase) -> str:
    """Name the class or module that is asked for; which of several names it has, the probe alone knows."""
    return joined([_quoted_text(name) for name in function.within], "or")


class _LookedAt(Struct, frozen=True, kw_only=True):
    """A value, or an element of one, to be compared with the expectation, and the facts to describe it."""

    judged: JudgedCalls
    at: int  # the place of the call
    parameter: str = ""  # the name of an argument; empty for what was returned
    type: str  # as it is declared; empty in Python, and for a cell
    actual: PlainValue
    asked: ExpectedValue
    right: PlainValue  # the reference's value, where the expectation asks for it
    path: Way = ()  # the way to the cell

    call = property(lambda self: model.name_of_call(self.judged.function, self.at, self.judged.context.toolchain.name))
    last = property(lambda self: _quoted_text(self.judged.function.calls[-1].signature.name))
    name = property(lambda self: f"argument `{self.parameter}`" if self.parameter else "returned value")  # a heading
    wanted = property(lambda self: self.right if self.asked.reference else self.asked.want)  # what it has to equal

    @property
    def where(self) -> str:
        """The name of the value within a sentence."""
        if self.parameter:
            return f"`{self.parameter}{place_of(self.path)}` after {self.last}"
        return f"{f'`{place_of(self.path)}` of ' if self.path else ''}what {self.call} returned"

    def shown(self, value: PlainValue) -> str:
        return shown_value(value, is_python=self.judged.function.is_python)

    def wrong(self, sentence: str, wanted: PlainValue = MISSING) -> Compared:
        """Return a deviation with the two values side by side, where there is one that is wanted."""
        is_python = self.judged.function.is_python
        expected, actual = (compare.in_lines(value, is_python=is_python) for value in (wanted, self.actual))
        contrast = Contrast(name=self.name, expected=expected, actual=actual)
        return self.judged.wrong(f"{capital(sentence)}."), None if wanted is MISSING else contrast

    def describe(self, actual: str, wanted: str, path: Way = (), *, in_list: bool = False) -> str:
        """Describe a difference, without the full stop: "`f` returned 11; 10 is expected"."""
        place = place_of(path or self.path)
        if self.parameter:
            return f"After {self.last}, `{self.parameter}{place}` is {actual}; {wanted} is expected"
        whole = "a map" if isinstance(next(iter(path), 0), str) else "a list"
        within = f"{whole} {f'in which `{place}` is ' if place else ''}" if place or in_list else ""
        return f"{self.call} returned {within}{actual}; {wanted} is expected"


def _looked_at(judged: JudgedCalls, at: int) -> Iterator[_LookedAt]:
    """Iterate over what is looked at of a call: what it returned; of the main one also its arguments."""
    function, called = judged.function, judged.function.calls[at].signature
    rows = [("", called.returns, judged.expected(at).returns, (0, at))]
    for position, expected in sorted(function.args.items()) if at == function.main else ():
        rows.append((called.parameters[position].name, called.parameters[position].type, expected, (1, position)))
    for parameter, kind, asked, place in rows:
        if asked:
            ran = ((calls.returned, calls.args) if calls else None for calls in (judged.calls, judged.answer))
            actual, right = (element_at(values, place) if values else None for values in ran)
            where = {"at": at, "parameter": parameter, "type": kind}
            yield _LookedAt(judged=judged, asked=asked, actual=actual, right=right, **where)


def _compare_value(value: _LookedAt) -> Sequence[Compared]:
    """Compare a value with its expectation."""
    asked = value.asked
    if asked.either:
        return _compare_with_either(value)
    if asked.cells:
        return _compare_cells(value)
    if value.actual is MISSING:
        return [value.wrong(f"{value.where} is missing")]
    if asked.reference and value.right is MISSING:
        raise HostError(f"{value.judged.case.id}: the reference has no {place_of(value.path)} in {value.name}")
    return _compare_as_text(value, asked.text) if asked.text is not None else _compare_equal(value)


def _compare_with_either(value: _LookedAt) -> Sequence[Compared]:
    """Compare a value with several right alternatives."""
    alternatives = [replace(value, asked=choice) for choice in value.asked.either]
    results = list(map(_compare_value, alternatives))
    same = (compare.count_same(value.actual, choice.wanted) for choice in alternatives)
    rated = [(tuple(deviation for deviation, _ in result), alike) for result, alike in zip(results, same, strict=True)]
    best, deviations = nearest_of(rated)
    return [(deviation, contrast) for deviation, (_, contrast) in zip(deviations, results[best], strict=True)]


def _compare_cells(value: _LookedAt) -> Sequence[Compared]:
    """Compare some elements of a value with their expectations, and describe the first wrong one."""
    wrong = list[Sequence[Compared]]()
    expected = value.actual
    for path, asked in value.asked.cells.items():
        actual, right = element_at(value.actual, path), element_at(value.right, path)
        cell = replace(value, type="", actual=actual, right=right, asked=asked, path=(*value.path, *path))
        is_open = asked.text or asked.either or asked.cells or cell.wanted is MISSING
        expected = with_cell(expected, path, Wildcard() if is_open else _filled(cell.wanted, actual))
        wrong += filter(None, [_compare_value(cell)])
    if not wrong:
        return ()
    (first, _), *_ = wrong[0]
    more = len(wrong) - 1
    others = f" ({more} more {'place is' if more == 1 else 'places are'} wrong.)" if more else ""
    further = [deviation for compared in wrong for deviation, _ in compared if deviation is not first]
    return [  # further ones of a kind change no credit, but for shares
        (replace(first, message=first.message + others), value.wrong("", expected)[1]),
        *((deviation, None) for deviation in further if deviation.kind != first.kind or deviation.kind == SHARE),
    ]


def _filled(wanted: PlainValue, actual: PlainValue) -> PlainValue:
    """Return what is wanted with what there is in its open cells: side by side, nothing is wrong with those."""
    if isinstance(wanted, Wildcard) and actual is not MISSING:
        return actual
    if isinstance(wanted, tuple):
        return tuple(_filled(cell, element_at(actual, (index,))) for index, cell in enumerate(wanted))
    return wanted


def _compare_equal(value: _LookedAt) -> Sequence[Compared]:
    """Compare a value with the one that it must equal."""
    wanted = value.wanted
    if opaque := compare.find_opaque(wanted):
        problem = f"the {value.name} of the reference has {value.shown(opaque)}: nothing can be compared with that"
        raise HostError(f"{value.judged.case.id}: {problem}")
    if value.type.endswith("*"):  # a list of C without elements is a null pointer
        wanted, value = wanted or None, replace(value, actual=value.actual or None)
    closeness = compare.SINGLE if _SINGLE.search(value.type) else compare.DOUBLE
    pairs = compare.differing(value.actual, wanted, value.path, is_computed=value.asked.reference, closeness=closeness)
    differences = list(islice((pair for pair in pairs if not _is_nothing(value, pair)), _MAX_DIFFERENCES))
    if not differences:
        return []
    more = len(differences) - 1
    least = "at least " if len(differences) == _MAX_DIFFERENCES else ""
    others = f" ({least}{more} more {'place differs' if more == 1 else 'places differ'})" if more else ""
    sentence = f"{_describe_difference(value, differences[0])}{others}"
    if not (value.path or value.parameter):
        whole = compare.whole_if_short(value.actual, wanted, is_python=value.judged.function.is_python)
        sentence = value.describe(*whole) if whole else sentence
    return [value.wrong(sentence, _filled(wanted, value.actual))]


def _is_nothing(value: _LookedAt, difference: compare.ValueDifference) -> bool:
    """Whether null is wanted and there is `undefined`, where a reference in Python, or `returns`, knows only one."""
    is_undefined = difference.actual == compare.UNDEFINED and difference.wanted is None
    return is_undefined and (value.asked.reference or difference.path == value.path)


def _compare_as_text(value: _LookedAt, asked: Expected) -> Sequence[Compared]:
    """Compare a value, written as text, by the comparator of its expectation."""
    wants_reference = value.asked.reference
    is_text = value.type in ("String", "char") or (wants_reference and isinstance(value.right, str))
    output, needed = compare.encode_value(value.actual), "a text" if is_text else "plain data"
    if output is None or (is_text and not isinstance(value.actual, str)):
        return [value.wrong(value.describe(value.shown(value.actual), needed))]
    right = compare.encode_value(value.right) if wants_reference else b""
    if right is None or (wants_reference and is_text and not isinstance(value.right, str)):
        shown = shown_value(value.right, is_python=True)
        raise HostError(f"{value.judged.case.id}: the reference returned {shown}; {needed} is needed")
    return value.judged.compare_text(asked, output, right, value.where)


def _describe_difference(value: _LookedAt, difference: compare.ValueDifference) -> str:
    """Describe the first difference."""
    if difference.is_length:
        return value.describe(f"of length {difference.actual}", f"{difference.wanted}", difference.path, in_list=True)
    actual, wanted = map(value.shown, (difference.actual, difference.wanted))
    if kind := difference.kind:
        what = "the key " if kind == "a map" else ""
        with_it, without_it = f"{kind} with {what}{actual}", f"{kind} without {what}{wanted}"
        actual, wanted = (without_it, "one with it") if difference.actual is MISSING else (with_it, "one without it")
    return value.describe(actual, wanted, difference.path)


def remark_on_calls(contrasts: Sequence[Contrast], printed: bytes) -> str:
    """Say why a result may be wrong; "" where that is not known."""
    if not contrasts:
        return ""
    actual, wanted = (text.strip() for text in (contrasts[0].actual, contrasts[0].expected))
    if actual in _NOTHING and wanted not in _NOTHING:
        first = next((line for line in printed.splitlines() if line.strip()), b"")
        others = f" and {count(more, 'more line')}" if (more := line_count(printed) - 1) > 0 else ""
        instead = f" It printed {quote(first)}{others} instead: a result has to be given back by `return`."
        return instead if first else " Is a `return` missing?"
    is_flat = actual[:1] == wanted[:1] or not {actual[:1], wanted[:1]} & {*"[({"}
    texts = (text.encode(errors="backslashreplace") for text in (actual, wanted))
    remark = remark_on_line(*texts) if is_flat and {*"[({\n"}.isdisjoint(actual[1:] + wanted[1:]) else ""
    return f" {capital(remark.removeprefix(': '))}." if remark and actual[:1] != "{" else ""


def remark_on_loading(ended: Raised | None, read_line: ReadLine) -> str:
    """Say what ended the loading of a file whose functions are right all the same; "" for nothing, or an exit."""
    if ended is None or ended.type == "SystemExit":
        return ""
    place = describe_line(ended.place, read_line) or (f" at {ended.place}" if ended.place else "")
    if ended.type == "EOFError":
        why = "it is imported here, and there is no input (`EOFError`)"
        return f"Your program reads input outside of its functions{place}: {why}."
    what = quote(f"{ended.type}: {ended.message}" if ended.message else ended.type)
    return f"Outside of its functions your program ended with {what}{place}; what comes after that did not run."
