"""A check that an import left to be written."""


def todo_words(output: bytes) -> None:
    """To be written: it splits."""
    # It splits what is written, and counts.
    raise NotImplementedError("still to be written")
