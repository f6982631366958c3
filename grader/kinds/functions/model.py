"""Calls of functions, as a spec asks for them, and what happened to them."""

from collections.abc import Mapping

from msgspec import Struct, field

from grader.core.model import Case, CaseFacts, Draw, Execution, Expected, Payload, PlainValue, Wildcard


class Parameter(Struct, frozen=True, kw_only=True):
    """A parameter of a function: its type, such as `int[][]` (empty in Python), and its name."""

    type: str
    name: str
    optional: bool = False
    """whether it has a default, so that a call may leave it out"""


class Signature(Struct, frozen=True, kw_only=True):
    """The heading of a function that an assignment prescribes."""

    text: str
    """as it was written, on one line"""
    name: str
    parameters: tuple[Parameter, ...] = ()
    returns: str = ""
    """the type, empty in Python"""
    static: bool = False
    """whether it has to be static; else it may be"""
    aliases: tuple[str, ...] = ()
    """other names that the function may have"""

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
    sets: bool = False
    """whether a field of that name is set, or in Python a variable of the module, and nothing is called"""
    makes: bool = False
    """whether an object of the class of that name is made"""


class ExpectedValue(Struct, frozen=True, kw_only=True):
    """A value that is expected: `want`, the one that the reference comes to, or any that a comparator takes."""

    want: PlainValue = None
    reference: bool = False
    text: Expected | None = None
    """how it is compared, written as a text, where it need not be equal to one"""
    either: tuple["ExpectedValue", ...] = ()
    """any of these is right"""
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
    def leaves(self) -> tuple["ExpectedValue", ...]:
        """All that something is held against in the end: this one, or those of which it is made."""
        parts = (*self.either, *self.cells.values())
        return tuple(leaf for part in parts for leaf in part.leaves) if parts else (self,)

    @property
    def texts(self) -> tuple[Expected, ...]:
        """What is held against the value, or a cell of it, written out."""
        return tuple(leaf.text for leaf in self.leaves if leaf.text is not None)

    @property
    def asks_reference(self) -> bool:
        """Whether the reference has to run to know what is expected."""
        return any(leaf.reference for leaf in self.leaves)


class Outcome(Struct, frozen=True, kw_only=True):
    """What one of several calls has to come to; of the main call, `FunctionCase` has it in fields of its own."""

    returns: ExpectedValue | None = None
    raises: str = ""
    message: Expected | None = None
    """what the exception says; None when that is not checked"""

    @property
    def expected(self) -> Mapping[str, ExpectedValue]:
        """The key under `expect` -> the value expected there; the message of an exception as if it were one."""
        told = self.message and ExpectedValue(text=self.message, reference=self.message.asks_reference)
        found = {"returns": self.returns, "raises.message": told}
        return {key: value for key, value in found.items() if value}

    @property
    def asks_reference(self) -> bool:
        """Whether the reference has to run to know what is expected."""
        return self.raises == "reference" or any(value.asks_reference for value in self.expected.values())


