"""The keys of `memory-clean`: how a program must handle its memory."""

from collections.abc import Mapping

from grader.core.kind import AddedKey
from grader.core.lazy import lazy_call
from grader.core.yaml.types import Type, any_of, key, key_of, keys_of, ref
from grader.core.yaml.value import Keys

_READER = "grader.kinds.memory_clean.language"
_MEMORY_CLEAN = key_of("memory-clean", default=False, examples=(True, {"limits": {"time": "5 min"}}))(
    "Whether a second run, under a tool that watches every access, must find nothing wrong with how the program "
    "handles memory, and nothing that it never freed."
)
MEMORY_RULE: Keys = keys_of(
    key("limits", about="What that run may use; what is not named is a multiple of the case's limits."),
)
types: Mapping[str, Type] = {
    "memory-clean": Type(any_of(ref("boolean"), ref("memory-rule")), read=lazy_call(_READER, "read_memory_rule"))
}
added = tuple(AddedKey(table, "memory-clean", _MEMORY_CLEAN, after="limits") for table in ("spec", "case"))
tables = {"memory-rule": MEMORY_RULE}
