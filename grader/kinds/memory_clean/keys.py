"""The keys of `memory-clean`: how a program must handle its memory."""

from collections.abc import Mapping

from grader.core.yaml.types import Type, any_of, ref
from grader.core.yaml.value import Key, Keys
from grader.kinds.base import AddedKey, KindKeys

_MEMORY_CLEAN = Key(
    about="Whether a second run, under a tool that watches every access, must find nothing wrong with how the program "
    "handles memory, and nothing that it never freed.",
    kind="memory-clean",
    default=False,
    examples=(True, {"limits": {"time": "5 min"}}),
)
MEMORY_RULE: Keys = {
    "limits": Key(
        about="What that run may use; what is not named is a multiple of the case's limits.",
        kind="limits",
    )
}
_TYPES: Mapping[str, Type] = {
    "memory-clean": Type(any_of(ref("boolean"), ref("memory-rule"))),
}


def keys() -> KindKeys:
    """Return what runs in which the memory is watched add to the language."""
    return KindKeys(
        added=(
            AddedKey(table="spec", name="memory-clean", after="limits", key=_MEMORY_CLEAN),
            AddedKey(table="case", name="memory-clean", after="limits", key=_MEMORY_CLEAN),
        ),
        tables={"memory-rule": MEMORY_RULE},
        types=_TYPES,
    )
