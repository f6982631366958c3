"""Submission -> Artifact: a private copy with its layout put right, built in a sandbox."""

from grader.build.build import build
from grader.build.parcel import pack, unpack
from grader.build.staging import check_path, stage, submission_digest
from grader.build.toolchains import TOOLCHAINS_FILE, start, toolchain
from grader.build.tools import PACKAGES, Remember, check_tools, find_tool, version
from grader.build.tree import Refused

__all__ = [
    "PACKAGES",
    "TOOLCHAINS_FILE",
    "Refused",
    "Remember",
    "build",
    "check_path",
    "check_tools",
    "find_tool",
    "pack",
    "stage",
    "start",
    "submission_digest",
    "toolchain",
    "unpack",
    "version",
]
