"""Calls of functions in a spec: written from what was read, and with what the reference came to."""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from grader.author.to_yaml import freeze_text
from grader.core.comparators import write_expected
from grader.core.comparators.base import text_node, text_nodes
from grader.core.errors import CannotBeWrittenError
from grader.core.model.execution import Execution
from grader.core.model.spec import Case, Expected
from grader.core.model.values import Argument, MapValue, NewObject, Opaque, PlainValue, SetValue, Wildcard
from grader.core.yaml.nodes import Node, Scalar, Table
from grader.core.yaml.value import escaped
from grader.core.yaml.writing import listing, plain, table
from grader.kinds.functions.compare_values import element_at, encode_value, has_whatever, place_of
from grader.kinds.functions.judge import raised_at
from grader.kinds.functions.model import (
    Calls,
    ExpectedValue,
    FunctionCall,
    FunctionCase,
    Outcome,
    Signature,
    calls_of,
    functions_of,
)
from grader.kinds.functions.write_values import display_value


def write_case(case: Case) -> Mapping[str, Node]:
    """Write `functions` with the calls of one case; raises CannotBeWrittenError."""
    function = functions_of(case)
    return _write_functions([function], [case.expect.stdout]) if function else {}


def write_test(cases: Sequence[Case]) -> Mapping[str, Node] | None:
    """Write one `functions` with the calls of all cases; None where that needs several. Raises CannotBeWrittenError."""
    functions = [function for case in cases if (function := functions_of(case))]
    if len(functions) < len(cases) or len({_shared_part(function) for function in functions}) != 1:
        return None
    return _write_functions(functions, [case.expect.stdout for case in cases])


def _write_functions(cases: Sequence[FunctionCase], printed: Sequence[Expected | None]) -> Mapping[str, Node]:
    calls = [call_node(case, stdout) for case, stdout in zip(cases, printed, strict=True)]
    return {"functions": _functions_node(cases, calls)}


def _functions_node(cases: Sequence[FunctionCase], calls: Sequence[Node]) -> Node:
    """Write `functions` with the nodes of these `calls`; they are those of the cases, which share all else."""
    case = cases[0]
    match = {"match": plain("any-case")} if case.any_case else {}
    access = {"access": plain("any")} if case.any_access else {}
    names = text_nodes(case.within) if len(case.within) > 1 else text_node(case.within[0])
    maker = next((call for call in case.calls if call.makes), None)
    made = {"new": text_node(maker.signature.text)} if maker else {}
    called = (call for one in cases for call in (one.calls if one.steps is not None else (one.call,)))
    declared = list(dict.fromkeys(call.signature for call in called if not (call.makes or call.sets)))
    if case.steps is None and declared:
        heading = _heading(declared[0])
    else:
        heading = {"declare": text_nodes([one.text for one in declared])} if declared else {}
    known = dict.fromkeys(structure.text for one in declared for structure in one.structures)
    structures = {"structures": text_nodes(list(known))} if known else {}
    return table({"in": names, **structures, **match, **access, **made, **heading, "calls": listing(calls)})


def _shared_part(case: FunctionCase) -> object:
    """Return what is the same for calls that can stand in one `functions`."""
    made = next((call.signature for call in case.calls if call.makes), None)
    own = case.call.signature if case.steps is None else None
    return case.within, made, own, case.any_case, case.any_access


def _heading(signature: Signature) -> dict[str, Node]:
    aliases = {"aliases": text_nodes(signature.aliases)} if signature.aliases else {}
    return {"declare": text_node(signature.text), **aliases}


def call_node(case: FunctionCase, stdout: Expected | None) -> Node:
    """Write one call with what is expected of it and of what it prints; raises CannotBeWrittenError."""
    made = next((call for call in case.calls if call.makes), None)
    found: dict[str, Node] = {"new": listing(map(value_node, made.args))} if made else {}
    expect: dict[str, Node] = {}
    if case.steps is None:
        if case.call.signature.parameters and not case.call.makes:
            found["args"] = listing(map(value_node, case.call.args))
        before = [call for call in case.before if not call.makes]
        expect = _outcome_nodes(case.outcomes[len(case.before)])
    else:
        before = [call for call in case.before if call.sets]
        steps = [(at, call) for at, call in enumerate(case.calls) if not (call.makes or call.sets)]
        found["steps"] = listing([_called_node(call, case.outcomes.get(at, Outcome())) for at, call in steps])
    if before:
        found["before"] = listing(map(_further_call_node, before))
    if case.then:
        found["then"] = listing(map(_further_call_node, case.then))
    if case.args:
        expect["args"] = table({str(place): _wanted_node(wanted) for place, wanted in case.args.items()})
    if stdout is not None:
        expect["stdout"] = write_expected(stdout)
    return table({**found, **({"expect": table(expect)} if expect else {})})


