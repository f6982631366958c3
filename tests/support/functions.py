"""Function cases and the probes that run them, for tests: real Python and Java in the real sandbox."""

import hashlib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from grader.core.cache import Cache
from grader.core.diagnosis import no_lines
from grader.core.judge.case import CheckFactory, no_checks
from grader.core.kind import JudgeContext
from grader.core.model.execution import Execution, Launch, Runner
from grader.core.model.layout import Build
from grader.core.model.limits import Limits
from grader.core.model.spec import Case, Toolchain
from grader.core.model.values import PlainValue
from grader.core.run.runner import execute
from grader.core.sandbox import choose
from grader.kinds.functions import run as calls
from grader.kinds.functions.headings import java_heading, python_heading
from grader.kinds.functions.judge import Compared, JudgedCalls, compare_calls
from grader.kinds.functions.model import Calls, ExpectedOutcome, ExpectedValue, FunctionCall, FunctionCase
from grader.kinds.harness.host import Driver, request_of, with_request

SANDBOX = choose("full", ["/etc/java-*"])
LIMITS = Limits(time=20, cpu=20, processes=64)


def run_full(launch: Launch) -> Execution:
    """Run a command in the sandbox."""
    return execute(SANDBOX, launch, Event())


@cache
def probe(language: str) -> Driver:
    """Make the driver, once for all tests of a process."""
    return made(language, run_full)


def made(language: str, run: Runner) -> Driver:
    """Make the driver anew."""
    with TemporaryDirectory() as folder:
        return calls.ready_calls(language, {}, Cache(folder=Path(folder)), run)


def call(heading: str, *args: PlainValue) -> FunctionCall:
    """Call a function of Python (`def …`) or Java."""
    signature = (python_heading if heading.startswith("def ") else java_heading)(heading)
    assert signature, heading
    return FunctionCall(signature=signature, args=args)


def function(
    heading: str,
    *args: PlainValue,
    within: str = "",
    elsewhere: Sequence[str] = (),
    aliases: Sequence[str] = (),
    before: Sequence[FunctionCall] = (),
    then: Sequence[FunctionCall] = (),
    any_case: bool = False,
    any_access: bool = False,
) -> FunctionCase:
    """Return a case that calls one function, and others around it."""
    within = within or ("four" if heading.startswith("def ") else "Queens")
    main = call(heading, *args)
    main = replace(main, signature=replace(main.signature, aliases=tuple(aliases)))
    words = {"match": "any-case" if any_case else "exact", "access": "any" if any_access else "package"}
    made = case_of(main, within=(within, *elsewhere), **words)
    return expecting(made, before=before, then=then)


def case_of(main: FunctionCall, within: Sequence[str] = ("four",), **more: Any) -> FunctionCase:
    """Return a case that makes one call."""
    return FunctionCase(within=tuple(within), calls=(main,), **more)


def expecting(
    case: FunctionCase,
    *,
    before: Sequence[FunctionCall] | None = None,
    then: Sequence[FunctionCall] | None = None,
    steps: Mapping[int, ExpectedOutcome] | None = None,
    args: Mapping[int, ExpectedValue] | None = None,
    **outcome: Any,
) -> FunctionCase:
    """Return the case with other calls around the main one, and other expectations of them and of that."""
    first = case.calls[: case.main] if before is None else tuple(before)
    last = case.calls[case.main + 1 :] if then is None else tuple(then)
    calls = (*first, replace(case.call, expect=replace(case.call.expect, **outcome)), *last)
    number = case.steps if steps is None else len(first) - min([*steps, len(first)]) + 1
    return replace(
        case,
        calls=tuple(replace(one, expect=(steps or {}).get(at, one.expect)) for at, one in enumerate(calls)),
        main=len(first),
        steps=number,
        args=case.args if args is None else args,
    )


