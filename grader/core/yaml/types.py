"""Types of values: how one is read and written, its JSON Schema, and its words; and the parts of a schema for YAML.

Specs use the characters as written: where text is wanted, `08`, `no` and `null` are right. A schema must not reject a
right spec; `lint` finds the mistakes that it cannot.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sized
from fractions import Fraction
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from grader.core.yaml import value as yaml
from grader.core.yaml.nodes import Listing, Node, Scalar, Table, entry
from grader.core.yaml.value import Context, Key, Keys, Value, entries, escaped, text, unwanted, wrong
from grader.core.yaml.writing import listing, plain, quoted, table

JsonSchema = dict[str, Any]
Found = Mapping[str, Value]
"""the keys of a mapping that are there"""
Said = dict[str, Any]
"""the fields of its record, as they were read"""
KeysCheck = Callable[[Value, Found, Said], None]
"""notes what is wrong among the keys of a mapping, and completes what makes its record"""
KeyRow = Keys | str | tuple[Any, ...]
"""keys, or more of the last key before it: its description or its examples"""


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
        case Fraction():
            value = value.numerator if value.denominator == 1 else float(value)
    return plain(json.dumps(value))


class Type(Struct, frozen=True):
    """What a value may be. A key names its type; `Context.types` has them by their names."""

    schema: JsonSchema = {}
    """empty for a mapping, whose schema is made of its `keys`"""
    words: str = ""
    """what it is, for the page, where its schema says that to a program only"""
    read: Any = None
    """returns what a `Value` says, or after a mistake a harmless stand-in; None where the reader of its mapping does"""
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


def record(known: Keys, make: Callable[..., Any], check: KeysCheck = lambda *_: None) -> Type:
    """Make the type of a mapping."""

    def read(value: Value) -> Any:
        found = yaml.fields(value, known)
        said = read_found(found, known, value.context)
        check(value, found, said)
        return make(**said)

    return Type(read=read, keys=known)


def _field(name: str, key: Key) -> str:
    """Return the field of a record that has the value of a key."""
    return key.into or name.replace("-", "_")


def read_given(found: Found, known: Keys, *names: str) -> Said:
    """Read those of the keys, of these names or all, that are there, as keyword arguments of their record."""
    return {
        _field(name, known[name]): read_as(known[name].kind)(found[name]) for name in names or known if name in found
    }


def read_found(found: Found, known: Keys, context: Context) -> Said:
    """Read all keys of a table: what was `found` by its type, a missing one as its default has it.

    A key whose type has no reader is left to that of the keys beside it.
    """
    own = {name: key for name, key in known.items() if context.types[key.kind].read}
    lacking = {_field(name, key): context.types[key.kind].stand_in for name, key in own.items() if key.required}
    defaults = {
        name: Value(node=plain(one if isinstance(one, str) else json.dumps(one)), path=name, context=context)
        for name, one in ((name, key.default) for name, key in own.items())
        if one is not None
    }
    return lacking | read_given({**defaults, **found}, own)


def write_fields(record: Any, known: Keys, types: Mapping[str, Type]) -> dict[str, Node]:
    """Write the fields of a record, or of a mapping of such, as its keys; without what a missing key stands for."""
    found: dict[str, Node] = {}
    for name, key in known.items():
        field = _field(name, key)
        value = record.get(field) if isinstance(record, Mapping) else getattr(record, field, None)
        if not (value is None or value == key.default or (isinstance(value, Sized) and not value)):
            node = value if isinstance(value, Node) else types[key.kind].write(value)
            found |= {} if node == table({}) else {name: node}
    return found


def refuse(found: Found, keys: Iterable[str], why: str) -> None:
    """Note those of the keys that are there; `why` has the key's name in place of `{}`."""
    for key in found.keys() & set(keys):
        wrong(found[key], why.replace("{}", key))


def only_alternative(found: Found, known: Keys) -> str:
    """Return the one of the alternatives that is there; empty where it is not one, which `fields` has noted."""
    given = [name for name, key in known.items() if key.alternative and name in found]
    return given[0] if len(given) == 1 else ""


REFERENCE: JsonSchema = {"enum": ["reference"], "markdownEnumDescriptions": ["What the reference does."]}
INNER_PATH = r"^(?!/)(?!(.*/)?\.\.(/|$))(?!\.?(/\.?)*$)"
"""the pattern of a path that stays inside its folder"""


