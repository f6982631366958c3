"""The data of a case with calls, and calls and values as text: as source code, so that a student can repeat them."""

from collections.abc import Mapping
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from grader.core.lazy import lazy_call
from grader.core.model.execution import CaseFacts, Execution
from grader.core.model.spec import Expected, GeneratedInput, Payload
from grader.core.model.values import Argument, MapValue, NewObject, Opaque, PlainValue, SetValue, Wildcard
from grader.core.text import quote
from grader.kinds.harness.host import Outcome

NAMES_OF_FORMS: Mapping[type, str] = {Argument: "argument", NewObject: "new", SetValue: "set", MapValue: "map"}
"""the records among values -> the key of the mapping by which a spec and a probe write one"""


class Parameter(Struct, frozen=True, kw_only=True):
    """A parameter of a function, or a field of a structure."""

    type: str  # such as `int[][]`; empty in Python
    name: str
    optional: bool = False  # whether it has a default, so that a call may leave it out


class Structure(Struct, frozen=True, kw_only=True):
    """A structure of C, as an assignment declares it: pointers to it have values in a spec."""

    text: str  # as it was written, on one line
    name: str  # the word that names its type: `node` of `struct node`, or the name of a typedef
    type: str  # the type as it is written in C: `struct node`, or the name of a typedef
    fields: tuple[Parameter, ...]


class Signature(Struct, frozen=True, kw_only=True):
    """The heading of a function that an assignment prescribes."""

    text: str  # as it was written, on one line
    name: str
    parameters: tuple[Parameter, ...] = ()
    returns: str = ""  # the type, empty in Python
    static: bool = False  # whether it has to be static; else it may be
    aliases: tuple[str, ...] = ()  # other names that the function may have
    structures: tuple[Structure, ...] = ()  # in C, the structures whose pointers it may take and return
    handle: str = ""  # in C, the type by which it knows an object: what the constructor returns
    place: int | None = None  # in C, where the heading has the object, which is not among `parameters`
    whole: tuple[Parameter, ...] = ()  # in C, the parameters with the object, if it gets one

    written = property(lambda self: self.whole or self.parameters)  # the parameters as the heading has them
    names = property(lambda self: (self.name, *self.aliases))  # all that it may have, the one asked for first
    fewest = property(lambda self: sum(not parameter.optional for parameter in self.parameters))  # arguments of a call


class ExpectedValue(Struct, frozen=True, kw_only=True):
    """An expected value: `want`, the one that the reference returns, or any that a comparator accepts."""

    want: PlainValue = None
    reference: bool = False
    text: Expected | None = None  # how it is compared, written as a text, where it need not be equal to one
    either: tuple["ExpectedValue", ...] = ()  # any of these is right
    cells: Mapping[tuple[int, ...], "ExpectedValue"] = {}  # a way into its lists -> the only values looked at

    def looks_at(self, way: tuple[int, ...]) -> bool:
        """Whether the element at the end of `way`, places in lists within lists, is compared."""
        if self.either:
            return any(choice.looks_at(way) for choice in self.either)
        if self.cells:
            return any(part.looks_at(way[len(at) :]) for at, part in self.cells.items() if way[: len(at)] == at)
        wanted: PlainValue = self.want
        for index in way:
            if not isinstance(wanted, tuple) or index >= len(wanted):
                break
            wanted = wanted[index]
        return not isinstance(wanted, Wildcard)

    @property
    def leaves(self) -> tuple["ExpectedValue", ...]:
        """The values with which results are compared: this one, or its alternatives."""
        parts = (*self.either, *self.cells.values())
        return tuple(leaf for part in parts for leaf in part.leaves) if parts else (self,)

    asks_reference = property(lambda self: any(leaf.reference for leaf in self.leaves))


class ExpectedOutcome(Struct, frozen=True, kw_only=True):
    """The expected outcome of a call."""

    returns: ExpectedValue | None = None  # None when it is not checked
    raises: str = ""  # the exception that it has to end with, by its name; `any`; `reference`: if the reference does
    message: Expected | None = None  # the expected message of that exception; None when it is not checked

    ending = property(lambda self: self if self.raises or self.message is not None else None)  # what raises says


