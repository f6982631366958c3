"""Calls of functions in a spec: written from what was read, and with what the reference came to."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from grader.author.to_yaml import freeze_text
from grader.core.errors import CannotBeWrittenError
from grader.core.model.execution import Execution
from grader.core.model.spec import Case, Expected
from grader.core.model.values import PlainValue
from grader.core.reader.expectation import write_expected
from grader.core.reader.types import TYPES
from grader.core.yaml.nodes import Node, Table
from grader.core.yaml.types import node_of, write_fields
from grader.core.yaml.value import Keys
from grader.core.yaml.writing import listing, plain, table
from grader.kinds.functions.compare_values import element_at, encode_value, has_whatever, place_of
from grader.kinds.functions.keys import CALL, FIELD, FUNCTIONS, FURTHER_CALL, RAISED, RESULT, STEP_RESULT
from grader.kinds.functions.model import (
    Calls,
    ExpectedValue,
    FunctionCall,
    FunctionCase,
    Outcome,
    calls_of,
    functions_of,
)
from grader.kinds.functions.values import value_node


def write(cases: Sequence[Case]) -> Mapping[str, Node] | None:
    """Write one `functions` with the calls of all cases; None where that needs several. Raises CannotBeWrittenError."""
    functions = [function for case in cases if (function := functions_of(case))]
    if len(functions) < len(cases) or len({_shared_part(function) for function in functions}) != 1:
        return None
    first = functions[0]
    called = (call for one in functions for call in (one.calls if one.steps is not None else (one.call,)))
    declared = list(dict.fromkeys(call.signature for call in called if call.is_named))
    headings = [one.text for one in declared]
    is_one = first.steps is None and headings
    found = {
        "within": first.within,
        "structures": list(dict.fromkeys(structure.text for one in declared for structure in one.structures)),
        "match": "any-case" if first.any_case else None,
        "access": "any" if first.any_access else None,
        "new": first.maker and first.maker.text,
        "declare": headings[0] if is_one else headings,
        "aliases": declared[0].aliases if is_one else None,
        "calls": [call_node(one, case.expect.stdout) for one, case in zip(functions, cases, strict=True)],
    }
    return {"functions": _write(found, FUNCTIONS)}


def _shared_part(case: FunctionCase) -> object:
    """Return what is the same for calls that can stand in one `functions`."""
    own = case.call.signature if case.steps is None else None
    return case.within, case.maker, own, case.any_case, case.any_access


def _write(found: Mapping[str, Any], known: Keys) -> Table:
    return table(write_fields(found, known, TYPES))


def call_node(case: FunctionCase, stdout: Expected | None) -> Node:
    """Write one call with what is expected of it and of what it prints; raises CannotBeWrittenError."""
    made = next((call for call in case.calls if call.makes), None)
    before = [call for call in case.before if call.sets or (case.steps is None and not call.makes)]
    found: dict[str, Any] = {"new": made and value_node(made.args)}
    expect: dict[str, Any] = {"stdout": stdout}
    if case.steps is not None:
        steps = ((at, call) for at, call in enumerate(case.calls) if call.is_named)
        found["steps"] = [_step_node(call, case.outcomes.get(at, Outcome())) for at, call in steps]
    else:
        has_args = case.call.signature.parameters and not case.call.makes
        found["args"] = value_node(case.call.args) if has_args else None
        expect |= _outcome(case.outcomes[len(case.before)])
    expect["args"] = {str(place): wanted_node(wanted) for place, wanted in case.args.items()}
    further = {"before": list(map(_further_node, before)), "then": list(map(_further_node, case.then))}
    return _write({**found, **further, "expect": write_fields(expect, RESULT, TYPES)}, CALL)


def _step_node(call: FunctionCall, outcome: Outcome) -> Node:
    expect = write_fields(_outcome(outcome), STEP_RESULT, TYPES)
    return node_of({call.signature.name: value_node(call.args), **({"expect": expect} if expect else {})})


def _outcome(outcome: Outcome) -> dict[str, Any]:
    return {"returns": outcome.returns, "raises": outcome if outcome.raises or outcome.message is not None else None}


def write_raised(outcome: Outcome) -> Node:
    """Write the exception that a call has to end with."""
    name = plain(outcome.raises)
    return name if outcome.message is None else _write({"raises": name, "message": outcome.message}, RAISED)


def _further_node(call: FunctionCall) -> Node:
    signature = call.signature
    found: dict[str, Any] = {"aliases": signature.aliases}
    if not call.sets:
        return _write({**found, "declare": signature.text, "args": call.args}, FURTHER_CALL)
    value = value_node(call.args[0])
    return _write({**found, "field": signature.text, "value": value, "optional": call.optional}, FIELD)


def wanted_node(wanted: ExpectedValue) -> Node:
    """Write what is expected of a value."""
    if wanted.either:
        return table({"any": listing(map(wanted_node, wanted.either))})
    if wanted.cells:
        return table({"cells": table({place_of(path): wanted_node(v) for path, v in wanted.cells.items()})})
    if wanted.text is not None:
        compared = write_expected(wanted.text)
        # A bare text would be a value, and `reference` one that is equal to the reference's.
        return compared if isinstance(compared, Table) or not wanted.text.is_checked else table({"text": compared})
    if wanted.reference:
        return plain("reference")
    node = value_node(wanted.want)
    return table({"cells": node}) if has_whatever(wanted.want) else node


# ---------------------------------------------------------------- what the reference did, for the word `reference`


def freeze(case: Case, execution: Execution | None) -> FunctionCase | None:
    """Return the calls with what those of the reference came to, or expecting nothing; raises CannotBeWrittenError."""
    function = functions_of(case)
    if execution is None:
        return function and replace(function, returns=None, args={}, raises="", message=None, steps=None)
    calls = calls_of(execution)
    if not function or not calls:
        return function
    outcomes = {at: _freeze_outcome(outcome, calls, at) for at, outcome in function.outcomes.items()}
    own, args_after = outcomes[len(function.before)], dict(enumerate(calls.args or ()))
    return replace(
        function,
        raises=own.raises,
        returns=own.returns,
        message=own.message,
        steps=None if function.steps is None else {at: outcomes[at] for at in function.steps},
        args={place: _freeze_value(wanted, args_after.get(place)) for place, wanted in function.args.items()},
    )


def _freeze_outcome(outcome: Outcome, calls: Calls, at: int) -> Outcome:
    raised = calls.raised_at(at)
    raises = outcome.raises
    if raises == "reference":
        raises = "any" if raised else ""
    returned = calls.returned[at] if len(calls.returned) > at else None
    text = (raised.message if raised else "").encode(errors="surrogatepass")
    message = freeze_text(outcome.message, text, "the message of its exception") if raises else None
    returns = outcome.returns and _freeze_value(outcome.returns, returned)
    return Outcome(returns=returns, raises=raises, message=message)


def _freeze_value(wanted: ExpectedValue, actual: PlainValue) -> ExpectedValue:
    if not wanted.asks_reference:
        return wanted
    if wanted.either:
        return replace(wanted, either=tuple(_freeze_value(one, actual) for one in wanted.either))
    if wanted.cells:
        cells = {path: _freeze_value(one, element_at(actual, path)) for path, one in wanted.cells.items()}
        return replace(wanted, cells=cells)
    if wanted.text is None:
        return ExpectedValue(want=actual)
    output = encode_value(actual)
    if output is None:
        raise CannotBeWrittenError("a value that is no plain data cannot be written into a spec")
    return ExpectedValue(text=freeze_text(wanted.text, output, "the value written out"))
