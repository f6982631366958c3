"""What watching the memory needs of a machine."""

from grader.core.model.spec import Case
from grader.kinds.memory_clean.valgrind import VALGRIND
from grader.kinds.memory_clean.valgrind import find_valgrind as requirements
from grader.kinds.memory_clean.valgrind import require_watching as require

__all__ = ["packages", "require", "requirements"]


def packages(_case: Case) -> tuple[str, ...]:
    """Return the Debian packages that a machine needs."""
    return (VALGRIND,)
