"""Numbers as people write them."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QLocale

from app.figures import figure, locale_here


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    before = QLocale()
    yield
    QLocale.setDefault(before)


def test_thousands_are_parted_as_the_language_does() -> None:
    """By a comma in English, by a point in German."""
    QLocale.setDefault(QLocale("en_US"))
    assert figure(1_203) == "1,203"
    QLocale.setDefault(QLocale("de_DE"))
    assert figure(1_203) == "1.203"


def test_without_a_language_it_is_english() -> None:
    """A computer may have none set."""
    QLocale.setDefault(QLocale.c())
    assert locale_here().language() is QLocale.Language.English
    assert figure(1_203_000) == "1,203,000"
