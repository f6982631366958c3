"""What is needed and started for its cases."""

from collections.abc import Mapping

from grader.core.model.spec import Test
from grader.core.model.submission import Artifact
from grader.kinds.functions.call_text import command_text
from grader.kinds.functions.launch import command, complete_launch, launch_reference, prepare, read_record
from grader.kinds.functions.native import prepare_build, prepare_reference

__all__ = [
    "command",
    "command_text",
    "complete_launch",
    "launch_reference",
    "prepare",
    "prepare_build",
    "prepare_reference",
    "read_record",
]


def prepare_test(_test: Test, artifact: Artifact, _course: object) -> Mapping[str, bytes]:
    """Return the files that were made of the build."""
    return artifact.made
