"""Types of values: how one is read and written, its JSON Schema, and its words; and the parts of a schema for YAML.

A schema must not reject a right spec, in which `08`, `no` and `null` are texts; `lint` finds what it cannot.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence, Sized
from contextlib import suppress
from fractions import Fraction
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from grader.core.lazy import lazy_regex
from grader.core.yaml import value as yaml
from grader.core.yaml.nodes import Listing, Node, Scalar, Table, json_text, listing, plain, table
from grader.core.yaml.value import Fields, Key, Keys, Value, each_of, entries, escaped, text, unwanted, wrong

JsonSchema = dict[str, Any]
Said = dict[str, Any]  # the fields of its record, as they were read
REFERENCE: JsonSchema = {"enum": ["reference"], "markdownEnumDescriptions": ["What the reference does."]}
_WORD = lazy_regex(r"[A-Za-z](?: ?[\w./-])*|\d+(?:\.\d+)?(?: ?%| ?(?:ms|s|min)| ?[KMG]?i?B)", re.ASCII)
# Words that mean something without quotes, here or to other readers of YAML.
_KEYWORD = lazy_regex("(?i)reference|any|success|failure|true|false|null|nan|infinity|yes|no|on|off|y|n")
INNER_PATH = r"^(?!/)(?!(.*/)?\.\.(/|$))(?!\.?(/\.?)*$)"  # of a path that stays inside its folder


class Rule(Struct, frozen=True):
    """What may be wrong at a key or a whole mapping, by what is read there, and the message for it."""

    check: Callable[[Said, Value], Any]  # whether that is so; without a message here, it returns or notes one itself
    message: str = ""


class Begin(Struct, frozen=True):
    """Starts a mapping in a table of rows: rules on the whole mapping follow, then its keys."""

    name: str
    make: Any = None  # makes its record from the values of its keys; None where its reader does
    of: Any = Struct  # the record whose fields have the defaults of its keys


def node_of(value: Any, *, filled: bool = True) -> Node:
    """Write data as a spec has it: null, a boolean, a number, a text or what is one, a list or mapping; or a node.

    A plain word has no quotes; and braces are escaped where variables would be `filled` in.
    """
    match value:
        case Scalar() | Listing() | Table():
            return value
        case str():
            value = escaped(value) if filled else value
            return Scalar(text=value, plain=bool(_WORD.fullmatch(value) and not _KEYWORD.fullmatch(value)))
        case _ if hasattr(value, "text"):
            return node_of(value.text, filled=filled)
        case Mapping():
            return table({escaped(name) if filled else name: node_of(it, filled=filled) for name, it in value.items()})
        case tuple() | list():
            return listing(node_of(item, filled=filled) for item in value)
        case Fraction():
            value = value.numerator if value.denominator == 1 else round(float(value), 6)
    return plain(json_text(value))


class Type(Struct, frozen=True):
    """What a value may be. A key names its type; `Context.types` has them by their names."""

    schema: JsonSchema = {}  # empty for a mapping, whose schema is made of its `keys`
    words: str = ""  # what it is, for the page, where its schema says that to a program only
    read: Any = None
    """returns what a `Value` says, or after a mistake a harmless stand-in; None where the reader of its mapping does"""
    keys: Keys = {}  # of a mapping with keys of its own
    rules: tuple[Rule, ...] = ()  # on that mapping as a whole
    write: Callable[[Any], Node] = node_of  # the inverse of `read`


def key(name: str, kind: str = "", about: str = "", into: str = "", **more: Any) -> Keys:
    """Return a key by its name, also its kind and field unless given; `unfit`: field -> why it cannot stand beside."""
    into, unfit = into or name.replace("-", "_"), more.pop("unfit", {})

    def rule(beside: str) -> Rule:
        return Rule(lambda said, _: said.get(into, True) and said.get(beside), unfit[beside])

    return {name: Key(about=about, kind=kind or name, into=into, **{"rules": (*map(rule, unfit),), **more})}


def tables_of(*rows: Any) -> tuple[Any, ...]:
    """Return rows of keys, of several mappings: each begins with its head."""
    return rows


def keys_of(*rows: Any) -> Keys:
    """Return a table of keys. A row that is no key completes the key above it: a description, examples or a rule."""
    keys: dict[str, Key] = {}
    for row in rows:
        if isinstance(row, Mapping):
            keys |= row
            continue
        name, last = keys.popitem()
        more = {"about": row} if isinstance(row, str) else {"examples": row}
        keys[name] = replace(last, **({"rules": (*last.rules, row)} if isinstance(row, Rule) else more))
    return keys


def record(known: Keys, make: Callable[..., Any], *rules: Rule) -> Type:
    """Make the type of a mapping."""

    def read(value: Value) -> Any:
        said = read_found(keys := yaml.fields(value, known))
        check_rules(keys, said, [(value, rule) for rule in rules if keys.are_known])
        return make(**said)

    return Type(read=read, keys=known, rules=rules)


def check_rules(keys: Fields, said: Said, rules: Sequence[tuple[Value, Rule]]) -> None:
    """Check rules at their places, by what was said under the keys."""
    missing = {key.into for name, key in keys.known.items() if key.required and name not in keys} if rules else ()
    given = {field: value for field, value in said.items() if field not in missing} if rules else {}
    for where, rule in rules:
        with suppress(KeyError, re.error):  # what asks for a key that is missing, or no pattern, is not decided
            if broken := rule.check(given, where):
                message = rule.message.replace("{}", yaml.in_quotes(getattr(where.node, "text", "")))
                message = message.replace("{key}", where.path.rpartition(".")[2]) or broken
                (unwanted if message.startswith("wanted ") else wrong)(where, message.removeprefix("wanted "))


def read_given(keys: Fields, *names: str) -> Said:
    """Read the keys that are present, of these names or all, as keyword arguments of their record."""
    return read_found(keys, [name for name in names or keys.known if name in keys])


def read_found(keys: Fields, names: Iterable[str] | None = None, before: Said | None = None) -> Said:
    """Read these keys, or all, each with what was said before it in its context; a missing key has its default."""
    said, context, names = Said(before or {}), keys.context, list(keys.known if names is None else names)
    for name in (it for it in names if it in keys or keys.known[it].required or keys.known[it].default is not None):
        key = keys.known[name]
        inside = replace(context, said={**context.said, **said})
        if (read := key.read or context.types[key.kind].read) and name in keys:
            said[key.into] = read(replace(keys[name], context=inside))
        elif read and key.into not in said:
            default = "" if key.default is None else key.default  # that a required key is missing is noted already
            node = plain(default if isinstance(default, str) else json_text(default))
            said[key.into] = read(Value(node=node, path=name, context=replace(inside, problems={})))
    check_rules(keys, said, [(keys[name], rule) for name in names if name in keys for rule in keys.known[name].rules])
    return said


def write_fields(record: Any, known: Keys, types: Mapping[str, Type]) -> dict[str, Node]:
    """Write a record, or a mapping of its fields or keys, in the table's order: unknown keys last, no defaults."""
    nodes, given = dict[str, Node](), record if isinstance(record, Mapping) else {}
    for name, key in known.items():
        value = given.get(key.into, given.get(name)) if record is given else getattr(record, key.into, None)
        if not (value is None or value == key.default or (isinstance(value, Sized) and not value)):
            nodes[name] = value if isinstance(value, Node) else types[key.kind].write(value)
    unknown = given.keys() - known.keys() - {key.into for key in known.values()}
    nodes |= {name: node_of(value) for name, value in given.items() if name in unknown and value is not None}
    return {name: node for name, node in nodes.items() if node is not None}


