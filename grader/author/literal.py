"""What the reference did, in place of the word `reference`: a case that can be judged without it."""

from dataclasses import replace

from grader.author.written import CannotBeWrittenError, decoded
from grader.comparators import COMPARATORS
from grader.model import Calls, Case, Execution, Expectation, Expected, ExpectedExit, ExpectedValue, FunctionCase, Value


def literal(case: Case, execution: Execution) -> Case:
    """Return the case with the reference's `execution` in place of `reference`.

    Raises CannotBeWrittenError when a spec has no form for what it did.
    """
    return replace(
        case,
        expect=_expectation(case.expect, execution),
        functions=_function(case.functions, execution.calls) if case.functions and execution.calls else case.functions,
    )


def _expectation(expect: Expectation, execution: Execution) -> Expectation:
    files = expect.files
    if files is not None:
        same = {name: want if want is not None else _file(name, execution) for name, want in files.same.items()}
        files = replace(files, same=same)
    return replace(
        expect,
        stdout=_text(expect.stdout, execution.stdout, "its standard output"),
        stderr=_text(expect.stderr, execution.stderr, "its standard error"),
        exit=_exit(expect.exit, execution),
        files=files,
    )


def _text(expected: Expected | None, output: bytes, what: str) -> Expected | None:
    if expected is None or not expected.is_checked or expected.want is not None:
        return expected
    decoded(output, what)
    try:
        return replace(expected, want=COMPARATORS[expected.how].freeze(output))
    except ValueError as error:
        raise CannotBeWrittenError(str(error)) from None


def _exit(status: ExpectedExit, execution: Execution) -> ExpectedExit:
    if status != "reference":
        return status
    if execution.status is None:
        raise CannotBeWrittenError(f"the reference was ended by signal {execution.signal}")
    return (execution.status,)


def _file(name: str, execution: Execution) -> str:
    if name not in execution.files:
        raise CannotBeWrittenError(f"the reference leaves no file {name}")
    return decoded(execution.files[name], f"its file {name}")


def _function(case: FunctionCase, calls: Calls) -> FunctionCase:
    raises = case.raises
    if raises == "reference":
        raises = "any" if calls.raised else ""
    main = len(case.before)
    returned = calls.returned[main] if len(calls.returned) > main else None
    left = calls.args or ()
    return replace(
        case,
        raises=raises,
        returns=_value(case.returns, returned),
        args={place: _value_at(wanted, left, place) for place, wanted in case.args.items()},
    )


def _value(wanted: ExpectedValue | None, came: Value) -> ExpectedValue | None:
    if wanted is None or not wanted.reference:
        return wanted
    if wanted.text is None:
        return ExpectedValue(want=came)
    return ExpectedValue(text=_text(wanted.text, str(came).encode(errors="surrogatepass"), "the returned text"))


def _value_at(wanted: ExpectedValue, left: tuple[Value, ...], place: int) -> ExpectedValue:
    found = _value(wanted, left[place] if place < len(left) else None)
    return found or wanted
