"""Submission -> Artifact: a private copy with its layout put right, built in a sandbox."""

from grader.build.build import build
from grader.build.staging import check_path, stage
from grader.build.toolchains import TOOLCHAINS_FILE, start, toolchain
from grader.build.tools import Remember, check_tools, find_tool, version

__all__ = [
    "TOOLCHAINS_FILE",
    "Remember",
    "build",
    "check_path",
    "check_tools",
    "find_tool",
    "stage",
    "start",
    "toolchain",
    "version",
]
