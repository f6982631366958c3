"""What is expected: the reference's own output, asked once and kept by content.

The reference runs like a student's program, with the same arguments, input and terminal, in the same kind of sandbox;
only its limits are wide. An answer belongs to the digest of everything that could change it: the reference's files, the
interpreter, and the case. It never enters a sandbox that runs student code.
"""

from grader.oracle.answers import ask_reference
from grader.oracle.checks import load_checks
from grader.oracle.drawing import NOBODY, draw, find_secret, seed_for
from grader.oracle.reference import build_reference, reference_files

__all__ = [
    "NOBODY",
    "ask_reference",
    "build_reference",
    "draw",
    "find_secret",
    "load_checks",
    "reference_files",
    "seed_for",
]
