"""A case, from what `load` made of it back to what an instructor would write."""

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal

from msgspec.structs import replace

from grader.core.comparators import COMPARATORS
from grader.core.comparators.base import text_node, text_nodes
from grader.core.model import (
    Argument,
    Case,
    Execution,
    Expectation,
    Expected,
    ExpectedFiles,
    MapValue,
    NewObject,
    Opaque,
    PlainValue,
    SetValue,
    Step,
    Wildcard,
)
from grader.core.yaml.nodes import Node, Scalar, Table, entries_of
from grader.core.yaml.value import escaped
from grader.core.yaml.writing import listing, plain, table
from grader.kinds.functions.compare_values import element_at, encode_value, has_whatever, place_of, written
from grader.kinds.functions.judge import raised_at
from grader.kinds.functions.model import Calls, ExpectedValue, FunctionCall, FunctionCase, Outcome, Signature

_TEXT_LIMIT = 256 * 2**10
"""of a text that is written into a spec"""

Content = Callable[[bytes], Node]
"""Writes what goes to a program: as a text, or as a file of the course"""


class CannotBeWrittenError(Exception):
    """Something has no form in a spec; the text says what."""


def decode(data: bytes, what: str) -> str:
    """Return output as text. Raises CannotBeWrittenError when it is none, or far too long."""
    if len(data) > _TEXT_LIMIT:
        raise CannotBeWrittenError(f"{what} has {len(data) >> 10} KiB, too much to be written into a spec")
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise CannotBeWrittenError(f"{what} is no UTF-8") from None


def start_nodes(case: Case, content: Content) -> dict[str, Node]:
    """Write how a program is started in a case, and what is around it."""
    found: dict[str, Node] = {}
    if case.command is not None:
        found["command"] = text_nodes(case.command)
    if case.functions is None:
        found["args"] = text_nodes(case.args)
    if case.stdin:
        found["stdin"] = content(case.stdin)
    if case.env:
        found["env"] = table({escaped(name): text_node(value) for name, value in case.env.items()})
    if case.files:
        found["files"] = table({escaped(name): content(data) for name, data in case.files.items()})
    if case.both:
        found["run"] = plain("both")
    elif case.terminal != bool(case.dialogue):
        found["terminal"] = plain(str(case.terminal).lower())
    if case.dialogue:
        found["dialogue"] = dialogue_node(case.dialogue)
    return found


def dialogue_node(steps: Sequence[Step]) -> Node:
    """Write the steps of a dialogue."""
    pairs = zip(steps, (*steps[1:], None), strict=True)
    return listing(_step_node(step, after) for step, after in pairs if not step.again)


def _step_node(step: Step, after: Step | None) -> Node:
    is_rejected = after is not None and after.again
    patience = after.within if after and is_rejected else step.within
    within = {} if patience is None else {"within": plain(f"{Decimal(repr(patience)):f} s")}
    said: Mapping[str, Node] = {
        "expect": text_node(step.text),
        "regex": table({"regex": text_node(step.text)}),
        "send": text_node(step.text),
        "key": table({"key": text_node(step.text)}),
        "eof": plain("true"),
    }
    key = "reject" if is_rejected else {"regex": "expect", "key": "send"}.get(step.do, step.do)
    return table({key: said[step.do], **within})


# ---------------------------------------------------------------- what is expected


def expectation_node(expect: Expectation) -> Node:
    """Write what a program is held against; `reference` where the reference is asked."""
    found: dict[str, Node] = {}
    for name, _, _, stream in expect.streams:
        if stream is not None:
            found[name] = expected_node(stream)
    if expect.exit != "any":
        statuses = [expect.exit] if isinstance(expect.exit, str) else [str(status) for status in expect.exit]
        found["exit"] = plain(statuses[0]) if len(statuses) == 1 else listing(map(plain, statuses))
    if expect.files is not None:
        found["files"] = _files_node(expect.files)
    return table(found)


