"""Calls of functions in a handout: the calls, and their expected outcomes."""

from collections.abc import Iterator, Sequence

from grader.core.comparators import in_words
from grader.core.model.spec import Case, Expected, Spec
from grader.core.report.document import code
from grader.core.text import joined
from grader.kinds.functions import model
from grader.kinds.functions.compare_values import has_whatever, place_of
from grader.kinds.functions.model import ExpectedOutcome, ExpectedValue, FunctionCase, functions_in, functions_of


def describe_cases(cases: Sequence[Case], spec: Spec) -> str:
    """Describe what is called, a class with its methods or functions, and where: "`f(x)` in the module `a`:"."""
    functions = [function for case in cases if (function := functions_of(case))]
    first, maker = functions[0], functions[0].maker
    calls = [call for function in functions for call in (function.calls if function.steps else (function.call,))]
    methods = dict.fromkeys(call.signature for call in calls if call.is_named)
    names = joined([f"{code(method.text)}{_describe_aliases(method.aliases)}" for method in methods])
    if maker and maker.signature.handle:
        names = f"The object that {code(maker.signature.text)} makes{names and f', with {names}'}"
    elif maker:
        names = f"The class {code(maker.signature.text.removeprefix('class '))}{names and f' with {names}'}"
    within = {"python": "module", "java": "class"}.get(spec.language, "file")
    place = f"{code(first.within[0])}{_describe_aliases(first.within[1:])}"
    return f"{names} in the {within} {place}{'; it may be private' if first.access == 'any' else ''}:"


def describe_case(case: Case, spec: Spec) -> str:
    """Describe the calls of a case, and their expected outcomes."""
    result = describe_result(functions_in(case), case.expect.stdout, spec.language)
    return f"{code(model.call_text(functions_in(case), spec.language))} {result}"


def _describe_aliases(names: Sequence[str]) -> str:
    return f" (or {joined(list(map(code, names)), 'or')})" if names else ""


def describe_result(case: FunctionCase, stdout: Expected | None, language: str) -> str:
    """Describe the expected outcome of a call, as Markdown on a line."""
    parts: list[str] = []
    for at, call in enumerate(case.calls):
        name = f"{model.name_of_call(case, at)} " if case.steps else ""
        parts += [f"{name}{outcome}" for outcome in _describe_outcome(call.expect, language)]
    for place, wanted in sorted(case.args.items()):
        name = case.call.signature.parameters[place].name
        parts.append(f"leaves {code(name)}{':' if wanted.text else ' as'} {_value_in_words(wanted, language)}")
    if stdout is not None and stdout.is_checked:
        parts.append(f"prints {in_words(stdout, code)}")
    return ", ".join(parts)


def _describe_outcome(outcome: ExpectedOutcome, language: str) -> Iterator[str]:
    if outcome.returns:
        yield f"returns {_value_in_words(outcome.returns, language)}"
    if outcome.raises:
        is_named = outcome.raises not in ("any", "reference")
        what = code(outcome.raises) if is_named else "an exception where that is right"
        message = f" with the message: {in_words(outcome.message, code)}" if outcome.message else ""
        yield f"ends with {what}{message}"


def _value_in_words(wanted: ExpectedValue, language: str) -> str:
    if wanted.either:
        return f"any of these: {'; '.join(_value_in_words(choice, language) for choice in wanted.either)}"
    if wanted.cells:
        cells = (f"{code(place_of(path))}: {_value_in_words(cell, language)}" for path, cell in wanted.cells.items())
        return f"a list with these cells, whatever else it has: {'; '.join(cells)}"
    if wanted.text is not None:
        return in_words(wanted.text, code)
    if wanted.reference:
        return "what the course's own solution gives"
    shown = code(model.display_value(wanted.want, is_python=language == "python"))
    return f"{shown}, where `_` may be anything" if has_whatever(wanted.want) else shown
