"""Submission -> Artifact: a private copy with its layout put right, built in a sandbox."""

from typing import TYPE_CHECKING

from grader.core.lazy import lazy_modules

if TYPE_CHECKING:
    from grader.core.build import artifact, layout, staging, tree

__getattr__ = lazy_modules(__name__)
