"""What is needed and started for its cases."""

from grader.kinds.style.model import command_text
from grader.kinds.style.model import packaged_tools as packaged
from grader.kinds.style.tool import run_test, versions
from grader.kinds.style.tool import try_style_tools as requirements

__all__ = ["command_text", "packaged", "requirements", "run_test", "versions"]
