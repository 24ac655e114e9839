"""Moments of the past as a person says them."""

from PySide6.QtCore import QCoreApplication, QDateTime, QLocale

translate = QCoreApplication.translate


def moment(at: float) -> str:
    """The time of day of ``at`` (unix seconds), with its date where that is not today's."""
    when = QDateTime.fromSecsSinceEpoch(int(at))
    time = QLocale().toString(when.time(), QLocale.FormatType.ShortFormat)
    if when.date() == QDateTime.currentDateTime().date():
        return time
    form = translate("Swarm", "d MMM", "a date, in the letters of QLocale")
    return f"{QLocale().toString(when.date(), form)}, {time}"
