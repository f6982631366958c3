"""The judgement of a method of a unit test: one sentence for each result of its framework."""

import ast
from contextlib import suppress
from fractions import Fraction

from msgspec.structs import replace

from grader.core.deviations.sentences import remark_on_line
from grader.core.diagnosis import ReadLine, no_lines
from grader.core.errors import HostError
from grader.core.kind import JudgeContext
from grader.core.lazy import lazy_regex
from grader.core.model.execution import Execution
from grader.core.model.report import Judged, Message, Settled, Verdict
from grader.core.model.spec import Case
from grader.core.text import count, joined, listed, percent, quote, quote_difference
from grader.kinds.harness.sentences import MAX_MESSAGE_LENGTH, describe_exception
from grader.kinds.unit_tests.model import UnitFailure, UnitMethod, UnitRun, method_of, unit_run_of

_MAX_VALUE_LENGTH, _MAX_GIVEN, _MAX_GIVEN_LENGTH, _MAX_FAILURES = 100, 10, 60, 20
_IN_SANDBOX = lazy_regex(r" \(/\S+\)$")  # a module's path in Python's message
_ADDRESS = lazy_regex(r" at 0x[0-9a-fA-F]{4,16}\b|(?<=\w)@(?=[a-f]*\d)[0-9a-f]{4,8}\b(?!\.\w)")
_JAVA_ASSERTION = lazy_regex(r"^\s*(?:\w+\.)?(assert\w+\((?:(?!\bassert\w+\().)*\));\s*$|\b(assert\w+\([^;]*\));")
_NEW = ("new ", "new\u00b7")  # in Java, and so that Python reads it as a part of the name
_PLAIN = lazy_regex(rb"\.0\b| \xc2\xb1 \S+$")  # how a number is a float, and how near it may be
_NO_BRACKET, _ELEMENTS = lazy_regex(r"[^\[\](){}]+"), lazy_regex(r"[^\[\](){},\s][^\[\](){},]*")
_FAILS = lazy_regex(r"(?:self|pytest|unittest)\.fail\(|raise AssertionError\(")
_RAISES = lazy_regex(r"^\s*(?:with )?(?:self\.assertRaises|(?:pytest\.)?raises)\(\s*(?:\w+\.)*(\w+)")
_NOT_RAISED = lazy_regex(
    r"(?:DID NOT RAISE <class '(?:\w+\.)*(?P<python>\w+)'>|(?P<unittest>\w+) not raised(?: by .*)?"
    r"|(?:.* ==> )?[Ee]xpected (?:\w+\.)*(?P<java>\w+) to be thrown, but nothing was thrown\.?"
    r"|Expected exception: (?:[\w$]+[.$])*(?P<junit4>\w+))"
)
_TIMED_OUT = lazy_regex(r"(?:test|.*\(.*\)) timed out after (?P<time>\d+ \w+)")


def judge_unit(
    unit: UnitMethod, execution: Execution, read_line: ReadLine, right: UnitRun | None = None
) -> Settled | None:
    """Return verdict and sentence of a method that did not pass; `right` is the reference's run, where values count."""
    run, name = _without_skips(unit, UnitRun.required(execution), right), quote(unit.name)
    passed, ended_well = count_passed_values(run, right), execution.status == 0
    verdict = Verdict.CRASHED if {failure.kind for failure in run.failures} == {"exception"} else Verdict.FAILED
    facts: tuple[str, ...] = ()
    if not run.is_recorded:
        how = f"signal {execution.signal}" if execution.status is None else f"status {execution.status}"
        verdict, facts = Verdict.CRASHED, ("ended", how)
        sentence = f"{name} did not finish: your program ended in it, with {how}."
    elif run.loading:
        verdict, facts = Verdict.CRASHED, ("loading", run.loading.type, run.loading.place)
        file, is_skip = quote(unit.file.rpartition("/")[2]), run.loading.kind == "skipped"
        why = quote(run.loading.message, most=MAX_MESSAGE_LENGTH) if is_skip else _ended(run.loading, read_line)
        sentence = f"{file} was skipped: {why}." if is_skip else f"Loading {file} {why}."
    elif _set_share(run) is not None or (passed and passed[0] and ended_well):
        return None
    elif passed and not passed[0] and not run.failed_outside:
        facts = ("values", *(text for failure in run.failures[:1] for text in (failure.type, failure.place)))
        sentence = _describe_values(unit, run, passed, read_line)
    elif run.failures:
        first, *others = run.failures
        message = Message(_describe_failure(unit, first, read_line), (first.kind, first.type, first.place))
        more = f"The same happens in {len(others)} more of its runs." if others else ""
        return verdict, message.with_remark("runs", more)
    elif not run.runs or run.done < run.runs:
        why = f"{run.done} of {count(run.runs, 'run')} did" if run.runs else "it was not found"
        is_empty = not run.runs and unit.framework == "junit"  # a `@TestFactory` that makes none
        facts, sentence = ("unfinished",), f"{name} {'ran no test' if is_empty else f'did not finish: {why}'}."
    elif ended_well:
        return None
    else:
        verdict, facts = Verdict.CRASHED, ("broken",)
        sentence = f"{name} passed, but then your program broke the code that tests it."
    return verdict, Message(sentence, facts)