def refuse(fields: Fields, keys: Iterable[str], why: str) -> None:
    """Note a mistake at each of these keys that is present; `why` has the key's name in place of `{}`."""
    for key in fields.keys() & set(keys):
        wrong(fields[key], why.replace("{}", key))


def ref(kind: str) -> JsonSchema:
    """Return a reference to a kind."""
    return {"$ref": f"#/$defs/{kind}"}


def one_word_of(about: Mapping[str, str]) -> JsonSchema:
    """Return a choice of words, each with its meaning, which editors show next to the word."""
    return {"enum": list(about), "markdownEnumDescriptions": list(about.values())}


def list_of(
    kind: str, least: int = 0, wanted: str = "", once: str = "", *, by: str = "", make: Any = tuple, **more: Any
) -> Type:
    """Make the type of a list. An empty one gets the message `wanted`, two items equal (at `by`) the message `once`."""
    schema = {"type": "array", "items": ref(kind), **({"minItems": least} if least else {}), **more.pop("schema", {})}

    def read(value: Value) -> Any:
        read_items, known = each_of(read_as(kind), wanted), set[str]()
        for item in yaml.items(value) if once else ():
            entry = yaml.entries(item).get(by, (item, None))[1] if by else item
            if entry and isinstance(entry.node, Scalar) and (written := text(entry)):
                if written in known:
                    wrong(entry, once.format(yaml.in_quotes(written)))
                known.add(written)
        return make(read_items(value))

    return Type(schema, **{"read": read, **more})


