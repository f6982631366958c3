"""An autograder: a contract in YAML, a reference for the truth, a sandbox for programs, a sentence for students.

The public names are `load`, `grade` and `Judgement`, and `Wrong` for an instructor's checks. `grade` is imported when
asked for, since the command line starts here too and its `--help` does not need it; `load` is imported at once, or the
package of that name would hide it.
"""

import sys
from typing import TYPE_CHECKING

# `python -m grader` puts the working folder first on the path. It may be a submission, of which nothing is imported.
# (While Python looks for `grader.__main__`, it runs this file, and the first argument is still "-m".)
if sys.argv[:1] == ["-m"] and not sys.flags.safe_path:
    del sys.path[0]

from grader.errors import Wrong
from grader.load import load
from grader.model import VERSION, Judgement

if TYPE_CHECKING:
    from grader.pipeline import grade

__all__ = ["Judgement", "Wrong", "__version__", "grade", "load"]
__version__ = VERSION


def __getattr__(name: str) -> object:
    """Return `grade` (PEP 562)."""
    if name != "grade":
        raise AttributeError(f"module 'grader' has no attribute {name!r}")
    from grader.pipeline import grade  # noqa: PLC0415 - see above

    return grade
