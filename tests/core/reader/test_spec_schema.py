"""The JSON Schema of the language: it is what `load` reads by, and it never calls a right spec wrong."""

import ast
import contextlib
import inspect
import json
import os
import re
from collections.abc import Iterator
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from msgspec import Struct

from grader.core.errors import SpecError
from grader.core.reader import language
from grader.core.reader.language import CASE, FILE, TABLES, TYPES, make_schema, schema_text
from grader.core.reader.spec import load
from grader.core.yaml.types import Type
from tests.support.courses import SPEC
from tests.support.editors import complaints, read
from tests.support.examples import examples
from tests.support.rows import read_data

FULL = read_data(__file__)["FULL"]
SPECS = sorted((Path(__file__).parents[3] / "specs").glob("*.yaml"))
SCHEMA = make_schema()


def inside(value: Any) -> Iterator[Any]:
    """A value and all that is in it."""
    yield value
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from inside(item)


def test_it_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_the_shipped_file_is_what_is_generated() -> None:
    if os.environ.get("GRADER_GOLDEN") == "write":
        FILE.write_text(schema_text(), encoding="utf-8")
    assert FILE.read_text(encoding="utf-8") == schema_text(), "run `make golden`"


@pytest.mark.parametrize("name", TABLES)
def test_every_key_is_described_and_of_a_known_kind(name: str) -> None:
    for key, told in TABLES[name].items():
        assert re.fullmatch(r"[A-Z{].*[.]", told.about), key
        assert told.kind in SCHEMA["$defs"], key


def test_every_kind_is_used_and_there() -> None:
    used = {part["$ref"].rpartition("/")[2] for part in inside(SCHEMA) if isinstance(part, dict) and "$ref" in part}
    assert used == set(SCHEMA["$defs"])


def test_every_key_of_a_case_has_a_reader() -> None:
    read = {name for name, key in CASE.items() if TYPES.get(key.kind, Type()).read is not Type().read}
    assert read == set(CASE)
    every = ("expectation-of-streams", "step", "functions", "call", "further-call", "field", "result", "step-result")
    assert [key for table in every for key in TABLES[table].values() if not (key.read or TYPES[key.kind].read)] == []


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_the_specs_are_right(path: Path) -> None:
    assert list(complaints(path.read_text())) == []


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("course")
    (folder / "input.txt").write_text("8\n")
    (folder / "checks.py").write_text("")
    return folder


@pytest.mark.parametrize("text", [SPEC, FULL])
def test_all_that_the_language_has_is_right(text: str, root: Path) -> None:
    (root / "full.yaml").write_text(text)
    assert load(root / "full.yaml").tests
    assert list(complaints(text)) == []


ODD: list[Any] = [
    *(
        "reference",
        "any",
        "success",
        "text",
        "a.py:b",
        "1..4",
        "10 s",
        "5 MB",
        "40%",
        "ctrl-c",
        "hidden",
        "",
        "{n}",
        "/",
    ),
    *(0, 1, -1, 2.5, 300, True, False, None, [], {}, [1, "a"], [[1]], ["a", ""], {"file": "input.txt"}, {"regex": "a"}),
    *({"zeros": [2]}, {"argument": 0}, {"lines": ["a"]}, {"text": "a", "lines": ["a"]}, {"key": "tab"}, {"a": "b"}),
]


def written(value: Any) -> str:
    """YAML that reads as the value, texts without quotes wherever that is possible: only such are keywords."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)}: {written(entry)}" for key, entry in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(written, value)) + "]"
    is_plain = isinstance(value, str) and re.fullmatch(r"[A-Za-z0-9.][A-Za-z0-9 ._%-]*[A-Za-z0-9%]", value)
    return value if is_plain and read(value) == value else json.dumps(value)


def with_a_change(value: Any, data: st.DataObject) -> Any:
    """The value with one of the things in it exchanged for something odd."""
    if not isinstance(value, dict | list) or not value or data.draw(st.integers(0, 5)) == 0:
        return data.draw(st.sampled_from(ODD))
    key = data.draw(st.sampled_from(sorted(value) if isinstance(value, dict) else range(len(value))))
    changed = dict(value) if isinstance(value, dict) else list(value)
    changed[key] = with_a_change(value[key], data)
    return changed


@settings(max_examples=examples(50), suppress_health_check=[HealthCheck.filter_too_much])
@given(data=st.data())
def test_whatever_is_changed_what_load_takes_is_right(data: st.DataObject, root: Path) -> None:
    text = written(with_a_change(read(FULL), data))
    (root / "changed.yaml").write_text(text)
    taken = False
    with contextlib.suppress(SpecError):
        taken = bool(load(root / "changed.yaml"))
    assume(taken)
    assert list(complaints(text)) == [], text


MODULES = [language, *(import_module(f"{one.room}.keys") for one in language.KEYS_OF_KINDS if one.tables and one.name)]
ONLY_HERE = {"run", "repeat", "patience", "points", "memory-clean", "count", "type", "at-least", "suppress"}
"""keys with a default that no record of theirs has: of a part of a case, of a word, of what has to be said"""


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_no_key_and_no_default_is_said_twice(module: Any) -> None:
    calls = [one for one in ast.walk(ast.parse(inspect.getsource(module))) if isinstance(one, ast.Call)]
    tables = [call for call in calls if ast.unparse(call.func) in ("_define", "tables_of", "keys_of")]
    assert tables
    for table in tables:
        names, defaults = set[str](), dict[str, Any]()
        for row in (one for one in table.args if isinstance(one, ast.Call)):
            said = {word.arg: word.value for word in row.keywords}
            if ast.unparse(row.func) == "Begin":
                record = ast.unparse(said["of"] if "of" in said else [*row.args, *[ast.Name("Struct")] * 3][2])
                made = eval(record, {"Struct": Struct, **vars(module)})  # noqa: S307 - of our own source
                last = made.__struct_defaults__
                names, defaults = set(), dict(zip(made.__struct_fields__[::-1], last[::-1], strict=False))
            elif ast.unparse(row.func) == "key":
                name = ast.literal_eval(row.args[0])
                assert name not in names
                names.add(name)
                field = ast.literal_eval(said["into"]) if "into" in said else name.replace("-", "_")
                if "default" in said:
                    assert name in {*ONLY_HERE, "grace"}
                    assert not isinstance(defaults.get(field), int | str | Fraction) or defaults[field] == "", name