def _called_node(call: FunctionCall, outcome: Outcome) -> Node:
    expect = _outcome_nodes(outcome)
    args = {escaped(call.signature.name): listing(map(value_node, call.args))}
    return table({**args, **({"expect": table(expect)} if expect else {})})


def _outcome_nodes(outcome: Outcome) -> dict[str, Node]:
    found: dict[str, Node] = {}
    if outcome.returns is not None:
        found["returns"] = _wanted_node(outcome.returns)
    if outcome.message is not None:
        found["raises"] = table({"type": plain(outcome.raises), "message": write_expected(outcome.message)})
    elif outcome.raises:
        found["raises"] = plain(outcome.raises)
    return found


def _further_call_node(further: FunctionCall) -> Node:
    if further.sets:
        own = {"field": text_node(further.signature.text), "value": value_node(further.args[0])}
        aliases = {"aliases": text_nodes(further.signature.aliases)} if further.signature.aliases else {}
        return table({**own, **aliases, **({"optional": plain("true")} if further.optional else {})})
    args: dict[str, Node] = {"args": listing(map(value_node, further.args))} if further.args else {}
    return table({**_heading(further.signature), **args})


def _wanted_node(wanted: ExpectedValue) -> Node:
    if wanted.either:
        return table({"any": listing(map(_wanted_node, wanted.either))})
    if wanted.cells:
        return table({"cells": table({place_of(path): _wanted_node(v) for path, v in wanted.cells.items()})})
    if wanted.text is not None:
        compared = write_expected(wanted.text)
        # A bare text would be a value, and `reference` one that is equal to the reference's.
        return compared if isinstance(compared, Table) or not wanted.text.is_checked else table({"text": compared})
    if wanted.reference:
        return plain("reference")
    node = value_node(wanted.want)
    return table({"cells": node}) if has_whatever(wanted.want) else node


def value_node(one: PlainValue) -> Node:
    """Write a value that a function is given or returns; raises CannotBeWrittenError for one that has no form."""
    match one:
        case Argument(position=position):
            return table({"argument": plain(str(position))})
        case NewObject() | SetValue() | MapValue():
            return _made_of_values(one)
        case Opaque(type=kind):
            raise CannotBeWrittenError(f"a value of the type {kind} cannot be written into a spec")
        case tuple():
            return listing(map(value_node, one))
        case str():
            return text_node(one)
        case None | bool() | Wildcard():
            return plain(display_value(one, is_python=False))
        case _:
            return plain(repr(one))


def _made_of_values(one: NewObject | SetValue | MapValue) -> Node:
    match one:
        case NewObject(args=args):
            return table({"new": listing(map(value_node, args))})
        case SetValue(items=members):
            return table({"set": listing(map(value_node, members))})
    keys = [value_node(key) for key, _ in one.items]
    pairs = tuple(
        (key, value_node(item)) for key, (_, item) in zip(keys, one.items, strict=True) if isinstance(key, Scalar)
    )
    if len(pairs) < len(keys):
        raise CannotBeWrittenError("a map with lists as its keys cannot be written into a spec")
    return table({"map": replace(table({}), pairs=pairs)})


# ---------------------------------------------------------------- what the reference did, for the word `reference`


def freeze(case: Case, execution: Execution) -> FunctionCase | None:
    """Return the calls with what those of the reference came to; raises CannotBeWrittenError."""
    function, calls = functions_of(case), calls_of(execution)
    return _freeze_functions(function, calls) if function and calls else function


def without_expectations(case: Case) -> FunctionCase | None:
    """Return the calls without what is expected of them."""
    function = functions_of(case)
    return function and replace(function, returns=None, args={}, raises="", message=None, steps=None)


def _freeze_functions(case: FunctionCase, calls: Calls) -> FunctionCase:
    main = len(case.before)
    outcomes = {at: _freeze_outcome(outcome, calls, at) for at, outcome in case.outcomes.items()}
    args_after = dict(enumerate(calls.args or ()))
    return replace(
        case,
        raises=outcomes[main].raises,
        returns=outcomes[main].returns,
        message=outcomes[main].message,
        steps=None if case.steps is None else {at: outcomes[at] for at in case.steps},
        args={place: _freeze_value(wanted, args_after.get(place)) for place, wanted in case.args.items()},
    )


def _freeze_outcome(outcome: Outcome, calls: Calls, at: int) -> Outcome:
    raised = raised_at(calls, at)
    raises = outcome.raises
    if raises == "reference":
        raises = "any" if raised else ""
    returned = calls.returned[at] if len(calls.returned) > at else None
    message = outcome.message
    if message is not None:
        text = raised.message if raised else ""
        message = freeze_text(message, text.encode(errors="surrogatepass"), "the message of its exception")
    returns = outcome.returns and _freeze_value(outcome.returns, returned)
    return Outcome(returns=returns, raises=raises, message=message if raises else None)


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
