"""Small assignments in the forms of other graders, laid out for tests of the import. All of it is made up here."""

from collections.abc import Mapping

from tests.support.rows import read_data

_DATA = read_data(__file__)
CHECK50_SIMPLE: Mapping[str, str] = _DATA["CHECK50_SIMPLE"]
CHECK50: Mapping[str, str] = _DATA["CHECK50"]
HALVE: str = _DATA["HALVE"]
SUBMITTY: Mapping[str, str] = _DATA["SUBMITTY"]
FRAME: str = _DATA["FRAME"]
EXERCISM_PYTHON: Mapping[str, str] = _DATA["EXERCISM_PYTHON"]
EXERCISM_JAVA: Mapping[str, str] = _DATA["EXERCISM_JAVA"]
EXERCISM_C: Mapping[str, str] = _DATA["EXERCISM_C"]
EXERCISM_REPORTED: Mapping[str, Mapping[str, str]] = _DATA["EXERCISM_REPORTED"]
PRAIRIELEARN: Mapping[str, str] = _DATA["PRAIRIELEARN"]
