from grader.core.yaml import value as quantities
from tests.support.rows import each_row


@each_row
def test_a_quantity(parse: str, text: str, value: str | None) -> None:
    found = getattr(quantities, f"parse_{parse}")(text)
    assert (None if found is None else str(found)) == value
