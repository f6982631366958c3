"""Calls the functions of a module, by the protocol of docs/reference/probes.md. It is handed over behind `base.py`."""

import inspect
import math
import operator
import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from grader.kinds.harness.probes.base import *

_MAX_VALUES, _MAX_CHARACTERS, _MAX_ESCAPE_LENGTH, _MAX_BITS, _MAX_DEPTH = 100_000, 1_000_000, 12, 10_000, 30
_MAX_SHOWN, _MAX_MESSAGE_LENGTH = 200, 1000


def answer_calls() -> None:
    """Do what the request asks for, and end the process whatever still runs in it."""
    request, record, mark = read_request()
    mark()
    end = os._exit
    try:
        _Caller(request, record, mark).run()
    except BaseException as fault:  # noqa: BLE001 - the student's, who put something in the place of what we use
        record({"event": "fault", "message": "".join(traceback.format_exception_only(fault)).strip()})
    finally:
        flush()
        end(0)


def _load(path: str) -> tuple[types.ModuleType, object]:
    """Run the module as far as it goes: what it defines before an exception is there, as in a session."""
    sys.argv = [path]
    package = os.path.dirname(path).replace("/", ".")
    name = os.path.splitext(os.path.basename(path))[0]
    if package:
        name = f"{package}.{name}"
        sys.path.insert(0, os.path.abspath(""))
        with suppress(BaseException):  # is raised again where the module imports from its package
            importlib.import_module(package)
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    if package and name in sys.modules:  # since the package imports from it
        return sys.modules[name], None
    module = types.ModuleType(name)
    module.__file__, module.__package__ = path, package
    sys.modules[name] = module
    try:
        with open(path, "rb") as file:
            source = file.read()
        exec(compile(source, path, "exec"), module.__dict__)  # noqa: S102 - that is what it is for
    except BaseException as error:  # noqa: BLE001 - also `exit()`, which would end us
        return module, _raised(error)
    return module, None


