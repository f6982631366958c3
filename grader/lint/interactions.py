"""What is probably not meant in tests with an interactor."""

import re
from collections.abc import Iterator

from grader.lint.subject import Flaw, Subject
from grader.verify.samples import read_samples
from grader.yaml.value import WORD

_SECRETS = re.compile(r"(tests\[\d+\])(?:\.cases\[\d+\])?\.interactor\.(?:args\[\d+\]|input|answer)")


def interactors_without_player(subject: Subject) -> Iterator[Flaw]:
    """Find interactors of which nobody shows that they accept anybody."""
    spec = subject.spec
    if spec.reference is not None or any(sample.is_right(spec) for sample in read_samples(spec)):
        return
    for path, test in subject.tests():
        if any(case.interactor for case in test.cases):
            told = "nobody shows that this interactor accepts a right program"
            yield path, f"{told}: name one under reference, or put it among the samples"


def secrets_in_names(subject: Subject) -> Iterator[Flaw]:
    """Find what only an interactor is to know, and stands in the name of a case that students read."""
    visible = {path: test for path, test in subject.tests() if test.visibility == "visible"}
    for path, text in subject.source.texts.items():
        found = _SECRETS.fullmatch(path)
        if found and found[1] in visible and (variable := re.search(rf"\{{({WORD})\}}", text)):
            told = f"{{{variable[1]}}} stands in the names of the cases, where students read it"
            yield path, f"{told}: write the cases out under cases, or hide the test"
