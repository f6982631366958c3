"""Stage 4: facts -> verdict. Nothing here keeps, prints or changes anything."""

from typing import TYPE_CHECKING

from grader.core.lazy import lazy_modules

if TYPE_CHECKING:
    from grader.core.judge import case, totals

__getattr__ = lazy_modules(__name__)
