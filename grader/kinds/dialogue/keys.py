"""The keys of `dialogue`: what is sent to a program, and what it must answer."""

from collections.abc import Mapping

from grader.core.lazy import lazy_call
from grader.core.model.spec import KEYS
from grader.core.yaml.types import Type, any_of, any_text, key, keys_of, list_of, ref
from grader.core.yaml.value import Keys

_READER = "grader.kinds.dialogue.language"
beside = {"stdin": "stdin has no meaning beside a dialogue: send it line by line"}
STEP: Keys = keys_of(
    key("expect", "awaited", alternative=True, aliases="output prompt wait"),
    "Wait for a text, or for what a pattern matches, on either stream.",
    key("send", "sent", alternative=True, aliases="input type write", examples=("halt.", {"key": "ctrl-d"})),
    "Send a line, or a single key.",
    key("reject", "text", examples=("-1",), alternative=True),
    "Send a line that the program has to refuse, and wait for what it was asked with before to come again.",
    key("eof", "yes", "Wait for the end of the program's output.", alternative=True, aliases="end"),
    key("within", "duration", aliases="timeout", examples=("2 s",)),
    "The longest wait of this step; without it, what is left of the case's time.",
)
AWAITED: Keys = keys_of(
    key("regex", "pattern", "A pattern, as Python's re.search reads it.", required=True),
)
SENT: Keys = keys_of(
    key("key", about="A key by its name, or a single character, sent without Enter.", required=True),
)
types: Mapping[str, Type] = {
    "dialogue": list_of("step", 1, read=lazy_call(_READER, "read_dialogue")),
    "awaited": Type(any_of(any_text(minLength=1), ref("awaited-pattern")), "text, or a [pattern](#awaited-pattern)"),
    "sent": Type(any_of(ref("text"), ref("sent-key"))),
    "key": Type(
        any_of({"enum": list(KEYS)}, any_text(maxLength=1)),
        "a name such as `enter`, `tab`, `up` or `ctrl-d`, or a single character",
    ),
}
_ABOUT = "What is said to the program and what it must answer, step by step."
added = {"case": key("dialogue", about=_ABOUT, aliases="dialog conversation", after="repeat")}
tables = {"step": STEP, "awaited-pattern": AWAITED, "sent-key": SENT}
