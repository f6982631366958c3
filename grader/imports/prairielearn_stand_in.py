"""What tests of PrairieLearn's autograder for Python import, written anew: it is put in front of them in their file.

`self.st` has the names of the student's file, `self.ref` those of `ans.py`. The files of the course beside the test are
deleted before any code of the student is loaded.
"""

import functools
import importlib
import inspect
import json
import os
import sys
import types
import unittest

from gradescope_utils.autograder_utils.decorators import partial_credit

STUDENT, GIVEN = "user_code.py", [""]  # the import writes those of the question here


def _source(name):
    """Return a file of the course beside this one, and delete it."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), name)
    if not os.path.exists(path):
        return ""
    with open(path) as file:
        text = file.read()
    os.remove(path)
    return text


def _names(text, name, given=()):
    space = {"__name__": name, **dict(given)}
    exec(compile(text, name, "exec"), space)
    return space


_SETUP = _names(_source("setup_code.py"), "setup_code.py")
_REFERENCE = types.SimpleNamespace(**_names(_source("ans.py"), "ans.py", _SETUP))
_LEADING, _TRAILING = _source("leading_code.py"), _source("trailing_code.py")


def _code(path, text):
    """Return the program in a file; of a notebook the cells that begin with #grade."""
    if not path.endswith(".ipynb"):
        return text
    codes = ["".join(one["source"]) for one in json.loads(text)["cells"] if one["cell_type"] == "code"]
    return "\n".join(one for one in codes if one.strip().startswith("#grade"))


class GradingComplete(Exception):
    pass


class Feedback:
    give, texts = None, []

    @classmethod
    def set_score(cls, score):
        cls.give(score)

    @classmethod
    def set_percent(cls, share):  # from 0 to 1, for all its name; what is more can only be meant as one
        cls.give(share if share <= 1 else share / 100)

    @classmethod
    def add_feedback(cls, *texts, **_words):
        cls.texts += [str(text).strip() for text in texts if str(text).strip()]

    @classmethod
    def finish(cls, text=""):
        cls.add_feedback(text)
        raise GradingComplete

    @staticmethod
    def call_user(function, *args, **words):
        try:
            return function(*args, **words)
        except Exception as error:
            raise GradingComplete from error

    @staticmethod
    def not_allowed(*_args, **_words):
        raise RuntimeError("This function may not be used.")

    @classmethod
    def check_scalar(cls, name, ref, data, accuracy_critical=False, rtol=1e-5, atol=1e-8, **_words):
        is_number = isinstance(data, (int, float, complex)) or hasattr(data, "dtype")
        allowed = max(abs(ref) * (rtol or 0), atol or 0)
        return cls._said(is_number and bool(abs(ref - data) < allowed), name, data, accuracy_critical)

    @classmethod
    def check_list(cls, name, ref, data, entry_type=None, accuracy_critical=False, **_words):
        right = isinstance(data, list) and len(data) == len(ref)
        right = right and (entry_type is None or all(isinstance(one, entry_type) for one in data))
        return cls._said(right, name, data, accuracy_critical)

    @classmethod
    def check_numpy_array_features(cls, name, ref, data, accuracy_critical=False, report_failure=True):
        numpy = importlib.import_module("numpy")
        right = isinstance(data, numpy.ndarray) and not isinstance(data, numpy.matrix)
        right = right and data.shape == ref.shape and data.dtype.kind == ref.dtype.kind
        return cls._said(right, name, data, accuracy_critical)

    @classmethod
    def check_numpy_array_allclose(cls, name, ref, data, accuracy_critical=False, rtol=1e-5, atol=1e-8, **_words):
        numpy = importlib.import_module("numpy")
        if not cls.check_numpy_array_features(name, ref, data, accuracy_critical):
            return False
        return cls._said(bool(numpy.allclose(ref, data, rtol=rtol, atol=atol)), name, data, accuracy_critical)

    @classmethod
    def _said(cls, right, name, data, is_critical):
        if not right:
            cls.add_feedback(f"{name} is not right: {repr(data)[:200]}")
            if is_critical:
                raise GradingComplete
        return right


feedback = Feedback


def _scored(method):
    """Return a method that gives no points but those that it sets, and none where it is ended by an exception."""

    @partial_credit(1)
    @functools.wraps(method)
    def run(self, set_score=None):
        given = []

        def give(score):
            given.append(score)
            set_score(score)

        Feedback.give, Feedback.texts = give, []
        give(0)
        try:
            method(self)
        except GradingComplete as error:
            give(0)
            if error.__cause__ is not None:
                raise error.__cause__
        except AssertionError:  # it has what it set, if that is less than all
            raise
        except Exception:
            give(0)
            raise
        if given[-1] < 1 and Feedback.texts:
            self.fail("; ".join(Feedback.texts[-3:]))

    return run


def points(*_args, **_words):
    return lambda method: method


name = save = points


def not_repeated(method):
    return method


class PLTestCase(unittest.TestCase):
    student_code_file = STUDENT

    def __init_subclass__(cls):
        for key, value in list(vars(cls).items()):
            if key.startswith("test") and inspect.isfunction(value):
                setattr(cls, key, _scored(value))

    @classmethod
    def setUpClass(cls):
        names = [STUDENT, STUDENT.replace(".ipynb", ".py")]
        places = [os.path.join(place, name) for name in names for place in ["", *sys.path]]
        path = os.path.abspath(next(filter(os.path.exists, places), STUDENT))
        with open(path) as file:
            text = f"{_LEADING}{_code(path, file.read())}{_TRAILING}"
        space = {"__name__": "user_code", **{key: _SETUP[key] for key in GIVEN if key in _SETUP}}
        exec(compile(text, path, "exec"), space)
        cls.ref, cls.st = _REFERENCE, types.SimpleNamespace(**space)
        cls.data, cls.plt = {}, None


PLTestCaseWithPlot = PLTestCase