def _right_run(unit: UnitMethod, expected: Execution | None) -> UnitRun:
    """Return what the reference, or pytest, says of the values of a method. Raises HostError where that is unknown."""
    if unit.is_counted:
        return UnitRun(values=unit.values, skipped=unit.idle)
    run = (unit_run_of(expected) if expected else None) or UnitRun()
    if not run.is_recorded or run.loading or run.values <= len(run.skipped):
        why = f"the reference does not run `{unit.name}` to its end, so nobody knows with how many values"
        raise HostError(f"{unit.file}: {why}")
    return run


def count_passed_values(run: UnitRun, right: UnitRun | None) -> tuple[int, int] | None:
    """Return with how many values a method passed, of how many of the reference's; None where it is run with one."""
    if right is None or (right.values <= 1 and run.values <= 1):
        return None
    left_out = set(right.skipped)
    number = right.values - len(left_out)
    passed = set(run.passed) - left_out
    failed = run.values - len(passed | (left_out & set(range(run.values))))
    return (0 if run.failed_outside else max(0, min(len(passed), number - failed))), number


def _without_skips(unit: UnitMethod, run: UnitRun, right: UnitRun | None) -> UnitRun:
    """Return the run without what the course itself skips, as long as no failure was left out of the record."""
    is_every = right is not None and right.skipped and set(run.skipped) <= set(right.skipped)
    skips = unit.skips if len(run.failures) < _MAX_FAILURES else ()
    counted = (one for one in run.failures if one.kind != "skipped" or not (is_every or one.given in skips))
    return replace(run, failures=tuple(counted))


def _set_share(run: UnitRun) -> Fraction | None:
    """Return the part of its points that a method has set for itself; None for none or all, or if it was skipped."""
    if not run.share or not run.runs or any(failure.kind == "skipped" for failure in run.failures):
        return None
    return share if 0 <= (share := Fraction(run.share)) < 1 else None


def judge(case: Case, execution: Execution, expected: Execution | None, context: JudgeContext) -> Judged | Settled:
    """Return the end of a method that was stopped or did not pass; or the share of its points, and what lacks."""
    unit = method_of(case)
    right = _right_run(unit, expected) if unit.by_value else None
    if end := context.stopped or judge_unit(unit, execution, context.read_line, right):
        return end[0], end[1].with_remark("unit", f"The test was {quote(unit.name)}." if context.stopped else "")
    run = _without_skips(unit, UnitRun.required(execution), right)
    if (share := _set_share(run)) is not None:
        why = f"{_describe_failure(unit, run.failures[0], context.read_line)} " if run.failures else ""
        return Judged(share=share, remark=f"{why}{quote(unit.name)} gives {percent(share)} of its points.")
    passed = count_passed_values(run, right)
    if passed is None or passed[0] == passed[1]:
        return Judged()
    return Judged(share=Fraction(*passed), remark=_describe_values(unit, run, passed, context.read_line))


