"""A point in time as people write it, with its zone, and as a learning platform does.

A platform's time is in the course's language and in words, `Tuesday, 24 November 2026, 11:59 PM`. Without a zone it is
the local time of the place where the work is due: `to_zone` adds the zone of `due`. Another form is not guessed.
"""

import difflib
import re
import unicodedata
from collections.abc import Mapping
from datetime import UTC, datetime, tzinfo
from functools import cache
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from msgspec import Struct

from grader.core.reader.files import read_data
from grader.core.yaml.value import Value, in_quotes, suggestion, text, wrong

_TIME = r"[0-9]{2}:[0-9]{2}(?P<seconds>:[0-9]{2}(?:\.[0-9]{1,6})?)?"
_MOMENT = re.compile(
    rf"(?P<day>[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}})[ T](?P<time>{_TIME})[0-9]{{0,3}}"
    r" ?(?P<zone>Z|[+-][0-9]{2}:?[0-9]{2}|[A-Za-z][A-Za-z0-9_+/-]*)?"
)


class Moment(Struct, frozen=True, kw_only=True):
    """A point in time as written, `2026-11-20 23:59 Europe/Zurich`."""

    written: str
    time: datetime  # with its zone
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
    match = _MOMENT.fullmatch(normalised)
    if match is None:
        wanted = "a date, a time and a zone, such as 2026-11-20 23:59 Europe/Zurich"
        raise ValueError(f"wanted {wanted}, found {in_quotes(normalised)}")
    zone = match["zone"]
    if not zone:
        raise ValueError(f"the zone is missing: write {normalised} Europe/Zurich, or {normalised} +01:00")
    try:
        bare = datetime.fromisoformat(f"{match['day']}T{match['time']}")
        is_offset = zone == "Z" or not zone[0].isalpha()
        time = datetime.fromisoformat(f"{bare.isoformat()}{zone}") if is_offset else bare.replace(tzinfo=_zone(zone))
        first, second = (time.replace(fold=fold).astimezone(UTC) for fold in (0, 1))
    except (OverflowError, ValueError) as error:
        raise ValueError(str(error) if "zone" in str(error) else f"there is no such time: {normalised}") from None
    if first.astimezone(time.tzinfo).replace(tzinfo=None) != bare:
        raise ValueError(f"there is no such time, because the clocks are put forward then: {normalised}")
    if first != second:
        offsets = " or ".join(f"{time.replace(fold=fold):%z}" for fold in (0, 1))
        raise ValueError(
            f"{normalised} is there twice, because the clocks are put back then: write {offsets} for the zone"
        )
    return Moment(written=normalised, time=time, has_seconds=bool(match["seconds"]))


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


# ---------------------------------------------------------------- as a platform writes it

_DASHED = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})-([0-9]{2})-([0-9]{2})-([0-9]{2})")
_BARE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9]{2}(?::[0-9]{2})?")


@cache
def platform_forms() -> Mapping[str, Any]:
    """Return how platforms write names and times."""
    return dict(read_data(Path(__file__).with_name("platforms.yaml")))


def parse_platform_time(written: str) -> str:
    """Return a platform's time as `2026-11-24 23:59`, with a zone where it has one; empty if it cannot be read."""
    text = " ".join(written.split())
    if dashed := _DASHED.fullmatch(text):
        text = f"{dashed[1]} {dashed[2]}:{dashed[3]}:{dashed[4]}"
    elif not text[:4].isdigit():
        text = _to_figures(text)
    try:
        return str(datetime.fromisoformat(text))[: len(text)] if _BARE.fullmatch(text) else parse_moment(text).written
    except ValueError:
        return ""


def _to_figures(text: str) -> str:
    """Write `Tuesday, 24 November 2026, 11:59 PM` and the like as `2026-11-24 23:59`; empty where it is none."""
    folded, forms = without_accents(text), platform_forms()
    match = next(filter(None, (re.search(date, folded) for date in forms["dates"])), None)
    clock = re.fullmatch(forms["clock"], match["rest"]) if match else None
    if not match or not clock:
        return ""
    # A name may be cut; where its beginning fits two months, it is neither.
    names = ((number, name) for row in forms["months"] for number, name in enumerate(row.split(), 1))
    months = {number for number, name in names if any(word.startswith(match["month"]) for word in name.split("/"))}
    hour, half = int(clock["hour"]), clock["half"]
    if len(months) != 1 or (half and hour not in range(1, 13)):
        return ""
    hour = hour % 12 + 12 * (half == "p") if half else hour
    seconds = f":{clock['second']}" if clock["second"] else ""
    return f"{match['year']}-{min(months):02}-{int(match['day']):02} {hour:02}:{clock['minute']}{seconds}"


def without_accents(text: str) -> str:
    """Fold the case of letters, and take their accents away: what is equal then may be written either way."""
    apart = unicodedata.normalize("NFKD", text).casefold()
    return "".join(sign for sign in apart if not unicodedata.combining(sign))


def to_zone(written: str, zone: tzinfo | None) -> str:
    """Return a time with a zone: its own, or else `zone`. Of two times by one clock, the earlier is meant."""
    if zone is None or not _BARE.fullmatch(written):
        return written
    return f"{written} {datetime.fromisoformat(written).replace(tzinfo=zone):%z}"
