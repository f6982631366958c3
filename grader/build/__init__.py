"""Submission -> Artifact: a private copy with its layout put right, built in a sandbox."""

from grader.build.artifact import build_submission
from grader.build.staging import check_path, pack, stage, submission_digest, unpack
from grader.build.toolchains import PACKAGES, TOOLCHAINS_FILE, check_tools, find_tool, toolchain, version
from grader.build.tree import Refused

__all__ = [
    "PACKAGES",
    "TOOLCHAINS_FILE",
    "Refused",
    "build_submission",
    "check_path",
    "check_tools",
    "find_tool",
    "pack",
    "stage",
    "submission_digest",
    "toolchain",
    "unpack",
    "version",
]
