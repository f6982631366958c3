"""What is expected, where it is a large file of the course: read for the case that needs it, and not before."""

from msgspec import Struct

from grader.core.comparators import COMPARATORS
from grader.core.model.stored_file import StoredFile


class StoredWant(Struct, frozen=True, kw_only=True):
    """What a comparator makes of a file, as `Expected.want`."""

    how: str
    """the name of the comparator"""
    file: StoredFile

    def read(self) -> tuple[str, ...]:
        """Return what is wanted; HostError when the file is another one by now."""
        return COMPARATORS[self.how].freeze(self.file.read())