def _describe_values(unit: UnitMethod, run: UnitRun, passed: tuple[int, int], read_line: ReadLine) -> str:
    """Describe with how many values a method passes, with which it does not, and the first failure."""
    number, total = passed
    names = list(dict.fromkeys(quote(one.given, most=_MAX_GIVEN_LENGTH) for one in run.failures if one.given))
    failed = max(run.values - len(run.passed) - len(run.skipped), len(names))
    few = joined(names) if failed == len(names) <= _MAX_GIVEN else listed(names, most=_MAX_GIVEN, total=failed)
    others = f", not with {few}" if names else ""
    absent = f", and was not run with {total - run.values}" if run.values < total else ""
    first = f" {_describe_failure(unit, run.failures[0], read_line)}" if run.failures else ""
    return f"{quote(unit.name)} passes with {number or 'none'} of {count(total, 'value')}{others}{absent}.{first}"


def _describe_failure(unit: UnitMethod, failure: UnitFailure, read_line: ReadLine) -> str:
    name = quote(unit.name)
    given = f" with {quote(failure.given, most=_MAX_VALUE_LENGTH)}" if failure.given else ""
    if failure.kind == "skipped":
        why = f": {quote(failure.message, most=MAX_MESSAGE_LENGTH)}" if failure.message else ""
        return f"{name}{given} was skipped{why}; a skipped test does not pass."
    if failure.kind == "exception":
        return f"{name}{given} {_ended(failure, read_line)}{_describe_other(unit, failure)}."
    asserted = failure.asserted or _asserted_in_java(unit, failure)
    return f"{name}{given}: {_describe_assertion(replace(failure, asserted=asserted))}."


def _describe_other(unit: UnitMethod, failure: UnitFailure) -> str:
    """Say which exception the line of a test expects where another was raised; "" where it expects none."""
    above, own = _lines_at(unit, failure.test_place)
    is_around = above.partition("#")[0].rstrip().endswith(":")
    named = [match[1] for text in (above * is_around, own) if (match := _RAISES.search(text))]
    return f"; {quote(named[-1])} is expected" if named and named[-1] != failure.type.rpartition(".")[2] else ""


def _asserted_in_java(unit: UnitMethod, failure: UnitFailure) -> str:
    """Return the one call in a line of JUnit that asserts something, beside other code or not; "" for several."""
    calls = [first or second for first, second in _JAVA_ASSERTION.findall(_lines_at(unit, failure.test_place)[1])]
    return calls[0] if len(calls) == 1 else ""


def _lines_at(unit: UnitMethod, place: str) -> tuple[str, str]:
    """Return the line of the test that a place names, behind the one above it; empty where it is in no such line."""
    file, lines = unit.file.rpartition("/")[2], unit.source.decode(errors="replace").split("\n")
    known = {f"{file}:{number}": pair for number, pair in enumerate(zip(["", *lines], lines, strict=False), 1)}
    return known.get(place, ("", ""))


def _describe_assertion(failure: UnitFailure) -> str:
    """Describe an assertion's finding and its purpose."""
    message = quote(failure.message, most=MAX_MESSAGE_LENGTH)
    remark = f" ({message})" if failure.message else ""
    place = f" ({failure.test_place})" if failure.test_place else ""
    if late := _TIMED_OUT.fullmatch(failure.message):
        return f"it did not end within {late['time']}{place}"
    if missing := _NOT_RAISED.fullmatch(failure.message):
        raised = quote(next(filter(None, missing.groups())))
        call = failure.asserted.rpartition("-> ")[2].removesuffix(")" * ("-> " in failure.asserted))
        by = f" of {quote(call)}" if failure.asserted and not failure.asserted.startswith("with ") else ""
        return f"{raised} is expected{by}, but nothing was raised{'' if by else place}"
    if failure.found is not None and failure.wanted is not None:  # an object's address has no meaning
        found, wanted = (_ADDRESS.sub("", text) for text in (failure.found, failure.wanted))
        if failure.how == "==" or (failure.how == "is" and wanted in ("True", "False", "None")):
            described, is_complete = _describe_inequality(failure.asserted, found, wanted)
            return f"{described}{remark}{'' if is_complete else place}"
        return f"{quote(f'{found} {failure.how} {wanted}', most=MAX_MESSAGE_LENGTH)} does not hold{remark}{place}"
    if failure.asserted and not (failure.message and _FAILS.match(failure.asserted)):
        return f"{quote(failure.asserted, most=MAX_MESSAGE_LENGTH)} does not hold{remark}{place}"
    return f"{message if failure.message else 'an assertion'}{'' if failure.asserted else ' does not hold'}{place}"


