"""Sixteen small problem packages, one of each form that public archives have; all of it is made up here."""

from collections.abc import Mapping

from tests.support.packages import NEWER
from tests.support.rows import read_data

_PACKAGES: Mapping[str, Mapping[str, str]] = read_data(__file__)["PACKAGES"]
_LARGE = {**_PACKAGES["plain"], "data/secret/2.in": "0 7\n" + " " * (65 * 2**20)}
PACKAGES: Mapping[str, Mapping[str, str]] = {**_PACKAGES, "large": _LARGE, "newer": NEWER}
"""a name -> the files"""
