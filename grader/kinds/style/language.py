"""How its cases are read and written."""

from grader.kinds.style.reader import own_config_files as attached_files
from grader.kinds.style.reader import read_test

__all__ = ["attached_files", "read_test"]
