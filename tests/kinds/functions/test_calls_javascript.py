"""How values are written in JavaScript. The probe itself is shown by `scenarios/functions/javascript.yaml`."""

import pytest

from grader.core.model.values import MapValue, PlainValue, SetValue
from grader.kinds.functions.model import write_value


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (SetValue(items=(2, 1)), "new Set([2, 1])"),
        (SetValue(items=()), "new Set([])"),
        (MapValue(items=((1, "a"), ("x", (None, True)))), 'new Map([[1, "a"], ["x", [null, true]]])'),
        ((MapValue(items=(("x", SetValue(items=(3,))),)),), '[{"x": new Set([3])}]'),
    ],
)
def test_sets_and_maps_are_written_so_that_javascript_makes_them(value: PlainValue, written: str) -> None:
    assert write_value(value, "", "javascript") == written