class FunctionCase(Payload, frozen=True, kw_only=True):
    """Calls in a fresh process instead of a command. What `call` prints is held against the case's `stdout`."""

    within: tuple[str, ...]
    """the Java class or the Python module, by the names that it may have: the first one that is there counts"""
    call: FunctionCall
    draw: Draw | None = None
    """where the arguments of `call` come from, until they are drawn"""
    before: tuple[FunctionCall, ...] = ()
    then: tuple[FunctionCall, ...] = ()
    any_case: bool = False
    """whether names match in any letter case"""
    any_access: bool = False
    """whether functions count that only their own class may call"""
    returns: ExpectedValue | None = None
    """what `call` has to return; None when that is not checked"""
    args: Mapping[int, ExpectedValue] = field(default_factory=dict)
    """position -> what that argument of `call` has to be after the last of the calls"""
    raises: str = ""
    """the exception that `call` has to end with, by its name; `any`; `reference`: one exactly if the reference does"""
    message: Expected | None = None
    """what that exception says; None when that is not checked"""
    steps: Mapping[int, Outcome] | None = None
    """place among the calls -> what it has to come to, where several are looked at; `call` is the last of them then

    The calls after one that ends with an exception are made nevertheless; None where only `call` is looked at.
    """

    @property
    def calls(self) -> tuple[FunctionCall, ...]:
        """All calls, in the order in which they are made."""
        return (*self.before, self.call, *self.then)

    @property
    def expected(self) -> Mapping[str, ExpectedValue]:
        """The key under `expect` -> the value expected there: `returns`, `args.0`."""
        own = Outcome(returns=self.returns, message=self.message).expected
        steps = {
            f"steps.{at}.{key}": one for at, step in (self.steps or {}).items() for key, one in step.expected.items()
        }
        return {**own, **{f"args.{position}": value for position, value in self.args.items()}, **steps}

    @property
    def outcomes(self) -> Mapping[int, Outcome]:
        """Place among the calls -> what it has to come to, for all that are looked at, in their order."""
        own = Outcome(returns=self.returns, raises=self.raises, message=self.message)
        return {**(self.steps or {}), len(self.before): own}

    @property
    def is_drawn(self) -> bool:
        """Whether the arguments of the call are generated."""
        return self.draw is not None

    @property
    def texts(self) -> tuple[tuple[str, Expected], ...]:
        """How each value is compared that is compared as a text, with its key."""
        return tuple((key, leaf) for key, value in self.expected.items() for one in value.texts for leaf in one.leaves)

    @property
    def asks_reference(self) -> bool:
        """Whether the reference has to run to know what is expected."""
        left = any(value.asks_reference for value in self.args.values())
        return left or any(one.asks_reference for one in self.outcomes.values())


class Raised(Struct, frozen=True, kw_only=True):
    """An exception that a function, or the loading of its module, ended with."""

    type: str
    """its full name"""
    kinds: tuple[str, ...] = ()
    """the full names of its type and of those that this derives from"""
    message: str = ""
    place: str = ""
    """the innermost line of the student's own, as `Queens.java:12`; empty when there is none"""


class Missing(Struct, frozen=True, kw_only=True):
    """A function that is asked for and not there; with `call` None, the class or module itself."""

    call: int | None = None
    """its place among the calls, from 0"""
    found: tuple[str, ...] = ()
    """the headings of those with its name; without such, of all others"""
    same_name: bool = False


class Calls(CaseFacts, frozen=True, kw_only=True):
    """What happened to the calls of a function case, as far as it went."""

    told: bool = True
    """False when the program removed the file in which this is told, or made it far too large"""
    loaded: bool = False
    """whether class or module were loaded, of a Python module as much as an exception left"""
    load_error: Raised | None = None
    """what ended the loading"""
    missing: Missing | None = None
    returned: tuple[PlainValue, ...] = ()
    """of each call that returned, in order, what it returned"""
    raised: Raised | None = None
    """what the call after those ended with"""
    caught: Mapping[int, Raised] = field(default_factory=dict)
    """place among the calls -> what it ended with, where others were made after it; it stands as None in `returned`"""
    args: tuple[PlainValue, ...] | None = None
    """the main call's arguments after the last call that ended; None before it did"""
    fault: str | None = None
    """what broke the probe; None when nothing did"""

    @property
    def lacking(self) -> str:
        """The place of the call whose function is not there, and whether one of its name is; empty when all are."""
        return f"{self.missing.call} {self.missing.same_name}" if self.missing else ""

    @property
    def is_mute(self) -> bool:
        """Whether neither the loading nor a call ended with an exception."""
        return not (self.load_error or self.raised)

    @property
    def outcome(self) -> object:
        """What the calls came to; of an exception its type alone, since its place is another in every program."""
        raised = [one.type if one else "" for one in (self.load_error, self.raised, *self.caught.values())]
        return self.told, self.loaded, raised, self.returned, self.args

    @property
    def size(self) -> int:
        """Bytes of all that the calls came to, written out."""
        return len(repr(self))


def functions_of(case: Case) -> FunctionCase | None:
    """Return the calls that a case consists of; None for a case of another kind."""
    return case.payload if isinstance(case.payload, FunctionCase) else None


def calls_of(execution: Execution) -> Calls | None:
    """Return what happened to the calls of an execution; None where it made none."""
    return execution.facts if isinstance(execution.facts, Calls) else None
