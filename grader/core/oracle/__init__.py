"""What is expected: the reference's own output, computed once and cached by content.

The reference runs like a student's program, with the same arguments, input and terminal, in the same kind of sandbox;
only its limits are wide. An answer belongs to the digest of everything that could change it: the reference's files, the
interpreter, and the case. It never enters a sandbox that runs student code.
"""

from typing import TYPE_CHECKING

from grader.core.lazy import lazy_imports
from grader.core.oracle.answers import ask_reference, output_without_input
from grader.core.oracle.checks import load_checks
from grader.core.oracle.conditions import AskingConditions, Clock, clock_library_for, one_processor
from grader.core.oracle.reference import build_reference, reference_files

if TYPE_CHECKING:
    from grader.kinds.generated_inputs.generate import NOBODY, find_secret, generate_inputs, seed_for

__all__ = [
    "NOBODY",
    "AskingConditions",
    "Clock",
    "ask_reference",
    "build_reference",
    "clock_library_for",
    "find_secret",
    "generate_inputs",
    "load_checks",
    "one_processor",
    "output_without_input",
    "reference_files",
    "seed_for",
]

# Few specs generate anything.
__getattr__ = lazy_imports(
    __name__,
    {"grader.kinds.generated_inputs.generate": ("NOBODY", "find_secret", "generate_inputs", "seed_for")},
)
