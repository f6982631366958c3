"""Keys that are accepted and have no effect: empty lists, names that stand twice, and tests that cannot be alike."""

import re
from collections.abc import Iterator
from itertools import chain

from grader.check.subject import Flaw, Subject, lint_rule
from grader.core.judge.totals import shows_answer
from grader.core.model.spec import Test
from grader.core.text import quote

_CONTAINERS = re.compile(r"(?:.*\.)?(?:unlike|needs|before|then|env|files|tolerate|repairs|adjustments|aliases|limits)")
"""paths of keys with lists or mappings"""
_SIGNS = re.compile(r"[.\[]")  # what separates the parts of a path
_LISTS = re.compile(r"(.*\.(?:unlike|needs|in|declare|structures|aliases))\[\d+\]")
"""paths of what is in lists of names"""


def _empty_keys(subject: Subject) -> Iterator[Flaw]:
    """Find lists and mappings with nothing in them."""
    places = subject.nodes
    above = {path[: sign.start()] for path in places for sign in _SIGNS.finditer(path)}
    for path in places:
        undoes = f"defaults.{path.rpartition('.')[2]}" in places  # of which nothing is wanted here
        is_container = _CONTAINERS.fullmatch(path) and path not in subject.texts
        if is_container and path not in above and not undoes:
            yield path, "there is nothing in it, so it has no effect: take it out"


def _repeated_names(subject: Subject) -> Iterator[Flaw]:
    """Find names that stand twice in a list."""
    seen = set()
    for path, text in subject.texts.items():
        if found := _LISTS.fullmatch(path):
            if (found[1], text) in seen:
                yield path, f"{quote(text)} stands here twice, which has no effect: keep one"
            seen.add((found[1], text))


def _idle_comparisons(subject: Subject) -> Iterator[Flaw]:
    """Find `unlike` where one of the tests has no output of a program."""
    tests = {test.name: test for test in subject.spec.tests}
    for path, test in subject.tests():
        if test.unlike and not _writes(test):
            yield f"{path}.unlike", "nothing is compared here, for no program is run whose output counts: take it out"
            continue
        for number, name in enumerate(test.unlike):
            if not _writes(tests[name]):
                message = f"nothing is compared with {quote(name)}, in which no program's output counts: take it out"
                yield f"{path}.unlike[{number}]", message


def _writes(test: Test) -> bool:
    return any(map(shows_answer, test.cases))


@lint_rule("warning", "idle-key")
def keys_without_effect(subject: Subject) -> Iterator[Flaw]:
    """A key without effect makes readers believe that something is looked at."""
    return chain(_empty_keys(subject), _repeated_names(subject), _idle_comparisons(subject))
