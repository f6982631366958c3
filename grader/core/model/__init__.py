"""Every type that crosses a boundary between the stages, a module each. Nothing here does anything.

Fact, judgement and report are three things: an `Execution` says what happened and has no opinion, a `CaseResult`
judges it, a `Report` is what is written down. Program output stays `bytes` until it is written down. Records are
frozen: a change makes a new one. Credits and points are exact fractions; they are rounded once, when written.
"""

VERSION = "0.1.0"
