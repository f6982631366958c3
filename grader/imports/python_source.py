"""Programs in Python of another grader: what they import. They are parsed and never run."""

import ast
import sys
from collections.abc import Collection, Iterable, Iterator

_PACKAGES = {
    "sklearn": "scikit-learn",
    "PIL": "pillow",
    "cv2": "opencv-python",
    "bs4": "beautifulsoup4",
    "yaml": "PyYAML",
}
"""modules whose package has another name"""


def parse_python(source: str | bytes) -> ast.Module:
    """Return the tree of a program; an empty one where it cannot be read."""
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Module(body=[], type_ignores=[])


def imported_names(source: str | bytes) -> Iterator[str]:
    """Yield the modules that a program imports by absolute names, and of `from a import b` also `a.b`."""
    for node in ast.walk(parse_python(source)):
        if isinstance(node, ast.Import):
            yield from (one.name for one in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from (node.module, *(f"{node.module}.{one.name}" for one in node.names))


def required_packages(sources: Iterable[str | bytes], own: Collection[str]) -> list[str]:
    """Return the packages to install for programs, of which `own` are the course's and the students' modules."""
    tops = {name.partition(".")[0] for source in sources for name in imported_names(source)}
    return sorted(_PACKAGES.get(name, name) for name in tops - {*own} - sys.stdlib_module_names)
