"""Calls of functions, as a spec asks for them, and what happened to them."""

from collections.abc import Mapping

from msgspec import Struct, field
from msgspec.structs import replace

from grader.core.model.execution import CaseFacts, Execution
from grader.core.model.generated_inputs import GeneratedInput
from grader.core.model.spec import Case, Expected, Payload
from grader.core.model.values import PlainValue, Wildcard


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
    handle: str = ""
    """in C, the type by which it knows an object: what the constructor returns; `parameters` has none of that type"""

    @property
    def names(self) -> tuple[str, ...]:
        """All names that it may have, the one asked for first."""
        return (self.name, *self.aliases)

    @property
    def fewest(self) -> int:
        """How many arguments a call has at least."""
        return sum(not parameter.optional for parameter in self.parameters)


class FunctionCall(Struct, frozen=True, kw_only=True):
    """One call of a student's function, or the setting of a field: that is a function with one parameter.

    The calls of methods behind one that makes an object are those of that object.
    """

    signature: Signature
    args: tuple[PlainValue, ...] = ()
    sets: bool = False  # whether a field, or a variable of the module, of that name is set, and nothing is called
    makes: bool = False  # whether an object of the class of that name is made
    optional: bool = False  # whether nothing is set where there is no such field

    @property
    def is_named(self) -> bool:
        """Whether it calls a function that is declared, and neither makes an object nor sets a field."""
        return not (self.makes or self.sets)


class ExpectedValue(Struct, frozen=True, kw_only=True):
    """A value that is expected: `want`, the one that the reference comes to, or any that a comparator takes."""

    want: PlainValue = None
    reference: bool = False
    text: Expected | None = None  # how it is compared, written as a text, where it need not be equal to one
    either: tuple["ExpectedValue", ...] = ()  # any of these is right
    cells: Mapping[tuple[int, ...], "ExpectedValue"] = field(default_factory=dict)
    """a way into its lists -> what is there; no other cell is looked at"""

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
    def is_exact(self) -> bool:
        """Whether the value itself stands in the spec."""
        return not (self.text or self.reference or self.either or self.cells)

    @property
    def leaves(self) -> tuple["ExpectedValue", ...]:
        """All values with which results are compared: this one, or the alternatives of which it consists."""
        parts = (*self.either, *self.cells.values())
        return tuple(leaf for part in parts for leaf in part.leaves) if parts else (self,)

    @property
    def texts(self) -> tuple[Expected, ...]:
        """The expected values of the value itself or of its elements, without alternatives."""
        return tuple(leaf.text for leaf in self.leaves if leaf.text is not None)

    @property
    def asks_reference(self) -> bool:
        """Whether the reference has to run to know what is expected."""
        return any(leaf.reference for leaf in self.leaves)


class Outcome(Struct, frozen=True, kw_only=True):
    """The expected result of one of several calls; `FunctionCase` has that of the main call in its own fields."""

    returns: ExpectedValue | None = None
    raises: str = ""
    message: Expected | None = None  # the expected message of the exception; None when it is not checked

    @property
    def expected(self) -> Mapping[str, ExpectedValue]:
        """The key under `expect` -> the value expected there; the message of an exception as if it were one."""
        is_recorded = self.message and ExpectedValue(text=self.message, reference=self.message.asks_reference)
        found = {"returns": self.returns, "raises.message": is_recorded}
        return {key: value for key, value in found.items() if value}


