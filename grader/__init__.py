"""An autograder: a contract in YAML, a reference for the truth, a sandbox for programs, a sentence for students.

The public names are `load`, `grade` and `Judgement`, which are imported when asked for: the command line starts here
too, and its `--help` needs none of them; and `Wrong` for an instructor's checks.
"""

import sys
from importlib import import_module
from typing import TYPE_CHECKING

# `python -m grader` puts the working folder first on the path. It may be a submission, of which nothing is imported.
# (While Python looks for `grader.__main__`, it runs this file, and the first argument is still "-m".)
if sys.argv[:1] == ["-m"] and not sys.flags.safe_path:
    del sys.path[0]

from grader.core.errors import Wrong
from grader.core.model import VERSION

if TYPE_CHECKING:
    from grader.core.model.report import Judgement
    from grader.core.pipeline import grade
    from grader.core.reader.spec import load

__all__ = ["Judgement", "Wrong", "__version__", "grade", "load"]
__version__ = VERSION

_PLACES = {"load": "grader.core.reader.spec", "grade": "grader.core.pipeline", "Judgement": "grader.core.model.report"}
"""a public name -> its module"""


def __getattr__(name: str) -> object:
    """Import what is asked for (PEP 562)."""
    if name not in _PLACES:
        raise AttributeError(f"module 'grader' has no attribute {name!r}")
    return getattr(import_module(_PLACES[name]), name)
