"""The page on mistakes of beginners: what is said of a line, and in which languages it is found."""

from collections import defaultdict

from docs.generate.words import code, page, table
from grader.core.explain.mistake_queries import MISTAKES_FILE, SUFFIXES
from grader.core.reader.files import read_data

_ABOUT = """When a case fails, the grader looks for these mistakes in the files that its program is made of, by
queries of tree-sitter (`pip install 'fairgrader[source]'`). The plainest is said behind the facts:
"Line 2 of `mean.js`, `if (numbers.length = 0) {`, assigns a value; `===` compares." It is a hint:
it costs no point and changes no result, and nothing is said of functions that nobody uses. Where a program
printed something wrong in Python, JavaScript, C or C++, it runs once more for that, at most five times for a
submission, and nothing is said of lines that this run did not reach."""


def written() -> str:
    """Return the page."""
    rows = []
    for row in read_data(MISTAKES_FILE).values():
        found = [one for one in SUFFIXES if one in row]
        example = min((str(row[one]["has"]).strip().partition("\n")[0] for one in found), key=len)
        words = defaultdict(lambda: "…", row[found[0]].get("words", {}))
        said = str(row["says"]).format_map(words).replace("|", r"\|")
        rows.append((f"… {said}.", code(example), ", ".join(found)))
    return page("# Mistakes of beginners", _ABOUT, table(("What is said of a line", "An example begins", "In"), rows))
