"""The keys of `dialogue`: what is sent to a program, and what it must answer."""

from collections.abc import Mapping

from grader.core.model.spec import KEYS
from grader.core.yaml.types import Type, any_of, any_text, list_of, ref
from grader.core.yaml.value import Key, Keys
from grader.kinds.base import AddedKey, KindKeys

STEP: Keys = {
    "expect": Key(
        about="Wait for a text, or for what a pattern matches, on either stream.", kind="awaited", alternative=True
    ),
    "send": Key(
        about="Send a line, or a single key.", kind="sent", examples=("halt.", {"key": "ctrl-d"}), alternative=True
    ),
    "reject": Key(
        about="Send a line that the program has to refuse, and wait for what it was asked with before to come again.",
        kind="text",
        examples=("-1",),
        alternative=True,
    ),
    "eof": Key(about="Wait for the end of the program's output.", kind="yes", alternative=True),
    "within": Key(
        about="The longest wait of this step; without it, what is left of the case's time.",
        kind="duration",
        examples=("2 s",),
    ),
}
AWAITED: Keys = {"regex": Key(about="A pattern, as Python's re.search reads it.", kind="pattern", required=True)}
SENT: Keys = {
    "key": Key(about="A key by its name, or a single character, sent without Enter.", kind="key", required=True)
}
_TYPES: Mapping[str, Type] = {
    "dialogue": Type(list_of("step", 1)),
    "awaited": Type(any_of(any_text(minLength=1), ref("awaited-pattern")), "text, or a [pattern](#awaited-pattern)"),
    "sent": Type(any_of(ref("text"), ref("sent-key"))),
    "key": Type(
        any_of({"enum": list(KEYS)}, any_text(maxLength=1)),
        "a name such as `enter`, `tab`, `up` or `ctrl-d`, or a single character",
    ),
}


def keys() -> KindKeys:
    """Return what dialogues add to the language."""
    return KindKeys(
        added=(
            AddedKey(
                table="case",
                name="dialogue",
                after="repeat",
                key=Key(about="What is said to the program and what it must answer, step by step.", kind="dialogue"),
            ),
        ),
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
