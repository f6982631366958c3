"""Notebooks for tests: their code cells as texts, or as the whole of a cell."""

import json
from collections.abc import Mapping
from typing import Any


def notebook(*cells: str | Mapping[str, Any], language: str = "python", minor: int = 5) -> bytes:
    """Return a notebook of format 4; a text is a code cell."""
    every = [
        {"cell_type": "code", "source": one.splitlines(keepends=True)} if isinstance(one, str) else one for one in cells
    ]
    metadata = {"kernelspec": {"name": "python3", "language": language}}
    return json.dumps({"cells": every, "metadata": metadata, "nbformat": 4, "nbformat_minor": minor}).encode()


def older_notebook(*cells: str, language: str = "python") -> bytes:
    """Return a notebook of format 3, which has its cells in worksheets."""
    every = [{"cell_type": "code", "input": one, "language": language, "outputs": []} for one in cells]
    return json.dumps({"worksheets": [{"cells": every}], "metadata": {"name": ""}, "nbformat": 3}).encode()
