"""A value in a spec, as the JSON that it stands for.

Words without quotes are numbers, booleans and null where the core schema of YAML 1.2, and with it JSON, has them so. A
text with quotes is a text, unless it is a variable of the test and nothing else: then it is what the variable holds.
Numbers keep every digit that was written.
"""

import json
import re
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation

from grader.yaml.nodes import Listing, Scalar, Table
from grader.yaml.template import WORD
from grader.yaml.units import PATTERNS
from grader.yaml.value import Value, entries, items, text, wrong

_WORDS: Mapping[str, str] = {
    **dict.fromkeys(("null", "Null", "NULL", "~"), "null"),
    **dict.fromkeys(("true", "True", "TRUE"), "true"),
    **dict.fromkeys(("false", "False", "FALSE"), "false"),
}
_OTHER_BASE = re.compile(r"0x[0-9a-fA-F]{1,30}|0o[0-7]{1,30}")
_NO_NUMBER = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)|[-+]?Infinity|NaN")


def json_value(value: Value) -> str:
    """Return the JSON text of a value: of an object, a list, a text, a number, a boolean or null."""
    match value.node:
        case Listing():
            return f"[{', '.join(json_value(item) for item in items(value))}]"
        case Table():
            members = ((name, json_value(entry)) for name, (_, entry) in entries(value).items())
            return f"{{{', '.join(f'{json.dumps(name, ensure_ascii=False)}: {member}' for name, member in members)}}}"
        case Scalar(text=written, plain=plain):
            is_variable = value.context.variables is not None and re.fullmatch(rf"\{{{WORD}\}}", written)
            word = text(value)
            return _typed(value, word) if plain or is_variable else json.dumps(word, ensure_ascii=False)


def _typed(value: Value, word: str) -> str:
    if word in _WORDS:
        return _WORDS[word]
    if _OTHER_BASE.fullmatch(word):
        return str(int(word, 0))
    if _NO_NUMBER.fullmatch(word):
        wrong(value, "JSON has no such number; write it in quotes for the text")
    if not re.fullmatch(PATTERNS["number"], word):
        return json.dumps(word, ensure_ascii=False)
    try:
        return str(Decimal(word))
    except InvalidOperation:
        wrong(value, "this number is beyond all bounds")
        return "0"
