"""What is expected: the reference's own output, computed once and cached by content.

The reference runs like a student's program, with the same arguments, input and terminal, in the same kind of sandbox;
only its limits are wide. An answer belongs to the digest of everything that could change it: the reference's files, the
interpreter, and the case. It never enters a sandbox that runs student code.
"""

from typing import TYPE_CHECKING

from grader.core.lazy import lazy_modules

if TYPE_CHECKING:
    from grader.core.oracle import answers, checks

__getattr__ = lazy_modules(__name__)
