"""What is needed and started for its cases."""

from grader.kinds.source_rules.examine import find_grammars as requirements
from grader.kinds.source_rules.examine import require_grammars as require
from grader.kinds.source_rules.examine import run_test
from grader.kinds.source_rules.model import command_text

__all__ = ["command_text", "require", "requirements", "run_test"]