def _describe_inequality(asserted: str, found: str, wanted: str) -> tuple[str, bool]:
    """Describe two values that are not equal, and whether that shows the expression that had one of them.

    Such an expression says more than a line of a file that the student does not have.
    """
    subject, is_second = _subject(asserted)
    given = (wanted, found) if is_second else (found, wanted)
    texts = [text.encode(errors="backslashreplace") for text in given]
    ways = [[one.removesuffix(".0") for one in _ELEMENTS.findall(text)] for text in given]
    forms = {_NO_BRACKET.sub("", text) for text in given}
    odd = [one for at in (0, 1) for one in ways[at] if one not in ways[1 - at]]
    is_one = forms in ({"[]"}, {"()"}) and all(ways) and len(odd) == 1 == abs(len(ways[0]) - len(ways[1]))
    remark = f": {quote(odd[0])} {'is missing' if odd[0] in ways[1] else 'should not be there'}" if is_one else ""
    is_order = ways[0] != ways[1] and sorted(ways[0]) == sorted(ways[1])
    remark = remark or remark_on_line(*(_PLAIN.sub(b"", text) for text in texts)) or ": in another order" * is_order
    other = remark if forms in ({""}, {"[]"}, {"()"}) else ""
    found, wanted = (quote(text, most=_MAX_VALUE_LENGTH) for text in given)
    if found == wanted:
        alike = f"an object that reads {found}", "one that equals it"
        found, wanted = alike if given[0] == given[1] else quote_difference(*texts)
    verb = "returned" if subject.endswith(")") else "is"
    about = f"{quote(subject, most=_MAX_VALUE_LENGTH)} {verb} {found}" if subject else f"{found} was found"
    return f"{about}; {wanted} is expected{other}", bool(subject)


def _subject(asserted: str) -> tuple[str, bool]:
    """Return the expression that an assertion is about ("" for none), and whether that has the value called wanted."""
    asserted = asserted.replace(*_NEW)
    sides: list[ast.expr] = []
    with suppress(SyntaxError):
        match ast.parse(asserted).body:
            case [
                ast.Assert(test=ast.Call() as arg)
                | ast.Expr(ast.Call(ast.Name(), [arg] | [_, arg] | [_, ast.Constant(), arg] | [_, arg, ast.Constant()]))
            ]:  # of JUnit, where three may be with a message or a tolerance, at either end
                sides = [arg]
            case [ast.Assert(test=ast.Compare(left=first, comparators=[second]))]:
                sides = [first, second]
            case [ast.Expr(value=ast.Call(func=ast.Attribute(attr=name), args=[first, *rest]))] if "assert" in name:
                sides = [first, *rest[:1]]
        parts = [{type(part) for part in ast.walk(side)} for side in sides]
        place = next((at for kind in (ast.Call, ast.Name) for at, kinds in enumerate(parts) if kind in kinds), None)
        if place is not None:
            return (ast.get_source_segment(asserted, sides[place]) or "").replace(*_NEW[::-1]), place == 1
    return "", False


def _ended(failure: UnitFailure, read_line: ReadLine) -> str:
    """Describe the exception that ended something, and its place."""
    has_expression = bool(failure.asserted) and not failure.place  # where the test has it, better than by a line
    within = f" in {quote(failure.asserted, most=MAX_MESSAGE_LENGTH)} of the test" if has_expression else ""
    place = "" if has_expression else failure.place or failure.test_place
    own = replace(failure, message=_IN_SANDBOX.sub("", failure.message), place=place)
    return describe_exception(own, read_line if failure.place else no_lines, is_line_first=True) + within