def plain(value: Any) -> Any:
    """Return a value of YAML as a function returns it: a list is a tuple, and what has a tag is its record."""
    if isinstance(value, list) or (isinstance(value, tuple) and not (value and isinstance(value[0], type))):
        return tuple(plain(one) for one in value)
    if isinstance(value, Struct):
        return type(value)(**{name: plain(getattr(value, name)) for name in value.__struct_fields__})
    return value[0](**{name: plain(one) for name, one in value[1].items()}) if isinstance(value, tuple) else value


def called(
    case: FunctionCase, folder: Path, *, produces: Sequence[str] = (), stdin: bytes = b"", limits: Limits = LIMITS
) -> Execution:
    """Run a case beside the files in `folder`."""
    own = probe("python" if case.call.signature.text.startswith("def ") else "java")
    program, *rest = calls.calls_command(own, folder, Build(run=(), produces=tuple(produces)))
    argv = (program, *(["-Xmx256m"] if program == "java" else []), *rest)
    launch = calls.with_calls_request(Launch(argv=argv, folder=folder, stdin=stdin, limits=limits), case, own)
    return calls.read_record(run_full(launch), Case(id="t", kind="functions", payload=case), launch)


def python(source: str, case: FunctionCase, folder: Path, *, stdin: bytes = b"", time: float = 20) -> Execution:
    """Run a case with the module `four`."""
    (folder / "four.py").write_text(source)
    return called(case, folder, stdin=stdin, limits=replace(LIMITS, time=time))


# ---------------------------------------------------------------- records that are made up

ASKED = with_request(Launch(argv=()), {}, "secret", 2**24)
MARK = f"\x1e{request_of(ASKED)[0]['mark']}\n".encode()


def sealed(*lines: bytes) -> bytes:
    """Return the record of `ASKED` with these lines, as a driver writes it."""
    content, record = hashlib.sha256(), b""
    for line in lines:
        content.update(line)
        record += hashlib.sha256(b"secret" + content.hexdigest().encode()).hexdigest().encode() + line + b"\n"
    return record


def recorded(case: FunctionCase, record: bytes, printed: bytes = b"") -> Execution:
    """Read a record of the calls of a case."""
    (name,) = ASKED.collect
    found = Execution(stdout=MARK + printed, status=0, files={name: record})
    return calls.read_record(found, Case(id="t", kind="functions", payload=case), ASKED)


REFERENCE = ExpectedValue(reference=True)
G, H = call("def g()"), call("def h()")


def wants(value: PlainValue = None, **more: Any) -> ExpectedValue:
    """Expect a value."""
    return ExpectedValue(want=value, **more)


def asked(returns: ExpectedValue | None = None, **more: Any) -> FunctionCase:
    """Ask for `f(1)`, between `g()` and `h()`."""
    return expecting(function("def f(b)", 1, before=[G], then=[H]), returns=returns, **more)


def returned(*values: PlainValue, **more: Any) -> Calls:
    """Record what calls returned, up to the last."""
    return Calls(loaded=True, returned=values, **more)


def messages(case: FunctionCase, calls: Calls, answer: Calls | None = None) -> list[str]:
    """Return what is said of calls whose program ended as it should."""
    return [one.message for one, _ in compared(Case(id="t", kind="functions", payload=case), calls, answer)]


def judged_calls(
    case: Case, calls: Calls, answer: Calls | None = None, checks: CheckFactory = no_checks
) -> JudgedCalls:
    """Put calls that are made up, and what the reference came to, beside their case."""
    own = Toolchain(name="any", out_of_memory=("MemoryError", "OutOfMemory"))
    context = JudgeContext(toolchain=own, read_line=no_lines, checks=checks)
    return JudgedCalls(case=case, calls=calls, answer=answer, context=context)


def compared(case: Case, calls: Calls, answer: Calls | None = None, checks: CheckFactory = no_checks) -> list[Compared]:
    """Compare what calls that are made up came to."""
    return list(compare_calls(judged_calls(case, calls, answer, checks)))