class FunctionCall(Struct, frozen=True, kw_only=True):
    """A call of a function or of a method of an object made before, or the setting of a field."""

    signature: Signature
    args: tuple[PlainValue, ...] = ()
    sets: bool = False  # whether a field, or a variable of the module, of that name is set, and nothing is called
    makes: bool = False  # whether an object of the class of that name is made
    optional: bool = False  # whether nothing is set where there is no such field
    expect: ExpectedOutcome = ExpectedOutcome()

    is_named = property(lambda self: not (self.makes or self.sets))  # whether it calls a function that is declared


class FunctionCase(Payload, frozen=True, kw_only=True):
    """Calls in a fresh process instead of a command. The output of the main one is compared with `stdout`."""

    within: tuple[str, ...]  # possible names of the Java class or the Python module; the first existing one counts
    calls: tuple[FunctionCall, ...]  # in the order in which they are made
    main: int = 0  # the place of the call that the case is about
    steps: int = 0  # how many of the calls, up to the main one, are steps: they are made even after an exception
    match: str = "exact"  # how names match: or `any-case`
    access: str = "package"  # who may call the functions that count: or `any`
    args: Mapping[int, ExpectedValue] = {}  # position -> what is expected of that argument of the main call at the end
    generated_input: GeneratedInput | None = None  # the generator of the main call's arguments, until they are drawn

    call = property(lambda self: self.calls[self.main])  # the main one
    maker = property(lambda self: next((call for call in self.calls if call.makes), None))  # that makes the object
    programs = property(lambda self: self.within)
    generated_by = property(lambda self: self.generated_input)
    command_text = property(lambda self: lambda spec: call_text(self, spec.language))
    is_python = property(lambda self: self.call.signature.text.startswith(("def ", "class ")))
    with_generated = lazy_call("grader.kinds.functions.values", "with_generated")
    bare_calls = property(lambda self: tuple(replace(call, expect=ExpectedOutcome()) for call in self.calls))
    given = property(lambda self: (self.within, self.bare_calls))
    called = property(lambda self: (self.call.signature.name,))
    arguments = property(lambda self: self.call.args)
    unfit_mutants = property(lambda _: ("streams", "answers"))
    texts = property(
        lambda self: tuple((key, leaf.text) for key, want in self.expected.items() for leaf in want.leaves if leaf.text)
    )

    def facts_for_checks(self, execution: Execution) -> Mapping[str, object]:
        """Return the arguments of the main call and what it returned, for a check of the course."""
        calls = calls_of(execution)
        returned = calls.returned[self.main :] if calls else ()
        return {"args": self.call.args, "returned": returned[0] if returned else None}

    @property
    def expected(self) -> Mapping[str, ExpectedValue]:
        """The key under `expect`, such as `returns` or `args.0`, and what is expected there; a message as a value."""
        expected: dict[str, ExpectedValue] = {}
        for at, outcome in enumerate(call.expect for call in self.calls):
            message = outcome.message and ExpectedValue(text=outcome.message, reference=outcome.message.asks_reference)
            place = "" if at == self.main else f"steps.{at}."
            values = {f"{place}returns": outcome.returns, f"{place}raises.message": message}
            expected |= {key: value for key, value in values.items() if value}
        return expected | {f"args.{position}": value for position, value in self.args.items()}

    @property
    def asks_reference(self) -> bool:
        """Whether the reference has to run to know what is expected."""
        is_asked = any(value.asks_reference for value in self.expected.values())
        return is_asked or any(call.expect.raises == "reference" for call in self.calls)

    def with_args(self, args: tuple[PlainValue, ...]) -> "FunctionCase":
        """Return the case with these arguments of the main call."""
        calls = (*self.calls[: self.main], replace(self.call, args=args), *self.calls[self.main + 1 :])
        return replace(self, calls=calls, generated_input=None)


class Raised(Outcome, frozen=True, kw_only=True):
    """An exception that a function, or the loading of its module, ended with."""

    kinds: tuple[str, ...] = ()  # the full names of its type and its base types


class Missing(Struct, frozen=True, kw_only=True):
    """A prescribed function that is missing; with `call` None, the class or module itself."""

    call: int | None = None  # its place among the calls, from 0
    found: tuple[str, ...] = ()  # the headings of those with its name; without such, of all others
    same_name: bool = False


