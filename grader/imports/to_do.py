"""What no spec can express: a check of the course that is still to be written, with the other grader's source beside.

Its cases are ungraded until it is written, so that nobody gains or loses points by it; `grader lint` names each
(`unwritten-check`).
"""

import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, field

from grader.core.text import one_line
from grader.core.yaml.nodes import Node
from grader.core.yaml.writing import quoted, table
from grader.imports.folder import harmless_name

_HEAD = '''\
"""What of the imported assignment remains to be written. Until then its cases are ungraded, and nobody has a score.

A check looks at `output` and returns nothing when that is right; it raises grader.Wrong("why") when it is wrong.
"""
'''
_WIDTH = 100


@dataclass(slots=True, kw_only=True)
class ToDo:
    """The checks of an assignment that remain to be written."""

    file: str
    """below the course root"""
    checks: dict[str, str] = field(default_factory=dict)
    """name of a function -> its text"""

    def expect(self, name: str, reason: str, source: str) -> Node:
        """Add a check that replaces `source`; return what a case is to expect."""
        function = f"todo_{harmless_name(name)}"
        while function in self.checks:
            function += "_"
        told = one_line(reason, 400).replace("\\", "\\\\").replace('"', "'")
        doc = textwrap.indent(textwrap.fill(f'"""To be written: {told}."""', _WIDTH), "    ")
        lines = [one_line(line, 400) for line in source.splitlines()[:200]]
        comment = "".join(f"    # {line}".rstrip() + "\n" for line in lines)
        raised = 'raise NotImplementedError("still to be written")'
        self.checks[function] = f"def {function}(output: bytes) -> None:\n{doc}\n{comment}    {raised}\n"
        return table({"stdout": table({"check": quoted(f"{self.file}:{function}")})})

    def files(self) -> Mapping[str, bytes]:
        """Return the file with the checks; none when there are none."""
        return {self.file: "\n\n".join([_HEAD, *self.checks.values()]).encode()} if self.checks else {}

    def notes(self) -> list[str]:
        """Return a note that names them."""
        if not self.checks:
            return []
        names = ", ".join(self.checks)
        return [f"To be written, in {self.file}: {names}. Until then their cases are ungraded; see grader lint."]
