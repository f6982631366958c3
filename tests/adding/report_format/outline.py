"""A document as an outline: its headings."""

from grader.core.report.document import Document
from grader.core.report.view import Heading


def to_outline(document: Document) -> bytes:
    """Render the headings of a document, a line each."""
    headings = [block.text for block in document.of("head", "tests") if isinstance(block, Heading)]
    return "".join(f"{line}\n" for line in headings).encode()
