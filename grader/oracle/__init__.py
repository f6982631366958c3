"""What is expected: the reference's own output, asked once and kept by content.

The reference runs like a student's program, with the same arguments, input and terminal, in the same kind of sandbox;
only its limits are wide. An answer belongs to the digest of everything that could change it: the reference's files, the
interpreter, and the case. It never enters a sandbox that runs student code.
"""

from grader.cache import Store, user_store
from grader.oracle.answers import ask, reference_files
from grader.oracle.checks import checks
from grader.oracle.draws import draw

__all__ = ["Store", "ask", "checks", "draw", "reference_files", "user_store"]
