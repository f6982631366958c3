"""What the reference did, in place of the word `reference`: a case that can be judged without it."""

from dataclasses import replace

from grader.author.written import CannotBeWrittenError, decode
from grader.comparators import COMPARATORS
from grader.model import Calls, Case, Execution, Expectation, Expected, ExpectedValue, FunctionCase, PlainValue


def with_answer(case: Case, execution: Execution) -> Case:
    """Return the case with the reference's `execution` in place of `reference`.

    Raises CannotBeWrittenError when a spec has no form for what it did.
    """
    functions = case.functions and execution.calls and _functions_with(case.functions, execution.calls)
    return replace(case, expect=_expect_with(case.expect, execution), functions=functions or case.functions)


def _expect_with(expect: Expectation, execution: Execution) -> Expectation:
    files = expect.files
    if files is not None:
        same = dict(files.same)
        for name in (name for name, want in files.same.items() if want is None):
            if name not in execution.files:
                raise CannotBeWrittenError(f"the reference leaves no file {name}")
            same[name] = decode(execution.files[name], f"its file {name}")
        files = replace(files, same=same)
    stdout = _text_with(expect.stdout, execution.stdout, "its standard output")
    stderr = _text_with(expect.stderr, execution.stderr, "its standard error")
    status = expect.exit
    if status == "reference":
        if execution.status is None:
            raise CannotBeWrittenError(f"the reference was ended by signal {execution.signal}")
        status = (execution.status,)
    return replace(expect, stdout=stdout, stderr=stderr, exit=status, files=files)


def _text_with(expected: Expected | None, output: bytes, what: str) -> Expected | None:
    if expected is None or not expected.is_checked or expected.want is not None:
        return expected
    decode(output, what)
    try:
        return replace(expected, want=COMPARATORS[expected.how].freeze(output))
    except ValueError as error:
        raise CannotBeWrittenError(str(error)) from None


def _functions_with(case: FunctionCase, calls: Calls) -> FunctionCase:
    raises = case.raises
    if raises == "reference":
        raises = "any" if calls.raised else ""
    main = len(case.before)
    returned = calls.returned[main] if len(calls.returned) > main else None
    left = dict(enumerate(calls.args or ()))
    return replace(
        case,
        raises=raises,
        returns=case.returns and _value_with(case.returns, returned),
        args={place: _value_with(wanted, left.get(place)) for place, wanted in case.args.items()},
    )


def _value_with(wanted: ExpectedValue, came: PlainValue) -> ExpectedValue:
    if not wanted.reference:
        return wanted
    if wanted.text is None:
        return ExpectedValue(want=came)
    return ExpectedValue(text=_text_with(wanted.text, str(came).encode(errors="surrogatepass"), "the returned text"))