def expected_node(stream: Expected) -> Node:
    """Write what a text is held against."""
    if stream.either:
        return table({"any": listing(map(expected_node, stream.either))})
    if stream.parts:
        parts = list(map(expected_node, stream.parts))
        return table({stream.how: parts[0] if stream.how == "not" else listing(parts)})
    try:
        node = COMPARATORS[stream.how].write(stream)
    except ValueError as error:
        raise CannotBeWrittenError(str(error)) from None
    patterns = {name: text_node(of) for name, of in (("only", stream.only), ("skip", stream.skip)) if of}
    if not patterns:
        return node
    compared = entries_of(node) if isinstance(node, Table) else {"text": node}
    return table({**compared, **patterns})


def _files_node(files: ExpectedFiles) -> Node:
    found: dict[str, Node] = {}
    if files.present:
        found["present"] = text_nodes(files.present)
    if files.absent:
        found["absent"] = text_nodes(files.absent)
    if files.same:
        same = {escaped(name): plain("reference") if v is None else text_node(v) for name, v in files.same.items()}
        found["same"] = table(same)
    return table({**found, **{escaped(name): expected_node(content) for name, content in files.compared.items()}})


# ---------------------------------------------------------------- functions


def functions_node(cases: Sequence[FunctionCase], calls: Sequence[Node]) -> Node:
    """Write `functions` with these calls; the `cases` are those, and of one kind."""
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
    return table({"in": names, **match, **access, **made, **heading, "calls": listing(calls)})


def kind_of_calls(case: FunctionCase) -> object:
    """Return what is the same for calls that can stand in one `functions`."""
    made = next((call.signature for call in case.calls if call.makes), None)
    own = case.call.signature if case.steps is None else None
    return case.within, made, own, case.any_case, case.any_access


def _heading(signature: Signature) -> dict[str, Node]:
    aliases = {"aliases": text_nodes(signature.aliases)} if signature.aliases else {}
    return {"declare": text_node(signature.text), **aliases}


def call_node(case: FunctionCase, stdout: Expected | None) -> Node:
    """Write one call with what is expected of it."""
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
        expect["args"] = table({str(place): _expected_value_node(wanted) for place, wanted in case.args.items()})
    if stdout is not None:
        expect["stdout"] = expected_node(stdout)
    return table({**found, **({"expect": table(expect)} if expect else {})})


def _called_node(call: FunctionCall, outcome: Outcome) -> Node:
    expect = _outcome_nodes(outcome)
    args = {escaped(call.signature.name): listing(map(value_node, call.args))}
    return table({**args, **({"expect": table(expect)} if expect else {})})


def _outcome_nodes(outcome: Outcome) -> dict[str, Node]:
    found: dict[str, Node] = {}
    if outcome.returns is not None:
        found["returns"] = _expected_value_node(outcome.returns)
    if outcome.message is not None:
        found["raises"] = table({"type": plain(outcome.raises), "message": expected_node(outcome.message)})
    elif outcome.raises:
        found["raises"] = plain(outcome.raises)
    return found


def _further_call_node(further: FunctionCall) -> Node:
    if further.sets:
        return table({"field": text_node(further.signature.text), "value": value_node(further.args[0])})
    args: dict[str, Node] = {"args": listing(map(value_node, further.args))} if further.args else {}
    return table({**_heading(further.signature), **args})


def _expected_value_node(wanted: ExpectedValue) -> Node:
    if wanted.either:
        return table({"any": listing(map(_expected_value_node, wanted.either))})
    if wanted.cells:
        return table({"cells": table({place_of(path): _expected_value_node(v) for path, v in wanted.cells.items()})})
    if wanted.text is not None:
        compared = expected_node(wanted.text)
        # A bare text would be a value; so would `any`, which is no comparator of values at all.
        return table({"text": compared}) if wanted.text.how == "text" and not wanted.reference else compared
    if wanted.reference:
        return plain("reference")
    node = value_node(wanted.want)
    return table({"cells": node}) if has_whatever(wanted.want) else node


