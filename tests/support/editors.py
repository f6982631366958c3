"""What an editor makes of a spec: YAML 1.2 as its core schema has it, held against the JSON Schema."""

import re
from collections.abc import Iterator
from typing import Any

import jsonschema
import yaml

from grader.core.reader.language import make_schema

VALIDATOR = jsonschema.Draft202012Validator(make_schema())


class _Core(yaml.CSafeLoader):
    """Nulls, booleans and numbers as YAML 1.2 reads them: `no`, `1:30` and `2024-01-31` are texts."""


_Core.yaml_implicit_resolvers = {}
_Core.add_implicit_resolver("tag:yaml.org,2002:null", re.compile(r"^(?:~|null|Null|NULL|)$"), ["~", "n", "N", ""])
_Core.add_implicit_resolver(
    "tag:yaml.org,2002:bool", re.compile("^(?:true|True|TRUE|false|False|FALSE)$"), list("tTfF")
)
_Core.add_implicit_resolver("tag:core,int", re.compile("^[-+]?[0-9]+$"), list("-+0123456789"))
_Core.add_implicit_resolver(
    "tag:core,float", re.compile(r"^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$"), list("-+.0123456789")
)
_Core.add_constructor("tag:core,int", lambda _, node: int(str(node.value)))
_Core.add_constructor("tag:core,float", lambda _, node: float(str(node.value)))


def read(text: str) -> Any:
    """Read YAML as an editor does; keys are texts. Raises YAMLError."""
    return _with_names(yaml.load(text, Loader=_Core))  # noqa: S506 - it is a SafeLoader


def _with_names(value: Any) -> Any:
    if isinstance(value, dict):
        return {_name(key): _with_names(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [_with_names(item) for item in value]
    return value


def _name(key: Any) -> str:
    return key if isinstance(key, str) else yaml.safe_dump(key).split("\n")[0]


def complaints(text: str) -> Iterator[str]:
    """Iterate over what an editor with the schema says: the path, and what is wrong there."""
    try:
        value = read(text)
    except yaml.YAMLError as error:
        yield str(error)
        return
    yield from (f"{error.json_path}: {error.message}" for error in VALIDATOR.iter_errors(value))