class _Caller:
    """Finds the functions of a module, or the methods of an object that a call makes, and calls them."""

    module: types.ModuleType
    maker: Any = None
    instance: Any = None
    args_after: Any = None  # the arguments after the last call, where they cannot be changed in place
    args: list[Any] | None = None  # those of the main call, once they are made

    def __init__(self, request: Record, record: Recorder, mark: Callable[..., None]) -> None:
        self._request, self._calls, self._record, self._mark = request, request["calls"], record, mark
        self._form = _FORMS[request["match"]]

    def run(self) -> None:
        path = next(filter(os.path.isfile, self._request["in"]), None)
        if path is None:
            names = sorted(name for name in os.listdir() if name.endswith(".py"))[:_MAX_SHOWN]
            self._record({"event": "absent", "found": names})
            return
        self.module, error = _load(path)
        self._record({"event": "loaded", "error": error})
        functions = []
        for number, call in enumerate(self._calls):
            answer = self._find(call)
            if callable(answer):
                functions.append(answer)
                continue
            self._record({"event": "missing", "call": number, **answer})
            if call["makes"]:
                return  # its methods are not known
        if len(functions) == len(self._calls):
            all(self._call(number, function) for number, function in enumerate(functions))

    def _find(self, call: Record) -> Any:
        """Return what makes the call, or what there is instead of it."""
        named, own = vars(self.module), self.module.__name__
        if call["sets"]:
            return self._find_setter(named, call)
        if call["makes"]:
            kinds = {name: value for name, value in named.items() if isinstance(value, type) or _is_native(value)}
            self.maker = self._best(kinds, call, lambda value: getattr(value, "__module__", None) == own)
            return self._make if callable(self.maker) else self.maker
        if self.maker is not None and not _is_native(self.maker):
            return self._find_method(call)
        functions = {name: value for name, value in named.items() if callable(value) and not isinstance(value, type)}
        if self._request["access"] == "any":
            functions = {**_hidden_functions(self.module), **functions}
        best = self._best(functions, call, lambda value: getattr(value, "__module__", None) in {own, None})
        is_about_object = _is_native(best) and getattr(best, "__grader_place__", None) is not None
        return functools.partial(self._ask, best) if is_about_object else best

    def _make(self, *args: Any) -> Any:
        self.instance = self.maker(*args)
        return self.instance

    def _call_method(self, method: str, *args: Any) -> Any:
        member = getattr(self.instance, method)
        return member(*args) if args or callable(member) else member  # a property is what its getter returns

    def _ask(self, function: Callable[..., Any], *args: Any) -> Any:
        returned = function(self.instance, *args)
        self.args_after = getattr(function, "__grader_left__", None)
        return returned

    def _find_method(self, call: Record) -> Any:
        """Return what calls the method of the object there will be, or Python in its place; or what there is."""
        methods: dict[str, Any] = {}
        for owner in reversed([kind for kind in self.maker.__mro__ if kind is not object]):
            methods |= {name: _bind_method(value) for name, value in vars(owner).items() if _bind_method(value)}
        names = {id(method): name for name, method in methods.items()}
        best = self._best(methods, call, lambda value: not names[id(value)].startswith("_"))
        if callable(best):
            return functools.partial(self._call_method, names[id(best)])
        for wanted in call["names"]:
            function, count, enough = _OPERATIONS.get(wanted, (None, 0, ()))
            if function and count == len(call["args"]) and any(name in methods for name in enough):
                return functools.partial(self._ask, function)
        return best

    def _find_setter(self, named: Record, call: Record) -> Any:
        names = [name for name, value in named.items() if not name.startswith("__") and not callable(value)]
        if alike := self._alike(names, call):
            return functools.partial(setattr, self.module, alike[0])
        return (lambda _value: None) if call["optional"] else {"same_name": False, "found": names[:_MAX_SHOWN]}

    def _best(self, named: Record, call: Record, is_own: Callable[[Any], bool]) -> Any:
        """Return what has one of the names and takes the arguments, or what there is instead of it."""
        alike = self._alike(named, call)
        for name in alike:
            if _accepts(named[name], len(call["args"])):
                return named[name]
        shown = alike or [name for name, value in named.items() if is_own(value)]
        return {"same_name": bool(alike), "found": [_def_line(name, named[name]) for name in shown][:_MAX_SHOWN]}

    def _alike(self, names: Iterable[str], call: Record) -> list[str]:
        """Return those of the names that a call asks for, the exact ones first."""
        form = self._form
        return [
            name
            for wanted in call["names"]
            for name in sorted(names, key=lambda name: name != wanted)
            if form(name) == form(wanted)
        ]

    def _call(self, number: int, function: Callable[..., Any]) -> bool:
        """Make a call, and return whether the next one is made."""
        call, main = self._calls[number], self._request["main"]
        flush()
        self._mark()
        self.args_after = None
        try:
            own = self._of_main() if number == main else [self._argument(arg) for arg in call["args"]]
            returned = function(*own)
            own[:] = getattr(function, "__grader_left__", self.args_after or own)
        except BaseException as error:  # noqa: BLE001 - also `exit()`
            flush()
            goes_on = bool(self._request["goes_on"] and not call["makes"])
            self._record({"event": "raised", "error": _raised(error), "goes_on": goes_on})
            return goes_on
        flush()
        self._record({"event": "returned", "value": _to_reportable(returned)})
        if number >= main:
            is_asked, given = self._request["left"].__contains__, enumerate(self.args or [])
            # memory that may be freed is read only where that is asked for
            after = [None if _is_native(arg) and not is_asked(at) else _to_reportable(arg) for at, arg in given]
            self._record({"event": "args", "value": after})
        return True

    def _of_main(self) -> list[Any]:
        """Return the arguments of the main call, which others may be given too."""
        if self.args is None:
            self.args = [self._argument(arg) for arg in self._calls[self._request["main"]]["args"]]
        return self.args

    def _argument(self, value: Any) -> Any:
        """Make the value that the request describes."""
        if isinstance(value, list):
            return [self._argument(item) for item in value]
        if not isinstance(value, dict):
            return value
        ((kind, inner),) = value.items()
        if kind == "argument":
            return self._of_main()[inner]
        inner = [self._argument(item) for item in inner]
        return self.maker(*inner) if kind == "new" else {"map": dict, "set": set}[kind](inner)


