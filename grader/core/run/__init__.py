"""Case -> Execution: the one runner, for students' programs, builds and references alike."""

from typing import TYPE_CHECKING

from grader.core.lazy import lazy_modules

if TYPE_CHECKING:
    from grader.core.run import measuring, runner, start

__getattr__ = lazy_modules(__name__)
