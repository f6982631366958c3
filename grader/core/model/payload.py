"""What a kind of case adds to the records of a case and of its run."""

from typing import Any, Self

from msgspec import Struct

from grader.core.errors import HostError


class OfKind(Struct, frozen=True, kw_only=True):
    """A record of a kind, as `payload` of a case, as `facts` of a run, or among those that `also` has of others."""

    @classmethod
    def of(cls, whole: Any) -> Self | None:
        """Return the record of this class that a case or a run has; None where it has none."""
        own = whole.facts if hasattr(whole, "facts") else whole.payload
        return next((record for record in (own, *whole.also.values()) if isinstance(record, cls)), None)

    @classmethod
    def required(cls, whole: Any) -> Self:
        """Return the record that must be there; raises HostError where it is missing."""
        if (record := cls.of(whole)) is None:
            raise HostError(f"there is no {cls.__name__}: nothing was recorded")
        return record


class Payload(OfKind, frozen=True, kw_only=True):
    """What a kind of case adds to a case; each kind has a record of its own, with properties in place of these."""

    asks_reference = property(lambda _: False)  # whether the reference has to run to know what is expected
    programs = property(lambda _: ())  # the modules, classes or files that it is about, where it starts none
    generated_by = property(lambda _: None)  # what generates a part of it until that is done, by `with_generated`
    texts = property(lambda _: ())  # the key of each further text that it expects, and what that is compared with
    checks = property(lambda _: True)  # whether it checks something where a case has no `expect`
    given = property(lambda self: self)  # the part that a program gets; its `repr` distinguishes cases
    is_secret = property(lambda _: False)  # whether what distinguishes cases with the same command is not for students
    features = property(lambda _: ())  # what is special about it, in a few words each, apart from the input
    called = property(lambda _: ())  # the functions whose behaviour it tests; students have to use these names
    sources = property(lambda _: ())  # the files of a submission, as names or globs, whose source it examines
    shares_run = property(lambda _: False)  # whether one run, with the limits of one case, serves all of a test
    for_one_run = property(lambda _: None)  # the payload for a run that also answers the other cases of its test
    is_timed = property(lambda _: True)  # whether the reference's time predicts that of a program
    reachable = property(lambda _: ("wrong",))  # the deviations that its kind can report, but those of `texts`
    unfit_mutants = property(lambda _: ())  # the families of output mutants, and `crash`, that do not apply to it
    extra_run = property(lambda _: "")  # what a handout says of its further run, after "Every run" or "Some of it"
    why_not_public = property(lambda _: "")  # why a test with it cannot be public; empty when it can
    arguments = property(lambda _: None)  # plain values that it is given; `with_args` puts smaller ones there
    further_seconds = property(lambda _: lambda _limits: 0.0)  # of its further run, as a rule, by the limits of a case
    packages = property(lambda _: ())  # of Debian, that a machine needs for it
    command_text = property(lambda _: lambda _spec: "")  # how students repeat it; empty: by the command of the case
    packaged = property(lambda _: ())  # what installed packages define of it, for the digest of a grade; never cached
    facts_for_checks = property(lambda _: lambda _run: {})  # fields of `Facts` for checks, in place of the program's