def ref(kind: str) -> JsonSchema:
    """Return a reference to a kind."""
    return {"$ref": f"#/$defs/{kind}"}


def one_word_of(about: Mapping[str, str]) -> JsonSchema:
    """Return a choice of words, each with its meaning, which editors show next to the word."""
    return {"enum": list(about), "markdownEnumDescriptions": list(about.values())}


def list_of(kind: str, least: int = 0, wanted: str = "", **more: Any) -> Type:
    """Make the type of a list of a kind; `wanted` is for one that may not be empty."""
    schema = {"type": "array", "items": ref(kind), **({"minItems": least} if least else {}), **more.pop("schema", {})}
    return Type(schema, **{"read": yaml.each_of(read_as(kind), wanted), "stand_in": (), **more})


def mapping_of(kind: str, names: str = "", least: int = 0, name: Callable[[Value], str] = text, **more: Any) -> Type:
    """Make the type of a mapping with values of a kind, and free names that match a pattern and that `name` reads."""
    schema: JsonSchema = {"type": "object", "additionalProperties": ref(kind)}
    schema |= {"propertyNames": {"pattern": names}} if names else {}
    schema |= {"minProperties": least} if least else {}

    def read(value: Value) -> dict[str, Any]:
        return {name(key): read_as(kind)(entry) for key, entry in entries(value).values()}

    return Type(schema, **{"read": read, **more})


def any_text(**more: Any) -> JsonSchema:
    """Return a text, of which YAML may make something else where it has no quotes; with rules for what stays one."""
    return {"type": ["string", "number", "boolean", "null"], **more}


def strict_text(pattern: str) -> JsonSchema:
    """Return a text with a form that YAML takes for nothing else."""
    return {"type": "string", "pattern": pattern}


def any_of(*schemas: JsonSchema | Type | str) -> JsonSchema:
    """Return what is one of several schemas, types or kinds."""
    return {"anyOf": [ref(one) if isinstance(one, str) else getattr(one, "schema", one) for one in schemas]}


def read_as(kind: str) -> Callable[[Value], Any]:
    """Return the reader of a kind."""
    return lambda value: value.context.types[kind].read(value)


def count_to(most: int, wanted: str) -> Callable[[Value], int]:
    """Make a reader of a whole number from 1 to `most`."""
    return yaml.parsed(
        lambda word: count if (count := yaml.parse_count(word) or 0) in range(1, most + 1) else None, wanted, 1
    )


def word(what: str, known: Mapping[str, str] | None = None, on: str = "", **meanings: str) -> Type:
    """Make the type of a word out of a few, each with its meaning; `what` they are is for messages.

    With `on` it is whether it is that word.
    """
    about = known or {name.replace("_", "-"): meaning for name, meaning in meanings.items()}
    read = yaml.choice(tuple(about), what)
    if on:
        return Type(one_word_of(about), read=lambda value: read(value) == on, write=lambda _: plain(on))
    return Type(one_word_of(about), read=read, write=plain)


def form(pattern: str, wanted: str) -> Type:
    """Make the type of a printable text with a certain form."""

    def read(value: Value) -> str:
        if not (re.fullmatch(pattern, written := text(value)) and written.isprintable()):
            unwanted(value, wanted)
        return written

    return Type(any_text(pattern=pattern), wanted, read)


def either(alone: JsonSchema | str, short: Callable[[Value], Any], kind: str, **more: Any) -> Type:
    """Make the type of what is a mapping of that kind, or `alone`, in a form that `short` reads."""
    schema = more.pop("schema", None) or any_of(alone, kind)
    return Type(schema, read=lambda value: (read_as(kind) if isinstance(value.node, Table) else short)(value), **more)


def once_each(kind: str, key: str, message: str, make: Callable[..., Any] = tuple) -> Type:
    """Make the type of a list of mappings; the message is for one whose `key` has the text (`{}`) of one before."""

    def read(value: Value) -> Any:
        named = [entries(item)[key][1] for item in yaml.items(value) if isinstance(entry(item.node, key), Scalar)]
        texts = [text(one) for one in named]
        for place, one in enumerate(named):
            if texts[place] and texts[place] in texts[:place]:
                wrong(one, message.format(yaml.in_quotes(texts[place])))
        return make(map(read_as(kind), yaml.items(value)))

    return list_of(kind, read=read, stand_in=make())
