"""Worked answers to questions that are put in words: legs, weekdays, clocks and dates.

Every function takes the prompt and the right answer, and returns the lines between.
"""

import re
from calendar import monthrange
from datetime import date, datetime

from core.lab.worked.lines import plus, running_total

WEEK = 7
SIXTY = 60  # of each unit of a clock make the next one
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_WEEKDAY = re.compile("|".join(_WEEKDAYS))
_OFFSET = re.compile(r"(\d+)(?:-day| days)")
_BACK = re.compile("ago|backward|before")
_INTERVAL = re.compile(r"\b(?:between|from|at) (.+?) (?:and (?:\w+ at )?|to )(.+?)[?.] ")
_DATES = ("%Y-%m-%d", "%B %d, %Y", "%m/%d/%Y", "%A, %B %d, %Y", "%a %b %d %Y", "%d %B %Y")

_LEGS = {
    0: ("snake", "sea slug", "jellyfish", "flatworm", "leech"),
    2: ("chicken", "bird", "human", "duck"),
    4: ("dog", "cat", "cow", "horse", "lion", "elephant", "giraffe", "tiger", "deer", "sheep"),
    5: ("starfish",),
    6: (
        *("insect", "ant", "butterfly", "beetle", "bee", "wasp", "grasshopper", "cricket"),
        *("cockroach", "praying mantis", "firefly"),
    ),
    8: ("spider", "scorpion"),
    10: ("crab", "lobster", "shrimp"),
    14: ("woodlouse",),
}
_LEGS_OF = {animal: legs for legs, animals in _LEGS.items() for animal in animals}


def legs(prompt: str, _: str) -> str:
    """Each kind's legs, added to those so far: "3*6=18,5*4=20+18=8:3=38".

    Without the animals, whose names are many tokens to copy.
    """
    lines: list[str] = []
    total = 0
    for part in prompt.strip().rpartition("you have ")[2].rstrip("?").split(", "):
        count, _, animals = part.partition(" ")
        each = _LEGS_OF.get(animals) or _LEGS_OF.get(animals.removesuffix("s"), 0)
        more = int(count) * each
        lines.append(f"{count}*{each}={more}" + (plus(more, total) if lines else ""))
        total += more
    return ",".join(lines)


def weekday(prompt: str, _: str) -> str | None:
    """What whole weeks leave over, then the weekday's number: "72-70=2,Saturday 6-2=4".

    Monday is 1. None where the prompt does not ask for a weekday some days away.
    """
    start, offset = _WEEKDAY.search(prompt), _OFFSET.search(prompt)
    if start is None or offset is None:
        return None
    days, day = int(offset[1]), _WEEKDAYS.index(start[0]) + 1
    rest = days % WEEK
    sign, found = ("-", day - rest) if _BACK.search(prompt) else ("+", day + rest)
    lines = f"{days}-{days - rest}={rest},{start[0]} {day}{sign}{rest}={found}"
    if found > WEEK:
        lines += f"-{WEEK}={found - WEEK}"
    elif found < 1:
        lines += f"+{WEEK}={found + WEEK}"
    return lines


def weekday_found(prompt: str, answer: str) -> str | None:
    """The same where a weekday some days away is what is asked; None for other calendar sums."""
    lines = weekday(prompt, answer)
    found = int(re.split("[-+=]", lines)[-1]) if lines else 0
    return lines if found and _WEEKDAYS[found - 1] == answer else None


def interval(prompt: str, answer: str) -> str | None:
    """Column by column from the right, sixty borrowed where it is too little; days month by month.

    None for what has no short working: thousandths of seconds, and dates with clocks.
    """
    found = _INTERVAL.search(prompt)
    if found is None:
        raise ValueError(prompt)
    start, end = found.groups()
    if re.fullmatch("[0-9:]+", answer):
        return _clock(start, end)
    if re.fullmatch("[0-9]+ days", answer):
        return _days(_date(start), _date(end))
    return None


def _clock(start: str, end: str) -> str:
    """Of 06:55 and 07:33 "93-55=8b:3=38,6-6=0": an hour became sixty minutes."""
    lines: list[str] = []
    borrowed = 0
    for before, after in zip(start.split(":")[::-1], end.split(":")[::-1], strict=True):
        late = int(after) - borrowed
        borrowed = int(late < int(before))
        late += SIXTY * borrowed
        lines.append(running_total([late, -int(before)]))
    return ",".join(lines)


def _days(start: date, end: date) -> str:
    """What is left of the first month, then whole months, then the days of the last one."""
    if (start.year, start.month) == (end.year, end.month):
        return running_total([end.day, -start.day])
    month = start.year * 12 + start.month - 1
    last = end.year * 12 + end.month - 1
    length = _length(month)
    whole = [_length(between) for between in range(month + 1, last)]
    return running_total([length, -start.day, *whole, end.day])


def _length(month: int) -> int:
    return monthrange(month // 12, month % 12 + 1)[1]


def _date(text: str) -> date:
    for style in _DATES:
        try:
            return datetime.strptime(text.partition(" (")[0], style).date()  # noqa: DTZ007 - a day
        except ValueError:
            continue
    raise ValueError(text)