def value_node(one: PlainValue) -> Node:
    """Write a value that a function is given or returns."""
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
            return plain(written(one, is_python=False))
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


def with_answer(case: Case, execution: Execution) -> Case:
    """Return the case with the reference's `execution` in place of `reference`.

    Raises CannotBeWrittenError when a spec has no form for what it did.
    """
    functions = case.functions and execution.calls and _functions_with(case.functions, execution.calls)
    return replace(case, expect=_expect_with(case.expect, execution), payload=functions or case.payload)


def _expect_with(expect: Expectation, execution: Execution) -> Expectation:
    files = expect.files
    if files is not None:
        same, compared = dict(files.same), dict(files.compared)
        for name in (name for name, content in files.contents.items() if content.asks_reference):
            if name not in execution.files:
                raise CannotBeWrittenError(f"the reference leaves no file {name}")
            if name in same:
                same[name] = decode(execution.files[name], f"its file {name}")
            elif answered := _text_with(compared[name], execution.files[name], f"its file {name}"):
                compared[name] = answered
        files = replace(files, same=same, compared=compared)
    stdout = _text_with(expect.stdout, execution.stdout, "its standard output")
    stderr = _text_with(expect.stderr, execution.stderr, "its standard error")
    status = expect.exit
    if status == "reference":
        if execution.status is None:
            raise CannotBeWrittenError(f"the reference was ended by signal {execution.signal}")
        status = (execution.status,)
    return replace(expect, stdout=stdout, stderr=stderr, exit=status, files=files)


def _text_with(expected: Expected | None, output: bytes, what: str) -> Expected | None:
    if expected is None or not expected.asks_reference:
        return expected
    if expected.either or expected.parts:
        either, parts = (
            tuple(answered for one in some if (answered := _text_with(one, output, what)))
            for some in (expected.either, expected.parts)
        )
        return replace(expected, either=either, parts=parts)
    if expected.takes_answer:
        raise CannotBeWrittenError("its check asks what the reference does")
    decode(output, what)
    try:
        return replace(expected, want=COMPARATORS[expected.how].freeze(output))
    except ValueError as error:
        raise CannotBeWrittenError(str(error)) from None


def _functions_with(case: FunctionCase, calls: Calls) -> FunctionCase:
    main = len(case.before)
    outcomes = {at: _outcome_with(outcome, calls, at) for at, outcome in case.outcomes.items()}
    left = dict(enumerate(calls.args or ()))
    return replace(
        case,
        raises=outcomes[main].raises,
        returns=outcomes[main].returns,
        message=outcomes[main].message,
        steps=None if case.steps is None else {at: outcomes[at] for at in case.steps},
        args={place: _value_with(wanted, left.get(place)) for place, wanted in case.args.items()},
    )


def _outcome_with(outcome: Outcome, calls: Calls, at: int) -> Outcome:
    raised = raised_at(calls, at)
    raises = outcome.raises
    if raises == "reference":
        raises = "any" if raised else ""
    returned = calls.returned[at] if len(calls.returned) > at else None
    message = outcome.message
    if message is not None:
        said = raised.message if raised else ""
        message = _text_with(message, said.encode(errors="surrogatepass"), "the message of its exception")
    returns = outcome.returns and _value_with(outcome.returns, returned)
    return Outcome(returns=returns, raises=raises, message=message if raises else None)


def _value_with(wanted: ExpectedValue, came: PlainValue) -> ExpectedValue:
    if not wanted.asks_reference:
        return wanted
    if wanted.either:
        return replace(wanted, either=tuple(_value_with(one, came) for one in wanted.either))
    if wanted.cells:
        cells = {path: _value_with(one, element_at(came, path)) for path, one in wanted.cells.items()}
        return replace(wanted, cells=cells)
    if wanted.text is None:
        return ExpectedValue(want=came)
    output = encode_value(came)
    if output is None:
        raise CannotBeWrittenError("a value that is no plain data cannot be written into a spec")
    return ExpectedValue(text=_text_with(wanted.text, output, "the value written out"))
