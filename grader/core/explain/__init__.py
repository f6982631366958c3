"""CaseResult -> CaseResult: why a case is wrong, and whether its result is believed; a look is imported when made."""

from typing import TYPE_CHECKING

from grader.core.lazy import lazy_modules

if TYPE_CHECKING:
    from grader.core.explain import compiler_warnings, explaining, read_past_end, source_hints, variations

__getattr__ = lazy_modules(__name__)