class Calls(CaseFacts, frozen=True, kw_only=True):
    """The facts of the calls of a function case, up to the end of the process."""

    is_recorded: bool = True  # False when the program deleted the probe's record, or made it far too large
    loaded: bool = False  # whether the class or module was loaded; of a module, at least the part before an exception
    load_error: Raised | None = None  # what ended the loading
    missing: Missing | None = None
    returned: tuple[PlainValue, ...] = ()  # the return values of the calls, in order
    raised: Raised | None = None  # the exception of the next call
    caught: Mapping[int, Raised] = {}  # place of a call, with None in `returned` -> its exception, if others followed
    args: tuple[PlainValue, ...] | None = None  # the main call's, after the last call that ended; None before it did
    fault: str | None = None  # what broke the probe; None when nothing did

    is_mute = property(lambda self: not (self.load_error or self.raised))
    size = property(lambda self: len(repr(self)))
    silent = property(lambda self: replace(self, returned=(None,) * len(self.returned), args=None))
    lacking = property(lambda self: f"{self.missing.call} {self.missing.same_name}" if self.missing else "")

    ends = property(lambda self: self.caught | ({len(self.returned): self.raised} if self.raised else {}))

    @property
    def outcome(self) -> object:
        """The results of the calls; of an exception only its type, since its place differs between programs."""
        raised = [error.type if error else "" for error in (self.load_error, self.raised, *self.caught.values())]
        return self.is_recorded, self.loaded, raised, self.returned, self.args


functions_of, functions_in, calls_of = FunctionCase.of, FunctionCase.required, Calls.of
"""the calls of a case, which may or may not be of another kind; and the results of the calls in a run"""


_to_json = lazy_call("json", "dumps")
_OBJECT = "a"  # what an object is called whose methods are called
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
MAX_QUOTED_LENGTH, _MAX_CALL_LENGTH = 160, 60


def display_value(value: PlainValue, *, is_python: bool, in_javascript: bool = False) -> str:
    """Write a value on one line, for a sentence or `in_javascript`: `[1, 2]`, `{"a": true}`; a wildcard is `_`."""
    write = partial(display_value, is_python=is_python, in_javascript=in_javascript)
    match value:
        case tuple():
            written = f"[{', '.join(map(write, value))}]"
        case SetValue(items=()) if is_python:
            written = "set()"
        case SetValue(items=members) if in_javascript:
            written = f"new Set({write(members)})"
        case MapValue(items=pairs) if in_javascript and not all(isinstance(key, str) for key, _ in pairs):
            written = f"new Map({write(pairs)})"
        case SetValue(items=members):
            written = f"{{{', '.join(map(write, sorted(members, key=comparison_key)))}}}"
        case MapValue(items=pairs):
            written = f"{{{', '.join(f'{write(key)}: {write(item)}' for key, item in pairs)}}}"
        case None | bool() | str():
            written = repr(value) if is_python else _to_json(value, ensure_ascii=False)
        case Wildcard():
            written = "_"
        case Opaque(type=kind, text=text):
            written = f"<{kind}>" if text is None else text
        case _:
            written = str(value)
    return written


def comparison_key(value: PlainValue) -> str:
    """Write a value as comparisons see it: 1, 1.0 and True are the same, and floats lose their last digits."""
    if isinstance(value, tuple):
        return f"[{', '.join(map(comparison_key, value))}]"
    if isinstance(value, float) and not value.is_integer():
        value = float(f"{value:.12g}")
    if isinstance(value, bool) or (isinstance(value, float) and value.is_integer()):
        value = int(value)
    return display_value(value, is_python=False)


def write_value(value: PlainValue, declared: str, language: str) -> str:
    """Write an expression for a value; `declared` is the type of the parameter, empty if it has none."""
    sizes = _zero_array_shape(value)
    if language == "python":
        is_board = len(sizes) == len("ij") and sizes[0] > 1
        return f"[[0] * {sizes[1]} for _ in range({sizes[0]})]" if is_board else display_value(value, is_python=True)
    if declared.endswith("*") and value is None:
        return "NULL"
    if declared.endswith("*") or language == "javascript":  # no expression of C makes a structure
        return display_value(value, is_python=False, in_javascript=language == "javascript")
    element = declared.replace("[]", "")
    if language == "java" and sizes and declared.count("[]") == len(sizes):
        return f"new {element}{''.join(f'[{size}]' for size in sizes)}"
    pointer = f"({element.replace('String', 'char *')}{'[]' * (declared.count('[]') > 0)})"
    before = f"new {declared} " if language == "java" else pointer
    return f"{before if isinstance(value, tuple) else ''}{_in_braces(value, declared)}"


