"""Calls of functions, as a spec asks for them, and what happened to them."""

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from grader.core.lazy import lazy_call
from grader.core.model.execution import CaseFacts, Execution
from grader.core.model.payload import Payload
from grader.core.model.spec import Expected, GeneratedInput
from grader.core.model.values import PlainValue, Wildcard
from grader.kinds.harness.outcome import Outcome


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
    fewest = property(lambda self: sum(not one.optional for one in self.parameters))  # arguments that a call has


class ExpectedValue(Struct, frozen=True, kw_only=True):
    """A value that is expected: `want`, the one that the reference comes to, or any that a comparator takes."""

    want: PlainValue = None
    reference: bool = False
    text: Expected | None = None  # how it is compared, written as a text, where it need not be equal to one
    either: tuple["ExpectedValue", ...] = ()  # any of these is right
    cells: Mapping[tuple[int, ...], "ExpectedValue"] = {}  # a way into its lists -> the only values looked at

    def looks_at(self, way: tuple[int, ...]) -> bool:
        """Whether what is at the end of `way`, places in lists within lists, is compared."""
        if self.either:
            return any(one.looks_at(way) for one in self.either)
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
        """All values with which results are compared: this one, or the alternatives of which it consists."""
        parts = (*self.either, *self.cells.values())
        return tuple(leaf for part in parts for leaf in part.leaves) if parts else (self,)

    asks_reference = property(lambda self: any(leaf.reference for leaf in self.leaves))


class ExpectedOutcome(Struct, frozen=True, kw_only=True):
    """What a call has to come to."""

    returns: ExpectedValue | None = None  # None when it is not checked
    raises: str = ""  # the exception that it has to end with, by its name; `any`; `reference`: if the reference does
    message: Expected | None = None  # the expected message of that exception; None when it is not checked

    ending = property(lambda self: self if self.raises or self.message is not None else None)  # what raises says


class FunctionCall(Struct, frozen=True, kw_only=True):
    """One call of a function, of a method of the object that a call before made, or the setting of a field."""

    signature: Signature
    args: tuple[PlainValue, ...] = ()
    sets: bool = False  # whether a field, or a variable of the module, of that name is set, and nothing is called
    makes: bool = False  # whether an object of the class of that name is made
    optional: bool = False  # whether nothing is set where there is no such field
    expect: ExpectedOutcome = ExpectedOutcome()

    is_named = property(lambda self: not (self.makes or self.sets))  # whether it calls a function that is declared


_call_text = lazy_call("grader.kinds.functions.call_text", "call_text")


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
    command_text = property(lambda self: lambda spec: _call_text(self, spec.language))
    is_python = property(lambda self: self.call.signature.text.startswith(("def ", "class ")))
    with_generated = lazy_call("grader.kinds.functions.values", "with_generated")
    bare_calls = property(lambda self: tuple(replace(call, expect=ExpectedOutcome()) for call in self.calls))
    given = property(lambda self: (self.within, self.bare_calls))
    called = property(lambda self: (self.call.signature.name,))
    arguments = property(lambda self: self.call.args)
    unfit_mutants = property(lambda _: ("streams", "answers"))
    texts = property(
        lambda self: tuple((key, one.text) for key, every in self.expected.items() for one in every.leaves if one.text)
    )

    def facts_for_checks(self, execution: Execution) -> Mapping[str, object]:
        """Return the arguments of the main call and what it returned, for a check of the course."""
        calls = calls_of(execution)
        returned = calls.returned[self.main :] if calls else ()
        return {"args": self.call.args, "returned": returned[0] if returned else None}

    @property
    def expected(self) -> Mapping[str, ExpectedValue]:
        """The key under `expect`, such as `returns` or `args.0`, and what is expected there; a message as a value."""
        found: dict[str, ExpectedValue] = {}
        for at, outcome in enumerate(call.expect for call in self.calls):
            said = outcome.message and ExpectedValue(text=outcome.message, reference=outcome.message.asks_reference)
            place = "" if at == self.main else f"steps.{at}."
            values = {f"{place}returns": outcome.returns, f"{place}raises.message": said}
            found |= {key: value for key, value in values.items() if value}
        return found | {f"args.{position}": value for position, value in self.args.items()}

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

    kinds: tuple[str, ...] = ()  # the full names of its type and of those that this derives from


class Missing(Struct, frozen=True, kw_only=True):
    """A function that is asked for and not there; with `call` None, the class or module itself."""

    call: int | None = None  # its place among the calls, from 0
    found: tuple[str, ...] = ()  # the headings of those with its name; without such, of all others
    same_name: bool = False


class Calls(CaseFacts, frozen=True, kw_only=True):
    """The facts of the calls of a function case, as far as the process came."""

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
        raised = [one.type if one else "" for one in (self.load_error, self.raised, *self.caught.values())]
        return self.is_recorded, self.loaded, raised, self.returned, self.args


functions_of, functions_in, calls_of = FunctionCase.of, FunctionCase.required, Calls.of
"""the calls of a case, which may be of another kind and which is not; and what came of the calls in a run"""
