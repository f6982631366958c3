"""The keys of `dialogue`: what is sent to a program, and what it must answer."""

from collections.abc import Mapping

from grader.core.kind import AddedKey, KindKeys
from grader.core.lazy import lazy_call
from grader.core.model.spec import KEYS
from grader.core.yaml.types import Type, any_of, any_text, key_of, list_of, ref
from grader.core.yaml.value import Keys

_READER = "grader.kinds.dialogue.language"
beside = {"stdin": "stdin has no meaning beside a dialogue: send it line by line"}
STEP: Keys = {
    "expect": key_of("awaited", alternative=True)("Wait for a text, or for what a pattern matches, on either stream."),
    "send": key_of("sent", examples=("halt.", {"key": "ctrl-d"}), alternative=True)("Send a line, or a single key."),
    "reject": key_of("text", examples=("-1",), alternative=True)(
        "Send a line that the program has to refuse, and wait for what it was asked with before to come again."
    ),
    "eof": key_of("yes", alternative=True)("Wait for the end of the program's output."),
    "within": key_of("duration", examples=("2 s",))(
        "The longest wait of this step; without it, what is left of the case's time."
    ),
}
AWAITED: Keys = {"regex": key_of("pattern", required=True)("A pattern, as Python's re.search reads it.")}
SENT: Keys = {"key": key_of("key", required=True)("A key by its name, or a single character, sent without Enter.")}
_TYPES: Mapping[str, Type] = {
    "dialogue": Type(list_of("step", 1), read=lazy_call(_READER, "read_dialogue")),
    "awaited": Type(any_of(any_text(minLength=1), ref("awaited-pattern")), "text, or a [pattern](#awaited-pattern)"),
    "sent": Type(any_of(ref("text"), ref("sent-key"))),
    "key": Type(
        any_of({"enum": list(KEYS)}, any_text(maxLength=1)),
        "a name such as `enter`, `tab`, `up` or `ctrl-d`, or a single character",
    ),
}


def keys() -> KindKeys:
    """Return what dialogues add to the language."""
    added = key_of("dialogue")("What is said to the program and what it must answer, step by step.")
    return KindKeys(
        added=(AddedKey("case", "dialogue", added, after="repeat"),),
        tables={"step": STEP, "awaited-pattern": AWAITED, "sent-key": SENT},
        types=_TYPES,
        aliases=(
            ("input type write", "send", "send"),
            ("output prompt wait", "send", "expect"),
            ("end", "send", "eof"),
            ("timeout", "send", "within"),
            ("dialog conversation", "dialogue", "dialogue"),
        ),
    )
