"""What holds for all tests."""

from hypothesis import settings

# A loaded machine is slow and not wrong: no example may fail for the time that it takes.
settings.register_profile("grader", deadline=None)
settings.load_profile("grader")

collect_ignore = ["attacks"]