class FunctionCase(Payload, frozen=True, kw_only=True):
    """Calls in a fresh process instead of a command. The output of `call` is compared with the case's `stdout`."""

    within: tuple[str, ...]  # possible names of the Java class or the Python module; the first existing one counts
    call: FunctionCall
    generated_input: GeneratedInput | None = None  # the generator of the arguments of `call`, until they are generated
    before: tuple[FunctionCall, ...] = ()
    then: tuple[FunctionCall, ...] = ()
    any_case: bool = False  # whether names match in any letter case
    any_access: bool = False  # whether private functions count too
    returns: ExpectedValue | None = None  # the expected return value of `call`; None when it is not checked
    args: Mapping[int, ExpectedValue] = field(default_factory=dict)
    """position -> the expected value of that argument of `call` after the last call"""
    raises: str = ""
    """the exception that `call` has to end with, by its name; `any`; `reference`: one exactly if the reference does"""
    message: Expected | None = None  # the expected message of that exception; None when it is not checked
    steps: Mapping[int, Outcome] | None = None
    """place among the calls -> its expected result, where several are checked; `call` is the last of them then

    Calls after one that ended with an exception are still made. None where only `call` is checked.
    """

    programs = property(lambda self: self.within)
    is_generated = property(lambda self: self.generated_input is not None)
    given = property(lambda self: (self.within, self.calls))  # without what they have to come to
    called = property(lambda self: (self.call.signature.name,))

    @property
    def calls(self) -> tuple[FunctionCall, ...]:
        """All calls, in the order in which they are made."""
        return (*self.before, self.call, *self.then)

    @property
    def maker(self) -> Signature | None:
        """The heading of the constructor, where objects are made."""
        return next((call.signature for call in self.calls if call.makes), None)

    @property
    def outcomes(self) -> Mapping[int, Outcome]:
        """Place among the calls -> what it has to come to, for all that are looked at, in their order."""
        own = Outcome(returns=self.returns, raises=self.raises, message=self.message)
        return {**(self.steps or {}), len(self.before): own}

    @property
    def step_places(self) -> tuple[int, ...]:
        """The places of the steps among the calls; none where only `call` is checked."""
        return () if self.steps is None else (*self.steps, len(self.before))

    @property
    def expected(self) -> Mapping[str, ExpectedValue]:
        """The key under `expect` -> the value expected there: `returns`, `args.0`."""
        found = dict(Outcome(returns=self.returns, message=self.message).expected)
        found |= {f"args.{position}": value for position, value in self.args.items()}
        for at, step in (self.steps or {}).items():
            found |= {f"steps.{at}.{key}": one for key, one in step.expected.items()}
        return found

    @property
    def texts(self) -> tuple[tuple[str, Expected], ...]:
        """The key of each value that is compared as a text, and what that is compared with."""
        return tuple((key, text) for key, value in self.expected.items() for text in value.texts)

    @property
    def asks_reference(self) -> bool:
        """Whether the reference has to run to know what is expected."""
        is_asked = any(value.asks_reference for value in self.expected.values())
        return is_asked or any(one.raises == "reference" for one in self.outcomes.values())


class Raised(Struct, frozen=True, kw_only=True):
    """An exception that a function, or the loading of its module, ended with."""

    type: str  # its full name
    kinds: tuple[str, ...] = ()  # the full names of its type and of those that this derives from
    message: str = ""
    place: str = ""  # the innermost line of the student's own, as `Queens.java:12`; empty when there is none


class Missing(Struct, frozen=True, kw_only=True):
    """A function that is asked for and not there; with `call` None, the class or module itself."""

    call: int | None = None  # its place among the calls, from 0
    found: tuple[str, ...] = ()  # the headings of those with its name; without such, of all others
    same_name: bool = False


class Calls(CaseFacts, frozen=True, kw_only=True):
    """The facts of the calls of a function case, as far as the process came."""

    is_recorded: bool = (
        True  # False when the program removed the file with the probe's record, or made it far too large
    )
    loaded: bool = False  # whether the class or module was loaded; of a module, at least the part before an exception
    load_error: Raised | None = None  # what ended the loading
    missing: Missing | None = None
    returned: tuple[PlainValue, ...] = ()  # the return values of the calls, in order
    raised: Raised | None = None  # the exception of the next call
    caught: Mapping[int, Raised] = field(default_factory=dict)
    """place among the calls -> its exception, where later calls were made nevertheless; `returned` has None there"""
    args: tuple[PlainValue, ...] | None = None
    """the main call's arguments after the last call that ended; None before it did"""
    fault: str | None = None  # what broke the probe; None when nothing did

    is_mute = property(lambda self: not (self.load_error or self.raised))
    size = property(lambda self: len(repr(self)))
    silent = property(lambda self: replace(self, returned=(None,) * len(self.returned), args=None))

    @property
    def lacking(self) -> str:
        """The place of the call with no such function, and whether a function has its name; empty when all exist."""
        return f"{self.missing.call} {self.missing.same_name}" if self.missing else ""

    @property
    def outcome(self) -> object:
        """The results of the calls; of an exception only its type, since its place differs between programs."""
        raised = [one.type if one else "" for one in (self.load_error, self.raised, *self.caught.values())]
        return self.is_recorded, self.loaded, raised, self.returned, self.args

    def raised_at(self, at: int) -> Raised | None:
        """Return the exception that a call ended with."""
        return self.caught.get(at) or (self.raised if at == len(self.returned) else None)


def functions_of(case: Case) -> FunctionCase | None:
    """Return the calls that a case consists of; None for a case of another kind."""
    return case.payload if isinstance(case.payload, FunctionCase) else None


def functions_in(case: Case) -> FunctionCase:
    """Return the calls of a case of this kind."""
    if not isinstance(case.payload, FunctionCase):
        raise TypeError(f"{case.id} calls no functions")
    return case.payload


def calls_of(execution: Execution) -> Calls | None:
    """Return what happened to the calls of an execution; None where it made none."""
    return execution.facts if isinstance(execution.facts, Calls) else None
