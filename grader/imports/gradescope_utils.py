"""Stand-ins for the parts of `gradescope_utils` that tests import, as files beside a submission."""

from collections.abc import Mapping

_DECORATORS = '''\
"""What the tests of this assignment import of gradescope_utils; weights and visibility stand in the spec."""
import functools


def _no_change(*_values, **_options):
    return lambda function: function


weight = number = visibility = hide_errors = tags = _no_change


def leaderboard(*_values, **_options):
    return lambda function: functools.wraps(function)(
        lambda *given, **named: function(*given, **named, set_leaderboard_value=lambda _value: None)
    )


def partial_credit(points):
    def decorate(function):
        @functools.wraps(function)
        def run(*values, **options):
            scores = []
            function(*values, **options, set_score=scores.append)
            if scores and scores[-1] < points:
                raise AssertionError(f"{scores[-1]:g} of {points:g} points were reached, and all are needed")

        return run

    return decorate
'''
_FILES = '''\
"""What the tests of this assignment import of gradescope_utils."""
import os


def check_submitted_files(paths, base="."):
    base = "." if base.startswith("/autograder") else base
    return [path for path in paths if not os.path.exists(os.path.join(base, path))]
'''
STAND_INS: Mapping[str, bytes] = {
    "gradescope_utils/__init__.py": b"",
    "gradescope_utils/autograder_utils/__init__.py": b"",
    "gradescope_utils/autograder_utils/decorators.py": _DECORATORS.encode(),
    "gradescope_utils/autograder_utils/files.py": _FILES.encode(),
}
"""path in the working folder -> content"""
