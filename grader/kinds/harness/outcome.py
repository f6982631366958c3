"""What something of a student's ended with: a call, a method of a test, or a test in a report."""

from msgspec import Struct


class Outcome(Struct, frozen=True, kw_only=True):
    """How something ended that did not end well. Everything in it may come from the student's code."""

    type: str = ""  # the full name of the exception
    message: str = ""
    place: str = ""  # the innermost line of the student's own, as `bank.py:12`; empty where there is none
