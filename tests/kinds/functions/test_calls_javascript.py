"""How values are written in JavaScript. The probe itself is shown by `scenarios/functions/javascript.yaml`."""

from grader.core.model.values import PlainValue
from grader.kinds.functions.model import write_value
from tests.support.functions import plain
from tests.support.rows import each_row


@each_row
def test_sets_and_maps_are_written_so_that_javascript_makes_them(value: PlainValue, written: str) -> None:
    value = plain(value)
    assert write_value(value, "", "javascript") == written
