"""Types of values: how one is read and written, its JSON Schema, and its words; and the parts of a schema for YAML.

Specs use the characters as written: where text is wanted, `08`, `no` and `null` are right. A schema must not reject a
right spec; `lint` finds the mistakes that it cannot.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence, Sized
from fractions import Fraction
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from grader.core.yaml.nodes import Listing, Node, Scalar, Table, entry
from grader.core.yaml.value import (
    Context,
    Key,
    Keys,
    Value,
    choice,
    each_of,
    entries,
    escaped,
    fields,
    in_quotes,
    items,
    parse_count,
    parsed,
    text,
    unwanted,
    wrong,
)
from grader.core.yaml.writing import listing, plain, quoted, table

JsonSchema = dict[str, Any]


def _read_otherwise(value: Any) -> Any:
    raise TypeError(f"{value.path} is not read by its type, but with the keys beside it")


def node_of(value: Any) -> Node:
    """Write plain data as a spec has it: null, a boolean, a number, a text, a list or a mapping of such; or a node."""
    match value:
        case Scalar() | Listing() | Table():
            return value
        case str():
            return quoted(escaped(value))
        case Mapping():
            return table({escaped(name): node_of(entry) for name, entry in value.items()})
        case tuple() | list():
            return listing(map(node_of, value))
    if isinstance(value, Fraction):
        value = value.numerator if value.denominator == 1 else float(value)
    return plain(json.dumps(value))


class Type(Struct, frozen=True):
    """What a value may be. A key names its type; `Context.types` has them by their names."""

    schema: JsonSchema = {}
    """empty for a mapping, whose schema is made of its `keys`"""
    words: str = ""
    """what it is, for the page, where its schema says that to a program only"""
    read: Callable[[Any], Any] = _read_otherwise
    """returns what a `Value` says; where it has noted a mistake, a harmless stand-in"""
    stand_in: Any = ""
    """what stands for a required key that is missing"""
    keys: Keys = {}
    """of a mapping with keys of its own"""
    write: Callable[[Any], Node] = node_of
    """the inverse of `read`"""


def key_of(kind: str, aliases: str = "", **more: Any) -> Callable[[str], Key]:
    """Return what makes a key that takes a kind of value of its description: `key_of("text", default="a")("…")`."""
    return lambda about: Key(about=about, kind=kind, aliases=aliases, **more)


def key(name: str, kind: str = "", about: str = "", **more: Any) -> Keys:
    """Return a key by its name, which is also its kind where no other is said."""
    return {name: Key(about=about, kind=kind or name, **more)}


KeyRow = Keys | str | tuple[Any, ...]
"""keys, or more of the last key before it: its description or its examples"""


def keys_of(*rows: KeyRow) -> Keys:
    """Return a table of keys."""
    found: dict[str, Key] = {}
    for row in rows:
        if isinstance(row, Mapping):
            found |= row
        else:
            name, last = found.popitem()
            found[name] = replace(last, **{"about" if isinstance(row, str) else "examples": row})
    return found


def ref(kind: str) -> JsonSchema:
    """Return a reference to a kind."""
    return {"$ref": f"#/$defs/{kind}"}


def one_word_of(about: Mapping[str, str]) -> JsonSchema:
    """Return a choice of words, each with its meaning, which editors show next to the word."""
    return {"enum": list(about), "markdownEnumDescriptions": list(about.values())}


def list_of(kind: str, least: int = 0) -> JsonSchema:
    """Return a list of a kind."""
    return {"type": "array", "items": ref(kind), **({"minItems": least} if least else {})}


def mapping_of(kind: str, names: str = "", least: int = 0) -> JsonSchema:
    """Return a mapping with free names that match a pattern, and values of a kind."""
    named = {"propertyNames": {"pattern": names}} if names else {}
    return {"type": "object", "additionalProperties": ref(kind), **named, **({"minProperties": least} if least else {})}


def any_text(**more: Any) -> JsonSchema:
    """Return a text, of which YAML may make something else where it has no quotes; with rules for what stays one."""
    return {"type": ["string", "number", "boolean", "null"], **more}


def strict_text(pattern: str) -> JsonSchema:
    """Return a text with a form that YAML takes for nothing else."""
    return {"type": "string", "pattern": pattern}


def any_of(*schemas: JsonSchema | str) -> JsonSchema:
    """Return what is one of several schemas or kinds."""
    return {"anyOf": [ref(one) if isinstance(one, str) else one for one in schemas]}


REFERENCE: JsonSchema = one_word_of({"reference": "What the reference does."})
INNER_PATH = r"^(?!/)(?!(.*/)?\.\.(/|$))(?!\.?(/\.?)*$)"
"""the pattern of a path that stays inside its folder"""


def single_or_list(values: Sequence[Any]) -> Node:
    """Write a list, or its only item alone."""
    return node_of(values[0] if len(values) == 1 else values)


def word(what: str, known: Mapping[str, str] | None = None, **meanings: str) -> Type:
    """Make the type of a word out of a few, each with its meaning; `what` they are is for messages."""
    about = known or {name.replace("_", "-"): meaning for name, meaning in meanings.items()}
    return Type(one_word_of(about), read=choice(tuple(about), what), write=plain)


def form(pattern: str, wanted: str, is_right: Callable[[str], bool] = str.isprintable) -> Type:
    """Make the type of a text with a certain form."""

    def read(value: Value) -> str:
        written = text(value)
        if not (re.fullmatch(pattern.strip("^$"), written) and is_right(written)):
            unwanted(value, wanted)
        return written

    return Type(any_text(pattern=pattern), wanted, read)


Found = Mapping[str, Value]
"""the keys of a mapping that are there"""
Said = dict[str, Any]
"""the fields of its record, as they were read"""


def record(known: Keys, make: Callable[..., Any], check: Callable[[Value, Found, Said], None] | None = None) -> Type:
    """Make the type of a mapping. `check` notes what is wrong among its keys, and completes what `make` gets."""

    def read(value: Value) -> Any:
        found = fields(value, known)
        said = read_found(found, known, value.context)
        if check:
            check(value, found, said)
        return make(**said)

    return Type(read=read, keys=known)


def read_as(kind: str) -> Callable[[Value], Any]:
    """Return the reader of a kind."""
    return lambda value: value.context.types[kind].read(value)


def either(alone: JsonSchema | str, short: Callable[[Value], Any], kind: str, **more: Any) -> Type:
    """Make the type of what is a mapping of that kind, or `alone`, in a form that `short` reads."""

    def read(value: Value) -> Any:
        return (read_as(kind) if isinstance(value.node, Table) else short)(value)

    return Type(**{"schema": any_of(alone, kind), "read": read, **more})


def each(kind: str, least: str = "") -> Callable[[Value], tuple[Any, ...]]:
    """Make a reader of a list of a kind; `least` is wanted of one that may not be empty."""
    return each_of(read_as(kind), least)


def many(kind: str) -> Type:
    """Make the type of a list of a kind."""
    return Type(list_of(kind), read=each(kind), stand_in=())


def once_each(kind: str, key: str, message: str, make: Callable[..., Any] = tuple) -> Type:
    """Make the type of a list of mappings; the message is for one whose `key` has the text (`{}`) of one before."""

    def read(value: Value) -> Any:
        named = [entries(item)[key][1] for item in items(value) if isinstance(entry(item.node, key), Scalar)]
        texts = [text(one) for one in named]
        for place, one in enumerate(named):
            if texts[place] and texts[place] in texts[:place]:
                wrong(one, message.format(in_quotes(texts[place])))
        return make(map(read_as(kind), items(value)))

    return Type(list_of(kind), read=read, stand_in=make())


def field_of(name: str, key: Key) -> str:
    """Return the field of a record that has the value of a key."""
    return key.into or name.replace("-", "_")


def read_given(found: Found, known: Keys, *names: str) -> Said:
    """Read those of the keys, of these names or all, that are there, as keyword arguments of their record."""
    keys = {name: known[name] for name in names or known if name in found}
    return {field_of(name, key): read_as(key.kind)(found[name]) for name, key in keys.items()}


def read_found(found: Found, known: Keys, context: Context) -> Said:
    """Read all keys of a table: what was `found` by its type, a missing one as its default has it.

    A key whose type has no reader is left to that of the keys beside it.
    """
    own = {name: key for name, key in known.items() if context.types[key.kind].read is not _read_otherwise}
    lacking = {field_of(name, key): context.types[key.kind].stand_in for name, key in own.items() if key.required}
    written = {name: key.default for name, key in own.items() if key.default is not None}
    defaults = {
        name: Value(node=plain(one if isinstance(one, str) else json.dumps(one)), path=name, context=context)
        for name, one in written.items()
    }
    return lacking | read_given({**defaults, **found}, own)


def count_to(most: int, wanted: str) -> Callable[[Value], int]:
    """Make a reader of a whole number from 1 to `most`."""
    return parsed(
        lambda written: count if (count := parse_count(written) or 0) in range(1, most + 1) else None, wanted, 1
    )


def each_value_of(kind: str) -> Callable[[Value], dict[str, Any]]:
    """Make a reader of a mapping with free names, whose values are of a kind."""
    return lambda value: {name: read_as(kind)(entry) for name, (_, entry) in entries(value).items()}


def refuse(found: Found, keys: Iterable[str], why: str) -> None:
    """Note those of the keys that are there; `why` has the key's name in place of `{}`."""
    for key in keys:
        if key in found:
            wrong(found[key], why.replace("{}", key))


def only_alternative(found: Found, known: Keys) -> str:
    """Return the one of the alternatives that is there; empty where it is not one, which `fields` has noted."""
    given = [name for name, key in known.items() if key.alternative and name in found]
    return given[0] if len(given) == 1 else ""


def write_fields(record: Any, known: Keys, types: Mapping[str, Type]) -> dict[str, Node]:
    """Write the fields of a record, or of a mapping of such, as its keys; without what a missing key stands for."""
    found: dict[str, Node] = {}
    for name, key in known.items():
        field = field_of(name, key)
        value = record.get(field) if isinstance(record, Mapping) else getattr(record, field, None)
        if not (value is None or value == key.default or (isinstance(value, Sized) and not value)):
            found[name] = types[key.kind].write(value)
    return found