def _is_native(value: Any) -> bool:
    """Whether a value is of a library: in C, functions make objects, or take them as an argument."""
    return type(value).__module__ == "grader"


_OPERATIONS: dict[str, tuple[Callable[..., Any], int, tuple[str, ...]]] = {
    "__str__": (str, 0, ("__repr__",)),
    **{
        f"__{name}__": (getattr(operator, name), 1, (f"__{mirrored}__",))
        for name, mirrored in (("ne", "eq"), ("lt", "gt"), ("gt", "lt"), ("le", "ge"), ("ge", "le"))
    },
    "__bool__": (bool, 0, ("__len__",)),
    "__contains__": (operator.contains, 1, ("__iter__", "__getitem__")),
    "__iter__": (iter, 0, ("__getitem__",)),
    "str": (str, 0, ("__str__", "__repr__")),
    "bool": (bool, 0, ("__bool__", "__len__")),
    "list": (list, 0, ("__iter__", "__getitem__")),
    **{kind.__name__: (kind, 0, (f"__{kind.__name__}__", "__index__")) for kind in (int, float)},
    **{function.__name__: (function, 0, (f"__{function.__name__}__",)) for function in (repr, len)},
}
"""a name -> Python's operation with so many further arguments, for an object with one of these methods"""


def _bind_method(value: Any) -> Any:
    """Return a method as called on the object, or the getter of a property; None for other values."""
    if isinstance(value, property | functools.cached_property):
        value = value.fget if isinstance(value, property) else value.func
    if isinstance(value, staticmethod | classmethod):
        function: Any = value.__func__
        return function if isinstance(value, staticmethod) else functools.partial(function, None)
    return functools.partial(value, None) if callable(value) and not isinstance(value, type) else None


def _hidden_functions(module: types.ModuleType) -> dict[str, Any]:
    """Return functions that are hidden in the module: with a leading underscore, or static in a class."""
    hidden: dict[str, Any] = {
        name.lstrip("_"): value for name, value in vars(module).items() if isinstance(value, types.FunctionType)
    }
    for owner in [value for value in vars(module).values() if isinstance(value, type)]:
        for name, value in vars(owner).items():
            if owner.__module__ == module.__name__ and isinstance(value, staticmethod):
                hidden.setdefault(name.removeprefix(f"_{owner.__name__}").lstrip("_"), value.__func__)
    return hidden


_FORMS: dict[str, Callable[[str], str]] = {
    "exact": str,
    "any-case": str.lower,
    "any-spelling": lambda name: name.replace("_", "").lower(),
}


def _accepts(function: Any, count: int) -> bool:
    try:
        inspect.signature(function).bind(*[None] * count)
    except BaseException as error:  # noqa: BLE001 - or its signature cannot be read; the call will show it
        return not issubclass(type(error), TypeError)
    return True


def _def_line(name: str, function: Any) -> str:
    word = "class" if isinstance(function, type) else "def"
    function = function.func if isinstance(function, functools.partial) else function  # a method, with what it is of
    heading = getattr(function, "__grader_heading__", "")  # of a library, which is in another language
    if heading and isinstance(heading, str):
        return heading
    stars = {"VAR_POSITIONAL": "*", "VAR_KEYWORD": "**"}
    listed = ["..."]
    with suppress(BaseException):  # its signature cannot be read
        listed = [
            f"{stars.get(arg.kind.name, '')}{arg.name}{'' if arg.default is arg.empty else '=...'}"
            for arg in inspect.signature(function).parameters.values()
        ]
    return f"{word} {name}({', '.join(listed)})"


