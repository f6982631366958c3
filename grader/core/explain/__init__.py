"""CaseResult -> CaseResult: why a case is wrong, and whether its result is believed; a look is imported when made."""

from typing import TYPE_CHECKING

from grader.core.lazy import lazy_modules

if TYPE_CHECKING:
    from grader.core.explain import explaining, further_runs, sources

__getattr__ = lazy_modules(__name__)
