"""Numbers as the language of the window writes them."""

from typing import Final, NamedTuple

from PySide6.QtCore import QCoreApplication, QLocale

translate = QCoreApplication.translate

MILLION: Final = 1_000_000

_THOUSAND, _BILLION = 1_000, 1_000_000_000
_LARGEST = 2**63 - 1
_FEW = 10  # below, a digit behind the point says something


def figure(number: int) -> str:
    """Every digit, such as ``1,203``; what no count comes to is cut to what Qt can write."""
    return locale_here().toString(max(-_LARGEST, min(number, _LARGEST)))


def large(number: int) -> str:
    """A count that nobody wants to read digit by digit, such as ``1.5 million``."""
    scale = _scale(number)
    many = short(number / scale.unit)
    return scale.one if many == figure(1) else scale.form.format(many)


def short(number: float) -> str:
    """With one place while that says something, unless it is a zero: ``9.6``, ``9``, ``12``."""
    return figure(round(number)) if number >= _FEW else _one_place(number)


def _one_place(number: float) -> str:
    if round(number, 1).is_integer():
        return figure(round(number))
    return locale_here().toString(number, "f", 1)


def percent(share: float) -> str:
    """A share in words; a no-break space keeps the sign with its number."""
    return f"{100 * share:.0f}\u00a0%"


def points(share: float) -> str:
    """A share in hundredths with one place, such as ``9.1``; without a sign for what it counts."""
    rounded = round(100 * share, 1) + 0.0  # of -0.0, too
    return locale_here().toString(rounded, "f", 1).replace("-", "\u2212")


def size(number: int) -> str:
    """Bytes, such as ``12 kB``, ``995 MB`` or ``3.1 GB``; no line break parts it from its unit."""
    if number >= _BILLION - MILLION // 2:  # or it would be 1,000 MB
        form, many = translate("Figures", "{} GB"), _one_place(number / _BILLION)
    elif number >= MILLION:
        form, many = translate("Figures", "{} MB"), short(number / MILLION)
    else:
        form, many = translate("Figures", "{} kB"), short(number / _THOUSAND)
    return form.format(many).replace(" ", "\u00a0")


def locale_here() -> QLocale:
    """That of the window; of a computer that has none set, English."""
    found = QLocale()
    return QLocale(QLocale.Language.English) if found.language() is QLocale.Language.C else found


class _Scale(NamedTuple):
    """What a count is divided by, and how that is said."""

    unit: int
    form: str
    one: str


def _scale(number: int) -> _Scale:
    """Chinese counts by four digits; the other languages by three."""
    if locale_here().language() is QLocale.Language.Chinese:
        if number >= 100 * MILLION:
            form = translate("Figures", "{} hundred million", "said in Chinese only")
            return _Scale(100 * MILLION, form, form.format(figure(1)))
        form = translate("Figures", "{} ten thousand", "said in Chinese only")
        return _Scale(10_000, form, form.format(figure(1)))
    if number >= 1_000 * MILLION:
        one = translate("Figures", "1 billion")
        return _Scale(1_000 * MILLION, translate("Figures", "{} billion"), one)
    return _Scale(MILLION, translate("Figures", "{} million"), translate("Figures", "1 million"))
