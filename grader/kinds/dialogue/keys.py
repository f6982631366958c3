"""The keys of `dialogue`: what is sent to a program, and what it must answer."""

import re
from collections.abc import Mapping

from grader.core.lazy import lazy_call
from grader.core.model.spec import KEYS, Step
from grader.core.yaml.types import Begin, Rule, Type, any_of, any_text, either, key, list_of, node_of, tables_of
from grader.core.yaml.value import text

_READER = "grader.kinds.dialogue.language"
beside = {"stdin": "stdin has no meaning beside a dialogue: send it line by line"}
tables = tables_of(
    Begin("step"),
    key("expect", "awaited", alternative=True, aliases="output prompt wait"),
    "Wait for a text, or for what a pattern matches, on either stream.",
    key("send", "sent", alternative=True, aliases="input type write", examples=("halt.", {"key": "ctrl-d"})),
    "Send a line, or a single key.",
    key("reject", "text", examples=("-1",), alternative=True),
    "Send a line that the program has to refuse, and wait for what it was asked with before to come again.",
    key("eof", "yes", "Wait for the end of the program's output.", alternative=True, aliases="end"),
    key("within", "duration", aliases="timeout", examples=("2 s",)),
    "The longest wait of this step; without it, what is left of the case's time.",
    Begin("awaited-pattern", lambda text: Step(do="regex", text=text)),
    key("regex", "pattern", "A pattern, as Python's re.search reads it.", into="text", required=True),
    Rule(
        lambda said, _: re.search(said["text"], ""),
        "this matches an empty text, found everywhere: name what must be there",
    ),
    Begin("sent-key", lambda text: Step(do="key", text=text)),
    key("key", about="A key by its name, or a single character, sent without Enter.", into="text", required=True),
)
types: Mapping[str, Type] = {
    "dialogue": list_of("step", 1, read=lazy_call(_READER, "read_dialogue")),
    "awaited": either(
        any_text(minLength=1),
        lazy_call(_READER, "read_awaited"),
        "awaited-pattern",
        words="text, or a [pattern](#awaited-pattern)",
        write=lambda step: node_of({"regex": step.text} if step.do == "regex" else step.text),
    ),
    "sent": either(
        "text",
        lambda value: Step(do="send", text=text(value)),
        "sent-key",
        write=lambda step: node_of({"key": step.text} if step.do == "key" else step.text),
    ),
    "key": Type(
        any_of({"enum": list(KEYS)}, any_text(maxLength=1)),
        "a name such as `enter`, `tab`, `up` or `ctrl-d`, or a single character",
        lazy_call(_READER, "read_pressed_key"),
    ),
}
_ABOUT = "What is said to the program and what it must answer, step by step."
added = {"case": key("dialogue", about=_ABOUT, aliases="dialog conversation", after="repeat")}
