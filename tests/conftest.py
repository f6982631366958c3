"""What holds for all tests."""

import os
import sys

from hypothesis import settings

# A thousand starts of the program compile it once, also on machines that are told to keep nothing of what they compile.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False


# A loaded machine is slow and not wrong: no example may fail for the time that it takes.
settings.register_profile("grader", deadline=None)
settings.load_profile("grader")

collect_ignore = ["attacks"]
