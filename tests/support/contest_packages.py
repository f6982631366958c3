"""Sixteen small problem packages, one of each form that public archives have; all of it is made up here."""

from collections.abc import Mapping

from tests.support.packages import NEWER
from tests.support.rows import read_data


def contest_packages() -> Mapping[str, Mapping[str, str]]:
    """Return name -> files of each package; one of them has an input of 65 MiB, which nobody else is to hold."""
    found: Mapping[str, Mapping[str, str]] = read_data(__file__)["PACKAGES"]
    large = {**found["plain"], "data/secret/2.in": "0 7\n" + " " * (65 * 2**20)}
    return {**found, "large": large, "newer": NEWER}
