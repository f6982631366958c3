"""A point in time as people and platforms write it: a date, a time and a zone, of which none may be missing."""

import difflib
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from grader.core.yaml.value import Value, in_quotes, suggestion, text, wrong

_TIME = r"[0-9]{2}:[0-9]{2}(?P<seconds>:[0-9]{2}(?:\.[0-9]{1,6})?)?"
_MOMENT = re.compile(
    rf"(?P<day>[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}})[ T](?P<time>{_TIME})[0-9]{{0,3}}"
    r" ?(?P<zone>Z|[+-][0-9]{2}:?[0-9]{2}|[A-Za-z][A-Za-z0-9_+/-]*)?"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """A point in time as written, `2026-11-20 23:59 Europe/Zurich`."""

    written: str
    time: datetime
    """with its zone"""
    has_seconds: bool

    @property
    def instant(self) -> str:
        """The same in UTC, as programs write it."""
        return f"{self.time.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


def parse_moment(written: str) -> Moment:
    """Read a date, a time and a zone: `Europe/Zurich`, `+01:00` or `Z`. ValueError with what is wrong.

    Without a zone, another machine would read it as another time. A change of the clocks skips some times and repeats
    others: both are rejected.
    """
    normalised = " ".join(written.split())
    found = _MOMENT.fullmatch(normalised)
    if found is None:
        wanted = "a date, a time and a zone, such as 2026-11-20 23:59 Europe/Zurich"
        raise ValueError(f"wanted {wanted}, found {in_quotes(normalised)}")
    zone = found["zone"]
    if not zone:
        raise ValueError(f"the zone is missing: write {normalised} Europe/Zurich, or {normalised} +01:00")
    try:
        bare = datetime.fromisoformat(f"{found['day']}T{found['time']}")
        is_offset = zone == "Z" or not zone[0].isalpha()
        time = datetime.fromisoformat(f"{bare.isoformat()}{zone}") if is_offset else bare.replace(tzinfo=_zone(zone))
        first, second = (time.replace(fold=fold).astimezone(UTC) for fold in (0, 1))
    except OverflowError:
        raise ValueError(f"there is no such time: {normalised}") from None
    except ValueError as error:
        raise ValueError(str(error) if "zone" in str(error) else f"there is no such time: {normalised}") from None
    if first.astimezone(time.tzinfo).replace(tzinfo=None) != bare:
        raise ValueError(f"there is no such time, because the clocks are put forward then: {normalised}")
    if first != second:
        offsets = " or ".join(f"{time.replace(fold=fold):%z}" for fold in (0, 1))
        raise ValueError(
            f"{normalised} is there twice, because the clocks are put back then: write {offsets} for the zone"
        )
    return Moment(written=normalised, time=time, has_seconds=bool(found["seconds"]))


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        zones = available_timezones()
        near = difflib.get_close_matches(name, zones, 1)
        hint = suggestion(name, near) if near else "; one is Europe/Zurich"
        lack = "" if zones else "; this machine knows none: install tzdata"
        raise ValueError(f"there is no time zone {in_quotes(name)}{lack or hint}") from None


def read_moment(value: Value) -> Moment | None:
    """Read a point in time; None where it is wrong."""
    written = text(value)
    try:
        return parse_moment(written) if written else None
    except ValueError as error:
        wrong(value, str(error))
        return None
