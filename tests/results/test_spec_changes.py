from grader.results.diff import VALUE_LIMIT, changes_between
from tests.support.past_samples import book, case, record, scored
from tests.support.rows import each_row, read_data

DATA = read_data(__file__)
SPEC = DATA["SPEC"]


def lines(new: str, *, hidden: bool = False, old: str = SPEC) -> list[str]:
    before, after = book(spec_text=old), book(spec_text=new)
    return [change.text for change in changes_between(before, after, None, hidden=hidden)]


@each_row
def test_a_change_has_its_place_and_both_values(was: str, will_be: str, line: str | None) -> None:
    assert was in SPEC
    found = lines(SPEC.replace(was, will_be))
    assert found[:1] == ([line] if line else [])


def test_what_two_long_values_have_in_common_is_left_out() -> None:
    start = "All solutions of the n-Queens problem, one a line, "
    (line,) = lines(f"about: {start}with blanks", old=f"about: {start}without blanks {'.' * 99}")
    assert line.startswith("about: …")
    assert "out blanks" in line.split(" -> ")[0]
    assert line.endswith(" blanks")
    assert len(line) < 2 * VALUE_LIMIT + 40


@each_row
def test_a_hidden_test_keeps_its_secret(was: str, will_be: str, line: str) -> None:
    new = SPEC.replace(was, will_be)
    assert lines(new) == [line]
    assert "canary" not in "".join(lines(new + "    stdin: canary\n"))
    assert "canary" not in "".join(lines(SPEC, old=new + "    stdin: canary\n"))


def test_who_may_see_all_of_it_does() -> None:
    assert lines(SPEC.replace("canary", "dog"), hidden=True) == ["tests[secret].args: [canary] -> [dog]"]


def test_without_the_texts_the_reports_tell_what_they_can() -> None:
    old = record(scored("usage", 10, cases=[case(name="usage[1]")]), scored("old", 5, 5))
    new = record(scored("usage", 8, 8, cases=[case(name="usage[1]"), case(name="usage[2]")]), spec="other")
    found = [change.text for change in changes_between(book(), book(), (old, new))]
    assert found == [
        "tests[usage].points: 10 -> 8",
        "tests[usage].cases.usage[2]: none -> ./x usage[2]",
        "tests[old]: 5 points -> none",
    ]
    assert changes_between(book(), book(), (old, old)) == ()
    assert changes_between(book(), book(), None) == ()