def _in_braces(value: PlainValue, declared: str) -> str:
    """Write a value of Java or C."""
    if isinstance(value, tuple):
        return f"{{{', '.join(_in_braces(item, declared.removesuffix('[]')) for item in value)}}}"
    if isinstance(value, str) and declared == "char":
        return f"'{value}'" if value not in "'\\" else f"'\\{value}'"
    is_long = declared.lower() == "long" and value is not None
    return f"{_to_json(value, ensure_ascii=False)}{'L' if is_long else ''}"


def _zero_array_shape(value: PlainValue) -> tuple[int, ...]:
    """Return the lengths of an array of zeros; nothing for any other value."""
    sizes: tuple[int, ...] = ()
    while isinstance(value, tuple) and value and all(item == value[0] for item in value):
        sizes, value = (*sizes, len(value)), value[0]
    return sizes if type(value) is int and value == 0 else ()


def call_text(case: FunctionCase, language: str) -> str:
    """Write the calls of a case, with semicolons between them; a value that several share is a variable."""
    if case.generated_input:
        return f"{case.call.signature.name}(...)"
    parameters, maker = case.call.signature.parameters, case.maker and case.maker.signature
    shared = sorted({arg.position for call in case.calls for arg in call.args if isinstance(arg, Argument)})
    args = tuple(Argument(position=at) if at in shared else arg for at, arg in enumerate(case.call.args))
    # The program may not have an optional field.
    calls = [call for call in case.with_args(args).calls if not call.optional]

    def write_argument(value: PlainValue, declared: str) -> str:
        if isinstance(value, Argument):
            return str(parameters[value.position].name)
        if isinstance(value, NewObject) and maker:
            return write_call(FunctionCall(signature=maker, args=value.args, makes=True))
        return write_value(value, declared, language)

    def write_call(call: FunctionCall) -> str:
        signature = call.signature
        written = list(map(write_argument, call.args, (parameter.type for parameter in signature.parameters)))
        if call.sets:
            return f"{signature.name} = {written[0]}"
        if (place := signature.place) is not None:  # in C, the object is where the heading has it
            written.insert(place, _OBJECT if signature.whole[place].type == signature.handle else f"&{_OBJECT}")
        new = "new " if call.makes and language in {"java", "javascript"} else ""
        return f"{new}{signature.name}({', '.join(written)})"

    pairs = [(parameters[at], case.call.args[at]) for at in shared]
    variables = [f"{own.type} {own.name} = {write_argument(value, own.type)}" for own, value in pairs]
    owner = assigned = ""
    if maker and len(calls) > 1:
        owner = "" if maker.handle else f"{_OBJECT}."
        assigned = f"{maker.name if language == 'java' else ''} {_OBJECT} = ".lstrip()
    written = (f"{assigned if call.makes else owner}{write_call(call)}" for call in calls)
    return "; ".join([*map(str.strip, variables), *written])


def name_of_call(function: FunctionCase, at: int, language: str = "") -> str:
    """Name a call for a sentence; among the steps there may be several of that name.

    In a `language` its arguments are shown, as in `is_leap(1900)`, unless these are long, or objects.
    """
    called = [(call.signature.name, call.makes) for call in function.calls]
    name, call, number = quote(called[at][0], most=MAX_QUOTED_LENGTH), function.calls[at], called[:at].count(called[at])
    if function.steps and called.count(called[at]) > 1:
        later = f"{name}, called the {number + 1}th time,"
        return f"the {_ORDINALS[number]} {name}" if number < len(_ORDINALS) else later
    if not language or not call.args or any(isinstance(arg, Argument | NewObject) for arg in call.args):
        return name
    text = call_text(FunctionCase(within=(), calls=(call,)), "python" if function.is_python else language)
    return quote(text) if len(text) <= _MAX_CALL_LENGTH else name
