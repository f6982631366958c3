"""The page on what imports lose: a table for each format, by the rules that notes are made by too."""

from docs.generate.words import page, plain, table
from grader.imports.writer import LOSSES

_HOW = {
    "approximated": "nearly the same",
    "dropped": "left out",
    "to-do": "to be written",
    "install": "to be installed",
    "note": "",
}


def written() -> str:
    """Return the page."""
    parts = ["# What imports lose", "Each loss is a note of the import, and a comment at the top of the imported spec."]
    for name, rules in LOSSES.items():
        rows = [(plain(rule.sentence.replace("{}", "…")), _HOW[rule.how]) for rule in rules.values()]
        parts += ["## Of every format" if name == "any" else f"## {name}", table(("What", "How"), rows)]
    return page(*parts)
