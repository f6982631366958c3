"""Every type that crosses a boundary between the stages, a module each. Nothing here does anything.

An `Execution` says what happened, a `CaseResult` judges it, a `Report` is what is written down. Credits and points are
exact fractions, which are rounded once, when they are written.
"""

VERSION = "0.1.0"
