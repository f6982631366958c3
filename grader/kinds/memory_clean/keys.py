"""The keys of `memory-clean`: how a program must handle its memory."""

from collections.abc import Mapping

from grader.core.lazy import lazy_call
from grader.core.yaml.types import Begin, Type, any_of, key, keys_of, ref, tables_of
from grader.core.yaml.value import Keys

_READER = "grader.kinds.memory_clean.language"
_MEMORY_CLEAN: Keys = keys_of(
    key("memory-clean", default=False, examples=(True, {"limits": {"time": "5 min"}}), after="limits"),
    "Whether a second run, under a tool that watches every access, must find nothing wrong with how the program "
    "handles memory, and nothing that it never freed.",
)
types: Mapping[str, Type] = {
    "memory-clean": Type(any_of(ref("boolean"), ref("memory-rule")), read=lazy_call(_READER, "read_memory_rule"))
}
added = {"spec": _MEMORY_CLEAN, "case": _MEMORY_CLEAN}
tables = tables_of(
    Begin("memory-rule", dict),
    key("limits", about="What that run may use; what is not named is a multiple of the case's limits."),
)
