"""Every key of the language has an effect: it is read into a field, or a reader names it."""

import ast
import inspect
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from msgspec import Struct

import grader
from grader.core.kind import KINDS
from grader.core.model import layout
from grader.core.model.limits import LIMITS
from grader.core.reader import generated, language
from grader.core.reader.language import TABLES
from grader.core.yaml.types import Begin, key
from grader.core.yaml.value import Keys

ROOT = Path(grader.__file__).parent
TABLES_IN = (language, generated, *(import_module(f"{one.room}.keys") for one in KINDS.values() if one.tables))
READERS = [
    *(path for path in (ROOT / "core/reader").glob("*.py") if not path.name.endswith("_keys.py")),
    *(ROOT / "core/comparators").glob("*.py"),
    *(ROOT / "kinds").rglob("language.py"),
    *(ROOT / "kinds").rglob("reader.py"),
    ROOT / "kinds/functions/values.py",
    *(ROOT / "kinds/source_rules").glob("*.py"),  # a rule is read by any name, and looked up where it is judged
]
IN_TABLES = ("_define", "keys_of", "tables_of", "key", "Key", "Begin", "Rule")
OF_ANY_NAME: Mapping[str, set[str]] = {
    "limits": {*LIMITS},
    "hints": {*language._HINTS},
    "combined-repairs": {"max_repairs", "repairs"},
}
"""mappings that are read into a mapping -> the names that are looked up in it"""


def fields_of(begin: Begin) -> set[str]:
    """Return the fields of the record of a mapping, and the arguments of what makes it."""
    records = [one for one in (begin.of, begin.make) if isinstance(one, type) and issubclass(one, Struct)]
    fields = {field for record in records for field in record.__struct_fields__}
    is_function = isinstance(begin.make, Callable) and not isinstance(begin.make, type)  # type: ignore[arg-type]
    arguments = inspect.signature(begin.make).parameters.values() if is_function else ()
    return fields | {one.name for one in arguments if one.kind is not one.VAR_KEYWORD}


def heads() -> Iterator[tuple[str, set[str]]]:
    for module in TABLES_IN:
        for node in ast.walk(ast.parse(inspect.getsource(module))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "Begin":
                begin = eval(ast.unparse(node), dict(vars(module)))  # noqa: S307 - of our own source
                yield begin.name, fields_of(begin)


def named(node: ast.AST) -> Iterator[str]:
    """Iterate over the texts in a source but for those of tables, and docstrings."""
    if isinstance(node, ast.Call) and ast.unparse(node.func) in IN_TABLES:
        return
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    for child in ast.iter_child_nodes(node):
        if not (isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)):
            yield from named(child)


def without_effect(tables: Mapping[str, Keys]) -> list[tuple[str, str]]:
    fields: dict[str, set[str]] = {}
    for name, own in heads():
        fields[name] = fields.get(name, set()) | own | OF_ANY_NAME.get(name, set())
    fields["test"] |= fields["case"]
    fields["scoring"] |= fields["score-group"]
    fields["build"] |= {*layout.Build.__struct_fields__}
    for name in ("repair", "adjustment"):
        fields[name] |= {*layout.Change.__struct_fields__}
    texts = {text for path in READERS for text in named(ast.parse(path.read_text()))}
    texts |= {kind.key for kind in KINDS.values()}
    return [
        (table, name)
        for table, keys in tables.items()
        for name, one in keys.items()
        if not {one.into, name} & (fields.get(table, set()) | texts)
    ]


def test_no_key_is_without_effect() -> None:
    assert without_effect(TABLES) == []


def test_a_key_that_nobody_reads_is_found() -> None:
    new: Any = key("colour", "text", "Of the page.")
    more = {name: {**keys, **new} for name, keys in TABLES.items()}
    assert without_effect(more) == [(name, "colour") for name in TABLES]
