"""The hours of a week in which practice is welcome: presets, painting, and a sum in words.

A week is ``core.settings.Week``: seven days from Monday on, 24 characters each, local time.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QCoreApplication, QLocale

from app.text.phrases import names
from core.settings import ALWAYS, Week

DAYS = 7
HOURS = 24
MOST_SPANS = 4  # more are no sum any more

translate = QCoreApplication.translate

Cell = tuple[int, int]  # day from Monday, hour from midnight
PresetName = Literal["always", "nights", "free_time"]

_DASH = "\u2013"  # between first and last
_MONDAY, _FRIDAY = 0, 4
_NIGHT = frozenset({22, 23, *range(7)})
_OFFICE = range(8, 18)


def _week(runs: Callable[[int, int], bool]) -> Week:
    """The week in which ``runs(day, hour)`` says whether practice is welcome."""
    return tuple(
        "".join("1" if runs(day, hour) else "0" for hour in range(HOURS)) for day in range(DAYS)
    )


PRESETS: Mapping[PresetName, Week] = {
    "always": ALWAYS,
    "nights": _week(lambda _, hour: hour in _NIGHT),
    "free_time": _week(lambda day, hour: day > _FRIDAY or hour not in _OFFICE),
}


@dataclass(frozen=True, slots=True)
class Span:
    """Hours without a gap."""

    day: int  # of the first hour
    hour: int  # the first
    length: int  # in hours; it may reach into the next days

    @property
    def end(self) -> tuple[int, int]:
        """Day and hour at which it is over; 24 rather than 0 of the next day."""
        last = self.hour + self.length - 1
        return (self.day + last // HOURS) % DAYS, last % HOURS + 1


def is_welcome(week: Week, cell: Cell) -> bool:
    """Whether practice is welcome in that hour."""
    return week[cell[0]][cell[1]] == "1"


def painted(week: Week, cells: Iterable[Cell], *, runs: bool) -> Week:
    """The week with ``cells`` set."""
    chosen = set(cells)
    return _week(lambda day, hour: runs if (day, hour) in chosen else is_welcome(week, (day, hour)))


def between(one: Cell, other: Cell) -> list[Cell]:
    """All cells of the rectangle whose corners these are."""
    days = sorted((one[0], other[0]))
    hours = sorted((one[1], other[1]))
    return [
        (day, hour) for day in range(days[0], days[1] + 1) for hour in range(hours[0], hours[1] + 1)
    ]


def spans(week: Week) -> list[Span]:
    """All spans, each in one piece over midnight and over Sunday; by where they begin."""
    hours = "".join(week)
    if "0" not in hours:
        return [Span(_MONDAY, 0, DAYS * HOURS)]
    begins = [at for at in range(DAYS * HOURS) if hours[at] == "1" and hours[at - 1] == "0"]
    twice = hours + hours
    return [Span(at // HOURS, at % HOURS, twice.index("0", at) - at) for at in begins]


def summary(week: Week) -> str:
    """One sentence, such as ``Runs Sat-Sun all day and Mon 18:00-22:00.``."""
    found = spans(week)
    if not found:
        return translate("Schedule", "Never runs by itself: no hour is chosen.")
    if found[0].length == DAYS * HOURS:
        return translate("Schedule", "Runs at any hour.")
    parts = _parts(found)
    if len(parts) > MOST_SPANS:
        hours = "".join(week).count("1")
        return translate("Schedule", "Runs in {count} of the 168 hours of a week.").format(
            count=hours
        )
    return translate("Schedule", "Runs {hours}.").format(hours=_listed(parts))


def day_name(day: int) -> str:
    """Its short name in the language of the window."""
    return QLocale().standaloneDayName(day + 1, QLocale.FormatType.ShortFormat)


def _parts(found: list[Span]) -> list[str]:
    """Spans in words; those of equal hours together, longer ones each for itself."""
    alike: dict[tuple[int, int], list[int]] = {}
    for span in found:
        if span.length <= HOURS:
            alike.setdefault((span.hour, span.length), []).append(span.day)
    parts = []
    for span in found:
        if span.length > HOURS:
            parts.append(_long(span))
        elif (days := alike.pop((span.hour, span.length), None)) is not None:
            parts.append(_short(days, span))
    return parts


def _short(days: list[int], span: Span) -> str:
    if span.length == HOURS and span.hour == 0:
        return translate("Schedule", "{days} all day").format(days=_days(days))
    hours = f"{_clock(span.hour)}{_DASH}{_clock(span.end[1])}"
    return translate("Schedule", "{days} {hours}").format(days=_days(days), hours=hours)


def _long(span: Span) -> str:
    day, hour = span.end
    if span.hour == 0 and hour == HOURS:
        return translate("Schedule", "{days} all day").format(
            days=f"{day_name(span.day)}{_DASH}{day_name(day)}"
        )
    begin, end = f"{day_name(span.day)} {_clock(span.hour)}", f"{day_name(day)} {_clock(hour)}"
    return f"{begin}{_DASH}{end}"


def _days(days: list[int]) -> str:
    if len(days) == DAYS:
        return translate("Schedule", "every day")
    runs: list[list[int]] = []
    for day in days:
        if runs and runs[-1][-1] == day - 1:
            runs[-1].append(day)
        else:
            runs.append([day])
    return names(_DASH.join(dict.fromkeys((day_name(run[0]), day_name(run[-1])))) for run in runs)


def _listed(parts: list[str]) -> str:
    if len(parts) == 1:
        return parts[0]
    return translate("Schedule", "{first} and {last}").format(
        first=names(parts[:-1]), last=parts[-1]
    )


def _clock(hour: int) -> str:
    return f"{hour}:00"