def _raised(error: BaseException) -> dict[str, object]:
    owners = [kind for kind in type(error).__mro__ if kind is not object]
    kinds = [f"{kind.__module__}.{kind.__qualname__}".removeprefix("builtins.") for kind in owners]
    try:
        text = "" if error.args == (None,) else str(error)
        message = text[:_MAX_MESSAGE_LENGTH].encode(errors="backslashreplace").decode()
    except BaseException:  # noqa: BLE001 - the student's own
        message = ""
    return {"type": kinds[0], "kinds": kinds, "message": message, "place": _student_line(error)}


def _student_line(error: BaseException) -> str:
    """Find the innermost line in the working folder; in an endless recursion, the line that continues it."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{error.filename}:{error.lineno}"
    here, places = os.path.abspath(""), {"": 0}
    for frame, line in traceback.walk_tb(error.__traceback__):
        path, name = os.path.abspath(frame.f_code.co_filename), frame.f_code.co_filename
        if path.startswith(here + os.sep) and not name.startswith(("<", ".grader-")):
            place = f"{os.path.relpath(path, here)}:{line}"
            places[place] = places.pop(place, 0) + 1
    return max(places, key=places.__getitem__) if isinstance(error, RecursionError) else [*places][-1]


def _to_reportable(value: Any) -> object:
    try:
        is_pointer = _is_native(value) and hasattr(value, "__grader_read__")
        return _to_plain(value.__grader_read__() if is_pointer else value, [_MAX_VALUES, _MAX_CHARACTERS], 0)
    except BaseException as error:  # noqa: BLE001 - too much, or the student's own class
        return {"opaque": type(error if type(error).__name__ == "StructureError" else value).__name__}


def _take_room(room: list[int], characters: int) -> None:
    room[1] -= characters
    if room[1] < 0:
        raise ValueError


def _to_plain(value: Any, room: list[int], depth: int) -> object:
    """Convert a value to JSON; a value that is no plain data is recorded by the name of its type."""
    room[0] -= 1
    if room[0] < 0 or depth > _MAX_DEPTH:
        raise ValueError
    if type(value).__module__ == "numpy" and getattr(value, "ndim", None) == 0 and value.dtype.kind in "biuf":
        value = value.item()  # of a number or bool of numpy: what Python has for it
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        bits = int.bit_length(value)
        _take_room(room, bits // 3 if bits <= _MAX_BITS else _MAX_CHARACTERS + 1)
        return int(value)
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else {"float": float.__repr__(value)}
    if isinstance(value, str):
        _take_room(room, len(value) * (1 if str.isascii(value) else _MAX_ESCAPE_LENGTH))
        return str(value).encode(errors="backslashreplace").decode()
    contained = _to_container(value, room, depth)
    return contained if contained is not None else {"opaque": type(value).__name__, **_describe_object(value, room)}


def _to_container(value: Any, room: list[int], depth: int) -> object:
    """Do the same with what holds values; None for what is nothing of that."""
    if isinstance(value, list | tuple):
        _take_room(room, 0 if len(value) <= room[0] else _MAX_CHARACTERS + 1)
        return [_to_plain(item, room, depth + 1) for item in value]
    if isinstance(value, dict):
        return {"map": [_to_plain(list(pair), room, depth + 2) for pair in dict.items(value)]}
    if isinstance(value, set | frozenset):
        kind: Any = set if isinstance(value, set) else frozenset
        return {"set": [_to_plain(item, room, depth + 2) for item in kind.copy(value)]}
    if "__dataclass_fields__" in vars(type(value)):
        pairs = [[name, getattr(value, name)] for name in type(value).__dataclass_fields__]
        return {"map": [_to_plain(pair, room, depth + 2) for pair in pairs]}
    return None


def _describe_object(value: object, room: list[int]) -> dict[str, object]:
    """Return the text that an object's class defines for it, unless that shows an address in memory."""
    kind = type(value)
    with suppress(BaseException):  # the student's own
        text = str(value)
        says = kind.__str__ is not object.__str__ or kind.__repr__ is not object.__repr__
        is_shortened = kind.__module__ == "numpy" and "..." in text
        if says and not is_shortened and not re.search(" at 0x[0-9a-f]+>", text):
            return {"text": _to_plain(text, room, 0)}
    return {}