def mapping_of(kind: str, names: str = "", least: int = 0, name: Callable[[Value], str] = text, **more: Any) -> Type:
    """Make the type of a mapping with values of a kind and free names, which match a pattern and `name` reads."""
    rules = {"propertyNames": {"pattern": names} if names else 0, "minProperties": least}
    schema = {"type": "object", "additionalProperties": ref(kind), **{rule: it for rule, it in rules.items() if it}}

    def read(value: Value) -> dict[str, Any]:
        return {name(key): read_as(kind)(entry) for key, entry in entries(value).values()}

    return Type(schema, **{"read": read, **more})


def any_text(**more: Any) -> JsonSchema:
    """Return a text, of which YAML may make something else where it has no quotes; with rules for what stays one."""
    return {"type": ["string", "number", "boolean", "null"], **more}


def any_of(*schemas: JsonSchema | Type | str) -> JsonSchema:
    """Return what is one of several schemas, types or kinds."""
    return {"anyOf": [ref(part) if isinstance(part, str) else getattr(part, "schema", part) for part in schemas]}


def read_as(kind: str) -> Callable[[Value], Any]:
    """Return the reader of a kind."""
    return lambda value: value.context.types[kind].read(value)


def word(what: str, on: str = "", known: Mapping[str, str] | None = None, **meanings: str) -> Type:
    """Make the type of a word out of a few, `what` in messages, each with its meaning; or of whether it is `on`."""
    about = known or {name.replace("_", "-"): meaning for name, meaning in meanings.items()}
    choose = yaml.choice(tuple(about), what)
    read = (lambda value: choose(value) == on) if on else choose
    return Type(one_word_of(about), read=read, write=lambda value: plain(on or value))


def form(pattern: str, wanted: str, words: str = "", make: Callable[[str], str] = str) -> Type:
    """Make the type of a printable text with a certain form."""

    def read(value: Value) -> str:
        if not (re.fullmatch(pattern, written := text(value)) and written.isprintable()):
            unwanted(value, wanted)
        return make(written)

    return Type(any_text(pattern=pattern), words or wanted, read)


def either(alone: JsonSchema | str, short: Callable[[Value], Any], kind: str, **more: Any) -> Type:
    """Make the type of what is a mapping of that kind, or `alone`, in a form that `short` reads."""
    schema = more.pop("schema", None) or any_of(alone, kind)
    return Type(schema, read=lambda value: (read_as(kind) if isinstance(value.node, Table) else short)(value), **more)
